//! The payloads of dates, times and intervals, read and written.
//!
//! Reading gives `None` for what is no date, time or interval; so does writing, of values that were not checked when
//! they were made.

use boson_document::{CivilTime, IntervalDaySecond, IntervalYearMonth, ZonedTime};

/// Years and days of an interval are stored above this.
const INTERVAL_BIAS: u32 = 0x8000_0000;
/// In the hour byte of a zone: the zone is a named region.
const REGION_BIT: u8 = 0x80;

/// Why a TIMESTAMP WITH TIME ZONE could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ZoneFault {
    /// The zone is a named region, which no open driver supports.
    Region,
    /// Not a time, or not a zone.
    Invalid,
}

/// DATE: century + 100, year in century + 100, month, day, hour + 1, minute + 1, second + 1.
#[inline]
pub(crate) fn decode_date(bytes: [u8; 7]) -> Option<CivilTime> {
    let [century, year, month, day, hour, minute, second] = bytes;
    let century = i16::from(century).wrapping_sub(100);
    let year = i16::from(year).wrapping_sub(100);
    let time = CivilTime {
        year: century.wrapping_mul(100).wrapping_add(year),
        month,
        day,
        hour: hour.checked_sub(1)?,
        minute: minute.checked_sub(1)?,
        second: second.checked_sub(1)?,
        nanosecond: 0,
    };
    // Century and year carry the same sign and the year has two digits, so that each date has one form.
    let one_form = (-99..=99).contains(&year) && century.signum().wrapping_mul(year.signum()) >= 0;
    if one_form { time.checked() } else { None }
}

/// The bytes that [`decode_date`] reads; nanoseconds are left out.
#[inline]
pub(crate) fn encode_date(time: CivilTime) -> Option<[u8; 7]> {
    let time = time.checked()?;
    let century = time.year.checked_div(100)?.checked_add(100)?;
    let year = time.year.checked_rem(100)?.checked_add(100)?;
    Some([
        u8::try_from(century).ok()?,
        u8::try_from(year).ok()?,
        time.month,
        time.day,
        time.hour.wrapping_add(1),
        time.minute.wrapping_add(1),
        time.second.wrapping_add(1),
    ])
}

/// TIMESTAMP: DATE and nanoseconds UB4.
#[inline]
pub(crate) fn decode_timestamp(bytes: [u8; 11]) -> Option<CivilTime> {
    let ([century, year, month, day, hour, minute, second], nanosecond) = split_timestamp(bytes);
    let date = decode_date([century, year, month, day, hour, minute, second])?;
    CivilTime { nanosecond, ..date }.checked()
}

const fn split_timestamp(bytes: [u8; 11]) -> ([u8; 7], u32) {
    let [b0, b1, b2, b3, b4, b5, b6, n0, n1, n2, n3] = bytes;
    ([b0, b1, b2, b3, b4, b5, b6], u32::from_be_bytes([n0, n1, n2, n3]))
}

/// The bytes that [`decode_timestamp`] reads. With no nanoseconds a TIMESTAMP may be the 7 bytes of a DATE instead.
#[inline]
pub(crate) fn encode_timestamp(time: CivilTime) -> Option<[u8; 11]> {
    let [b0, b1, b2, b3, b4, b5, b6] = encode_date(time)?;
    let [n0, n1, n2, n3] = time.nanosecond.to_be_bytes();
    Some([b0, b1, b2, b3, b4, b5, b6, n0, n1, n2, n3])
}

/// TIMESTAMP WITH TIME ZONE: TIMESTAMP in UTC, hour offset + 20, minute offset + 60.
///
/// Hours and minutes of the offset each have their own sign and are added up: -00:30 is `20, 30`.
#[inline]
pub(crate) fn decode_timestamp_tz(bytes: [u8; 13]) -> Result<ZonedTime, ZoneFault> {
    let [b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, hours, minutes] = bytes;
    let utc = decode_timestamp([b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10]).ok_or(ZoneFault::Invalid)?;
    if hours & REGION_BIT != 0 {
        return Err(ZoneFault::Region);
    }
    let hours = i16::from(hours).wrapping_sub(20);
    let minutes = i16::from(minutes).wrapping_sub(60);
    if hours.abs() > 15 || minutes.abs() > 59 {
        return Err(ZoneFault::Invalid);
    }
    Ok(ZonedTime { utc, offset_minutes: hours.wrapping_mul(60).wrapping_add(minutes) })
}

