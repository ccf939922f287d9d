//! What went wrong once, each test named by its symptom.

use std::io::Write;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::Sandbox;

#[test]
fn a_full_device_is_no_panic() {
    let sandbox = Sandbox::new();
    for command in
        ["demo --formats -n 3", "gen mixed -n 3 --to json", "completions bash", "get a a.json", "validate a.json"]
    {
        sandbox.file("a.json", b"{\"a\":1}");
        let ran = sandbox.shell(&format!("boson {command} > /dev/full"));
        assert_eq!(ran.code, 5, "{command}: {}", ran.stderr);
        assert!(!ran.stderr.contains("panicked"), "{}", ran.stderr);
        let ran = sandbox.shell(&format!("boson {command} > /dev/full 2> /dev/full"));
        assert_eq!(ran.code, 5, "{command}");
    }
    assert!(sandbox.boson("demo --formats -n 1").done().starts_with("1 document: "));
}

#[test]
fn documents_larger_than_memory_are_not_generated() {
    let sandbox = Sandbox::new();
    for command in ["gen matrix-99999999x99999999", "gen people -n 99999999999", "demo -n 99999999"] {
        sandbox.boson(command).failed(2);
    }
}

/// `boson` with input that does not come to an end.
fn waiting(sandbox: &Sandbox, arguments: &str) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_boson"));
    command.args(arguments.split_whitespace()).current_dir(sandbox.path());
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

