//! Typed structs in and out, over serde.

use std::collections::BTreeMap;

use boson_bson::{Document, EncodeErrorKind, WriteOptions, Writer, from_slice, to_vec};
use boson_document::serde::{Binary, DateTime, Timestamp};
use boson_document::{Decimal128, ObjectId, Value};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::cases::document;
use crate::support::{hex, read};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Shape {
    Point,
    Circle(f64),
    Line(i32, i32),
    Box { width: u8, height: u8 },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Everything {
    #[serde(rename = "_id")]
    id: ObjectId,
    at: DateTime,
    price: Decimal128,
    op: Timestamp,
    uuid: Binary,
    small: i8,
    int: i32,
    unsigned: u32,
    long: i64,
    large: u64,
    single: f32,
    double: f64,
    letter: char,
    text: String,
    flag: bool,
    some: Option<i32>,
    none: Option<i32>,
    unit: (),
    pair: (i32, String),
    list: Vec<u16>,
    shapes: Vec<Shape>,
    map: BTreeMap<i32, DateTime>,
    flags: BTreeMap<bool, Key>,
    keys: BTreeMap<Key, u8>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
enum Key {
    One,
    Two,
}

fn everything() -> Everything {
    Everything {
        id: "0123456789abcdef01234567".parse().unwrap(),
        at: DateTime(-1),
        price: Decimal128::parse("19.90").unwrap(),
        op: Timestamp { time: 4_294_967_293, increment: 4_294_967_294 },
        uuid: Binary { subtype: 4, bytes: (0..16).collect() },
        small: -8,
        int: i32::MIN,
        unsigned: u32::MAX,
        long: i64::MIN,
        large: 9_223_372_036_854_775_807,
        single: 1.5,
        double: -0.0,
        letter: 'é',
        text: "größe".into(),
        flag: true,
        some: Some(1),
        none: None,
        unit: (),
        pair: (1, "one".into()),
        list: vec![0, 65535],
        shapes: vec![Shape::Point, Shape::Circle(2.5), Shape::Line(1, 2), Shape::Box { width: 3, height: 4 }],
        map: [(-1, DateTime(0)), (7, DateTime(i64::MAX))].into(),
        flags: [(true, Key::Two)].into(),
        keys: [(Key::One, 1), (Key::Two, 2)].into(),
    }
}

#[test]
fn every_type_goes_there_and_back() {
    let value = everything();
    let bytes = to_vec(&value).unwrap();
    assert_eq!(from_slice::<Everything>(&bytes).unwrap(), value);
    // The kinds are what the official crate makes of the same types.
    let tree = read(&bytes).unwrap();
    let kinds = |names: &[&str]| names.iter().map(|name| tree.get(name).unwrap().kind().name()).collect::<Vec<_>>();
    assert_eq!(kinds(&["_id", "at", "price", "op", "uuid"]), ["objectId", "date", "decimal", "timestamp", "binData"]);
    assert_eq!(kinds(&["small", "int", "unsigned", "long", "large"]), ["int", "int", "long", "long", "long"]);
    assert_eq!(kinds(&["single", "letter", "none", "unit", "pair"]), ["double", "string", "null", "null", "array"]);
}

#[test]
fn the_official_crate_writes_the_same_for_the_same_types() {
    #[derive(Serialize)]
    struct Theirs {
        id: bson::oid::ObjectId,
        at: bson::DateTime,
        n: i64,
        shapes: Vec<Shape>,
        x: Option<f64>,
    }
    #[derive(Serialize)]
    struct Ours {
        id: ObjectId,
        at: DateTime,
        n: i64,
        shapes: Vec<Shape>,
        x: Option<f64>,
    }
    let Everything { shapes, .. } = everything();
    let (id, at) = (bson::oid::ObjectId::from_bytes([7; 12]), bson::DateTime::from_millis(5));
    let theirs = bson::serialize_to_vec(&Theirs { id, at, n: 3, shapes: shapes.clone(), x: None }).unwrap();
    let ours = to_vec(&Ours { id: ObjectId([7; 12]), at: DateTime(5), n: 3, shapes, x: None }).unwrap();
    assert_eq!(hex(ours), hex(theirs));
}

#[test]
fn text_and_bytes_are_borrowed() {
    #[derive(Deserialize)]
    struct Borrowed<'a> {
        text: &'a str,
        bytes: &'a [u8],
    }
    let bytes = document("02 7465787400 02000000 7800 05 627974657300 03000000 00 010203");
    let value: Borrowed<'_> = from_slice(&bytes).unwrap();
    assert!(bytes.as_ptr_range().contains(&value.text.as_ptr()));
    assert_eq!((value.text, value.bytes), ("x", &[1, 2, 3][..]));
}

#[test]
fn special_types_are_extended_json_elsewhere() {
    let value = everything();
    let json = serde_json::to_value((value.id, value.at, value.price, value.op, &value.uuid)).unwrap();
    let expected = serde_json::json!([
        { "$oid": "0123456789abcdef01234567" },
        { "$date": { "$numberLong": "-1" } },
        { "$numberDecimal": "19.90" },
        { "$timestamp": { "t": 4_294_967_293_u32, "i": 4_294_967_294_u32 } },
        { "$binary": { "base64": "AAECAwQFBgcICQoLDA0ODw==", "subType": "04" } },
    ]);
    assert_eq!(json, expected);
    let back: (ObjectId, DateTime, Decimal128, Timestamp, Binary) = serde_json::from_value(json).unwrap();
    assert_eq!(back, (value.id, value.at, value.price, value.op, value.uuid));
}

#[test]
fn what_a_type_ignores_is_not_read() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Last {
        last: i32,
    }
    // A boolean of 2 and text that is not UTF-8 in front of it.
    let bytes = document("08 6100 02 02 6200 02000000 ff00 10 6c61737400 07000000");
    assert_eq!(from_slice::<Last>(&bytes).unwrap(), Last { last: 7 });
}

