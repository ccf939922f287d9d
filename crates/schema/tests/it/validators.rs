//! Validators.

use std::fs::File;
use std::io::Read as _;

use boson_document::Value;
use boson_schema::{Action, Level, Schema, Strictness, Target, coll_mod, mongosh, validator};
use boson_testkit::random::{BSON_ALL, Range};
use boson_testkit::{Gen, documents};
use serde_json::json;

use crate::evaluator::Evaluator;
use crate::support::{bson, events, schema};

const EVERY_STRICTNESS: [Strictness; 4] = [
    Strictness { any_number: false, closed: false },
    Strictness { any_number: true, closed: false },
    Strictness { any_number: false, closed: true },
    Strictness { any_number: true, closed: true },
];

fn evaluator(schema: &Schema) -> Evaluator {
    Evaluator::new(&validator(schema, Strictness::default()))
}

/// Documents of a file in ../shared/data.
fn readings(file: &str, count: usize) -> Option<Vec<Vec<u8>>> {
    let path = boson_testkit::shared()?.join("data").join(file);
    let mut bytes = Vec::new();
    flate2::read::GzDecoder::new(File::open(path).unwrap()).read_to_end(&mut bytes).unwrap();
    let mut rest = bytes.as_slice();
    let mut documents = Vec::new();
    while documents.len() < count {
        let (document, behind) = boson_bson::Document::split_first(rest).unwrap();
        documents.push(document.bytes().to_vec());
        rest = behind;
    }
    Some(documents)
}

#[test]
fn readings_pass_and_those_with_the_old_types_do_not() {
    let Some(typed) = readings("readings_typed.bson.gz", 2000) else { return };
    let Some(strings) = readings("readings_strings.bson.gz", 2000) else { return };
    let evaluator = evaluator(&schema(&typed));
    assert!(typed.iter().all(|document| evaluator.accepts(document)));
    // The fields whose types differ: data/README.md.
    let changed = [
        "/humidity",
        "/isActive",
        "/metadata/batteryLevel",
        "/metadata/lastCalibration",
        "/pressure",
        "/temperature",
        "/timestamp",
    ];
    assert!(strings.iter().all(|document| evaluator.faults(document) == changed));
}

