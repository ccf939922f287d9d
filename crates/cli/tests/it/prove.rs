//! `boson prove`.

use std::fs;

use serde_json::Value;

use crate::support::{METADATA, Sandbox, archive, documents};

fn readings() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.boson("gen telemetry-strings -n 1000 -o before.bson").done();
    sandbox.boson("gen telemetry-typed -n 1000 -o after.bson").done();
    sandbox
}

fn row<'a>(proof: &'a Value, figure: &str) -> &'a Value {
    let rows = proof["rows"].as_array().unwrap();
    rows.iter().find(|row| row["figure"] == figure).expect("a line for the figure")
}

#[test]
fn sizes_of_documents_are_those_of_the_files() {
    let sandbox = readings();
    let proof = sandbox.boson("prove before.bson after.bson --no-decode --format json").done();
    let proof: Value = serde_json::from_str(&proof).expect("one JSON object");
    let line = row(&proof, "document, average");
    for (side, file) in [("before", "before.bson"), ("after", "after.bson")] {
        let bytes = format!("{:.0}", line[side].as_f64().unwrap() * 1000.0);
        assert_eq!(bytes, sandbox.read(file).len().to_string(), "{side}");
    }
    assert_eq!((&line["error_points"], &line["how"]), (&0.0.into(), &"measured".into()));
    assert_eq!(row(&proof, "index _id_")["change_percent"], Value::Null);
}

#[test]
fn an_index_that_was_asked_for_has_a_line() {
    let sandbox = readings();
    let proof = sandbox.boson("prove before.bson after.bson --index timestamp,sensorId --format json").done();
    let proof: Value = serde_json::from_str(&proof).expect("one JSON object");
    // A date of 8 bytes takes the place of a text of 24.
    assert!(row(&proof, "index timestamp_1_sensorId_1")["change_percent"].as_f64().unwrap() < -10.0);
    assert!(row(&proof, "decode, official bson crate")["before"].as_f64().unwrap() > 0.0);
}

#[test]
fn a_side_that_is_not_bson_or_empty_is_refused() {
    let sandbox = readings();
    sandbox.file("text.json", b"{\"a\": 1}");
    let ran = sandbox.boson("prove text.json after.bson");
    assert_eq!(ran.code, 2, "{}", ran.stderr);
    assert!(ran.stderr.contains("boson convert"), "{}", ran.stderr);
    sandbox.file("empty.bson", b"");
    assert_eq!(sandbox.boson("prove empty.bson after.bson --from bson").code, 2);
}

/// Two dumps of readings, of which the second has no index `gone_1`.
fn dumps(sandbox: &Sandbox) {
    for (folder, file) in [("one", "before.bson"), ("two", "after.bson")] {
        fs::create_dir_all(sandbox.path().join(folder).join("shop")).unwrap();
        sandbox.file(&format!("{folder}/shop/readings.bson"), &sandbox.read(file));
        let name = if folder == "one" { "gone_1" } else { "_id_" };
        let metadata = METADATA.replace("\"gone\": 1", "\"_id\": 1").replace("gone_1", "_id_");
        let metadata = if name == "gone_1" { METADATA } else { &metadata };
        sandbox.file(&format!("{folder}/shop/readings.metadata.json"), metadata.as_bytes());
        let archive = archive(&[("readings", metadata, &documents(&sandbox.read(file)))]);
        sandbox.file(&format!("{folder}.archive"), &archive);
    }
}

#[test]
fn indexes_of_dumps_are_those_of_their_metadata() {
    let sandbox = readings();
    dumps(&sandbox);
    let of = |arguments: &str| -> Value {
        let proof = sandbox.boson(&format!("prove {arguments} --no-decode --format json")).done();
        serde_json::from_str(&proof).expect("one JSON object")
    };
    let mut proofs = of("one two");
    let proof = proofs["collections"][0].take();
    assert_eq!(proof["namespace"], "shop.readings");
    let asked = of("before.bson after.bson --index timestamp --namespace shop.readings");
    // A descending index is as large as an ascending one.
    assert_eq!(row(&proof, "index newest")["before"], row(&asked, "index timestamp_1")["before"]);
    assert_eq!(row(&proof, "index newest")["after"], row(&asked, "index timestamp_1")["after"]);
    // A sparse index without keys is a file with a header and, as the model has it, an empty root.
    assert!(row(&proof, "index gone_1")["before"].as_f64().unwrap() < 20_000.0);
    assert_eq!(row(&proof, "index gone_1")["after"], 0.0);
    assert!(row(&proof, "index gone_1")["on"].as_str().unwrap().ends_with("not there after"));
    assert!(proof["notes"][0].as_str().unwrap().starts_with("index by_hash is left out"));
    let same = |arguments: &str| {
        let mut proofs = of(arguments);
        assert_eq!(proofs["collections"][0].take(), proof, "{arguments}");
    };
    same("one.archive two.archive");
    same("one two.archive");
    same("one two --collection shop.readings");
    assert!(sandbox.boson("prove one two --collection shop.other").failed(2).contains("holds shop.readings"));
    // A file has no name, so it is compared with the only collection.
    assert_eq!(row(&of("before.bson two")["collections"][0], "document, average")["after"], 304.0);
    let text = sandbox.boson("prove one two --no-decode").done();
    assert!(text.starts_with("shop.readings\n1,000 documents before and after\n"), "{text}");
}