/// The bytes that [`decode_timestamp_tz`] reads; `None` also for offsets beyond 15:59.
#[inline]
pub(crate) fn encode_timestamp_tz(time: ZonedTime) -> Option<[u8; 13]> {
    let [b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10] = encode_timestamp(time.utc)?;
    let hours = time.offset_minutes.checked_div(60)?;
    let minutes = time.offset_minutes.checked_rem(60)?;
    if hours.abs() > 15 {
        return None;
    }
    let hours = u8::try_from(hours.wrapping_add(20)).ok()?;
    let minutes = u8::try_from(minutes.wrapping_add(60)).ok()?;
    Some([b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, hours, minutes])
}

/// INTERVAL YEAR TO MONTH: years + 0x80000000, months + 60.
#[inline]
pub(crate) fn decode_interval_ym(bytes: [u8; 5]) -> Option<IntervalYearMonth> {
    let [y0, y1, y2, y3, months] = bytes;
    let years = unbias(u32::from_be_bytes([y0, y1, y2, y3]));
    let months = part(months, 11)?;
    Some(IntervalYearMonth { years, months })
}

/// The bytes that [`decode_interval_ym`] reads; `None` when the months reach a year.
#[inline]
pub(crate) fn encode_interval_ym(interval: IntervalYearMonth) -> Option<[u8; 5]> {
    let [y0, y1, y2, y3] = bias(interval.years).to_be_bytes();
    Some([y0, y1, y2, y3, part_byte(interval.months, 11)?])
}

/// INTERVAL DAY TO SECOND: days + 0x80000000, hours + 60, minutes + 60, seconds + 60, nanoseconds + 0x80000000.
#[inline]
pub(crate) fn decode_interval_ds(bytes: [u8; 11]) -> Option<IntervalDaySecond> {
    let [d0, d1, d2, d3, hours, minutes, seconds, n0, n1, n2, n3] = bytes;
    let nanoseconds = unbias(u32::from_be_bytes([n0, n1, n2, n3]));
    if nanoseconds.unsigned_abs() > 999_999_999 {
        return None;
    }
    Some(IntervalDaySecond {
        days: unbias(u32::from_be_bytes([d0, d1, d2, d3])),
        hours: part(hours, 23)?,
        minutes: part(minutes, 59)?,
        seconds: part(seconds, 59)?,
        nanoseconds,
    })
}

/// The bytes that [`decode_interval_ds`] reads; `None` when a part reaches the next larger one.
#[inline]
pub(crate) fn encode_interval_ds(interval: IntervalDaySecond) -> Option<[u8; 11]> {
    if interval.nanoseconds.unsigned_abs() > 999_999_999 {
        return None;
    }
    let [d0, d1, d2, d3] = bias(interval.days).to_be_bytes();
    let [n0, n1, n2, n3] = bias(interval.nanoseconds).to_be_bytes();
    let hours = part_byte(interval.hours, 23)?;
    let minutes = part_byte(interval.minutes, 59)?;
    let seconds = part_byte(interval.seconds, 59)?;
    Some([d0, d1, d2, d3, hours, minutes, seconds, n0, n1, n2, n3])
}

/// Adding the bias to a signed number, modulo 2^32, flips its sign bit, and taking it away does so again.
const fn bias(value: i32) -> u32 {
    value.cast_unsigned() ^ INTERVAL_BIAS
}

const fn unbias(value: u32) -> i32 {
    (value ^ INTERVAL_BIAS).cast_signed()
}

/// A part stored above 60, if it is at most `max` either way.
fn part(byte: u8, max: u8) -> Option<i8> {
    let value = i8::try_from(i16::from(byte).wrapping_sub(60)).ok()?;
    (value.unsigned_abs() <= max).then_some(value)
}

