//! How the command line behaves towards files, pipes and mistakes.

use crate::support::Sandbox;

#[test]
fn nothing_is_overwritten_unless_asked() {
    let sandbox = Sandbox::new();
    sandbox.file("in.json", b"{\"a\":1}\n");
    sandbox.file("out.bson", b"precious");
    let complaint = sandbox.boson("convert in.json -o out.bson").failed(4);
    assert!(complaint.contains("out.bson"), "{complaint}");
    assert_eq!(sandbox.read("out.bson"), b"precious");
    sandbox.boson("convert in.json -o out.bson --overwrite").done();
    assert_eq!(sandbox.read("out.bson"), b"\x0c\0\0\0\x10a\0\x01\0\0\0\0");
}

#[test]
fn a_failed_conversion_leaves_nothing_behind() {
    let sandbox = Sandbox::new();
    sandbox.file("in.json", b"{\"a\":1}\n{\"a\":}\n");
    let complaint = sandbox.boson("convert in.json -o out.bson").failed(3);
    assert!(complaint.contains("in.json: document 2 at byte 8"), "{complaint}");
    assert!(complaint.contains("offset 5"), "{complaint}");
    assert_eq!(sandbox.names(), ["in.json"]);
}

#[test]
fn standard_input_and_output_are_a_hyphen() {
    let sandbox = Sandbox::new();
    let text = sandbox.boson_with("convert - --to json -o -", b"\x0c\0\0\0\x10a\0\x01\0\0\0\0").done();
    assert_eq!(text, "{\"a\":1}\n");
    // Without names both are meant.
    let text = sandbox.boson_with("convert --to json", b"{\"b\": [1.5, null]}").done();
    assert_eq!(text, "{\"b\":[1.5,null]}\n");
}

#[test]
fn several_files_become_one() {
    let sandbox = Sandbox::new();
    sandbox.file("a.json", b"{\"a\":1}");
    sandbox.file("b.bson", b"\x0c\0\0\0\x10b\0\x02\0\0\0\0");
    assert_eq!(sandbox.boson("convert a.json b.bson --to json").done(), "{\"a\":1}\n{\"b\":2}\n");
}

#[test]
fn the_exit_code_says_what_happened() {
    let sandbox = Sandbox::new();
    sandbox.file("a.json", b"{\"a\":1}");
    sandbox.file("b.json", b"{\"a\":2}");
    sandbox.file("broken.bson", b"\x0d\0\0\0\x10a\0\x01\0\0\0\0");
    sandbox.file("invalid.bson", b"\x09\0\0\0\x08a\0\x02\0");
    for (arguments, code) in [
        ("diff a.json a.json", 0),
        ("diff a.json b.json", 1),
        ("get a a.json", 0),
        ("get nowhere a.json", 1),
        ("get a..b a.json", 2),
        ("convert a.json", 2),
        ("convert a.json --to nonsense", 2),
        ("validate a.json", 0),
        ("validate invalid.bson", 1),
        ("validate broken.bson", 3),
        ("validate missing.bson", 5),
    ] {
        let ran = sandbox.boson(arguments);
        assert_eq!(ran.code, code, "{arguments}: {}{}", ran.stdout, ran.stderr);
    }
}

#[test]
fn errors_name_file_document_path_and_offset() {
    let sandbox = Sandbox::new();
    sandbox.file("utf8.bson", b"\x18\0\0\0\x03a\0\x10\0\0\0\x02b\0\x04\0\0\0a\xFFb\0\0\0");
    let complaint = sandbox.boson("convert utf8.bson --to json").failed(3);
    assert!(complaint.contains("utf8.bson: document 1 at byte 0: offset 19, $.a.b: invalid UTF-8"), "{complaint}");
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    let sandbox = Sandbox::new();
    let ran = sandbox.shell("boson gen mixed -n 20000 --to json | head -n 1 | wc -l; echo ${PIPESTATUS[0]}");
    assert_eq!(ran.stdout, "1\n0\n", "{}", ran.stderr);
    assert_eq!(ran.stderr, "");
}

#[test]
fn piped_output_has_no_colours() {
    let sandbox = Sandbox::new();
    sandbox.file("a.json", b"{\"a\":1}");
    let plain = sandbox.boson("validate a.json").done();
    assert!(!plain.contains('\u{1b}'), "{plain:?}");
    let coloured = sandbox.boson("validate a.json --colour always").done();
    assert!(coloured.contains('\u{1b}'), "{coloured:?}");
}

#[test]
fn lossless_refuses_before_anything_is_written() {
    let sandbox = Sandbox::new();
    sandbox.file("in.bson", b"\x10\0\0\0\x01z\0\0\0\0\0\0\0\0\x80\0");
    let complaint = sandbox.boson("convert in.bson -o out.oson --lossless").failed(4);
    assert!(complaint.contains("$.z"), "{complaint}");
    assert_eq!(sandbox.names(), ["in.bson"]);
}

#[test]
fn a_cut_dump_can_be_recovered() {
    let sandbox = Sandbox::new();
    sandbox.file("cut.bson", b"\x0c\0\0\0\x10a\0\x01\0\0\0\0\x0c\0\0\0\x10a");
    let complaint = sandbox.boson("convert cut.bson --to json").failed(3);
    assert!(complaint.contains("offset 12") && complaint.contains("recover"), "{complaint}");
    let ran = sandbox.boson("convert cut.bson --to json --recover");
    assert_eq!((ran.code, ran.stdout.as_str()), (0, "{\"a\":1}\n"));
    assert!(ran.stderr.contains("1 document whole"), "{}", ran.stderr);
}

#[test]
fn machines_get_json() {
    let sandbox = Sandbox::new();
    sandbox.file("a.json", b"{\"a\":1}");
    sandbox.file("b.json", b"{\"a\":\"x\"}");
    let report = sandbox.boson("diff a.json b.json --format json").stdout;
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    assert_eq!(report["named"][0]["left"], "int 1");
    assert_eq!(report["named"][0]["right"], "string \"x\"");
    let report = sandbox.boson("validate a.json b.json --format json").done();
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    assert_eq!(report["files"][1]["bytes"], 9);
    assert_eq!(report["valid"], true);
}

#[test]
fn completions_and_the_manual_are_there() {
    let sandbox = Sandbox::new();
    for (target, expected) in
        [("bash", "_boson()"), ("zsh", "#compdef boson"), ("fish", "complete -c boson"), ("man", ".TH boson")]
    {
        assert!(sandbox.boson(&format!("completions {target}")).done().contains(expected), "{target}");
    }
}
