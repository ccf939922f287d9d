//! Leaves: what an opcode says of its payload, and what the payload says.

use boson_document::{ByteSource, DecodeError, DecodeErrorKind, Kind, Number, ObjectId, Rule, Scalar, Span, as_text};

use crate::fault;
use crate::float::{decode_double, decode_float};
use crate::image::Image;
use crate::tag::{self, opcode};
use crate::temporal::{self, ZoneFault};
use crate::width::{Width, ub1};

/// How a payload is to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    Null,
    True,
    False,
    String,
    Number,
    Int32,
    Int64,
    /// A NUMBER that was a decimal128.
    Decimal,
    DecimalText,
    Double,
    Float,
    Date,
    Timestamp,
    TimestampTz,
    IntervalYearMonth,
    IntervalDaySecond,
    Binary,
    Id,
    Vector,
}

/// Where the length of a payload stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Length {
    /// In the opcode.
    Known(u8),
    /// After it.
    Stored(Width),
}

/// A node without children.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Leaf {
    /// Where its opcode stands.
    pub(crate) at: usize,
    pub(crate) class: Class,
    /// Where its payload begins.
    pub(crate) payload_at: usize,
    /// The first byte after it.
    pub(crate) end: usize,
}

impl Leaf {
    pub(crate) const fn span(&self) -> Span {
        Span::between(self.at, self.end)
    }

    /// The leaf that `nodes`, the rest of a tree segment, begin with, at `at`; `None` when it is of a rare kind or faulty.
    #[inline]
    pub(crate) fn common(nodes: &[u8], at: usize) -> Option<Self> {
        let (&code, rest) = nodes.split_first()?;
        let (class, before, len) = match (*SHAPES.get(usize::from(code))?)? {
            (class, Length::Known(len)) => (class, 1, usize::from(len)),
            (class, Length::Stored(Width::Ub1)) => (class, 2, usize::from(*rest.first()?)),
            (class, Length::Stored(Width::Ub2)) => (class, 3, usize::from(u16::from_be_bytes(*rest.first_chunk()?))),
            (_, Length::Stored(Width::Ub4)) => return None,
        };
        let payload = nodes.get(before..)?.get(..len)?;
        let payload_at = at.wrapping_add(before);
        Some(Self { at, class, payload_at, end: payload_at.wrapping_add(payload.len()) })
    }

    /// How many bytes the opcode takes.
    pub(crate) fn opcode_len(&self) -> usize {
        if self.class == Class::Vector { 2 } else { 1 }
    }
}

/// What each opcode of a leaf says, worked out by the compiler: a load costs less than a jump that nobody can foresee.
static SHAPES: [Option<(Class, Length)>; 128] = shapes();

#[expect(clippy::indexing_slicing, reason = "only the compiler runs it")]
const fn shapes() -> [Option<(Class, Length)>; 128] {
    let (mut shapes, mut code, mut index) = ([None; 128], 0_u8, 0_usize);
    while index < shapes.len() {
        shapes[index] = shape(code);
        (code, index) = (code.wrapping_add(1), index.wrapping_add(1));
    }
    shapes
}

