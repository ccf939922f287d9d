//! Differences as lines for people.

use std::fmt;

use boson_document::{CivilTime, Kind, Scalar};

use super::{Change, Difference, Operand};

/// How much of a text or of bytes is shown.
const SHOWN_MAX: usize = 64;

/// The subtype of binary data that must not appear in logs.
const SENSITIVE: u8 = 8;

impl fmt::Display for Difference<'_> {
    /// `$.a: int 1 | long 1`, `$.b: string "x" | missing`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.change)
    }
}

impl fmt::Display for Change<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Value { left, right } => write!(f, "{left} | {right}"),
            Self::OnlyLeft(left) => write!(f, "{left} | missing"),
            Self::OnlyRight(right) => write!(f, "missing | {right}"),
            Self::Order => f.write_str("the members come in another order"),
        }
    }
}

impl fmt::Display for Operand<'_> {
    /// The name of the kind and the value; long texts and bytes are cut, sensitive bytes (subtype 8) are not shown.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Scalar(scalar) => show(scalar, f),
            Self::Container { kind: Kind::CodeWithScope, len, code } => {
                write!(f, "{} {} with {len} in scope", Kind::CodeWithScope, Cut(code))
            }
            Self::Container { kind, len, .. } => write!(f, "{kind} of {len}"),
        }
    }
}

fn show(scalar: &Scalar<'_>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let kind = scalar.kind();
    match *scalar {
        Scalar::Bool(value) => write!(f, "{kind} {value}"),
        Scalar::Int32(value) => write!(f, "{kind} {value}"),
        Scalar::Int64(value) => write!(f, "{kind} {value}"),
        Scalar::Float(value) => write!(f, "{kind} {value:?}"),
        Scalar::Double(value) if value.is_nan() => write!(f, "{kind} NaN (0x{:016x})", value.to_bits()),
        Scalar::Double(value) => write!(f, "{kind} {value:?}"),
        Scalar::Decimal128(value) => write!(f, "{kind} {value}"),
        Scalar::Number(value) => write!(f, "{kind} {value}"),
        Scalar::DecimalText(value) => write!(f, "{kind} {value}"),
        Scalar::String(text) | Scalar::Code(text) | Scalar::Symbol(text) => write!(f, "{kind} {}", Cut(text)),
        Scalar::Binary { subtype: SENSITIVE, bytes } => write!(f, "{kind} 8, {} bytes (sensitive)", bytes.len()),
        Scalar::Binary { subtype, bytes } => write!(f, "{kind} {subtype} {}", Hex(bytes)),
        Scalar::ObjectId(id) => write!(f, "{kind} {id}"),
        Scalar::Id(bytes) | Scalar::OracleVector(bytes) => write!(f, "{kind} {}", Hex(bytes)),
        Scalar::DateTime(ms) => match CivilTime::from_unix_ms(ms) {
            Some(time) => write!(f, "{kind} {}Z", Civil(time)),
            None => write!(f, "{kind} {ms} ms"),
        },
        Scalar::OracleDate(time) | Scalar::OracleTimestamp(time) => write!(f, "{kind} {}", Civil(time)),
        Scalar::OracleTimestampTz(time) => write!(f, "{kind} {}Z at {} min", Civil(time.utc), time.offset_minutes),
        Scalar::IntervalYearMonth(interval) => write!(f, "{kind} {} years {} months", interval.years, interval.months),
        Scalar::IntervalDaySecond(interval) => write!(
            f,
            "{kind} {} days {} h {} min {} s {} ns",
            interval.days, interval.hours, interval.minutes, interval.seconds, interval.nanoseconds
        ),
        Scalar::Timestamp { time, increment } => write!(f, "{kind} {time}, {increment}"),
        Scalar::Regex(regex) => write!(f, "{kind} {regex:?}"),
        Scalar::DbPointer(pointer) => write!(f, "{kind} {pointer:?}"),
        _ => write!(f, "{kind}"),
    }
}

/// A text in quotes, cut when it is long.
struct Cut<'a>(&'a str);

impl fmt::Display for Cut<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.char_indices().nth(SHOWN_MAX) {
            None => write!(f, "{:?}", self.0),
            Some((end, _)) => write!(f, "{:?}… ({} bytes)", self.0.get(..end).unwrap_or_default(), self.0.len()),
        }
    }
}

/// Bytes in hexadecimal, cut when there are many.
struct Hex<'a>(&'a [u8]);

impl fmt::Display for Hex<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().take(SHOWN_MAX / 2).try_for_each(|byte| write!(f, "{byte:02x}"))?;
        if self.0.len() > SHOWN_MAX / 2 { write!(f, "… ({} bytes)", self.0.len()) } else { Ok(()) }
    }
}

/// A calendar time as ISO 8601 has it, without a zone.
struct Civil(CivilTime);

impl fmt::Display for Civil {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let CivilTime { year, month, day, hour, minute, second, nanosecond } = self.0;
        write!(f, "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}")?;
        match nanosecond {
            0 => Ok(()),
            whole_ms if whole_ms % 1_000_000 == 0 => write!(f, ".{:03}", whole_ms / 1_000_000),
            ns => write!(f, ".{ns:09}"),
        }
    }
}
