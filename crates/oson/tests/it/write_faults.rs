//! What cannot be written is refused, with its path.

use boson_document::{
    CivilTime, Container, Decimal128, DecodeError, DecodeErrorKind, IntervalDaySecond, IntervalYearMonth, Kind, Limit,
    Limits, ObjectId, Scalar, Sink, Source, Span, Value, ZonedTime,
};
use boson_oson::write::{DuplicateNames, EncodeError, EncodeErrorKind as Fault, Options, Writer, to_vec};
use boson_oson::{Document, validate};
use boson_testkit::laws;

fn object(members: &[(&str, Value)]) -> Value {
    Value::Object(members.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect())
}

/// The value in `{"x": [{}, {"y": value}]}`.
fn buried(value: Value) -> Value {
    object(&[
        ("z", Value::Int32(1)),
        ("x", Value::Array(vec![object(&[]), object(&[("w", Value::Null), ("y", value)])])),
    ])
}

fn fault(value: &Value, options: &Options) -> (Fault, String) {
    let error = to_vec(&buried(value.clone()), options).expect_err(&format!("{value:?}"));
    (error.kind(), error.path().to_string())
}

fn civil(year: i16) -> CivilTime {
    CivilTime { year, month: 1, day: 1, hour: 0, minute: 0, second: 0, nanosecond: 0 }
}

#[test]
fn what_only_bson_has_is_refused_in_both_styles() {
    let values = [
        Value::Timestamp { time: 1, increment: 2 },
        Value::Regex { pattern: "a".to_owned(), options: String::new() },
        Value::Code("f()".to_owned()),
        Value::Symbol("s".to_owned()),
        Value::DbPointer { namespace: "db.c".to_owned(), id: ObjectId([1; 12]) },
        Value::Undefined,
        Value::MinKey,
        Value::MaxKey,
        Value::CodeWithScope { code: String::new(), scope: Vec::new() },
    ];
    for value in values {
        for options in [Options::COMPACT, Options::DRIVER] {
            assert_eq!(fault(&value, &options), (Fault::UnsupportedKind(value.kind()), "$.x[1].y".to_owned()));
        }
    }
    let uuid = Value::Binary { subtype: 4, bytes: vec![0; 16] };
    assert_eq!(fault(&uuid, &Options::COMPACT).0, Fault::BinarySubtype(4));
}

#[test]
fn values_out_of_range_are_refused_in_both_styles() {
    let zone = |offset_minutes| Value::OracleTimestampTz(ZonedTime { utc: civil(2024), offset_minutes });
    let interval = IntervalDaySecond { days: 1, hours: 0, minutes: 0, seconds: 0, nanoseconds: 2_000_000_000 };
    let cases = [
        (Value::Decimal128(Decimal128::NAN), Fault::NotFinite),
        (Value::Decimal128(Decimal128::NEG_INFINITY), Fault::NotFinite),
        (Value::DecimalText("1.".to_owned()), Fault::DecimalText),
        (Value::DateTime(-62_135_596_800_001), Fault::DateRange),
        (Value::DateTime(253_402_300_800_000), Fault::DateRange),
        (Value::DateTime(i64::MIN), Fault::DateRange),
        (Value::OracleDate(CivilTime { month: 13, ..civil(2024) }), Fault::DateRange),
        (Value::OracleTimestamp(CivilTime { nanosecond: 1_000_000_000, ..civil(2024) }), Fault::DateRange),
        (Value::Id(vec![0; 128]), Fault::IdLength(128)),
    ];
    for (value, expected) in cases {
        for options in [Options::COMPACT, Options::DRIVER] {
            assert_eq!(fault(&value, &options), (expected, "$.x[1].y".to_owned()), "{value:?}");
        }
    }
    assert_eq!(fault(&zone(960), &Options::COMPACT).0, Fault::TimeZone(960));
    assert_eq!(fault(&Value::IntervalDaySecond(interval), &Options::COMPACT).0, Fault::IntervalRange);
    let months = Value::IntervalYearMonth(IntervalYearMonth { years: 1, months: 12 });
    assert_eq!(fault(&months, &Options::COMPACT).0, Fault::IntervalRange);
}

