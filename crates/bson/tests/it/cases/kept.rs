//! Values that other implementations change, lose or refuse.

use boson_bson::{Index, encode};
use boson_document::{ObjectId, Scalar, Value};

use super::{document, value_of, view};
use crate::support::{hex, read, unhex};

fn string(text: &str) -> Value {
    Value::String(text.into())
}

fn binary(subtype: u8, bytes: &[u8]) -> Value {
    Value::Binary { subtype, bytes: bytes.to_vec() }
}

fn regex(pattern: &str, options: &str) -> Value {
    Value::Regex { pattern: pattern.into(), options: options.into() }
}

const POINTED: ObjectId = ObjectId([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);

/// Row, the element called `a`, what it is; the bytes must come back as they were.
fn values() -> Vec<(&'static str, &'static str, Value)> {
    let pointer = |namespace: &str| Value::DbPointer { namespace: namespace.into(), id: POINTED };
    vec![
        ("B08", "02 6100 04000000 78007900", string("x\0y")),
        ("B08", "02 6100 02000000 0000", string("\0")),
        ("B08", "02 6100 04000000 00780000", string("\0x\0")),
        ("B08", "0d 6100 03000000 780000", Value::Code("x\0".into())),
        ("B08", "0e 6100 03000000 007800", Value::Symbol("\0x".into())),
        ("B21", "09 6100 ffffffffffffffff", Value::DateTime(-1)),
        ("B21", "09 6100 00fcffffffffffff", Value::DateTime(-1024)),
        ("B21", "09 6100 0028d3ed7cc7ffff", Value::DateTime(-62_135_596_800_000)),
        ("B22", "09 6100 0000000000000080", Value::DateTime(i64::MIN)),
        ("B22", "09 6100 ffffffffffffff7f", Value::DateTime(i64::MAX)),
        ("B22", "09 6100 0000dcc208b21e00", Value::DateTime(8_640_000_000_000_000)),
        ("B22", "09 6100 0100dcc208b21e00", Value::DateTime(8_640_000_000_000_001)),
        ("B24", "09 6100 40420f0000000000", Value::DateTime(1_000_000)),
        ("B24", "09 6100 0000000000000000", Value::DateTime(0)),
        // 2020-01-01 in seconds, which is in January 1970, and in milliseconds; a second before 1970.
        ("B24", "09 6100 00e10b5e00000000", Value::DateTime(1_577_836_800)),
        ("B24", "09 6100 00e8665e6f010000", Value::DateTime(1_577_836_800_000)),
        ("B24", "09 6100 18fcffffffffffff", Value::DateTime(-1000)),
        ("B25", "11 6100 fefffffffdffffff", Value::Timestamp { time: 4_294_967_293, increment: 4_294_967_294 }),
        ("B25", "11 6100 0000000000000080", Value::Timestamp { time: 0x8000_0000, increment: 0 }),
        ("B25", "11 6100 0000008000000000", Value::Timestamp { time: 0, increment: 0x8000_0000 }),
        ("B25", "11 6100 0100000002000000", Value::Timestamp { time: 2, increment: 1 }),
        ("B26", "ff 6100", Value::MinKey),
        ("B26", "7f 6100", Value::MaxKey),
        ("B26", "04 6100 0b000000 ff3000 7f3100 00", Value::Array(vec![Value::MinKey, Value::MaxKey])),
        ("B26", "03 6100 08000000 7f6200 00", Value::Object(vec![("b".into(), Value::MaxKey)])),
        ("B27", "0c 6100 05000000 64622e6300 0102030405060708090a0b0c", pointer("db.c")),
        ("B27", "0c 6100 01000000 00 0102030405060708090a0b0c", pointer("")),
        ("B27", "0c 6100 03000000 610000 0102030405060708090a0b0c", pointer("a\0")),
        ("B27", "0c 6100 03000000 c3a900 0102030405060708090a0b0c", pointer("é")),
        ("B28", "0e 6100 04000000 73796d00", Value::Symbol("sym".into())),
        ("B28", "0e 6100 01000000 00", Value::Symbol(String::new())),
        ("B28", "06 6100", Value::Undefined),
        ("B28", "04 6100 0b000000 063000 0a3100 00", Value::Array(vec![Value::Undefined, Value::Null])),
        ("B31", "0b 6100 283f6929616200 00", regex("(?i)ab", "")),
        ("B31", "0b 6100 285b612d7a5d2b2b2900 78 00", regex("([a-z]++)", "x")),
        ("B31", "0b 6100 5c4100 00", regex("\\A", "")),
        ("B31", "0b 6100 2f00 696c6d737578 00", regex("/", "ilmsux")),
        ("B32", "01 6100 0000000000000080", Value::Double(-0.0)),
        ("B32", "01 6100 0000000000000000", Value::Double(0.0)),
        // The smallest number below zero, and zeros that other containers hold.
        ("B32", "01 6100 0100000000000080", Value::Double(-f64::from_bits(1))),
        ("B32", "04 6100 10000000 01 3000 0000000000000080 00", Value::Array(vec![Value::Double(-0.0)])),
        ("B32", "03 6100 10000000 01 6200 0000000000000080 00", Value::Object(vec![("b".into(), Value::Double(-0.0))])),
        ("B33", "01 6100 120000000000f87f", Value::Double(f64::from_bits(0x7FF8_0000_0000_0012))),
        ("B33", "01 6100 010000000000f0ff", Value::Double(f64::from_bits(0xFFF0_0000_0000_0001))),
        ("B33", "01 6100 ffffffffffffffff", Value::Double(f64::from_bits(u64::MAX))),
        ("B33", "01 6100 000000000000f87f", Value::Double(f64::from_bits(0x7FF8_0000_0000_0000))),
        ("B34", "12 6100 0100000000002000", Value::Int64(9_007_199_254_740_993)),
        ("B34", "12 6100 ffffffffffffdfff", Value::Int64(-9_007_199_254_740_993)),
        ("B34", "12 6100 ffffffffffffff7f", Value::Int64(i64::MAX)),
        ("B34", "12 6100 0100000000000000", Value::Int64(1)),
        ("B35", "12 6100 ffffffffffffffff", Value::Int64(-1)),
        ("B35", "12 6100 0000000000000080", Value::Int64(i64::MIN)),
        ("B35", "12 6100 00000080ffffffff", Value::Int64(-2_147_483_648)),
        ("B35", "10 6100 ffffffff", Value::Int32(-1)),
    ]
}

/// The same of binary data.
fn binaries() -> Vec<(&'static str, &'static str, Value)> {
    vec![
        ("B13", "05 6100 07000000 02 03000000 616263", binary(2, b"abc")),
        ("B13", "05 6100 04000000 02 00000000", binary(2, b"")),
        ("B13", "05 6100 08000000 02 04000000 00000000", binary(2, &[0; 4])),
        ("B13", "05 6100 0c000000 02 08000000 04000000 61626364", binary(2, b"\x04\0\0\0abcd")),
        (
            "B15",
            "05 6100 10000000 03 00112233445566778899aabbccddeeff",
            binary(3, &unhex("00112233445566778899aabbccddeeff")),
        ),
        ("B15", "05 6100 10000000 03 ffffffffffffffffffffffffffffffff", binary(3, &[0xFF; 16])),
        ("B15", "05 6100 10000000 03 00000000000000000000000000000000", binary(3, &[0; 16])),
        ("B15", "05 6100 04000000 03 00112233", binary(3, &unhex("00112233"))),
        ("B15", "05 6100 00000000 03", binary(3, b"")),
        (
            "B16",
            "05 6100 0f000000 04 00112233445566778899aabbccddee",
            binary(4, &unhex("00112233445566778899aabbccddee")),
        ),
        ("B16", "05 6100 00000000 04", binary(4, b"")),
        ("B16", "05 6100 01000000 04 ff", binary(4, b"\xff")),
        (
            "B16",
            "05 6100 11000000 04 00112233445566778899aabbccddeeff00",
            binary(4, &unhex("00112233445566778899aabbccddeeff00")),
        ),
        ("B19", "05 6100 07000000 09 27000000803f01", binary(9, &unhex("27000000803f01"))),
        // No header, half of one, a type that there is none of, padding that INT8 does not have.
        ("B19", "05 6100 00000000 09", binary(9, b"")),
        ("B19", "05 6100 01000000 09 27", binary(9, b"\x27")),
        ("B19", "05 6100 03000000 09 ff0001", binary(9, &unhex("ff0001"))),
        ("B19", "05 6100 03000000 09 030101", binary(9, &unhex("030101"))),
    ]
}

#[test]
fn values_are_read_for_what_they_are_and_written_back() {
    for (row, element, expected) in values().into_iter().chain(binaries()) {
        let bytes = document(element);
        assert_eq!(value_of(&bytes), expected, "{row} {element}");
        assert_eq!(hex(encode(&view(&bytes)).unwrap()), hex(&bytes), "{row} {element}");
        let value = view(&bytes).get("a").unwrap().unwrap();
        assert_eq!(value.kind(), expected.kind(), "{row} {element}");
        match row {
            "B15" | "B16" => assert!(value.uuid().is_err(), "{element}"),
            "B19" => assert!(value.vector().is_err(), "{element}"),
            _ => {}
        }
    }
}

#[test]
fn a_name_that_occurs_twice_keeps_its_order_and_both_values() {
    // B01: elements, the name, how often.
    let cases = [
        ("10 6100 01000000 10 6100 02000000", "a", 2),
        ("10 6100 01000000 02 6100 02000000 7800", "a", 2),
        ("0a 6100 0a 6200 0a 6100 0a 6200 0a 6100", "a", 3),
        ("0a 00 10 00 01000000", "", 2),
        ("08 c3a900 01 08 c3a900 00", "é", 2),
        ("0a 616263646566676869 00 0a 6100 0a 616263646566676869 00", "abcdefghi", 2),
    ];
    let mut index = Index::new();
    for (elements, name, count) in cases {
        let bytes = document(elements);
        let Value::Object(members) = read(&bytes).unwrap() else { panic!() };
        let values: Vec<_> = members.iter().filter(|(key, _)| key == name).map(|(_, value)| value).collect();
        assert_eq!(values.len(), count, "{elements}");
        let document = view(&bytes);
        let first = document.get(name).unwrap().unwrap();
        let all: Vec<_> = document.get_all(name).map(Result::unwrap).collect();
        assert_eq!((all.len(), all[0]), (count, first), "{elements}");
        let indexed = index.rebuild(document).unwrap();
        assert_eq!(indexed.get(name), Some(first), "the first, {elements}");
        assert_eq!(indexed.get_all(name).collect::<Vec<_>>(), all, "{elements}");
        assert!(indexed.duplicate().is_some(), "{elements}");
        assert_eq!(hex(encode(&document).unwrap()), hex(&bytes), "{elements}");
    }
    for elements in ["", "0a 6100", "0a 6100 0a 6200", "03 6100 08000000 0a 6100 00"] {
        let bytes = document(elements);
        assert_eq!(index.rebuild(view(&bytes)).unwrap().duplicate(), None, "{elements}");
    }
}

#[test]
fn names_are_just_names() {
    // B43, B45
    let bytes = unhex("1c000000035f5f70726f746f5f5f000c000000107800010000000000");
    let inner = view(&bytes).get("__proto__").unwrap().unwrap().as_document().unwrap();
    assert_eq!(inner.get("x").unwrap().unwrap().scalar().unwrap(), Scalar::Int32(1));
    let names = ["", "$x", "a.b", "constructor", "toString", "$", ".", "0", "$ref", "ключ", "😀", " "];
    let members = names.iter().map(|name| ((*name).to_owned(), Value::String((*name).to_owned())));
    let bytes = encode(&Value::Object(members.collect())).unwrap();
    for name in names {
        assert_eq!(view(&bytes).get(name).unwrap().unwrap().as_str().unwrap(), name);
    }
}

#[test]
fn null_is_an_answer_of_its_own() {
    // B50
    let bytes = document("0a 6100 10 6200 01000000 06 6300 03 6400 0500000000");
    let document = view(&bytes);
    let null = document.get("a").unwrap().unwrap();
    assert!(null.is_null());
    assert_eq!(null.scalar().unwrap(), Scalar::Null);
    for other in ["b", "c", "d"] {
        assert!(!document.get(other).unwrap().unwrap().is_null(), "{other}");
    }
    assert_eq!(document.get("e").unwrap(), None);
    let error = null.as_document().unwrap_err();
    assert_eq!(document.locate(error).to_string(), "offset 6, $.a: expected object, found null");
    let error = null.as_str().unwrap_err();
    assert_eq!(error.to_string(), "offset 6: expected string, found null");
}
