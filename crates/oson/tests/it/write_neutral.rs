//! The neutral rendering of values, by which the peers are asked: see xtask/peers/README.md.

use boson_document::{CivilTime, Decimal128, IntervalDaySecond, ObjectId, Value, ZonedTime};
use boson_testkit::unhex;
use serde_json::{Value as Json, json};

/// The value that this renders.
pub(crate) fn parse(node: &Json) -> Value {
    let text = || node["v"].as_str().unwrap();
    match node["t"].as_str().unwrap() {
        "null" => Value::Null,
        "bool" => Value::Bool(node["v"].as_bool().unwrap()),
        "int" => text().parse().map_or_else(|_| Value::DecimalText(text().to_owned()), Value::Int64),
        "number" => parse_number(text()),
        "double" => Value::Double(f64::from_bits(u64::from_str_radix(node["bits"].as_str().unwrap(), 16).unwrap())),
        "string" => Value::String(text().to_owned()),
        "binary" => Value::Binary { subtype: 0, bytes: unhex(text()) },
        "id" => parse_id(&unhex(text())),
        "date" => Value::OracleDate(parse_civil(&format!("{}T00:00:00", text()))),
        "timestamp" => Value::OracleTimestamp(parse_civil(text())),
        "timestamptz" => parse_zoned(text(), i16::try_from(node["offset"].as_i64().unwrap()).unwrap()),
        "intervalds" => Value::IntervalDaySecond(parse_interval(text().parse().unwrap())),
        "vector" => Value::OracleVector(parse_vector(node)),
        "array" => Value::Array(node["v"].as_array().unwrap().iter().map(parse).collect()),
        "object" => Value::Object(node["v"].as_array().unwrap().iter().map(parse_member).collect()),
        other => panic!("no value is rendered as {other}"),
    }
}

fn parse_member(pair: &Json) -> (String, Value) {
    (pair[0].as_str().unwrap().to_owned(), parse(&pair[1]))
}

fn parse_number(text: &str) -> Value {
    Decimal128::parse(text).map_or_else(|_| Value::DecimalText(text.to_owned()), Value::Decimal128)
}

fn parse_id(bytes: &[u8]) -> Value {
    bytes.try_into().map_or_else(|_| Value::Id(bytes.to_vec()), |id| Value::ObjectId(ObjectId(id)))
}

fn parse_civil(text: &str) -> CivilTime {
    let part = |range: std::ops::Range<usize>| text.get(range).unwrap().parse::<u8>().unwrap();
    let fraction = text.get(20..).unwrap_or_default();
    CivilTime {
        year: text[..4].parse().unwrap(),
        month: part(5..7),
        day: part(8..10),
        hour: part(11..13),
        minute: part(14..16),
        second: part(17..19),
        nanosecond: format!("{fraction:0<9}").parse().unwrap(),
    }
}

fn parse_zoned(text: &str, offset_minutes: i16) -> Value {
    let local = parse_civil(text);
    let utc = CivilTime::from_unix_ms(local.to_unix_ms() - i64::from(offset_minutes) * 60_000).unwrap();
    Value::OracleTimestampTz(ZonedTime { utc: CivilTime { nanosecond: local.nanosecond, ..utc }, offset_minutes })
}

/// With every part of the interval's own sign, as Oracle has them.
fn parse_interval(nanoseconds: i128) -> IntervalDaySecond {
    let part = |unit: i128, below: i128| i8::try_from(nanoseconds / (unit * 1_000_000_000) % below).unwrap();
    IntervalDaySecond {
        days: i32::try_from(nanoseconds / 86_400_000_000_000).unwrap(),
        hours: part(3600, 24),
        minutes: part(60, 60),
        seconds: part(1, 60),
        nanoseconds: i32::try_from(nanoseconds % 1_000_000_000).unwrap(),
    }
}

