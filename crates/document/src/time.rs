//! Oracle's dates and times, which carry no zone unless they say so, and its intervals.

/// A day and a time of day with no zone: what DATE (`nanosecond` is 0) and TIMESTAMP hold.
///
/// Every field is in its calendar range when it came through [`CivilTime::checked`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the fields of a calendar")]
pub struct CivilTime {
    pub year: i16,
    pub month: u8,
    pub day: u8,
    pub hour: u8,
    pub minute: u8,
    pub second: u8,
    pub nanosecond: u32,
}

impl CivilTime {
    /// The same values checked against the calendar: years -4712 to 9999 as Oracle has them, days of the proleptic
    /// Gregorian month. `None` when one is out of range.
    pub const fn checked(self) -> Option<Self> {
        let in_range = self.year >= -4712
            && self.year <= 9999
            && self.month >= 1
            && self.month <= 12
            && self.day >= 1
            && self.day <= days_in_month(self.year, self.month)
            && self.hour <= 23
            && self.minute <= 59
            && self.second <= 59
            && self.nanosecond <= 999_999_999;
        if in_range { Some(self) } else { None }
    }

    /// The same moment read as UTC, from milliseconds since 1970; `None` outside the years -4712 to 9999.
    pub fn from_unix_ms(ms: i64) -> Option<Self> {
        let (days, ms_of_day) = (ms.div_euclid(MS_PER_DAY), ms.rem_euclid(MS_PER_DAY));
        let (year, month, day) = civil_from_days(days)?;
        let (second_of_day, ms) = (ms_of_day / 1000, ms_of_day % 1000);
        let small = |value: i64| u8::try_from(value).ok();
        Self {
            year,
            month,
            day,
            hour: small(second_of_day / 3600)?,
            minute: small(second_of_day / 60 % 60)?,
            second: small(second_of_day % 60)?,
            nanosecond: u32::try_from(ms).ok()?.wrapping_mul(NS_PER_MS),
        }
        .checked()
    }

    /// Milliseconds since 1970 when it is read as UTC; what the nanoseconds hold beyond a whole millisecond is left out,
    /// see [`ns_below_ms`](Self::ns_below_ms).
    pub fn to_unix_ms(self) -> i64 {
        // At most 9999 years of milliseconds: far from the ends of i64, so none of these wraps.
        let days = days_from_civil(i64::from(self.year), i64::from(self.month), i64::from(self.day));
        let minutes = i64::from(self.hour).wrapping_mul(60).wrapping_add(i64::from(self.minute));
        let seconds = minutes.wrapping_mul(60).wrapping_add(i64::from(self.second));
        let ms = seconds.wrapping_mul(1000).wrapping_add(i64::from(self.nanosecond / NS_PER_MS));
        days.wrapping_mul(MS_PER_DAY).wrapping_add(ms)
    }

    /// The nanoseconds that a time in milliseconds cannot hold.
    pub const fn ns_below_ms(self) -> u32 {
        self.nanosecond % NS_PER_MS
    }
}

const MS_PER_DAY: i64 = 86_400_000;
const NS_PER_MS: u32 = 1_000_000;

/// Days between 0000-03-01 and 1970-01-01. A year that begins in March ends with the leap day, which makes every month's
/// place in it a linear function (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms").
const DAYS_TO_1970: i64 = 719_468;
const DAYS_PER_ERA: i64 = 146_097;

fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let year = year.wrapping_sub(i64::from(month <= 2));
    let (era, year_of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let month_from_march = month.wrapping_add(9) % 12;
    let day_of_year = (month_from_march.wrapping_mul(153).wrapping_add(2) / 5).wrapping_add(day).wrapping_sub(1);
    let leap_days = (year_of_era / 4).wrapping_sub(year_of_era / 100);
    let day_of_era = year_of_era.wrapping_mul(365).wrapping_add(leap_days).wrapping_add(day_of_year);
    era.wrapping_mul(DAYS_PER_ERA).wrapping_add(day_of_era).wrapping_sub(DAYS_TO_1970)
}

