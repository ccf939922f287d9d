//! A document as an owned tree.

mod build;
mod change;
mod drive;

pub use build::Builder;

use std::fmt;

use crate::decimal::{Decimal128, NumberBuf};
use crate::kind::Kind;
use crate::object_id::ObjectId;
use crate::scalar::{DbPointer, Regex, Scalar};
use crate::time::{CivilTime, IntervalDaySecond, IntervalYearMonth, ZonedTime};

/// A value that owns everything in it: for making documents and for tests. The variants mean what those of
/// [`Scalar`] of the same name mean.
///
/// Members of an object keep their order, and names may repeat, as BSON allows.
///
/// Copying, comparing, showing, driving and dropping a tree recurse. What a [`Builder`] makes is at most
/// [`Builder::DEPTH_MAX`] levels deep; whoever makes a deeper one by hand answers for the stack.
#[derive(Clone)]
#[non_exhaustive]
#[expect(missing_docs, reason = "each is documented at the variant of Scalar of the same name")]
pub enum Value {
    Object(Vec<(String, Value)>),
    Array(Vec<Value>),
    CodeWithScope { code: String, scope: Vec<(String, Value)> },
    Null,
    Bool(bool),
    Int32(i32),
    Int64(i64),
    Float(f32),
    Double(f64),
    Decimal128(Decimal128),
    Number(NumberBuf),
    DecimalText(String),
    String(String),
    Binary { subtype: u8, bytes: Vec<u8> },
    ObjectId(ObjectId),
    Id(Vec<u8>),
    DateTime(i64),
    OracleDate(CivilTime),
    OracleTimestamp(CivilTime),
    OracleTimestampTz(ZonedTime),
    IntervalYearMonth(IntervalYearMonth),
    IntervalDaySecond(IntervalDaySecond),
    OracleVector(Vec<u8>),
    Timestamp { time: u32, increment: u32 },
    Regex { pattern: String, options: String },
    Code(String),
    Symbol(String),
    DbPointer { namespace: String, id: ObjectId },
    Undefined,
    MinKey,
    MaxKey,
}

impl Value {
    /// What this is.
    pub fn kind(&self) -> Kind {
        match self {
            Self::Object(_) => Kind::Object,
            Self::Array(_) => Kind::Array,
            Self::CodeWithScope { .. } => Kind::CodeWithScope,
            Self::Regex { .. } => Kind::Regex,
            Self::DbPointer { .. } => Kind::DbPointer,
            leaf => leaf.with_scalar(|scalar| scalar.kind()).unwrap_or(Kind::Undefined),
        }
    }

    /// The first member called `name`, where this is an object.
    pub fn get(&self, name: &str) -> Option<&Self> {
        let Self::Object(members) = self else { return None };
        members.iter().find(|(key, _)| key == name).map(|(_, value)| value)
    }

