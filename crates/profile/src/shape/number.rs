//! Numbers as text. The standard parsers accept too much to decide anything: `+5`, `0123`, `.5`, `inf`.

use std::fmt::{self, Write};

use serde::{Deserialize, Serialize};

use super::{Classified, Shape, class};

/// How large an integer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum IntegerRange {
    /// 32 bits hold it, and it is none of the below.
    Int32,
    /// Seconds since 1970 in the years 1990 to 2099.
    Seconds,
    /// Milliseconds since 1970 in the same years.
    Milliseconds,
    /// 64 bits hold it.
    Int64,
    /// Up to 34 digits, as many as a Decimal128 has.
    Wide,
    /// More.
    Huge,
}

/// 1990-01-01 and 2100-01-01 in seconds since 1970.
pub(crate) const EPOCH_SECONDS: std::ops::Range<i64> = 631_152_000..4_102_444_800;

impl IntegerRange {
    /// The range that `value` is in.
    pub fn of(value: i64) -> Self {
        if EPOCH_SECONDS.contains(&value) {
            Self::Seconds
        } else if EPOCH_SECONDS.contains(&value.div_euclid(1000)) {
            Self::Milliseconds
        } else if i32::try_from(value).is_ok() {
            Self::Int32
        } else {
            Self::Int64
        }
    }

    /// Whether 64 bits hold it.
    pub const fn fits_int64(self) -> bool {
        !matches!(self, Self::Wide | Self::Huge)
    }
}

/// How a decimal is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct DecimalShape {
    /// Digits behind the point; 255 for more.
    pub scale: u8,
    /// What a double makes of it.
    pub exactness: Exactness,
    /// Whether its last digit is a zero.
    pub trailing_zero: bool,
    /// Whether there are four digits or more before the point.
    pub thousands: bool,
}

/// What holds a decimal so that its text can be had back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Exactness {
    /// A double: written with the same number of digits behind the point it is the same text, and without trailing zeros
    /// also written as short as possible.
    Double,
    /// A double, but only written with the same number of digits behind the point.
    DoubleAtScale,
    /// A double, but only written as short as possible.
    DoubleShortest,
    /// A Decimal128: up to 34 digits.
    Decimal128,
    /// Neither.
    Neither,
}

impl Exactness {
    /// Whether a double written with as many digits behind the point is the same text.
    pub const fn is_double_at_scale(self) -> bool {
        matches!(self, Self::Double | Self::DoubleAtScale)
    }

    /// Whether a double written as short as possible is the same text, if the text has no zeros at its end.
    pub const fn is_double_shortest(self) -> bool {
        matches!(self, Self::Double | Self::DoubleShortest)
    }
}

/// Every decimal of up to 15 digits survives a double, as C's `DBL_DIG` has it, away from the ends of the range.
const DOUBLE_DIGITS: usize = 15;
const DECIMAL128_DIGITS: usize = 34;

/// A text of digits, points and signs as a number; `None` when it is none.
#[inline]
pub(super) fn plain(text: &str) -> Option<Classified> {
    let bytes = text.as_bytes();
    let (negative, digits) = match bytes {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => return signed(rest),
        _ => (false, bytes),
    };
    let whole_len = digits.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (whole, rest) = digits.split_at_checked(whole_len)?;
    match rest {
        [] => integer(negative, whole),
        [b'.', fraction @ ..] => decimal(text, whole, fraction),
        _ => None,
    }
}

fn signed(rest: &[u8]) -> Option<Classified> {
    let digits = rest.iter().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'-'));
    (digits && rest.first().is_some_and(u8::is_ascii_digit)).then_some((Shape::Plus, None))
}

fn integer(negative: bool, digits: &[u8]) -> Option<Classified> {
    Some(match digits {
        [] => return None,
        [b'0'] if negative => (Shape::NegativeZero, None),
        [b'0', _, ..] => (Shape::LeadingZero, None),
        _ => match whole_number(negative, digits) {
            Some(value) => (Shape::Integer(IntegerRange::of(value)), Some(value)),
            None if digits.len() <= DECIMAL128_DIGITS => (Shape::Integer(IntegerRange::Wide), None),
            None => (Shape::Integer(IntegerRange::Huge), None),
        },
    })
}

/// The value of `digits`; `None` beyond 64 bits.
fn whole_number(negative: bool, digits: &[u8]) -> Option<i64> {
    let sign = if negative { -1 } else { 1 };
    digits
        .iter()
        .try_fold(0_i64, |value, &digit| value.checked_mul(10)?.checked_add(sign * i64::from(digit.wrapping_sub(b'0'))))
}