#[test]
fn what_the_driver_refuses_is_refused_in_its_style_alone() {
    let months = IntervalYearMonth { years: 1, months: 2 };
    let cases = [
        (Value::Double(f64::NAN), Fault::NotFinite),
        (Value::Double(f64::INFINITY), Fault::NotFinite),
        (Value::Double(1e126), Fault::NumberRange),
        (Value::Double(1e-131), Fault::NumberRange),
        (Value::Float(f32::NEG_INFINITY), Fault::NotFinite),
        (Value::Decimal128("1E+126".parse().unwrap()), Fault::NumberRange),
        // 40 digits that do not fall on pairs: the driver writes 22 bytes, which it cannot read.
        (Value::DecimalText("1.234567890123456789012345678901234567891e2".to_owned()), Fault::NumberRange),
        (Value::DecimalText("0.1e400".to_owned()), Fault::NumberRange),
        (Value::IntervalYearMonth(months), Fault::UnsupportedKind(Kind::IntervalYearMonth)),
    ];
    for (value, expected) in cases {
        assert!(to_vec(&value, &Options::COMPACT).is_ok(), "{value:?}");
        assert_eq!(fault(&value, &Options::DRIVER), (expected, "$.x[1].y".to_owned()), "{value:?}");
    }
}

#[test]
fn a_second_member_of_a_name_is_refused_or_dropped() {
    let twice = object(&[
        ("a", Value::Int32(1)),
        ("b", object(&[("a", Value::Int32(2)), ("c", Value::Null)])),
        ("a", Value::Int32(3)),
        ("d", Value::Int32(1)),
    ]);
    let document = object(&[("in", Value::Array(vec![twice.clone(), twice]))]);
    for options in [Options::COMPACT, Options::DRIVER] {
        let error = to_vec(&document, &options).unwrap_err();
        assert_eq!((error.kind(), error.path().to_string()), (Fault::DuplicateName, "$.in[0].a".to_owned()));
    }
    for (duplicate_names, expected) in [(DuplicateNames::First, "a1 b d"), (DuplicateNames::Last, "b a3 d")] {
        let image = to_vec(&document, &Options { duplicate_names, ..Options::COMPACT }).unwrap();
        validate(&image, &Limits::OSON).unwrap();
        let read = laws::tree(&Document::new(&image).unwrap()).unwrap();
        let Some(Value::Array(elements)) = read.get("in") else { panic!() };
        for element in elements {
            let Value::Object(members) = element else { panic!() };
            let words: Vec<String> = members
                .iter()
                .map(|(name, value)| match value {
                    Value::Int32(number) if name == "a" => format!("a{number}"),
                    _ => name.clone(),
                })
                .collect();
            assert_eq!(words.join(" "), expected);
        }
    }
}

/// What was dropped, at any depth, is as if it had never been there: its value, the names in it, what is shared with it.
#[test]
fn nothing_of_a_dropped_member_is_left_in_the_image() {
    let text = |text: &str| Value::String(text.to_owned());
    let secret = || {
        let inner = object(&[("secret name", text("secret value")), ("a", text("shared")), ("b", Value::Int32(7))]);
        Value::Array(vec![text("shared"), inner, text("secret value"), Value::Double(1.5)])
    };
    let kept = || object(&[("a", text("shared")), ("b", Value::Int32(7)), ("c", Value::Double(1.5))]);
    let others: Vec<(String, Value)> = (0..12).map(|n| (format!("n{n}"), text("shared"))).collect();
    let with = |members: &[(&str, Value)]| {
        let Value::Object(mut all) = object(members) else { unreachable!() };
        all.extend(others.clone());
        all.push(("z".to_owned(), Value::Array(vec![kept(), text("shared"), Value::Double(1.5), object(&[])])));
        Value::Array(vec![kept(), Value::Object(all), text("shared")])
    };
    let first = with(&[("x", kept()), ("x", secret()), ("y", Value::Null)]);
    let last = with(&[("x", secret()), ("x", kept()), ("y", Value::Null)]);
    let deep = object(&[("x", kept()), ("x", first.clone()), ("y", Value::Null)]);
    for options in [Options::COMPACT, Options::DRIVER, Options { keep_order: true, ..Options::COMPACT }] {
        let alone = to_vec(&with(&[("x", kept()), ("y", Value::Null)]), &options).unwrap();
        let keep = |duplicate_names| Options { duplicate_names, ..options };
        assert_eq!(to_vec(&first, &keep(DuplicateNames::First)).unwrap(), alone);
        assert_eq!(to_vec(&last, &keep(DuplicateNames::Last)).unwrap(), alone);
        let expected = to_vec(&object(&[("x", kept()), ("y", Value::Null)]), &options).unwrap();
        assert_eq!(to_vec(&deep, &keep(DuplicateNames::First)).unwrap(), expected);
    }
    let mut writer = Writer::new(&Options { duplicate_names: DuplicateNames::Last, ..Options::COMPACT });
    let mut out = vec![7];
    writer.write(&last, &mut out).unwrap();
    let end = out.len();
    writer.write(&kept(), &mut out).unwrap();
    assert_eq!(out[end..], to_vec(&kept(), &Options::COMPACT).unwrap());
}

