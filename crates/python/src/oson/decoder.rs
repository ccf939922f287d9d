//! OSON as Python objects: the same values as python-oracledb's.

use boson_document::{CivilTime, Decimal, IntervalDaySecond, Limits, Number, Scalar, Source, ZonedTime};
use boson_oson::Document;
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDelta, PyFloat, PyString, PyTzInfo};

use super::numbers::Numbers;
use super::vectors;
use crate::builder::{Builder, Leaves};
use crate::dates::datetime;
use crate::fault::{Family, Fault};
use crate::types::Types;

/// How deep documents may be, as Oracle Database has it.
pub(super) const DEPTH_MAX: u32 = 1024;

/// How values are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Wanted {
    /// Numbers as int and float, not as `decimal.Decimal`.
    pub(crate) native_numbers: bool,
    /// Times with a zone as aware datetimes, not as the clock of that zone shows them.
    pub(crate) tz_aware: bool,
}

impl Wanted {
    /// What the arguments of the functions say.
    pub(crate) fn of(numbers: &str, tz_aware: bool) -> PyResult<Self> {
        let native_numbers = match numbers {
            "decimal" => false,
            "native" => true,
            other => return Err(PyValueError::new_err(format!("numbers={other:?}: expected 'decimal' or 'native'"))),
        };
        Ok(Self { native_numbers, tz_aware })
    }
}

/// The object for the document of `bytes`.
pub(crate) fn decode<'py>(py: Python<'py>, bytes: &[u8], wanted: Wanted) -> PyResult<Bound<'py, PyAny>> {
    let raise =
        |fault: Fault| fault.into_error(py, Family::Other, |error| error.at(boson_oson::path_at(bytes, error.offset)));
    let document = Document::new(bytes).map_err(|error| raise(error.into()))?;
    let mut builder = Builder::new(py, OsonLeaves::new(py, wanted)?);
    let limits = Limits::OSON.with_depth(DEPTH_MAX).with_bytes(usize::MAX);
    let driven = document.limited(limits).drive(&mut builder);
    let object = builder.take();
    builder.finish().finish();
    driven.map_err(raise)?;
    object.ok_or_else(|| PyValueError::new_err("the document was not delivered"))
}

/// What OSON's leaves become.
pub(super) struct OsonLeaves<'py> {
    pub(super) py: Python<'py>,
    types: &'py Types,
    wanted: Wanted,
    numbers: Numbers,
}

impl<'py> OsonLeaves<'py> {
    pub(super) fn new(py: Python<'py>, wanted: Wanted) -> PyResult<Self> {
        Ok(Self { py, types: Types::get(py)?, wanted, numbers: Numbers::borrow() })
    }

    /// Ends the use of what others may go on with.
    pub(super) fn finish(self) {
        self.numbers.give_back();
    }

    #[inline]
    fn number(&mut self, number: Number<'_>) -> PyResult<Bound<'py, PyAny>> {
        if self.wanted.native_numbers {
            return native_number(self.py, number);
        }
        self.numbers.decimal(self.py, &self.types.decimal, number)
    }

    fn int(&self, value: i64) -> PyResult<Bound<'py, PyAny>> {
        let int = value.into_bound_py_any(self.py)?;
        if self.wanted.native_numbers { Ok(int) } else { self.types.decimal.bind(self.py).call1((int,)) }
    }

