//! Decimal text on the stack.

use std::fmt;

/// How long the longest text is: sign, 40 digits, point, `E`, sign and ten digits of exponent make 54.
const CAPACITY: usize = 56;

/// The text of a number, held on the stack: no number needs an allocation to be written.
///
/// Made by [`Decimal::to_text`](super::Decimal::to_text) and its namesakes.
#[derive(Clone, Copy)]
pub struct DecimalText {
    bytes: [u8; CAPACITY],
    length: usize,
}

impl DecimalText {
    /// The text; it is always ASCII.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(self.as_bytes()).unwrap_or_default()
    }

    /// The text as bytes; they are always ASCII.
    pub fn as_bytes(&self) -> &[u8] {
        self.bytes.get(..self.length).unwrap_or_default()
    }

    /// A word such as `NaN`.
    pub(super) fn of_word(word: &str) -> Self {
        let mut text = Self::empty();
        text.push(word.as_bytes());
        text
    }

    /// The text of `(-1)^negative * digits * 10^exponent` by the rules of the decimal128 specification.
    ///
    /// These are the rules of IEEE 754's to-scientific-string: plain notation when the exponent is not above 0 and the
    /// first digit is not more than six places behind the point, else one digit, a point, the others and `E±n`.
    pub(super) fn of_number(negative: bool, digits: &[u8], exponent: i32) -> Self {
        let mut text = Self::empty();
        if negative {
            text.push(b"-");
        }
        let digit_count = i64::try_from(digits.len()).unwrap_or(i64::MAX);
        let adjusted = i64::from(exponent).saturating_add(digit_count).saturating_sub(1);
        if exponent > 0 || adjusted < -6 {
            text.push_scientific(digits, adjusted);
        } else {
            text.push_plain(digits, exponent);
        }
        text
    }

    fn empty() -> Self {
        Self { bytes: [b'0'; CAPACITY], length: 0 }
    }

    fn push_scientific(&mut self, digits: &[u8], adjusted: i64) {
        if let Some((first, others)) = digits.split_first() {
            self.push(&[*first]);
            if !others.is_empty() {
                self.push(b".");
                self.push(others);
            }
        }
        self.push(if adjusted < 0 { b"E-" } else { b"E+" });
        let magnitude = super::Coefficient::from_u64(adjusted.unsigned_abs());
        self.push(magnitude.to_digits().as_bytes());
    }

    fn push_plain(&mut self, digits: &[u8], exponent: i32) {
        let fraction_count = usize::try_from(exponent.unsigned_abs()).unwrap_or(usize::MAX);
        let whole_count = digits.len().saturating_sub(fraction_count);
        let (whole, fraction) = digits.split_at_checked(whole_count).unwrap_or_default();
        self.push(if whole.is_empty() { b"0" } else { whole });
        if fraction_count > 0 {
            self.push(b".");
            let zeros = fraction_count.saturating_sub(digits.len());
            // Six at most: the first digit is at most six places behind the point.
            self.push(b"000000".get(..zeros).unwrap_or_default());
            self.push(fraction);
        }
    }

    fn push(&mut self, part: &[u8]) {
        let end = self.length.saturating_add(part.len());
        if let Some(slot) = self.bytes.get_mut(self.length..end) {
            slot.copy_from_slice(part);
            self.length = end;
        } else {
            debug_assert!(false, "a number text is longer than its buffer");
        }
    }
}

impl AsRef<str> for DecimalText {
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}

impl fmt::Display for DecimalText {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.as_str())
    }
}

impl fmt::Debug for DecimalText {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), formatter)
    }
}