    /// Hands `use_scalar` the leaf, and returns what that returns; `None` where this is a container, or a regex whose parts
    /// hold a NUL.
    pub fn with_scalar<T>(&self, use_scalar: impl FnOnce(Scalar<'_>) -> T) -> Option<T> {
        let (mut text, mut bytes) = (String::new(), Vec::new());
        Some(use_scalar(match self {
            Self::Null => Scalar::Null,
            Self::Bool(value) => Scalar::Bool(*value),
            Self::Int32(value) => Scalar::Int32(*value),
            Self::Int64(value) => Scalar::Int64(*value),
            Self::Float(value) => Scalar::Float(*value),
            Self::Double(value) => Scalar::Double(*value),
            Self::Decimal128(value) => Scalar::Decimal128(*value),
            Self::Number(value) => Scalar::Number(value.as_number()),
            Self::DecimalText(value) => Scalar::DecimalText(value),
            Self::String(value) => Scalar::String(value),
            Self::Binary { subtype, bytes } => Scalar::Binary { subtype: *subtype, bytes },
            Self::ObjectId(value) => Scalar::ObjectId(*value),
            Self::Id(value) => Scalar::Id(value),
            Self::DateTime(value) => Scalar::DateTime(*value),
            Self::OracleDate(value) => Scalar::OracleDate(*value),
            Self::OracleTimestamp(value) => Scalar::OracleTimestamp(*value),
            Self::OracleTimestampTz(value) => Scalar::OracleTimestampTz(*value),
            Self::IntervalYearMonth(value) => Scalar::IntervalYearMonth(*value),
            Self::IntervalDaySecond(value) => Scalar::IntervalDaySecond(*value),
            Self::OracleVector(value) => Scalar::OracleVector(value),
            Self::Timestamp { time, increment } => Scalar::Timestamp { time: *time, increment: *increment },
            Self::Regex { pattern, options } => Scalar::Regex(Regex::join(pattern, options, &mut text)?),
            Self::Code(value) => Scalar::Code(value),
            Self::Symbol(value) => Scalar::Symbol(value),
            Self::DbPointer { namespace, id } => Scalar::DbPointer(DbPointer::join(namespace, *id, &mut bytes)?),
            Self::MinKey => Scalar::MinKey,
            Self::MaxKey => Scalar::MaxKey,
            Self::Undefined => Scalar::Undefined,
            Self::Object(_) | Self::Array(_) | Self::CodeWithScope { .. } => return None,
        }))
    }
}

impl From<Scalar<'_>> for Value {
    fn from(scalar: Scalar<'_>) -> Self {
        match scalar {
            Scalar::Null => Self::Null,
            Scalar::Bool(value) => Self::Bool(value),
            Scalar::Int32(value) => Self::Int32(value),
            Scalar::Int64(value) => Self::Int64(value),
            Scalar::Float(value) => Self::Float(value),
            Scalar::Double(value) => Self::Double(value),
            Scalar::Decimal128(value) => Self::Decimal128(value),
            Scalar::Number(value) => Self::Number(value.to_buf()),
            Scalar::DecimalText(value) => Self::DecimalText(value.to_owned()),
            Scalar::String(value) => Self::String(value.to_owned()),
            Scalar::Binary { subtype, bytes } => Self::Binary { subtype, bytes: bytes.to_owned() },
            Scalar::ObjectId(value) => Self::ObjectId(value),
            Scalar::Id(value) => Self::Id(value.to_owned()),
            Scalar::DateTime(value) => Self::DateTime(value),
            Scalar::OracleDate(value) => Self::OracleDate(value),
            Scalar::OracleTimestamp(value) => Self::OracleTimestamp(value),
            Scalar::OracleTimestampTz(value) => Self::OracleTimestampTz(value),
            Scalar::IntervalYearMonth(value) => Self::IntervalYearMonth(value),
            Scalar::IntervalDaySecond(value) => Self::IntervalDaySecond(value),
            Scalar::OracleVector(value) => Self::OracleVector(value.to_owned()),
            Scalar::Timestamp { time, increment } => Self::Timestamp { time, increment },
            Scalar::Regex(value) => {
                Self::Regex { pattern: value.pattern().to_owned(), options: value.options().to_owned() }
            }
            Scalar::Code(value) => Self::Code(value.to_owned()),
            Scalar::Symbol(value) => Self::Symbol(value.to_owned()),
            Scalar::DbPointer(value) => Self::DbPointer { namespace: value.namespace().to_owned(), id: value.id() },
            Scalar::Undefined => Self::Undefined,
            Scalar::MinKey => Self::MinKey,
            Scalar::MaxKey => Self::MaxKey,
        }
    }
}

impl fmt::Debug for Value {
    /// As [`Scalar`] shows leaves: the payload of sensitive binary is not shown.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Object(members) => f.debug_map().entries(members.iter().map(|(name, value)| (name, value))).finish(),
            Self::Array(elements) => f.debug_list().entries(elements).finish(),
            Self::CodeWithScope { code, scope } => {
                f.debug_struct("CodeWithScope").field("code", code).field("scope", scope).finish()
            }
            Self::Regex { pattern, options } => write!(f, "/{}/{}", pattern.escape_debug(), options.escape_debug()),
            leaf => leaf.with_scalar(|scalar| scalar.fmt(f)).unwrap_or(Ok(())),
        }
    }
}

impl PartialEq for Value {
    /// The same kinds, the same bits, the same order: a NaN equals itself, 0.0 differs from -0.0.
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Object(a), Self::Object(b)) => a == b,
            (Self::Array(a), Self::Array(b)) => a == b,
            (Self::CodeWithScope { code: c, scope: a }, Self::CodeWithScope { code: d, scope: b }) => c == d && a == b,
            (a, b) if a.kind() != b.kind() || a.kind().is_container() => false,
            (Self::Regex { pattern: p, options: a }, Self::Regex { pattern: q, options: b }) => p == q && a == b,
            (Self::DbPointer { namespace: n, id: a }, Self::DbPointer { namespace: m, id: b }) => n == m && a == b,
            (a, b) => a.with_scalar(|a| b.with_scalar(|b| a == b)) == Some(Some(true)),
        }
    }
}
