//! What `PyMongo` encodes: testdata/bson/pymongo.txt, made by `make_pymongo.py` beside it.

use std::collections::HashMap;

use boson_bson::{LegacyUuid, Vector, WriteOptions, Writer};
use boson_document::{Decimal128, ObjectId, Value};
use boson_testkit::laws::assert_same;

use crate::support::{hex, read, unhex};

const ID: ObjectId = ObjectId([0x01, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF, 0x01, 0x23, 0x45, 0x67]);

fn object<const N: usize>(members: [(&str, Value); N]) -> Value {
    Value::Object(members.map(|(name, value)| (name.to_owned(), value)).to_vec())
}

fn binary(subtype: u8, bytes: impl AsRef<[u8]>) -> Value {
    Value::Binary { subtype, bytes: bytes.as_ref().to_vec() }
}

fn decimal(text: &str) -> Value {
    Value::Decimal128(Decimal128::parse(text).unwrap())
}

fn regex(pattern: &str, options: &str) -> Value {
    Value::Regex { pattern: pattern.into(), options: options.into() }
}

fn array<const N: usize>(values: [Value; N]) -> Value {
    Value::Array(Vec::from(values))
}

fn string(text: &str) -> Value {
    Value::String(text.into())
}

fn code(code: &str, scope: Value) -> Value {
    let Value::Object(scope) = scope else { panic!() };
    Value::CodeWithScope { code: code.into(), scope }
}

/// The values called `v`, by the name of their case.
fn values() -> Vec<(&'static str, Value)> {
    vec![
        ("double", Value::Double(1.5)),
        ("double_negative_zero", Value::Double(-0.0)),
        ("double_nan", Value::Double(f64::NAN)),
        ("double_infinity", Value::Double(f64::NEG_INFINITY)),
        ("double_smallest", Value::Double(5e-324)),
        ("string", string("größe")),
        ("string_empty", string("")),
        ("string_nul", string("x\0y")),
        ("string_emoji", string("😀")),
        ("document", object([("w", Value::Int32(1))])),
        ("document_empty", object([])),
        ("array", array([Value::Bool(true), Value::Null, string("a")])),
        ("array_empty", array([])),
        ("array_of_arrays", array([array([Value::Int32(1)]), array([]), array([array([Value::Int32(2)])])])),
        ("array_of_twelve", Value::Array((0..12).map(Value::Int32).collect())),
        ("array_of_hundred_and_one", Value::Array(vec![Value::Null; 101])),
        ("binary", binary(0, "abc")),
        ("binary_empty", binary(0, "")),
        ("binary_function", binary(1, "f")),
        ("binary_old", binary(2, "abc")),
        ("binary_old_empty", binary(2, "")),
        ("binary_md5", binary(5, (0..16).collect::<Vec<u8>>())),
        ("binary_encrypted", binary(6, "e")),
        ("binary_column", binary(7, "c")),
        ("binary_sensitive", binary(8, "s")),
        ("binary_user", binary(0x80, "u")),
        ("uuid_standard", binary(4, unhex("00112233445566778899aabbccddeeff"))),
        ("uuid_python", binary(3, unhex("00112233445566778899aabbccddeeff"))),
        ("uuid_java", binary(3, unhex("7766554433221100ffeeddccbbaa9988"))),
        ("uuid_csharp", binary(3, unhex("33221100554477668899aabbccddeeff"))),
        ("vector_int8", binary(9, [3, 0, 0x80, 0, 0x7F])),
        ("vector_float32", binary(9, [0x27, 0, 0, 0, 0xC0, 0x3F, 0, 0, 0, 0x80])),
        ("vector_packed_bit", binary(9, [0x10, 5, 0b1010_0000])),
        ("object_id", Value::ObjectId(ID)),
        ("bool_false", Value::Bool(false)),
        ("bool_true", Value::Bool(true)),
        ("date", Value::DateTime(1_582_979_696_789)),
        ("date_before_1970", Value::DateTime(-1)),
        ("date_least", Value::DateTime(i64::MIN)),
        ("null", Value::Null),
        ("regex", regex("(?i)ab", "imx")),
        ("regex_empty", regex("", "")),
        ("code", Value::Code("f()".into())),
        ("code_with_scope", code("f(x)", object([("x", Value::Int32(1)), ("y", object([("z", array([]))]))]))),
        ("code_with_empty_scope", code("", object([]))),
        ("int32", Value::Int32(-2)),
        ("int32_least", Value::Int32(i32::MIN)),
        ("int64", Value::Int64(1 << 31)),
        ("int64_small", Value::Int64(7)),
        ("int64_least", Value::Int64(i64::MIN)),
        ("timestamp", Value::Timestamp { time: 4_294_967_293, increment: 4_294_967_294 }),
        ("decimal128", decimal("19.90")),
        ("decimal128_most", decimal("-9.999999999999999999999999999999999E+6144")),
        ("decimal128_infinity", decimal("Infinity")),
        ("decimal128_nan", decimal("NaN")),
        ("min_key", Value::MinKey),
        ("max_key", Value::MaxKey),
        ("db_ref", object([("$ref", string("c")), ("$id", Value::ObjectId(ID)), ("$db", string("d"))])),
    ]
}

