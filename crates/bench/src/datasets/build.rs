//! Short words for making trees.

use boson_document::{Decimal128, Value};

pub(super) fn object<const N: usize>(members: [(&str, Value); N]) -> Value {
    Value::Object(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

pub(super) fn array(elements: impl IntoIterator<Item = Value>) -> Value {
    Value::Array(elements.into_iter().collect())
}

pub(super) fn text(text: impl Into<String>) -> Value {
    Value::String(text.into())
}

/// An amount of money in hundredths, both digits kept.
pub(super) fn money(hundredths: i32) -> Value {
    let decimal = boson_document::Decimal::from_parts(hundredths < 0, u128::from(hundredths.unsigned_abs()), -2);
    Value::Decimal128(decimal.to_decimal128().unwrap_or(Decimal128::ZERO))
}

pub(super) fn uuid(bytes: [u8; 16]) -> Value {
    Value::Binary { subtype: 4, bytes: bytes.to_vec() }
}
