//! MongoDB's 12-byte identifier.

use std::fmt;
use std::str::FromStr;

/// An ObjectId: 4 bytes of seconds since 1970, 5 random bytes, a 3-byte counter, all big-endian.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ObjectId(pub [u8; 12]);

impl ObjectId {
    /// Seconds since 1970 at which the id was made, as it says itself.
    pub fn seconds(self) -> u32 {
        let [a, b, c, d, ..] = self.0;
        u32::from_be_bytes([a, b, c, d])
    }
}

impl fmt::Display for ObjectId {
    /// 24 lower-case hexadecimal digits.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for ObjectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ObjectId({self})")
    }
}

/// The text is not 24 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected an ObjectId of 24 hexadecimal digits")]
pub struct ParseObjectIdError;

impl FromStr for ObjectId {
    type Err = ParseObjectIdError;

    fn from_str(text: &str) -> Result<Self, ParseObjectIdError> {
        let mut bytes = [0; 12];
        let digits = text.as_bytes();
        if digits.len() != 24 {
            return Err(ParseObjectIdError);
        }
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
            *byte = pair
                .iter()
                .try_fold(0u8, |high, &digit| {
                    let low = char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok());
                    low.map(|low| (high << 4) | low)
                })
                .ok_or(ParseObjectIdError)?;
        }
        Ok(Self(bytes))
    }
}
