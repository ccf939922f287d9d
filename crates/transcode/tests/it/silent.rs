//! What once was lost without a word.

use boson_document::{CivilTime, Decimal128, IntervalDaySecond, IntervalYearMonth, Limits, Value};
use boson_json::{Dialects, Inexact, Style as JsonStyle};
use boson_testkit::unhex;
use boson_transcode::diff::DiffOptions;
use boson_transcode::{DuplicateNames, Format, Grade, Meaning, Policy};

use crate::support::{bson, convert, converted, differences, losses, open, value};

const STYLES: [JsonStyle; 4] =
    [JsonStyle::Plain, JsonStyle::ExtendedRelaxed, JsonStyle::ExtendedCanonical, JsonStyle::Oracle];

fn with(change: impl FnOnce(&mut Policy)) -> Policy {
    let mut policy = Policy::default();
    change(&mut policy);
    policy
}

fn styled(style: JsonStyle) -> Policy {
    with(|policy| policy.json_style = style)
}

fn oson(value: &Value) -> Vec<u8> {
    boson_oson::write::to_vec(value, &boson_oson::write::Options::default()).unwrap()
}

/// `{"v": value}`
fn in_v(value: Value) -> Value {
    Value::Object(vec![("v".into(), value)])
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap()
}

fn decimal(bits: u128) -> Value {
    in_v(Value::Decimal128(Decimal128::from_bytes(bits.to_le_bytes())))
}

#[test]
fn the_first_or_last_of_equal_names_is_kept_in_bson_and_json_too() {
    let source = br#"{"a":{"x":1,"x":2},"b":[{"c":1},{"c":1,"d":2,"c":{"e":3}}],"a":[7,{"y":0,"y":1}],"z":0}"#;
    let document = converted(Format::Json, source, Format::Bson, &Policy::default()).0;
    for (choice, expected, reported) in [
        (
            DuplicateNames::First,
            r#"{"a":{"x":1},"b":[{"c":1},{"c":1,"d":2}],"z":0}"#,
            ["duplicate-name $.a 1", "duplicate-name $.a.x 1", "duplicate-name $.b[*].c 1"],
        ),
        (
            DuplicateNames::Last,
            r#"{"b":[{"c":1},{"d":2,"c":{"e":3}}],"a":[7,{"y":1}],"z":0}"#,
            ["duplicate-name $.a 1", "duplicate-name $.a[*].y 1", "duplicate-name $.b[*].c 1"],
        ),
    ] {
        let policy = with(|policy| policy.duplicate_names = choice);
        let kept = converted(Format::Json, expected.as_bytes(), Format::Bson, &policy).0;
        for (from, bytes) in [(Format::Json, source.as_slice()), (Format::Bson, &document)] {
            for to in [Format::Bson, Format::Oson, Format::Json] {
                let (out, report) = converted(from, bytes, to, &policy);
                assert_eq!(losses(&report), reported, "{from} to {to}");
                let (out, report) = converted(to, &out, Format::Json, &policy);
                assert_eq!((text(out).as_str(), report.is_empty()), (expected, true), "{from} to {to}");
            }
        }
        // What has no name twice is copied as it is.
        assert_eq!(converted(Format::Bson, &kept, Format::Bson, &policy).0, kept);
    }
    let refusing = with(|policy| policy.duplicate_names = DuplicateNames::Error);
    let refused = convert(Format::Bson, &document, Format::Bson, &refusing).unwrap_err();
    assert!(refused.starts_with("$.a.x: a name occurs more than once"), "{refused}");
}