/// What opcode `code` says, if it is a leaf's; of the two-byte ones nothing.
const fn shape(code: u8) -> Option<(Class, Length)> {
    use Length::{Known, Stored};
    use opcode::{
        BINARY_DOUBLE, BINARY_FLOAT, BINARY_UB2, BINARY_UB4, DATE, DECIMAL_FIRST, DECIMAL_LAST, DECIMAL_TEXT_UB1,
        DECIMAL_UB1, FALSE, ID_UB1, INT32_FIRST, INT32_LAST, INT64_FIRST, INT64_LAST, INTERVAL_DAY_SECOND,
        INTERVAL_YEAR_MONTH, NULL, NUMBER_FIRST, NUMBER_LAST, NUMBER_UB1, STRING_LAST, STRING_UB1, STRING_UB2,
        STRING_UB4, TIMESTAMP, TIMESTAMP_TZ, TIMESTAMP_WHOLE, TRUE,
    };
    Some(match code {
        0..=STRING_LAST => (Class::String, Known(code)),
        NUMBER_FIRST..=NUMBER_LAST => (Class::Number, Known((code & 0x0F).wrapping_add(1))),
        NULL => (Class::Null, Known(0)),
        TRUE => (Class::True, Known(0)),
        FALSE => (Class::False, Known(0)),
        STRING_UB1 => (Class::String, Stored(Width::Ub1)),
        STRING_UB2 => (Class::String, Stored(Width::Ub2)),
        STRING_UB4 => (Class::String, Stored(Width::Ub4)),
        NUMBER_UB1 => (Class::Number, Stored(Width::Ub1)),
        DECIMAL_TEXT_UB1 => (Class::DecimalText, Stored(Width::Ub1)),
        BINARY_DOUBLE => (Class::Double, Known(8)),
        BINARY_FLOAT => (Class::Float, Known(4)),
        TIMESTAMP => (Class::Timestamp, Known(11)),
        TIMESTAMP_WHOLE => (Class::Timestamp, Known(7)),
        TIMESTAMP_TZ => (Class::TimestampTz, Known(13)),
        DATE => (Class::Date, Known(7)),
        INTERVAL_YEAR_MONTH => (Class::IntervalYearMonth, Known(5)),
        INTERVAL_DAY_SECOND => (Class::IntervalDaySecond, Known(11)),
        BINARY_UB2 => (Class::Binary, Stored(Width::Ub2)),
        BINARY_UB4 => (Class::Binary, Stored(Width::Ub4)),
        INT32_FIRST..=INT32_LAST => (Class::Int32, Known(code & 0x07)),
        INT64_FIRST..=INT64_LAST => (Class::Int64, Known(code & 0x0F)),
        DECIMAL_FIRST..=DECIMAL_LAST => (Class::Decimal, Known((code & 0x0F).wrapping_add(1))),
        DECIMAL_UB1 => (Class::Decimal, Stored(Width::Ub1)),
        ID_UB1 => (Class::Id, Stored(Width::Ub1)),
        _ => return None,
    })
}

#[cold]
fn unknown(code: u8, at: usize) -> DecodeError {
    if code == opcode::RESERVED {
        fault::broken(at, Rule::ReservedOpcode)
    } else {
        DecodeError::new(at, DecodeErrorKind::UnknownTag(code))
    }
}

impl<S: ByteSource> Image<S> {
    /// The leaf whose opcode `code` stands at `at`; its payload is not looked at.
    #[inline]
    pub(crate) fn leaf(&self, at: usize, code: u8) -> Result<Leaf, DecodeError> {
        let after = at.saturating_add(1);
        let (class, payload_at, len) = match SHAPES.get(usize::from(code)).copied().flatten() {
            Some((class, Length::Known(len))) => (class, after, usize::from(len)),
            Some((class, Length::Stored(width))) => {
                (class, after.saturating_add(width.bytes()), self.stored_len(after, width)?)
            }
            None => self.rare_leaf(at, code)?,
        };
        let end = payload_at.saturating_add(len);
        self.within(at, end.saturating_sub(at))?;
        Ok(Leaf { at, class, payload_at, end })
    }

    /// The leaf that stands at `at`; `None` when it is of a rare kind or faulty.
    #[inline]
    pub(crate) fn common_leaf(&self, at: usize) -> Option<Leaf> {
        Leaf::common(self.source.as_slice()?.get(at..self.header.segment_end(at))?, at)
    }

    /// The length that stands at `at`.
    #[inline]
    fn stored_len(&self, at: usize, width: Width) -> Result<usize, DecodeError> {
        self.within(at.saturating_sub(1), width.bytes().saturating_add(1))?;
        width.read(self.source, at)
    }

    /// Class, payload and length of a leaf whose opcode has two bytes.
    #[cold]
    fn rare_leaf(&self, at: usize, code: u8) -> Result<(Class, usize, usize), DecodeError> {
        if code == opcode::EXTENDED { self.vector(at) } else { Err(unknown(code, at)) }
    }

