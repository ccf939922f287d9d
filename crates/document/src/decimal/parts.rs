//! The parts of a decimal number: a coefficient of up to forty digits, and the scanner that reads one from text.

use super::DecimalError;

/// How many significant decimal digits a [`Coefficient`] holds.
///
/// Forty is what an Oracle NUMBER can hold at most (twenty base-100 digits), and more than the 34 of a Decimal128.
pub(crate) const COEFFICIENT_DIGITS_MAX: u32 = 40;

/// How many digits stand in [`Coefficient::low`].
const LOW_DIGITS: u32 = 38;

/// How many decimal digits always fit into a `u64`.
const GROUP_DIGITS: u32 = 19;

const TEN_POW_19: u128 = 10_000_000_000_000_000_000;
const TEN_POW_37: u128 = 10_u128.pow(37);
const TEN_POW_38: u128 = 10_u128.pow(38);

/// An unsigned integer of up to forty decimal digits: `high * 10^38 + low`.
///
/// Invariant: `low < 10^38` and `high < 100`. A `u128` alone ends within the 39th digit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Coefficient {
    pub(super) low: u128,
    pub(super) high: u8,
}

impl Coefficient {
    pub(crate) fn from_u64(value: u64) -> Self {
        Self { low: u128::from(value), high: 0 }
    }

    pub(crate) fn from_u128(value: u128) -> Self {
        // u128::MAX / 10^38 is 3.
        let high = u8::try_from(value / TEN_POW_38).unwrap_or(0);
        Self { low: value % TEN_POW_38, high }
    }

    pub(crate) const fn is_zero(self) -> bool {
        self.low == 0 && self.high == 0
    }

    pub(crate) fn as_u64(self) -> Option<u64> {
        if self.high == 0 { u64::try_from(self.low).ok() } else { None }
    }

    pub(crate) fn as_u128(self) -> Option<u128> {
        u128::from(self.high).checked_mul(TEN_POW_38)?.checked_add(self.low)
    }

    /// How many digits the number has without leading zeros; 1 for zero.
    pub(crate) fn digit_count(self) -> u32 {
        if self.high != 0 {
            return LOW_DIGITS.wrapping_add(if self.high < 10 { 1 } else { 2 });
        }
        let log = match u64::try_from(self.low) {
            Ok(low) => low.checked_ilog10(),
            Err(_) => self.low.checked_ilog10(),
        };
        log.unwrap_or(0).wrapping_add(1)
    }

    /// Divides by ten as often as that is exact, at most `limit` times; says how often it did. Zero is left alone.
    pub(crate) fn strip_zeros(self, limit: u32) -> (Self, u32) {
        if let Some(value) = self.as_u64() {
            let (value, stripped) = strip_zeros_u64(value, limit);
            return (Self::from_u64(value), stripped);
        }
        let mut rest = self;
        let mut stripped = 0_u32;
        while stripped < limit {
            let Some(shorter) = rest.exact_tenth() else { break };
            rest = shorter;
            stripped = stripped.wrapping_add(1);
        }
        (rest, stripped)
    }

    /// A tenth of a number other than zero, when that is a whole number.
    fn exact_tenth(self) -> Option<Self> {
        // 10^38 is a multiple of ten, so the last digit is the last digit of `low`.
        if self.is_zero() || self.low & 1 == 1 || !self.low.is_multiple_of(10) {
            return None;
        }
        let carried = u128::from(self.high % 10).wrapping_mul(TEN_POW_37);
        Some(Self { low: (self.low / 10).wrapping_add(carried), high: self.high / 10 })
    }

    /// The number with `count` zeros appended, or `None` if that has more than forty digits. Zero stays zero.
    pub(crate) fn append_zeros(self, count: u32) -> Option<Self> {
        if self.is_zero() || count == 0 {
            return Some(self);
        }
        let digits = self.digit_count();
        if digits.checked_add(count)? > COEFFICIENT_DIGITS_MAX {
            return None;
        }
        let within_low = count.min(LOW_DIGITS.saturating_sub(digits));
        // The product has at most 38 digits; with a `high` part, `within_low` is 0.
        let low = self.low.checked_mul(10_u128.checked_pow(within_low)?)?;
        Self { low, high: self.high }.shift_into_high(count.wrapping_sub(within_low))
    }

