//! Section 2 of the cases that real people hit, Extended JSON, with more inputs of each kind. E01 and E02 are in `numbers`.

use boson_document::{Builder, Rule, Source, Value};
use boson_json::{Dialects, Style, Text, Unwrap};

use crate::support::{broken, extended, mongodb, object, raw, string, written};

const ORACLE: Dialects = Dialects::ORACLE;
const LEGACY: Dialects = Dialects::MONGODB.with_legacy();

#[test]
fn e04_a_number_beyond_its_type_is_an_error() {
    for text in [
        r#"{"d":{"$numberInt":"2147483648"}}"#,
        r#"{"d":{"$numberInt":"-2147483649"}}"#,
        r#"{"d":{"$numberInt":"1.5"}}"#,
        r#"{"d":{"$numberInt":""}}"#,
        r#"{"d":{"$numberInt":" 1"}}"#,
        r#"{"d":{"$numberInt":"+1"}}"#,
        r#"{"d":{"$numberLong":"9223372036854775808"}}"#,
        r#"{"d":{"$numberLong":"-9223372036854775809"}}"#,
        r#"{"d":{"$numberLong":"1e3"}}"#,
        r#"{"d":{"$numberDouble":"1e400"}}"#,
        r#"{"d":{"$numberDouble":"0x10"}}"#,
        r#"{"d":{"$numberDecimal":"1e7000"}}"#,
        r#"{"d":{"$numberDecimal":"12345678901234567890123456789012345"}}"#,
    ] {
        assert_eq!(mongodb(text), Err(broken(5, Rule::ExtendedNumber)), "{text}");
        assert!(extended(text, ORACLE).is_err() || text.contains("Decimal"), "{text}");
    }
    assert_eq!(mongodb(r#"{"$numberInt":"-2147483648"}"#), Ok(Value::Int32(i32::MIN)));
    assert_eq!(mongodb(r#"{"$numberLong":"-9223372036854775808"}"#), Ok(Value::Int64(i64::MIN)));
    assert_eq!(mongodb(r#"{"$numberLong":"5"}"#), Ok(Value::Int64(5)));
}

#[test]
fn e05_what_is_no_date_is_an_error() {
    for date in [
        "junk",
        "",
        "2012-12-24T12:15:30.501",
        "2012-13-24T12:15:30Z",
        "2012-02-30T12:15:30Z",
        "2012-12-24T24:00:00Z",
        "2012-12-24T12:60:00Z",
        "2012-12-24T12:15:60Z",
        "2012-12-24 12:15:30Z",
        "2012-12-24T12:15Z",
        "2012-12-24T12:15:30.Z",
        "2012-12-24T12:15:30.1234567890Z",
        "2012-12-24T12:15:30+25:00",
        "2012-12-24T12:15:30+5",
        "2012-12-24T12:15:30ZZ",
        "12-12-24T12:15:30Z",
        "1356351330501",
        "20121224T121530Z",
    ] {
        let text = format!(r#"{{"d":{{"$date":"{date}"}}}}"#);
        assert_eq!(mongodb(&text), Err(broken(5, Rule::ExtendedDate)), "{text}");
    }
    assert_eq!(mongodb(r#"{"d":{"$date":{"$numberLong":"NaN"}}}"#), Err(broken(14, Rule::ExtendedNumber)));
}

#[test]
fn e06_a_date_without_time_or_zone_is_an_error_or_is_left_and_counted() {
    for date in ["2020-01-01", "2020-01-01T08:00:00", "2020-01-01T08:00:00.5"] {
        let text = format!(r#"{{"d":{{"$date":"{date}"}}}}"#);
        assert_eq!(mongodb(&text), Err(broken(5, Rule::ExtendedDate)));
        let mut sink = Unwrap::new(Builder::new(), Dialects::MONGODB.lenient());
        Text::new(text.as_bytes()).drive(&mut sink).unwrap();
        assert_eq!(sink.malformed(), 1);
        assert_eq!(sink.into_inner().finish(), Some(object([("d", object([("$date", string(date))]))])));
    }
    for (date, ms) in [
        ("2020-01-01T00:00:00Z", 1_577_836_800_000),
        ("2020-01-01T05:45:00+05:45", 1_577_836_800_000),
        ("2019-12-31T23:00:00-0100", 1_577_836_800_000),
        ("2019-12-31T22:00:00-02", 1_577_836_800_000),
        ("2020-01-01T00:00:00.5Z", 1_577_836_800_500),
        ("2020-01-01T00:00:00.123000Z", 1_577_836_800_123),
        ("1969-12-31T23:59:59.999Z", -1),
        ("0001-01-01T00:00:00Z", -62_135_596_800_000),
        ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
    ] {
        let text = format!(r#"{{"$date":"{date}"}}"#);
        assert_eq!(mongodb(&text), Ok(Value::DateTime(ms)), "{text}");
    }
    // T25: what is finer than a millisecond is not cut off in silence.
    assert_eq!(mongodb(r#"{"$date":"2020-01-01T00:00:00.123456Z"}"#), Err(broken(0, Rule::ExtendedDateFraction)));
}

#[test]
fn e07_a_date_as_a_bare_number_is_legacy() {
    for (number, ms) in [("0", 0), ("-1", -1), ("1577836800000", 1_577_836_800_000)] {
        let text = format!(r#"{{"$date":{number}}}"#);
        assert_eq!(mongodb(&text), Err(broken(0, Rule::ExtendedShape)), "{text}");
        assert_eq!(extended(&text, LEGACY), Ok(Value::DateTime(ms)));
        assert_eq!(extended(&text, ORACLE), Ok(Value::DateTime(ms)));
    }
    for number in ["1.5", "1e3", "true", "null", "[]", "{}"] {
        let text = format!(r#"{{"$date":{number}}}"#);
        assert!(extended(&text, LEGACY).is_err(), "{text}");
    }
}

#[test]
fn e09_only_the_exact_two_keys_make_a_legacy_binary() {
    let binary = |subtype, bytes: &[u8]| Ok(Value::Binary { subtype, bytes: bytes.to_vec() });
    assert_eq!(extended(r#"{"$binary":"AA==","$type":"00"}"#, LEGACY), binary(0, &[0]));
    assert_eq!(extended(r#"{"$type":"80","$binary":"//8="}"#, LEGACY), binary(0x80, &[0xFF, 0xFF]));
    assert_eq!(extended(r#"{"$binary":"","$type":5}"#, LEGACY), binary(5, &[]));
    for text in [r#"{"$type":2}"#, r#"{"$type":"string"}"#, r#"{"$type":["int","long"]}"#, r#"{"$type":"00","a":1}"#] {
        assert_eq!(extended(text, LEGACY), crate::support::resolved(text), "{text}");
        assert_eq!(mongodb(text), crate::support::resolved(text), "{text}");
    }
    for text in [
        r#"{"$binary":"AA==","$type":"00","x":1}"#,
        r#"{"$binary":"AA=="}"#,
        r#"{"$binary":"AA==","$type":"xx"}"#,
        r#"{"$binary":"AA==","$type":256}"#,
        r#"{"$binary":1,"$type":"00"}"#,
    ] {
        assert!(extended(text, LEGACY).is_err(), "{text}");
    }
    assert_eq!(mongodb(r#"{"$binary":"AA==","$type":"00"}"#), Err(broken(0, Rule::ExtendedShape)));
}

#[test]
fn e10_regex_of_a_query_is_a_plain_document() {
    let text = r#"{"$regex":"a","$options":"i"}"#;
    assert_eq!(mongodb(text), raw(text));
    let regex = Value::Regex { pattern: "a".to_owned(), options: "i".to_owned() };
    assert_eq!(extended(text, LEGACY), Ok(regex.clone()));
    assert_eq!(extended(r#"{"$options":"i","$regex":"a"}"#, LEGACY), Ok(regex.clone()));
    assert_eq!(mongodb(r#"{"$regularExpression":{"pattern":"a","options":"i"}}"#), Ok(regex));
    for text in [
        r#"{"$regex":"a"}"#,
        r#"{"$options":"i"}"#,
        r#"{"$regex":"a","$options":1}"#,
        r#"{"$regex":"a","$options":"i","$in":[]}"#,
        r#"{"$regex":"a","x":1}"#,
        r#"{"$regex":"a\u0000","$options":"i"}"#,
    ] {
        assert_eq!(extended(text, LEGACY), raw(text), "{text}");
    }
    let query = r#"{"$regex":{"$regularExpression":{"pattern":"a","options":""}},"$options":"i"}"#;
    assert_eq!(written(&extended(query, LEGACY).unwrap(), Style::ExtendedCanonical), query);
}

#[test]
fn e12_what_is_no_number_is_wrapped_in_relaxed_text_too() {
    for (value, text) in [
        (f64::NAN, r#"{"$numberDouble":"NaN"}"#),
        (f64::INFINITY, r#"{"$numberDouble":"Infinity"}"#),
        (f64::NEG_INFINITY, r#"{"$numberDouble":"-Infinity"}"#),
    ] {
        for style in [Style::ExtendedRelaxed, Style::ExtendedCanonical] {
            assert_eq!(written(&Value::Double(value), style), text);
        }
        assert_eq!(mongodb(text), Ok(Value::Double(value)));
    }
    assert_eq!(written(&Value::Float(f32::NAN), Style::ExtendedRelaxed), r#"{"$numberDouble":"NaN"}"#);
    assert_eq!(written(&Value::Double(-0.0), Style::ExtendedRelaxed), "-0.0");
    assert_eq!(written(&Value::Double(-0.0), Style::ExtendedCanonical), r#"{"$numberDouble":"-0.0"}"#);
    assert_eq!(written(&Value::Double(1.0), Style::ExtendedCanonical), r#"{"$numberDouble":"1.0"}"#);
}

#[test]
fn e14_uuids_have_hyphens_unless_asked_otherwise() {
    let bytes: Vec<u8> = (0..16).map(|digit| digit * 0x11).collect();
    let uuid = Ok(Value::Binary { subtype: 4, bytes });
    let spec = r#"{"$uuid":"00112233-4455-6677-8899-aabbccddeeff"}"#;
    assert_eq!(mongodb(spec), uuid);
    assert_eq!(mongodb(spec.to_uppercase().replace("$UUID", "$uuid")), uuid);
    for text in [
        r#"{"$uuid":"00112233445566778899aabbccddeeff"}"#,
        r#"{"$uuid":"{00112233-4455-6677-8899-aabbccddeeff}"}"#,
        r#"{"$uuid":"{00112233445566778899aabbccddeeff}"}"#,
    ] {
        assert_eq!(mongodb(text), Err(broken(0, Rule::ExtendedBytes)), "{text}");
        assert_eq!(extended(text, Dialects::MONGODB.with_loose_uuids()), uuid, "{text}");
    }
    for text in [
        r#"{"$uuid":"{00112233-4455-6677-8899-aabbccddeeff"}"#,
        r#"{"$uuid":"0011223344556677-8899-aabbccddeeff"}"#,
        r#"{"$uuid":"00112233-4455-6677-8899-aabbccddeefg"}"#,
        r#"{"$uuid":""}"#,
    ] {
        assert_eq!(extended(text, Dialects::MONGODB.with_loose_uuids()), Err(broken(0, Rule::ExtendedBytes)));
    }
}

#[test]
fn e15_names_that_occur_twice_are_delivered_twice() {
    for text in [r#"{"a":1,"a":2}"#, r#"{"a":{},"b":1,"a":[]}"#, r#"{"":1,"":1}"#, r#"[{"__proto__":1,"__proto__":2}]"#]
    {
        assert_eq!(written(&raw(text).unwrap(), Style::Plain), text);
        assert_eq!(written(&mongodb(text).unwrap(), Style::ExtendedRelaxed), text);
    }
    assert_eq!(raw(r#"{"a":1,"\u0061":2}"#), Ok(object([("a", Value::Int32(1)), ("a", Value::Int32(2))])));
    // Twice a wrapper's key is no wrapper.
    assert!(mongodb(r#"{"$numberInt":"1","$numberInt":"2"}"#).is_err());
}

#[test]
fn e17_an_object_id_printed_into_a_string_is_a_string() {
    for text in [
        "ObjectId(\\\"56e1fc72e0c917e9c4714161\\\")",
        "56e1fc72e0c917e9c4714161",
        "ISODate(\\\"2020-01-01\\\")",
        "UUID()",
    ] {
        let text = format!("{{\"_id\":\"{text}\"}}");
        for dialects in [Dialects::MONGODB, LEGACY, ORACLE] {
            assert_eq!(extended(&text, dialects), raw(&text));
        }
    }
}

/// B21 and B22 of the section on BSON: relaxed dates.
#[test]
fn dates_outside_1970_to_9999_are_numbers_in_relaxed_text() {
    for (ms, text) in [
        (0, r#"{"$date":"1970-01-01T00:00:00Z"}"#),
        (1, r#"{"$date":"1970-01-01T00:00:00.001Z"}"#),
        (1_356_351_330_501, r#"{"$date":"2012-12-24T12:15:30.501Z"}"#),
        (1_356_351_330_000, r#"{"$date":"2012-12-24T12:15:30Z"}"#),
        (253_402_300_799_999, r#"{"$date":"9999-12-31T23:59:59.999Z"}"#),
        (253_402_300_800_000, r#"{"$date":{"$numberLong":"253402300800000"}}"#),
        (-1, r#"{"$date":{"$numberLong":"-1"}}"#),
        (i64::MIN, r#"{"$date":{"$numberLong":"-9223372036854775808"}}"#),
        (i64::MAX, r#"{"$date":{"$numberLong":"9223372036854775807"}}"#),
    ] {
        assert_eq!(written(&Value::DateTime(ms), Style::ExtendedRelaxed), text);
        assert_eq!(mongodb(text), Ok(Value::DateTime(ms)), "{text}");
        let canonical = format!(r#"{{"$date":{{"$numberLong":"{ms}"}}}}"#);
        assert_eq!(written(&Value::DateTime(ms), Style::ExtendedCanonical), canonical);
        assert_eq!(mongodb(canonical), Ok(Value::DateTime(ms)));
    }
}
