//! The choices of the policy, one by one.

use boson_document::{CivilTime, Decimal, IntervalDaySecond, Value, ZonedTime};
use boson_json::{Dialects, Inexact, Style as JsonStyle};
use boson_testkit::unhex;
use boson_transcode::diff::DiffOptions;
use boson_transcode::{DuplicateNames, Format, Fractions, Loss, OutOfRange, Policy};

use crate::support::{bson, convert, converted, differences, losses, open, value};

fn with(change: impl FnOnce(&mut Policy)) -> Policy {
    let mut policy = Policy::default();
    change(&mut policy);
    policy
}

/// What the number `text` of a JSON text becomes, or why it becomes nothing.
fn number(text: &str, to: Format, policy: &Policy) -> Result<(Value, Vec<String>), String> {
    let document = format!("{{\"n\":{text}}}");
    let (bytes, report) = convert(Format::Json, document.as_bytes(), to, policy)?;
    Ok((value(to, &bytes).get("n").unwrap().clone(), losses(&report)))
}

fn decimal(text: &str) -> Value {
    Value::Decimal128(boson_document::Decimal128::parse(text).unwrap())
}

fn oracle_number(text: &str) -> Value {
    Value::Number(Decimal::parse(text).unwrap().to_number().unwrap())
}

#[test]
fn numbers_of_json_become_the_smallest_type_of_bson_that_holds_them() {
    let policy = Policy::default();
    for (text, expected) in [
        ("1", Value::Int32(1)),
        ("-2147483648", Value::Int32(i32::MIN)),
        ("2147483648", Value::Int64(2_147_483_648)),
        ("9007199254740993", Value::Int64(9_007_199_254_740_993)),
        ("-9223372036854775808", Value::Int64(i64::MIN)),
        ("1.0", Value::Double(1.0)),
        ("1e2", Value::Double(100.0)),
        ("0.1", Value::Double(0.1)),
        ("-0", Value::Double(-0.0)),
        ("-0.0", Value::Double(-0.0)),
        ("1e300", Value::Double(1e300)),
        ("100000000000000000000", Value::Double(1e20)),
        ("9223372036854775808", decimal("9223372036854775808")),
        ("123456789012345678901", decimal("123456789012345678901")),
        ("0.12345678901234567890", decimal("0.12345678901234567890")),
        ("1e400", decimal("1E+400")),
        ("0e99999999999999999999", Value::Double(0.0)),
        ("-0.00E-99999999999999999999", Value::Double(-0.0)),
    ] {
        assert_eq!(number(text, Format::Bson, &policy), Ok((expected, vec![])), "{text}");
    }
    let refused = number("1234567890123456789012345678901234567890", Format::Bson, &policy).unwrap_err();
    assert!(refused.starts_with("$.n: no number type of bson holds this number exactly"), "{refused}");
}

#[test]
fn numbers_of_json_go_to_oson_by_the_same_rule() {
    let policy = Policy::default();
    for (text, expected) in [
        ("1", Value::Int32(1)),
        ("9007199254740993", Value::Int64(9_007_199_254_740_993)),
        ("1.0", Value::Double(1.0)),
        ("0.1", Value::Double(0.1)),
        ("9223372036854775808", oracle_number("9223372036854775808")),
        ("123456789012345678901234567890123456789", oracle_number("123456789012345678901234567890123456789")),
    ] {
        assert_eq!(number(text, Format::Oson, &policy), Ok((expected, vec![])), "{text}");
    }
    assert_eq!(number("-0", Format::Oson, &policy), Ok((Value::Double(0.0), vec!["negative-zero $.n 1".to_owned()])));
    // What no NUMBER holds stays text.
    let digits = "1.23456789012345678901234567890123456789012345";
    assert_eq!(number(digits, Format::Oson, &policy), Ok((Value::DecimalText(digits.into()), vec![])));
}

#[test]
fn fractions_can_be_decimals() {
    let policy = with(|policy| policy.fractions = Fractions::Decimal);
    assert_eq!(number("0.10", Format::Bson, &policy), Ok((decimal("0.10"), vec![])));
    assert_eq!(number("1e2", Format::Bson, &policy), Ok((decimal("1E+2"), vec![])));
    assert_eq!(number("19.90", Format::Oson, &policy), Ok((oracle_number("19.90"), vec![])));
    assert_eq!(number("7", Format::Oson, &policy), Ok((Value::Int32(7), vec![])));
}

