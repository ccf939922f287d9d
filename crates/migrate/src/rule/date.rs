//! Texts and numbers that are dates.

use boson_document::{CivilTime, Scalar};
use boson_profile::{IntegerRange, IsoLayout, NumericDate, Order, Shape, Zone, offset_minutes};
use jiff::civil;
use jiff::tz::{Offset, TimeZone};

use super::{Leaf, Lost, Reading, Rule};

/// Where dates are that name no zone.
#[derive(Clone, Debug)]
pub(crate) struct ZoneRule {
    zone: TimeZone,
    /// The one distance from UTC that it has, in milliseconds, if it has only one.
    fixed_ms: Option<i64>,
}

impl ZoneRule {
    /// The zone called `name`: `UTC`, an offset, or a name of the IANA time zone database.
    pub(crate) fn parse(name: &str) -> Option<Self> {
        if name.eq_ignore_ascii_case("utc") || name == "Z" {
            return Some(Self { zone: TimeZone::UTC, fixed_ms: Some(0) });
        }
        if let Some(minutes) = super::layout::parse_offset(name) {
            let seconds = i32::from(minutes) * 60;
            let zone = TimeZone::fixed(Offset::from_seconds(seconds).ok()?);
            return Some(Self { zone, fixed_ms: Some(i64::from(seconds) * 1000) });
        }
        TimeZone::get(name).ok().map(|zone| Self { zone, fixed_ms: None })
    }

    /// The one distance from UTC that it has, in minutes, if it has only one and that is of whole minutes.
    pub(crate) fn fixed_minutes(&self) -> Option<i16> {
        let ms = self.fixed_ms.filter(|ms| ms % 60_000 == 0)?;
        i16::try_from(ms / 60_000).ok()
    }

    /// The moment at which clocks in the zone show what those in UTC show at `local_ms`; `None` when they do so twice or
    /// never, as when clocks are set back or forward.
    pub(crate) fn moment(&self, local_ms: i64) -> Option<i64> {
        if let Some(fixed) = self.fixed_ms {
            return local_ms.checked_sub(fixed);
        }
        let time = CivilTime::from_unix_ms(local_ms)?;
        let small = |value: u8| i8::try_from(value).ok();
        let clock = civil::DateTime::new(
            time.year,
            small(time.month)?,
            small(time.day)?,
            small(time.hour)?,
            small(time.minute)?,
            small(time.second)?,
            i32::try_from(time.nanosecond).ok()?,
        );
        let moment = self.zone.to_ambiguous_timestamp(clock.ok()?).unambiguous().ok()?;
        Some(moment.as_millisecond())
    }

    /// What clocks in the zone show at `ms`, as milliseconds since 1970 if it were UTC.
    pub(crate) fn local(&self, ms: i64) -> Option<i64> {
        if let Some(fixed) = self.fixed_ms {
            return ms.checked_add(fixed);
        }
        let offset = self.zone.to_offset(jiff::Timestamp::from_millisecond(ms).ok()?);
        ms.checked_add(i64::from(offset.seconds()) * 1000)
    }
}

impl Rule {
    pub(super) fn date(&self, text: &str, shape: Shape, value: Option<i64>) -> Leaf<'static> {
        match &self.reading {
            Reading::Iso { layout, offset_minutes, zone } => {
                let (ms, lost) = iso(text, shape, value?, layout.as_ref(), *offset_minutes, zone.as_ref())?;
                Some((Scalar::DateTime(ms), lost))
            }
            Reading::NumericDate { date, zone } => {
                let Shape::NumericDate(found) = shape else { return None };
                let (local, exact) = numeric(text, found, *date)?;
                Some((Scalar::DateTime(zone.moment(local)?), super::lost_if(!exact)))
            }
            Reading::EpochText { seconds } => {
                matches!(shape, Shape::Integer(_)).then_some(())?;
                Some((epoch(value?, *seconds)?, None))
            }
            _ => None,
        }
    }
}

/// A date of ISO 8601 whose moment is `ms` if it is in UTC where it names no zone.
fn iso(
    text: &str,
    shape: Shape,
    ms: i64,
    layout: Option<&IsoLayout>,
    offset: Option<i16>,
    zone: Option<&ZoneRule>,
) -> Option<(i64, Option<Lost>)> {
    match shape {
        Shape::Date => Some((zone?.moment(ms)?, super::lost_if(layout.is_some()))),
        Shape::DateTime(found) => {
            let ms = if found.zone == Zone::None { zone?.moment(ms)? } else { ms };
            Some((ms, iso_loss(text, found, layout, offset)))
        }
        _ => None,
    }
}

