//! BSON's decimal128: IEEE 754-2008 decimal128 in its binary-integer encoding.
//!
//! The facts of the format, the grammar of its text and the text's canonical form come from the BSON specification of
//! decimal128 (`bson-decimal128/decimal128.md` in mongodb/specifications) and from the BSON corpus, which the tests run.

use std::fmt;
use std::str::FromStr;

use super::parts::split_sign;
use super::{Coefficient, Decimal, DecimalError, DecimalText, PointRule};

/// How many digits a decimal128 holds.
const DIGITS_MAX: u32 = 34;
const COEFFICIENT_MAX: u128 = 10_u128.pow(DIGITS_MAX) - 1;
const EXPONENT_MIN: i32 = -6176;
const EXPONENT_MAX: i32 = 6111;
const EXPONENT_BIAS: i32 = 6176;

const SIGN_BIT: u128 = 1 << 127;
const COEFFICIENT_BITS: u32 = 113;
const COEFFICIENT_MASK: u128 = (1 << COEFFICIENT_BITS) - 1;

/// The five bits behind the sign that mark an infinity.
const COMBINATION_INFINITY: u128 = 0b11110;
/// The five bits behind the sign that mark a NaN.
const COMBINATION_NAN: u128 = 0b11111;
const COMBINATION_SHIFT: u32 = 122;

/// A BSON decimal128, held as its 16 bytes.
///
/// `==` compares the bytes, so `1.0` differs from `1.00` and a NaN equals itself; [`Decimal128::same_value`] compares
/// the numbers. The text is the canonical one of the BSON specification. Encodings that IEEE 754 calls non-canonical
/// (more than 34 digits) read as zero; their bytes are kept.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Decimal128([u8; 16]);

/// What the bits of a decimal128 say.
enum Meaning {
    NotANumber,
    Infinite,
    Finite { coefficient: u128, exponent: i32 },
}

impl Decimal128 {
    /// Positive zero with exponent 0.
    pub const ZERO: Self = Self::of_bits(0x3040 << 112);
    /// The canonical quiet NaN.
    pub const NAN: Self = Self::of_bits(COMBINATION_NAN << COMBINATION_SHIFT);
    /// Positive infinity.
    pub const INFINITY: Self = Self::of_bits(COMBINATION_INFINITY << COMBINATION_SHIFT);
    /// Negative infinity.
    pub const NEG_INFINITY: Self = Self::of_bits(COMBINATION_INFINITY << COMBINATION_SHIFT | SIGN_BIT);