#[test]
fn inexact_numbers_can_be_rounded_or_refused() {
    let rounding = with(|policy| policy.inexact = Inexact::Double);
    let refusing = with(|policy| policy.inexact = Inexact::Error);
    for to in [Format::Bson, Format::Oson] {
        for text in ["9223372036854775808", "0.12345678901234567890", "123456789012345678901234567890123456789012"] {
            let rounded = Value::Double(text.parse().unwrap());
            assert_eq!(number(text, to, &rounding), Ok((rounded, vec!["number-rounded $.n 1".to_owned()])), "{text}");
            let refused = number(text, to, &refusing).unwrap_err();
            assert!(refused.contains("holds this number exactly"), "{refused}");
        }
        for policy in [&rounding, &refusing] {
            assert_eq!(number("0.5", to, policy), Ok((Value::Double(0.5), vec![])));
            assert_eq!(number("0e99999999999999999999", to, policy), Ok((Value::Double(0.0), vec![])));
        }
    }
}

/// Rounding is not offered where it would be refused, too.
#[test]
fn a_number_beyond_all_doubles_is_not_said_to_need_rounding() {
    for (inexact, to, text, expected) in [
        (Inexact::Decimal128, Format::Bson, "1e99999999999999999999", "beyond all that bson holds"),
        (Inexact::Decimal128, Format::Bson, "-1e6145", "beyond all that bson holds"),
        (Inexact::Error, Format::Bson, "1e400", "beyond the largest double"),
        (Inexact::Error, Format::Oson, "-1e99999999999999999999", "beyond the largest double"),
        (Inexact::Double, Format::Bson, "1e309", "beyond the largest double"),
        // These a double can stand for.
        (Inexact::Decimal128, Format::Bson, "1e-99999999999999999999", "rounding to a double must be asked for"),
        (Inexact::Error, Format::Oson, "1e-400", "rounding to a double must be asked for"),
    ] {
        let policy = with(|policy| policy.inexact = inexact);
        let refused = number(text, to, &policy).unwrap_err();
        assert!(refused.contains(expected), "{text}: {refused}");
        let rounded = number(text, to, &with(|policy| policy.inexact = Inexact::Double));
        assert_eq!(rounded.is_ok(), expected.contains("rounding"), "{text}: {rounded:?}");
    }
}

/// Cases O23 and O31: what a server refuses, or reads from a version on, is noted and written nevertheless.
#[test]
fn images_that_servers_refuse_are_noted() {
    let noted = |value: &Value, policy: &Policy| {
        let (image, report) = converted(Format::Bson, &bson(value), Format::Oson, policy);
        assert_eq!(report.count_of(boson_transcode::Grade::Value), 0);
        (image, losses(&report))
    };
    for (len, notes) in
        [(1, vec![]), (255, vec![]), (256, vec!["server-version $ 1"]), (65_535, vec!["server-version $ 1"])]
    {
        let named = Value::Object(vec![("n".repeat(len), Value::Null)]);
        let (image, found) = noted(&named, &Policy::default());
        assert_eq!((image[3] == 3, found), (len > 255, notes.into_iter().map(str::to_owned).collect()), "{len}");
    }
    // Names count in bytes.
    let (_, found) = noted(&Value::Object(vec![("é".repeat(128), Value::Null)]), &Policy::default());
    assert_eq!(found, ["server-version $ 1"]);

    for style in [boson_oson::write::Style::Compact, boson_oson::write::Style::Driver] {
        let policy = with(|policy| {
            policy.oson_limits = policy.oson_limits.with_bytes(64 << 20);
            policy.oson_style = style;
        });
        let of_len = |len| {
            let text = format!("{{\"a\":\"{}\"}}", "x".repeat(len));
            let (image, report) = converted(Format::Json, text.as_bytes(), Format::Oson, &policy);
            (image.len(), losses(&report))
        };
        let overhead = of_len(1 << 20).0 - (1 << 20);
        assert_eq!(of_len((32 << 20) - overhead), (32 << 20, vec![]));
        assert_eq!(of_len((32 << 20) - overhead + 1), ((32 << 20) + 1, vec!["server-bytes $ 1".to_owned()]));
    }

    for (levels, notes) in [(1000, 0), (1001, 1), (1024, 1)] {
        let text = format!("{}{}", "[".repeat(levels), "]".repeat(levels));
        let (image, report) = converted(Format::Json, text.as_bytes(), Format::Oson, &Policy::default());
        assert_eq!((report.count(Loss::ServerDepth), report.is_empty()), (notes, notes == 0), "{levels}");
        // The next document of the same converter is told apart.
        let (_, report) = converted(Format::Oson, &image, Format::Oson, &Policy::default());
        assert_eq!(report.count(Loss::ServerDepth), notes);
    }
    let mut converter = boson_transcode::Converter::new(Format::Oson, Policy::default());
    let (deep, mut out) = (format!("{}{}", "[".repeat(1001), "]".repeat(1001)), Vec::new());
    let mut report = boson_transcode::Report::new();
    for text in [deep.as_str(), "[1]", "{}"] {
        converter.convert(&open(Format::Json, text.as_bytes()), &mut report, &mut out).unwrap();
    }
    assert_eq!(report.count(Loss::ServerDepth), 1);
}

