//! What a leaf is to serde.

use std::fmt::Display;

use ::serde::de::value::BorrowedStrDeserializer;
use ::serde::de::{self, DeserializeSeed, Visitor};
use ::serde::forward_to_deserialize_any;

use super::error::DeserializeError;
use super::special::Special;
use crate::decimal::{Decimal, Decimal128};
use crate::scalar::Scalar;
use crate::time::ZonedTime;

/// Hands `visitor` the leaf, whatever it expects. What serde's data model lacks is a map of one entry, as in Extended
/// JSON.
pub(super) fn any<'de, V: Visitor<'de>>(scalar: Scalar<'de>, visitor: V) -> Result<V::Value, DeserializeError> {
    match scalar {
        Scalar::Null | Scalar::Undefined => visitor.visit_unit(),
        Scalar::Bool(value) => visitor.visit_bool(value),
        Scalar::Int32(value) => visitor.visit_i32(value),
        Scalar::Int64(value) => visitor.visit_i64(value),
        Scalar::Float(value) => visitor.visit_f32(value),
        Scalar::Double(value) => visitor.visit_f64(value),
        Scalar::String(text) | Scalar::Code(text) | Scalar::Symbol(text) => visitor.visit_borrowed_str(text),
        Scalar::Binary { bytes, .. } | Scalar::Id(bytes) | Scalar::OracleVector(bytes) => {
            visitor.visit_borrowed_bytes(bytes)
        }
        Scalar::Number(number) => decimal(&number.to_decimal(), visitor),
        Scalar::DecimalText(text) => decimal(&Decimal::parse(text).map_err(DeserializeError::message)?, visitor),
        Scalar::Decimal128(number) => text_entry("$numberDecimal", number, visitor),
        Scalar::ObjectId(id) => text_entry("$oid", id, visitor),
        Scalar::DateTime(ms) => visitor.visit_map(Entry::new("$date", Content::Int64(ms))),
        Scalar::Regex(regex) => {
            text_entry("$regularExpression", format_args!("/{}/{}", regex.pattern(), regex.options()), visitor)
        }
        Scalar::MinKey => visitor.visit_map(Entry::new("$minKey", Content::Int64(1))),
        Scalar::MaxKey => visitor.visit_map(Entry::new("$maxKey", Content::Int64(1))),
        Scalar::Timestamp { time, increment } => text_entry("$timestamp", format_args!("{time}:{increment}"), visitor),
        other => match special(other) {
            Some(Scalar::DateTime(ms)) => any(Scalar::DateTime(ms), visitor),
            _ => Err(unexpected(other)),
        },
    }
}

#[cold]
fn unexpected(scalar: Scalar<'_>) -> DeserializeError {
    DeserializeError::message(format_args!("serde has no type for a {}", scalar.kind()))
}

fn text_entry<'de, V: Visitor<'de>>(
    key: &'static str,
    text: impl Display,
    visitor: V,
) -> Result<V::Value, DeserializeError> {
    visitor.visit_map(Entry::new(key, Content::Text(text.to_string())))
}

/// A number as an integer or a double where that is exact, else as the text of a decimal.
fn decimal<'de, V: Visitor<'de>>(number: &Decimal, visitor: V) -> Result<V::Value, DeserializeError> {
    if let Some(integer) = number.to_i64() {
        return visitor.visit_i64(integer);
    }
    match number.to_f64_exact() {
        Some(double) => visitor.visit_f64(double),
        None => text_entry("$numberDecimal", number, visitor),
    }
}

/// A Decimal128 for a type that asks for a number of Rust's own.
pub(super) fn decimal128_as_number<'de, V: Visitor<'de>>(
    number: Decimal128,
    visitor: V,
) -> Result<V::Value, DeserializeError> {
    match number.to_decimal() {
        Some(number) => decimal(&number, visitor),
        None if number.is_nan() => visitor.visit_f64(f64::NAN),
        None if number.is_negative() => visitor.visit_f64(f64::NEG_INFINITY),
        None => visitor.visit_f64(f64::INFINITY),
    }
}

/// The leaf that one of the crate's own types can hold, for a type that asks for a map: numbers that a Decimal128 holds
/// exactly become one, times to the millisecond a date. A time without a zone is read as UTC, as a date is written to OSON.
pub(super) fn special(scalar: Scalar<'_>) -> Option<Scalar<'_>> {
    let decimal = match scalar {
        Scalar::Number(number) => Some(number.to_decimal()),
        Scalar::DecimalText(text) => Decimal::parse(text).ok(),
        Scalar::OracleTimestampTz(ZonedTime { utc: time, .. })
        | Scalar::OracleTimestamp(time)
        | Scalar::OracleDate(time)
            if time.ns_below_ms() == 0 =>
        {
            return Some(Scalar::DateTime(time.to_unix_ms()));
        }
        _ => return Some(scalar),
    };
    decimal?.to_decimal128().map(Scalar::Decimal128)
}

/// A map of one entry.
pub(super) struct Entry {
    key: &'static str,
    content: Option<Content>,
}

/// What a map of one entry holds.
pub(super) enum Content {
    Bytes(Vec<u8>),
    Text(String),
    Int64(i64),
}

impl Entry {
    const fn new(key: &'static str, content: Content) -> Self {
        Self { key, content: Some(content) }
    }

    /// The bytes that one of the crate's own types is made from.
    pub(super) const fn travelling(special: Special, bytes: Vec<u8>) -> Self {
        Self::new(special.field(), Content::Bytes(bytes))
    }
}

impl<'de> de::MapAccess<'de> for Entry {
    type Error = DeserializeError;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, DeserializeError> {
        let key = self.content.is_some().then_some(self.key);
        key.map(|key| seed.deserialize(BorrowedStrDeserializer::new(key))).transpose()
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, DeserializeError> {
        let content = self.content.take().ok_or_else(|| DeserializeError::message("the only value was taken"))?;
        seed.deserialize(content)
    }
}

impl<'de> de::Deserializer<'de> for Content {
    type Error = DeserializeError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DeserializeError> {
        match self {
            Self::Bytes(bytes) => visitor.visit_byte_buf(bytes),
            Self::Text(text) => visitor.visit_string(text),
            Self::Int64(number) => visitor.visit_i64(number),
        }
    }

    fn is_human_readable(&self) -> bool {
        false
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}