    /// The decimal128 of these bytes, in BSON's order (least significant first). Every pattern has a meaning.
    pub const fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(bytes)
    }

    /// The bytes in BSON's order, as they were given.
    pub const fn to_bytes(self) -> [u8; 16] {
        self.0
    }

    const fn of_bits(bits: u128) -> Self {
        Self(bits.to_le_bytes())
    }

    const fn bits(self) -> u128 {
        u128::from_le_bytes(self.0)
    }

    /// Reads the text of a decimal128 by the grammar of the BSON specification, with no rounding.
    ///
    /// `NaN`, `Inf` and `Infinity` are read in any case and with either sign; a NaN loses its sign, as the corpus has it.
    /// One digit before or behind the point is enough. Signaling NaNs have no text.
    ///
    /// # Errors
    ///
    /// `Syntax` for any other text, `ExponentOutOfRange` for an exponent outside an `i32` of what is not zero, and what
    /// [`Decimal128::from_decimal`] answers: `Inexact`, `Overflow`, `Underflow`.
    pub fn parse(text: &str) -> Result<Self, DecimalError> {
        match Decimal::parse_by(text, PointRule::OneSide) {
            Ok(number) => Self::from_decimal(&number),
            Err(DecimalError::TooManyDigits) => Err(DecimalError::Inexact),
            Err(error) => special(text.as_bytes()).ok_or(error),
        }
    }

    /// The same number as a decimal128, with its digits and exponent where the range allows.
    ///
    /// Where it does not, zeros move between the digits and the exponent, which changes no value (the specification's
    /// clamping), and the exponent of a zero becomes the nearest allowed one.
    ///
    /// # Errors
    ///
    /// `Inexact` for more than 34 significant digits, `Overflow` above 9.99…E+6144, `Underflow` for digits below 1E-6176.
    pub fn from_decimal(number: &Decimal) -> Result<Self, DecimalError> {
        if number.is_zero() {
            let exponent = number.exponent.clamp(EXPONENT_MIN, EXPONENT_MAX);
            return Ok(Self::encode(number.negative, 0, exponent));
        }
        let spare = number.digit_count().saturating_sub(DIGITS_MAX);
        let (digits, exponent) = shorten(number.coefficient(), number.exponent, spare).ok_or(DecimalError::Inexact)?;
        let below = EXPONENT_MIN.saturating_sub(exponent).max(0).unsigned_abs();
        let (digits, exponent) = shorten(digits, exponent, below).ok_or(DecimalError::Underflow)?;
        let above = exponent.saturating_sub(EXPONENT_MAX).max(0).unsigned_abs();
        let coefficient = digits.append_zeros(above).and_then(Coefficient::as_u128).unwrap_or(u128::MAX);
        if coefficient > COEFFICIENT_MAX {
            return Err(DecimalError::Overflow);
        }
        Ok(Self::encode(number.negative, coefficient, exponent.min(EXPONENT_MAX)))
    }

    /// The bits of a finite number whose parts are in range.
    fn encode(negative: bool, coefficient: u128, exponent: i32) -> Self {
        let sign = if negative { SIGN_BIT } else { 0 };
        // 10^34 - 1 is below 2^113, so the short form of the combination field always does.
        let biased = u128::from(exponent.saturating_add(EXPONENT_BIAS).unsigned_abs());
        Self::of_bits(sign | biased << COEFFICIENT_BITS | coefficient)
    }

    fn meaning(self) -> Meaning {
        let bits = self.bits();
        match bits >> COMBINATION_SHIFT & 0b11111 {
            COMBINATION_NAN => return Meaning::NotANumber,
            COMBINATION_INFINITY => return Meaning::Infinite,
            _ => {}
        }
        // With 11 behind the sign the exponent stands two bits lower, and the coefficient begins with an implied 100,
        // which makes it more than 34 digits: not canonical, so zero.
        let long_form = bits >> 125 & 0b11 == 0b11;
        let shift = if long_form { 111 } else { COEFFICIENT_BITS };
        let biased = i32::try_from(bits >> shift & 0x3FFF).unwrap_or(0);
        let coefficient = bits & COEFFICIENT_MASK;
        Meaning::Finite {
            coefficient: if long_form || coefficient > COEFFICIENT_MAX { 0 } else { coefficient },
            exponent: biased.saturating_sub(EXPONENT_BIAS),
        }
    }

    /// The number, exactly; `None` for NaN and the infinities.
    pub fn to_decimal(self) -> Option<Decimal> {
        match self.meaning() {
            Meaning::Finite { coefficient, exponent } => {
                Some(Decimal::from_parts(self.is_negative(), coefficient, exponent))
            }
            Meaning::NotANumber | Meaning::Infinite => None,
        }
    }

    /// Whether this is a NaN of any kind.
    pub const fn is_nan(self) -> bool {
        self.bits() >> COMBINATION_SHIFT & 0b11111 == COMBINATION_NAN
    }

    /// Whether this is one of the two infinities.
    pub const fn is_infinite(self) -> bool {
        self.bits() >> COMBINATION_SHIFT & 0b11111 == COMBINATION_INFINITY
    }

    /// Whether this is a number, neither NaN nor infinite.
    pub const fn is_finite(self) -> bool {
        !self.is_nan() && !self.is_infinite()
    }

    /// Whether the sign bit is set; zeros, infinities and NaNs have one too.
    pub const fn is_negative(self) -> bool {
        self.bits() & SIGN_BIT != 0
    }

    /// Whether both are the same number, however many zeros they are written with.
    ///
    /// Zero equals negative zero. Unlike in IEEE 754 two NaNs are the same, whatever their sign and payload: the question
    /// is whether a value was kept.
    pub fn same_value(&self, other: &Self) -> bool {
        match (self.to_decimal(), other.to_decimal()) {
            (Some(mine), Some(theirs)) => mine.same_value(&theirs),
            (None, None) if self.is_nan() || other.is_nan() => self.is_nan() && other.is_nan(),
            (None, None) => self.is_negative() == other.is_negative(),
            _ => false,
        }
    }

    /// The canonical text of the BSON specification, such as `12.50`, `-0E+3`, `1E-6176`, `NaN` or `-Infinity`.
    pub fn to_text(self) -> DecimalText {
        match self.to_decimal() {
            Some(number) => number.to_text(),
            None if self.is_nan() => DecimalText::of_word("NaN"),
            None if self.is_negative() => DecimalText::of_word("-Infinity"),
            None => DecimalText::of_word("Infinity"),
        }
    }
}

/// Takes `count` zeros off the digits and adds as many to the exponent; `None` if those digits are not all zeros.
fn shorten(digits: Coefficient, exponent: i32, count: u32) -> Option<(Coefficient, i32)> {
    let (digits, stripped) = digits.strip_zeros(count);
    if stripped == count { Some((digits, exponent.saturating_add_unsigned(count))) } else { None }
}

/// `NaN`, `Inf` or `Infinity`, in any case, with or without a sign.
fn special(text: &[u8]) -> Option<Decimal128> {
    let (negative, word) = split_sign(text);
    if word.eq_ignore_ascii_case(b"nan") {
        Some(Decimal128::NAN)
    } else if word.eq_ignore_ascii_case(b"inf") || word.eq_ignore_ascii_case(b"infinity") {
        Some(if negative { Decimal128::NEG_INFINITY } else { Decimal128::INFINITY })
    } else {
        None
    }
}

impl FromStr for Decimal128 {
    type Err = DecimalError;

    fn from_str(text: &str) -> Result<Self, DecimalError> {
        Self::parse(text)
    }
}

impl fmt::Display for Decimal128 {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.to_text(), formatter)
    }
}

impl fmt::Debug for Decimal128 {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Decimal128({})", self.to_text())
    }
}
