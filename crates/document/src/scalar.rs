//! Every leaf that BSON, OSON or JSON can hold.

use std::fmt;

use crate::decimal::{Decimal128, Number};
use crate::kind::Kind;
use crate::object_id::ObjectId;
use crate::time::{CivilTime, IntervalDaySecond, IntervalYearMonth, ZonedTime};

/// One leaf of a document, borrowed from the bytes it was read from.
///
/// Numbers stay in the form of their source, since no fixed-size decimal holds Decimal128, Oracle's NUMBER and the text
/// of JSON. A leaf of several parts is held as one slice, so that the enum stays within 24 bytes.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub enum Scalar<'a> {
    /// All formats.
    Null,
    /// All formats.
    Bool(bool),
    /// BSON 0x10; OSON 0x40-0x47; a JSON integer that fits.
    Int32(i32),
    /// BSON 0x12; OSON 0x50-0x5F; a JSON integer that fits.
    Int64(i64),
    /// OSON `BINARY_FLOAT`, 0x7F.
    Float(f32),
    /// BSON 0x01; OSON `BINARY_DOUBLE`, 0x36.
    Double(f64),
    /// BSON 0x13; OSON 0x60-0x6F and 0x74 where the digits fit.
    Decimal128(Decimal128),
    /// OSON NUMBER, 0x20-0x2F and 0x34.
    Number(Number<'a>),
    /// A number that is still the decimal text of its source: a JSON number that is not an integer of 64 bits, in
    /// JSON's grammar; OSON 0x35.
    DecimalText(&'a str),
    /// All formats.
    String(&'a str),
    /// BSON 0x05; OSON 0x3A and 0x3B (subtype 0). For subtype 2 `bytes` is the payload without the inner length.
    Binary {
        /// What the bytes are, by the BSON specification; 0 where the source has no such notion.
        subtype: u8,
        /// The payload.
        bytes: &'a [u8],
    },
    /// BSON 0x07; OSON ID of 12 bytes, 0x7E.
    ObjectId(ObjectId),
    /// OSON ID of another length, 0x7E.
    Id(&'a [u8]),
    /// BSON 0x09: milliseconds since 1970 in UTC, any int64.
    DateTime(i64),
    /// OSON DATE, 0x3C: to the second, no zone.
    OracleDate(CivilTime),
    /// OSON TIMESTAMP, 0x39 and 0x7D: to the nanosecond, no zone.
    OracleTimestamp(CivilTime),
    /// OSON TIMESTAMP WITH TIME ZONE, 0x7C.
    OracleTimestampTz(ZonedTime),
    /// OSON 0x3D.
    IntervalYearMonth(IntervalYearMonth),
    /// OSON 0x3E.
    IntervalDaySecond(IntervalDaySecond),
    /// OSON VECTOR, 0x7B 0x01: the vector image.
    OracleVector(&'a [u8]),
    /// BSON 0x11, which replication uses: not a date.
    Timestamp {
        /// Seconds since 1970.
        time: u32,
        /// Which operation of that second.
        increment: u32,
    },
    /// BSON 0x0B.
    Regex(Regex<'a>),
    /// BSON 0x0D: JavaScript with no scope. With one it is a container: `Sink::begin_code_with_scope`.
    Code(&'a str),
    /// BSON 0x0E, deprecated.
    Symbol(&'a str),
    /// BSON 0x0C, deprecated.
    DbPointer(DbPointer<'a>),
    /// BSON 0x06, deprecated.
    Undefined,
    /// BSON 0xFF: sorts below everything.
    MinKey,
    /// BSON 0x7F: sorts above everything.
    MaxKey,
}

const _: () = assert!(size_of::<Scalar<'_>>() <= 24, "Scalar is passed by value for every field");

impl Scalar<'_> {
    /// What this is.
    pub const fn kind(&self) -> Kind {
        match self {
            Self::Null => Kind::Null,
            Self::Bool(_) => Kind::Bool,
            Self::Int32(_) => Kind::Int32,
            Self::Int64(_) => Kind::Int64,
            Self::Float(_) => Kind::Float,
            Self::Double(_) => Kind::Double,
            Self::Decimal128(_) => Kind::Decimal128,
            Self::Number(_) => Kind::Number,
            Self::DecimalText(_) => Kind::DecimalText,
            Self::String(_) => Kind::String,
            Self::Binary { .. } => Kind::Binary,
            Self::ObjectId(_) => Kind::ObjectId,
            Self::Id(_) => Kind::Id,
            Self::DateTime(_) => Kind::DateTime,
            Self::OracleDate(_) => Kind::OracleDate,
            Self::OracleTimestamp(_) => Kind::OracleTimestamp,
            Self::OracleTimestampTz(_) => Kind::OracleTimestampTz,
            Self::IntervalYearMonth(_) => Kind::IntervalYearMonth,
            Self::IntervalDaySecond(_) => Kind::IntervalDaySecond,
            Self::OracleVector(_) => Kind::OracleVector,
            Self::Timestamp { .. } => Kind::Timestamp,
            Self::Regex(_) => Kind::Regex,
            Self::Code(_) => Kind::Code,
            Self::Symbol(_) => Kind::Symbol,
            Self::DbPointer(_) => Kind::DbPointer,
            Self::Undefined => Kind::Undefined,
            Self::MinKey => Kind::MinKey,
            Self::MaxKey => Kind::MaxKey,
        }
    }
}

/// The subtype of binary whose payload is never shown, by the BSON specification.
const SENSITIVE: u8 = 8;

impl fmt::Debug for Scalar<'_> {
    /// The kind and the value; of sensitive binary (subtype 8) the size, never the payload.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value: &dyn fmt::Debug = match self {
            Self::Null | Self::Undefined | Self::MinKey | Self::MaxKey => return write!(f, "{:?}", self.kind()),
            Self::Binary { subtype: SENSITIVE, bytes } => {
                return write!(f, "Binary(8, <{} bytes, sensitive>)", bytes.len());
            }
            Self::Binary { subtype, bytes } => return f.debug_tuple("Binary").field(subtype).field(bytes).finish(),
            Self::Timestamp { time, increment } => {
                return f.debug_struct("Timestamp").field("time", time).field("increment", increment).finish();
            }
            Self::Regex(value) => return value.fmt(f),
            Self::DbPointer(value) => return value.fmt(f),
            Self::ObjectId(value) => return value.fmt(f),
            Self::Bool(value) => value,
            Self::Int32(value) => value,
            Self::Int64(value) | Self::DateTime(value) => value,
            Self::Float(value) => value,
            Self::Double(value) => value,
            Self::Decimal128(value) => value,
            Self::Number(value) => value,
            Self::DecimalText(value) | Self::String(value) | Self::Code(value) | Self::Symbol(value) => value,
            Self::Id(value) | Self::OracleVector(value) => value,
            Self::OracleDate(value) | Self::OracleTimestamp(value) => value,
            Self::OracleTimestampTz(value) => value,
            Self::IntervalYearMonth(value) => value,
            Self::IntervalDaySecond(value) => value,
        };
        write!(f, "{:?}(", self.kind())?;
        value.fmt(f)?;
        f.write_str(")")
    }
}

impl PartialEq for Scalar<'_> {
    /// The same kind and the same bits: a NaN equals itself, 0.0 differs from -0.0.
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Bool(a), Self::Bool(b)) => a == b,
            (Self::Int32(a), Self::Int32(b)) => a == b,
            (Self::Int64(a), Self::Int64(b)) | (Self::DateTime(a), Self::DateTime(b)) => a == b,
            (Self::Float(a), Self::Float(b)) => a.to_bits() == b.to_bits(),
            (Self::Double(a), Self::Double(b)) => a.to_bits() == b.to_bits(),
            (Self::Decimal128(a), Self::Decimal128(b)) => a == b,
            (Self::Number(a), Self::Number(b)) => a == b,
            (Self::DecimalText(a), Self::DecimalText(b))
            | (Self::String(a), Self::String(b))
            | (Self::Code(a), Self::Code(b))
            | (Self::Symbol(a), Self::Symbol(b)) => a == b,
            (Self::Binary { subtype: s, bytes: a }, Self::Binary { subtype: t, bytes: b }) => s == t && a == b,
            (Self::ObjectId(a), Self::ObjectId(b)) => a == b,
            (Self::Id(a), Self::Id(b)) | (Self::OracleVector(a), Self::OracleVector(b)) => a == b,
            (Self::OracleDate(a), Self::OracleDate(b)) | (Self::OracleTimestamp(a), Self::OracleTimestamp(b)) => a == b,
            (Self::OracleTimestampTz(a), Self::OracleTimestampTz(b)) => a == b,
            (Self::IntervalYearMonth(a), Self::IntervalYearMonth(b)) => a == b,
            (Self::IntervalDaySecond(a), Self::IntervalDaySecond(b)) => a == b,
            (Self::Timestamp { time: s, increment: a }, Self::Timestamp { time: t, increment: b }) => s == t && a == b,
            (Self::Regex(a), Self::Regex(b)) => a == b,
            (Self::DbPointer(a), Self::DbPointer(b)) => a == b,
            (a, b) => a.kind() == b.kind() && matches!(a, Self::Null | Self::Undefined | Self::MinKey | Self::MaxKey),
        }
    }
}

/// A BSON regular expression: two strings without NUL, held as BSON lays them out, `pattern NUL options NUL`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Regex<'a>(&'a str);

impl<'a> Regex<'a> {
    /// The expression in `text`, which is `pattern NUL options NUL`; `None` when it is anything else.
    pub fn new(text: &'a str) -> Option<Self> {
        let (_, options) = text.strip_suffix('\0')?.split_once('\0')?;
        (!options.contains('\0')).then_some(Self(text))
    }

    /// Lays the two parts out in `buffer`, which is cleared first; `None` when one of them holds a NUL.
    pub fn join(pattern: &str, options: &str, buffer: &'a mut String) -> Option<Self> {
        buffer.clear();
        for part in [pattern, options] {
            buffer.push_str(part);
            buffer.push('\0');
        }
        Self::new(buffer)
    }

    /// The pattern, in the syntax of PCRE.
    pub fn pattern(self) -> &'a str {
        self.parts().0
    }

    /// The options, one letter each, as the source has them: a BSON writer sorts them.
    pub fn options(self) -> &'a str {
        self.parts().1
    }

    fn parts(self) -> (&'a str, &'a str) {
        self.0.strip_suffix('\0').and_then(|parts| parts.split_once('\0')).unwrap_or_default()
    }
}

