//! The bytes of a leaf.

use boson_document::{DbPointer, Decimal, Regex, Scalar};

use crate::cursor::OLD_BINARY;
use crate::error::EncodeErrorKind;
use crate::tag::Tag;

use super::BYTES_MAX;
use super::buffer::Put;

/// Appends the value's bytes and returns its element type. What was appended before an error stays.
#[inline]
pub(crate) fn put_scalar(out: &mut impl Put, scalar: Scalar<'_>) -> Result<Tag, EncodeErrorKind> {
    match scalar {
        Scalar::Null => Ok(Tag::Null),
        Scalar::Bool(value) => Ok(put(out, [u8::from(value)], Tag::Bool)),
        Scalar::Int32(value) => Ok(put(out, value.to_le_bytes(), Tag::Int32)),
        Scalar::Int64(value) => Ok(put(out, value.to_le_bytes(), Tag::Int64)),
        Scalar::Double(value) => Ok(put(out, value.to_le_bytes(), Tag::Double)),
        Scalar::DateTime(value) => Ok(put(out, value.to_le_bytes(), Tag::DateTime)),
        Scalar::ObjectId(value) => Ok(put(out, value.0, Tag::ObjectId)),
        Scalar::String(text) => out.text(text.as_bytes()).map(|()| Tag::String),
        _ => put_rare(out, scalar),
    }
}

/// Appends a value of a type that is not met in every document.
fn put_rare(out: &mut impl Put, scalar: Scalar<'_>) -> Result<Tag, EncodeErrorKind> {
    match scalar {
        Scalar::Float(value) => Ok(put(out, f64::from(value).to_le_bytes(), Tag::Double)),
        Scalar::Decimal128(value) => Ok(put(out, value.to_bytes(), Tag::Decimal128)),
        Scalar::Number(value) => put_decimal(out, &value.to_decimal()),
        Scalar::DecimalText(text) => {
            put_decimal(out, &Decimal::parse(text).map_err(|_| EncodeErrorKind::InexactNumber)?)
        }
        Scalar::Binary { subtype, bytes } => put_binary(out, subtype, bytes),
        Scalar::Timestamp { time, increment } => {
            out.fixed(increment.to_le_bytes());
            Ok(put(out, time.to_le_bytes(), Tag::Timestamp))
        }
        Scalar::Regex(regex) => {
            put_regex(out, regex);
            Ok(Tag::Regex)
        }
        Scalar::Code(text) => out.text(text.as_bytes()).map(|()| Tag::Code),
        Scalar::Symbol(text) => out.text(text.as_bytes()).map(|()| Tag::Symbol),
        Scalar::DbPointer(pointer) => put_db_pointer(out, pointer),
        Scalar::Undefined => Ok(Tag::Undefined),
        Scalar::MinKey => Ok(Tag::MinKey),
        Scalar::MaxKey => Ok(Tag::MaxKey),
        other => Err(EncodeErrorKind::UnsupportedKind(other.kind())),
    }
}

#[inline]
fn put<const N: usize>(out: &mut impl Put, bytes: [u8; N], tag: Tag) -> Tag {
    out.fixed(bytes);
    tag
}

/// Appends a length of `len` bytes.
#[inline]
fn put_len(out: &mut impl Put, len: usize) -> Result<(), EncodeErrorKind> {
    let len = i32::try_from(len).map_err(|_| EncodeErrorKind::TooLarge { bytes_max: BYTES_MAX })?;
    out.fixed(len.to_le_bytes());
    Ok(())
}

/// A double where that is exact, else a Decimal128 where that is.
fn put_decimal(out: &mut impl Put, number: &Decimal) -> Result<Tag, EncodeErrorKind> {
    if let Some(double) = number.to_f64_exact() {
        return Ok(put(out, double.to_le_bytes(), Tag::Double));
    }
    let decimal = number.to_decimal128().ok_or(EncodeErrorKind::InexactNumber)?;
    Ok(put(out, decimal.to_bytes(), Tag::Decimal128))
}

fn put_binary(out: &mut impl Put, subtype: u8, bytes: &[u8]) -> Result<Tag, EncodeErrorKind> {
    if subtype == OLD_BINARY {
        put_len(out, bytes.len().saturating_add(4))?;
        out.fixed([subtype]);
        put_len(out, bytes.len())?;
    } else {
        put_len(out, bytes.len())?;
        out.fixed([subtype]);
    }
    out.bytes(bytes);
    Ok(Tag::Binary)
}

fn put_db_pointer(out: &mut impl Put, pointer: DbPointer<'_>) -> Result<Tag, EncodeErrorKind> {
    let bytes = pointer.as_bytes();
    put_len(out, bytes.len().saturating_sub(12))?;
    out.bytes(bytes);
    Ok(Tag::DbPointer)
}

/// The options in alphabetical order, as the BSON specification has them: a server compares them as bytes.
fn put_regex(out: &mut impl Put, regex: Regex<'_>) {
    for part in [regex.pattern(), &sorted(regex.options())] {
        out.bytes(part.as_bytes());
        out.fixed([0]);
    }
}

fn sorted(options: &str) -> std::borrow::Cow<'_, str> {
    if options.chars().is_sorted() {
        return options.into();
    }
    let mut chars: Vec<_> = options.chars().collect();
    chars.sort_unstable();
    chars.into_iter().collect()
}