/// The image that python-oracledb makes of a vector: room for a norm, which is not set.
fn parse_vector(node: &Json) -> Vec<u8> {
    let elements = node["v"].as_array().unwrap();
    let (head, per_element): ([u8; 5], usize) = match node["format"].as_str().unwrap() {
        "float32" => ([0xDB, 0, 0, 0x12, 2], 1),
        "float64" => ([0xDB, 0, 0, 0x12, 3], 1),
        "int8" => ([0xDB, 0, 0, 0x12, 4], 1),
        _ => ([0xDB, 1, 0, 0x10, 5], 8),
    };
    let count = u32::try_from(elements.len() * per_element).unwrap();
    let mut image = [&head[..], &count.to_be_bytes(), &[0; 8]].concat();
    for element in elements {
        match element.as_str() {
            Some(bits) => {
                let mut bytes = unhex(bits);
                let negative = bytes[0] & 0x80 != 0;
                for byte in &mut bytes {
                    *byte ^= if negative { 0xFF } else { 0 };
                }
                bytes[0] ^= if negative { 0 } else { 0x80 };
                image.extend(bytes);
            }
            None => image.push(element.as_i64().unwrap().to_le_bytes()[0]),
        }
    }
    image
}

/// The rendering of a value that can be asked for; `None` for kinds that have none, or lose something in it.
pub(crate) fn render(value: &Value) -> Option<Json> {
    Some(match value {
        Value::Null => json!({"t": "null"}),
        Value::Bool(value) => json!({"t": "bool", "v": value}),
        Value::Int32(value) => json!({"t": "int", "v": value.to_string()}),
        Value::Int64(value) => json!({"t": "int", "v": value.to_string()}),
        Value::Float(value) => json!({"t": "double", "bits": format!("{:016x}", f64::from(*value).to_bits())}),
        Value::Double(value) => json!({"t": "double", "bits": format!("{:016x}", value.to_bits())}),
        Value::Decimal128(value) => json!({"t": "number", "v": value.to_string()}),
        Value::Number(value) => json!({"t": "number", "v": value.to_string()}),
        Value::DecimalText(value) => json!({"t": "number", "v": value}),
        Value::String(value) => json!({"t": "string", "v": value}),
        Value::Binary { subtype: 0, bytes } => json!({"t": "binary", "v": boson_testkit::hex(bytes)}),
        Value::ObjectId(id) => json!({"t": "id", "v": id.to_string()}),
        Value::Id(bytes) => json!({"t": "id", "v": boson_testkit::hex(bytes)}),
        Value::DateTime(ms) => render_timestamp(CivilTime::from_unix_ms(*ms)?)?,
        Value::OracleDate(date) => json!({"t": "date", "v": render_civil(*date)?.strip_suffix("T00:00:00.000000000")?}),
        Value::OracleTimestamp(time) => render_timestamp(*time)?,
        Value::IntervalDaySecond(parts) => json!({"t": "intervalds", "v": nanoseconds(*parts).to_string()}),
        Value::Array(elements) => {
            json!({"t": "array", "v": elements.iter().map(render).collect::<Option<Vec<_>>>()?})
        }
        Value::Object(members) => {
            let pairs = members.iter().map(|(name, value)| Some(json!([name, render(value)?])));
            json!({"t": "object", "v": pairs.collect::<Option<Vec<_>>>()?})
        }
        _ => return None,
    })
}

fn nanoseconds(parts: IntervalDaySecond) -> i128 {
    let minutes = (i128::from(parts.days) * 24 + i128::from(parts.hours)) * 60 + i128::from(parts.minutes);
    (minutes * 60 + i128::from(parts.seconds)) * 1_000_000_000 + i128::from(parts.nanoseconds)
}

fn render_civil(time: CivilTime) -> Option<String> {
    let CivilTime { year, month, day, hour, minute, second, nanosecond } = time;
    (year > 0).then(|| format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{nanosecond:09}"))
}

fn render_timestamp(time: CivilTime) -> Option<Json> {
    Some(json!({"t": "timestamp", "v": render_civil(time)?}))
}
