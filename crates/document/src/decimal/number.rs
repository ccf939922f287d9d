//! Oracle's NUMBER: an exponent byte and up to twenty base-100 digits.
//!
//! The facts come from the python-oracledb driver (`decode_number` and `write_oracle_number` of its base implementation),
//! whose bytes the tests compare with, and from images that a server wrote. For a power `e` of 100 of the first digit:
//!
//! - positive: the first byte is `193 + e`, every digit is stored plus 1;
//! - negative: the first byte is `62 - e`, every digit is stored as `101 - digit`, and a byte 102 ends the number when
//!   there are fewer than twenty digits; so numbers order like their bytes;
//! - zero is the single byte 0x80; the single byte 0x00 is -1e126 and FF 65 is 1e126, Oracle's infinities.
//!
//! `e` runs from -65 to 62, so 1e-130 begins with 0x80 as zero does.

use std::fmt;

use super::float::scale_exactly;
use super::{Coefficient, Decimal, DecimalError, DecimalText};

/// The longest NUMBER: the exponent and twenty digits.
const LENGTH_MAX: usize = 21;
const PAIRS_MAX: usize = 20;

const ZERO_BYTE: u8 = 0x80;
const TERMINATOR: u8 = 102;
const POSITIVE_BIAS: i32 = 193;
const NEGATIVE_BIAS: i32 = 62;

/// The powers of ten of the first decimal digit that a NUMBER reaches.
const ADJUSTED_MIN: i64 = -130;
const ADJUSTED_MAX: i64 = 125;

/// Why bytes are no Oracle NUMBER, or a number does not fit one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NumberError {
    /// A NUMBER has at least one byte.
    #[error("a NUMBER of no bytes")]
    Empty,
    /// A NUMBER has at most 21 bytes.
    #[error("a NUMBER of {length} bytes, more than 21")]
    TooLong {
        /// How many bytes there are.
        length: usize,
    },
    /// An exponent byte other than 0x00 and 0x80 stands alone.
    #[error("a NUMBER with an exponent but no digits")]
    NoDigits,
    /// A digit byte outside 1 to 100 (positive) or 2 to 101 (negative), or anything after the terminator 102.
    #[error("byte {byte} at position {position} of a NUMBER is not a digit")]
    BadDigit {
        /// Where it stands; 1 is the first digit.
        position: u8,
        /// The byte.
        byte: u8,
    },
    /// The first digit is zero, so the exponent byte does not say how large the number is.
    #[error("a NUMBER that begins with a zero digit")]
    LeadingZero,
    /// The value is not in 1e-130 <= |x| < 1e126.
    #[error("outside the range of a NUMBER, 1e-130 to below 1e126")]
    OutOfRange,
    /// The digits need more than 20 base-100 digits.
    #[error("more significant digits than a NUMBER holds (40 when they fall on pairs, else 39)")]
    TooManyDigits,
    /// A NUMBER has no negative zero.
    #[error("a NUMBER has no negative zero")]
    NegativeZero,
    /// The text is not a number, or has more than 40 digits.
    #[error(transparent)]
    Text(#[from] DecimalError),
}

/// An Oracle NUMBER, borrowed and well formed.
///
/// `==` compares values. Two departures from what servers write are accepted, since the value is clear and other readers
/// take them: zero digits at the end, and a negative number without its terminator ([`Number::is_canonical`] tells).
/// A zero digit in front is refused.
#[derive(Clone, Copy)]
pub struct Number<'a>(&'a [u8]);

/// What a NUMBER says: the digits are still encoded.
#[derive(Clone, Copy)]
struct Pairs<'a> {
    negative: bool,
    /// The power of 100 of the first digit.
    exponent: i32,
    /// The encoded digits, without terminator; none for zero.
    encoded: &'a [u8],
}

