//! The keys of wrapper objects.

use super::{Dialects, Names};

/// A key that a wrapper object has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Name {
    Binary,
    Code,
    Date,
    DbPointer,
    MaxKey,
    MinKey,
    NumberDecimal,
    NumberDouble,
    NumberInt,
    NumberLong,
    Oid,
    RegularExpression,
    Scope,
    Symbol,
    Timestamp,
    Undefined,
    Uuid,
    // Legacy.
    Options,
    Regex,
    Type,
    // Oracle.
    IntervalDaySecond,
    IntervalYearMonth,
    NumberFloat,
    OracleDate,
    OracleTimestamp,
    OracleTimestampTz,
    RawHex,
    RawId,
    Subtype,
    Vector,
    VectorElementType,
}

/// What may stand as the value of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holds {
    Leaf,
    Object,
    Array,
}

impl Name {
    /// The key that `text` is, where `dialects` have it.
    pub(super) fn of(text: &str, dialects: Dialects) -> Option<Self> {
        match dialects.names {
            Names::Nobodys => return None,
            Names::OracleTypes => return Self::of_oracle_types(text),
            Names::Mongodb | Names::Both => {}
        }
        let common = match text {
            "$binary" => Self::Binary,
            "$code" => Self::Code,
            "$date" => Self::Date,
            "$dbPointer" => Self::DbPointer,
            "$maxKey" => Self::MaxKey,
            "$minKey" => Self::MinKey,
            "$numberDecimal" => Self::NumberDecimal,
            "$numberDouble" => Self::NumberDouble,
            "$numberInt" => Self::NumberInt,
            "$numberLong" => Self::NumberLong,
            "$oid" => Self::Oid,
            "$regularExpression" => Self::RegularExpression,
            "$scope" => Self::Scope,
            "$symbol" => Self::Symbol,
            "$timestamp" => Self::Timestamp,
            "$undefined" => Self::Undefined,
            "$uuid" => Self::Uuid,
            "$options" if dialects.legacy => Self::Options,
            "$regex" if dialects.legacy => Self::Regex,
            "$type" if dialects.legacy => Self::Type,
            _ if dialects.oracle() => return Self::of_oracle(text),
            _ => return None,
        };
        Some(common)
    }

    /// The keys around what BSON has no type for.
    fn of_oracle_types(text: &str) -> Option<Self> {
        Some(match text {
            "$intervalDaySecond" => Self::IntervalDaySecond,
            "$intervalYearMonth" => Self::IntervalYearMonth,
            "$rawid" => Self::RawId,
            "$vector" => Self::Vector,
            "$vectorElementType" => Self::VectorElementType,
            _ => return None,
        })
    }

    fn of_oracle(text: &str) -> Option<Self> {
        Some(match text {
            "$numberFloat" => Self::NumberFloat,
            "$oracleDate" => Self::OracleDate,
            "$oracleTimestamp" => Self::OracleTimestamp,
            "$oracleTimestampTZ" => Self::OracleTimestampTz,
            "$rawhex" => Self::RawHex,
            "$subtype" => Self::Subtype,
            _ => return Self::of_oracle_types(text),
        })
    }

    /// Whether an object with this key must be a wrapper. The others mean something only beside one of these, or are
    /// operators of queries.
    pub(super) const fn is_binding(self) -> bool {
        !matches!(
            self,
            Self::Scope | Self::Options | Self::Regex | Self::Type | Self::Subtype | Self::VectorElementType
        )
    }

    /// Whether the value of this key may be of this make.
    pub(super) const fn may_hold(self, what: Holds) -> bool {
        match self {
            Self::Binary => matches!(what, Holds::Leaf | Holds::Object),
            // What `$regex` and `$type` hold in a query is none of our business.
            Self::Date | Self::Regex | Self::Type => !matches!(what, Holds::Array),
            Self::Scope | Self::DbPointer | Self::RegularExpression | Self::Timestamp => matches!(what, Holds::Object),
            Self::Vector => matches!(what, Holds::Array),
            _ => matches!(what, Holds::Leaf),
        }
    }
}
