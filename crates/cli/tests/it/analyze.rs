//! `boson analyze` and `boson merge`.

use std::fs;

use boson_testkit::{shared, skip, unhex};
use serde_json::Value;

use crate::support::Sandbox;

/// A sandbox with the readings of the published case, whose bytes and savings `data/README.md` tells.
fn readings() -> Option<Sandbox> {
    let file = shared().map(|folder| folder.join("data/readings_strings.bson.gz")).filter(|file| file.exists());
    let Some(file) = file else {
        skip("readings_strings.bson.gz is not there");
        return None;
    };
    let sandbox = Sandbox::new();
    fs::copy(file, sandbox.path().join("readings.bson.gz")).unwrap();
    Some(sandbox)
}

fn json(sandbox: &Sandbox, arguments: &str) -> Value {
    let report = sandbox.boson(&format!("analyze {arguments} --format json")).done();
    serde_json::from_str(&report).expect("one JSON object")
}

fn sum<'a>(values: impl IntoIterator<Item = &'a Value>) -> u64 {
    values.into_iter().map(|value| value.as_u64().expect("a count")).sum()
}

/// Every byte is in one path, and there in one of the parts.
#[track_caller]
fn assert_adds_up(report: &Value) {
    const PARTS: [&str; 4] = ["names", "types_and_lengths", "values", "inside"];
    let paths = report["paths"].as_array().unwrap();
    for bytes in paths.iter().map(|path| &path["bytes"]).chain([&report["bytes"]]) {
        assert_eq!(sum(PARTS.map(|part| &bytes[part])), bytes["total"], "{bytes}");
    }
    let all = sum(paths.iter().map(|path| &path["bytes"]["total"])) + sum([&report["other_bytes"]]);
    assert_eq!(report["documents"]["total"], all);
    assert_eq!(report["measured"]["bytes"], all);
}

fn proposals(report: &Value) -> Vec<(&str, &str, &str)> {
    let findings = report["findings"].as_array().unwrap().iter();
    findings
        .map(|finding| (word(&finding["path"]), word(&finding["actual"]["name"]), word(&finding["proposal"]["type"])))
        .collect()
}

fn word(value: &Value) -> &str {
    value.as_str().expect("a text")
}

#[test]
fn the_readings_are_understood() {
    let Some(sandbox) = readings() else { return };
    let report = json(&sandbox, "readings.bson.gz --no-sizes");
    assert_adds_up(&report);
    assert_eq!((&report["documents"]["count"], &report["documents"]["total"]), (&100_000.into(), &36_240_988.into()));
    let mut found = proposals(&report);
    found.sort_unstable();
    let expected = [
        ("$._id", "uuid", "uuid"),
        ("$.humidity", "decimal", "double"),
        ("$.isActive", "boolean", "bool"),
        ("$.metadata.batteryLevel", "integer", "int32"),
        ("$.metadata.lastCalibration", "date-time", "date"),
        ("$.pressure", "decimal", "double"),
        ("$.temperature", "decimal", "double"),
        ("$.timestamp", "date-time", "date"),
    ];
    assert_eq!(found, expected);
    let saved: Vec<i64> =
        report["findings"].as_array().unwrap().iter().map(|f| f["proposal"]["saved_bytes"].as_i64().unwrap()).collect();
    assert!(saved.is_sorted_by(|a, b| a >= b), "{saved:?}");
    let left = report["left_alone"].as_array().unwrap();
    assert_eq!((left.len(), &left[0]["path"]), (1, &"$.metadata.firmwareVersion".into()));
    assert_eq!(left[0]["reason"]["name"], "two-points");
    // What the typed documents measure: data/README.md.
    assert_eq!(report["outlook"]["id_kept"]["bytes"], 30_400_000);
    assert_eq!(report["outlook"]["id_kept"]["bytes_per_document"], 304.0);
}

