//! The types of BSON, as validators and programs know them.

use boson_document::Kind;

/// A type of BSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "named after the types of BSON")]
pub enum BsonType {
    Bool,
    Int32,
    Int64,
    Double,
    Decimal128,
    String,
    ObjectId,
    /// Binary of subtype 4 with 16 bytes.
    Uuid,
    /// Other binary.
    Binary,
    Date,
    Timestamp,
    Object,
    Array,
    Regex,
    Code,
    CodeWithScope,
    Symbol,
    DbPointer,
    Undefined,
    MinKey,
    MaxKey,
    Null,
}

impl BsonType {
    /// The type of values of `kind`; `None` where BSON has none.
    pub const fn of(kind: Kind) -> Option<Self> {
        Some(match kind {
            Kind::Bool => Self::Bool,
            Kind::Int32 => Self::Int32,
            Kind::Int64 => Self::Int64,
            Kind::Double => Self::Double,
            Kind::Decimal128 => Self::Decimal128,
            Kind::String => Self::String,
            Kind::ObjectId => Self::ObjectId,
            Kind::Binary => Self::Binary,
            Kind::DateTime => Self::Date,
            Kind::Timestamp => Self::Timestamp,
            Kind::Object => Self::Object,
            Kind::Array => Self::Array,
            Kind::Regex => Self::Regex,
            Kind::Code => Self::Code,
            Kind::CodeWithScope => Self::CodeWithScope,
            Kind::Symbol => Self::Symbol,
            Kind::DbPointer => Self::DbPointer,
            Kind::Undefined => Self::Undefined,
            Kind::MinKey => Self::MinKey,
            Kind::MaxKey => Self::MaxKey,
            Kind::Null => Self::Null,
            _ => return None,
        })
    }

    /// The name in `bsonType` and `$type`, as MongoDB's manual lists them.
    pub const fn alias(self) -> &'static str {
        match self {
            Self::Bool => "bool",
            Self::Int32 => "int",
            Self::Int64 => "long",
            Self::Double => "double",
            Self::Decimal128 => "decimal",
            Self::String => "string",
            Self::ObjectId => "objectId",
            Self::Uuid | Self::Binary => "binData",
            Self::Date => "date",
            Self::Timestamp => "timestamp",
            Self::Object => "object",
            Self::Array => "array",
            Self::Regex => "regex",
            Self::Code => "javascript",
            Self::CodeWithScope => "javascriptWithScope",
            Self::Symbol => "symbol",
            Self::DbPointer => "dbPointer",
            Self::Undefined => "undefined",
            Self::MinKey => "minKey",
            Self::MaxKey => "maxKey",
            Self::Null => "null",
        }
    }

    /// Whether `bsonType: "number"` allows it.
    pub const fn is_number(self) -> bool {
        matches!(self, Self::Int32 | Self::Int64 | Self::Double | Self::Decimal128)
    }
}
