//! The table of section 5 of the format's description, row by row: what a value of BSON becomes in OSON (the bytes of its
//! node), what is reported, and what comes back.

use boson_document::{Decimal128, ObjectId, Value};
use boson_testkit::{hex, unhex};
use boson_transcode::{Format, OutOfRange, Policy, Subtypes};

use crate::support::{bson, convert, converted, losses, value};

/// The document `{"v": value}` as BSON.
fn document(value: Value) -> Value {
    Value::Object(vec![("v".to_owned(), value)])
}

/// What `{"v": value}` becomes: the node of the value in hexadecimal, the losses on the way there, what comes back, and the
/// losses on the way back.
fn row(value_of: Value, policy: &Policy) -> (String, Vec<String>, Value, Vec<String>) {
    let original = bson(&document(value_of));
    let (image, away) = converted(Format::Bson, &original, Format::Oson, policy);
    let (back, home) = converted(Format::Oson, &image, Format::Bson, policy);
    let image = boson_oson::Document::new(&image).unwrap();
    let span = image.get("v").unwrap().unwrap().span();
    let node = hex(&image.as_bytes()[span.range()]);
    let back = value(Format::Bson, &back).get("v").unwrap().clone();
    (node, losses(&away), back, losses(&home))
}

fn wrapping() -> Policy {
    let mut policy = Policy::default();
    policy.dates = OutOfRange::Wrap;
    policy
}

#[track_caller]
fn assert_exact(value: Value, node: &str) {
    let expected = (node.to_owned(), vec![], value.clone(), vec![]);
    assert_eq!(row(value, &Policy::default()), expected);
}

fn decimal(text: &str) -> Value {
    Value::Decimal128(Decimal128::parse(text).unwrap())
}

#[test]
fn doubles_are_exact() {
    // The bytes of 42.25 are a server's; the others follow from the rule of the format.
    assert_exact(Value::Double(42.25), "36c045200000000000");
    assert_exact(Value::Double(2.0), "36c000000000000000");
    assert_exact(Value::Double(1e300), "36fe37e43c8800759c");
    assert_exact(Value::Double(f64::NEG_INFINITY), "36000fffffffffffff");
    assert_exact(Value::Double(f64::NAN), "36fff8000000000000");
}

/// Servers and Oracle's drivers store one zero and one NaN (case O14), so that equal numbers have equal bytes.
#[test]
fn the_sign_of_zero_and_the_payload_of_nan_are_reported() {
    for (value, node, lost, back) in [
        (Value::Double(-0.0), "368000000000000000", "negative-zero $.v 1", Value::Double(0.0)),
        (nan(0x7FF8_0000_0000_0012), "36fff8000000000000", "nan-payload $.v 1", Value::Double(f64::NAN)),
        (nan(0xFFF8_0000_0000_0000), "36fff8000000000000", "nan-payload $.v 1", Value::Double(f64::NAN)),
        (nan(0x7FF0_0000_0000_0001), "36fff8000000000000", "nan-payload $.v 1", Value::Double(f64::NAN)),
    ] {
        assert_eq!(row(value, &Policy::default()), (node.to_owned(), vec![lost.to_owned()], back, vec![]));
    }
}

fn nan(bits: u64) -> Value {
    Value::Double(f64::from_bits(bits))
}

#[test]
fn strings_containers_booleans_and_null_are_the_same() {
    assert_exact(Value::String("abc".into()), "03616263");
    assert_exact(Value::String(String::new()), "00");
    assert_exact(Value::String("x\0y".into()), "03780079");
    assert_exact(Value::Bool(true), "31");
    assert_exact(Value::Bool(false), "32");
    assert_exact(Value::Null, "30");
    for container in
        [Value::Object(vec![]), Value::Array(vec![]), Value::Array(vec![Value::Null, Value::Object(vec![])])]
    {
        let (_, away, back, home) = row(container.clone(), &Policy::default());
        assert_eq!((away, back, home), (vec![], container, vec![]));
    }
}

#[test]
fn integers_keep_their_types() {
    assert_exact(Value::Int32(1), "42c102");
    assert_exact(Value::Int32(-1), "433e6466");
    assert_exact(Value::Int32(255), "43c20338");
    assert_exact(Value::Int64(1), "52c102");
    assert_exact(Value::Int64(0), "5180");
    // The NUMBER of 2^53 + 1 is a server's; that of the largest int64 is by hand: pairs 9 22 33 72 03 68 54 77 58 07.
    assert_exact(Value::Int64(9_007_199_254_740_993), "59c85b08145d374b0a5e");
    assert_exact(Value::Int64(i64::MAX), "5bca0a1722490445374e3b08");
}