#[test]
fn people_read_the_same() {
    let Some(sandbox) = readings() else { return };
    let text = sandbox.boson("analyze readings.bson.gz --no-sizes").done();
    for said in [
        "readings.bson.gz: bson, 100,000 documents, 36,240,988 bytes",
        "Measured on all of 100,000 documents, 36,240,988 bytes as BSON.",
        "$.timestamp  string: dates and times -> Date",
        "100,000 of 100,000 values, in 100,000 documents",
        "low: every value survives there and back",
        "_id kept       362.4 -> 304.0 (-16.1 %)",
    ] {
        assert!(text.contains(said), "{said}\n{text}");
    }
    let sample = sandbox.boson("analyze readings.bson.gz --sample 1500").done();
    assert!(sample.contains("Measured on a sample, the first documents: 1,500 documents,"), "{sample}");
    assert!(sample.contains("The same 1,500 documents (measured by converting each)"), "{sample}");
}

#[test]
fn any_split_is_the_same() {
    let Some(sandbox) = readings() else { return };
    let analyze = |arguments: &str| sandbox.boson(&format!("analyze --no-sizes {arguments}")).done();
    let one = analyze("readings.bson.gz --threads 1 --save-profile one.profile");
    assert_eq!(one, analyze("readings.bson.gz --threads 2 --save-profile two.profile"));
    assert!(sandbox.read("one.profile") == sandbox.read("two.profile"));

    sandbox.shell("gzip -dc readings.bson.gz > whole.bson").done();
    let bytes = sandbox.read("whole.bson");
    let half = half(&bytes);
    sandbox.file("a.bson", &bytes[..half]);
    sandbox.file("b.bson", &bytes[half..]);
    analyze("a.bson --save-profile a.profile");
    analyze("b.bson --save-profile b.profile");
    sandbox.boson("merge b.profile a.profile -o merged.profile").done();
    assert!(sandbox.read("merged.profile") == sandbox.read("one.profile"));
    // From there on it makes no difference where the profile comes from.
    let tail = |text: String| text.split_once("Measured").expect("what was measured").1.to_owned();
    assert_eq!(tail(analyze("merged.profile")), tail(one.clone()));
    assert_eq!(tail(analyze("a.profile b.bson")), tail(one));
}

/// The end of a document in the middle.
fn half(bytes: &[u8]) -> usize {
    let mut place = 0;
    while place < bytes.len() / 2 {
        let length = bytes[place..].first_chunk::<4>().unwrap();
        place += usize::try_from(i32::from_le_bytes(*length)).unwrap();
    }
    place
}

#[test]
fn the_format_makes_no_difference() {
    let sandbox = Sandbox::new();
    sandbox.boson("gen mixed -n 300 -o a.bson").done();
    sandbox.boson("convert a.bson -o a.ndjson --json-style canonical").done();
    let profile = |source: &str| {
        sandbox.boson(&format!("analyze {source} --no-sizes --save-profile {source}.profile")).done();
        sandbox.read(&format!("{source}.profile"))
    };
    assert!(profile("a.bson") == profile("a.ndjson"));
    let report = json(&sandbox, "a.ndjson");
    assert_adds_up(&report);
    assert_eq!(report["sources"][0]["format"], "json");
    let size = |file: &str| u64::try_from(sandbox.read(file).len()).unwrap();
    assert_eq!(report["formats"]["bytes"]["bson"], size("a.bson"));
    sandbox.boson("convert a.bson -o a.oson --to oson-images").done();
    assert_eq!(report["formats"]["bytes"]["oson"], size("a.oson"));
    sandbox.boson("convert a.bson -o relaxed.ndjson").done();
    assert_eq!(report["formats"]["bytes"]["json"], size("relaxed.ndjson") - 300);
    let piped = sandbox.boson_with("analyze - --format json", &sandbox.read("a.ndjson")).done();
    assert_eq!(serde_json::from_str::<Value>(&piped).unwrap()["findings"], report["findings"]);
}

fn mostly_numbers(sandbox: &Sandbox) {
    let lines: Vec<String> = (0..40).map(|n| format!("{{\"count\": \"{}\"}}\n", 100 + n)).collect();
    let mut lines = lines.concat();
    lines += "{\"count\": \"about Ab7\"}\n{\"count\": \"N/A\"}\n{\"count\": null}\n";
    sandbox.file("counts.ndjson", lines.as_bytes());
}