    fn text_number(&self, text: &str) -> PyResult<Bound<'py, PyAny>> {
        if !self.wanted.native_numbers {
            return self.types.decimal.bind(self.py).call1((text,));
        }
        let whole = Decimal::parse(text).ok().and_then(|number| number.to_i64());
        match whole {
            Some(whole) => whole.into_bound_py_any(self.py),
            None if text.bytes().all(|byte| byte == b'-' || byte.is_ascii_digit()) => big_int(self.py, text),
            None => Ok(PyFloat::new(self.py, text.parse().unwrap_or(f64::NAN)).into_any()),
        }
    }

    #[inline(never)]
    fn rare(&self, scalar: Scalar<'_>) -> Result<Bound<'py, PyAny>, Fault> {
        let (py, types) = (self.py, self.types);
        Ok(match scalar {
            Scalar::Int64(value) => self.int(value)?,
            Scalar::Float(value) => PyFloat::new(py, f64::from(value)).into_any(),
            Scalar::Decimal128(number) => self.text_number(number.to_text().as_str())?,
            Scalar::DecimalText(text) => self.text_number(text)?,
            Scalar::Binary { bytes, .. } => PyBytes::new(py, bytes).into_any(),
            Scalar::ObjectId(id) => types.json_id.bind(py).call1((PyBytes::new(py, &id.0),))?,
            Scalar::Id(bytes) => types.json_id.bind(py).call1((PyBytes::new(py, bytes),))?,
            Scalar::OracleDate(time) | Scalar::OracleTimestamp(time) => self.time(time)?,
            Scalar::OracleTimestampTz(time) => self.zoned(time)?,
            Scalar::IntervalDaySecond(interval) => timedelta(py, interval)?,
            Scalar::IntervalYearMonth(interval) => {
                types.interval_ym.bind(py).call1((interval.years, interval.months))?
            }
            Scalar::OracleVector(image) => vectors::object(py, types, image)?,
            other => return Err(PyValueError::new_err(format!("OSON has no {}", other.kind())).into()),
        })
    }

    fn time(&self, time: CivilTime) -> PyResult<Bound<'py, PyAny>> {
        let moment = datetime(self.py, time, None)?;
        moment.map(Bound::into_any).ok_or_else(|| PyValueError::new_err("datetime has no years before 1"))
    }

    /// As the driver gives it: what the clock of that zone shows.
    fn zoned(&self, time: ZonedTime) -> PyResult<Bound<'py, PyAny>> {
        let ms = i64::from(time.offset_minutes).saturating_mul(60_000).saturating_add(time.utc.to_unix_ms());
        let local =
            CivilTime::from_unix_ms(ms).ok_or_else(|| PyValueError::new_err("datetime has the years 1 to 9999"))?;
        let local = CivilTime { nanosecond: time.utc.nanosecond, ..local };
        if !self.wanted.tz_aware {
            return self.time(local);
        }
        let offset = PyDelta::new(self.py, 0, i32::from(time.offset_minutes).saturating_mul(60), 0, true)?;
        let zone = PyTzInfo::fixed_offset(self.py, offset)?;
        let moment = datetime(self.py, local, Some(&zone))?;
        moment.map(Bound::into_any).ok_or_else(|| PyValueError::new_err("datetime has no years before 1"))
    }
}

fn native_number<'py>(py: Python<'py>, number: Number<'_>) -> PyResult<Bound<'py, PyAny>> {
    if let Some(whole) = number.to_i64() {
        return whole.into_bound_py_any(py);
    }
    let decimal = number.to_decimal();
    if decimal.exponent() < 0 {
        return Ok(PyFloat::new(py, number.to_f64()).into_any());
    }
    big_int(py, &super::numbers::plain(&decimal))
}

/// An int of more than 64 bits.
fn big_int<'py>(py: Python<'py>, digits: &str) -> PyResult<Bound<'py, PyAny>> {
    py.get_type::<pyo3::types::PyInt>().call1((digits,))
}

fn timedelta(py: Python<'_>, interval: IntervalDaySecond) -> PyResult<Bound<'_, PyAny>> {
    let hours = i32::from(interval.hours);
    let minutes = hours.saturating_mul(60).saturating_add(i32::from(interval.minutes));
    let seconds = minutes.saturating_mul(60).saturating_add(i32::from(interval.seconds));
    // Of a negative interval the driver cuts off towards zero, too.
    let microseconds = interval.nanoseconds / 1000;
    Ok(PyDelta::new(py, interval.days, seconds, microseconds, true)?.into_any())
}

impl<'py> Leaves<'py> for OsonLeaves<'py> {
    #[inline]
    fn leaf(&mut self, scalar: Scalar<'_>) -> Result<Bound<'py, PyAny>, Fault> {
        let py = self.py;
        Ok(match scalar {
            Scalar::String(text) => PyString::new(py, text).into_any(),
            Scalar::Number(number) => self.number(number)?,
            Scalar::Null => py.None().into_bound(py),
            Scalar::Bool(value) => PyBool::new(py, value).to_owned().into_any(),
            Scalar::Double(value) => PyFloat::new(py, value).into_any(),
            Scalar::Int32(value) => self.int(i64::from(value))?,
            other => return self.rare(other),
        })
    }
}