    /// Multiplies by ten or a hundred (`count` 0 to 2) where the result may need `high`.
    fn shift_into_high(self, count: u32) -> Option<Self> {
        if count == 0 {
            return Some(self);
        }
        let split = 10_u128.checked_pow(LOW_DIGITS.checked_sub(count)?)?;
        let shifted = u128::from(self.high).checked_mul(10_u128.checked_pow(count)?)?;
        let high = u8::try_from(shifted.checked_add(self.low.checked_div(split)?)?).ok()?;
        let low = self.low.checked_rem(split)?.checked_mul(10_u128.checked_pow(count)?)?;
        (high < 100).then_some(Self { low, high })
    }

    /// The number followed by `digits` more decimal digits, whose value is `tail`; `None` beyond forty digits.
    pub(crate) fn append(self, tail: u64, digits: u32) -> Option<Self> {
        let shifted = self.append_zeros(digits)?;
        // The last `digits` digits are zeros now and `tail` has no more digits than that, so nothing is carried.
        Some(Self { low: shifted.low.checked_add(u128::from(tail))?, ..shifted })
    }

    /// The digits as ASCII text, without leading zeros; `0` for zero.
    pub(crate) fn to_digits(self) -> Digits {
        let mut ascii = [b'0'; 40];
        if let Ok(low) = u64::try_from(self.low) {
            write_right(&mut ascii, low);
        } else {
            let (upper, lower) = (self.low / TEN_POW_19, self.low % TEN_POW_19);
            if let Some((head, tail)) = ascii.split_at_mut_checked(21) {
                write_right(tail, u64::try_from(lower).unwrap_or(0));
                write_right(head, u64::try_from(upper).unwrap_or(0));
            }
        }
        if self.high != 0
            && let Some(top) = ascii.get_mut(..2)
        {
            write_right(top, u64::from(self.high));
        }
        Digits { ascii, count: self.digit_count() }
    }
}

/// The decimal digits of a coefficient, as ASCII, right-aligned.
pub(crate) struct Digits {
    ascii: [u8; 40],
    count: u32,
}

impl Digits {
    pub(crate) fn as_bytes(&self) -> &[u8] {
        let count = usize::try_from(self.count).unwrap_or(0);
        self.ascii.get(self.ascii.len().saturating_sub(count)..).unwrap_or_default()
    }
}

/// Writes the digits of `value` to the end of `slots`, which hold zeros.
fn write_right(slots: &mut [u8], mut value: u64) {
    for slot in slots.iter_mut().rev() {
        if value == 0 {
            break;
        }
        let [digit, ..] = (value % 10).to_le_bytes();
        *slot = digit.wrapping_add(b'0');
        value /= 10;
    }
}

fn strip_zeros_u64(mut value: u64, limit: u32) -> (u64, u32) {
    let mut stripped = 0_u32;
    while stripped < limit && value != 0 && value.is_multiple_of(10) {
        value /= 10;
        stripped = stripped.wrapping_add(1);
    }
    (value, stripped)
}

/// Whether a point needs a digit on both sides.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum PointRule {
    /// As in JSON: `5.` and `.5` are refused.
    BothSides,
    /// As in the decimal128 specification of BSON: one digit on either side is enough.
    OneSide,
}

/// What a number text says: `(-1)^negative * coefficient * 10^exponent`.
pub(crate) struct Scanned {
    pub(crate) negative: bool,
    pub(crate) coefficient: Coefficient,
    pub(crate) exponent: i32,
}

/// Reads `[+-] digits [. digits] [e [+-] digits]`.
///
/// Leading zeros are dropped and trailing zeros are kept as written, except that zeros beyond the fortieth significant
/// digit move into the exponent. A zero whose exponent does not fit gets the nearest that does.
pub(crate) fn scan(text: &[u8], point: PointRule) -> Result<Scanned, DecimalError> {
    let (negative, unsigned) = split_sign(text);
    let mut digits = Accumulator::default();
    let after_whole = digits.take_all(unsigned);
    let whole_count = unsigned.len().saturating_sub(after_whole.len());

    if whole_count == 0 && point == PointRule::BothSides {
        return Err(syntax_error(text, unsigned));
    }

    let (mut rest, mut fraction_count) = (after_whole, 0_usize);
    if let Some((b'.', fraction)) = after_whole.split_first() {
        rest = digits.take_all(fraction);
        fraction_count = fraction.len().saturating_sub(rest.len());
        if fraction_count == 0 && point == PointRule::BothSides {
            return Err(syntax_error(text, rest));
        }
    }
    if whole_count == 0 && fraction_count == 0 {
        return Err(syntax_error(text, rest));
    }
    let written = if rest.is_empty() { 0 } else { scan_exponent(text, rest)? };
    if digits.lost {
        return Err(DecimalError::TooManyDigits);
    }
    // The lengths of a text in memory are nothing near the ends of i64: an exponent that is stays beyond 32 bits.
    let shift = i64::from(digits.dropped).saturating_sub_unsigned(u64::try_from(fraction_count).unwrap_or(u64::MAX));
    let power = written.saturating_add(shift);
    let coefficient = digits.finish().ok_or(DecimalError::TooManyDigits)?;
    let exponent = match i32::try_from(power) {
        Ok(exponent) => exponent,
        // Zero is zero at any power of ten.
        Err(_) if coefficient.is_zero() => {
            if power < 0 {
                i32::MIN
            } else {
                i32::MAX
            }
        }
        Err(_) => return Err(DecimalError::ExponentOutOfRange),
    };
    Ok(Scanned { negative, coefficient, exponent })
}