#[test]
fn decimals_keep_their_values() {
    assert_exact(decimal("12.5"), "62c10d33");
    // The NUMBER is a server's.
    assert_exact(decimal("-12345.625"), "663c644e38273366");
    assert_exact(decimal("0"), "6080");
    // Seventeen pairs, 12 34 56 78 90 three times and then 12 34, each plus one.
    let number = format!("7412d1{}0d23", "0d23394f5b".repeat(3));
    assert_exact(decimal("1234567890123456789012345678901234"), &number);
}

#[test]
fn decimals_beyond_a_number_are_text() {
    for text in ["-0", "-0.00", "1E+200", "-1E+126", "1E-6176", "9.999E+6144"] {
        let Value::Decimal128(canonical) = decimal(text) else { panic!() };
        let text = canonical.to_string();
        assert_exact(decimal(&text), &format!("35{:02x}{}", text.len(), hex(&text)));
    }
}

#[test]
fn zeros_at_the_end_of_decimals_are_reported() {
    for (text, losses, back) in [
        ("1.50", vec!["decimal-scale $.v 1"], "1.5"),
        ("1E+3", vec!["decimal-scale $.v 1"], "1000"),
        ("0.00", vec!["decimal-scale $.v 1"], "0"),
        ("0E+5", vec!["decimal-scale $.v 1"], "0"),
        ("1234567890.12345678901234567890", vec!["decimal-scale $.v 1"], "1234567890.1234567890123456789"),
    ] {
        let (_, away, came_back, home) = row(decimal(text), &Policy::default());
        assert_eq!(away, losses, "{text}");
        assert_eq!((came_back, home), (decimal(back), vec![]), "{text}");
    }
}

#[test]
fn decimals_that_are_no_numbers_are_wrapped() {
    for text in ["NaN", "Infinity", "-Infinity"] {
        assert_wrapped(&decimal(text), &format!("{{\"$numberDecimal\":\"{text}\"}}"));
    }
}

#[test]
fn object_ids_are_exact() {
    let id = ObjectId(unhex("56e1fc72e0c917e9c4714161").try_into().unwrap());
    assert_exact(Value::ObjectId(id), "7e0c56e1fc72e0c917e9c4714161");
}

#[test]
fn dates_of_the_years_1_to_9999_are_exact() {
    assert_exact(Value::DateTime(0), "7d77aa0101010101");
    // 2024-02-29T12:34:56.789Z
    assert_exact(Value::DateTime(1_709_210_096_789), "39787c021d0d23392f072f40");
    // 0001-01-01T00:00:00Z and 9999-12-31T23:59:59.999Z
    assert_exact(Value::DateTime(-62_135_596_800_000), "7d64650101010101");
    let (_, away, back, _) = row(Value::DateTime(253_402_300_799_999), &Policy::default());
    assert_eq!((away, back), (vec![], Value::DateTime(253_402_300_799_999)));
}

#[test]
fn dates_of_other_years_are_refused_or_wrapped() {
    for ms in [-62_135_596_800_001, 253_402_300_800_000, i64::MIN, i64::MAX, -62_200_000_000_000] {
        let original = bson(&document(Value::DateTime(ms)));
        let refused = convert(Format::Bson, &original, Format::Oson, &Policy::default()).unwrap_err();
        assert!(refused.starts_with("$.v: OSON holds dates of the years 1 to 9999"), "{refused}");

        let (_, away, back, home) = row(Value::DateTime(ms), &wrapping());
        assert_eq!(away, ["date-out-of-range $.v 1"]);
        assert_eq!((back, home), (Value::DateTime(ms), vec!["unwrapped $.v 1".to_owned()]));
    }
}

#[test]
fn binary_keeps_its_bytes_and_wrapped_also_its_subtype() {
    assert_exact(Value::Binary { subtype: 0, bytes: vec![1, 2, 255] }, "3a00030102ff");
    assert_exact(Value::Binary { subtype: 0, bytes: vec![] }, "3a0000");
    for subtype in [1, 2, 3, 4, 5, 6, 7, 8, 9, 0x80, 0xFF] {
        let value = Value::Binary { subtype, bytes: vec![0xFF; 3] };
        let object = format!("{{\"$binary\":{{\"base64\":\"////\",\"subType\":\"{subtype:02x}\"}}}}");
        assert_wrapped(&value, &object);

        let mut dropping = Policy::default();
        dropping.subtypes = Subtypes::Drop;
        let (node, away, back, home) = row(value, &dropping);
        assert_eq!((node.as_str(), away), ("3a0003ffffff", vec!["binary-subtype $.v 1".to_owned()]));
        assert_eq!((back, home), (Value::Binary { subtype: 0, bytes: vec![0xFF; 3] }, vec![]));
    }
}

