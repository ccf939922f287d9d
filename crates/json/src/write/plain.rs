//! The plain style: every scalar as text or a number.

use std::io;

use boson_document::{Container, Descend, Scalar, Sink as _, Span};

use super::{Bare, WriteError, Writer};
use crate::extended::shape::sorted_options;
use crate::text::{day_second, hex_encode, iso_date, iso_millis, iso_timestamp, iso_timestamp_tz, year_month};
use crate::vector;

/// Writes a scalar that JSON has no type for.
pub(super) fn write<W: io::Write>(
    writer: &mut Writer<W>,
    scalar: Scalar<'_>,
    span: Span,
    scratch: &mut String,
) -> Result<(), WriteError> {
    scratch.clear();
    match scalar {
        Scalar::DateTime(ms) => return Ok(date_time(writer, ms)?),
        Scalar::OracleDate(time) => writer.string(iso_date(time).as_str())?,
        Scalar::OracleTimestamp(time) => writer.string(iso_timestamp(time).as_str())?,
        Scalar::OracleTimestampTz(time) => {
            writer.string(iso_timestamp_tz(time).unwrap_or_else(|| iso_timestamp(time.utc)).as_str())?;
        }
        Scalar::IntervalYearMonth(interval) => writer.string(year_month(interval).as_str())?,
        Scalar::IntervalDaySecond(interval) => writer.string(day_second(interval).as_str())?,
        Scalar::OracleVector(image) => return array_or_hex(writer, image, span, scratch),
        Scalar::Decimal128(value) if value.is_finite() => writer.token(value.to_text().as_bytes())?,
        Scalar::Decimal128(value) => writer.string(value.to_text().as_str())?,
        Scalar::Double(_) | Scalar::Float(_) => not_finite(writer, scalar)?,
        Scalar::Undefined => writer.token(b"null")?,
        other => {
            describe(other, scratch);
            writer.string(scratch)?;
        }
    }
    Ok(())
}

/// The text of the types that are but a string here.
fn describe(scalar: Scalar<'_>, text: &mut String) {
    match scalar {
        Scalar::Binary { bytes, .. } => hex_encode(bytes, true, text),
        Scalar::ObjectId(id) => hex_encode(&id.0, false, text),
        Scalar::Id(bytes) => hex_encode(bytes, false, text),
        Scalar::Code(code) => text.push_str(code),
        Scalar::Symbol(symbol) => text.push_str(symbol),
        Scalar::Timestamp { time, increment } => {
            let mut buffer = itoa::Buffer::new();
            text.push_str(buffer.format(time));
            text.push(':');
            text.push_str(buffer.format(increment));
        }
        Scalar::Regex(regex) => {
            let mut options = String::new();
            sorted_options(regex, &mut options);
            for part in ["/", regex.pattern(), "/", &options] {
                text.push_str(part);
            }
        }
        Scalar::DbPointer(pointer) => {
            text.push_str(pointer.namespace());
            text.push(':');
            hex_encode(&pointer.id().0, false, text);
        }
        Scalar::MinKey => text.push_str("MinKey"),
        Scalar::MaxKey => text.push_str("MaxKey"),
        _ => {}
    }
}

fn date_time<W: io::Write>(writer: &mut Writer<W>, ms: i64) -> io::Result<()> {
    match iso_millis(ms) {
        Some(text) => writer.string(text.as_str()),
        None => writer.token(itoa::Buffer::new().format(ms).as_bytes()),
    }
}

fn array_or_hex<W: io::Write>(
    writer: &mut Writer<W>,
    image: &[u8],
    span: Span,
    scratch: &mut String,
) -> Result<(), WriteError> {
    if let Some(vector) = vector::vector_of_numbers(image) {
        return vector::push(&vector, span, &mut Bare(writer));
    }
    hex_encode(image, true, scratch);
    Ok(writer.string(scratch)?)
}

/// Writes a float or double that is not finite.
pub(super) fn not_finite<W: io::Write>(writer: &mut Writer<W>, scalar: Scalar<'_>) -> io::Result<()> {
    let value = match scalar {
        Scalar::Float(value) => value.into(),
        Scalar::Double(value) => value,
        _ => f64::NAN,
    };
    writer.string(match value {
        f64::INFINITY => "Infinity",
        f64::NEG_INFINITY => "-Infinity",
        _ => "NaN",
    })
}

/// Writes `{"code": …, "scope": {`.
pub(super) fn begin_code_with_scope<W: io::Write>(writer: &mut Writer<W>, code: &str) -> Result<Descend, WriteError> {
    writer.begin(b'{')?;
    writer.write_key("code")?;
    writer.string(code)?;
    writer.write_key("scope")?;
    writer.begin_object(Container { span: Span::default(), len: None })
}