fn civil_from_days(days: i64) -> Option<(i16, u8, u8)> {
    let days = days.checked_add(DAYS_TO_1970)?;
    let (era, day_of_era) = (days.div_euclid(DAYS_PER_ERA), days.rem_euclid(DAYS_PER_ERA));
    let leap_days = (day_of_era / 1460).wrapping_sub(day_of_era / 36_524).wrapping_add(day_of_era / 146_096);
    let year_of_era = day_of_era.wrapping_sub(leap_days) / 365;
    let days_before = year_of_era.wrapping_mul(365).wrapping_add(year_of_era / 4).wrapping_sub(year_of_era / 100);
    let day_of_year = day_of_era.wrapping_sub(days_before);
    let month_from_march = day_of_year.wrapping_mul(5).wrapping_add(2) / 153;
    let day = day_of_year.wrapping_sub(month_from_march.wrapping_mul(153).wrapping_add(2) / 5).wrapping_add(1);
    let month = (month_from_march.wrapping_add(2) % 12).wrapping_add(1);
    let year = era.checked_mul(400)?.wrapping_add(year_of_era).wrapping_add(i64::from(month <= 2));
    Some((i16::try_from(year).ok()?, u8::try_from(month).ok()?, u8::try_from(day).ok()?))
}

const fn days_in_month(year: i16, month: u8) -> u8 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        _ => 31,
    }
}

/// A point in time and the zone it was written in: what TIMESTAMP WITH TIME ZONE holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ZonedTime {
    /// The point in time, in UTC.
    pub utc: CivilTime,
    /// The zone's distance from UTC, east positive.
    pub offset_minutes: i16,
}

/// INTERVAL YEAR TO MONTH; both parts have their own sign, and readers add them up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the parts of the interval")]
pub struct IntervalYearMonth {
    pub years: i32,
    pub months: i8,
}

/// INTERVAL DAY TO SECOND; every part has its own sign, and readers add them up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the parts of the interval")]
pub struct IntervalDaySecond {
    pub days: i32,
    pub hours: i8,
    pub minutes: i8,
    pub seconds: i8,
    pub nanoseconds: i32,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn civil(year: i16, month: u8, day: u8, hour: u8, minute: u8, second: u8, ms: u32) -> CivilTime {
        CivilTime { year, month, day, hour, minute, second, nanosecond: ms.wrapping_mul(NS_PER_MS) }
    }

    /// The numbers are what `date -u -d … +%s` says.
    #[test]
    fn milliseconds_and_calendar_agree() {
        for (ms, time) in [
            (0, civil(1970, 1, 1, 0, 0, 0, 0)),
            (-1, civil(1969, 12, 31, 23, 59, 59, 999)),
            (951_782_400_000, civil(2000, 2, 29, 0, 0, 0, 0)),
            (1_709_210_096_789, civil(2024, 2, 29, 12, 34, 56, 789)),
            (-62_135_596_800_000, civil(1, 1, 1, 0, 0, 0, 0)),
            (253_402_300_799_999, civil(9999, 12, 31, 23, 59, 59, 999)),
            (-2_203_891_200_000, civil(1900, 3, 1, 0, 0, 0, 0)),
        ] {
            assert_eq!(CivilTime::from_unix_ms(ms), Some(time), "{ms}");
            assert_eq!(time.to_unix_ms(), ms);
        }
    }

    #[test]
    fn milliseconds_outside_the_calendar_are_refused() {
        for ms in [253_402_300_800_000, i64::MAX, i64::MIN, -300_000_000_000_000] {
            assert_eq!(CivilTime::from_unix_ms(ms), None, "{ms}");
        }
    }

    #[test]
    fn every_day_comes_back() {
        for days in (-2_000_000..2_900_000).step_by(17) {
            let time = CivilTime::from_unix_ms(days * MS_PER_DAY).unwrap();
            assert_eq!(time.to_unix_ms(), days * MS_PER_DAY);
        }
    }
}
