//! The nodes of scalars.

use boson_document::decimal::{Decimal, Decimal128, DecimalError, NumberBuf, NumberError};
use boson_document::{CivilTime, IntervalDaySecond, Scalar, ZonedTime};

use crate::scalar::is_number_text;
use crate::tag::{DECIMAL_TEXT_BYTES_MAX, ID_BYTES_MAX, opcode};
use crate::{float, temporal};

use super::Style;
use super::error::EncodeErrorKind;

/// Appends the node of `scalar`; nothing when it fails.
#[inline]
pub(crate) fn put(leaves: &mut Vec<u8>, scalar: Scalar<'_>, style: Style) -> Result<(), EncodeErrorKind> {
    match scalar {
        Scalar::String(text) => put_string(leaves, text, style)?,
        Scalar::Null => leaves.push(opcode::NULL),
        Scalar::Bool(value) => leaves.push(if value { opcode::TRUE } else { opcode::FALSE }),
        Scalar::Int32(value) => put_integer(leaves, i64::from(value), opcode::INT32_FIRST, style),
        Scalar::Int64(value) => put_integer(leaves, value, opcode::INT64_FIRST, style),
        Scalar::Double(value) => return put_double(leaves, value, style),
        Scalar::DateTime(ms) => return put_unix_ms(leaves, ms),
        Scalar::ObjectId(id) => put_id(leaves, &id.0)?,
        other => return put_rare(leaves, other, style),
    }
    Ok(())
}

fn put_rare(leaves: &mut Vec<u8>, scalar: Scalar<'_>, style: Style) -> Result<(), EncodeErrorKind> {
    match scalar {
        Scalar::Float(value) => put_float(leaves, value, style),
        Scalar::Decimal128(value) => put_decimal128(leaves, value, style),
        Scalar::Number(number) => put_number(leaves, number.as_bytes(), style),
        Scalar::DecimalText(text) => put_decimal_text(leaves, text, style),
        Scalar::Binary { subtype: 0, bytes } => put_binary(leaves, bytes),
        Scalar::Binary { subtype, .. } => Err(EncodeErrorKind::BinarySubtype(subtype)),
        Scalar::Id(bytes) => put_id(leaves, bytes),
        Scalar::OracleDate(date) => put_date(leaves, date),
        Scalar::OracleTimestamp(time) => put_timestamp(leaves, time),
        Scalar::OracleTimestampTz(time) => put_timestamp_tz(leaves, time, style),
        Scalar::IntervalYearMonth(interval) if style == Style::Compact => {
            let bytes = temporal::encode_interval_ym(interval).ok_or(EncodeErrorKind::IntervalRange)?;
            put_fixed(leaves, opcode::INTERVAL_YEAR_MONTH, bytes)
        }
        Scalar::IntervalDaySecond(interval) => put_interval_ds(leaves, interval, style),
        Scalar::OracleVector(image) => put_vector(leaves, image),
        other => Err(EncodeErrorKind::UnsupportedKind(other.kind())),
    }
}

/// Appends the node of `scalar` up to the bytes that are `scalar`'s own and may be many, and returns those.
pub(crate) fn put_head<'s>(head: &mut Vec<u8>, scalar: Scalar<'s>, style: Style) -> Result<&'s [u8], EncodeErrorKind> {
    match scalar {
        Scalar::String(text) => put_string_head(head, text.len(), style).map(|()| text.as_bytes()),
        Scalar::Binary { subtype: 0, bytes } => put_binary_head(head, bytes.len()).map(|()| bytes),
        Scalar::OracleVector(image) => put_vector_head(head, image.len()).map(|()| image),
        other => put(head, other, style).map(|()| <&[u8]>::default()),
    }
}

fn put_string(leaves: &mut Vec<u8>, text: &str, style: Style) -> Result<(), EncodeErrorKind> {
    put_string_head(leaves, text.len(), style)?;
    leaves.extend_from_slice(text.as_bytes());
    Ok(())
}

#[inline]
fn put_string_head(leaves: &mut Vec<u8>, len: usize, style: Style) -> Result<(), EncodeErrorKind> {
    match u8::try_from(len) {
        Ok(length @ 0..=opcode::STRING_LAST) if style == Style::Compact => leaves.push(length),
        Ok(length) => leaves.extend_from_slice(&[opcode::STRING_UB1, length]),
        Err(_) => put_long_header(leaves, opcode::STRING_UB2, opcode::STRING_UB4, len)?,
    }
    Ok(())
}