    /// Where the vector image in the node at `at` begins, and its length.
    fn vector(&self, at: usize) -> Result<(Class, usize, usize), DecodeError> {
        self.within(at, 6)?;
        let second_at = at.saturating_add(1);
        if ub1(self.source, second_at)? != opcode::EXTENDED_VECTOR {
            return Err(fault::broken(second_at, Rule::ReservedOpcode));
        }
        let len = Width::Ub4.read(self.source, at.saturating_add(2))?;
        Ok((Class::Vector, at.saturating_add(6), len))
    }

    /// The payload of `leaf`.
    #[inline]
    pub(crate) fn payload(&self, leaf: &Leaf) -> Result<S::Bytes, DecodeError> {
        self.source.bytes(leaf.payload_at..leaf.end)
    }
}

impl Class {
    /// The kind of value; of the two a decimal or an ID can be, the one that nearly all are.
    pub(crate) const fn kind(self, payload_len: usize) -> Kind {
        match self {
            Self::Null => Kind::Null,
            Self::True | Self::False => Kind::Bool,
            Self::String => Kind::String,
            Self::Number => Kind::Number,
            Self::Int32 => Kind::Int32,
            Self::Int64 => Kind::Int64,
            Self::Decimal => Kind::Decimal128,
            Self::DecimalText => Kind::DecimalText,
            Self::Double => Kind::Double,
            Self::Float => Kind::Float,
            Self::Date => Kind::OracleDate,
            Self::Timestamp => Kind::OracleTimestamp,
            Self::TimestampTz => Kind::OracleTimestampTz,
            Self::IntervalYearMonth => Kind::IntervalYearMonth,
            Self::IntervalDaySecond => Kind::IntervalDaySecond,
            Self::Binary => Kind::Binary,
            Self::Id if payload_len == 12 => Kind::ObjectId,
            Self::Id => Kind::Id,
            Self::Vector => Kind::OracleVector,
        }
    }

    /// The value in `payload`, which stands at `at`.
    ///
    /// # Errors
    ///
    /// `InvalidUtf8`, and the rule of the value's type. A NUMBER marked as an integer must be one and fit.
    #[inline]
    pub(crate) fn decode(self, payload: &[u8], at: usize) -> Result<Scalar<'_>, DecodeError> {
        Ok(match self {
            Self::String => Scalar::String(text(payload, at)?),
            Self::Number => Scalar::Number(number(payload, at)?),
            Self::Null => Scalar::Null,
            Self::True => Scalar::Bool(true),
            Self::False => Scalar::Bool(false),
            Self::Int32 => Scalar::Int32(integer(payload, at)?),
            Self::Int64 => Scalar::Int64(integer(payload, at)?),
            Self::Double => Scalar::Double(decode_double(fixed(payload, at)?)),
            Self::Float => Scalar::Float(decode_float(fixed(payload, at)?)),
            Self::Binary => Scalar::Binary { subtype: 0, bytes: payload },
            _ => return self.decode_rare(payload, at),
        })
    }

    fn decode_rare(self, payload: &[u8], at: usize) -> Result<Scalar<'_>, DecodeError> {
        let not = |rule| fault::broken(at, rule);
        Ok(match self {
            Self::Decimal => decimal(number(payload, at)?),
            Self::DecimalText => Scalar::DecimalText(decimal_text(payload, at)?),
            Self::Date => {
                Scalar::OracleDate(temporal::decode_date(fixed(payload, at)?).ok_or_else(|| not(Rule::Date))?)
            }
            Self::Timestamp => Scalar::OracleTimestamp(timestamp(payload, at).ok_or_else(|| not(Rule::Date))?),
            Self::TimestampTz => match temporal::decode_timestamp_tz(fixed(payload, at)?) {
                Ok(time) => Scalar::OracleTimestampTz(time),
                Err(ZoneFault::Region) => return Err(not(Rule::TimeZoneRegion)),
                Err(ZoneFault::Invalid) => return Err(not(Rule::Date)),
            },
            Self::IntervalYearMonth => Scalar::IntervalYearMonth(
                temporal::decode_interval_ym(fixed(payload, at)?).ok_or_else(|| not(Rule::Interval))?,
            ),
            Self::IntervalDaySecond => Scalar::IntervalDaySecond(
                temporal::decode_interval_ds(fixed(payload, at)?).ok_or_else(|| not(Rule::Interval))?,
            ),
            Self::Id => id(payload, at)?,
            _ => Scalar::OracleVector(payload),
        })
    }
}

