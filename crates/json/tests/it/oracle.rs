//! Oracle's extended objects.

use boson_document::{
    CivilTime, Decimal, Decimal128, IntervalDaySecond, IntervalYearMonth, ObjectId, Rule, Value, ZonedTime,
};
use boson_json::{Dialects, Style};
use boson_testkit::unhex;

use crate::support::{broken, extended, mongodb, written};

fn oracle(text: &str) -> Result<Value, boson_document::DecodeError> {
    extended(text, Dialects::ORACLE)
}

fn civil(year: i16, month: u8, day: u8, hour: u8, minute: u8, second: u8, nanosecond: u32) -> CivilTime {
    CivilTime { year, month, day, hour, minute, second, nanosecond }
}

fn number(text: &str) -> Value {
    Value::Number(Decimal::parse(text).unwrap().to_number().unwrap())
}

/// Every scalar of OSON, as it is written and read back.
#[test]
fn what_oson_has_is_written_and_read_back() {
    let noon = civil(2024, 1, 2, 3, 4, 5, 0);
    let micros = civil(2024, 1, 2, 3, 4, 5, 123_456_000);
    let nanos = civil(1999, 12, 31, 23, 59, 59, 123_456_789);
    let days = |days, hours, minutes, seconds, nanoseconds| {
        Value::IntervalDaySecond(IntervalDaySecond { days, hours, minutes, seconds, nanoseconds })
    };
    let months = |years, months| Value::IntervalYearMonth(IntervalYearMonth { years, months });
    for (value, text) in [
        (Value::Null, "null"),
        (Value::Bool(true), "true"),
        (Value::Int32(5), "5"),
        (Value::Int64(5), r#"{"$numberLong":5}"#),
        (Value::Int64(9_007_199_254_740_993), "9007199254740993"),
        (Value::Float(12.5), r#"{"$numberFloat":12.5}"#),
        (Value::Float(0.1), r#"{"$numberFloat":0.1}"#),
        (Value::Float(f32::INFINITY), r#"{"$numberFloat":"Infinity"}"#),
        (Value::Double(42.25), r#"{"$numberDouble":42.25}"#),
        (Value::Double(2.0), r#"{"$numberDouble":2.0}"#),
        (Value::Double(-0.0), r#"{"$numberDouble":-0.0}"#),
        (Value::Double(1e300), r#"{"$numberDouble":1e+300}"#),
        (Value::Double(f64::NAN), r#"{"$numberDouble":"Nan"}"#),
        (Value::Double(f64::NEG_INFINITY), r#"{"$numberDouble":"-Infinity"}"#),
        (number("31"), r#"{"$numberDecimal":31}"#),
        (number("-12345.625"), r#"{"$numberDecimal":-12345.625}"#),
        (number("1E+100"), r#"{"$numberDecimal":1E+100}"#),
        (Value::Decimal128(Decimal128::parse("1.50").unwrap()), r#"{"$numberDecimal":"1.50"}"#),
        (Value::String("a".to_owned()), r#""a""#),
        (Value::Binary { subtype: 0, bytes: vec![1, 2, 255] }, r#"{"$rawhex":"0102FF"}"#),
        (Value::ObjectId(ObjectId([0xAB; 12])), r#"{"$oid":"abababababababababababab"}"#),
        (Value::Id(vec![0xAB; 16]), r#"{"$rawid":"abababababababababababababababab"}"#),
        (Value::Id(vec![7]), r#"{"$rawid":"07"}"#),
        (Value::OracleDate(noon), r#"{"$oracleDate":"2024-01-02T03:04:05"}"#),
        (Value::OracleTimestamp(noon), r#"{"$oracleTimestamp":"2024-01-02T03:04:05"}"#),
        (Value::OracleTimestamp(micros), r#"{"$oracleTimestamp":"2024-01-02T03:04:05.123456"}"#),
        (Value::OracleTimestamp(nanos), r#"{"$oracleTimestamp":"1999-12-31T23:59:59.123456789"}"#),
        (Value::OracleTimestamp(civil(-4712, 1, 1, 0, 0, 0, 0)), r#"{"$oracleTimestamp":"-4712-01-01T00:00:00"}"#),
        (
            Value::OracleTimestampTz(ZonedTime { utc: micros, offset_minutes: 0 }),
            r#"{"$oracleTimestampTZ":"2024-01-02T03:04:05.123456Z"}"#,
        ),
        (
            Value::OracleTimestampTz(ZonedTime { utc: micros, offset_minutes: -210 }),
            r#"{"$oracleTimestampTZ":"2024-01-01T23:34:05.123456-03:30"}"#,
        ),
        (
            Value::OracleTimestampTz(ZonedTime { utc: nanos, offset_minutes: 345 }),
            r#"{"$oracleTimestampTZ":"2000-01-01T05:44:59.123456789+05:45"}"#,
        ),
        (months(1, 2), r#"{"$intervalYearMonth":"P1Y2M"}"#),
        (months(-1, -2), r#"{"$intervalYearMonth":"-P1Y2M"}"#),
        (months(0, 0), r#"{"$intervalYearMonth":"P0Y"}"#),
        (months(0, 5), r#"{"$intervalYearMonth":"P5M"}"#),
        (months(178_956_970, 7), r#"{"$intervalYearMonth":"P178956970Y7M"}"#),
        (days(10, 5, 30, 2, 123_000_000), r#"{"$intervalDaySecond":"P10DT5H30M2.123S"}"#),
        (days(0, 0, 0, 0, 0), r#"{"$intervalDaySecond":"P0D"}"#),
        (days(-3, -4, -5, -6, -789_000_000), r#"{"$intervalDaySecond":"-P3DT4H5M6.789S"}"#),
        (days(0, 0, 0, 0, 1), r#"{"$intervalDaySecond":"PT0.000000001S"}"#),
        (days(i32::MIN, -23, -59, -59, -999_999_999), r#"{"$intervalDaySecond":"-P2147483648DT23H59M59.999999999S"}"#),
        (days(0, 1, 0, 0, 0), r#"{"$intervalDaySecond":"PT1H"}"#),
    ] {
        assert_eq!(written(&value, Style::Oracle), text);
        assert_eq!(oracle(text), Ok(value), "{text}");
    }
}

/// What only BSON has gets MongoDB's objects, and is read back too.
#[test]
fn what_only_bson_has_is_written_and_read_back() {
    for (value, text) in [
        (Value::MinKey, r#"{"$minKey":1}"#),
        (Value::MaxKey, r#"{"$maxKey":1}"#),
        (Value::Undefined, r#"{"$undefined":true}"#),
        (Value::DateTime(1_356_351_330_501), r#"{"$date":"2012-12-24T12:15:30.501Z"}"#),
        (Value::DateTime(-1), r#"{"$date":{"$numberLong":"-1"}}"#),
        (Value::Timestamp { time: 4_294_967_293, increment: 2 }, r#"{"$timestamp":{"t":4294967293,"i":2}}"#),
        (Value::Binary { subtype: 8, bytes: b"abc".to_vec() }, r#"{"$binary":{"base64":"YWJj","subType":"08"}}"#),
        (Value::Code("f".to_owned()), r#"{"$code":"f"}"#),
        (Value::Symbol("s".to_owned()), r#"{"$symbol":"s"}"#),
        (
            Value::Regex { pattern: "a/b".to_owned(), options: "ix".to_owned() },
            r#"{"$regularExpression":{"pattern":"a/b","options":"ix"}}"#,
        ),
        (
            Value::DbPointer { namespace: "db.c".to_owned(), id: ObjectId([1; 12]) },
            r#"{"$dbPointer":{"$ref":"db.c","$id":{"$oid":"010101010101010101010101"}}}"#,
        ),
        (Value::Decimal128(Decimal128::NAN), r#"{"$numberDecimal":"NaN"}"#),
        (
            Value::CodeWithScope { code: "f".to_owned(), scope: vec![("x".to_owned(), Value::MinKey)] },
            r#"{"$code":"f","$scope":{"x":{"$minKey":1}}}"#,
        ),
    ] {
        assert_eq!(written(&value, Style::Oracle), text);
        assert_eq!(oracle(text), Ok(value.clone()), "{text}");
        assert_eq!(mongodb(text), Ok(value), "{text}");
    }
}

/// The input of python-oracledb's tests of the keyword EXTENDED, whose results it asserts.
#[test]
fn what_the_database_reads_is_read() {
    let time = |nanosecond| civil(2022, 12, 6, 18, 12, 35, nanosecond);
    for (text, value) in [
        (r#"{"$numberFloat": 38.75}"#, Value::Float(38.75)),
        (r#"{"$numberDouble": 125.875}"#, Value::Double(125.875)),
        (r#"{"$oracleDate": "2022-12-05"}"#, Value::OracleDate(civil(2022, 12, 5, 0, 0, 0, 0))),
        (r#"{"$oracleDate": "2022-12-05T15:06:05"}"#, Value::OracleDate(civil(2022, 12, 5, 15, 6, 5, 0))),
        (r#"{"$numberLong": 9223372036854775807}"#, Value::Int64(i64::MAX)),
        (
            r#"{"$intervalDaySecond" : "P133DT2H5M8.123S"}"#,
            Value::IntervalDaySecond(IntervalDaySecond {
                days: 133,
                hours: 2,
                minutes: 5,
                seconds: 8,
                nanoseconds: 123_000_000,
            }),
        ),
        (r#"{"$numberDecimal": 18.25}"#, number("18.25")),
        (r#"{"$numberInt": 5 }"#, Value::Int32(5)),
        (r#"{"$rawhex": "73686f72745f726177"}"#, Value::Binary { subtype: 0, bytes: b"short_raw".to_vec() }),
        (r#"{"$oracleTimestamp": "2022-12-06T18:12:35"}"#, Value::OracleTimestamp(time(0))),
        (r#"{"$oracleTimestamp": "2022-12-06T18:12:35.123"}"#, Value::OracleTimestamp(time(123_000_000))),
        (
            r#"{"$oracleTimestampTZ": "2022-12-07T22:59:15.1234Z"}"#,
            Value::OracleTimestampTz(ZonedTime { utc: civil(2022, 12, 7, 22, 59, 15, 123_400_000), offset_minutes: 0 }),
        ),
        (r#"{"$intervalYearMonth" : "P10Y8M"}"#, Value::IntervalYearMonth(IntervalYearMonth { years: 10, months: 8 })),
        (r#"{"$numberDecimal": "31.5"}"#, Value::Decimal128(Decimal128::parse("31.5").unwrap())),
        (
            r#"{"$numberDecimal": "1234567890123456789012345678901234567890"}"#,
            number("1234567890123456789012345678901234567890"),
        ),
        (r#"{"$numberDecimal": 1e200}"#, Value::Decimal128(Decimal128::parse("1e200").unwrap())),
        (r#"{"$numberDouble": "inf"}"#, Value::Double(f64::INFINITY)),
        (r#"{"$numberDouble": "-Inf"}"#, Value::Double(f64::NEG_INFINITY)),
        (r#"{"$numberFloat": "nan"}"#, Value::Float(f32::NAN)),
        (r#"{"$binary": "AQI="}"#, Value::Binary { subtype: 0, bytes: vec![1, 2] }),
        (r#"{"$binary": "AQI=", "$subtype": 4}"#, Value::Binary { subtype: 4, bytes: vec![1, 2] }),
        (r#"{"$subtype": "04", "$binary": "AQI="}"#, Value::Binary { subtype: 4, bytes: vec![1, 2] }),
        (r#"{"$rawid": "56e1fc72e0c917e9c4714161"}"#, Value::ObjectId("56e1fc72e0c917e9c4714161".parse().unwrap())),
        (
            r#"{"$intervalDaySecond" : "PT26H"}"#,
            Value::IntervalDaySecond(IntervalDaySecond { days: 1, hours: 2, minutes: 0, seconds: 0, nanoseconds: 0 }),
        ),
        (
            r#"{"$date": "2020-01-01T00:00:00.123456+01:00"}"#,
            Value::OracleTimestampTz(ZonedTime { utc: civil(2019, 12, 31, 23, 0, 0, 123_456_000), offset_minutes: 60 }),
        ),
    ] {
        assert_eq!(oracle(text), Ok(value), "{text}");
        // Without the dialect most of these are not wrappers at all, the others malformed ones.
        if !text.contains("$number") && !text.contains("$binary") && !text.contains("$date") {
            assert_eq!(mongodb(text), crate::support::resolved(text));
        }
    }
}

#[test]
fn malformed_objects_are_refused() {
    for (text, rule) in [
        (r#"{"$oracleDate":"2022-13-05"}"#, Rule::ExtendedDate),
        (r#"{"$oracleDate":"2022-12-05T00:00:00.5"}"#, Rule::ExtendedDate),
        (r#"{"$oracleDate":"2022-12-05T00:00:00Z"}"#, Rule::ExtendedDate),
        (r#"{"$oracleDate":20221205}"#, Rule::ExtendedShape),
        (r#"{"$oracleTimestamp":"2022-12-05T00:00:00+01:00"}"#, Rule::ExtendedDate),
        (r#"{"$oracleTimestampTZ":"2022-12-05T00:00:00"}"#, Rule::ExtendedDate),
        (r#"{"$rawhex":"0"}"#, Rule::ExtendedBytes),
        (r#"{"$rawhex":"0g"}"#, Rule::ExtendedBytes),
        (r#"{"$rawid":"0"}"#, Rule::ExtendedBytes),
        (r#"{"$intervalYearMonth":"P"}"#, Rule::ExtendedInterval),
        (r#"{"$intervalYearMonth":"P1D"}"#, Rule::ExtendedInterval),
        (r#"{"$intervalYearMonth":"P1M2Y"}"#, Rule::ExtendedInterval),
        (r#"{"$intervalYearMonth":"P1Y2"}"#, Rule::ExtendedInterval),
        (r#"{"$intervalYearMonth":"1Y"}"#, Rule::ExtendedInterval),
        (r#"{"$intervalYearMonth":"P9999999999Y"}"#, Rule::ExtendedInterval),
        (r#"{"$intervalDaySecond":"P"}"#, Rule::ExtendedInterval),
        (r#"{"$intervalDaySecond":"PT"}"#, Rule::ExtendedInterval),
        (r#"{"$intervalDaySecond":"P1DT"}"#, Rule::ExtendedInterval),
        (r#"{"$intervalDaySecond":"P1H"}"#, Rule::ExtendedInterval),
        (r#"{"$intervalDaySecond":"PT1.5H"}"#, Rule::ExtendedInterval),
        (r#"{"$intervalDaySecond":"PT1S2M"}"#, Rule::ExtendedInterval),
        (r#"{"$intervalDaySecond":"P1Y"}"#, Rule::ExtendedInterval),
        (r#"{"$intervalDaySecond":"P99999999999D"}"#, Rule::ExtendedInterval),
        (r#"{"$intervalDaySecond":"PT1.S"}"#, Rule::ExtendedInterval),
        (r#"{"$numberFloat":"x"}"#, Rule::ExtendedNumber),
        (r#"{"$numberFloat":1e39}"#, Rule::ExtendedNumber),
        (r#"{"$numberInt":1.5}"#, Rule::ExtendedNumber),
        (r#"{"$numberInt":2147483648}"#, Rule::ExtendedNumber),
        (r#"{"$numberDecimal":1e7000}"#, Rule::ExtendedNumber),
        (r#"{"$numberDecimal":"12345678901234567890123456789012345678901"}"#, Rule::ExtendedNumber),
        (r#"{"$numberDecimal":true}"#, Rule::ExtendedShape),
        (r#"{"$binary":"AQI=","$subtype":256}"#, Rule::ExtendedShape),
        (r#"{"$vector":[1]}"#, Rule::ExtendedShape),
        (r#"{"$vector":[1],"$vectorElementType":"float16"}"#, Rule::ExtendedShape),
        (r#"{"$vector":1,"$vectorElementType":"float32"}"#, Rule::ExtendedShape),
        (r#"{"$vector":["x"],"$vectorElementType":"float32"}"#, Rule::ExtendedNumber),
        (r#"{"$vector":[true],"$vectorElementType":"float32"}"#, Rule::ExtendedNumber),
        (r#"{"$vector":[128],"$vectorElementType":"int8"}"#, Rule::ExtendedNumber),
        (r#"{"$vector":[1.5],"$vectorElementType":"int8"}"#, Rule::ExtendedNumber),
        (r#"{"$vector":[[1]],"$vectorElementType":"int8"}"#, Rule::ExtendedNumber),
        (r#"{"$vector":[2,[2],[1]],"$vectorElementType":"float32"}"#, Rule::ExtendedNumber),
        (r#"{"$vector":[2,[0],[1,2]],"$vectorElementType":"float32"}"#, Rule::ExtendedNumber),
    ] {
        assert_eq!(oracle(text), Err(broken(0, rule)), "{text}");
        let lenient = extended(text, Dialects::ORACLE.lenient());
        if !text.contains("e7000") {
            assert_eq!(lenient, crate::support::resolved(text), "{text}");
        }
    }
    assert_eq!(
        oracle(r#"{"$vectorElementType":"float32"}"#),
        crate::support::raw(r#"{"$vectorElementType":"float32"}"#)
    );
}

/// The images are laid out by hand from docs/format/oson.md, as drivers write them: a place for the norm, at zero.
#[test]
fn vectors_are_images_and_arrays() {
    let head = |version: &str, flags: &str, format: &str, count: &str| {
        format!("DB {version} {flags} {format} {count} 0000000000000000")
    };
    for (image, text) in [
        (
            head("00", "0012", "02", "00000002") + "BFC00000 405FFFFF",
            r#"{"$vector":[1.5,-1.25],"$vectorElementType":"float32"}"#,
        ),
        (
            head("00", "0012", "02", "00000003") + "80000000 FF800000 FFC00000",
            r#"{"$vector":[0.0,"Infinity","NaN"],"$vectorElementType":"float32"}"#,
        ),
        (
            head("00", "0012", "03", "00000001") + "BFB999999999999A",
            r#"{"$vector":[0.1],"$vectorElementType":"float64"}"#,
        ),
        (head("00", "0012", "04", "00000003") + "01 FF 80", r#"{"$vector":[1,-1,-128],"$vectorElementType":"int8"}"#),
        (head("01", "0010", "05", "00000010") + "01 FF", r#"{"$vector":[1,255],"$vectorElementType":"binary"}"#),
        (head("00", "0012", "03", "00000000"), r#"{"$vector":[],"$vectorElementType":"float64"}"#),
        (
            head("02", "0032", "02", "0000000A") + "0002 00000001 00000009 BF800000 C0000000",
            r#"{"$vector":[10,[1,9],[1.0,2.0]],"$vectorElementType":"float32"}"#,
        ),
    ] {
        let value = Value::OracleVector(unhex(&image));
        assert_eq!(written(&value, Style::Oracle), text);
        assert_eq!(oracle(text), Ok(value.clone()), "{text}");
        let array = text.strip_prefix(r#"{"$vector":"#).unwrap().split_once(",\"$").unwrap().0;
        assert_eq!(written(&value, Style::Plain), array);
        let inside = format!(r#"{{"$scope":{{"v":{text}}},"$code":""}}"#);
        let scope = Value::CodeWithScope { code: String::new(), scope: vec![("v".to_owned(), value)] };
        assert_eq!(oracle(&inside), Ok(scope));
    }
    let reversed = r#"{"$vectorElementType":"int8","$vector":[1]}"#;
    assert_eq!(oracle(reversed), oracle(r#"{"$vector":[1],"$vectorElementType":"int8"}"#));
    for broken in [
        "",
        "DB",
        "DB 00 0012 02 00000002 0000000000000000 BFC00000",
        "DB 00 0000 09 00000001 00",
        "DB 03 0000 04 00000000",
    ] {
        let value = Value::OracleVector(unhex(broken));
        let hex = broken.replace(' ', "");
        assert_eq!(written(&value, Style::Plain), format!("\"{hex}\""));
        assert_eq!(written(&value, Style::Oracle), format!("{{\"$rawhex\":\"{hex}\"}}"));
    }
}