#[test]
fn what_does_not_fit_is_shown_or_masked() {
    let sandbox = Sandbox::new();
    mostly_numbers(&sandbox);
    let report = json(&sandbox, "counts.ndjson");
    let finding = &report["findings"][0];
    assert_eq!((&finding["fits"], &finding["misfits"]["count"]), (&40.into(), &2.into()));
    assert_eq!(finding["misfits"]["examples"][0], "about Ab7");
    assert_eq!(finding["misfits"]["nothing"][0]["count"], 1);
    assert_eq!(finding["others"][0]["type"], "null");
    // "100" is 5 + 3 bytes and an int32 is 4.
    assert_eq!(finding["proposal"]["saved_bytes"], 40 * 4);
    for format in ["json", "text"] {
        let masked = sandbox.boson(&format!("analyze counts.ndjson --mask --format {format}")).done();
        assert!(masked.contains("xxxxx Xx9") && !masked.contains("Ab7") && !masked.contains("N/A"), "{masked}");
    }
}

/// Subtype 8 is what a server never logs.
#[test]
fn sensitive_bytes_are_not_shown() {
    let sandbox = Sandbox::new();
    sandbox.file("secret.bson", &unhex("14000000 05 7300 07000000 08 73656372657421 00"));
    for format in ["json", "text"] {
        let ran = sandbox.boson(&format!("analyze secret.bson --format {format}"));
        assert!(!(ran.stdout.clone() + &ran.stderr).contains("secret!"), "{}", ran.stdout);
        assert!(ran.done().contains("binData"));
    }
}

#[test]
fn broken_documents_are_counted_and_the_rest_is_reported() {
    let sandbox = Sandbox::new();
    let whole = "0c000000 10 6100 01000000 00";
    // B06: a string that is not UTF-8.
    sandbox.file("some.bson", &unhex(&format!("{whole} 10000000 02 6100 04000000 6162ff00 00 {whole}")));
    let ran = sandbox.boson("analyze some.bson --format json");
    assert_eq!(ran.code, 3, "{}", ran.stderr);
    let report: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_adds_up(&report);
    assert_eq!((&report["documents"]["count"], &report["broken"]["partly_read"]), (&3.into(), &1.into()));
    let first = report["broken"]["first"].as_str().unwrap();
    assert!(first.contains("some.bson: document 2 at byte 12") && first.contains("$.a"), "{first}");

    sandbox.file("some.ndjson", b"{\"a\":1}\n{\"a\":}\n{\"a\":2}\n");
    let ran = sandbox.boson("analyze some.ndjson");
    assert_eq!(ran.code, 3, "{}", ran.stderr);
    assert!(
        ran.stdout.contains("1 document not read") && ran.stdout.contains("document 2 at byte 8"),
        "{}",
        ran.stdout
    );
}

#[test]
fn cut_dumps_are_used_as_far_as_they_go() {
    let sandbox = Sandbox::new();
    sandbox.file("cut.bson", &unhex("0c000000 10 6100 01000000 00 0c000000 10"));
    sandbox.boson("analyze cut.bson").failed(3);
    let ran = sandbox.boson("analyze cut.bson --recover");
    assert!(ran.stderr.contains("1 document whole"), "{}", ran.stderr);
    assert!(ran.done().contains("Measured on all of 1 document, 12 bytes"));
}

#[test]
fn profiles_are_not_overwritten_and_not_mistaken() {
    let sandbox = Sandbox::new();
    mostly_numbers(&sandbox);
    sandbox.file("precious", b"precious");
    sandbox.boson("analyze counts.ndjson --save-profile precious").failed(4);
    assert_eq!(sandbox.read("precious"), b"precious");
    sandbox.boson("analyze counts.ndjson --save-profile precious --overwrite --sample 2").done();
    // What was a sample stays one.
    sandbox.boson("merge precious precious -o twice").done();
    assert_eq!(json(&sandbox, "twice")["measured"]["is_sample"], true);
    sandbox.boson("merge counts.ndjson -o other").failed(3);
    sandbox.boson("merge precious -o twice").failed(4);
    assert_eq!(sandbox.names(), ["counts.ndjson", "precious", "twice"]);
    assert!(sandbox.boson("analyze").done().contains("Measured on all of 0 documents"));
}
