//! Keys in KeyString form. The bytes are those of the server's sources and, for strings and dates, of ../shared/data/README.md.

use boson_bson::Document;
use boson_document::{Decimal128, ObjectId, Value};
use boson_prove::keystring::KeyString;

fn key(value: Value) -> (Vec<u8>, u64) {
    let bytes = boson_bson::encode(&Value::Object(vec![("a".to_owned(), value)])).unwrap();
    let document = Document::new(&bytes).unwrap();
    let mut key = KeyString::default();
    key.append(document.get("a").unwrap().as_ref()).unwrap();
    (key.bytes().to_vec(), key.type_bits_len())
}

fn bytes(value: Value) -> Vec<u8> {
    key(value).0
}

#[test]
fn strings_and_dates_are_as_the_data_says() {
    assert_eq!(bytes(Value::String("ab".to_owned())), [0x3c, b'a', b'b', 0]);
    assert_eq!(bytes(Value::String("a\0b".to_owned())), [0x3c, b'a', 0, 0xff, b'b', 0]);
    assert_eq!(bytes(Value::DateTime(1)), [0x78, 0x80, 0, 0, 0, 0, 0, 0, 1]);
    assert_eq!(bytes(Value::DateTime(-1)), [0x78, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]);
}

#[test]
fn other_values_begin_with_their_class() {
    assert_eq!(bytes(Value::Null), [20]);
    assert_eq!((bytes(Value::Bool(false)), bytes(Value::Bool(true))), (vec![110], vec![111]));
    assert_eq!(bytes(Value::Binary { subtype: 4, bytes: vec![7; 16] }).split_at(3).0, [90, 16, 4]);
    assert_eq!(bytes(Value::ObjectId(ObjectId([9; 12]))).split_at(1), (&[100][..], &[9; 12][..]));
    assert_eq!((bytes(Value::MinKey), bytes(Value::MaxKey)), (vec![10], vec![240]));
}

/// An integer is shifted by the bit that says whether a fraction follows: 5 is 0x0A behind the class of one byte, 43.
#[test]
fn integers_take_as_many_bytes_as_they_need() {
    assert_eq!(bytes(Value::Int32(0)), [41]);
    assert_eq!(bytes(Value::Int32(5)), [43, 0x0a]);
    assert_eq!(bytes(Value::Int64(5)), [43, 0x0a]);
    assert_eq!(bytes(Value::Double(5.0)), [43, 0x0a]);
    assert_eq!(bytes(Value::Int32(-5)), [39, !0x0a]);
    assert_eq!(bytes(Value::Int32(128)), [44, 0x01, 0x00]);
    assert_eq!(bytes(Value::Int64(i64::MAX)), [50, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfe]);
}

/// 1.5: the integer with its bit is 3, the fraction a half of the bytes behind.
#[test]
fn fractions_follow_the_integer() {
    assert_eq!(bytes(Value::Double(1.5)), [43, 0x03, 0x80, 0, 0, 0, 0, 0, 0]);
    assert_eq!(bytes(Value::Double(0.1)).len(), 9);
    let decimal = |text| bytes(Value::Decimal128(Decimal128::parse(text).unwrap()));
    assert_eq!(decimal("1.5"), bytes(Value::Double(1.5)));
    assert_eq!(decimal("12.3").len(), 9);
    assert_eq!(decimal("1.2345678901234567890123").len(), 17);
}

#[test]
fn all_numbers_sort_by_their_value() {
    let numbers = [
        Value::Double(f64::NAN),
        Value::Double(f64::NEG_INFINITY),
        Value::Int64(i64::MIN),
        Value::Int64(-(1 << 40)),
        Value::Int32(-300),
        Value::Double(-2.5),
        Value::Int32(-2),
        Value::Double(-0.5),
        Value::Int32(0),
        Value::Double(f64::MIN_POSITIVE),
        Value::Double(0.5),
        Value::Int64(1),
        Value::Double(1.25),
        Value::Int32(2),
        Value::Double(255.5),
        Value::Int32(256),
        Value::Double(1e15),
        Value::Int64(i64::MAX),
        Value::Double(1e19),
        Value::Double(f64::INFINITY),
    ];
    let keys: Vec<_> = numbers.into_iter().map(bytes).collect();
    for (place, pair) in keys.windows(2).enumerate() {
        assert!(pair[0] < pair[1], "{place}: {pair:02x?}");
    }
}

/// Only what is not an int32 and not a string needs its type beside the key.
#[test]
fn types_are_kept_where_they_differ_from_the_usual() {
    let len = |value| key(value).1;
    assert_eq!(len(Value::Int32(7)), 0);
    assert_eq!(len(Value::String(String::new())), 0);
    assert_eq!(len(Value::DateTime(0)), 0);
    assert_eq!(len(Value::Double(7.5)), 1);
    assert_eq!(len(Value::Int64(7)), 1);
}

/// Three bits on both ends count the bytes between them.
#[test]
fn record_ids_can_be_read_from_their_end() {
    let id = |number| {
        let mut key = KeyString::default();
        key.append_record_id(number);
        key.bytes().to_vec()
    };
    assert_eq!(id(1), [0x00, 0x08]);
    assert_eq!(id(1023), [0x1f, 0xf8]);
    assert_eq!(id(1024), [0x20, 0x20, 0x01]);
    assert_eq!(id(100_000).len(), 3);
}
