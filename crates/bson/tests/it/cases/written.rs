//! What the writer refuses or puts in order.

use boson_bson::{DocumentBuf, EncodeErrorKind, Writer, encode};
use boson_document::{
    CivilTime, Container, DecodeErrorKind, IntervalDaySecond, IntervalYearMonth, Kind, Regex, Rule, Scalar, Sink, Span,
    Value, ZonedTime,
};

use super::{document, value_of, view};
use crate::support::hex;

fn object(name: &str, value: Value) -> Value {
    Value::Object(vec![(name.into(), value)])
}

#[test]
fn a_nul_in_a_name_is_refused() {
    // B09
    let cases = [
        (object("a\0b", Value::Null), r#"$["a\u0000b"]"#),
        (object("\0", Value::Int32(1)), r#"$["\u0000"]"#),
        (object("a", object("b\0", Value::Null)), r#"$.a["b\u0000"]"#),
        (object("a", Value::Array(vec![Value::Null, object("\0x", Value::Null)])), r#"$.a[1]["\u0000x"]"#),
        (
            object("c", Value::CodeWithScope { code: "f".into(), scope: vec![("\0".into(), Value::Null)] }),
            r#"$.c["\u0000"]"#,
        ),
    ];
    for (value, path) in cases {
        let error = encode(&value).unwrap_err();
        assert_eq!((error.kind(), error.path().to_string().as_str()), (&EncodeErrorKind::NulInName, path));
    }
    assert!(DocumentBuf::new().append("a\0", Scalar::Null).is_err());
}

#[test]
fn a_name_with_nul_is_not_found_in_what_follows_a_name() {
    // The needle's bytes stand there: a name, its NUL, and the bytes of the value.
    let bytes = document("02 6100 02000000 7800 08 6200 01");
    assert_eq!(view(&bytes).get("a\0\u{2}").unwrap(), None);
    assert_eq!(view(&bytes).get("a\0").unwrap(), None);
    assert_eq!(view(&bytes).get("b\0\u{1}").unwrap(), None);
}

#[test]
fn a_nul_in_a_regex_is_refused() {
    // B09
    for (pattern, options) in [("a\0b", ""), ("\0", "i"), ("a", "i\0"), ("a", "\0x")] {
        let value = object("a", Value::Regex { pattern: pattern.into(), options: options.into() });
        let error = encode(&value).unwrap_err();
        let EncodeErrorKind::Source(fault) = error.kind() else { panic!("{error}") };
        assert_eq!(fault.kind, DecodeErrorKind::Broken(Rule::NulInRegex));
        assert_eq!(error.path().to_string(), "$.a");
    }
}

#[test]
fn options_of_a_regex_are_sorted() {
    // B30: as read, as written.
    for (options, sorted) in
        [("xi", "ix"), ("smi", "ims"), ("zyxa", "axyz"), ("ix", "ix"), ("", ""), ("ßb", "bß"), ("ii", "ii")]
    {
        let digits = hex(options.as_bytes());
        let bytes = document(&format!("0b 6100 6200 {digits}00"));
        assert_eq!(value_of(&bytes), Value::Regex { pattern: "b".into(), options: options.into() });
        let written = encode(&view(&bytes)).unwrap();
        assert_eq!(value_of(&written), Value::Regex { pattern: "b".into(), options: sorted.into() });
    }
}

#[test]
fn raw_documents_are_copied_not_read() {
    // B48: what is inside is nonsense, and comes out the same.
    for inner in ["", "02 6200 03000000 ffff00", "08 6200 07", "80 ffffff", "10 6200"] {
        let inner = document(inner);
        let mut writer = Writer::new();
        writer.raw_document(&view(&inner)).unwrap();
        assert_eq!(hex(writer.as_bytes()), hex(&inner), "as the root");
        writer.clear();
        writer.begin_object(Container { span: Span::default(), len: None }).unwrap();
        writer.key("a", Span::default()).unwrap();
        writer.raw_document(&view(&inner)).unwrap();
        writer.end_object().unwrap();
        assert_eq!(hex(writer.as_bytes()), hex(document(&format!("036100{}", hex(&inner)))), "as a value");
    }
}

#[test]
fn numbers_are_written_only_where_they_are_exact() {
    // B37, B39: 35 digits, exponents beyond Decimal128 and beyond int32.
    let text = |text: &str| object("a", Value::DecimalText(text.into()));
    for number in ["0.5", "-0.0", "1e22", "2.50", "-1.5e-3", "0.1", "1.10"] {
        assert_eq!(value_of(&encode(&text(number)).unwrap()), Value::Double(number.parse().unwrap()), "{number}");
    }
    for number in ["1234567890123456789012345678901234", "0.1000000000000000055511151231257827", "1E+400", "-1E-6176"] {
        let decimal = boson_document::Decimal128::parse(number).unwrap();
        assert_eq!(value_of(&encode(&text(number)).unwrap()), Value::Decimal128(decimal), "{number}");
    }
    for number in [
        "1234567890123456789012345678901234.5",
        "0.12345678901234567890123456789012345",
        "1E+6145",
        "1E+2147483648",
        "1E-9999999999",
        "abc",
    ] {
        let error = encode(&text(number)).unwrap_err();
        assert_eq!(error.kind(), &EncodeErrorKind::InexactNumber, "{number}");
        assert_eq!(error.path().to_string(), "$.a");
    }
}

#[test]
fn what_only_oracle_has_is_refused_with_its_path() {
    let civil = CivilTime { year: 2020, month: 1, day: 2, hour: 3, minute: 4, second: 5, nanosecond: 6 };
    let day_second = IntervalDaySecond { days: 1, hours: 2, minutes: 3, seconds: 4, nanoseconds: 5 };
    let values = [
        Value::Id(vec![1; 16]),
        Value::OracleDate(civil),
        Value::OracleTimestamp(civil),
        Value::OracleTimestampTz(ZonedTime { utc: civil, offset_minutes: 60 }),
        Value::IntervalYearMonth(IntervalYearMonth { years: 1, months: 2 }),
        Value::IntervalDaySecond(day_second),
        Value::OracleVector(vec![0xDB]),
    ];
    for value in values {
        let kind = value.kind();
        let error = encode(&object("a", Value::Array(vec![Value::Null, value]))).unwrap_err();
        assert_eq!(error.kind(), &EncodeErrorKind::UnsupportedKind(kind));
        assert_eq!(error.path().to_string(), "$.a[1]");
    }
}

#[test]
fn a_root_that_is_no_document_is_refused() {
    for value in [Value::Array(Vec::new()), Value::Null, Value::Int32(1), Value::String("a".into())] {
        let kind = value.kind();
        assert_eq!(encode(&value).unwrap_err().kind(), &EncodeErrorKind::RootNotDocument(kind));
    }
    let code = Value::CodeWithScope { code: String::new(), scope: Vec::new() };
    assert_eq!(encode(&code).unwrap_err().kind(), &EncodeErrorKind::RootNotDocument(Kind::CodeWithScope));
}

#[test]
fn regex_of_a_view_is_one_slice() {
    let mut text = String::new();
    let regex = Regex::join("b", "x", &mut text).unwrap();
    let mut buf = DocumentBuf::new();
    buf.append("a", Scalar::Regex(regex)).unwrap();
    assert_eq!(hex(buf.as_bytes()), hex(document("0b 6100 6200 7800")));
}