impl<'a> Number<'a> {
    /// Checks that the bytes are one NUMBER, no more and no less.
    ///
    /// # Errors
    ///
    /// `Empty`, `TooLong`, `NoDigits`, `BadDigit` or `LeadingZero`.
    #[inline]
    pub fn new(bytes: &'a [u8]) -> Result<Self, NumberError> {
        match bytes {
            [] => return Err(NumberError::Empty),
            [0x80 | 0x00] | [0xFF, 0x65] => return Ok(Self(bytes)),
            [_] => return Err(NumberError::NoDigits),
            _ if bytes.len() > LENGTH_MAX => return Err(NumberError::TooLong { length: bytes.len() }),
            _ => {}
        }
        let pairs = Self(bytes).pairs();
        let bad = if pairs.negative {
            pairs.encoded.iter().position(|byte| !(2..=101).contains(byte))
        } else {
            pairs.encoded.iter().position(|byte| !(1..=100).contains(byte))
        };
        if let Some(index) = bad {
            return Err(bad_digit(pairs.encoded, index));
        }
        match pairs.encoded.first() {
            None => Err(NumberError::NoDigits),
            Some(first) if pairs.digit(*first) == 0 => Err(NumberError::LeadingZero),
            Some(_) => Ok(Self(bytes)),
        }
    }

    /// The bytes, as they were given.
    pub const fn as_bytes(self) -> &'a [u8] {
        self.0
    }

    /// The same bytes, owned.
    #[inline]
    pub fn to_buf(self) -> NumberBuf {
        let mut buffer = NumberBuf { bytes: [0; LENGTH_MAX], length: 0 };
        if let Some(slot) = buffer.bytes.get_mut(..self.0.len()) {
            slot.copy_from_slice(self.0);
            buffer.length = u8::try_from(self.0.len()).unwrap_or(0);
        }
        buffer
    }

    /// Whether these are the bytes a server writes for this value.
    pub fn is_canonical(self) -> bool {
        let pairs = self.pairs();
        let needs_terminator = pairs.negative && self.0 != [0x00] && pairs.encoded.len() < PAIRS_MAX;
        pairs.trimmed().encoded.len() == pairs.encoded.len()
            && (!needs_terminator || self.0.last() == Some(&TERMINATOR))
    }

    #[inline]
    fn pairs(self) -> Pairs<'a> {
        match self.0 {
            [] | [ZERO_BYTE] => Pairs { negative: false, exponent: 0, encoded: &[] },
            // As if it had one digit of 100.
            [0x00] => Pairs { negative: true, exponent: NEGATIVE_BIAS, encoded: &[1] },
            [first @ 0x80..=0xFF, encoded @ ..] => {
                Pairs { negative: false, exponent: i32::from(*first).wrapping_sub(POSITIVE_BIAS), encoded }
            }
            [first, encoded @ .., TERMINATOR] | [first, encoded @ ..] => {
                Pairs { negative: true, exponent: NEGATIVE_BIAS.wrapping_sub(i32::from(*first)), encoded }
            }
        }
    }

    /// Whether the value is zero.
    pub const fn is_zero(self) -> bool {
        matches!(self.0, [ZERO_BYTE])
    }

    /// Whether the value is below zero.
    pub const fn is_negative(self) -> bool {
        matches!(self.0, [0x00..=0x7F, ..])
    }

    /// The integer, if the value is one and fits.
    #[inline]
    pub fn to_i64(self) -> Option<i64> {
        let pairs = self.pairs();
        let magnitude = pairs.to_magnitude()?;
        if pairs.negative { 0_i64.checked_sub_unsigned(magnitude) } else { i64::try_from(magnitude).ok() }
    }

    /// The double nearest to the value (ties to even).
    pub fn to_f64(self) -> f64 {
        let pairs = self.pairs();
        let exact = pairs.to_short_integer().and_then(|digits| scale_exactly(digits, pairs.last_exponent()));
        match exact {
            Some(magnitude) if pairs.negative => -magnitude,
            Some(magnitude) => magnitude,
            None => self.to_decimal().to_f64(),
        }
    }

    /// The value, exactly. It has no trailing zeros behind the point; an integer of up to 40 digits has the exponent 0,
    /// so that a million is `1000000`, not `1E+6`.
    pub fn to_decimal(self) -> Decimal {
        let pairs = self.pairs();
        let (digits, exponent) = (pairs.to_coefficient(), pairs.last_exponent());
        let (digits, exponent) = if exponent < 0 {
            let (digits, stripped) = digits.strip_zeros(exponent.unsigned_abs());
            (digits, exponent.saturating_add_unsigned(stripped))
        } else if let Some(whole) = digits.append_zeros(exponent.unsigned_abs()) {
            (whole, 0)
        } else {
            let (digits, stripped) = digits.strip_zeros(u32::MAX);
            (digits, exponent.saturating_add_unsigned(stripped))
        };
        if digits.is_zero() { Decimal::ZERO } else { Decimal::of(pairs.negative, digits, exponent) }
    }

    /// The value as decimal text: `-12345.625`, `9007199254740993`, `1E-7`, `1E+50`.
    ///
    /// Plain for integers of up to 40 digits and for at most five zeros behind the point, else scientific.
    pub fn to_text(self) -> DecimalText {
        self.to_decimal().to_text()
    }
}