#[inline]
pub(crate) fn text(payload: &[u8], at: usize) -> Result<&str, DecodeError> {
    as_text(payload).ok_or_else(|| fault::invalid_utf8(at, payload))
}

#[inline]
fn number(payload: &[u8], at: usize) -> Result<Number<'_>, DecodeError> {
    Number::new(payload).map_err(|_| fault::broken(at, Rule::Number))
}

#[inline]
fn integer<T: TryFrom<i64>>(payload: &[u8], at: usize) -> Result<T, DecodeError> {
    let value = number(payload, at)?.to_i64().and_then(|value| T::try_from(value).ok());
    value.ok_or_else(|| fault::broken(at, Rule::IntegerRange))
}

/// The payload as an array: it has that many bytes, since the length came from the opcode.
#[inline]
fn fixed<const N: usize>(payload: &[u8], at: usize) -> Result<[u8; N], DecodeError> {
    payload
        .first_chunk()
        .copied()
        .ok_or_else(|| fault::too_short(at.saturating_add(payload.len()), at.saturating_add(N)))
}

/// A decimal128 where 34 digits hold the number, else the NUMBER itself, so that no digit is lost.
fn decimal(number: Number<'_>) -> Scalar<'_> {
    number.to_decimal().to_decimal128().map_or(Scalar::Number(number), Scalar::Decimal128)
}

fn decimal_text(payload: &[u8], at: usize) -> Result<&str, DecodeError> {
    let text = text(payload, at)?;
    if is_number_text(payload) { Ok(text) } else { Err(fault::broken(at, Rule::DecimalText)) }
}

/// Whether `text` is a number in JSON's grammar, which is what opcode 0x35 holds: no leading zeros or `+`, no NaN.
pub(crate) fn is_number_text(text: &[u8]) -> bool {
    let unsigned = text.strip_prefix(b"-").unwrap_or(text);
    let whole = digits(unsigned);
    let rest = unsigned.get(whole..).unwrap_or_default();
    let leading_zero = whole > 1 && unsigned.first() == Some(&b'0');
    whole > 0 && !leading_zero && is_fraction_and_exponent(rest)
}

fn is_fraction_and_exponent(text: &[u8]) -> bool {
    let rest = match text.strip_prefix(b".") {
        Some(fraction) => match digits(fraction) {
            0 => return false,
            count => fraction.get(count..).unwrap_or_default(),
        },
        None => text,
    };
    let Some((b'e' | b'E', exponent)) = rest.split_first() else { return rest.is_empty() };
    let unsigned = exponent.strip_prefix(b"-").or_else(|| exponent.strip_prefix(b"+")).unwrap_or(exponent);
    !unsigned.is_empty() && digits(unsigned) == unsigned.len()
}

/// How many digits `text` begins with.
fn digits(text: &[u8]) -> usize {
    text.iter().take_while(|byte| byte.is_ascii_digit()).count()
}

/// 7 bytes, or 11 with nanoseconds.
fn timestamp(payload: &[u8], at: usize) -> Option<boson_document::CivilTime> {
    if payload.len() == 7 {
        return temporal::decode_date(fixed(payload, at).ok()?);
    }
    temporal::decode_timestamp(fixed(payload, at).ok()?)
}

fn id(payload: &[u8], at: usize) -> Result<Scalar<'_>, DecodeError> {
    if payload.len() > tag::ID_BYTES_MAX {
        return Err(fault::broken(at, Rule::IdLength));
    }
    Ok(<[u8; 12]>::try_from(payload).map_or(Scalar::Id(payload), |bytes| Scalar::ObjectId(ObjectId(bytes))))
}
