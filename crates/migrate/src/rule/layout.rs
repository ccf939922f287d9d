//! How dates are written, as a pattern that people read: `YYYY-MM-DDThh:mm:ss.fffZ`.

use std::fmt::Write;

use boson_document::CivilTime;
use boson_profile::{IsoLayout, NumericDate, Order, Zone};

/// The pattern of `layout`. Where it shows an offset the pattern has `+hh:mm`, and the plan says which.
pub(crate) fn iso_pattern(layout: IsoLayout) -> String {
    let (date, time) = if layout.basic { ("YYYYMMDD", "hhmm") } else { ("YYYY-MM-DD", "hh:mm") };
    let seconds = match (layout.seconds, layout.basic) {
        (false, _) => "",
        (true, false) => ":ss",
        (true, true) => "ss",
    };
    let fraction = match layout.fraction {
        0 => String::new(),
        digits => format!("{}{}", char::from(layout.point), "f".repeat(usize::from(digits))),
    };
    format!("{date}{}{time}{seconds}{fraction}{}", char::from(layout.separator), zone_pattern(layout.zone))
}

const ZONES: [(Zone, &str); 9] = [
    (Zone::Z, "Z"),
    (Zone::LowerZ, "z"),
    (Zone::Zero, "+00:00"),
    (Zone::ZeroCompact, "+0000"),
    (Zone::ZeroHours, "+00"),
    (Zone::Offset, "+hh:mm"),
    (Zone::OffsetCompact, "+hhmm"),
    (Zone::OffsetHours, "+hh"),
    (Zone::None, ""),
];

fn zone_pattern(zone: Zone) -> &'static str {
    ZONES.iter().find(|(known, _)| *known == zone).map_or("", |(_, pattern)| pattern)
}

/// The layout that `pattern` shows.
pub(crate) fn parse_iso(pattern: &str) -> Option<IsoLayout> {
    let (basic, rest) = match pattern.strip_prefix("YYYY-MM-DD") {
        Some(rest) => (false, rest),
        None => (true, pattern.strip_prefix("YYYYMMDD")?),
    };
    let (&separator, _) = rest.as_bytes().split_first()?;
    let rest = rest.get(1..).filter(|_| matches!(separator, b'T' | b't' | b' '))?;
    let rest = rest.strip_prefix(if basic { "hhmm" } else { "hh:mm" })?;
    let (seconds, rest) = match rest.strip_prefix(if basic { "ss" } else { ":ss" }) {
        Some(rest) => (true, rest),
        None => (false, rest),
    };
    let (point, rest) = match rest.as_bytes().first() {
        Some(point @ (b'.' | b',')) if seconds => (*point, rest.get(1..)?),
        _ => (0, rest),
    };
    let zone_text = rest.trim_start_matches('f');
    let fraction = u8::try_from(rest.len() - zone_text.len()).ok()?;
    let fits = (point == 0) == (fraction == 0);
    let zone = ZONES.iter().find(|(_, pattern)| *pattern == zone_text).map(|(zone, _)| *zone).filter(|_| fits)?;
    Some(IsoLayout { zone, fraction, loses_digits: false, seconds, basic, separator, point })
}

/// The moment `ms` as `layout` writes it, `offset_minutes` east of UTC; `None` outside of the years 1 to 9999.
pub(crate) fn write_iso(layout: IsoLayout, offset_minutes: i16, ms: i64) -> Option<String> {
    let local = ms.checked_add(i64::from(offset_minutes).checked_mul(60_000)?)?;
    let time = CivilTime::from_unix_ms(local).filter(|time| time.year > 0)?;
    let CivilTime { year, month, day, hour, minute, second, nanosecond } = time;
    let (dash, colon) = if layout.basic { ("", "") } else { ("-", ":") };
    let separator = char::from(layout.separator);
    let mut text = format!("{year:04}{dash}{month:02}{dash}{day:02}{separator}{hour:02}{colon}{minute:02}");
    if layout.seconds {
        let _ = write!(text, "{colon}{second:02}");
    }
    if layout.fraction > 0 {
        let digits = format!("{nanosecond:09}000");
        text.push(char::from(layout.point));
        text.push_str(digits.get(..usize::from(layout.fraction))?);
    }
    text += &zone_text(layout.zone, offset_minutes);
    Some(text)
}

