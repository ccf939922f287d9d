//! Decimal numbers: BSON's [`Decimal128`], Oracle's [`Number`], and [`Decimal`], where all number types meet.
//!
//! Every conversion here is exact or says that it is not: digits are never rounded away in silence.
//!
//! ```
//! use boson_document::decimal::Decimal;
//!
//! let price = Decimal::parse("12.50")?;
//! assert_eq!(price.to_decimal128().map(|d| d.to_string()), Some("12.50".to_owned()));
//! assert_eq!(price.to_number().map(|n| n.as_number().as_bytes().to_vec()), Some(vec![0xC1, 13, 51]));
//! assert_eq!(price.to_f64_exact(), Some(12.5));
//! assert_eq!(price.to_i64(), None);
//! # Ok::<(), boson_document::decimal::DecimalError>(())
//! ```

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

mod decimal128;
mod float;
mod number;
mod parts;
mod text;

pub use decimal128::Decimal128;
pub use number::{Number, NumberBuf, NumberError};
pub use text::DecimalText;

use parts::{Coefficient, Digits, PointRule, scan};

/// Why a text is no decimal number, or a number does not fit a decimal type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DecimalError {
    /// The text is not a number.
    #[error("not a decimal number: unexpected text at byte {offset}")]
    Syntax {
        /// Where the text stops being a number, in bytes from its start.
        offset: usize,
    },
    /// More than 40 significant digits.
    #[error("more than 40 significant digits")]
    TooManyDigits,
    /// The power of ten does not fit 32 bits.
    #[error("exponent outside the range of a 32-bit integer")]
    ExponentOutOfRange,
    /// A decimal128 has 34 digits; this number needs more.
    #[error("inexact: a decimal128 has 34 significant digits")]
    Inexact,
    /// Beyond the largest decimal128, 9.99…E+6144.
    #[error("too large for a decimal128")]
    Overflow,
    /// Has digits below 1E-6176, the smallest decimal128.
    #[error("too small for a decimal128")]
    Underflow,
}

/// An exact finite decimal number: a sign, up to 40 significant digits and a 32-bit power of ten.
///
/// It holds every finite Decimal128 and every Oracle NUMBER, every integer of 64 bits and the shortest digits of every
/// finite double. It keeps what was written: `1.50` has the digits 150 and the exponent -2, and zero has a sign and an
/// exponent. `==` compares these parts, [`Decimal::same_value`] and [`Decimal::compare`] the numbers.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Decimal {
    low: u128,
    exponent: i32,
    high: u8,
    negative: bool,
}

impl Decimal {
    /// Positive zero.
    pub const ZERO: Self = Self { low: 0, exponent: 0, high: 0, negative: false };

    /// Reads `[+-] digits [. digits] [e [+-] digits]`: a JSON number, or one with a leading `+` or with leading zeros.
    ///
    /// Trailing zeros are kept, except that zeros beyond the fortieth significant digit move into the exponent.
    ///
    /// # Errors
    ///
    /// `Syntax` for anything else (also `inf`, `nan`, `5.` and `.5`), `TooManyDigits` for more than 40 significant
    /// digits, `ExponentOutOfRange` when the power of ten of the last digit does not fit an `i32` and the number is not
    /// zero; a zero gets the nearest exponent.
    #[inline]
    pub fn parse(text: &str) -> Result<Self, DecimalError> {
        Self::parse_by(text, PointRule::BothSides)
    }

    fn parse_by(text: &str, point: PointRule) -> Result<Self, DecimalError> {
        let number = scan(text.as_bytes(), point)?;
        Ok(Self::of(number.negative, number.coefficient, number.exponent))
    }

    const fn of(negative: bool, coefficient: Coefficient, exponent: i32) -> Self {
        Self { low: coefficient.low, exponent, high: coefficient.high, negative }
    }

    /// The number `(-1)^negative * coefficient * 10^exponent`.
    pub fn from_parts(negative: bool, coefficient: u128, exponent: i32) -> Self {
        Self::of(negative, Coefficient::from_u128(coefficient), exponent)
    }

    /// The integer, with exponent 0.
    pub fn from_i64(value: i64) -> Self {
        Self::of(value < 0, Coefficient::from_u64(value.unsigned_abs()), 0)
    }

    /// The integer, with exponent 0.
    pub fn from_u64(value: u64) -> Self {
        Self::of(false, Coefficient::from_u64(value), 0)
    }

    const fn coefficient(&self) -> Coefficient {
        Coefficient { low: self.low, high: self.high }
    }

    /// Whether the sign is minus; a zero can have one.
    pub const fn is_negative(&self) -> bool {
        self.negative
    }

    /// Whether the value is zero, of either sign.
    pub const fn is_zero(&self) -> bool {
        self.coefficient().is_zero()
    }

    /// Whether this is a zero with a minus sign, which neither an integer nor an Oracle NUMBER can hold.
    pub const fn is_negative_zero(&self) -> bool {
        self.negative && self.is_zero()
    }

    /// The power of ten of the last digit.
    pub const fn exponent(&self) -> i32 {
        self.exponent
    }

