//! What is written is read back, on random documents.

use boson_document::{Builder, Decimal128, DecodeError, Kind, Source, Value};
use boson_json::{Dialects, Resolve, Style, Text, Unwrap, Writer};
use boson_testkit::corrupt::{damaged, prefixes};
use boson_testkit::laws::{assert_same, never_panics, written_is_read_back};
use boson_testkit::random::{Gen, documents};

fn write(value: &Value, style: Style) -> Result<Vec<u8>, boson_json::WriteError> {
    let mut writer = Writer::new(Vec::new(), style);
    value.drive(&mut writer)?;
    Ok(writer.into_inner())
}

fn read(text: &[u8], dialects: Dialects) -> Result<Value, DecodeError> {
    let mut sink = Unwrap::new(Builder::new(), dialects);
    Text::new(text).drive(&mut sink)?;
    Ok(sink.into_inner().finish().expect("a whole document"))
}

/// What stays of a document in text: options of a regex sorted, one NaN, one infinity of each sign.
pub(crate) fn as_text_has_it(value: Value) -> Value {
    let members = |members: Vec<(String, Value)>| {
        members.into_iter().map(|(name, value)| (name, as_text_has_it(value))).collect()
    };
    match value {
        Value::Object(object) => Value::Object(members(object)),
        Value::CodeWithScope { code, scope } => Value::CodeWithScope { code, scope: members(scope) },
        Value::Array(elements) => Value::Array(elements.into_iter().map(as_text_has_it).collect()),
        Value::Regex { pattern, options } => {
            let mut options: Vec<char> = options.chars().collect();
            options.sort_unstable();
            Value::Regex { pattern, options: options.into_iter().collect() }
        }
        Value::Double(value) if value.is_nan() => Value::Double(f64::NAN),
        Value::Decimal128(value) if value.is_nan() => Value::Decimal128(Decimal128::NAN),
        Value::Decimal128(value) if value.is_infinite() && value.is_negative() => {
            Value::Decimal128(Decimal128::NEG_INFINITY)
        }
        Value::Decimal128(value) if value.is_infinite() => Value::Decimal128(Decimal128::INFINITY),
        // More than 34 digits is what the format calls zero, and zero is what is written.
        Value::Decimal128(value) => {
            Value::Decimal128(value.to_decimal().and_then(|d| d.to_decimal128()).unwrap_or(value))
        }
        other => other,
    }
}

#[test]
fn canonical_text_gives_back_every_bson_document() {
    for document in documents(1, Gen::BSON_ALL.with_width(80), 400) {
        let document = as_text_has_it(document);
        written_is_read_back(
            &document,
            |value| write(value, Style::ExtendedCanonical),
            |text| read(text, Dialects::MONGODB.lenient()),
        );
    }
}

#[test]
fn oracle_text_gives_back_every_oson_document() {
    for document in documents(2, Gen::OSON_ALL.with_width(80), 400) {
        let text = write(&document, Style::Oracle).unwrap();
        let back = read(&text, Dialects::ORACLE.lenient()).unwrap();
        // What may differ and means the same: parts of an interval, the norm of a vector, trailing zeros of a text.
        let again = write(&back, Style::Oracle).unwrap();
        assert_eq!(String::from_utf8(again).unwrap(), String::from_utf8(text).unwrap());
    }
}

#[test]
fn plain_text_gives_back_every_json_document() {
    for document in documents(3, Gen::JSON_ALL.with_width(200).with_duplicates(), 400) {
        let text = write(&document, Style::Plain).unwrap();
        if !format!("{document:?}").contains("DecimalText") {
            let mut sink = Resolve::new(Builder::new());
            Text::new(&text).drive(&mut sink).unwrap();
            assert_same(&document, &sink.into_inner().finish().unwrap());
        }
        let raw = read(&text, Dialects::MONGODB.lenient()).unwrap();
        assert_eq!(write(&raw, Style::Plain).unwrap(), text);
    }
}

#[test]
fn every_style_writes_json() {
    for (seed, like) in [(4, Gen::BSON_ALL), (5, Gen::OSON_ALL)] {
        for document in documents(seed, like.with_width(60), 100) {
            for style in [Style::Plain, Style::ExtendedCanonical, Style::ExtendedRelaxed, Style::Oracle] {
                let text = write(&document, style).unwrap();
                serde_json::from_slice::<serde::de::IgnoredAny>(&text).unwrap_or_else(|error| {
                    panic!("{error}: {}", String::from_utf8_lossy(&text));
                });
                for pretty in [0, 3] {
                    let mut writer = Writer::new(Vec::new(), style).pretty(pretty);
                    document.drive(&mut writer).unwrap();
                    let laid_out = writer.into_inner();
                    let compact = read(&laid_out, Dialects::MONGODB.lenient()).and_then(|_| {
                        let mut builder = Builder::new();
                        Text::new(&laid_out).drive(&mut builder)?;
                        Ok(builder.finish().unwrap())
                    });
                    assert_eq!(write(&compact.unwrap(), Style::Plain).unwrap(), text);
                }
            }
        }
    }
}

#[test]
fn relaxed_text_keeps_the_kinds_that_json_and_wrappers_have() {
    for document in documents(6, Gen::BSON_ALL.with_width(60), 100) {
        let text = write(&document, Style::ExtendedRelaxed).unwrap();
        let mut sink = Unwrap::new(Resolve::new(Builder::new()), Dialects::MONGODB.lenient());
        Text::new(&text).drive(&mut sink).unwrap();
        let back = sink.into_inner().into_inner().finish().unwrap();
        assert_eq!(write(&back, Style::ExtendedRelaxed).unwrap(), text);
        assert_eq!(back.kind(), Kind::Object);
    }
}

#[test]
fn damaged_text_is_read_or_refused() {
    let other = br#"{"$date":{"$numberLong":"1"},"$vector":[1,[2]],"\ud83d\ude00":[{"$code":"","$scope":{}}]}"#;
    for document in documents(7, Gen::BSON_ALL.with_width(20), 40).chain(documents(8, Gen::OSON_ALL.with_width(20), 40))
    {
        let text = write(&document, Style::Oracle).unwrap();
        for bytes in damaged(&text, other, 9, 50) {
            for dialects in [Dialects::MONGODB, Dialects::ORACLE.with_legacy().lenient().with_loose_uuids()] {
                let mut sink = Unwrap::new(Resolve::new(Builder::new()), dialects);
                never_panics(&bytes, |_| Some(Text::new(&bytes)), &mut sink);
            }
        }
        // Part of a number may be a number.
        let parts = prefixes(&text).take(if document.kind().is_container() { 500 } else { 0 });
        for prefix in parts.filter(|prefix| prefix.len() < text.len()) {
            assert!(read(prefix, Dialects::ORACLE).is_err());
        }
    }
}