#[test]
fn one_value_of_the_old_type_is_enough() {
    let evaluator = evaluator(&schema(&[
        bson(r#"{"at": {"$date": {"$numberLong": "0"}}, "list": [1], "in": {"n": 1}}"#),
        bson(r#"{"at": {"$date": {"$numberLong": "1"}}, "list": [2, null], "in": {"n": null}}"#),
    ]));
    let faults = |text: &str| evaluator.faults(&bson(text)).join(" ");
    let date = r#""at": {"$date": {"$numberLong": "0"}}"#;
    assert_eq!(faults(&format!(r#"{{{date}, "list": [null, 7], "in": {{"n": 2}}, "new": true}}"#)), "");
    assert_eq!(faults(r#"{"at": "1970-01-01T00:00:00Z", "list": [1], "in": {"n": 1}}"#), "/at");
    assert_eq!(faults(r#"{"at": null, "list": [1], "in": {"n": 1}}"#), "/at");
    assert_eq!(faults(&format!(r#"{{{date}, "list": [1, "2"], "in": {{"n": "1"}}}}"#)), "/in/n /list/1");
    assert_eq!(faults(&format!(r#"{{{date}, "list": [1], "in": {{}}}}"#)), "/in");
    assert_eq!(faults(r#"{"list": [1], "in": {"n": 1}}"#), "");
}

#[test]
fn everything_that_needs_care_passes() {
    let events = events();
    let schema = schema(&events);
    for strictness in EVERY_STRICTNESS {
        let evaluator = Evaluator::new(&validator(&schema, strictness));
        for event in &events {
            assert_eq!(evaluator.faults(event), [""; 0]);
        }
    }
    let made = validator(&schema, Strictness::default());
    let root = &made["$jsonSchema"];
    assert_eq!(root["properties"]["value"]["bsonType"], json!(["int", "double", "string"]));
    assert_eq!(root["properties"]["maybe"]["bsonType"], json!(["double", "null"]));
    // Null is no evidence of a type, nor is an array without elements.
    assert_eq!(root["properties"]["nothing"], json!({}));
    assert_eq!(root["properties"]["none"], json!({"bsonType": "array"}));
    assert_eq!(root["properties"]["by"]["additionalProperties"]["properties"]["n"], json!({"bsonType": "int"}));
    assert_eq!(root["properties"]["by"]["additionalProperties"]["required"], json!(["n"]));
    // A path `a.b` would lead into `a`.
    assert_eq!(root["patternProperties"]["^a\\.b$"], json!({"bsonType": "int"}));
    assert!(!root["required"].as_array().unwrap().contains(&json!("a.b")));
}

#[test]
fn what_is_not_asked_for_is_refused_only_where_that_was_asked_for() {
    let schema = schema(&[bson(r#"{"n": {"$numberDouble": "1.5"}}"#)]);
    let accepts = |strictness, text: &str| Evaluator::new(&validator(&schema, strictness)).accepts(&bson(text));
    let [plain, any_number, closed, both] = EVERY_STRICTNESS;
    assert!(accepts(plain, r#"{"n": {"$numberDouble": "2.5"}, "m": 1}"#) && !accepts(plain, r#"{"n": 2}"#));
    assert!(accepts(any_number, r#"{"n": 2, "m": 1}"#) && !accepts(any_number, r#"{"n": "2"}"#));
    assert!(!accepts(closed, r#"{"n": {"$numberDouble": "2.5"}, "m": 1}"#));
    assert!(accepts(both, r#"{"n": 2}"#) && !accepts(both, r#"{"n": 2, "m": 1}"#));
}

/// Whatever documents there are, they pass.
#[test]
fn random_documents_pass() {
    for seed in 0..6 {
        let like = Gen::new(BSON_ALL, Range::Bson).with_width(12);
        let made: Vec<Value> = documents(seed, like, 60).collect();
        let made: Vec<Vec<u8>> = made.iter().map(|value| boson_bson::encode(value).unwrap()).collect();
        // The official crate refuses some regular expressions, decimals and the like; not what is asked here.
        let readable = |document: &Vec<u8>| bson::Document::from_reader(document.as_slice()).is_ok();
        let read: Vec<Vec<u8>> = made.into_iter().filter(readable).collect();
        assert!(read.len() > 20, "{}", read.len());
        let schema = schema(&read);
        for strictness in EVERY_STRICTNESS {
            let evaluator = Evaluator::new(&validator(&schema, strictness));
            for document in &read {
                let complaints = evaluator.complaints(document);
                assert!(evaluator.accepts(document), "seed {seed}, {strictness:?}: {complaints}");
            }
        }
    }
}

/// A saved profile may be as deep as it likes; a server takes 200 levels.
#[test]
fn depth_is_limited() {
    let deep = |depth: usize| format!("{}1{}", r#"{"a": "#.repeat(depth), "}".repeat(depth));
    let schema = schema(&[bson(&deep(190))]);
    let command = coll_mod(&target(), &validator(&schema, Strictness::default()), Level::Strict, Action::Warn);
    assert!(boson_bson::validate(&bson(&command.to_string()), &boson_document::Limits::BSON).is_ok());
    assert!(evaluator(&schema).accepts(&bson(&deep(190))));
}

fn target() -> Target {
    Target { database: Some("shop".to_owned()), collection: "or\"ders".to_owned() }
}

#[test]
fn commands_name_the_collection_and_warn_first() {
    let made = json!({"$jsonSchema": {"bsonType": "object"}});
    assert_eq!(
        coll_mod(&target(), &made, Level::default(), Action::default()),
        json!({
            "collMod": "or\"ders",
            "validator": {"$jsonSchema": {"bsonType": "object"}},
            "validationLevel": "strict",
            "validationAction": "warn",
        })
    );
    let script = mongosh(&target(), &made, Level::Moderate, Action::Error);
    assert!(script.contains(r#"db.getSiblingDB("shop").runCommand({collMod: "or\"ders", validator, validationLevel: "moderate", validationAction: "error"})"#), "{script}");
    assert!(script.contains(r#"getCollection("or\"ders").countDocuments({$nor: [validator]})"#), "{script}");
}