#[test]
fn numbers_of_oracle_become_the_smallest_type_of_bson_that_holds_them() {
    for (text, expected) in [
        ("7", Value::Int32(7)),
        ("-1e2", Value::Int32(-100)),
        ("2147483648", Value::Int64(2_147_483_648)),
        ("0.1", Value::Double(0.1)),
        ("1e20", Value::Double(1e20)),
        ("9223372036854775808", decimal("9223372036854775808")),
        ("1e125", Value::Double(1e125)),
    ] {
        let image = oson(&Value::Object(vec![("n".into(), oracle_number(text))]));
        let (bytes, report) = converted(Format::Oson, &image, Format::Bson, &Policy::default());
        assert_eq!(value(Format::Bson, &bytes).get("n"), Some(&expected), "{text}");
        assert_eq!(losses(&report), ["number-type $.n 1"]);
        // Relaxed text has the same numbers.
        let (text, _) = converted(Format::Oson, &image, Format::Json, &Policy::default());
        let (bytes, _) = converted(Format::Json, &text, Format::Bson, &Policy::default());
        assert_eq!(value(Format::Bson, &bytes).get("n"), Some(&expected));
    }
    let too_long = oson(&Value::Object(vec![("n".into(), oracle_number(&"1".repeat(39)))]));
    let refused = convert(Format::Oson, &too_long, Format::Bson, &Policy::default()).unwrap_err();
    assert!(refused.starts_with("$.n: no number type of bson holds this number exactly"), "{refused}");
}

fn oson(value: &Value) -> Vec<u8> {
    boson_oson::write::to_vec(value, &boson_oson::write::Options::default()).unwrap()
}

fn civil(nanosecond: u32) -> CivilTime {
    CivilTime { year: 2024, month: 2, day: 29, hour: 12, minute: 34, second: 56, nanosecond }
}

#[test]
fn times_of_oracle_become_dates_and_say_what_is_lost() {
    let at = |second_ms: i64| Value::DateTime(1_709_210_096_000 + second_ms);
    let zoned =
        |nanosecond, offset_minutes| Value::OracleTimestampTz(ZonedTime { utc: civil(nanosecond), offset_minutes });
    for (time, expected, lost) in [
        (Value::OracleTimestamp(civil(789_000_000)), at(789), vec![]),
        (Value::OracleTimestamp(civil(789_000_001)), at(789), vec!["fraction-below-ms $.t[*] 1"]),
        (Value::OracleTimestamp(civil(999)), at(0), vec!["fraction-below-ms $.t[*] 1"]),
        (Value::OracleDate(civil(0)), at(0), vec!["time-type $.t[*] 1"]),
        (zoned(0, 0), at(0), vec!["time-type $.t[*] 1"]),
        (zoned(0, 345), at(0), vec!["time-zone $.t[*] 1"]),
        (zoned(1, -480), at(0), vec!["time-zone $.t[*] 1", "fraction-below-ms $.t[*] 1"]),
    ] {
        let image = oson(&Value::Object(vec![("t".into(), Value::Array(vec![time]))]));
        let (bytes, report) = converted(Format::Oson, &image, Format::Bson, &Policy::default());
        assert_eq!(value(Format::Bson, &bytes).get("t"), Some(&Value::Array(vec![expected])));
        assert_eq!(losses(&report), lost);
    }
}