impl fmt::Debug for Regex<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "/{}/{}", self.pattern(), self.options())
    }
}

/// A BSON DBPointer: a namespace and an ObjectId, held as one slice, the namespace's bytes and then the 12 of the id.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct DbPointer<'a> {
    namespace_and_id: &'a [u8],
}

impl<'a> DbPointer<'a> {
    /// The pointer in `bytes`, a namespace in UTF-8 followed at once by 12 bytes of id; `None` when it is anything else.
    ///
    /// BSON puts a NUL between the two; it counts as the namespace's last byte here and is left out by
    /// [`namespace`](Self::namespace).
    pub fn new(bytes: &'a [u8]) -> Option<Self> {
        let (namespace, _) = bytes.split_last_chunk::<12>()?;
        let (&nul, namespace) = namespace.split_last()?;
        (nul == 0 && std::str::from_utf8(namespace).is_ok()).then_some(Self { namespace_and_id: bytes })
    }

    /// Lays the two parts out in `buffer`, which is cleared first.
    pub fn join(namespace: &str, id: ObjectId, buffer: &'a mut Vec<u8>) -> Option<Self> {
        buffer.clear();
        buffer.extend_from_slice(namespace.as_bytes());
        buffer.push(0);
        buffer.extend_from_slice(&id.0);
        Self::new(buffer)
    }

