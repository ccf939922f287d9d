//! `boson set`, `unset` and `push`.

use boson_bson::{Document, encode};
use boson_document::{Scalar, Value};

use crate::support::Sandbox;

/// `{"a": int32 1, "s": "x"}`, worked out by hand: 4 + 7 + 9 + 1 bytes.
const BEFORE: &[u8] = b"\x15\0\0\0\x10a\0\x01\0\0\0\x02s\0\x02\0\0\0x\0\0";

/// Two such documents, the second with 2 and "yy".
fn two() -> Vec<u8> {
    [BEFORE, b"\x16\0\0\0\x10a\0\x02\0\0\0\x02s\0\x03\0\0\0yy\0\0"].concat()
}

#[test]
fn a_value_is_set_removed_and_pushed_in_every_format() {
    let sandbox = Sandbox::new();
    sandbox.file("d.json", b"{\"a\":1,\"s\":\"x\",\"list\":[1,2]}\n");
    for file in ["d.bson", "d.oson", "d.hex", "d.json"] {
        if file != "d.json" {
            sandbox.boson(&format!("convert d.json -o {file}")).done();
        }
        for command in
            ["set FILE a 7", "set FILE list[1] two", "unset FILE s", "push FILE list [true]", "push FILE list[0] 0"]
        {
            sandbox.boson(&command.replace("FILE", file)).done();
        }
        let expected = "{\"a\":7,\"list\":[0,1,\"two\",[true]]}\n";
        assert_eq!(sandbox.boson(&format!("get $ {file}")).done(), expected, "{file}");
        sandbox.boson(&format!("validate {file}")).done();
    }
}

#[test]
fn values_are_what_they_look_like_or_what_is_said() {
    let sandbox = Sandbox::new();
    for (value, expected) in [
        ("5", Value::Int32(5)),
        ("-5", Value::Int32(-5)),
        ("3000000000", Value::Int64(3_000_000_000)),
        ("1.5", Value::Double(1.5)),
        ("true", Value::Bool(true)),
        ("null", Value::Null),
        ("text", Value::String("text".into())),
        ("01234", Value::String("01234".into())),
        ("\"5\"", Value::String("5".into())),
        ("{\"$numberLong\":\"5\"}", Value::Int64(5)),
        ("[]", Value::Array(vec![])),
        ("5 --type string", Value::String("5".into())),
        ("5 --type long", Value::Int64(5)),
        ("5 --type double", Value::Double(5.0)),
        ("2026-11-30T00:00:00Z --type date", Value::DateTime(1_795_996_800_000)),
    ] {
        sandbox.file("v.bson", BEFORE);
        sandbox.boson(&format!("set v.bson a {value}")).done();
        let expected =
            encode(&Value::Object(vec![("a".into(), expected), ("s".into(), Value::String("x".into()))])).unwrap();
        assert_eq!(boson_testkit::hex(sandbox.read("v.bson")), boson_testkit::hex(expected), "{value}");
    }
    for value in ["{bad", "\"open", "x --type long", "1.5 --type int", "text --type json", "12 --type objectid"] {
        sandbox.boson(&format!("set v.bson a {value}")).failed(2);
    }
    let complaint = sandbox.boson("set v.bson a {\"x\":[{\"$oid\":\"zz\"}]}").failed(2);
    assert!(complaint.contains("the value cannot be BSON: $.a.x[0]: expected"), "{complaint}");
    let ran = sandbox.boson_with("set v.bson a -", b"{\"from\": \"stdin\"}\n");
    ran.done();
    assert_eq!(sandbox.boson("get a.from v.bson").done(), "\"stdin\"\n");
}

#[test]
fn json_keeps_its_numbers_and_objects_as_they_are_written() {
    let sandbox = Sandbox::new();
    sandbox.file(
        "n.json",
        br#"{"n": 1.10, "big": 12345678901234567890123, "id": {"$oid": "0123456789abcdef01234567"}, "x": 0}"#,
    );
    sandbox.boson("set n.json x 2.50").done();
    sandbox.boson("set n.json y 7 --type long").done();
    sandbox.boson("set n.json when 2026-11-30T00:00:00Z --type date").done();
    let expected = r#"{"n":1.10,"big":12345678901234567890123,"id":{"$oid":"0123456789abcdef01234567"},"x":2.50,"y":7,"when":{"$date":"2026-11-30T00:00:00Z"}}"#;
    assert_eq!(String::from_utf8(sandbox.read("n.json")).unwrap().trim_end(), expected);
}

#[test]
fn of_several_documents_one_or_all_must_be_said() {
    let sandbox = Sandbox::new();
    sandbox.file("two.bson", &two());
    let complaint = sandbox.boson("set two.bson a 9").failed(2);
    assert!(complaint.contains("--doc NUMBER") && complaint.contains("--all"), "{complaint}");
    sandbox.boson("set two.bson a 9 --doc 3").failed(2);
    assert_eq!(sandbox.read("two.bson"), two());

    sandbox.boson("set two.bson a 9 --doc 2").done();
    assert_eq!(sandbox.boson("get a two.bson").done(), "1\n9\n");
    sandbox.boson("set two.bson b 5 --doc 1").done();
    let ran = sandbox.boson("unset two.bson b --all");
    assert!(ran.stderr.contains("1 document changed, 1 document unchanged"), "{}", ran.stderr);
    ran.done();
    sandbox.boson("unset two.bson b --all").failed(1);
    assert_eq!(sandbox.read("two.bson").len(), two().len());
}

