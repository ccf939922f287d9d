//! Dates as people and other systems write them.

use boson_document::CivilTime;
use serde::{Deserialize, Serialize};

use super::{Classified, Shape, class};

/// A date of three numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct NumericDate {
    /// Between the numbers: `/`, `-` or `.`.
    pub separator: u8,
    /// What the numbers say of their order.
    pub order: Order,
    /// Whether the century is left out.
    pub short_year: bool,
    /// Whether day and month have two digits each.
    pub padded: bool,
    /// Whether a time of day follows.
    pub time: bool,
}

/// What one date of three numbers says of their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// The year comes first, then the month.
    YearFirst,
    /// The first number is above 12: the day.
    DayFirst,
    /// The second number is above 12: the day.
    MonthFirst,
    /// Either is possible.
    Either,
}

/// A date with the month's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct NamedDate {
    /// Whether the century is left out.
    pub short_year: bool,
    /// Whether a time of day is given.
    pub time: bool,
    /// Whether a zone is given.
    pub zone: bool,
}

/// `15/01/2024`, `1-15-24`, `2024/01/15 10:30`: the date only where it is the year's, and no value, since the order is the
/// whole field's question.
pub(super) fn numeric(bytes: &[u8]) -> Option<Classified> {
    let end = bytes.iter().position(|&byte| matches!(byte, b' ' | b'T')).unwrap_or(bytes.len());
    let (date, time) = bytes.split_at_checked(end)?;
    let separator = *date.iter().find(|byte| !byte.is_ascii_digit())?;
    if date.len() > 10 || !matches!(separator, b'/' | b'-' | b'.') {
        return None;
    }
    let mut numbers = date.split(|&byte| byte == separator).map(number);
    let (Some(first), Some(second), Some(third), None) =
        (numbers.next()?, numbers.next()?, numbers.next()?, numbers.next())
    else {
        return None;
    };
    let time = match time {
        [] => false,
        [_, time @ ..] => clock(time).then_some(true)?,
    };
    let (order, short_year) = order(first, second, third)?;
    let year_first = order == Order::YearFirst;
    let padded = second.digits == 2 && if year_first { third.digits == 2 } else { first.digits == 2 };
    // With points, and without a century or with the year first and no zeros, it is rather a version.
    if separator == b'.' && (short_year || (year_first && !padded)) {
        return None;
    }
    Some((Shape::NumericDate(NumericDate { separator, order, short_year, padded, time }), None))
}

#[derive(Clone, Copy)]
struct Digits {
    value: u32,
    digits: usize,
}

fn number(digits: &[u8]) -> Option<Digits> {
    let known = (1..=4).contains(&digits.len()) && digits.iter().all(u8::is_ascii_digit);
    let value = digits.iter().fold(0, |value, &digit| value * 10 + u32::from(digit.wrapping_sub(b'0')));
    known.then_some(Digits { value, digits: digits.len() })
}

/// Which of the three is what, and whether the century is left out.
fn order(first: Digits, second: Digits, third: Digits) -> Option<(Order, bool)> {
    if first.digits == 4 {
        return is_day(first, second, third).then_some((Order::YearFirst, false));
    }
    let short_year = match third.digits {
        4 => false,
        2 => true,
        _ => return None,
    };
    match (is_day(third, first, second), is_day(third, second, first)) {
        (true, true) => Some((Order::Either, short_year)),
        (true, false) => Some((Order::MonthFirst, short_year)),
        (false, true) => Some((Order::DayFirst, short_year)),
        (false, false) => None,
    }
}

/// Whether the calendar has that day; a year of two digits may be any.
fn is_day(year: Digits, month: Digits, day: Digits) -> bool {
    let digits = year.digits;
    let small = |number: Digits| u8::try_from(number.value).ok().filter(|_| number.digits <= 2);
    let (Some(month), Some(day), Ok(year)) = (small(month), small(day), i16::try_from(year.value)) else {
        return false;
    };
    let year = if digits == 2 { year + 2000 } else { year };
    year > 0 && CivilTime { year, month, day, hour: 0, minute: 0, second: 0, nanosecond: 0 }.checked().is_some()
}