/// A member that is left out may hold a wrapper, and is not reported for it.
#[test]
fn a_left_out_wrapper_is_not_noticed() {
    let policy = with(|policy| policy.duplicate_names = DuplicateNames::Last);
    let source = br#"{"a":{"$numberDouble":"0.1000000000000000000001"},"a":1}"#;
    let (out, report) = converted(Format::Json, source, Format::Json, &policy);
    assert_eq!((text(out).as_str(), losses(&report)), (r#"{"a":1}"#, vec!["duplicate-name $.a 1".to_owned()]));
}

#[test]
fn a_date_that_went_through_oson_is_a_date_in_mongodbs_text() {
    let image = converted(Format::Bson, &bson(&in_v(Value::DateTime(1500))), Format::Oson, &Policy::default()).0;
    for (style, expected, reported) in [
        (JsonStyle::ExtendedRelaxed, r#"{"v":{"$date":"1970-01-01T00:00:01.500Z"}}"#, vec![]),
        (JsonStyle::ExtendedCanonical, r#"{"v":{"$date":{"$numberLong":"1500"}}}"#, vec![]),
        (JsonStyle::Oracle, r#"{"v":{"$oracleTimestamp":"1970-01-01T00:00:01.500000"}}"#, vec![]),
        (JsonStyle::Plain, r#"{"v":"1970-01-01T00:00:01.500000"}"#, vec!["type $.v 1"]),
    ] {
        let (out, report) = converted(Format::Oson, &image, Format::Json, &styled(style));
        assert_eq!((text(out).as_str(), losses(&report)), (expected, reported.iter().map(|&s| s.into()).collect()));
    }
    let mut time = CivilTime::from_unix_ms(0).unwrap();
    let (out, report) =
        converted(Format::Oson, &oson(&in_v(Value::OracleDate(time))), Format::Json, &Policy::default());
    assert_eq!(text(out), r#"{"v":{"$date":"1970-01-01T00:00:00Z"}}"#);
    assert_eq!(losses(&report), ["time-type $.v 1"]);
    time.nanosecond = 1;
    let fine = oson(&in_v(Value::OracleTimestamp(time)));
    let (out, report) = converted(Format::Oson, &fine, Format::Json, &Policy::default());
    assert!(text(out).contains("$oracleTimestamp") && report.is_empty());
}

#[test]
fn types_of_oracle_come_back_from_bson() {
    // One float32, without its norm.
    let vector = [&[0xDB, 0, 0, 0x12, 2, 0, 0, 0, 1][..], &[0; 8], &[0xC0, 0x20, 0, 0]].concat();
    let document = Value::Object(vec![
        (
            "ds".into(),
            Value::IntervalDaySecond(IntervalDaySecond { days: 1, hours: 2, minutes: 3, seconds: 4, nanoseconds: 5 }),
        ),
        ("ym".into(), Value::IntervalYearMonth(IntervalYearMonth { years: 2, months: 3 })),
        ("id".into(), Value::Id(vec![1, 2])),
        ("vec".into(), Value::OracleVector(vector)),
    ]);
    let image = oson(&document);
    let (there, away) = converted(Format::Oson, &image, Format::Bson, &Policy::default());
    assert_eq!(losses(&away), ["wrapped $.ds 1", "wrapped $.id 1", "wrapped $.vec 1", "wrapped $.ym 1"]);
    let (back, home) = converted(Format::Bson, &there, Format::Oson, &Policy::default());
    assert_eq!(losses(&home), ["unwrapped $.ds 1", "unwrapped $.id 1", "unwrapped $.vec 1", "unwrapped $.ym 1"]);
    assert_eq!(value(Format::Oson, &back), document);
    // A comparison sees through it, and unwrapping can be turned off.
    let (left, right, policy) = (open(Format::Oson, &image), open(Format::Bson, &there), Policy::default());
    let (left, right) = (Meaning::new(&left, &policy), Meaning::new(&right, &policy));
    assert_eq!(differences(&left, &right, DiffOptions::default()), [""; 0]);
    let keeping = with(|policy| policy.unwrap = false);
    let (kept, report) = converted(Format::Bson, &there, Format::Oson, &keeping);
    assert!(report.is_empty() && value(Format::Oson, &kept).get("id").unwrap().get("$rawid").is_some());
}

#[test]
fn an_object_that_looks_like_an_object_id_does_not_become_one_silently() {
    let lookalike = in_v(Value::Array(vec![
        Value::Object(vec![("$oid".into(), Value::String("56e1fc72e0c917e9c4714161".into()))]),
        Value::Object(vec![("$code".into(), Value::String("f".into())), ("$scope".into(), Value::Object(vec![]))]),
    ]));
    let image = oson(&lookalike);
    let (_, report) = converted(Format::Oson, &image, Format::Bson, &Policy::default());
    assert_eq!(losses(&report), ["unwrapped $.v[*] 2"]);
    for style in STYLES {
        let (_, report) = converted(Format::Oson, &image, Format::Json, &styled(style));
        let plain = style == JsonStyle::Plain;
        let expected = if plain { "wrapper-ambiguous $.v[*] 2" } else { "unwrapped $.v[*] 2" };
        assert_eq!(losses(&report)[0], expected, "{style:?}");
        let (_, report) = converted(Format::Bson, &bson(&lookalike), Format::Json, &styled(style));
        assert_eq!(losses(&report), ["wrapper-ambiguous $.v[*] 2"], "{style:?}");
    }
    // What begins like one and is none would be an error of the text.
    let malformed = oson(&in_v(Value::Object(vec![("$oid".into(), Value::Int32(5))])));
    let (_, report) = converted(Format::Oson, &malformed, Format::Json, &Policy::default());
    assert_eq!(losses(&report), ["wrapper-ambiguous $.v 1"]);
    // Oracle's objects in OSON would be read as what they look like on the way back from BSON.
    let raw_id = oson(&in_v(Value::Object(vec![("$rawid".into(), Value::String("01".into()))])));
    let (_, report) = converted(Format::Oson, &raw_id, Format::Bson, &Policy::default());
    assert_eq!(losses(&report), ["wrapper-ambiguous $.v 1"]);
}

#[test]
fn a_vector_that_is_none_is_reported() {
    let image = unhex("ff4a5a01001600107b010000000adb000000040000000201");
    for style in STYLES {
        let (_, report) = converted(Format::Oson, &image, Format::Json, &styled(style));
        assert_eq!(losses(&report), ["type $ 1"], "{style:?}");
    }
    let id = oson(&in_v(Value::Id(vec![])));
    let (_, report) = converted(Format::Oson, &id, Format::Bson, &Policy::default());
    assert_eq!(losses(&report), ["type $.v 1"]);
}

#[test]
fn bits_of_decimals_that_are_no_numbers_are_not_lost_silently() {
    const NAN: u128 = 0b11111 << 122;
    const INFINITY: u128 = 0b11110 << 122;
    for (bits, lost) in [
        (NAN | 1 << 121, "nan-payload $.v 1"),
        (NAN | 1 << 127, "nan-payload $.v 1"),
        (NAN | 7, "nan-payload $.v 1"),
        (INFINITY | 7, "decimal-bits $.v 1"),
        // Zeros in the long form, and of more than 34 digits.
        (0b11 << 125, "decimal-bits $.v 1"),
        (0x3040 << 112 | ((1 << 113) - 1), "decimal-bits $.v 1"),
    ] {
        let document = bson(&decimal(bits));
        let targets = STYLES.iter().skip(1).map(|&style| (Format::Json, styled(style)));
        for (to, policy) in targets.chain([(Format::Oson, Policy::default())]) {
            let (_, report) = converted(Format::Bson, &document, to, &policy);
            assert!(losses(&report).contains(&lost.to_owned()), "{bits:x} to {to}: {report}");
            assert_eq!(report.count_of(Grade::Value), 1, "{report}");
        }
        let (_, report) = converted(Format::Bson, &document, Format::Json, &styled(JsonStyle::Plain));
        assert_eq!(report.count_of(Grade::Value), 1, "{report}");
    }
    for bits in [NAN, INFINITY] {
        let (_, report) = converted(Format::Bson, &bson(&decimal(bits)), Format::Oson, &Policy::default());
        assert_eq!(report.count_of(Grade::Value), 0, "{report}");
    }
}

#[test]
fn rounding_does_not_reach_infinity() {
    let rounding = with(|policy| policy.inexact = Inexact::Double);
    for to in [Format::Bson, Format::Oson] {
        let refused = convert(Format::Json, br#"{"n":-1e999}"#, to, &rounding).unwrap_err();
        assert!(refused.starts_with("$.n: this number is beyond the largest double"), "{refused}");
    }
    let (_, report) = converted(Format::Json, br#"{"n":1e-999}"#, Format::Bson, &rounding);
    assert_eq!(losses(&report), ["number-rounded $.n 1"]);
}

#[test]
fn a_number_double_that_is_rounded_is_reported() {
    for (number, rounded) in [
        (r#"{"$numberDouble":"0.1000000000000000000001"}"#, true),
        (r#"{"$numberDouble":"0.10000000000000001"}"#, false),
        (r#"{"$numberDouble":"0.1000000000000000055511151231257827"}"#, false),
        (r#"{"$numberDouble":"-1.2345678921232E+18"}"#, false),
        (r#"{"$numberDouble":"5e-324"}"#, false),
        (r#"{"$numberDouble":"5e-325"}"#, true),
        (r#"{"$numberDouble":"0.000"}"#, false),
        (r#"{"$numberDouble":"9007199254740993"}"#, true),
        (r#"{"$numberFloat":0.1}"#, false),
        (r#"{"$numberFloat":0.123456789}"#, true),
    ] {
        let text = format!(r#"{{"n":[{number}]}}"#);
        let (_, report) = converted(Format::Json, text.as_bytes(), Format::Oson, &Policy::default());
        let expected: &[&str] = if rounded { &["number-rounded $.n[*] 1"] } else { &[] };
        assert_eq!(losses(&report), expected, "{number}");
    }
}

#[test]
fn a_decimal_that_was_asked_for_around_a_bare_number_is_a_decimal() {
    let source = br#"{"v":{"$numberDecimal":1.10}}"#;
    let (bytes, report) = converted(Format::Json, source, Format::Bson, &Policy::default());
    let expected = Value::Decimal128(Decimal128::parse("1.10").unwrap());
    assert_eq!((value(Format::Bson, &bytes).get("v"), report.is_empty()), (Some(&expected), true));
    // OSON has NUMBERs, which is what Oracle reads.
    let (image, _) = converted(Format::Json, source, Format::Oson, &Policy::default());
    assert_eq!(value(Format::Oson, &image).get("v").unwrap().kind(), boson_document::Kind::Number);
    let mongodb = with(|policy| policy.dialects = Dialects::MONGODB);
    assert!(convert(Format::Json, source, Format::Bson, &mongodb).is_err());
}

#[test]
fn sorted_options_of_a_regex_are_noted() {
    let mut document = bson(&in_v(Value::Regex { pattern: "a".into(), options: "imx".into() }));
    let at = document.windows(3).position(|window| window == b"imx").unwrap();
    document[at..at + 3].copy_from_slice(b"xmi");
    for to in [Format::Oson, Format::Json] {
        let (_, report) = converted(Format::Bson, &document, to, &Policy::default());
        assert!(losses(&report).contains(&"regex-options $.v 1".to_owned()), "{report}");
    }
    assert_eq!(converted(Format::Bson, &document, Format::Bson, &Policy::default()).0, document);
}

#[test]
fn a_bson_document_that_could_not_be_read_again_is_not_written() {
    let long = format!(r#"{{"v":"{}"}}"#, "x".repeat(Limits::BSON.bytes));
    let refused = convert(Format::Json, long.as_bytes(), Format::Bson, &Policy::default()).unwrap_err();
    assert!(refused.contains("larger than"), "{refused}");
    let lifted = with(|policy| policy.bson_limits = Limits::BSON.with_bytes(1 << 25));
    converted(Format::Json, long.as_bytes(), Format::Bson, &lifted);
}

/// The names of an array's elements are no data: no driver shows them, and every writer counts anew.
#[test]
fn names_in_arrays_are_counted_anew() {
    let document = unhex("140000000461000c000000107800010000000000");
    let (text, report) = converted(Format::Bson, &document, Format::Json, &Policy::default());
    assert_eq!((self::text(text).as_str(), report.is_empty()), (r#"{"a":[1]}"#, true));
}

#[test]
fn redacted_bytes_are_reported_as_lost() {
    let document = bson(&in_v(Value::Binary { subtype: 8, bytes: vec![1] }));
    let redacting = with(|policy| policy.redact_sensitive = true);
    let (out, report) = converted(Format::Bson, &document, Format::Json, &redacting);
    assert_eq!((text(out).as_str(), losses(&report)), (r#"{"v":"REDACTED"}"#, vec!["type $.v 1".to_owned()]));
}