#[cold]
fn bad_digit(encoded: &[u8], index: usize) -> NumberError {
    let byte = encoded.get(index).copied().unwrap_or(0);
    NumberError::BadDigit { position: u8::try_from(index.saturating_add(1)).unwrap_or(u8::MAX), byte }
}

impl Pairs<'_> {
    /// The value, 0 to 99, of an encoded digit.
    #[inline]
    const fn digit(self, byte: u8) -> u8 {
        if self.negative { 101_u8.wrapping_sub(byte) } else { byte.wrapping_sub(1) }
    }

    /// The power of ten of the last base-100 digit.
    fn last_exponent(self) -> i32 {
        let count = i32::try_from(self.encoded.len()).unwrap_or(0);
        self.exponent.wrapping_sub(count).wrapping_add(1).wrapping_mul(2)
    }

    /// Without the zero digits at the end, which no server writes.
    fn trimmed(self) -> Self {
        let mut encoded = self.encoded;
        while let Some((last, rest)) = encoded.split_last() {
            if self.digit(*last) != 0 {
                break;
            }
            encoded = rest;
        }
        Self { encoded, ..self }
    }

    /// Up to nine digits as one integer.
    #[inline]
    fn group(self, encoded: &[u8]) -> u64 {
        let mut value = 0_u64;
        for byte in encoded {
            value = value.wrapping_mul(100).wrapping_add(u64::from(self.digit(*byte)));
        }
        value
    }

    /// The digits as one integer if there are at most nine.
    fn to_short_integer(self) -> Option<u64> {
        if self.encoded.len() <= 9 { Some(self.group(self.encoded)) } else { None }
    }

    /// The absolute value, if that is an integer of 64 bits.
    #[inline]
    fn to_magnitude(self) -> Option<u64> {
        if self.encoded.is_empty() {
            return Some(0);
        }
        let whole_count = usize::try_from(self.exponent).ok()?.wrapping_add(1);
        if self.encoded.len() > whole_count {
            // Digits behind the point: those that other writers may leave there are zeros.
            let trimmed = self.trimmed();
            return if trimmed.encoded.len() > whole_count { None } else { trimmed.to_magnitude() };
        }
        let (first, last) = if whole_count <= 9 {
            (self.encoded, None)
        } else {
            // The tenth digit may exceed 64 bits; an eleventh must.
            let (first, rest) = self.encoded.split_at_checked(9).unwrap_or((self.encoded, &[]));
            if whole_count > 10 {
                return None;
            }
            (first, rest.first())
        };
        let missing = whole_count.min(9).wrapping_sub(first.len());
        let value = self.group(first).wrapping_mul(*HUNDRED_POWERS.get(missing)?);
        if whole_count <= 9 {
            return Some(value);
        }
        value.checked_mul(100)?.checked_add(last.map_or(0, |byte| u64::from(self.digit(*byte))))
    }

    /// All the digits as one integer.
    fn to_coefficient(self) -> Coefficient {
        if let Some(value) = self.to_short_integer() {
            return Coefficient::from_u64(value);
        }
        let mut value = Coefficient::from_u64(0);
        for chunk in self.encoded.chunks(9) {
            let digits = u32::try_from(chunk.len()).unwrap_or(0).wrapping_mul(2);
            // Twenty base-100 digits are forty decimal digits at most.
            value = value.append(self.group(chunk), digits).unwrap_or(value);
        }
        value
    }
}

