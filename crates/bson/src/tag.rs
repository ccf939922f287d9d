//! The element types of BSON.

use boson_document::Kind;

/// The type byte in front of an element's name (bsonspec.org, version 1.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
#[expect(missing_docs, reason = "each is documented at the variant of Scalar of the same name")]
pub enum Tag {
    Double = 0x01,
    String = 0x02,
    Document = 0x03,
    Array = 0x04,
    Binary = 0x05,
    Undefined = 0x06,
    ObjectId = 0x07,
    Bool = 0x08,
    DateTime = 0x09,
    Null = 0x0A,
    Regex = 0x0B,
    DbPointer = 0x0C,
    Code = 0x0D,
    Symbol = 0x0E,
    CodeWithScope = 0x0F,
    Int32 = 0x10,
    Timestamp = 0x11,
    Int64 = 0x12,
    Decimal128 = 0x13,
    MaxKey = 0x7F,
    MinKey = 0xFF,
}

impl Tag {
    /// Every element type, in the order of their bytes.
    pub const ALL: [Self; 21] = [
        Self::Double,
        Self::String,
        Self::Document,
        Self::Array,
        Self::Binary,
        Self::Undefined,
        Self::ObjectId,
        Self::Bool,
        Self::DateTime,
        Self::Null,
        Self::Regex,
        Self::DbPointer,
        Self::Code,
        Self::Symbol,
        Self::CodeWithScope,
        Self::Int32,
        Self::Timestamp,
        Self::Int64,
        Self::Decimal128,
        Self::MaxKey,
        Self::MinKey,
    ];

    /// The element type that `byte` stands for; `None` when BSON does not define it.
    #[expect(clippy::inline_always, reason = "a range check in the innermost loop")]
    #[inline(always)]
    pub const fn from_byte(byte: u8) -> Option<Self> {
        // The discriminants are the bytes, so this compiles to a range check.
        Some(match byte {
            0x01 => Self::Double,
            0x02 => Self::String,
            0x03 => Self::Document,
            0x04 => Self::Array,
            0x05 => Self::Binary,
            0x06 => Self::Undefined,
            0x07 => Self::ObjectId,
            0x08 => Self::Bool,
            0x09 => Self::DateTime,
            0x0A => Self::Null,
            0x0B => Self::Regex,
            0x0C => Self::DbPointer,
            0x0D => Self::Code,
            0x0E => Self::Symbol,
            0x0F => Self::CodeWithScope,
            0x10 => Self::Int32,
            0x11 => Self::Timestamp,
            0x12 => Self::Int64,
            0x13 => Self::Decimal128,
            0x7F => Self::MaxKey,
            0xFF => Self::MinKey,
            _ => return None,
        })
    }

    /// The byte of this element type.
    #[inline]
    #[expect(clippy::as_conversions, reason = "the only way to a discriminant; it is a u8 by the repr")]
    pub const fn byte(self) -> u8 {
        self as u8
    }

    /// What values of this type are in any format.
    pub const fn kind(self) -> Kind {
        match self {
            Self::Double => Kind::Double,
            Self::String => Kind::String,
            Self::Document => Kind::Object,
            Self::Array => Kind::Array,
            Self::Binary => Kind::Binary,
            Self::Undefined => Kind::Undefined,
            Self::ObjectId => Kind::ObjectId,
            Self::Bool => Kind::Bool,
            Self::DateTime => Kind::DateTime,
            Self::Null => Kind::Null,
            Self::Regex => Kind::Regex,
            Self::DbPointer => Kind::DbPointer,
            Self::Code => Kind::Code,
            Self::Symbol => Kind::Symbol,
            Self::CodeWithScope => Kind::CodeWithScope,
            Self::Int32 => Kind::Int32,
            Self::Timestamp => Kind::Timestamp,
            Self::Int64 => Kind::Int64,
            Self::Decimal128 => Kind::Decimal128,
            Self::MaxKey => Kind::MaxKey,
            Self::MinKey => Kind::MinKey,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_and_bytes_agree() {
        for byte in 0..=u8::MAX {
            let listed = Tag::ALL.iter().find(|tag| tag.byte() == byte).copied();
            assert_eq!(Tag::from_byte(byte), listed);
        }
    }
}