fn put_binary(leaves: &mut Vec<u8>, bytes: &[u8]) -> Result<(), EncodeErrorKind> {
    put_binary_head(leaves, bytes.len())?;
    leaves.extend_from_slice(bytes);
    Ok(())
}

fn put_binary_head(leaves: &mut Vec<u8>, len: usize) -> Result<(), EncodeErrorKind> {
    put_long_header(leaves, opcode::BINARY_UB2, opcode::BINARY_UB4, len)
}

/// The opcode with a length of two or, where that is not enough, four bytes.
fn put_long_header(leaves: &mut Vec<u8>, ub2: u8, ub4: u8, length: usize) -> Result<(), EncodeErrorKind> {
    if let Ok(length) = u16::try_from(length) {
        put_fixed(leaves, ub2, length.to_be_bytes())
    } else {
        let length = u32::try_from(length).map_err(|_| EncodeErrorKind::TooLarge)?;
        put_fixed(leaves, ub4, length.to_be_bytes())
    }
}

#[inline]
#[expect(clippy::unnecessary_wraps, reason = "the last step of functions that can fail")]
fn put_fixed<const N: usize>(leaves: &mut Vec<u8>, opcode: u8, payload: [u8; N]) -> Result<(), EncodeErrorKind> {
    leaves.push(opcode);
    leaves.extend_from_slice(&payload);
    Ok(())
}

/// An integer, under the opcode `first` plus its length.
#[inline]
fn put_integer(leaves: &mut Vec<u8>, value: i64, first: u8, style: Style) {
    let number = NumberBuf::from_i64(value);
    let bytes = number.as_bytes();
    match style {
        // At most 7 bytes for 32 bits and 12 for 64: the sum stays within the range of the opcode.
        Style::Compact => leaves.push(first | length_ub1(bytes)),
        Style::Driver => leaves.extend_from_slice(&[opcode::NUMBER_UB1, length_ub1(bytes)]),
    }
    leaves.extend_from_slice(bytes);
}

fn length_ub1(bytes: &[u8]) -> u8 {
    u8::try_from(bytes.len()).unwrap_or(u8::MAX)
}

#[inline]
fn put_number(leaves: &mut Vec<u8>, bytes: &[u8], style: Style) -> Result<(), EncodeErrorKind> {
    match style {
        Style::Compact => put_ranged(leaves, opcode::NUMBER_FIRST, opcode::NUMBER_UB1, bytes),
        Style::Driver => put_ub1(leaves, opcode::NUMBER_UB1, bytes),
    }
}

/// With the length, up to 16, in the opcode, or else after it.
fn put_ranged(leaves: &mut Vec<u8>, first: u8, ub1: u8, bytes: &[u8]) -> Result<(), EncodeErrorKind> {
    match length_ub1(bytes).checked_sub(1) {
        Some(length_less_1 @ 0..=15) => {
            leaves.push(first | length_less_1);
            leaves.extend_from_slice(bytes);
            Ok(())
        }
        _ => put_ub1(leaves, ub1, bytes),
    }
}

#[expect(clippy::unnecessary_wraps, reason = "the last step of functions that can fail")]
fn put_ub1(leaves: &mut Vec<u8>, opcode: u8, bytes: &[u8]) -> Result<(), EncodeErrorKind> {
    leaves.extend_from_slice(&[opcode, length_ub1(bytes)]);
    leaves.extend_from_slice(bytes);
    Ok(())
}

/// Compact: `BINARY_DOUBLE`, with one zero and one NaN, as servers store them. Driver: a NUMBER of the shortest digits.
#[inline]
fn put_double(leaves: &mut Vec<u8>, value: f64, style: Style) -> Result<(), EncodeErrorKind> {
    match style {
        Style::Compact => put_fixed(leaves, opcode::BINARY_DOUBLE, float::encode_double(canonical(value))),
        Style::Driver => {
            let number = Decimal::from_f64(value).ok_or(EncodeErrorKind::NotFinite)?;
            put_decimal_as_number(leaves, &number)
        }
    }
}