fn wait_until(what: &str, mut done: impl FnMut() -> bool) {
    let start = Instant::now();
    while !done() {
        assert!(start.elapsed() < Duration::from_secs(20), "{what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn one_signal_ends_what_waits_for_input_and_leaves_nothing() {
    let sandbox = Sandbox::new();
    for signal in ["INT", "TERM"] {
        let mut child = waiting(&sandbox, "convert --to json - -o out.json");
        child.stdin.as_mut().unwrap().write_all(b"{\"a\":1}\n{\"a\":2}\n").unwrap();
        wait_until("a file is begun", || sandbox.names().iter().any(|name| name.ends_with(".partial")));
        // `kill` of the shell: sending signals is unsafe code.
        let sent = sandbox.shell(&format!("kill -{signal} {}", child.id()));
        sent.done();
        wait_until("the process ends", || child.try_wait().unwrap().is_some());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130), "{signal}");
        assert!(String::from_utf8(output.stderr).unwrap().contains("interrupted"), "{signal}");
        assert_eq!(sandbox.names(), [""; 0], "{signal}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn names_that_are_no_utf_8_or_hold_control_characters() {
    let sandbox = Sandbox::new();
    sandbox.shell("printf '{\"a\":1}' > $'bad\\xff.json'").done();
    sandbox.shell("boson convert $'bad\\xff.json' -o $'out\\xfe.bson'").done();
    assert_eq!(sandbox.shell("boson get a $'out\\xfe.bson'").done(), "1\n");
    let complaint = sandbox.shell("boson get a $'no\\xfe\\e[31m\\n.bson'").failed(5);
    assert!(complaint.contains("no\\xfe\\u{1b}[31m\\n.bson: cannot be opened"), "{complaint}");
}

#[test]
fn a_bad_line_is_left_out_and_the_others_are_not() {
    let sandbox = Sandbox::new();
    for (input, expected) in [
        (b"{bad\n{\"a\":1}\n".as_slice(), "{\"a\":1}\n"),
        (b"{\"a\":1}\n{\"a\":", "{\"a\":1}\n"),
        (b"{\"a\":1}\n{\"a\":}\n{\"a\":2}", "{\"a\":1}\n{\"a\":2}\n"),
    ] {
        let ran = sandbox.boson_with("convert --to json --skip-invalid", input);
        assert_eq!((ran.code, ran.stdout.as_str()), (3, expected), "{}", ran.stderr);
        assert!(ran.stderr.contains("1 document left out"), "{}", ran.stderr);
    }
    let input = b"{\"a\":1}\n{\"a\":}\n";
    let ran = sandbox.boson_with("convert --to json --skip-invalid --format json", input);
    let report: serde_json::Value = serde_json::from_str(&ran.stderr).unwrap();
    assert!(report["left_out"][0].as_str().unwrap().contains("document 2 at byte 8"), "{report}");
}

#[test]
fn cut_input_names_the_option_that_recovers_it() {
    let sandbox = Sandbox::new();
    sandbox.boson("gen mixed -n 2000 -o all.bson.gz").done();
    let bytes = sandbox.read("all.bson.gz");
    sandbox.file("cut.bson.gz", &bytes[..bytes.len() / 2]);
    let complaint = sandbox.boson("convert cut.bson.gz -o out.bson").failed(3);
    assert!(complaint.contains("the gzip data ends too early") && complaint.contains("hint: --recover"), "{complaint}");
    let ran = sandbox.boson("convert cut.bson.gz -o out.bson --recover");
    assert!(ran.code == 0 && ran.stderr.contains("cut short"), "{}", ran.stderr);
    sandbox.boson("validate out.bson").done();
    let ran = sandbox.boson_with("convert --to json --recover", b"[{\"a\":1},{\"a\":2");
    assert!(ran.stderr.contains("1 document whole, 6 bytes of the next one at byte 9 left out"), "{}", ran.stderr);
}

#[test]
fn complaints_name_the_option_that_helps() {
    let sandbox = Sandbox::new();
    sandbox.file("a.json", b"{\"a\":1}");
    sandbox.file("a.bson", b"\x0c\0\0\0\x10a\0\x01\0\0\0\0");
    sandbox.file("big.json", b"{\"a\":123456789012345678901234567890123456789}");
    sandbox.file("date.json", b"{\"a\":{\"$date\":{\"$numberLong\":\"-99999999999999\"}}}");
    sandbox.file("twice.json", b"{\"a\":1,\"a\":2}");
    sandbox.file("deep.json", b"{\"a\":{\"a\":{}}}");
    sandbox.file("odd.json", b"{\"a\":{\"$oid\":5}}");
    sandbox.file("many.json", b"{}\n{}\n");
    sandbox.file("what", b"%PDF-1.4 and so on");
    for (arguments, code, option) in [
        ("convert a.json -o a.bson", 4, "--overwrite"),
        ("convert big.json --to bson", 4, "--inexact double"),
        ("convert date.json --to oson-hex", 4, "--wrap-dates"),
        ("convert twice.json --to oson-hex", 4, "--duplicates first"),
        ("convert deep.json --to json --max-depth 2", 3, "--max-depth"),
        ("convert a.json --to json --max-bytes 3", 3, "--max-bytes"),
        ("convert odd.json --to json", 3, "--json-dialect none"),
        ("convert many.json -o two.oson", 4, "--to oson-images"),
        ("convert what --to json", 3, "--from"),
    ] {
        let complaint = sandbox.boson(arguments).failed(code);
        assert!(
            complaint.lines().any(|line| line.starts_with("hint: ") && line.contains(option)),
            "{arguments}: {complaint}"
        );
    }
    let complaint = sandbox.boson("convert a.json -o a.xyz").failed(2);
    assert!(complaint.contains("the extension of a.xyz says no form"), "{complaint}");
}

#[test]
fn forms_of_input_and_output_have_the_same_names() {
    let sandbox = Sandbox::new();
    for text in ["{\"a\":1}\n{\"a\":2}\n", "[{\"a\":1},{\"a\":2}]", "{\n\"a\":1} {\"a\":2}"] {
        let ran = sandbox.boson_with("convert --from json --to json", text.as_bytes());
        assert_eq!(ran.done(), "{\"a\":1}\n{\"a\":2}\n");
    }
    sandbox.file("q.json", b"{\"a\":1}");
    sandbox.boson("convert q.json -o Q.NDJSON.GZ").done();
    assert_eq!(sandbox.read("Q.NDJSON.GZ")[..2], [0x1F, 0x8B]);
    let script = sandbox.boson("completions fish").done();
    assert!(script.contains("oson-base64"), "{script}");
}

#[test]
fn standard_input_is_read_once() {
    let sandbox = Sandbox::new();
    for command in ["diff - -", "convert - - --to json", "get a - -", "validate - -"] {
        assert!(sandbox.boson(command).failed(2).contains("only once"), "{command}");
    }
}

#[test]
fn no_object_need_be_a_wrapper() {
    let sandbox = Sandbox::new();
    let odd = b"{\"a\":{\"$oid\":5},\"b\":{\"$date\":\"x\"}}";
    let same = sandbox.boson_with("convert --to json --json-dialect none", odd).done();
    assert_eq!(same.trim_end().as_bytes(), odd);
}

#[test]
fn validation_goes_on_with_the_other_files() {
    let sandbox = Sandbox::new();
    sandbox.file("good.json", b"{\"a\":1}");
    sandbox.file("bad.bson", b"\x09\0\0\0\x08a\0\x02\0");
    sandbox.file("cut.bson", b"\x0c\0\0\0\x10a\0\x01\0\0\0\0\x0c\0\0\0\x10a");
    let ran = sandbox.boson("validate cut.bson missing.bson bad.bson good.json");
    assert_eq!(ran.code, 5, "{}", ran.stderr);
    let lines: Vec<_> = ran.stdout.lines().collect();
    for (line, beginning) in [
        (0, "error: cut.bson: document 2, offset 12"),
        (1, "hint: --recover"),
        (2, "unreadable cut.bson: 1 document of bson"),
        (3, "error: missing.bson: cannot be opened"),
        (4, "unreadable missing.bson"),
        (5, "invalid bad.bson: document 1"),
        (6, "invalid bad.bson: 1 document"),
        (7, "valid good.json"),
    ] {
        assert!(lines[line].starts_with(beginning), "{line}: {lines:#?}");
    }
    let ran = sandbox.boson("validate --format json cut.bson bad.bson good.json");
    assert_eq!(ran.code, 3);
    let report: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(report["valid"], false);
    assert!(report["files"][0]["error"].as_str().unwrap().contains("offset 12"), "{report}");
    assert_eq!(report["files"][1]["invalid"], 1);
    assert_eq!(report["files"][2]["error"], serde_json::Value::Null);
}

#[test]
fn programs_find_errors_in_the_json() {
    let sandbox = Sandbox::new();
    sandbox.file("good.bson", b"\x0c\0\0\0\x10a\0\x01\0\0\0\0");
    sandbox.file("cut.bson", b"\x0c\0\0\0\x10a\0\x01\0\0\0\0\x0c\0\0\0\x10a");
    let ran = sandbox.boson("diff good.bson cut.bson --format json");
    let report: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert!(ran.code == 3 && report["error"].as_str().unwrap().contains("offset 12"), "{report}");
    let ran = sandbox.boson("convert cut.bson -o out.json --format json");
    let report: serde_json::Value = serde_json::from_str(&ran.stderr).unwrap();
    assert!(ran.code == 3 && report["error"].as_str().unwrap().contains("offset 12"), "{report}");
}

#[test]
fn get_prints_what_convert_prints_whatever_the_format() {
    let sandbox = Sandbox::new();
    let text =
        b"{\"s\":\"a\\\"b\",\"n\":9,\"x\":1.5,\"d\":{\"$date\":\"2020-01-01T00:00:00Z\"},\"o\":{\"k\":[1,\"two\"]}}";
    sandbox.file("a.json", text);
    sandbox.boson("convert a.json -o a.bson").done();
    sandbox.boson("convert a.json -o a.oson").done();
    // NUMBERs throughout, as drivers write them.
    sandbox.boson("convert a.json -o d.oson --oson-style driver").done();
    for file in ["a.json", "a.bson", "a.oson", "d.oson"] {
        let get = |arguments: &str| sandbox.boson(&format!("get {arguments} {file}"));
        assert_eq!(get("s --as raw").done(), "a\"b\n", "{file}");
        assert_eq!(get("s").done(), "\"a\\\"b\"\n", "{file}");
        assert_eq!(get("n").done(), "9\n", "{file}");
        assert_eq!(get("o").done(), "{\"k\":[1,\"two\"]}\n", "{file}");
        assert_eq!(get("o.k[1] --as raw").done(), "two\n", "{file}");
        get("d.$date").failed(1);
        for style in ["relaxed", "canonical", "oracle", "plain"] {
            let all = sandbox.boson(&format!("convert {file} --to json --json-style {style}")).done();
            let date = get(&format!("d --json-style {style}")).done();
            assert!(all.contains(&format!("\"d\":{}", date.trim_end())), "{file} {style}: {date} {all}");
        }
    }
    let typed = |path: &str, file: &str| sandbox.boson(&format!("get {path} --as typed {file}")).done();
    assert_eq!(typed("n", "a.json"), "a.json\t1\t-\tint\t9\n");
    assert_eq!(typed("x", "a.json"), "a.json\t1\t-\tdouble\t1.5\n");
    assert!(typed("d", "a.json").starts_with("a.json\t1\t-\tdate\t"));
    let whole = format!("a.bson\t1\t0..{}\tobject\t", sandbox.read("a.bson").len());
    assert!(typed("$", "a.bson").starts_with(&whole));
    let missing = sandbox.boson("get nowhere --null --as typed a.bson");
    assert_eq!((missing.code, missing.stdout.as_str()), (1, "a.bson\t1\t-\tmissing\tnull\n"));
}

#[test]
fn sensitive_bytes_are_not_shown() {
    let sandbox = Sandbox::new();
    sandbox.file("a.bson", b"\x10\0\0\0\x05p\0\x03\0\0\0\x08abc\0");
    for form in ["json", "raw", "typed"] {
        let shown = sandbox.boson(&format!("get p a.bson --as {form}")).done();
        assert!(shown.contains("REDACTED") && !shown.contains("YWJj"), "{shown}");
    }
}

#[test]
fn json_larger_than_its_limit_is_an_error_and_no_abort() {
    let sandbox = Sandbox::new();
    let ran = sandbox.shell(
        "(printf '{\"a\":\"'; head -c 300000000 /dev/zero | tr '\\0' x; printf '\"}') | (ulimit -v 4000000; boson get b -)",
    );
    let complaint = ran.failed(3);
    assert!(complaint.contains("the limit is 268435456") && complaint.contains("--max-bytes"), "{complaint}");
}

#[test]
fn the_rest_of_a_file_that_is_not_read_is_not_left_unsaid() {
    let sandbox = Sandbox::new();
    sandbox.boson_with("convert --from json --to bson -o good.bson", b"{\"a\":1}").done();
    let good = sandbox.read("good.bson");
    sandbox.file("rest.bson", &[good.clone(), vec![0xfb, 0xff, 0xff, 0xff], good.repeat(100)].concat());
    let ran = sandbox.boson("convert rest.bson --to json --skip-invalid");
    assert_eq!((ran.code, ran.stdout.as_str()), (3, "{\"a\":1}\n"));
    let expected = format!("all from byte {} on, {} bytes:", good.len(), grouped(4 + 100 * good.len()));
    assert!(ran.stderr.contains(&expected), "{}", ran.stderr);
    let ran = sandbox.boson("convert rest.bson --to json --skip-invalid --format json");
    let summary: serde_json::Value = serde_json::from_str(&ran.stderr).unwrap();
    let rest = serde_json::json!([{"file": "rest.bson", "offset": good.len(), "bytes": 4 + 100 * good.len()}]);
    assert_eq!(summary["unread"], rest);
    // Of what is compressed nobody knows how much is left: garbage after the data, a checksum that is another.
    sandbox.boson("convert good.bson -o good.bson.gz").done();
    let packed = sandbox.read("good.bson.gz");
    let mut damaged = packed.clone();
    let checksum = damaged.len() - 8;
    damaged[checksum] ^= 1;
    for (name, bytes) in [("garbage.gz", [packed, b"garbage".to_vec()].concat()), ("damaged.gz", damaged)] {
        sandbox.file(name, &bytes);
        let ran = sandbox.boson(&format!("convert {name} --to json --skip-invalid --format json"));
        let summary: serde_json::Value = serde_json::from_str(&ran.stderr).unwrap();
        let rest = serde_json::json!([{"file": name, "offset": good.len(), "bytes": null}]);
        assert_eq!((ran.code, ran.stdout.as_str(), &summary["unread"]), (3, "{\"a\":1}\n", &rest), "{summary}");
    }
}

/// Digits in groups of three; what is tested has at most six.
fn grouped(number: usize) -> String {
    if number < 1000 { number.to_string() } else { format!("{},{:03}", number / 1000, number % 1000) }
}

#[test]
fn what_was_not_written_is_not_counted() {
    let sandbox = Sandbox::new();
    sandbox.file("two.ndjson", b"{\"a\":1}\n{\"b\":2}\n");
    let ran = sandbox.boson("convert two.ndjson -o two.oson --format json");
    let summary: serde_json::Value = serde_json::from_str(&ran.stderr).unwrap();
    assert_eq!((&summary["documents"], &summary["bytes_out"]), (&0.into(), &0.into()));
    let ran = sandbox.boson_with("convert --to oson-hex --lossless", b"{\"a\":1}\n{\"z\":-0.0}\n");
    assert_eq!((ran.code, ran.stdout.lines().count()), (4, 1));
    assert!(!ran.stderr.contains("nothing was written"), "{}", ran.stderr);
}

#[test]
fn documents_that_were_left_out_and_are_not_listed_are_counted() {
    let sandbox = Sandbox::new();
    for (bad, unlisted) in [(1000, 0), (1003, 3)] {
        let input = format!("{{\"a\":1}}\n{}{{\"a\":2}}\n", "{\"a\":}\n".repeat(bad));
        let ran = sandbox.boson_with("convert --to json --skip-invalid --format json", input.as_bytes());
        assert_eq!((ran.code, ran.stdout.as_str()), (3, "{\"a\":1}\n{\"a\":2}\n"));
        let summary: serde_json::Value = serde_json::from_str(&ran.stderr).unwrap();
        assert_eq!(summary["left_out"].as_array().unwrap().len(), 1000);
        assert_eq!((&summary["skipped"], &summary["left_out_unlisted"]), (&bad.into(), &unlisted.into()));
    }
    let help = sandbox.boson("convert --help").done();
    assert!(help.contains("left_out_unlisted") && help.contains("a `path` of null"), "{help}");
}

/// A document that is left out takes its losses with it, and one that would be changed is left out where that is refused.
#[test]
fn documents_that_would_be_changed_are_left_out_and_the_others_are_not() {
    let sandbox = Sandbox::new();
    // A loss, then a fault; whole; a loss; whole.
    let input = b"{\"z\":-0.0,\"d\":{\"$oid\":1}}\n{\"a\":1}\n{\"z\":-0.0}\n{\"a\":2}\n";
    let run = |options: &str| sandbox.boson_with(&format!("convert --to oson-hex --skip-invalid {options}"), input);
    let ran = run("--lossless");
    assert_eq!((ran.code, ran.stdout.lines().count()), (3, 2), "{}", ran.stderr);
    assert!(ran.stderr.contains("document 3 at byte 34: $.z: the sign of a zero is gone\n"), "{}", ran.stderr);
    assert!(ran.stderr.contains("2 documents left out") && !ran.stderr.contains("lost"), "{}", ran.stderr);
    let ran = run("");
    assert_eq!((ran.code, ran.stdout.lines().count()), (3, 3), "{}", ran.stderr);
    assert!(ran.stderr.contains("(1 value, first in document 3)"), "{}", ran.stderr);
    // Without the choice the first that would be changed stops all, and no file appears.
    sandbox.file("in.ndjson", &input[26..]);
    let complaint = sandbox.boson("convert in.ndjson -o out.hex --lossless").failed(4);
    assert!(complaint.contains("the sign of a zero is gone; nothing was written"), "{complaint}");
    assert!(!sandbox.names().contains(&"out.hex".to_owned()));
}

#[test]
fn programs_find_errors_in_the_json_also_where_nothing_was_read() {
    let sandbox = Sandbox::new();
    sandbox.file("a.json", b"{\"a\":1}");
    sandbox.file("there.bson", b"");
    let error = |text: &str| -> String {
        let object: serde_json::Value = serde_json::from_str(text).unwrap();
        object["error"].as_str().unwrap().to_owned()
    };
    for (arguments, code, what) in [
        ("convert a.json -o there.bson --format json", 4, "such a file already"),
        ("convert a.json -o nowhere/a.bson --format json", 5, "the folder nowhere:"),
        ("convert a.json -o a.odd --format json", 2, "says no form"),
        ("convert nofile -o new.bson --format json", 5, "cannot be opened"),
    ] {
        let ran = sandbox.boson(arguments);
        assert_eq!(ran.code, code, "{arguments}");
        assert!(error(&ran.stderr).contains(what), "{arguments}: {}", ran.stderr);
    }
    for (arguments, code, what) in [
        ("analyze nofile --format json", 5, "cannot be opened"),
        ("analyze a.json --format json --plan there.bson", 4, "there already"),
        ("prove nofile a.json --format json", 5, "cannot be opened"),
        ("diff nofile a.json --format json", 5, "cannot be opened"),
    ] {
        let ran = sandbox.boson(arguments);
        assert_eq!(ran.code, code, "{arguments}: {}", ran.stderr);
        assert!(error(&ran.stdout).contains(what), "{arguments}: {}", ran.stdout);
    }
}

#[test]
fn complaints_say_what_really_is_wrong() {
    let sandbox = Sandbox::new();
    sandbox.file("a.json", b"{\"a\":1}");
    sandbox.file("odd.bson", &[b"\x0c\0\0\0\x10a\0\x01\0\0\0\0".as_slice(), &[0; 8]].concat());
    for (arguments, input, code, what, hint) in [
        ("convert --to bson", "{\"n\":1e99999999999999999999}", 4, "beyond all that bson holds", None),
        ("convert --to bson", "{\"n\":1e-99999999999999999999}", 4, "exactly", Some("--inexact double")),
        ("convert --to bson", "{\"d\":{\"$date\":\"2020-01-01T00:00:00.123456Z\"}}", 3, "at most three decimals", None),
        ("convert --to json", "[{\"a\":1}] [{\"a\":2}]", 3, "after the end of the array", Some("--from json-values")),
        ("convert --to json", "{\"a\":[1,]}", 3, "none may stand before a closing bracket", None),
        ("convert --to json", "{\"a\":1,}", 3, "none may stand before a closing bracket", None),
        ("convert --to json --from bson", "\0\0\0\0", 3, "0 is not the length", Some("--from")),
        ("convert --to json odd.bson", "", 3, "0 is not the length", Some("--skip-invalid")),
        ("convert a.json -o nowhere/a.bson", "", 5, "in the folder nowhere: No such file", None),
        ("diff a.json -", "{\"a\":1e9999999}", 3, "holds this number exactly", None),
    ] {
        let complaint = sandbox.boson_with(arguments, input.as_bytes()).failed(code);
        assert!(complaint.contains(what) && !complaint.contains(".partial"), "{arguments}: {complaint}");
        let given = complaint.lines().find(|line| line.starts_with("hint: "));
        assert_eq!(given.is_some(), hint.is_some(), "{arguments}: {complaint}");
        assert!(given.is_none_or(|given| given.contains(hint.unwrap())), "{arguments}: {complaint}");
    }
    // An unset variable of a shell is no path, and does not mean everything.
    let ran = sandbox.shell("boson get \"$UNSET\" a.json");
    assert!(
        ran.code == 2 && ran.stdout.is_empty() && ran.stderr.contains("`$` for the whole document"),
        "{}",
        ran.stderr
    );
}

#[test]
fn values_deeper_than_usual_are_shown_where_that_is_asked_for() {
    let sandbox = Sandbox::new();
    let text = format!("{}1{}", "{\"a\":".repeat(2000), "}".repeat(2000));
    sandbox.file("deep.json", text.as_bytes());
    sandbox.boson("convert deep.json -o deep.bson --max-depth 2000").done();
    sandbox.boson("convert deep.json -o deep.oson --max-depth 2000").done();
    for file in ["deep.json", "deep.bson", "deep.oson"] {
        for (path, len) in [("$", text.len()), ("a", text.len() - 6), ("a.a", text.len() - 12)] {
            for form in ["json", "raw"] {
                let shown = sandbox.boson(&format!("get {path} {file} --as {form} --max-depth 2000")).done();
                assert_eq!(shown.len(), len + 1, "{file} {path} {form}");
            }
            let typed = sandbox.boson(&format!("get {path} {file} --as typed --max-depth 2000")).done();
            assert!(typed.contains("\tobject\t{\"a\":"), "{file} {path}");
            sandbox.boson(&format!("get {path} {file} --max-depth 1000")).failed(3);
        }
    }
}