/// 100^n: nine base-100 digits fit 64 bits whatever they are.
const HUNDRED_POWERS: [u64; 9] = [
    1,
    100,
    10_000,
    1_000_000,
    100_000_000,
    10_000_000_000,
    1_000_000_000_000,
    100_000_000_000_000,
    10_000_000_000_000_000,
];

impl PartialEq for Number<'_> {
    fn eq(&self, other: &Self) -> bool {
        if self.0 == other.0 {
            return true;
        }
        let (mine, theirs) = (self.pairs().trimmed(), other.pairs().trimmed());
        // 0x00 and a hypothetical digit of 100 cannot meet: only 0x00 itself has one among the negative.
        mine.negative == theirs.negative && mine.exponent == theirs.exponent && mine.encoded == theirs.encoded
    }
}

impl Eq for Number<'_> {}

impl fmt::Display for Number<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.to_text(), formatter)
    }
}

impl fmt::Debug for Number<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Number({})", self.to_text())
    }
}

/// An Oracle NUMBER that owns its bytes, on the stack.
///
/// What the constructors here make is canonical: the bytes a server, or python-oracledb, writes.
#[derive(Clone, Copy)]
pub struct NumberBuf {
    bytes: [u8; LENGTH_MAX],
    length: u8,
}

impl NumberBuf {
    /// Zero, the byte 0x80.
    pub const ZERO: Self = {
        let mut bytes = [0; LENGTH_MAX];
        let [first, ..] = &mut bytes;
        *first = ZERO_BYTE;
        Self { bytes, length: 1 }
    };

