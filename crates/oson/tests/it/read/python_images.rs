//! Images that python-oracledb wrote: `testdata/oson/python_images.json`.

use boson_document::{CivilTime, IntervalDaySecond, Limits, Value};
use boson_oson::{Document, Vector, VectorFormat, validate};
use boson_testkit::{laws, unhex, workspace_root};
use serde_json::{Value as Json, json};

use super::decode_bytes;

pub(super) fn python_images() -> Vec<(String, Json, Vec<u8>)> {
    let text = std::fs::read(workspace_root().join("testdata/oson/python_images.json")).unwrap();
    let all: Json = serde_json::from_slice(&text).unwrap();
    let image = |image: &Json| {
        let text = |key: &str| image[key].as_str().unwrap().to_owned();
        (text("name"), image["value"].clone(), unhex(&text("oson")))
    };
    all["images"].as_array().unwrap().iter().map(image).collect()
}

#[test]
fn every_image_decodes_to_its_value() {
    let images = python_images();
    assert_eq!(images.len(), 47);
    for (name, expected, image) in images {
        let value = decode_bytes(&image).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(to_json(&value), expected, "{name}");
        laws::layout_tiles(&Document::new(&image).unwrap(), image.len());
        assert_eq!(validate(&image, &Limits::OSON), Ok(()), "{name}");
    }
}

fn to_json(value: &Value) -> Json {
    match value {
        Value::Null => Json::Null,
        Value::Bool(value) => json!(value),
        Value::String(value) => json!(value),
        Value::Number(value) => json!(value.as_number().to_text().as_str()),
        Value::Binary { subtype: 0, bytes } => json!({"$bytes": boson_testkit::hex(bytes)}),
        Value::OracleTimestamp(time) => {
            let fraction = if time.nanosecond == 0 { String::new() } else { format!(".{:09}", time.nanosecond) };
            let CivilTime { hour, minute, second, .. } = time;
            json!({"$timestamp": format!("{}T{hour:02}:{minute:02}:{second:02}{fraction}", day(time))})
        }
        Value::OracleDate(time) => json!({"$date": day(time)}),
        Value::IntervalDaySecond(IntervalDaySecond { days, hours, minutes, seconds, nanoseconds }) => {
            json!({"$interval": [days, hours, minutes, seconds, nanoseconds]})
        }
        Value::OracleVector(image) => vector(&Vector::new(image).unwrap()),
        Value::Array(elements) => elements.iter().map(to_json).collect(),
        Value::Object(members) => Json::Object(members.iter().map(|(name, v)| (name.clone(), to_json(v))).collect()),
        other => panic!("python-oracledb does not write this: {other:?}"),
    }
}

fn day(time: &CivilTime) -> String {
    format!("{:04}-{:02}-{:02}", time.year, time.month, time.day)
}

fn vector(vector: &Vector<'_>) -> Json {
    let format = match vector.format() {
        VectorFormat::Float32 => "float32",
        VectorFormat::Float64 => "float64",
        VectorFormat::Int8 => "int8",
        VectorFormat::Binary => "binary",
    };
    let whole = |value: f64| format!("{value}").parse::<i64>().unwrap();
    let values: Vec<Json> = match vector.format() {
        VectorFormat::Float32 | VectorFormat::Float64 => vector.values().map(|value| json!(value)).collect(),
        VectorFormat::Int8 | VectorFormat::Binary => vector.values().map(|value| json!(whole(value))).collect(),
    };
    json!({"$vector": [format, values]})
}
