//! ISO 8601 durations, as the server writes intervals: `P3DT4H5M6.789S`, `P1Y2M`.
//!
//! A negative interval has one minus sign in front. Parts with signs of their own are added up first, so what is written
//! is read back as the same length of time, not always as the same parts.

use boson_document::{IntervalDaySecond, IntervalYearMonth};

use super::StackText;
use super::time::Rest;

const NS_PER_SECOND: u128 = 1_000_000_000;
const NS_PER_MINUTE: u128 = 60 * NS_PER_SECOND;
const NS_PER_HOUR: u128 = 60 * NS_PER_MINUTE;
const NS_PER_DAY: u128 = 24 * NS_PER_HOUR;

/// The text of an interval of years and months; zero is `P0Y`.
pub(crate) fn year_month(interval: IntervalYearMonth) -> StackText {
    let months = i64::from(interval.years).saturating_mul(12).saturating_add(i64::from(interval.months));
    let (years, months) = (months.unsigned_abs() / 12, (months < 0, months.unsigned_abs() % 12));
    let (negative, months) = months;
    let mut text = start(negative);
    if years > 0 || months == 0 {
        text.push_number(years);
        text.push(b'Y');
    }
    if months > 0 {
        text.push_number(months);
        text.push(b'M');
    }
    text
}

/// The text of an interval of days down to nanoseconds; zero is `P0D`.
pub(crate) fn day_second(interval: IntervalDaySecond) -> StackText {
    let total = total_ns(interval);
    let mut text = start(total < 0);
    let total = total.unsigned_abs();
    let (days, in_day) = (total / NS_PER_DAY, total % NS_PER_DAY);
    if days > 0 || in_day == 0 {
        push_part(&mut text, days, b'D');
    }
    if in_day == 0 {
        return text;
    }
    text.push(b'T');
    for (value, unit) in [(in_day / NS_PER_HOUR, b'H'), (in_day % NS_PER_HOUR / NS_PER_MINUTE, b'M')] {
        if value > 0 {
            push_part(&mut text, value, unit);
        }
    }
    let in_minute = in_day % NS_PER_MINUTE;
    if in_minute > 0 {
        push_seconds(&mut text, in_minute);
    }
    text
}

fn start(negative: bool) -> StackText {
    let mut text = StackText::new();
    if negative {
        text.push(b'-');
    }
    text.push(b'P');
    text
}

fn push_part(text: &mut StackText, value: u128, unit: u8) {
    text.push_number(u64::try_from(value).unwrap_or(u64::MAX));
    text.push(unit);
}

fn push_seconds(text: &mut StackText, nanoseconds: u128) {
    text.push_number(u64::try_from(nanoseconds / NS_PER_SECOND).unwrap_or(u64::MAX));
    let fraction = u32::try_from(nanoseconds % NS_PER_SECOND).unwrap_or(0);
    if fraction > 0 {
        text.push(b'.');
        text.push_digits(fraction, 9);
        text.trim_zeros();
    }
    text.push(b'S');
}

/// The whole length; an i32 of days is about 2^68 nanoseconds, so nothing here comes near the ends of an i128.
fn total_ns(interval: IntervalDaySecond) -> i128 {
    let part = |value: i128, unit: u128| value.saturating_mul(i128::try_from(unit).unwrap_or(0));
    part(interval.days.into(), NS_PER_DAY)
        .saturating_add(part(interval.hours.into(), NS_PER_HOUR))
        .saturating_add(part(interval.minutes.into(), NS_PER_MINUTE))
        .saturating_add(part(interval.seconds.into(), NS_PER_SECOND))
        .saturating_add(interval.nanoseconds.into())
}

/// Reads `[-]P[nY][nM]`, at least one part.
pub(crate) fn parse_year_month(text: &str) -> Option<IntervalYearMonth> {
    let mut rest = Rest(text.as_bytes());
    let negative = sign_and_start(&mut rest)?;
    let (mut months, mut units) = (0_i64, [(b'Y', 12), (b'M', 1)].into_iter());
    while !rest.0.is_empty() || units.len() == 2 {
        let value = i64::try_from(rest.number()?).ok()?;
        let (_, scale) = units.find(|&(unit, _)| rest.eat(unit))?;
        months = months.checked_add(value.checked_mul(scale)?)?;
    }
    let months = if negative { months.checked_neg()? } else { months };
    Some(IntervalYearMonth { years: i32::try_from(months / 12).ok()?, months: i8::try_from(months % 12).ok()? })
}

/// Reads `[-]P[nD][T[nH][nM][n[.f]S]]`, at least one part, and one after a `T`.
pub(crate) fn parse_day_second(text: &str) -> Option<IntervalDaySecond> {
    let mut rest = Rest(text.as_bytes());
    let negative = sign_and_start(&mut rest)?;
    let mut total = 0_u128;
    if rest.0.first() != Some(&b'T') {
        let days = u128::from(rest.number()?);
        total = days.checked_mul(NS_PER_DAY).filter(|_| rest.eat(b'D'))?;
    }
    if rest.eat(b'T') {
        total = total.checked_add(time_parts(&mut rest)?)?;
    }
    let total = i128::try_from(total).ok().filter(|_| rest.0.is_empty())?;
    from_total_ns(if negative { total.checked_neg()? } else { total })
}

/// `[nH][nM][n[.f]S]`, at least one of them.
fn time_parts(rest: &mut Rest<'_>) -> Option<u128> {
    let mut units = [(b'H', NS_PER_HOUR), (b'M', NS_PER_MINUTE), (b'S', NS_PER_SECOND)].into_iter();
    let mut total = 0_u128;
    while !rest.0.is_empty() || units.len() == 3 {
        let value = u128::from(rest.number()?);
        let fraction = if rest.eat(b'.') { Some(rest.fraction()?) } else { None };
        let (unit, scale) = units.find(|&(unit, _)| rest.eat(unit))?;
        if fraction.is_some() && unit != b'S' {
            return None;
        }
        total = total.checked_add(value.checked_mul(scale)?)?.checked_add(fraction.unwrap_or(0).into())?;
    }
    Some(total)
}

fn sign_and_start(rest: &mut Rest<'_>) -> Option<bool> {
    let negative = rest.eat(b'-');
    if !negative {
        rest.eat(b'+');
    }
    rest.eat(b'P').then_some(negative)
}

fn from_total_ns(total: i128) -> Option<IntervalDaySecond> {
    let unit = |unit: u128| i128::try_from(unit).ok();
    let (day, hour) = (unit(NS_PER_DAY)?, unit(NS_PER_HOUR)?);
    let (minute, second) = (unit(NS_PER_MINUTE)?, unit(NS_PER_SECOND)?);
    Some(IntervalDaySecond {
        days: i32::try_from(total.checked_div(day)?).ok()?,
        hours: i8::try_from(total.checked_rem(day)?.checked_div(hour)?).ok()?,
        minutes: i8::try_from(total.checked_rem(hour)?.checked_div(minute)?).ok()?,
        seconds: i8::try_from(total.checked_rem(minute)?.checked_div(second)?).ok()?,
        nanoseconds: i32::try_from(total.checked_rem(second)?).ok()?,
    })
}
