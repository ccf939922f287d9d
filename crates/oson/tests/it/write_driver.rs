//! Style `driver`, byte for byte what python-oracledb writes.

use std::fs;

use boson_document::{Kind, Limits, Value};
use boson_oson::write::{Options, Style, to_vec};
use boson_testkit::random::Range;
use boson_testkit::{Gen, documents, hex, workspace_root};
use serde_json::{Value as Json, json};

use crate::write_neutral;
use crate::write_peers::Peer;

fn driver() -> Options {
    Options { style: Style::Driver, limits: Limits::OSON.with_bytes(usize::MAX), ..Options::default() }
}

fn vectors() -> Vec<Json> {
    let text = fs::read_to_string(workspace_root().join("testdata/oson/driver_vectors.json")).unwrap();
    let table: Json = serde_json::from_str(&text).unwrap();
    table["vectors"].as_array().unwrap().clone()
}

/// The large documents of `testdata/oson/make_driver_vectors.py`.
fn made(words: &str) -> Value {
    let mut parts = words.split(' ');
    let kind = parts.next().unwrap();
    let mut number = || parts.next().map_or(0, |part| part.parse::<usize>().unwrap());
    let (first, second) = (number(), number());
    let object = |members: Vec<(String, Value)>| Value::Object(members);
    let names = |count: usize| (0..count).map(|i| (format!("n{i}"), Value::Null));
    match kind {
        "fields" => {
            let text = Value::String("a".repeat(second));
            object((1..=first).map(|i| (format!("field_{i}"), text.clone())).collect())
        }
        "names" => object(names(first).collect()),
        "long_name" => object(vec![("n".repeat(first), Value::Int32(1)), ("short".to_owned(), Value::Int32(2))]),
        "255_and_long" => object(names(255).chain([("n".repeat(256), Value::Int32(1))]).collect()),
        "string" => Value::String("a".repeat(first)),
        "string_field" => object(vec![("s".to_owned(), Value::String("a".repeat(first)))]),
        "bytes" => Value::Binary { subtype: 0, bytes: vec![0x5A; first] },
        "elements" => Value::Array(vec![Value::Null; first]),
        _ => panic!("{words}"),
    }
}

fn fnv1a_64(bytes: &[u8]) -> String {
    let hash = bytes
        .iter()
        .fold(0xCBF2_9CE4_8422_2325_u64, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01B3));
    format!("{hash:016x}")
}

#[test]
fn every_vector_of_the_driver_is_written_byte_for_byte() {
    for vector in vectors() {
        let name = &vector["name"];
        let value = vector["made"].as_str().map_or_else(|| write_neutral::parse(&vector["value"]), made);
        let image = to_vec(&value, &driver());
        if vector["refused"].is_string() {
            assert!(image.is_err(), "{name}: refused by the driver");
        } else if let Some(expected) = vector["hex"].as_str() {
            assert_eq!(hex(image.unwrap()), expected, "{name}");
        } else {
            let image = image.unwrap();
            assert_eq!(json!(image.len()), vector["length"], "{name}");
            assert_eq!(json!(fnv1a_64(&image)), vector["fnv1a"], "{name}");
        }
    }
}

/// The sizes that a vendor published for its benchmark.
#[test]
fn the_matrix_has_the_published_sizes() {
    let sizes = [(10, 1000, 10_206), (100, 1000, 102_009), (1000, 1000, 1_021_912)];
    for (fields, length, size) in sizes {
        assert_eq!(to_vec(&made(&format!("fields {fields} {length}")), &driver()).unwrap().len(), size);
    }
}

/// What the driver drops without a word is dropped here too, because the bytes are to be the same.
#[test]
fn the_driver_loses_zones_trailing_zeros_and_signs_of_zero() {
    let write = |value: &Value| hex(to_vec(value, &driver()).unwrap());
    let zero = write(&Value::Int32(0));
    assert_eq!(write(&Value::Double(-0.0)), zero);
    assert_eq!(write(&write_neutral::parse(&json!({"t": "number", "v": "-0"}))), zero);
    let local = json!({"t": "timestamp", "v": "2024-03-01T00:30:00"});
    let zoned = json!({"t": "timestamptz", "v": "2024-03-01T00:30:00", "offset": -570});
    assert_eq!(write(&write_neutral::parse(&zoned)), write(&write_neutral::parse(&local)));
}

/// What Python can express, of what the reader of OSON delivers.
const KINDS: &[Kind] = &[
    Kind::Object,
    Kind::Array,
    Kind::Null,
    Kind::Bool,
    Kind::Int32,
    Kind::Int64,
    Kind::Double,
    Kind::Decimal128,
    Kind::Number,
    Kind::String,
    Kind::Binary,
    Kind::ObjectId,
    Kind::Id,
    Kind::OracleDate,
    Kind::OracleTimestamp,
    Kind::IntervalDaySecond,
];

#[test]
fn random_documents_are_written_as_the_driver_writes_them() {
    let Some(mut python) = Peer::python() else { return };
    let (mut same, mut refused) = (0, 0);
    // The driver's time grows with the square of the number of containers.
    let like = Gen::new(KINDS, Range::Oson).with_width(40);
    for document in documents(7, like, 4000) {
        let Some(value) = write_neutral::render(&document) else { continue };
        let answer = python.ask(&json!({"op": "oson_encode", "value": value}));
        let ours = to_vec(&document, &driver());
        if let Some(theirs) = answer["hex"].as_str() {
            assert_eq!(hex(ours.unwrap()), theirs, "{document:?}");
            same += 1;
        } else if answer["refused"].is_string() {
            assert!(ours.is_err(), "{answer}: {document:?}");
            refused += 1;
        }
    }
    assert!(same > 700 && refused > 50, "{same} the same, {refused} refused");
}
