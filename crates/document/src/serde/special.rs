//! The leaves that serde's data model lacks, and how they travel.

use crate::decimal::Decimal128;
use crate::object_id::ObjectId;
use crate::scalar::Scalar;

/// A leaf that travels as a struct of one field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Special {
    ObjectId,
    DateTime,
    Decimal128,
    Timestamp,
    Binary,
}

impl Special {
    /// The private name of the struct, by which the serializers of this crate know it.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::ObjectId => "boson::$oid",
            Self::DateTime => "boson::$date",
            Self::Decimal128 => "boson::$numberDecimal",
            Self::Timestamp => "boson::$timestamp",
            Self::Binary => "boson::$binary",
        }
    }

    /// The name of its field, which is that of Extended JSON.
    pub(super) const fn field(self) -> &'static str {
        match self {
            Self::ObjectId => "$oid",
            Self::DateTime => "$date",
            Self::Decimal128 => "$numberDecimal",
            Self::Timestamp => "$timestamp",
            Self::Binary => "$binary",
        }
    }

    pub(super) fn by_name(name: &str) -> Option<Self> {
        let all = [Self::ObjectId, Self::DateTime, Self::Decimal128, Self::Timestamp, Self::Binary];
        all.into_iter().find(|special| special.name() == name)
    }

    /// The leaf whose bytes these are; `None` when they are not.
    pub(super) fn scalar(self, bytes: &[u8]) -> Option<Scalar<'_>> {
        match self {
            Self::ObjectId => Some(Scalar::ObjectId(ObjectId(bytes.try_into().ok()?))),
            Self::DateTime => Some(Scalar::DateTime(i64::from_le_bytes(bytes.try_into().ok()?))),
            Self::Decimal128 => Some(Scalar::Decimal128(Decimal128::from_bytes(bytes.try_into().ok()?))),
            Self::Timestamp => {
                let (increment, time) = bytes.split_first_chunk()?;
                let time = u32::from_le_bytes(time.try_into().ok()?);
                Some(Scalar::Timestamp { time, increment: u32::from_le_bytes(*increment) })
            }
            Self::Binary => {
                let (&subtype, bytes) = bytes.split_first()?;
                Some(Scalar::Binary { subtype, bytes })
            }
        }
    }
}

/// A leaf's bytes as they travel between the crate's own halves; `None` of a leaf that is not special.
pub(super) fn travelling(scalar: Scalar<'_>) -> Option<(Special, Vec<u8>)> {
    Some(match scalar {
        Scalar::ObjectId(id) => (Special::ObjectId, id.0.to_vec()),
        Scalar::DateTime(ms) => (Special::DateTime, ms.to_le_bytes().to_vec()),
        Scalar::Decimal128(number) => (Special::Decimal128, number.to_bytes().to_vec()),
        Scalar::Timestamp { time, increment } => {
            (Special::Timestamp, [increment.to_le_bytes(), time.to_le_bytes()].concat())
        }
        Scalar::Binary { subtype, bytes } => (Special::Binary, [&[subtype], bytes].concat()),
        _ => return None,
    })
}