fn refusal<T: DeserializeOwned>(elements: &str) -> String {
    match from_slice::<BTreeMap<String, T>>(&document(elements)) {
        Ok(_) => panic!("{elements}"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn errors_name_path_offset_and_type() {
    // B49
    let error = refusal::<i32>("02 6100 02000000 7800");
    assert_eq!(error, "offset 7, $.a: invalid type: string \"x\", expected i32 (the value is of type string)");
    let error = refusal::<Vec<bool>>("04 6100 10000000 08 3000 01 10 3100 01000000 00");
    assert!(error.starts_with("offset 18, $.a[1]: invalid type: integer `1`, expected a boolean"), "{error}");
    let error = refusal::<u8>("10 6100 00010000");
    assert_eq!(error, "offset 7, $.a: invalid value: integer `256`, expected u8 (the value is of type int)");
    let error = refusal::<bool>("08 6100 02");
    assert_eq!(error, "offset 7, $.a: expected a boolean of 0 or 1, found 2");
    let error = refusal::<BTreeMap<String, ObjectId>>("03 6100 10000000 09 6200 0000000000000000 00");
    assert!(error.starts_with("offset 14, $.a.b: "), "{error}");
    let error = refusal::<String>("0a 6100");
    assert!(error.contains("$.a: invalid type: unit value, expected a string (the value is of type null)"), "{error}");
}

#[test]
fn numbers_are_taken_only_where_they_are_exact() {
    let decimal = "13 6100 0100000000000000000000000000 4030";
    let one = |elements: &str| from_slice::<BTreeMap<String, f64>>(&document(elements));
    assert_eq!(one(decimal).unwrap()["a"].to_bits(), 1f64.to_bits());
    assert_eq!(one("10 6100 07000000").unwrap()["a"].to_bits(), 7f64.to_bits());
    assert!(refusal::<i32>("01 6100 000000000000f03f").contains("expected i32"));
    assert!(refusal::<i32>("12 6100 0000000001000000").contains("expected i32"));
}

#[test]
fn what_cannot_be_written_is_refused_with_its_path() {
    #[derive(Serialize)]
    struct Inner {
        list: Vec<u64>,
    }
    let error = to_vec(&BTreeMap::from([("a", Inner { list: vec![1, u64::MAX] })])).unwrap_err();
    assert_eq!(error.to_string(), "$.a.list[1]: an int64 does not hold this u64");
    let error = to_vec(&BTreeMap::from([("a\0", 1)])).unwrap_err();
    assert_eq!(error.kind(), &EncodeErrorKind::NulInName);
    assert!(matches!(to_vec(&[1, 2]).unwrap_err().kind(), EncodeErrorKind::RootNotDocument(_)));
    assert!(to_vec(&BTreeMap::from([(vec![1], 1)])).is_err());
}

#[test]
fn typed_values_nest_as_deep_as_the_limit() {
    #[derive(Default, Debug, Serialize, Deserialize)]
    struct Nested {
        a: Option<Box<Nested>>,
    }
    let nested = |levels: usize| (1..levels).fold(Nested::default(), |inner, _| Nested { a: Some(Box::new(inner)) });
    let bytes = to_vec(&nested(200)).unwrap();
    from_slice::<Nested>(&bytes).unwrap();
    assert!(matches!(to_vec(&nested(201)).unwrap_err().kind(), EncodeErrorKind::TooDeep { .. }));
    // 10,000 levels of bytes that nothing wrote.
    let deep = (0..10_000)
        .fold(document("0a 6100"), |inner, _| crate::cases::framed(&[&[3, b'a', 0], inner.as_slice()].concat()));
    assert!(from_slice::<Nested>(&deep).unwrap_err().to_string().contains("nested deeper than 200 levels"));
}

#[test]
fn a_map_is_written_as_pymongo_writes_it_when_asked() {
    let mut writer = Writer::new().with_options(WriteOptions { id_first: true, ..WriteOptions::default() });
    writer.serialize(&BTreeMap::from([("A", 1), ("_id", 2), ("a", 3)])).unwrap();
    let names: Vec<_> = Document::new(writer.as_bytes()).unwrap().fields().map(|field| field.unwrap().0).collect();
    assert_eq!(names, ["_id", "A", "a"]);
    let expected = [("_id", 2), ("A", 1), ("a", 3)].map(|(name, number)| (name.to_owned(), Value::Int32(number)));
    assert_eq!(read(writer.as_bytes()).unwrap(), Value::Object(expected.to_vec()));
}
