//! Python's datetimes and the times of the formats.

use boson_document::CivilTime;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDateAccess, PyDateTime, PyDelta, PyDeltaAccess, PyTimeAccess, PyTzInfo, PyTzInfoAccess};

use crate::types::Types;

const NS_PER_US: u32 = 1000;
const US_PER_MS: i64 = 1000;
const US_PER_SECOND: i64 = 1_000_000;
const SECONDS_PER_DAY: i64 = 86_400;

/// The fields of `moment`, whatever its zone.
pub(crate) fn civil_time(moment: &Bound<'_, PyDateTime>) -> CivilTime {
    CivilTime {
        hour: moment.get_hour(),
        minute: moment.get_minute(),
        second: moment.get_second(),
        nanosecond: moment.get_microsecond().saturating_mul(NS_PER_US),
        ..civil_date(moment)
    }
}

/// The day of a date or a datetime.
pub(crate) fn civil_date(date: &impl PyDateAccess) -> CivilTime {
    CivilTime {
        // Python's years are 1 to 9999.
        year: i16::try_from(date.get_year()).unwrap_or_default(),
        month: date.get_month(),
        day: date.get_day(),
        hour: 0,
        minute: 0,
        second: 0,
        nanosecond: 0,
    }
}

/// How far the zone of `moment` is from UTC, in microseconds; `None` when it has none.
pub(crate) fn offset_us(moment: &Bound<'_, PyDateTime>, types: &Types) -> PyResult<Option<i64>> {
    let py = moment.py();
    let Some(zone) = moment.get_tzinfo() else { return Ok(None) };
    if zone.is(types.utc.bind(py)) {
        return Ok(Some(0));
    }
    let offset = moment.call_method0(intern!(py, "utcoffset"))?;
    if offset.is_none() {
        return Ok(None);
    }
    Ok(Some(microseconds(offset.cast::<PyDelta>()?)))
}

/// A timedelta in microseconds; Python's range of a billion days fits.
pub(crate) fn microseconds(delta: &Bound<'_, PyDelta>) -> i64 {
    let seconds = i64::from(delta.get_days()).saturating_mul(SECONDS_PER_DAY);
    let seconds = seconds.saturating_add(i64::from(delta.get_seconds()));
    seconds.saturating_mul(US_PER_SECOND).saturating_add(i64::from(delta.get_microseconds()))
}

/// Milliseconds since 1970: without a zone it is taken for UTC, and what is below a millisecond is cut off, as pymongo
/// does both.
pub(crate) fn unix_ms(moment: &Bound<'_, PyDateTime>, types: &Types) -> PyResult<i64> {
    let ms = civil_time(moment).to_unix_ms();
    let Some(offset) = offset_us(moment, types)?.filter(|&offset| offset != 0) else { return Ok(ms) };
    let below = i64::from(moment.get_microsecond()).rem_euclid(US_PER_MS);
    let us = ms.saturating_mul(US_PER_MS).saturating_add(below).saturating_sub(offset);
    Ok(us.div_euclid(US_PER_MS))
}

/// A datetime; `None` for years that Python does not have. What is below a microsecond is cut off.
pub(crate) fn datetime<'py>(
    py: Python<'py>,
    time: CivilTime,
    zone: Option<&Bound<'py, PyTzInfo>>,
) -> PyResult<Option<Bound<'py, PyDateTime>>> {
    if time.year < 1 {
        return Ok(None);
    }
    let microsecond = time.nanosecond / NS_PER_US;
    PyDateTime::new(
        py,
        i32::from(time.year),
        time.month,
        time.day,
        time.hour,
        time.minute,
        time.second,
        microsecond,
        zone,
    )
    .map(Some)
}
