//! Kinds as numbers, for saved profiles.

use boson_document::Kind;
use serde::{Deserialize, Deserializer, Serializer, de::Error};

/// A kind's place in this table stands in saved profiles: kinds may only be added at its end.
const KINDS: [Kind; 31] = [
    Kind::Object,
    Kind::Array,
    Kind::CodeWithScope,
    Kind::Null,
    Kind::Bool,
    Kind::Int32,
    Kind::Int64,
    Kind::Float,
    Kind::Double,
    Kind::Decimal128,
    Kind::Number,
    Kind::DecimalText,
    Kind::String,
    Kind::Binary,
    Kind::ObjectId,
    Kind::Id,
    Kind::DateTime,
    Kind::OracleDate,
    Kind::OracleTimestamp,
    Kind::OracleTimestampTz,
    Kind::IntervalYearMonth,
    Kind::IntervalDaySecond,
    Kind::OracleVector,
    Kind::Timestamp,
    Kind::Regex,
    Kind::Code,
    Kind::Symbol,
    Kind::DbPointer,
    Kind::Undefined,
    Kind::MinKey,
    Kind::MaxKey,
];

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over references")]
pub(crate) fn serialize<S: Serializer>(kind: &Kind, serializer: S) -> Result<S::Ok, S::Error> {
    let place = KINDS.iter().position(|known| known == kind).and_then(|place| u8::try_from(place).ok());
    serializer.serialize_u8(place.unwrap_or(u8::MAX))
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Kind, D::Error> {
    let place = u8::deserialize(deserializer)?;
    KINDS.get(usize::from(place)).copied().ok_or_else(|| D::Error::custom("a kind of value that is not known"))
}