#[inline]
fn canonical(value: f64) -> f64 {
    // Adding 0.0 turns -0.0 into 0.0 and changes nothing else.
    if value.is_nan() { f64::NAN } else { value + 0.0 }
}

fn put_float(leaves: &mut Vec<u8>, value: f32, style: Style) -> Result<(), EncodeErrorKind> {
    let value = if value.is_nan() { f32::NAN } else { value + 0.0 };
    match style {
        Style::Compact => put_fixed(leaves, opcode::BINARY_FLOAT, float::encode_float(value)),
        Style::Driver => put_double(leaves, f64::from(value), style),
    }
}

/// As the driver writes numbers; zeros lose their sign.
fn put_decimal_as_number(leaves: &mut Vec<u8>, number: &Decimal) -> Result<(), EncodeErrorKind> {
    /// What the driver takes for the decimal point of a zero, which it checks like any other.
    const ZERO_EXPONENTS: std::ops::RangeInclusive<i32> = -129..=126;
    let number = match NumberBuf::from_decimal(number) {
        Err(NumberError::NegativeZero) => Ok(NumberBuf::ZERO),
        _ if number.is_zero() && !ZERO_EXPONENTS.contains(&number.exponent()) => Err(EncodeErrorKind::NumberRange),
        converted => converted.map_err(|_| EncodeErrorKind::NumberRange),
    };
    put_ub1(leaves, opcode::NUMBER_UB1, number?.as_bytes())
}

fn put_decimal128(leaves: &mut Vec<u8>, value: Decimal128, style: Style) -> Result<(), EncodeErrorKind> {
    let number = value.to_decimal().ok_or(EncodeErrorKind::NotFinite)?;
    match (style, NumberBuf::from_decimal(&number)) {
        (Style::Driver, _) => put_decimal_as_number(leaves, &number),
        (Style::Compact, Ok(number)) => {
            put_ranged(leaves, opcode::DECIMAL_FIRST, opcode::DECIMAL_UB1, number.as_bytes())
        }
        // Out of range, too many digits or -0.
        (Style::Compact, Err(_)) => put_ub1(leaves, opcode::DECIMAL_TEXT_UB1, number.to_text().as_bytes()),
    }
}

fn put_decimal_text(leaves: &mut Vec<u8>, text: &str, style: Style) -> Result<(), EncodeErrorKind> {
    let number = match Decimal::parse(text) {
        Ok(number) if style == Style::Driver => return put_decimal_as_number(leaves, &number),
        Ok(number) => NumberBuf::from_decimal(&number),
        Err(error) => Err(NumberError::Text(error)),
    };
    match number {
        Ok(number) => put_number(leaves, number.as_bytes(), style),
        Err(NumberError::Text(DecimalError::Syntax { .. })) => Err(EncodeErrorKind::DecimalText),
        // The opcode's text has the grammar of JSON, which knows no `+5` and no `007`.
        Err(_) if !is_number_text(text.as_bytes()) => Err(EncodeErrorKind::DecimalText),
        Err(_) if style == Style::Driver => Err(EncodeErrorKind::NumberRange),
        Err(_) if text.len() > DECIMAL_TEXT_BYTES_MAX => Err(EncodeErrorKind::DecimalTextLength(text.len())),
        Err(_) => put_ub1(leaves, opcode::DECIMAL_TEXT_UB1, text.as_bytes()),
    }
}

fn put_id(leaves: &mut Vec<u8>, bytes: &[u8]) -> Result<(), EncodeErrorKind> {
    if bytes.len() > ID_BYTES_MAX {
        return Err(EncodeErrorKind::IdLength(bytes.len()));
    }
    put_ub1(leaves, opcode::ID_UB1, bytes)
}

fn put_vector(leaves: &mut Vec<u8>, image: &[u8]) -> Result<(), EncodeErrorKind> {
    put_vector_head(leaves, image.len())?;
    leaves.extend_from_slice(image);
    Ok(())
}

fn put_vector_head(leaves: &mut Vec<u8>, len: usize) -> Result<(), EncodeErrorKind> {
    let length = u32::try_from(len).map_err(|_| EncodeErrorKind::TooLarge)?;
    leaves.extend_from_slice(&[opcode::EXTENDED, opcode::EXTENDED_VECTOR]);
    leaves.extend_from_slice(&length.to_be_bytes());
    Ok(())
}