/// Whole documents, in the order of their members in Python.
fn documents() -> Vec<(&'static str, Value)> {
    let int = Value::Int32;
    let names = ["", "$x", "a.b", "__proto__", "größe"];
    let names = names.into_iter().zip(1..).map(|(name, value)| (name.to_owned(), int(value)));
    vec![
        ("empty", object([])),
        ("names", Value::Object(names.collect())),
        (
            "id_first",
            object([("a", int(1)), ("_id", Value::ObjectId(ID)), ("b", object([("c", int(2)), ("_id", int(3))]))]),
        ),
        ("id_last", object([("a", string("x")), ("b", array([int(1)])), ("_id", int(5))])),
        ("id_at_the_front", object([("_id", int(1)), ("a", int(2))])),
    ]
}

fn expected() -> HashMap<String, String> {
    let path = boson_testkit::workspace_root().join("testdata/bson/pymongo.txt");
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().map(|line| line.split_once(' ').unwrap()).map(|(name, hex)| (name.into(), hex.into())).collect()
}

fn encode(value: &Value) -> Vec<u8> {
    let mut writer = Writer::new().with_options(WriteOptions { id_first: true, ..WriteOptions::default() });
    writer.write(value).unwrap();
    writer.into_bytes()
}

#[test]
fn encoding_writes_what_pymongo_writes() {
    let values = values().into_iter().map(|(name, value)| (name, object([("v", value)])));
    let cases: Vec<_> = values.chain(documents()).collect();
    let expected = expected();
    assert_eq!(cases.len(), expected.len());
    for (name, value) in cases {
        let bytes = encode(&value);
        assert_eq!(hex(&bytes), expected[name], "{name}");
        if !name.starts_with("id_") {
            assert_same(&value, &read(&bytes).unwrap());
        }
    }
}

#[test]
fn uuids_are_what_pymongo_made_them_from() {
    let expected = expected();
    let uuid = "00112233-4455-6677-8899-aabbccddeeff";
    let value = |name: &str| unhex(&expected[name]);
    let orders =
        [("uuid_python", LegacyUuid::Python), ("uuid_java", LegacyUuid::Java), ("uuid_csharp", LegacyUuid::CSharp)];
    for (name, order) in orders {
        let bytes = value(name);
        let value = boson_bson::Document::new(&bytes).unwrap().get("v").unwrap().unwrap();
        let read = value.legacy_uuid(order).unwrap();
        assert_eq!(read.to_string(), uuid);
        assert_eq!(order.payload(read), value.bytes()[5..]);
        assert!(value.uuid().is_err());
    }
    let bytes = value("uuid_standard");
    let value = boson_bson::Document::new(&bytes).unwrap().get("v").unwrap().unwrap();
    assert_eq!(value.uuid().unwrap().to_string(), uuid);
    assert!(value.legacy_uuid(LegacyUuid::Python).is_err());
}

#[test]
fn vectors_are_what_pymongo_made_them_from() {
    let expected = expected();
    let bytes = unhex(&expected["vector_float32"]);
    let value = boson_bson::Document::new(&bytes).unwrap().get("v").unwrap().unwrap();
    let Vector::Float32(elements) = value.vector().unwrap() else { panic!() };
    assert_eq!(elements.iter().map(f32::to_bits).collect::<Vec<_>>(), [1.5f32.to_bits(), (-0.0f32).to_bits()]);
}
