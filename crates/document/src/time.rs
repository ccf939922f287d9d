//! Oracle's dates and times, which carry no zone unless they say so, and its intervals.

/// A day and a time of day with no zone: what DATE (`nanosecond` is 0) and TIMESTAMP hold.
///
/// Every field is in its calendar range when made by [`CivilTime::new`].
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