    /// The collection that is pointed into, `db.collection`.
    pub fn namespace(self) -> &'a str {
        let namespace =
            self.namespace_and_id.split_last_chunk::<12>().and_then(|(namespace, _)| namespace.split_last());
        namespace.and_then(|(_, namespace)| std::str::from_utf8(namespace).ok()).unwrap_or_default()
    }

    /// The document that is pointed at.
    pub fn id(self) -> ObjectId {
        ObjectId(self.namespace_and_id.last_chunk().copied().unwrap_or_default())
    }

    /// Namespace, NUL and id as BSON lays them out, without the length in front.
    pub fn as_bytes(self) -> &'a [u8] {
        self.namespace_and_id
    }
}

impl fmt::Debug for DbPointer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DbPointer({:?}, {})", self.namespace(), self.id())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sensitive_bytes_are_not_shown() {
        let shown = format!("{:?}", Scalar::Binary { subtype: 8, bytes: b"secret" });
        assert_eq!(shown, "Binary(8, <6 bytes, sensitive>)");
        assert_eq!(format!("{:?}", Scalar::Binary { subtype: 0, bytes: &[1] }), "Binary(0, [1])");
    }

    #[test]
    fn scalars_show_their_kind() {
        assert_eq!(format!("{:?}", Scalar::Int64(-1)), "Int64(-1)");
        assert_eq!(format!("{:?}", Scalar::MinKey), "MinKey");
        assert_eq!(format!("{:?}", Scalar::Symbol("a")), "Symbol(\"a\")");
    }
}