fn put_date(leaves: &mut Vec<u8>, date: CivilTime) -> Result<(), EncodeErrorKind> {
    put_fixed(leaves, opcode::DATE, temporal::encode_date(date).ok_or(EncodeErrorKind::DateRange)?)
}

fn put_timestamp(leaves: &mut Vec<u8>, time: CivilTime) -> Result<(), EncodeErrorKind> {
    if time.nanosecond == 0 {
        let bytes = temporal::encode_date(time).ok_or(EncodeErrorKind::DateRange)?;
        return put_fixed(leaves, opcode::TIMESTAMP_WHOLE, bytes);
    }
    let bytes = temporal::encode_timestamp(time).ok_or(EncodeErrorKind::DateRange)?;
    put_fixed(leaves, opcode::TIMESTAMP, bytes)
}

fn put_unix_ms(leaves: &mut Vec<u8>, ms: i64) -> Result<(), EncodeErrorKind> {
    let time = CivilTime::from_unix_ms(ms).filter(|time| time.year >= 1);
    put_timestamp(leaves, time.ok_or(EncodeErrorKind::DateRange)?)
}

/// Compact: with its zone. Driver: the fields of local time, without it.
fn put_timestamp_tz(leaves: &mut Vec<u8>, time: ZonedTime, style: Style) -> Result<(), EncodeErrorKind> {
    match style {
        Style::Compact if time.offset_minutes.unsigned_abs() >= 16 * 60 => {
            Err(EncodeErrorKind::TimeZone(time.offset_minutes))
        }
        Style::Compact => {
            let bytes = temporal::encode_timestamp_tz(time).ok_or(EncodeErrorKind::DateRange)?;
            put_fixed(leaves, opcode::TIMESTAMP_TZ, bytes)
        }
        Style::Driver => put_timestamp(leaves, local(time).ok_or(EncodeErrorKind::DateRange)?),
    }
}

fn local(time: ZonedTime) -> Option<CivilTime> {
    let offset_ms = i64::from(time.offset_minutes).checked_mul(60_000)?;
    let local = CivilTime::from_unix_ms(time.utc.checked()?.to_unix_ms().checked_add(offset_ms)?)?;
    Some(CivilTime { nanosecond: time.utc.nanosecond, ..local })
}

/// Driver: with the days rounded down and no other part negative, as Python's timedelta has them.
fn put_interval_ds(leaves: &mut Vec<u8>, parts: IntervalDaySecond, style: Style) -> Result<(), EncodeErrorKind> {
    let parts = match style {
        Style::Compact => Some(parts),
        Style::Driver => floored(parts),
    };
    let bytes = parts.and_then(temporal::encode_interval_ds).ok_or(EncodeErrorKind::IntervalRange)?;
    put_fixed(leaves, opcode::INTERVAL_DAY_SECOND, bytes)
}

fn floored(parts: IntervalDaySecond) -> Option<IntervalDaySecond> {
    const NS_PER_SECOND: i32 = 1_000_000_000;
    const SECONDS_PER_DAY: i64 = 86_400;
    const DAYS_MAX: u32 = 999_999_999;
    let minutes = i64::from(parts.hours).checked_mul(60)?.checked_add(i64::from(parts.minutes))?;
    let seconds = minutes.checked_mul(60)?.checked_add(i64::from(parts.seconds))?;
    let seconds = seconds.checked_add(i64::from(parts.nanoseconds.div_euclid(NS_PER_SECOND)))?;
    let days = i64::from(parts.days).checked_add(seconds.div_euclid(SECONDS_PER_DAY))?;
    let seconds = seconds.rem_euclid(SECONDS_PER_DAY);
    let days = i32::try_from(days).ok().filter(|days| days.unsigned_abs() <= DAYS_MAX)?;
    Some(IntervalDaySecond {
        days,
        hours: i8::try_from(seconds / 3600).ok()?,
        minutes: i8::try_from(seconds / 60 % 60).ok()?,
        seconds: i8::try_from(seconds % 60).ok()?,
        nanoseconds: parts.nanoseconds.rem_euclid(NS_PER_SECOND),
    })
}
