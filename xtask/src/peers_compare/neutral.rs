//! The neutral rendering of values that the OSON peers are asked in and answer with (xtask/peers/README.md).

use boson_document::{CivilTime, Decimal, IntervalDaySecond, IntervalYearMonth};
use boson_oson::{Vector, VectorFormat};
use serde_json::{Value as Json, json};

/// A number as a peer answers it: coefficient without trailing zeros, `e`, exponent.
pub(super) fn number(decimal: &Decimal) -> Json {
    json!({"t": "number", "v": number_text(decimal)})
}

pub(super) fn number_text(decimal: &Decimal) -> String {
    if decimal.is_zero() {
        return "0".to_owned();
    }
    let number = decimal.normalized();
    let text = number.to_text();
    let mantissa = text.as_str().split('E').next().unwrap_or_default();
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    let sign = if number.is_negative() { "-" } else { "" };
    format!("{sign}{}e{}", digits.trim_start_matches('0'), number.exponent())
}

pub(super) fn double(value: f64) -> Json {
    json!({"t": "double", "bits": format!("{:016x}", value.to_bits())})
}

/// A moment with nine digits of fraction; a year beyond four digits as JavaScript writes it.
pub(super) fn timestamp(time: CivilTime) -> Json {
    let CivilTime { year, month, day, hour, minute, second, nanosecond } = time;
    let year = if year < 0 { format!("-{:06}", year.unsigned_abs()) } else { format!("{year:04}") };
    let text = format!("{year}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{nanosecond:09}");
    json!({"t": "timestamp", "v": text})
}

/// All of an interval in nanoseconds.
pub(super) fn total_ns(interval: IntervalDaySecond) -> i128 {
    let seconds = i128::from(interval.days) * 86_400
        + i128::from(interval.hours) * 3600
        + i128::from(interval.minutes) * 60
        + i128::from(interval.seconds);
    seconds * 1_000_000_000 + i128::from(interval.nanoseconds)
}

pub(super) fn total_months(interval: IntervalYearMonth) -> i64 {
    i64::from(interval.years) * 12 + i64::from(interval.months)
}

pub(super) fn interval_ds(ns: i128) -> Json {
    json!({"t": "intervalds", "v": ns.to_string()})
}

pub(super) fn interval_ym(interval: IntervalYearMonth) -> Json {
    json!({"t": "intervalym", "v": total_months(interval).to_string()})
}

pub(super) fn vector(vector: &Vector<'_>) -> Json {
    let bytes = vector.element_bytes();
    let (format, values) = match vector.format() {
        VectorFormat::Float32 => ("float32", comparable(bytes, 4)),
        VectorFormat::Float64 => ("float64", comparable(bytes, 8)),
        VectorFormat::Int8 => ("int8", bytes.iter().map(|byte| json!(byte.cast_signed())).collect()),
        VectorFormat::Binary => ("binary", bytes.iter().map(|byte| json!(byte)).collect()),
    };
    let mut rendered = json!({"t": "vector", "format": format, "v": values});
    if let (true, Some(members)) = (vector.is_sparse(), rendered.as_object_mut()) {
        let indices: Vec<u32> = vector.indices().collect();
        members.insert("sparse".to_owned(), json!({"dims": vector.dimensions(), "indices": indices}));
    }
    rendered
}

/// The bits of floats that are stored comparable: with the sign bit set when positive, else all bits inverted
/// (docs/format/oson.md).
fn comparable(bytes: &[u8], width: usize) -> Vec<Json> {
    let element = |bytes: &[u8]| {
        let positive = bytes.first().is_some_and(|byte| byte & 0x80 != 0);
        let mut plain: Vec<u8> = bytes.iter().map(|byte| if positive { *byte } else { !byte }).collect();
        if let (true, Some(first)) = (positive, plain.first_mut()) {
            *first &= 0x7F;
        }
        json!(boson_testkit::hex(plain))
    };
    bytes.chunks(width).map(element).collect()
}