#[test]
fn types_of_oracle_that_bson_lacks_are_wrapped_or_refused() {
    let interval = IntervalDaySecond { days: 1, hours: 2, minutes: 3, seconds: 4, nanoseconds: 500_000_000 };
    let image = oson(&Value::Object(vec![
        ("i".into(), Value::IntervalDaySecond(interval)),
        ("id".into(), Value::Id(vec![1, 2])),
    ]));
    let (bytes, report) = converted(Format::Oson, &image, Format::Bson, &Policy::default());
    let expected = Value::Object(vec![
        ("i".into(), Value::Object(vec![("$intervalDaySecond".into(), Value::String("P1DT2H3M4.5S".into()))])),
        ("id".into(), Value::Object(vec![("$rawid".into(), Value::String("0102".into()))])),
    ]);
    assert_eq!(value(Format::Bson, &bytes), expected);
    assert_eq!(losses(&report), ["wrapped $.i 1", "wrapped $.id 1"]);

    let refusing = with(|policy| policy.oracle_types = OutOfRange::Error);
    let refused = convert(Format::Oson, &image, Format::Bson, &refusing).unwrap_err();
    assert!(refused.starts_with("$.i: bson has no type for a INTERVAL DAY TO SECOND"), "{refused}");
}

/// BSON allows a name twice (cases B01, E15 and O20).
#[test]
fn names_that_occur_twice_are_reported_or_refused() {
    let text = br#"{"a":1,"b":{"x.y":1,"c":2,"x.y":3},"a":2}"#;
    let (bytes, report) = converted(Format::Json, text, Format::Bson, &Policy::default());
    let twice = ["duplicate-name $.a 1", "duplicate-name $.b[\"x.y\"] 1"];
    assert_eq!(losses(&report), twice);
    let (back, report) = converted(Format::Bson, &bytes, Format::Json, &Policy::default());
    assert_eq!(losses(&report), twice);
    assert_eq!(back, text);

    for from in [(Format::Json, text.as_slice()), (Format::Bson, &bytes)] {
        let refused = convert(from.0, from.1, Format::Oson, &Policy::default()).unwrap_err();
        assert!(refused.contains("the name occurs twice in one object"), "{refused}");
        for (names, kept) in [
            (DuplicateNames::First, r#"{"a":1,"b":{"x.y":1,"c":2}}"#),
            (DuplicateNames::Last, r#"{"b":{"c":2,"x.y":3},"a":2}"#),
        ] {
            let policy = with(|policy| policy.duplicate_names = names);
            let (image, report) = converted(from.0, from.1, Format::Oson, &policy);
            assert_eq!(losses(&report), twice);
            let (json, _) = converted(Format::Oson, &image, Format::Json, &policy);
            assert_eq!(String::from_utf8(json).unwrap(), kept);
        }
    }
    let refusing = with(|policy| policy.duplicate_names = DuplicateNames::Error);
    for to in [Format::Bson, Format::Json] {
        let refused = convert(Format::Json, text, to, &refusing).unwrap_err();
        assert!(refused.starts_with("$.b[\"x.y\"]: a name occurs more than once"), "{refused}");
    }
}

#[test]
fn objects_that_look_like_wrappers_are_reported() {
    let lookalike = Value::Object(vec![(
        "a".into(),
        Value::Array(vec![
            Value::Object(vec![("$oid".into(), Value::String("56e1fc72e0c917e9c4714161".into()))]),
            Value::Object(vec![("x".into(), Value::Null), ("$oid".into(), Value::Null)]),
            Value::Object(vec![("$set".into(), Value::Null)]),
        ]),
    )]);
    let original = bson(&lookalike);
    let (image, report) = converted(Format::Bson, &original, Format::Oson, &Policy::default());
    assert_eq!(losses(&report), ["wrapper-ambiguous $.a[*] 2"]);
    // The first reads back as what it looks like; the second is no wrapper after all, and comes back as it was.
    let (back, _) = converted(Format::Oson, &image, Format::Bson, &Policy::default());
    let left = open(Format::Bson, &original);
    let right = open(Format::Bson, &back);
    let expected = ["$.a[0]: object of 1 | objectId 56e1fc72e0c917e9c4714161"];
    assert_eq!(differences(&left, &right, DiffOptions::default()), expected);
    let keeping = with(|policy| policy.unwrap = false);
    let (back, report) = converted(Format::Oson, &image, Format::Bson, &keeping);
    assert_eq!((back, report.is_empty()), (original.clone(), true));

    for (style, reported) in [(JsonStyle::Plain, 2), (JsonStyle::ExtendedRelaxed, 2), (JsonStyle::Oracle, 2)] {
        let policy = with(|policy| policy.json_style = style);
        let (_, report) = converted(Format::Bson, &original, Format::Json, &policy);
        assert_eq!(report.count(Loss::WrapperAmbiguous), reported);
    }
}

#[test]
fn plain_text_says_which_types_it_loses() {
    let document = Value::Object(vec![
        ("d".into(), Value::DateTime(0)),
        ("l".into(), Value::Int64(1)),
        ("big".into(), Value::Int64(1 << 40)),
        ("f".into(), Value::Double(0.5)),
        ("nan".into(), Value::Double(f64::NAN)),
        ("dec".into(), decimal("1.50")),
        ("b".into(), Value::Binary { subtype: 0, bytes: vec![255] }),
    ]);
    let plain = with(|policy| policy.json_style = JsonStyle::Plain);
    let (text, report) = converted(Format::Bson, &bson(&document), Format::Json, &plain);
    let expected = r#"{"d":"1970-01-01T00:00:00Z","l":1,"big":1099511627776,"f":0.5,"nan":"NaN","dec":1.50,"b":"FF"}"#;
    assert_eq!(String::from_utf8(text).unwrap(), expected);
    assert_eq!(
        losses(&report),
        ["number-type $.dec 1", "number-type $.l 1", "type $.b 1", "type $.d 1", "type $.nan 1"]
    );
}

#[test]
fn dialects_say_what_is_a_wrapper() {
    let text = br#"{"a":{"$oracleDate":"2020-01-01T00:00:00"},"b":{"$minKey":1}}"#;
    let both = converted(Format::Json, text, Format::Bson, &Policy::default()).0;
    assert_eq!(value(Format::Bson, &both).get("a"), Some(&Value::DateTime(1_577_836_800_000)));
    let mongodb = with(|policy| policy.dialects = Dialects::MONGODB);
    let (strict, _) = converted(Format::Json, text, Format::Bson, &mongodb);
    let plain = Value::Object(vec![("$oracleDate".into(), Value::String("2020-01-01T00:00:00".into()))]);
    assert_eq!(value(Format::Bson, &strict).get("a"), Some(&plain));
    assert_eq!(value(Format::Bson, &strict).get("b"), Some(&Value::MinKey));
    // A date that is none is an error, with its place.
    let refused = convert(Format::Json, br#"{"a":[1,{"$date":"junk"}]}"#, Format::Bson, &mongodb).unwrap_err();
    assert!(refused.starts_with("offset 8, $.a[1]"), "{refused}");
}

#[test]
fn what_was_written_before_an_error_is_taken_away() {
    for (to, text) in [
        (Format::Bson, r#"{"a":1,"b":{"$oid":"x"}}"#),
        (Format::Oson, r#"{"a":1,"b":{"$oid":"x"}}"#),
        (Format::Json, r#"{"a":1,"b":{"$oid":"x"}}"#),
        (Format::Bson, "[1]"),
        (Format::Json, "{\"a\":1"),
    ] {
        let mut out = b"before".to_vec();
        let document = boson_transcode::AnyDocument::new(Format::Json, text.as_bytes()).unwrap();
        let mut report = boson_transcode::Report::new();
        let mut converter = boson_transcode::Converter::new(to, Policy::default());
        assert!(converter.convert(&document, &mut report, &mut out).is_err());
        assert_eq!(out, b"before", "{text} to {to}");
        // And the converter is as good as new.
        let document = boson_transcode::AnyDocument::new(Format::Json, b"{}").unwrap();
        converter.convert(&document, &mut report, &mut out).unwrap();
        assert!(out.len() > 6);
    }
}

#[test]
fn vectors_that_text_cannot_say_are_reported() {
    // 9 bits, for which the array would be of 16; another magic; a NaN with bits of its own.
    let of_9_bits = unhex("db 01 0010 05 00000009 000000f600000000 a5ff");
    let of_another_magic = unhex("9b 00 0012 04 00000003 0000000000000000 80007f");
    let with_nan = unhex("db 00 0012 02 00000001 0000000000000000 00000000");
    for (image, loss) in [(of_9_bits, Loss::Type), (of_another_magic, Loss::Type), (with_nan, Loss::NanPayload)] {
        let document =
            boson_oson::write::to_vec(&Value::OracleVector(image), &boson_oson::write::Options::default()).unwrap();
        let (_, report) = convert(Format::Oson, &document, Format::Json, &Policy::default()).unwrap();
        assert_eq!((report.count(loss), report.iter().count()), (1, 1), "{report}");
    }
}