    /// How many digits there are without leading zeros, 1 for zero.
    pub fn digit_count(&self) -> u32 {
        self.coefficient().digit_count()
    }

    /// The same value with no trailing zeros in its digits; zero gets the exponent 0 and keeps its sign.
    #[must_use]
    pub fn normalized(&self) -> Self {
        if self.is_zero() {
            return Self { negative: self.negative, ..Self::ZERO };
        }
        // Each zero that goes adds one to the exponent, which must stay an i32.
        let (coefficient, stripped) = self.coefficient().strip_zeros(i32::MAX.abs_diff(self.exponent));
        Self::of(self.negative, coefficient, self.exponent.saturating_add_unsigned(stripped))
    }

    /// Whether both are the same number, however many zeros they are written with. Zero equals negative zero.
    pub fn same_value(&self, other: &Self) -> bool {
        if self.is_zero() || other.is_zero() {
            return self.is_zero() && other.is_zero();
        }
        self == other
            || self.exponent != other.exponent
                && self.negative == other.negative
                && self.adjusted_exponent() == other.adjusted_exponent()
                && self.normalized() == other.normalized()
    }

    /// Orders the two by value. Numbers that are the [same value](Decimal::same_value) are equal.
    pub fn compare(&self, other: &Self) -> Ordering {
        match (self.signum(), other.signum()) {
            (1, 1) => self.compare_magnitude(other),
            (-1, -1) => other.compare_magnitude(self),
            (mine, theirs) => mine.cmp(&theirs),
        }
    }

    const fn signum(&self) -> i8 {
        match (self.is_zero(), self.negative) {
            (true, _) => 0,
            (false, false) => 1,
            (false, true) => -1,
        }
    }

    fn compare_magnitude(&self, other: &Self) -> Ordering {
        self.adjusted_exponent().cmp(&other.adjusted_exponent()).then_with(|| {
            let (mine, theirs) = (self.normalized().digits(), other.normalized().digits());
            // The first digits stand at the same place and neither ends in a zero: as text, the longer is the larger.
            mine.as_bytes().cmp(theirs.as_bytes())
        })
    }

    /// The power of ten of the first digit.
    fn adjusted_exponent(&self) -> i64 {
        i64::from(self.exponent).saturating_add(i64::from(self.digit_count())).saturating_sub(1)
    }

    fn digits(&self) -> Digits {
        self.coefficient().to_digits()
    }

    /// The integer, if the value is one and fits; `None` for negative zero, which no integer can hold.
    pub fn to_i64(&self) -> Option<i64> {
        let magnitude = self.magnitude()?;
        if self.negative {
            if magnitude == 0 { None } else { 0_i64.checked_sub_unsigned(magnitude) }
        } else {
            i64::try_from(magnitude).ok()
        }
    }

    /// The integer, if the value is one and fits; `None` for negative zero.
    pub fn to_u64(&self) -> Option<u64> {
        if self.negative { None } else { self.magnitude() }
    }

    /// The absolute value, if that is an integer of 64 bits.
    fn magnitude(&self) -> Option<u64> {
        if self.is_zero() {
            return Some(0);
        }
        if self.exponent >= 0 {
            let scale = 10_u64.checked_pow(self.exponent.unsigned_abs())?;
            return self.coefficient().as_u64()?.checked_mul(scale);
        }
        let places = self.exponent.unsigned_abs();
        let (whole, stripped) = self.coefficient().strip_zeros(places);
        if stripped == places { whole.as_u64() } else { None }
    }

    /// The same number as a decimal128, digits and exponent kept where its range allows; `None` if it cannot be exact.
    ///
    /// [`Decimal128::from_decimal`] says why.
    pub fn to_decimal128(&self) -> Option<Decimal128> {
        Decimal128::from_decimal(self).ok()
    }

    /// The same number as an Oracle NUMBER; `None` when its range or its 20 base-100 digits cannot hold it, and for
    /// negative zero.
    ///
    /// [`NumberBuf::from_decimal`] says why.
    #[inline]
    pub fn to_number(&self) -> Option<NumberBuf> {
        NumberBuf::from_decimal(self).ok()
    }

    /// The text that [`Decimal::parse`] reads back to the same digits and exponent, by decimal128's rules: `12.50`,
    /// `-0`, `1E+200`, `1.5E-9`.
    pub fn to_text(&self) -> DecimalText {
        DecimalText::of_number(self.negative, self.digits().as_bytes(), self.exponent)
    }
}

impl From<i64> for Decimal {
    fn from(value: i64) -> Self {
        Self::from_i64(value)
    }
}

impl From<u64> for Decimal {
    fn from(value: u64) -> Self {
        Self::from_u64(value)
    }
}

impl From<Number<'_>> for Decimal {
    fn from(value: Number<'_>) -> Self {
        value.to_decimal()
    }
}

impl FromStr for Decimal {
    type Err = DecimalError;

    fn from_str(text: &str) -> Result<Self, DecimalError> {
        Self::parse(text)
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.to_text(), formatter)
    }
}

impl fmt::Debug for Decimal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Decimal({})", self.to_text())
    }
}
