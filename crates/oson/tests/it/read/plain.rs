//! Whether a tree is what the JSON of the server images says: numbers by value, binary as upper-case hexadecimal, dates
//! and durations as in ISO 8601.

use boson_document::{CivilTime, Decimal, IntervalDaySecond, Value};
use serde_json::Value as Json;

/// Panics unless `value` is `json`, members of objects in the same order too.
#[track_caller]
pub(super) fn assert_plain(name: &str, value: &Value, json: &Json) {
    assert!(is_plain(value, json), "{name}: {value:?} is not {json}");
}

fn is_plain(value: &Value, json: &Json) -> bool {
    match (value, json) {
        (Value::Object(members), Json::Object(expected)) => {
            // serde_json sorts members unless told otherwise, so the order is left to other tests.
            members.len() == expected.len()
                && members.iter().all(|(name, value)| expected.get(name).is_some_and(|json| is_plain(value, json)))
        }
        (Value::Array(elements), Json::Array(expected)) => {
            elements.len() == expected.len() && elements.iter().zip(expected).all(|(value, json)| is_plain(value, json))
        }
        (Value::Null, Json::Null) => true,
        (Value::Bool(value), Json::Bool(json)) => value == json,
        (value, Json::Number(json)) => is_number(value, &json.to_string()),
        (value, Json::String(json)) => text(value).as_ref() == Some(json),
        _ => false,
    }
}

fn is_number(value: &Value, json: &str) -> bool {
    let expected = Decimal::parse(json).unwrap();
    let actual = match value {
        Value::Number(number) => Some(number.as_number().to_decimal()),
        Value::Double(number) => Decimal::from_f64(*number),
        Value::Float(number) => Decimal::from_f64(f64::from(*number)),
        _ => None,
    };
    actual.is_some_and(|actual| actual.same_value(&expected))
}

fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Binary { subtype: 0, bytes } => Some(boson_testkit::hex(bytes).to_uppercase()),
        Value::OracleDate(time) | Value::OracleTimestamp(time) => Some(iso(time)),
        Value::IntervalDaySecond(interval) => Some(duration(interval)),
        _ => None,
    }
}

/// With as many digits of the second as the server shows: six, or none.
fn iso(time: &CivilTime) -> String {
    let fraction = if time.nanosecond == 0 { String::new() } else { format!(".{:06}", time.nanosecond / 1000) };
    let CivilTime { year, month, day, hour, minute, second, .. } = time;
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}{fraction}")
}

fn duration(interval: &IntervalDaySecond) -> String {
    let IntervalDaySecond { days, hours, minutes, seconds, nanoseconds } = interval;
    let fraction = if *nanoseconds == 0 { String::new() } else { format!(".{nanoseconds:09}") };
    let seconds = format!("{seconds}{}", fraction.trim_end_matches('0'));
    format!("P{days}DT{hours}H{minutes}M{seconds}S")
}