fn part_byte(value: i8, max: u8) -> Option<u8> {
    if value.unsigned_abs() <= max { 60_u8.checked_add_signed(value) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn civil(year: i16, month: u8, day: u8, hour: u8, minute: u8, second: u8, nanosecond: u32) -> CivilTime {
        CivilTime { year, month, day, hour, minute, second, nanosecond }
    }

    #[test]
    fn a_servers_bytes() {
        let date = [0x78, 0x7C, 1, 2, 1, 1, 1];
        assert_eq!(decode_date(date), Some(civil(2024, 1, 2, 0, 0, 0, 0)));
        assert_eq!(encode_date(civil(2024, 1, 2, 0, 0, 0, 0)), Some(date));
        let timestamp = [0x78, 0x7C, 1, 2, 4, 5, 6, 0x07, 0x5B, 0xCA, 0x00];
        assert_eq!(decode_timestamp(timestamp), Some(civil(2024, 1, 2, 3, 4, 5, 123_456_000)));
        assert_eq!(encode_timestamp(civil(2024, 1, 2, 3, 4, 5, 123_456_000)), Some(timestamp));
        let interval = [0x80, 0, 0, 0x0A, 0x41, 0x5A, 0x3E, 0x87, 0x54, 0xD4, 0xC0];
        let parts = IntervalDaySecond { days: 10, hours: 5, minutes: 30, seconds: 2, nanoseconds: 123_000_000 };
        assert_eq!(decode_interval_ds(interval), Some(parts));
        assert_eq!(encode_interval_ds(parts), Some(interval));
    }

    #[test]
    fn years_on_both_sides_of_zero() {
        for year in [-4712, -4700, -101, -100, -99, -1, 1, 99, 100, 1900, 1999, 2000, 9999] {
            let date = civil(year, 2, 28, 23, 59, 59, 0);
            let bytes = encode_date(date).unwrap();
            assert_eq!(decode_date(bytes), Some(date), "{year}: {bytes:?}");
        }
    }

    #[test]
    fn what_is_no_date() {
        let good = [0x78, 0x7C, 2, 29, 1, 1, 1];
        assert!(decode_date(good).is_some());
        for (place, byte) in [(2, 0), (2, 13), (3, 0), (3, 30), (4, 0), (4, 25), (5, 0), (5, 61), (6, 0), (6, 61)] {
            let mut bad = good;
            bad[place] = byte;
            assert_eq!(decode_date(bad), None, "{bad:?}");
        }
        assert_eq!(decode_date([0x78, 0x5A, 1, 1, 1, 1, 1]), None, "century 20, year -10");
        assert_eq!(decode_date([0x78, 200, 1, 1, 1, 1, 1]), None, "a year of three digits");
        assert_eq!(encode_date(civil(10_000, 1, 1, 0, 0, 0, 0)), None);
        assert_eq!(decode_timestamp([0x78, 0x7C, 1, 2, 4, 5, 6, 0x3B, 0x9A, 0xCA, 0x00]), None, "10^9 ns");
    }

    #[test]
    fn zones_of_less_than_an_hour_keep_their_sign() {
        for offset_minutes in [0, 30, -30, 1, -1, 345, -570, 840, -720, 959, -959] {
            let time = ZonedTime { utc: civil(2024, 1, 2, 3, 4, 5, 6), offset_minutes };
            assert_eq!(decode_timestamp_tz(encode_timestamp_tz(time).unwrap()), Ok(time));
        }
        let time = ZonedTime { utc: civil(2024, 1, 2, 3, 4, 5, 6), offset_minutes: -30 };
        let bytes = encode_timestamp_tz(time).unwrap();
        assert_eq!(bytes[11..], [20, 30]);
        assert_eq!(encode_timestamp_tz(ZonedTime { offset_minutes: 960, ..time }), None);
    }

    #[test]
    fn a_named_region_is_told_from_a_bad_zone() {
        let bytes = |hours, minutes| [0x78, 0x7C, 1, 2, 4, 5, 6, 0, 0, 0, 0, hours, minutes];
        assert_eq!(decode_timestamp_tz(bytes(0x80 | 5, 60)), Err(ZoneFault::Region));
        assert_eq!(decode_timestamp_tz(bytes(4, 60)), Err(ZoneFault::Invalid));
        assert_eq!(decode_timestamp_tz(bytes(20, 0)), Err(ZoneFault::Invalid));
        assert_eq!(decode_timestamp_tz(bytes(20, 120)), Err(ZoneFault::Invalid));
    }

    #[test]
    fn interval_parts_have_their_own_signs() {
        let minus_5s = [0x80, 0, 0, 0, 60, 60, 0x37, 0x80, 0, 0, 0];
        let parts = IntervalDaySecond { days: 0, hours: 0, minutes: 0, seconds: -5, nanoseconds: 0 };
        assert_eq!(decode_interval_ds(minus_5s), Some(parts));
        assert_eq!(encode_interval_ds(parts), Some(minus_5s));
        for (years, months) in [(0, 0), (1, 11), (-1, -11), (i32::MAX, 0), (i32::MIN, 0)] {
            let interval = IntervalYearMonth { years, months };
            assert_eq!(decode_interval_ym(encode_interval_ym(interval).unwrap()), Some(interval));
        }
        assert_eq!(decode_interval_ym([0x80, 0, 0, 1, 72]), None, "12 months");
        assert_eq!(decode_interval_ds([0x80, 0, 0, 0, 84, 60, 60, 0x80, 0, 0, 0]), None, "24 hours");
        assert_eq!(decode_interval_ds([0x80, 0, 0, 0, 60, 60, 60, 0xFF, 0, 0, 0]), None, "2 * 10^9 ns");
    }
}