#[test]
fn a_name_200000_times_makes_a_small_image() {
    let document = Value::Object((0..200_000).map(|n| ("a".to_owned(), Value::Int32(n))).collect());
    for (duplicate_names, expected) in [(DuplicateNames::First, 0), (DuplicateNames::Last, 199_999)] {
        let image = to_vec(&document, &Options { duplicate_names, ..Options::COMPACT }).unwrap();
        assert_eq!(image, to_vec(&object(&[("a", Value::Int32(expected))]), &Options::COMPACT).unwrap());
    }
}

#[test]
fn names_may_have_65535_bytes() {
    for (len, bytes) in [(255, 255), (256, 256), (65_535, 65_535)] {
        let document = object(&[("short", Value::Null), (&"é".repeat(len / 2), Value::Int32(bytes))]);
        for options in [Options::COMPACT, Options::DRIVER] {
            let image = to_vec(&document, &options).unwrap();
            assert_eq!(image[3], if len < 256 { 1 } else { 3 });
            validate(&image, &Limits::OSON).unwrap();
        }
    }
    let document = object(&[("a", object(&[(&"n".repeat(65_536), Value::Null)]))]);
    let error = to_vec(&document, &Options::COMPACT).unwrap_err();
    assert_eq!((error.kind(), error.path().to_string()), (Fault::NameLength(65_536), "$.a".to_owned()));
}

#[test]
fn limits_stop_a_document_before_it_is_written() {
    let options = |limits| Options { limits, ..Options::COMPACT };
    let deep = |levels: usize| (1..levels).fold(Value::Array(Vec::new()), |inner, _| Value::Array(vec![inner]));
    assert!(to_vec(&deep(1024), &Options::COMPACT).is_ok());
    let error = to_vec(&deep(1025), &Options::COMPACT).unwrap_err();
    assert_eq!(error.kind(), Fault::LimitExceeded(Limit::Depth(1024)));
    assert_eq!(error.path().segments().len(), 1024);

    let many = Value::Array(vec![Value::Null; 100]);
    assert!(to_vec(&many, &options(Limits::OSON.with_nodes(101))).is_ok());
    let error = to_vec(&many, &options(Limits::OSON.with_nodes(100))).unwrap_err();
    assert_eq!((error.kind(), error.path().to_string()), (Fault::LimitExceeded(Limit::Nodes), "$[99]".to_owned()));

    let size = to_vec(&many, &Options::COMPACT).unwrap().len();
    assert!(to_vec(&many, &options(Limits::OSON.with_bytes(size))).is_ok());
    let error = to_vec(&many, &options(Limits::OSON.with_bytes(size - 1))).unwrap_err();
    assert_eq!(error.kind(), Fault::LimitExceeded(Limit::Bytes));
}

/// Calls that make up no document are refused, and the writer is good for the next one.
#[test]
fn anything_but_one_document_is_refused() {
    let container = Container { span: Span::default(), len: None };
    let mut writer = Writer::new(&Options::COMPACT);
    let mut out = vec![7];
    let kind = |result: Result<(), EncodeError>| result.unwrap_err().kind();
    assert_eq!(kind(writer.finish(&mut out)), Fault::NotOneDocument);
    writer.begin_array(container).unwrap();
    assert_eq!(kind(writer.finish(&mut out)), Fault::NotOneDocument);
    writer.begin_array(container).unwrap();
    assert_eq!(kind(writer.end_object()), Fault::NotOneDocument);
    writer.end_array().unwrap();
    assert_eq!(kind(writer.end_array()), Fault::NotOneDocument);
    assert_eq!(kind(writer.scalar(Scalar::Null, Span::default())), Fault::NotOneDocument);
    assert_eq!(kind(writer.begin_object(container).map(|_| ())), Fault::NotOneDocument);
    writer.finish(&mut out).unwrap();
    assert_eq!(boson_testkit::hex(&out), "07ff4a5a01210600000000020001c000");
}

