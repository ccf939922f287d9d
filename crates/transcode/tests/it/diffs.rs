//! Comparing two documents.

use boson_document::{Decimal128, Value};
use boson_transcode::Format;
use boson_transcode::diff::DiffOptions;

use crate::support::{differences, open};

fn json(left: &str, right: &str, options: DiffOptions) -> Vec<String> {
    differences(&open(Format::Json, left.as_bytes()), &open(Format::Json, right.as_bytes()), options)
}

#[test]
fn each_kind_of_difference_is_told_at_its_path() {
    let exact = DiffOptions::default();
    for (left, right, expected) in [
        ("{}", "{}", vec![]),
        ("1", "2", vec!["$: int 1 | int 2"]),
        ("[1]", "{}", vec!["$: array of 1 | object of 0"]),
        (r#"{"a":1}"#, r#"{"a":"1"}"#, vec![r#"$.a: int 1 | string "1""#]),
        (
            r#"{"a":{"b":[1,2]}}"#,
            r#"{"a":{"b":[1,3,4]}}"#,
            vec!["$.a.b[1]: int 2 | int 3", "$.a.b[2]: missing | int 4"],
        ),
        (r#"{"a":1,"b":2}"#, r#"{"b":2}"#, vec!["$.a: int 1 | missing"]),
        (r#"{"b":2}"#, r#"{"a":1,"b":2}"#, vec!["$.a: missing | int 1"]),
        (r#"{"a":1,"b":2}"#, r#"{"b":2,"a":1}"#, vec!["$: the members come in another order"]),
        (
            r#"{"x":{"a":1,"b":2,"c":3}}"#,
            r#"{"x":{"c":4,"a":1,"d":[]}}"#,
            vec![
                "$.x: the members come in another order",
                "$.x.b: int 2 | missing",
                "$.x.c: int 3 | int 4",
                "$.x.d: missing | array of 0",
            ],
        ),
        (r#"{"a":1,"a":2}"#, r#"{"a":1,"a":3}"#, vec!["$.a: int 2 | int 3"]),
        (r#"{"a":1,"a":2}"#, r#"{"a":2}"#, vec!["$.a: int 1 | int 2", "$.a: int 2 | missing"]),
        (r#"{"a.b":1}"#, r#"{"a.b":2}"#, vec![r#"$["a.b"]: int 1 | int 2"#]),
        ("[[],[1]]", "[[1],[]]", vec!["$[0][0]: missing | int 1", "$[1][0]: int 1 | missing"]),
    ] {
        assert_eq!(json(left, right, exact), expected, "{left} {right}");
    }
}

#[test]
fn order_and_types_can_be_ignored() {
    let order = DiffOptions { ignore_order: true, ..DiffOptions::default() };
    assert_eq!(json(r#"{"a":1,"b":[1,2]}"#, r#"{"b":[1,2],"a":1}"#, order), [""; 0]);
    assert_eq!(json("[1,2]", "[2,1]", order).len(), 2);

    let types = DiffOptions { ignore_types: true, ..DiffOptions::default() };
    let decimal = |text: &str| Value::Decimal128(Decimal128::parse(text).unwrap());
    let civil = boson_document::CivilTime::from_unix_ms(1500).unwrap();
    let second = boson_document::CivilTime::from_unix_ms(1000).unwrap();
    for (left, right, same) in [
        (Value::Int32(1), Value::Int64(1), true),
        (Value::Int32(1), Value::Double(1.0), true),
        (Value::Double(0.1), decimal("0.10"), true),
        (Value::Double(f64::NAN), decimal("NaN"), true),
        (Value::Double(f64::INFINITY), decimal("Infinity"), true),
        (Value::Double(f64::INFINITY), decimal("-Infinity"), false),
        (Value::Int64(9_007_199_254_740_993), Value::Double(9_007_199_254_740_992.0), false),
        (Value::DateTime(1500), Value::OracleDate(second), false),
        (Value::DateTime(1000), Value::OracleDate(second), true),
        (Value::DateTime(1501), Value::OracleTimestamp(civil), false),
        (Value::Int32(1), Value::Bool(true), false),
        (Value::String("1".into()), Value::Int32(1), false),
    ] {
        assert_eq!(differences(&left, &right, types).is_empty(), same, "{left:?} {right:?}");
        assert!(!differences(&left, &right, DiffOptions::default()).is_empty(), "{left:?} {right:?}");
    }
}

/// What section 5 of the format's description calls exact is no difference.
#[test]
fn a_date_and_the_timestamp_of_the_same_millisecond_do_not_differ() {
    let mut civil = boson_document::CivilTime::from_unix_ms(1500).unwrap();
    let same = |left: Value, right: Value| differences(&left, &right, DiffOptions::default()).is_empty();
    assert!(same(Value::DateTime(1500), Value::OracleTimestamp(civil)));
    assert!(same(Value::OracleTimestamp(civil), Value::DateTime(1500)));
    assert!(!same(Value::DateTime(1501), Value::OracleTimestamp(civil)));
    civil.nanosecond += 1;
    assert!(!same(Value::DateTime(1500), Value::OracleTimestamp(civil)));
}

#[test]
fn members_of_one_name_in_another_order_do_not_differ_when_order_is_ignored() {
    let order = DiffOptions { ignore_order: true, ..DiffOptions::default() };
    for (left, right, expected) in [
        (r#"{"a":1,"a":2}"#, r#"{"a":2,"a":1}"#, vec![]),
        (r#"{"a":[1],"b":0,"a":{"c":2}}"#, r#"{"a":{"c":2},"a":[1],"b":0}"#, vec![]),
        (r#"{"a":1,"a":2}"#, r#"{"a":2}"#, vec!["$.a: int 1 | missing"]),
        (r#"{"a":1,"a":2,"a":3}"#, r#"{"a":3,"a":4,"a":1}"#, vec!["$.a: int 2 | int 4"]),
        (r#"{"a":{"x":1,"x":2}}"#, r#"{"a":{"x":2,"x":1}}"#, vec![]),
    ] {
        assert_eq!(json(left, right, order), expected, "{left} {right}");
    }
}

#[test]
fn bits_are_compared() {
    for (left, right) in [
        (Value::Double(0.0), Value::Double(-0.0)),
        (Value::Double(f64::NAN), Value::Double(f64::from_bits(0x7FF8_0000_0000_0012))),
        (Value::Binary { subtype: 0, bytes: vec![1] }, Value::Binary { subtype: 4, bytes: vec![1] }),
        (
            Value::CodeWithScope { code: "a".into(), scope: vec![] },
            Value::CodeWithScope { code: "b".into(), scope: vec![] },
        ),
    ] {
        assert_eq!(differences(&left, &left.clone(), DiffOptions::default()), [""; 0]);
        assert_eq!(differences(&left, &right, DiffOptions::default()).len(), 1);
    }
}

/// Sensitive data must not come out in what people read (case B17).
#[test]
fn sensitive_bytes_are_not_shown() {
    let secret = |byte| Value::Binary { subtype: 8, bytes: vec![byte; 3] };
    let lines = differences(&secret(0xAB), &secret(0xCD), DiffOptions::default());
    assert_eq!(lines, ["$: binData 8, 3 bytes (sensitive) | binData 8, 3 bytes (sensitive)"]);
}

/// Nesting costs memory on the heap only.
#[test]
fn deep_documents_are_compared() {
    let deep = |leaf: &str| format!("{}{leaf}{}", "[".repeat(1000), "]".repeat(1000));
    assert_eq!(json(&deep("1"), &deep("1"), DiffOptions::default()), [""; 0]);
    assert_eq!(json(&deep("1"), &deep("2"), DiffOptions::default()).len(), 1);
}

#[test]
fn the_comparison_ends_when_it_is_told_to() {
    use std::ops::ControlFlow;
    let (left, right) = (open(Format::Json, b"[1,2,3]"), open(Format::Json, b"[4,5,6]"));
    let count = boson_transcode::diff::Differ::default().compare(&left, &right, |_| ControlFlow::Break(()));
    assert_eq!(count, Ok(1));
}

#[test]
fn documents_of_different_formats_are_compared_by_what_they_mean() {
    use boson_document::ObjectId;
    use boson_transcode::diff::Differ;
    use boson_transcode::{AnyDocument, Meaning, Policy};

    let id: ObjectId = "0123456789abcdef01234567".parse().unwrap();
    let regex = Value::Regex { pattern: "^a".into(), options: "i".into() };
    let value =
        Value::Object(vec![("id".into(), Value::ObjectId(id)), ("re".into(), regex), ("n".into(), Value::Double(1.5))]);
    let policy = Policy::default();
    let converted = |to| {
        let mut bytes = Vec::new();
        let mut report = boson_transcode::Report::new();
        let mut converter = boson_transcode::Converter::new(to, policy.clone());
        converter.convert_source(&value, Format::Bson, &mut report, &mut bytes).unwrap();
        bytes
    };
    let (bson, oson, json) = (converted(Format::Bson), converted(Format::Oson), converted(Format::Json));
    let bson = AnyDocument::new(Format::Bson, &bson).unwrap();
    for other in [AnyDocument::new(Format::Oson, &oson).unwrap(), AnyDocument::new(Format::Json, &json).unwrap()] {
        let (left, right) = (Meaning::new(&bson, &policy), Meaning::new(&other, &policy));
        let count = Differ::default().compare(&left, &right, |difference| panic!("{difference}"));
        assert_eq!(count.unwrap(), 0);
    }
}