fn iso_loss(text: &str, found: IsoLayout, layout: Option<&IsoLayout>, offset: Option<i16>) -> Option<Lost> {
    let kept = IsoLayout { loses_digits: false, ..found };
    if layout != Some(&kept) {
        return Some(Lost::Spelling);
    }
    let other_offset = found.zone.is_offset() && (offset.is_none() || offset_minutes(text) != offset);
    (found.loses_digits || other_offset).then_some(Lost::Tail)
}

/// The end of a date and time that a moment in milliseconds does not keep: digits from the fourth on, and the zone.
pub(super) fn tail(text: &str) -> &str {
    let point = text.find(['.', ',']).map(|point| point.saturating_add(4)).filter(|&place| place <= text.len());
    let has_digit = |place: &usize| text.as_bytes().get(*place).is_some_and(u8::is_ascii_digit);
    let sign = || text.rfind(['+', '-']);
    point.filter(has_digit).or_else(sign).and_then(|place| text.get(place..)).unwrap_or(text)
}

/// The date of a text of three numbers as if it were in UTC, and whether it is written as `wanted` says.
fn numeric(text: &str, found: NumericDate, wanted: NumericDate) -> Option<(i64, bool)> {
    let order_fits = found.order == wanted.order || found.order == Order::Either;
    if found.short_year || !order_fits || (wanted.order == Order::YearFirst) != (found.order == Order::YearFirst) {
        return None;
    }
    let (date, time) = match text.split_once([' ', 'T']) {
        Some((date, time)) => (date, Some(time)),
        None => (text, None),
    };
    let mut numbers = date.split(char::from(found.separator)).map(str::parse::<i16>);
    let parts = [numbers.next()?.ok()?, numbers.next()?.ok()?, numbers.next()?.ok()?];
    let [year, month, day] = match (wanted.order, parts) {
        (Order::YearFirst, [year, month, day])
        | (Order::MonthFirst, [month, day, year])
        | (Order::DayFirst | Order::Either, [day, month, year]) => [year, month, day],
    };
    let (hour, minute, second, nanosecond) = time.map_or(Some((0, 0, 0, 0)), clock)?;
    let (month, day) = (u8::try_from(month).ok()?, u8::try_from(day).ok()?);
    let moment = CivilTime { year, month, day, hour, minute, second, nanosecond }.checked()?;
    let same = NumericDate { order: wanted.order, ..found } == wanted && time.is_none();
    // A date that has no zeros to pad says nothing of padding.
    Some((moment.to_unix_ms(), same || (time.is_none() && write_numeric(wanted, moment) == text)))
}

/// The date of `time` in the form of `date`.
pub(super) fn write_numeric(date: NumericDate, time: CivilTime) -> String {
    let CivilTime { year, month, day, .. } = time;
    let separator = char::from(date.separator);
    let (month, day) =
        if date.padded { (format!("{month:02}"), format!("{day:02}")) } else { (month.to_string(), day.to_string()) };
    match date.order {
        Order::YearFirst => format!("{year:04}{separator}{month}{separator}{day}"),
        Order::MonthFirst => format!("{month}{separator}{day}{separator}{year:04}"),
        _ => format!("{day}{separator}{month}{separator}{year:04}"),
    }
}

/// `10:30`, `10:30:05.5`, `1:30 PM`: hour, minute, second, nanosecond.
fn clock(text: &str) -> Option<(u8, u8, u8, u32)> {
    let halves = [(" AM", 0), (" PM", 12), (" am", 0), (" pm", 12), ("AM", 0), ("PM", 12)];
    let half = halves.iter().find_map(|&(half, hours)| Some((text.strip_suffix(half)?, hours)));
    let (clock, afternoon) = half.unwrap_or((text, 0));
    let mut parts = clock.split(':');
    let (hour, minute): (u8, u8) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    let (second, fraction) = parts.next().map_or(("0", ""), |second| second.split_once('.').unwrap_or((second, "")));
    let hour = match half {
        Some(_) if !(1..=12).contains(&hour) => return None,
        Some(_) => hour % 12 + afternoon,
        None => hour,
    };
    let nanoseconds: String = fraction.chars().chain(std::iter::repeat('0')).take(9).collect();
    Some((hour, minute, second.parse().ok()?, nanoseconds.parse().ok()?))
}

/// The moment `value` seconds or milliseconds after 1970, where that lies in the years 1990 to 2099.
pub(super) fn epoch(value: i64, seconds: bool) -> Option<Scalar<'static>> {
    match (IntegerRange::of(value), seconds) {
        (IntegerRange::Seconds, true) => Some(Scalar::DateTime(value.checked_mul(1000)?)),
        (IntegerRange::Milliseconds, false) => Some(Scalar::DateTime(value)),
        _ => None,
    }
}