/// `10:30`, `10:30:05`, `10:30:05.123`, with or without `AM` or `PM`.
fn clock(text: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(text) else { return false };
    let text = [" AM", " PM", " am", " pm", "AM", "PM"].iter().find_map(|half| text.strip_suffix(half)).unwrap_or(text);
    let mut parts = text.split(':');
    let (Some(hour), Some(minute), second, None) = (parts.next(), parts.next(), parts.next(), parts.next()) else {
        return false;
    };
    let below = |text: &str, end: u32| text.len() <= 2 && text.parse().is_ok_and(|number: u32| number < end);
    let second = second.map(|second| second.split_once('.').map_or(second, |(second, _)| second));
    below(hour, 24) && below(minute, 60) && second.is_none_or(|second| below(second, 60))
}

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];
const WEEKDAYS: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

/// `01-JAN-20`, `Jan 15, 2024`, `Mon, 15 Jan 2024 10:30:00 GMT`: a day, the name of a month, a year, and nothing that a
/// date does not have.
pub(super) fn named(text: &str, mask: u16) -> Option<Shape> {
    if mask & class::OTHER != 0 || mask & class::LETTER == 0 || !(8..=60).contains(&text.len()) {
        return None;
    }
    // What most texts with a digit fail: without a space, a date has two dashes.
    if mask & (class::SPACE | class::COMMA | class::SLASH) == 0 && text.matches('-').count() != 2 {
        return None;
    }
    let mut found = Named::default();
    let words = text.split([' ', ',', '/']).filter(|word| !word.is_empty());
    for word in words {
        let dashed = word.len() <= 11 && word.matches('-').count() == 2;
        let known = if dashed { word.split('-').all(|part| found.word(part)) } else { found.word(word) };
        if !known {
            return None;
        }
    }
    found.finish()
}

#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "what a date has, part by part")]
struct Named {
    month: bool,
    day: bool,
    year: Option<usize>,
    time: bool,
    zone: bool,
}

impl Named {
    /// Takes one word in; whether a date may have it.
    fn word(&mut self, word: &str) -> bool {
        let digits = word.bytes().all(|byte| byte.is_ascii_digit());
        match word.len() {
            1 | 2 if digits && !self.day => {
                put(&mut self.day, word.parse().is_ok_and(|day: u8| (1..=31).contains(&day)))
            }
            2 | 4 if digits && self.day && self.year.is_none() => self.year.replace(word.len()).is_none(),
            4 if digits && self.year.is_none() => self.year.replace(4).is_none(),
            _ if !self.time && clock(word.as_bytes()) => put(&mut self.time, true),
            _ => self.name(word),
        }
    }

    fn name(&mut self, word: &str) -> bool {
        let is_zone =
            matches!(word, "GMT" | "UTC" | "Z" | "(UTC)" | "(GMT)" | "EST" | "EDT" | "PST" | "PDT" | "CET" | "CEST");
        let offset = word.strip_prefix("GMT").or_else(|| word.strip_prefix("UTC")).unwrap_or(word);
        if self.time && (is_zone || super::iso::offset_minutes(offset).is_some_and(|_| offset.starts_with(['+', '-'])))
        {
            self.zone = true;
            return true;
        }
        if abbreviates(word, &MONTHS) {
            return !self.month && put(&mut self.month, true);
        }
        abbreviates(word, &WEEKDAYS)
    }

    fn finish(&self) -> Option<Shape> {
        let year = self.year.filter(|_| self.month && self.day)?;
        Some(Shape::NamedDate(NamedDate { short_year: year == 2, time: self.time, zone: self.zone }))
    }
}

fn put(flag: &mut bool, value: bool) -> bool {
    *flag = value;
    value
}

/// Whether `word` is one of `names`, whole or its first three letters, in any case.
fn abbreviates(word: &str, names: &[&str]) -> bool {
    let word = word.trim_end_matches('.');
    names.iter().any(|name| {
        name.eq_ignore_ascii_case(word) || name.get(..3).is_some_and(|short| short.eq_ignore_ascii_case(word))
    })
}

/// `/Date(1705314600000)/`, with or without an offset.
pub(super) fn dot_net(text: &str) -> Option<Shape> {
    let digits = text.strip_prefix("/Date(")?.strip_suffix(")/")?;
    let digits = digits.strip_prefix('-').unwrap_or(digits);
    (!digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'+' | b'-')))
        .then_some(Shape::DotNetDate)
}