    /// The NUMBER, borrowed.
    #[inline]
    pub fn as_number(&self) -> Number<'_> {
        Number(self.as_bytes())
    }

    /// The bytes of the NUMBER, 1 to 21 of them.
    #[inline]
    pub fn as_bytes(&self) -> &[u8] {
        self.bytes.get(..usize::from(self.length)).unwrap_or_default()
    }

    /// The integer as a NUMBER, 1 to 12 bytes.
    #[inline]
    pub fn from_i64(value: i64) -> Self {
        Self::of_magnitude(value < 0, value.unsigned_abs(), 0)
    }

    /// The integer as a NUMBER, 1 to 11 bytes.
    #[inline]
    pub fn from_u64(value: u64) -> Self {
        Self::of_magnitude(false, value, 0)
    }

    /// The decimal as a NUMBER, exactly.
    ///
    /// # Errors
    ///
    /// `OutOfRange`, `TooManyDigits` or `NegativeZero`.
    #[inline]
    pub fn from_decimal(number: &Decimal) -> Result<Self, NumberError> {
        if number.is_zero() {
            return if number.is_negative() { Err(NumberError::NegativeZero) } else { Ok(Self::ZERO) };
        }
        if !(ADJUSTED_MIN..=ADJUSTED_MAX).contains(&number.adjusted_exponent()) {
            return Err(NumberError::OutOfRange);
        }
        // Base-100 digits need an even power of ten; an odd one lends a zero to the digits.
        let odd = number.exponent & 1 == 1;
        let digits = number.coefficient().as_u64();
        match digits.and_then(|digits| digits.checked_mul(if odd { 10 } else { 1 })) {
            Some(digits) => Ok(Self::of_magnitude(number.negative, digits, number.exponent >> 1)),
            None => Self::of_long(number),
        }
    }

    /// Reads the text as [`Decimal::parse`] does and makes it a NUMBER, exactly.
    ///
    /// # Errors
    ///
    /// `Text` with what [`Decimal::parse`] says, or what [`NumberBuf::from_decimal`] says.
    pub fn from_text(text: &str) -> Result<Self, NumberError> {
        Self::from_decimal(&Decimal::parse(text)?)
    }

    /// `(-1)^negative * value * 100^scale`, which must be in range.
    #[inline]
    fn of_magnitude(negative: bool, value: u64, scale: i32) -> Self {
        match value {
            0 => Self::ZERO,
            1..SIXTEEN_DIGITS => Self::of_eight_pairs(negative, value, scale),
            SIXTEEN_DIGITS.. => Self::of_ten_pairs(negative, value, scale),
        }
    }

    /// For a value of up to 16 digits: its base-100 digits are the bytes of one `u64`, so that nothing loops.
    #[inline]
    fn of_eight_pairs(negative: bool, value: u64, scale: i32) -> Self {
        let pairs = split_into_pairs(value);
        let leading = pairs.leading_zeros() >> 3;
        let count = 8_u32.wrapping_sub(leading).wrapping_sub(pairs.trailing_zeros() >> 3);
        let exponent = scale.wrapping_add(7).wrapping_sub_unsigned(leading);
        // Every byte is at most 99, so neither a carry nor a borrow crosses into the next.
        let encoded = if negative { ALL_101.wrapping_sub(pairs) } else { pairs.wrapping_add(ALL_1) };
        let beyond = u64::MAX.checked_shr(count << 3).unwrap_or(0);
        let digits = encoded.wrapping_shl(leading << 3) & !beyond;
        let terminator = if negative { u128::from(TERMINATOR) << 112 >> (count << 3) } else { 0 };
        let first = u128::from(exponent_byte(negative, exponent));
        // All of it goes into one register: bytes stored singly would stall the read of the whole that follows.
        let word = first << 120 | u128::from(digits) << 56 | terminator;
        let mut number = Self { bytes: [0; LENGTH_MAX], length: length(negative, usize::try_from(count).unwrap_or(0)) };
        if let Some(head) = number.bytes.first_chunk_mut() {
            *head = word.to_be_bytes();
        }
        number
    }

    /// For any value other than zero.
    #[inline(never)]
    fn of_ten_pairs(negative: bool, mut value: u64, mut scale: i32) -> Self {
        while value.is_multiple_of(100) {
            value /= 100;
            scale = scale.wrapping_add(1);
        }
        // One to ten base-100 digits.
        let pairs = (value.checked_ilog10().unwrap_or(0) >> 1).wrapping_add(1);
        let exponent = scale.wrapping_add_unsigned(pairs).wrapping_sub(1);
        let count = usize::try_from(pairs).unwrap_or(0);

        let mut number = Self { bytes: [0; LENGTH_MAX], length: 0 };
        if let Some((slots, after)) = number.bytes.get_mut(1..).and_then(|slots| slots.split_at_mut_checked(count)) {
            for slot in slots.iter_mut().rev() {
                let [pair, ..] = (value % 100).to_le_bytes();
                *slot = encode_digit(negative, pair);
                value /= 100;
            }
            if let Some(terminator) = after.first_mut().filter(|_| negative) {
                *terminator = TERMINATOR;
            }
        }
        number.finish(negative, exponent, count)
    }

    /// For digits beyond 64 bits.
    #[inline(never)]
    fn of_long(number: &Decimal) -> Result<Self, NumberError> {
        let plain = number.normalized();
        let adjusted = i32::try_from(plain.adjusted_exponent()).map_err(|_| NumberError::OutOfRange)?;
        let digits = plain.digits();
        // At an even power the first decimal digit has a base-100 digit of its own.
        let alone = usize::from(adjusted & 1 == 0);
        let (first, rest) = digits.as_bytes().split_at_checked(alone).unwrap_or_default();
        let count = rest.len().div_ceil(2).saturating_add(first.len());
        if count > PAIRS_MAX {
            return Err(NumberError::TooManyDigits);
        }
        let pairs = first.iter().map(|ones| (b'0', *ones)).chain(rest.chunks(2).map(|pair| match pair {
            [tens, ones] => (*tens, *ones),
            [tens] => (*tens, b'0'),
            _ => (b'0', b'0'),
        }));
        let mut encoded = Self { bytes: [0; LENGTH_MAX], length: 0 };
        let mut slots = encoded.bytes.iter_mut().skip(1);
        for ((tens, ones), slot) in pairs.zip(&mut slots) {
            let pair = tens.wrapping_sub(b'0').wrapping_mul(10).wrapping_add(ones.wrapping_sub(b'0'));
            *slot = encode_digit(plain.negative, pair);
        }
        if let Some(terminator) = slots.next().filter(|_| plain.negative) {
            *terminator = TERMINATOR;
        }
        Ok(encoded.finish(plain.negative, adjusted >> 1, count))
    }

    /// Sets the exponent byte and the length.
    #[inline]
    fn finish(mut self, negative: bool, exponent: i32, count: usize) -> Self {
        let [first, ..] = &mut self.bytes;
        *first = exponent_byte(negative, exponent);
        self.length = length(negative, count);
        self
    }
}

