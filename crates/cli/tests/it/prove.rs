//! `boson prove`.

use serde_json::Value;

use crate::support::Sandbox;

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
