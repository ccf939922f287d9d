//! The plain style, against what Oracle Database answered for its own images.

use boson_document::{
    CivilTime, Decimal, Decimal128, IntervalDaySecond, IntervalYearMonth, Number, ObjectId, Value, ZonedTime,
};
use boson_json::Style;
use boson_testkit::unhex;

use crate::support::{object, written};

fn number(bytes: &str) -> Value {
    Value::Number(Number::new(&unhex(bytes)).unwrap().to_buf())
}

/// The expected texts are what a server serialized; the scalars are those of the images in `oson_server_images.json`.
#[test]
fn scalars_read_as_the_server_serializes_them() {
    let time = |nanosecond| CivilTime { year: 2024, month: 1, day: 2, hour: 3, minute: 4, second: 5, nanosecond };
    for (name, value) in [
        ("scalar true", Value::Bool(true)),
        ("scalar null", Value::Null),
        ("number small positive", number("C108")),
        ("number small negative", number("3E6466")),
        ("number large", number("C85B08145D374B0A5E")),
        ("number decimal", number("3C644E38273366")),
        ("binary float", Value::Float(12.5)),
        ("binary double", Value::Double(42.25)),
        ("date", Value::OracleDate(CivilTime { hour: 0, minute: 0, second: 0, ..time(0) })),
        ("timestamp", Value::OracleTimestamp(time(123_456_000))),
        ("timestamp7", Value::OracleTimestamp(time(0))),
        (
            "interval day to second",
            Value::IntervalDaySecond(IntervalDaySecond {
                days: 10,
                hours: 5,
                minutes: 30,
                seconds: 2,
                nanoseconds: 123_000_000,
            }),
        ),
        ("raw binary", Value::Binary { subtype: 0, bytes: vec![1, 2, 255] }),
    ] {
        let Some(shared) = boson_testkit::shared() else { return };
        let images = std::fs::read(shared.join("vectors/oson_server_images.json")).unwrap();
        let images: serde_json::Value = serde_json::from_slice(&images).unwrap();
        assert_eq!(written(&value, Style::Plain), images[name]["json"].to_string(), "{name}");
    }
}

#[test]
fn every_scalar_has_a_plain_text() {
    let utc = CivilTime { year: 2024, month: 1, day: 2, hour: 3, minute: 4, second: 5, nanosecond: 0 };
    let scope = vec![("x".to_owned(), Value::Int32(1))];
    let decimal = |text| Value::Decimal128(Decimal128::parse(text).unwrap());
    for (value, text) in [
        (Value::Double(1e21), "1e+21"),
        (Value::Double(-0.0), "-0.0"),
        (Value::Double(f64::NAN), r#""NaN""#),
        (Value::Float(f32::NEG_INFINITY), r#""-Infinity""#),
        (Value::Float(0.1), "0.1"),
        (decimal("1.50"), "1.50"),
        (decimal("1E+400"), "1E+400"),
        (decimal("NaN"), r#""NaN""#),
        (decimal("-Infinity"), r#""-Infinity""#),
        (Value::Number(Decimal::parse("1000000").unwrap().to_number().unwrap()), "1000000"),
        (Value::DecimalText("1e7000".to_owned()), "1e7000"),
        (Value::ObjectId(ObjectId([0xAB; 12])), r#""abababababababababababab""#),
        (Value::Id(vec![0xAB, 1]), r#""ab01""#),
        (Value::Binary { subtype: 8, bytes: vec![0xAB] }, r#""AB""#),
        (Value::DateTime(1_356_351_330_501), r#""2012-12-24T12:15:30.501Z""#),
        (Value::DateTime(-1), r#""1969-12-31T23:59:59.999Z""#),
        (Value::DateTime(-62_167_219_200_000), r#""0000-01-01T00:00:00Z""#),
        (Value::DateTime(-62_167_219_200_001), "-62167219200001"),
        (Value::DateTime(i64::MIN), "-9223372036854775808"),
        (Value::OracleTimestampTz(ZonedTime { utc, offset_minutes: 0 }), r#""2024-01-02T03:04:05.000000Z""#),
        (Value::OracleTimestampTz(ZonedTime { utc, offset_minutes: 60 }), r#""2024-01-02T04:04:05.000000+01:00""#),
        (Value::IntervalYearMonth(IntervalYearMonth { years: 1, months: 2 }), r#""P1Y2M""#),
        // Parts of different signs are added up.
        (Value::IntervalYearMonth(IntervalYearMonth { years: 1, months: -2 }), r#""P10M""#),
        (
            Value::IntervalDaySecond(IntervalDaySecond { days: 1, hours: -1, minutes: 0, seconds: 0, nanoseconds: 0 }),
            r#""PT23H""#,
        ),
        (Value::Timestamp { time: 4_294_967_293, increment: 4_294_967_294 }, r#""4294967293:4294967294""#),
        (Value::Regex { pattern: "a\"b".to_owned(), options: "xi".to_owned() }, r#""/a\"b/ix""#),
        (Value::Code("f()".to_owned()), r#""f()""#),
        (Value::CodeWithScope { code: "f".to_owned(), scope }, r#"{"code":"f","scope":{"x":1}}"#),
        (Value::Symbol("s".to_owned()), r#""s""#),
        (
            Value::DbPointer { namespace: "db.c".to_owned(), id: ObjectId([1; 12]) },
            r#""db.c:010101010101010101010101""#,
        ),
        (Value::Undefined, "null"),
        (Value::MinKey, r#""MinKey""#),
        (Value::MaxKey, r#""MaxKey""#),
    ] {
        assert_eq!(written(&value, Style::Plain), text);
        let member = object([("a", value.clone()), ("b", Value::Array(vec![value.clone(), value]))]);
        let expected = format!("{{\"a\":{text},\"b\":[{text},{text}]}}");
        assert_eq!(written(&member, Style::Plain), expected);
        serde_json::from_str::<serde::de::IgnoredAny>(&expected).expect("JSON");
    }
}