/// The first byte of a NUMBER whose first digit stands at this power of 100, -65 to 62.
#[inline]
fn exponent_byte(negative: bool, exponent: i32) -> u8 {
    let byte = if negative { NEGATIVE_BIAS.wrapping_sub(exponent) } else { POSITIVE_BIAS.wrapping_add(exponent) };
    let [byte, ..] = byte.to_le_bytes();
    byte
}

/// How long a NUMBER of so many base-100 digits is.
#[inline]
fn length(negative: bool, count: usize) -> u8 {
    let terminator = usize::from(negative && count < PAIRS_MAX);
    u8::try_from(count.wrapping_add(terminator).wrapping_add(1)).unwrap_or(0)
}

const SIXTEEN_DIGITS: u64 = 10_000_000_000_000_000;
const ALL_1: u64 = u64::from_be_bytes([1; 8]);
const ALL_101: u64 = u64::from_be_bytes([101; 8]);

/// The eight base-100 digits of a value below 10^16, one a byte, the first in the most significant byte.
#[inline]
const fn split_into_pairs(value: u64) -> u64 {
    let (upper, lower) = (value / 100_000_000, value % 100_000_000);
    let fours = split_eight_digits(upper) << 32 | split_eight_digits(lower);
    let (odd, even) = (fours >> 16 & EVERY_OTHER_FOUR, fours & EVERY_OTHER_FOUR);
    split_four_digits(odd) << 16 | split_four_digits(even)
}

const EVERY_OTHER_FOUR: u64 = 0x0000_FFFF_0000_FFFF;

/// Eight decimal digits in 32 bits to two times four digits in 16 bits each.
#[inline]
const fn split_eight_digits(value: u64) -> u64 {
    // `quotient << 16 | value % 10_000`, in one addition.
    value.wrapping_add((value / 10_000).wrapping_mul(65_536 - 10_000))
}

/// In both halves of the word, four decimal digits in 16 bits to two times two digits in 8 bits each.
#[inline]
const fn split_four_digits(halves: u64) -> u64 {
    // For values below 10^4, `* 5243 >> 19` is a division by 100; the product stays within its half.
    let quotients = halves.wrapping_mul(5_243) >> 19 & 0x0000_007F_0000_007F;
    halves.wrapping_add(quotients.wrapping_mul(256 - 100))
}

/// A base-100 digit as a NUMBER stores it.
#[inline]
const fn encode_digit(negative: bool, pair: u8) -> u8 {
    if negative { 101_u8.wrapping_sub(pair) } else { pair.wrapping_add(1) }
}

impl From<i64> for NumberBuf {
    fn from(value: i64) -> Self {
        Self::from_i64(value)
    }
}

impl From<Number<'_>> for NumberBuf {
    fn from(value: Number<'_>) -> Self {
        value.to_buf()
    }
}

impl PartialEq for NumberBuf {
    fn eq(&self, other: &Self) -> bool {
        self.as_number() == other.as_number()
    }
}

impl Eq for NumberBuf {}

impl fmt::Display for NumberBuf {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.as_number(), formatter)
    }
}

impl fmt::Debug for NumberBuf {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "NumberBuf({})", self.as_number().to_text())
    }
}
