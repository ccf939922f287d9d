//! The bytes of a leaf.

use boson_document::{DbPointer, Decimal, Regex, Scalar};

use crate::cursor::OLD_BINARY;
use crate::error::EncodeErrorKind;
use crate::tag::Tag;

use super::BYTES_MAX;
use super::piece::put_short_string;

/// Appends the value's bytes and returns its element type. What was appended before an error stays.
#[inline]
pub(crate) fn put_scalar(out: &mut Vec<u8>, scalar: Scalar<'_>) -> Result<Tag, EncodeErrorKind> {
    match scalar {
        Scalar::Null => Ok(Tag::Null),
        Scalar::Bool(value) => Ok(put(out, &[u8::from(value)], Tag::Bool)),
        Scalar::Int32(value) => Ok(put(out, &value.to_le_bytes(), Tag::Int32)),
        Scalar::Int64(value) => Ok(put(out, &value.to_le_bytes(), Tag::Int64)),
        Scalar::Double(value) => Ok(put(out, &value.to_le_bytes(), Tag::Double)),
        Scalar::DateTime(value) => Ok(put(out, &value.to_le_bytes(), Tag::DateTime)),
        Scalar::ObjectId(value) => Ok(put(out, &value.0, Tag::ObjectId)),
        Scalar::String(text) => put_string(out, text).map(|()| Tag::String),
        _ => put_rare(out, scalar),
    }
}

/// Appends a value of a type that is not met in every document.
fn put_rare(out: &mut Vec<u8>, scalar: Scalar<'_>) -> Result<Tag, EncodeErrorKind> {
    match scalar {
        Scalar::Float(value) => Ok(put(out, &f64::from(value).to_le_bytes(), Tag::Double)),
        Scalar::Decimal128(value) => Ok(put(out, &value.to_bytes(), Tag::Decimal128)),
        Scalar::Number(value) => put_decimal(out, &value.to_decimal()),
        Scalar::DecimalText(text) => {
            put_decimal(out, &Decimal::parse(text).map_err(|_| EncodeErrorKind::InexactNumber)?)
        }
        Scalar::Binary { subtype, bytes } => put_binary(out, subtype, bytes),
        Scalar::Timestamp { time, increment } => {
            out.extend_from_slice(&increment.to_le_bytes());
            Ok(put(out, &time.to_le_bytes(), Tag::Timestamp))
        }
        Scalar::Regex(regex) => {
            put_regex(out, regex);
            Ok(Tag::Regex)
        }
        Scalar::Code(text) => put_string(out, text).map(|()| Tag::Code),
        Scalar::Symbol(text) => put_string(out, text).map(|()| Tag::Symbol),
        Scalar::DbPointer(pointer) => put_db_pointer(out, pointer),
        Scalar::Undefined => Ok(Tag::Undefined),
        Scalar::MinKey => Ok(Tag::MinKey),
        Scalar::MaxKey => Ok(Tag::MaxKey),
        other => Err(EncodeErrorKind::UnsupportedKind(other.kind())),
    }
}

#[inline]
fn put(out: &mut Vec<u8>, bytes: &[u8], tag: Tag) -> Tag {
    out.extend_from_slice(bytes);
    tag
}

#[inline]
pub(crate) fn put_i32(out: &mut Vec<u8>, value: i32) {
    out.extend_from_slice(&value.to_le_bytes());
}

/// Appends a length of `len` bytes.
#[inline]
fn put_len(out: &mut Vec<u8>, len: usize) -> Result<(), EncodeErrorKind> {
    let len = i32::try_from(len).map_err(|_| EncodeErrorKind::TooLarge { bytes_max: BYTES_MAX })?;
    put_i32(out, len);
    Ok(())
}

/// Appends a string: its length, which counts the NUL, its bytes and the NUL.
#[inline]
pub(crate) fn put_string(out: &mut Vec<u8>, text: &str) -> Result<(), EncodeErrorKind> {
    if put_short_string(out, text.as_bytes()) { Ok(()) } else { put_long_string(out, text) }
}

fn put_long_string(out: &mut Vec<u8>, text: &str) -> Result<(), EncodeErrorKind> {
    put_len(out, text.len().saturating_add(1))?;
    out.extend_from_slice(text.as_bytes());
    out.push(0);
    Ok(())
}

/// A double where that is exact, else a Decimal128 where that is.
fn put_decimal(out: &mut Vec<u8>, number: &Decimal) -> Result<Tag, EncodeErrorKind> {
    if let Some(double) = number.to_f64_exact() {
        return Ok(put(out, &double.to_le_bytes(), Tag::Double));
    }
    let decimal = number.to_decimal128().ok_or(EncodeErrorKind::InexactNumber)?;
    Ok(put(out, &decimal.to_bytes(), Tag::Decimal128))
}

fn put_binary(out: &mut Vec<u8>, subtype: u8, bytes: &[u8]) -> Result<Tag, EncodeErrorKind> {
    if subtype == OLD_BINARY {
        put_len(out, bytes.len().saturating_add(4))?;
        out.push(subtype);
        put_len(out, bytes.len())?;
    } else {
        put_len(out, bytes.len())?;
        out.push(subtype);
    }
    Ok(put(out, bytes, Tag::Binary))
}

fn put_db_pointer(out: &mut Vec<u8>, pointer: DbPointer<'_>) -> Result<Tag, EncodeErrorKind> {
    let bytes = pointer.as_bytes();
    put_len(out, bytes.len().saturating_sub(12))?;
    Ok(put(out, bytes, Tag::DbPointer))
}

/// The options in alphabetical order, as the BSON specification has them: a server compares them as bytes.
fn put_regex(out: &mut Vec<u8>, regex: Regex<'_>) {
    for part in [regex.pattern(), &sorted(regex.options())] {
        out.extend_from_slice(part.as_bytes());
        out.push(0);
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