fn zone_text(zone: Zone, offset_minutes: i16) -> String {
    let sign = if offset_minutes < 0 { '-' } else { '+' };
    let (hours, minutes) = (offset_minutes.unsigned_abs() / 60, offset_minutes.unsigned_abs() % 60);
    match zone {
        Zone::Offset => format!("{sign}{hours:02}:{minutes:02}"),
        Zone::OffsetCompact => format!("{sign}{hours:02}{minutes:02}"),
        Zone::OffsetHours => format!("{sign}{hours:02}"),
        zone => zone_pattern(zone).to_owned(),
    }
}

/// The pattern of a date of three numbers.
pub(crate) fn numeric_pattern(date: NumericDate) -> String {
    let (day, month) = if date.padded { ("DD", "MM") } else { ("D", "M") };
    let separator = char::from(date.separator);
    let parts = match date.order {
        Order::YearFirst => ["YYYY", month, day],
        Order::MonthFirst => [month, day, "YYYY"],
        Order::DayFirst | Order::Either => [day, month, "YYYY"],
    };
    let time = if date.time { " hh:mm" } else { "" };
    format!("{}{separator}{}{separator}{}{time}", parts[0], parts[1], parts[2])
}

/// The date of three numbers that `pattern` shows.
pub(crate) fn parse_numeric(pattern: &str) -> Option<NumericDate> {
    let (date, time) = match pattern.split_once(' ') {
        Some((date, "hh:mm")) => (date, true),
        Some(_) => return None,
        None => (pattern, false),
    };
    let separator = *date.as_bytes().iter().find(|byte| !byte.is_ascii_alphabetic())?;
    let parts: Vec<&str> = date.split(char::from(separator)).collect();
    let (order, padded) = match *parts {
        ["YYYY", "MM", "DD"] => (Order::YearFirst, true),
        ["YYYY", "M", "D"] => (Order::YearFirst, false),
        ["DD", "MM", "YYYY"] => (Order::DayFirst, true),
        ["D", "M", "YYYY"] => (Order::DayFirst, false),
        ["MM", "DD", "YYYY"] => (Order::MonthFirst, true),
        ["M", "D", "YYYY"] => (Order::MonthFirst, false),
        _ => return None,
    };
    let known = matches!(separator, b'/' | b'-' | b'.');
    known.then_some(NumericDate { separator, order, short_year: false, padded, time })
}

/// `+05:45` as minutes east of UTC.
pub(crate) fn parse_offset(text: &str) -> Option<i16> {
    text.starts_with(['+', '-']).then(|| boson_profile::offset_minutes(text)).flatten()
}

/// Minutes east of UTC as `+05:45`.
pub(crate) fn write_offset(minutes: i16) -> String {
    zone_text(Zone::Offset, minutes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_say_what_layouts_do() {
        for pattern in [
            "YYYY-MM-DDThh:mm:ss.fffZ",
            "YYYY-MM-DD hh:mm",
            "YYYYMMDDThhmmssZ",
            "YYYY-MM-DDThh:mm:ss,ffffff+hh:mm",
            "YYYY-MM-DDThh:mm:ss+00:00",
            "YYYY-MM-DDThh:mm:ss",
        ] {
            assert_eq!(iso_pattern(parse_iso(pattern).unwrap()), pattern);
        }
        for pattern in ["YYYY-MM-DD", "YYYY-MM-DDThh:mm:ss.Z", "YYYY-MM-DDThh:mm:ssfffZ", "hh:mm", ""] {
            assert_eq!(parse_iso(pattern), None, "{pattern}");
        }
        for pattern in ["DD/MM/YYYY", "M-D-YYYY", "YYYY.MM.DD", "D.M.YYYY hh:mm"] {
            assert_eq!(numeric_pattern(parse_numeric(pattern).unwrap()), pattern);
        }
    }

    /// The texts are what `date -u -d @1705314600 …` and its zones print.
    #[test]
    fn moments_are_written_by_their_layout() {
        let written =
            |pattern: &str, offset| write_iso(parse_iso(pattern).unwrap(), offset, 1_705_314_600_007).unwrap();
        assert_eq!(written("YYYY-MM-DDThh:mm:ss.fffZ", 0), "2024-01-15T10:30:00.007Z");
        assert_eq!(written("YYYYMMDDThhmmss.ffffff+hhmm", 345), "20240115T161500.007000+0545");
        assert_eq!(written("YYYY-MM-DD hh:mm:ss", -60), "2024-01-15 09:30:00");
        assert_eq!(write_iso(parse_iso("YYYY-MM-DDThh:mm").unwrap(), 0, i64::MAX), None);
    }
}