fn decimal(text: &str, whole: &[u8], fraction: &[u8]) -> Option<Classified> {
    let shape = match (whole, fraction) {
        ([], _) | (_, []) => Shape::OddDecimal,
        _ if fraction.contains(&b'.') => return dotted(fraction),
        _ if !fraction.iter().all(u8::is_ascii_digit) => return None,
        ([b'0', _, ..], _) => Shape::LeadingZero,
        _ => Shape::Decimal(decimal_shape(text, whole, fraction)),
    };
    Some((shape, None))
}

/// What follows the first point of a text with several: groups of digits, or nothing that is known here.
fn dotted(rest: &[u8]) -> Option<Classified> {
    let groups =
        rest.split(|&byte| byte == b'.').all(|group| !group.is_empty() && group.iter().all(u8::is_ascii_digit));
    groups.then_some((Shape::Dotted, None))
}

#[inline]
fn decimal_shape(text: &str, whole: &[u8], fraction: &[u8]) -> DecimalShape {
    let leading = if whole == b"0" { 1 + fraction.iter().take_while(|&&digit| digit == b'0').count() } else { 0 };
    let digits = (whole.len() + fraction.len()).saturating_sub(leading);
    let trailing_zero = fraction.last() == Some(&b'0');
    let exactness =
        if digits <= DOUBLE_DIGITS && fraction.len() <= 100 { Exactness::Double } else { exactness(text, digits) };
    DecimalShape {
        scale: u8::try_from(fraction.len()).unwrap_or(u8::MAX),
        exactness,
        trailing_zero,
        thousands: whole.len() > 3,
    }
}

/// For a decimal of more digits than every double keeps: tries it.
#[cold]
fn exactness(text: &str, digits: usize) -> Exactness {
    let scale = text.len() - text.find('.').map_or(text.len(), |point| point + 1);
    let Ok(double) = text.parse::<f64>() else { return Exactness::Neither };
    match (prints(text, format_args!("{double}")), prints(text, format_args!("{double:.scale$}"))) {
        (true, true) => Exactness::Double,
        (false, true) => Exactness::DoubleAtScale,
        (true, false) => Exactness::DoubleShortest,
        _ if digits <= DECIMAL128_DIGITS => Exactness::Decimal128,
        _ => Exactness::Neither,
    }
}

/// Whether `printed` is `text`, without writing it anywhere.
fn prints(text: &str, printed: fmt::Arguments<'_>) -> bool {
    struct Expected<'a>(&'a str);
    impl Write for Expected<'_> {
        fn write_str(&mut self, part: &str) -> fmt::Result {
            self.0 = self.0.strip_prefix(part).ok_or(fmt::Error)?;
            Ok(())
        }
    }
    let mut expected = Expected(text);
    expected.write_fmt(printed).is_ok() && expected.0.is_empty()
}

/// `1e5`, `-7.08263e-317`.
pub(super) fn exponent(text: &str, mask: u16) -> Option<Shape> {
    let candidate = mask & !(class::NUMERIC | class::HEX_LOWER | class::HEX_UPPER) == 0;
    if !candidate || !text.bytes().last().is_some_and(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let (mantissa, exponent) = text.split_once(['e', 'E'])?;
    let (number, _) = plain(mantissa)?;
    let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
    let known = matches!(number, Shape::Integer(_) | Shape::Decimal(_) | Shape::NegativeZero);
    let normal = text.parse::<f64>().is_ok_and(|double| double.is_normal() || (double == 0.0 && is_zero(mantissa)));
    (known && exponent.bytes().all(|byte| byte.is_ascii_digit())).then_some(Shape::Exponent { normal })
}

fn is_zero(mantissa: &str) -> bool {
    mantissa.bytes().all(|byte| matches!(byte, b'0' | b'.' | b'-'))
}

/// `0x10`.
pub(super) fn hexadecimal(text: &str) -> Option<Shape> {
    let digits = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"))?;
    (!digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit())).then_some(Shape::HexNumber)
}

/// An integer of so many digits that nothing but text holds it.
pub(super) fn huge(bytes: &[u8], mask: u16) -> Option<Shape> {
    (mask == class::DIGIT).then_some(match bytes {
        [b'0', ..] => Shape::LeadingZero,
        _ => Shape::Integer(IntegerRange::Huge),
    })
}