#[test]
fn a_document_after_a_failure_is_written_as_if_alone() {
    let mut writer = Writer::new(&Options::COMPACT);
    let good = buried(Value::Bool(true));
    let mut out = Vec::new();
    assert!(buried(Value::MaxKey).drive(&mut writer).is_err());
    assert!(writer.write(&buried(Value::MinKey), &mut out).is_err());
    assert!(out.is_empty());
    writer.write(&good, &mut out).unwrap();
    assert_eq!(out, to_vec(&good, &Options::COMPACT).unwrap());
}

/// Calls in any order: nothing panics, and what is written is an image.
#[test]
fn any_sequence_of_calls_ends_in_an_image_or_an_error() {
    let container = Container { span: Span::default(), len: None };
    let names = ["a", "b", "c", "", "é"];
    let mut rng = boson_testkit::Rng::new(31);
    let (mut out, mut images) = (Vec::new(), 0);
    for options in [Options::COMPACT, Options::DRIVER].repeat(10_000) {
        let mut writer = Writer::new(&options);
        for _ in 0..rng.below(14) {
            // The result does not matter: what follows an error is nobody's document.
            let _ = match rng.below(8) {
                0 => writer.begin_object(container).map(|_| ()),
                1 => writer.begin_array(container).map(|_| ()),
                2 => writer.end_object(),
                3 => writer.end_array(),
                4 => writer.begin_code_with_scope("", container).map(|_| ()),
                5 => writer.scalar(Scalar::Int32(7), Span::default()),
                6 => writer.scalar(Scalar::MaxKey, Span::default()),
                _ => Ok(()),
            };
            let _ = writer.key(rng.pick::<&str>(&names), Span::default());
        }
        out.clear();
        if writer.finish(&mut out).is_ok() {
            validate(&out, &Limits::OSON).unwrap();
            images += 1;
        }
    }
    assert!(images > 1000, "{images}");
}

/// A fault of the source passes through.
#[test]
fn the_sources_own_fault_is_kept() {
    struct Broken;
    impl Source for Broken {
        fn drive<S: Sink>(&self, _: &mut S) -> Result<(), S::Error> {
            Err(DecodeError::new(41, DecodeErrorKind::InvalidUtf8).into())
        }
    }
    let error = to_vec(&Broken, &Options::COMPACT).unwrap_err();
    assert_eq!(error.kind(), Fault::Source(DecodeError::new(41, DecodeErrorKind::InvalidUtf8)));
    assert_eq!(error.to_string(), "offset 41: invalid UTF-8");
}

/// The length of a text stands in one byte.
#[test]
fn a_decimal_text_of_more_than_255_bytes_is_refused_for_its_length() {
    let text = |digits| Value::DecimalText(format!("{}e-300", "1".repeat(digits)));
    assert!(to_vec(&text(250), &Options::COMPACT).is_ok());
    assert_eq!(fault(&text(251), &Options::COMPACT), (Fault::DecimalTextLength(256), "$.x[1].y".to_owned()));
    assert_eq!(fault(&text(251), &Options::DRIVER).0, Fault::NumberRange);
}

/// Opcode 0x35 holds JSON's grammar, which our own reader insists on.
#[test]
fn a_decimal_text_that_is_not_json_is_not_written_as_text() {
    for text in ["+1e500", "001e500", "-0123e-999"] {
        let error = to_vec(&Value::DecimalText(text.into()), &Options::COMPACT).unwrap_err();
        assert_eq!(error.kind(), Fault::DecimalText, "{text}");
    }
    let image = to_vec(&Value::DecimalText("1e500".into()), &Options::COMPACT).unwrap();
    validate(&image, &Limits::OSON).unwrap();
}

#[test]
fn a_default_writer_writes_as_a_new_one_does() {
    let document = Value::Array(vec![Value::String("shared".into()); 10]);
    let mut out = Vec::new();
    Writer::default().write(&document, &mut out).unwrap();
    assert_eq!(out, to_vec(&document, &Options::default()).unwrap());
}

/// As from an image whose values are shared: style `driver` shares nothing.
#[test]
fn one_value_delivered_again_and_again_does_not_fill_the_memory() {
    let options = Options { limits: Limits::OSON.with_bytes(1000), ..Options::DRIVER };
    let mut writer = Writer::new(&options);
    writer.begin_array(Container { span: Span::default(), len: None }).unwrap();
    let text = "x".repeat(1000);
    let delivered = (0..1000).take_while(|_| writer.scalar(Scalar::String(&text), Span::default()).is_ok()).count();
    assert!(delivered < 5, "{delivered}");
}