#[test]
fn in_place_writes_the_changed_bytes_into_the_file() {
    let sandbox = Sandbox::new();
    sandbox.file("two.bson", &two());
    let file = std::fs::File::open(sandbox.path().join("two.bson")).unwrap();
    let summary = sandbox.boson("set two.bson a 9 --all --in-place --format json");
    assert_eq!(summary.code, 0, "{}", summary.stderr);
    let summary: serde_json::Value = serde_json::from_str(&summary.stderr).unwrap();
    // Two int32 of 4 bytes.
    assert_eq!((&summary["file_bytes_written"], &summary["overwritten"]), (&8.into(), &2.into()), "{summary}");
    // It is the same file still, not another of its name.
    let same = sandbox.shell("boson get a two.bson");
    assert_eq!(same.done(), "9\n9\n");
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let now = std::fs::metadata(sandbox.path().join("two.bson")).unwrap();
        assert_eq!(file.metadata().unwrap().ino(), now.ino());
    }

    let before = sandbox.read("two.bson");
    // "yy" has room for two letters; the first document comes first and is not written either.
    let complaint = sandbox.boson("set two.bson s zz --all --in-place").failed(4);
    assert!(complaint.contains("document 1 at byte 0: the new value takes another number of bytes"), "{complaint}");
    sandbox.boson("unset two.bson a --doc 1 --in-place").failed(4);
    assert_eq!(sandbox.read("two.bson"), before);
    sandbox.shell("gzip -k two.bson").done();
    sandbox.boson("set two.bson.gz a 1 --all --in-place").failed(4);
    sandbox.boson("set two.bson a 1 --in-place -o x.bson").failed(2);
}

#[test]
fn an_image_grows_in_place() {
    let sandbox = Sandbox::new();
    sandbox.shell("boson gen people -n 1000 -o people.oson").done();
    let before = sandbox.read("people.oson");
    let text = "x".repeat(60);
    let ran = sandbox.boson(&format!("set people.oson person_500.email {text} --in-place --format json"));
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let summary: serde_json::Value = serde_json::from_str(&ran.stderr).unwrap();
    assert_eq!(summary["appended"], 1, "{summary}");
    assert!(summary["file_bytes_written"].as_u64().unwrap() < 200, "{summary}");
    let after = sandbox.read("people.oson");
    assert_eq!(after.len() - before.len(), usize::try_from(summary["bytes_appended"].as_u64().unwrap()).unwrap());
    assert_eq!(sandbox.boson("get person_500.email people.oson").done(), format!("\"{text}\"\n"));
    sandbox.boson("validate people.oson").done();
    // A name that the dictionary has not needs a new image.
    let complaint = sandbox.boson("set people.oson person_500.phone 1 --in-place").failed(4);
    assert!(complaint.contains("no such name in its dictionary"), "{complaint}");
    assert_eq!(sandbox.read("people.oson"), after);
    sandbox.boson("set people.oson person_500.phone 1").done();
    assert_eq!(sandbox.boson("get person_500.phone people.oson").done(), "1\n");
}

#[test]
fn files_are_replaced_whole_or_not_at_all() {
    let sandbox = Sandbox::new();
    sandbox.file("d.bson", BEFORE);
    for (arguments, code) in [
        ("set d.bson x.y 1", 1),
        ("unset d.bson x", 1),
        ("push d.bson s 1", 1),
        ("set d.bson $ 1", 4),
        ("set d.bson s 1 -o d.bson", 4),
        ("set missing.bson s 1", 5),
        ("set d.bson s", 2),
    ] {
        let ran = sandbox.boson(arguments);
        assert_eq!(ran.code, code, "{arguments}: {}", ran.stderr);
        assert_eq!(
            (sandbox.read("d.bson").as_slice(), sandbox.names()),
            (BEFORE, vec!["d.bson".to_owned()]),
            "{arguments}"
        );
    }
    sandbox.boson("set d.bson s longer -o other.bson").done();
    assert_eq!(sandbox.read("d.bson"), BEFORE);
    let other = sandbox.read("other.bson");
    let document = Document::new(&other).unwrap();
    assert_eq!(document.get("s").unwrap().unwrap().scalar(), Ok(Scalar::String("longer")));
    let through = sandbox.shell("boson set - s piped < d.bson | boson get s");
    assert!(through.stderr.ends_with("; 25 bytes written to standard output\n"), "{}", through.stderr);
    assert_eq!(through.done(), "\"piped\"\n");
}

#[test]
fn what_is_compressed_stays_compressed() {
    let sandbox = Sandbox::new();
    sandbox.file("d.bson", BEFORE);
    sandbox.shell("gzip d.bson && mv d.bson.gz packed").done();
    sandbox.boson("set packed a 5").done();
    assert_eq!(sandbox.read("packed")[..2], [0x1F, 0x8B]);
    assert_eq!(sandbox.boson("get a packed").done(), "5\n");
}

#[test]
fn what_it_cost_is_said() {
    let sandbox = Sandbox::new();
    sandbox.file("d.bson", BEFORE);
    let said = |arguments: &str| sandbox.boson(arguments).stderr;
    assert_eq!(
        said("set d.bson a 5"),
        "1 document changed: overwritten, 4 bytes written; 21 bytes written to d.bson\n"
    );
    // "x" of 6 bytes becomes "xyz" of 8, and the document's length; the last NUL moves.
    assert_eq!(
        said("set d.bson s xyz"),
        "1 document changed: spliced, 12 bytes written, 1 byte moved; 23 bytes written to d.bson\n"
    );
    assert_eq!(
        said("set d.bson a 6 --in-place"),
        "1 document changed: overwritten, 4 bytes written; 4 bytes written into d.bson\n"
    );
}