/// The sign of a number text (true for minus) and what follows it.
pub(crate) fn split_sign(text: &[u8]) -> (bool, &[u8]) {
    match text.split_first() {
        Some((b'-', rest)) => (true, rest),
        Some((b'+', rest)) => (false, rest),
        _ => (false, text),
    }
}

/// Reads `e [+-] digits` to the end of the text; beyond 64 bits it answers the end of their range.
fn scan_exponent(text: &[u8], rest: &[u8]) -> Result<i64, DecimalError> {
    let Some((b'e' | b'E', signed)) = rest.split_first() else {
        return Err(syntax_error(text, rest));
    };
    let (negative, digits) = split_sign(signed);
    if digits.is_empty() {
        return Err(syntax_error(text, digits));
    }
    let mut magnitude = 0_i64;
    for (position, byte) in digits.iter().enumerate() {
        if !byte.is_ascii_digit() {
            return Err(syntax_error(text, digits.get(position..).unwrap_or_default()));
        }
        let digit = i64::from(byte.wrapping_sub(b'0'));
        magnitude = magnitude.saturating_mul(10).saturating_add(digit);
    }
    Ok(if negative { magnitude.saturating_neg() } else { magnitude })
}

#[cold]
fn syntax_error(text: &[u8], rest: &[u8]) -> DecimalError {
    DecimalError::Syntax { offset: text.len().saturating_sub(rest.len()) }
}

/// Collects digits in groups that fit a `u64` each: 19, 19 and 2.
#[derive(Default)]
struct Accumulator {
    groups: [u64; 3],
    /// Significant digits kept so far.
    count: u32,
    /// Digits that came after the fortieth.
    dropped: u32,
    /// Whether one of those was not a zero.
    lost: bool,
}

impl Accumulator {
    /// Takes digits from the front of `bytes`; returns what follows them.
    fn take_all<'a>(&mut self, mut bytes: &'a [u8]) -> &'a [u8] {
        let [first, ..] = &mut self.groups;
        let (mut value, mut count) = (*first, self.count);
        while let Some((byte, rest)) = bytes.split_first() {
            let digit = byte.wrapping_sub(b'0');
            if digit > 9 || count >= GROUP_DIGITS {
                break;
            }
            // At most 19 digits: no overflow.
            value = value.wrapping_mul(10).wrapping_add(u64::from(digit));
            count = count.wrapping_add(u32::from(value != 0));
            bytes = rest;
        }
        *first = value;
        self.count = count;
        if count < GROUP_DIGITS { bytes } else { self.take_long(bytes) }
    }

    #[cold]
    fn take_long<'a>(&mut self, mut bytes: &'a [u8]) -> &'a [u8] {
        while let Some((byte, rest)) = bytes.split_first() {
            let digit = byte.wrapping_sub(b'0');
            if digit > 9 {
                break;
            }
            self.push_late(digit);
            bytes = rest;
        }
        bytes
    }

    fn push_late(&mut self, digit: u8) {
        if self.count >= COEFFICIENT_DIGITS_MAX {
            self.dropped = self.dropped.saturating_add(1);
            self.lost |= digit != 0;
            return;
        }
        let [_, second, third] = &mut self.groups;
        let group = if self.count < LOW_DIGITS { second } else { third };
        *group = group.wrapping_mul(10).wrapping_add(u64::from(digit));
        self.count = self.count.wrapping_add(1);
    }

    fn finish(&self) -> Option<Coefficient> {
        let [first, second, third] = self.groups;
        let late = self.count.saturating_sub(GROUP_DIGITS);
        let coefficient = Coefficient::from_u64(first);
        if late == 0 {
            return Some(coefficient);
        }
        let second_digits = late.min(GROUP_DIGITS);
        coefficient.append(second, second_digits)?.append(third, late.wrapping_sub(second_digits))
    }
}
