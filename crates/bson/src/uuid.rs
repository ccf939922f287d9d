//! UUIDs in binary values.
//!
//! Subtype 4 holds the 16 bytes in their order. Subtype 3 is older and ambiguous: each driver had an order of its own, and
//! nothing in a document says which, so the order is always the caller's to name.

use boson_document::{DecodeError, DecodeErrorKind, Rule};
use uuid::Uuid;

/// The UUID in the payload of binary of subtype 4.
///
/// # Errors
///
/// `UuidLength` when there are not 16 bytes; the offset counts within the payload.
pub fn uuid(payload: &[u8]) -> Result<Uuid, DecodeError> {
    bytes(payload).map(Uuid::from_bytes)
}

/// In which order a driver of old laid out a UUID in binary of subtype 3.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LegacyUuid {
    /// The 16 bytes in their order: `PyMongo` and most others.
    Python,
    /// Each half of eight bytes reversed: the Java driver.
    Java,
    /// The first four bytes, the next two and the next two reversed, as a GUID lies in memory: the C# driver.
    CSharp,
}

impl LegacyUuid {
    /// The UUID in the payload of binary of subtype 3.
    ///
    /// # Errors
    ///
    /// `UuidLength` when there are not 16 bytes; the offset counts within the payload.
    pub fn uuid(self, payload: &[u8]) -> Result<Uuid, DecodeError> {
        bytes(payload).map(|bytes| Uuid::from_bytes(self.reorder(bytes)))
    }

    /// The payload that a driver of this order writes.
    pub fn payload(self, uuid: Uuid) -> [u8; 16] {
        self.reorder(uuid.into_bytes())
    }

    /// The 16 bytes of a UUID laid out in this order, or the other way round: each order is its own inverse.
    #[must_use]
    pub fn reorder(self, mut bytes: [u8; 16]) -> [u8; 16] {
        let runs: &[usize] = match self {
            Self::Python => &[],
            Self::Java => &[8, 8],
            Self::CSharp => &[4, 2, 2],
        };
        let mut rest = bytes.as_mut_slice();
        for &len in runs {
            let Some((run, others)) = rest.split_at_mut_checked(len) else { break };
            run.reverse();
            rest = others;
        }
        bytes
    }
}

fn bytes(payload: &[u8]) -> Result<[u8; 16], DecodeError> {
    payload.try_into().map_err(|_| DecodeError::new(0, DecodeErrorKind::Broken(Rule::UuidLength)))
}
