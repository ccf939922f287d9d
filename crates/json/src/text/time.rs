//! ISO 8601 dates and times.

use boson_document::{CivilTime, ZonedTime};

use super::StackText;

/// A date with no time of day becomes midnight, as the server writes it: `2024-01-02T00:00:00`.
pub(crate) fn iso_date(time: CivilTime) -> StackText {
    let mut text = StackText::new();
    push_seconds(&mut text, time);
    text
}

/// A timestamp as the server writes it: no fraction, six digits, or nine where microseconds do not do.
pub(crate) fn iso_timestamp(time: CivilTime) -> StackText {
    let mut text = iso_date(time);
    if time.nanosecond != 0 {
        push_fraction(&mut text, time.nanosecond);
    }
    text
}

/// A timestamp with time zone: the local time, at least six digits of fraction, `Z` or the offset.
pub(crate) fn iso_timestamp_tz(time: ZonedTime) -> Option<StackText> {
    let offset_ms = i64::from(time.offset_minutes).checked_mul(60_000)?;
    let local = CivilTime::from_unix_ms(time.utc.to_unix_ms().checked_add(offset_ms)?)?;
    let nanosecond = time.utc.nanosecond;
    let mut text = iso_date(local);
    push_fraction(&mut text, nanosecond);
    if time.offset_minutes == 0 {
        text.push(b'Z');
        return Some(text);
    }
    text.push(if time.offset_minutes < 0 { b'-' } else { b'+' });
    let minutes = u32::from(time.offset_minutes.unsigned_abs());
    text.push_digits(minutes / 60, 2);
    text.push(b':');
    text.push_digits(minutes % 60, 2);
    Some(text)
}

/// Milliseconds since 1970 as a time in UTC, the fraction left out where it is zero; `None` outside the years 0 to 9999.
#[inline]
pub(crate) fn iso_millis(ms: i64) -> Option<StackText> {
    let time = CivilTime::from_unix_ms(ms).filter(|time| time.year >= 0)?;
    let mut text = iso_date(time);
    if time.nanosecond != 0 {
        text.push(b'.');
        text.push_digits(time.nanosecond / 1_000_000, 3);
    }
    text.push(b'Z');
    Some(text)
}

#[inline]
fn push_seconds(text: &mut StackText, time: CivilTime) {
    if time.year < 0 {
        text.push(b'-');
    }
    text.push_digits(u32::from(time.year.unsigned_abs()), 4);
    for (separator, value) in
        [(b'-', time.month), (b'-', time.day), (b'T', time.hour), (b':', time.minute), (b':', time.second)]
    {
        text.push(separator);
        text.push_digits(u32::from(value), 2);
    }
}

fn push_fraction(text: &mut StackText, nanosecond: u32) {
    text.push(b'.');
    match nanosecond % 1000 {
        0 => text.push_digits(nanosecond / 1000, 6),
        _ => text.push_digits(nanosecond, 9),
    }
}

/// What an ISO 8601 text says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct IsoTime {
    /// The date and time as written; midnight when there is no time.
    pub(crate) local: CivilTime,
    /// Whether there is a time of day.
    pub(crate) has_time: bool,
    /// The zone, east positive, where one is written.
    pub(crate) offset_minutes: Option<i16>,
}

impl IsoTime {
    /// The moment in UTC; `None` without a zone, or outside the calendar.
    pub(crate) fn to_utc(self) -> Option<CivilTime> {
        let offset_ms = i64::from(self.offset_minutes?).checked_mul(60_000)?;
        let utc = CivilTime::from_unix_ms(self.local.to_unix_ms().checked_sub(offset_ms)?)?;
        Some(CivilTime { nanosecond: self.local.nanosecond, ..utc })
    }
}

/// Reads `YYYY-MM-DD`, or that and a time: `T`, `hh:mm:ss`, up to nine digits of fraction, and perhaps a zone, `Z`,
/// `+hh:mm`, `+hhmm` or `+hh`.
pub(crate) fn parse_iso(text: &str) -> Option<IsoTime> {
    let mut rest = Rest(text.as_bytes());
    let negative = rest.eat(b'-');
    let year = i16::try_from(rest.digits(4)?).ok()?;
    let year = if negative { year.checked_neg()? } else { year };
    let month = rest.after(b'-')?;
    let day = rest.after(b'-')?;
    let mut local = CivilTime { year, month, day, hour: 0, minute: 0, second: 0, nanosecond: 0 };
    let has_time = rest.eat(b'T') || rest.eat(b't');
    let mut offset_minutes = None;
    if has_time {
        local.hour = rest.two_digits()?;
        local.minute = rest.after(b':')?;
        local.second = rest.after(b':')?;
        local.nanosecond = if rest.eat(b'.') { rest.fraction()? } else { 0 };
        offset_minutes = rest.zone()?;
    }
    let local = local.checked().filter(|_| rest.0.is_empty())?;
    Some(IsoTime { local, has_time, offset_minutes })
}

/// What is left of a text.
pub(super) struct Rest<'a>(pub(super) &'a [u8]);

impl Rest<'_> {
    pub(super) fn eat(&mut self, byte: u8) -> bool {
        match self.0.split_first() {
            Some((&first, rest)) if first == byte => {
                self.0 = rest;
                true
            }
            _ => false,
        }
    }

    fn digit(&mut self) -> Option<u32> {
        let (&first, rest) = self.0.split_first()?;
        let digit = char::from(first).to_digit(10)?;
        self.0 = rest;
        Some(digit)
    }

    fn digits(&mut self, count: u32) -> Option<u32> {
        (0..count).try_fold(0_u32, |value, _| value.checked_mul(10)?.checked_add(self.digit()?))
    }

    fn two_digits(&mut self) -> Option<u8> {
        u8::try_from(self.digits(2)?).ok()
    }

    fn after(&mut self, separator: u8) -> Option<u8> {
        if self.eat(separator) { self.two_digits() } else { None }
    }

    /// One to nine digits behind a point, in billionths.
    pub(super) fn fraction(&mut self) -> Option<u32> {
        let (mut nanos, mut unit) = (0_u32, 1_000_000_000_u32);
        while self.0.first().is_some_and(u8::is_ascii_digit) {
            unit = unit.checked_div(10).filter(|&unit| unit > 0)?;
            nanos = nanos.checked_add(self.digit()?.checked_mul(unit)?)?;
        }
        (unit < 1_000_000_000).then_some(nanos)
    }

    /// The zone, if there is one; `None` when what stands there is none.
    #[expect(clippy::option_option, reason = "no zone is not the same as a wrong zone")]
    fn zone(&mut self) -> Option<Option<i16>> {
        if self.0.is_empty() {
            return Some(None);
        }
        if self.eat(b'Z') || self.eat(b'z') {
            return Some(Some(0));
        }
        let west = self.eat(b'-');
        if !west && !self.eat(b'+') {
            return None;
        }
        let hours = i16::from(self.two_digits()?);
        let colon = self.eat(b':');
        let minutes = if colon || !self.0.is_empty() { i16::from(self.two_digits()?) } else { 0 };
        if hours > 23 || minutes > 59 {
            return None;
        }
        let offset = hours.checked_mul(60)?.checked_add(minutes)?;
        Some(Some(if west { offset.checked_neg()? } else { offset }))
    }

    /// A number of at least one digit.
    pub(super) fn number(&mut self) -> Option<u64> {
        let mut value = u64::from(self.digit()?);
        while self.0.first().is_some_and(u8::is_ascii_digit) {
            value = value.checked_mul(10)?.checked_add(u64::from(self.digit()?))?;
        }
        Some(value)
    }
}
