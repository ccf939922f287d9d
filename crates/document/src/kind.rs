//! The name of what a value is.

use std::fmt;

/// What a value is, in any of the formats: one name for each variant of [`Scalar`](crate::Scalar) and for the three
/// containers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
#[expect(missing_docs, reason = "each is documented at the variant of Scalar of the same name")]
pub enum Kind {
    Object,
    Array,
    CodeWithScope,
    Null,
    Bool,
    Int32,
    Int64,
    Float,
    Double,
    Decimal128,
    Number,
    DecimalText,
    String,
    Binary,
    ObjectId,
    Id,
    DateTime,
    OracleDate,
    OracleTimestamp,
    OracleTimestampTz,
    IntervalYearMonth,
    IntervalDaySecond,
    OracleVector,
    Timestamp,
    Regex,
    Code,
    Symbol,
    DbPointer,
    Undefined,
    MinKey,
    MaxKey,
}

impl Kind {
    /// The name that people know: MongoDB's aliases (`$type`) for what BSON has, Oracle's type names for the rest.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Object => "object",
            Self::Array => "array",
            Self::CodeWithScope => "javascriptWithScope",
            Self::Null => "null",
            Self::Bool => "bool",
            Self::Int32 => "int",
            Self::Int64 => "long",
            Self::Float => "float",
            Self::Double => "double",
            Self::Decimal128 => "decimal",
            Self::Number => "NUMBER",
            Self::DecimalText => "decimal text",
            Self::String => "string",
            Self::Binary => "binData",
            Self::ObjectId => "objectId",
            Self::Id => "ID",
            Self::DateTime => "date",
            Self::OracleDate => "DATE",
            Self::OracleTimestamp => "TIMESTAMP",
            Self::OracleTimestampTz => "TIMESTAMP WITH TIME ZONE",
            Self::IntervalYearMonth => "INTERVAL YEAR TO MONTH",
            Self::IntervalDaySecond => "INTERVAL DAY TO SECOND",
            Self::OracleVector => "VECTOR",
            Self::Timestamp => "timestamp",
            Self::Regex => "regex",
            Self::Code => "javascript",
            Self::Symbol => "symbol",
            Self::DbPointer => "dbPointer",
            Self::Undefined => "undefined",
            Self::MinKey => "minKey",
            Self::MaxKey => "maxKey",
        }
    }

    /// Whether values of this kind hold others.
    pub const fn is_container(self) -> bool {
        matches!(self, Self::Object | Self::Array | Self::CodeWithScope)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