#[test]
fn what_only_bson_has_is_wrapped() {
    let id = ObjectId(unhex("56e1fc72e0c917e9c4714161").try_into().unwrap());
    for (value, object) in [
        (
            Value::Regex { pattern: "a\"b".into(), options: "ix".into() },
            r#"{"$regularExpression":{"pattern":"a\"b","options":"ix"}}"#,
        ),
        (Value::Code("x()".into()), r#"{"$code":"x()"}"#),
        (Value::Symbol("s".into()), r#"{"$symbol":"s"}"#),
        (
            Value::Timestamp { time: 4_294_967_293, increment: 4_294_967_294 },
            r#"{"$timestamp":{"t":4294967293,"i":4294967294}}"#,
        ),
        (Value::MinKey, r#"{"$minKey":1}"#),
        (Value::MaxKey, r#"{"$maxKey":1}"#),
        (Value::Undefined, r#"{"$undefined":true}"#),
        (
            Value::DbPointer { namespace: "db.c".into(), id },
            r#"{"$dbPointer":{"$ref":"db.c","$id":{"$oid":"56e1fc72e0c917e9c4714161"}}}"#,
        ),
        (
            Value::CodeWithScope { code: "f".into(), scope: vec![("m".into(), Value::MinKey)] },
            r#"{"$code":"f","$scope":{"m":{"$minKey":1}}}"#,
        ),
    ] {
        assert_wrapped(&value, object);
    }
}

/// In OSON the value is the object `text`, which is reported, and comes back as what it was.
#[track_caller]
fn assert_wrapped(value_of: &Value, text: &str) {
    let original = bson(&document(value_of.clone()));
    let (image, away) = converted(Format::Bson, &original, Format::Oson, &Policy::default());
    assert!(losses(&away).contains(&"wrapped $.v 1".to_owned()), "{away}");
    let mut plain = Policy::default();
    plain.json_style = boson_json::Style::Plain;
    let (json, _) = converted(Format::Oson, &image, Format::Json, &plain);
    assert_eq!(String::from_utf8(json).unwrap(), format!("{{\"v\":{text}}}"));
    let (back, home) = converted(Format::Oson, &image, Format::Bson, &Policy::default());
    assert!(losses(&home).contains(&"unwrapped $.v 1".to_owned()), "{home}");
    assert_eq!(value(Format::Bson, &back).get("v"), Some(value_of));
    assert_eq!(back, original);
}

#[test]
fn the_style_driver_keeps_numbers_only() {
    let mut driver = Policy::default();
    driver.oson_style = boson_oson::write::Style::Driver;
    for (value, back, losses_away) in [
        (Value::Int64(7), Value::Int32(7), vec!["number-type $.v 1"]),
        (Value::Double(2.0), Value::Int32(2), vec!["number-type $.v 1"]),
        (Value::Double(0.1), Value::Double(0.1), vec!["number-type $.v 1"]),
        (Value::Double(-0.0), Value::Int32(0), vec!["number-type $.v 1", "negative-zero $.v 1"]),
        (decimal("-0"), Value::Int32(0), vec!["number-type $.v 1", "negative-zero $.v 1"]),
        (decimal("0.1"), Value::Double(0.1), vec!["number-type $.v 1"]),
        (
            decimal("1234567890.12345678901234567890"),
            decimal("1234567890.1234567890123456789"),
            vec!["number-type $.v 1", "decimal-scale $.v 1"],
        ),
    ] {
        let (_, away, came_back, home) = row(value, &driver);
        assert_eq!(away, losses_away);
        assert_eq!((came_back, home), (back, vec!["number-type $.v 1".to_owned()]));
    }
    for value in [Value::Double(f64::NAN), Value::Double(f64::INFINITY), Value::Double(1e300), decimal("1E+200")] {
        let refused = convert(Format::Bson, &bson(&document(value)), Format::Oson, &driver).unwrap_err();
        assert!(refused.starts_with("$.v: "), "{refused}");
    }
}
