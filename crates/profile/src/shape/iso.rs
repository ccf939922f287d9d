//! Dates and times as ISO 8601 and RFC 3339 write them.

use boson_document::CivilTime;
use serde::{Deserialize, Serialize};

use super::{Classified, Shape};

/// How a date and time is written: two texts with the same layout are the same text when they are the same moment, but
/// for what [`Zone::Offset`] and `loses_digits` say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct IsoLayout {
    /// What says where the time is.
    pub zone: Zone,
    /// Digits of the fraction of a second; 0 when there is none.
    pub fraction: u8,
    /// Whether there is a digit other than 0 that milliseconds do not hold.
    pub loses_digits: bool,
    /// Whether seconds are written.
    pub seconds: bool,
    /// Whether the dashes and colons are left out.
    pub basic: bool,
    /// Between date and time: `T`, `t` or a space.
    pub separator: u8,
    /// Before the fraction: a point or a comma; 0 when there is none.
    pub point: u8,
}

/// How the distance from UTC is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Zone {
    /// Not at all: local to somewhere.
    None,
    /// `Z`.
    Z,
    /// `z`.
    LowerZ,
    /// `+00:00`.
    Zero,
    /// `+0000`.
    ZeroCompact,
    /// `+00`.
    ZeroHours,
    /// `+05:45`.
    Offset,
    /// `+0545`.
    OffsetCompact,
    /// `+05`.
    OffsetHours,
}

impl Zone {
    /// Whether it tells an offset that a moment in UTC does not keep.
    pub const fn is_offset(self) -> bool {
        matches!(self, Self::Offset | Self::OffsetCompact | Self::OffsetHours)
    }
}

/// Digits of a fraction, at most: those of nanoseconds and a few to spare.
const FRACTION_DIGITS_MAX: usize = 12;

/// What is left of a text.
struct Rest<'a>(&'a [u8]);

impl Rest<'_> {
    /// The next `count` digits as a number.
    #[inline]
    fn digits(&mut self, count: usize) -> Option<u32> {
        let (digits, rest) = self.0.split_at_checked(count)?;
        let mut value = 0_u32;
        for digit in digits {
            let digit = digit.wrapping_sub(b'0');
            if digit > 9 {
                return None;
            }
            value = value.wrapping_mul(10).wrapping_add(u32::from(digit));
        }
        self.0 = rest;
        Some(value)
    }

    #[inline]
    fn eat(&mut self, byte: u8) -> bool {
        match self.0 {
            [first, rest @ ..] if *first == byte => {
                self.0 = rest;
                true
            }
            _ => false,
        }
    }

    fn small(&mut self) -> Option<u8> {
        u8::try_from(self.digits(2)?).ok()
    }
}

/// A date, or a date and a time; the value is the moment in milliseconds since 1970, read as UTC where no zone is given.
#[inline]
pub(super) fn parse(bytes: &[u8]) -> Option<Classified> {
    let mut rest = Rest(bytes);
    let year = i16::try_from(rest.digits(4)?).ok().filter(|&year| year > 0)?;
    let extended = rest.eat(b'-');
    let month = rest.small()?;
    if extended && !rest.eat(b'-') {
        return None;
    }
    let date = CivilTime { year, month, day: rest.small()?, hour: 0, minute: 0, second: 0, nanosecond: 0 };
    match rest.0 {
        [] if extended => Some((Shape::Date, Some(date.checked()?.to_unix_ms()))),
        [separator @ (b'T' | b't' | b' '), time @ ..] => time_of_day(date, *separator, !extended, time),
        _ => None,
    }
}

fn time_of_day(date: CivilTime, separator: u8, basic: bool, time: &[u8]) -> Option<Classified> {
    let mut rest = Rest(time);
    let hour = rest.small()?;
    if !basic && !rest.eat(b':') {
        return None;
    }
    let minute = rest.small()?;
    let seconds = if basic { rest.0.first().is_some_and(u8::is_ascii_digit) } else { rest.eat(b':') };
    let second = if seconds { rest.small()? } else { 0 };
    let fraction = if seconds { fraction(&mut rest)? } else { Fraction::default() };
    let moment = CivilTime { hour, minute, second, nanosecond: fraction.nanoseconds, ..date }.checked()?;
    let (zone, offset_minutes) = zone(rest.0)?;
    let layout = IsoLayout {
        zone,
        fraction: fraction.digits,
        loses_digits: fraction.loses_digits,
        seconds,
        basic,
        separator,
        point: fraction.point,
    };
    Some((Shape::DateTime(layout), Some(moment.to_unix_ms() - i64::from(offset_minutes) * 60_000)))
}

#[derive(Default)]
struct Fraction {
    point: u8,
    digits: u8,
    nanoseconds: u32,
    loses_digits: bool,
}

/// The fraction of a second, if there is one; `None` when a point has no digits behind it or too many.
#[inline]
fn fraction(rest: &mut Rest<'_>) -> Option<Fraction> {
    let [point @ (b'.' | b','), digits @ ..] = rest.0 else { return Some(Fraction::default()) };
    let count = digits.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if count == 0 || count > FRACTION_DIGITS_MAX {
        return None;
    }
    let (digits, behind) = digits.split_at_checked(count)?;
    rest.0 = behind;
    let nanosecond_digits = digits.iter().chain(std::iter::repeat(&b'0')).take(9);
    let nanoseconds = nanosecond_digits.fold(0_u32, |value, digit| value * 10 + u32::from(digit.wrapping_sub(b'0')));
    let loses_digits = digits.iter().skip(3).any(|&digit| digit != b'0');
    Some(Fraction { point: *point, digits: u8::try_from(count).ok()?, nanoseconds, loses_digits })
}

/// The zone that ends a text, and its minutes east of UTC.
#[inline]
fn zone(text: &[u8]) -> Option<(Zone, i16)> {
    let (sign, digits) = match text {
        [] => return Some((Zone::None, 0)),
        b"Z" => return Some((Zone::Z, 0)),
        b"z" => return Some((Zone::LowerZ, 0)),
        [b'+', digits @ ..] => (1, digits),
        [b'-', digits @ ..] => (-1, digits),
        _ => return None,
    };
    let mut rest = Rest(digits);
    let hours = rest.digits(2).filter(|&hours| hours < 24)?;
    let colon = rest.eat(b':');
    let minutes =
        if rest.0.is_empty() && !colon { None } else { Some(rest.digits(2).filter(|&minutes| minutes < 60)?) };
    if !rest.0.is_empty() {
        return None;
    }
    let offset = i16::try_from(hours * 60 + minutes.unwrap_or_default()).ok()? * sign;
    // `-00:00` says that the offset is not known (RFC 3339, 4.3): more than zero.
    let zero = offset == 0 && sign > 0;
    let zone = match (colon, minutes.is_some(), zero) {
        (true, _, true) => Zone::Zero,
        (false, true, true) => Zone::ZeroCompact,
        (false, false, true) => Zone::ZeroHours,
        (true, _, false) => Zone::Offset,
        (false, true, false) => Zone::OffsetCompact,
        (false, false, false) => Zone::OffsetHours,
    };
    Some((zone, offset))
}

/// The minutes east of UTC that the date and time `text` ends with, if it ends with any.
pub fn offset_minutes(text: &str) -> Option<i16> {
    let sign = text.rfind(['+', '-'])?;
    zone(text.as_bytes().get(sign..)?).map(|(_, minutes)| minutes)
}
