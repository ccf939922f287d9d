//! Python objects as OSON: in style `driver` the same bytes as python-oracledb's.

use boson_document::{
    Container, Decimal128, IntervalDaySecond, IntervalYearMonth, ObjectId, Scalar, Sink, Span, ZonedTime,
};
use boson_oson::write::{EncodeError, EncodeErrorKind, Style, Writer};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{
    PyBool, PyBytes, PyDate, PyDateTime, PyDelta, PyDeltaAccess, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple,
};

use super::raw::RawDocument;
use super::vectors;
use crate::dates::{civil_date, civil_time, offset_us};
use crate::fault::{self, Family, Fault};
use crate::types::{Class, Types};
use crate::walk::{End, Members, Target, is_mapping, walk};

const NOWHERE: Span = Span::new(0, 0);
const CONTAINER: Container = Container { span: NOWHERE, len: None };
const US_PER_MINUTE: i64 = 60_000_000;

/// Writes Python objects into a [`Writer`].
pub(crate) struct Encoder<'a> {
    writer: &'a mut Writer,
    style: Style,
    types: &'a Types,
    /// Room for what has to be put together first.
    scratch: Vec<u8>,
}

impl<'a> Encoder<'a> {
    pub(crate) fn new(writer: &'a mut Writer, style: Style, types: &'a Types) -> Self {
        Self { writer, style, types, scratch: Vec::new() }
    }

    /// Appends the image of `value` to `out`. After an error the writer has to be cleared.
    pub(crate) fn encode(&mut self, value: &Bound<'_, PyAny>, out: &mut Vec<u8>) -> PyResult<()> {
        let py = value.py();
        let finished = match self.value(value) {
            Ok(Some(members)) => walk(self, members),
            Ok(None) => Ok(()),
            Err(fault) => Err(fault),
        };
        let finished = finished.and_then(|()| self.writer.finish(out).map_err(|error| written(py, &error)));
        finished.map_err(|fault| fault.into_error(py, Family::Other, |error| error.at(self.writer.path_of_next())))
    }

    #[inline]
    fn scalar(&mut self, py: Python<'_>, scalar: Scalar<'_>) -> Result<(), Fault> {
        self.writer.scalar(scalar, NOWHERE).map_err(|error| written(py, &error))
    }

    #[inline]
    fn begin(&mut self, py: Python<'_>, end: End) -> Result<(), Fault> {
        let begun = match end {
            End::Array => self.writer.begin_array(CONTAINER),
            End::Object | End::Scope => self.writer.begin_object(CONTAINER),
        };
        begun.map(|_| ()).map_err(|error| written(py, &error))
    }

    #[inline]
    fn begun<'py>(&mut self, py: Python<'py>, members: Members<'py>) -> Result<Option<Members<'py>>, Fault> {
        self.begin(py, members.end())?;
        Ok(Some(members))
    }

    #[inline]
    fn string(&mut self, text: &Bound<'_, PyString>) -> Result<(), Fault> {
        match text.to_str() {
            Ok(utf8) => self.scalar(text.py(), Scalar::String(utf8)),
            Err(error) => Err(self.noted(text.py(), error)),
        }
    }

    #[inline]
    fn int(&mut self, value: &Bound<'_, PyAny>) -> Result<(), Fault> {
        match value.extract::<i64>() {
            Ok(number) => {
                let scalar = i32::try_from(number).map_or(Scalar::Int64(number), Scalar::Int32);
                self.scalar(value.py(), scalar)
            }
            Err(_) => self.digits(&value.call_method0(intern!(value.py(), "__index__"))?),
        }
    }

    /// A number by its text.
    fn digits(&mut self, value: &Bound<'_, PyAny>) -> Result<(), Fault> {
        let text = value.str()?;
        self.scalar(value.py(), Scalar::DecimalText(text.to_str()?))
    }

    #[cold]
    fn unsupported(&self, value: &Bound<'_, PyAny>, wanted: &str) -> Fault {
        fault::unsupported(value, Family::Other, wanted, &self.writer.path_of_next()).into()
    }

    #[cold]
    fn noted(&self, py: Python<'_>, error: PyErr) -> Fault {
        fault::note(py, &error, &self.writer.path_of_next());
        error.into()
    }

    fn datetime(&mut self, moment: &Bound<'_, PyDateTime>) -> Result<(), Fault> {
        let (py, time) = (moment.py(), civil_time(moment));
        // The driver writes what the clock of that zone shows.
        if self.style == Style::Driver {
            return self.scalar(py, Scalar::OracleTimestamp(time));
        }
        let Some(offset) = offset_us(moment, self.types)? else {
            return self.scalar(py, Scalar::OracleTimestamp(time));
        };
        if let Some(time) = zoned(time, offset) {
            return self.scalar(py, Scalar::OracleTimestampTz(time));
        }
        let message = "OSON has zones of whole minutes from UTC, and dates of the years 1 to 9999";
        let path = self.writer.path_of_next();
        Err(fault::encode_error(py, fault::Class::OutOfRange, Family::Other, message, &path).into())
    }

    fn timedelta(&mut self, delta: &Bound<'_, PyDelta>) -> Result<(), Fault> {
        let seconds = delta.get_seconds();
        let part = |value: i32| i8::try_from(value).unwrap_or_default();
        let interval = IntervalDaySecond {
            days: delta.get_days(),
            hours: part(seconds / 3600),
            minutes: part(seconds / 60 % 60),
            seconds: part(seconds % 60),
            nanoseconds: delta.get_microseconds().saturating_mul(1000),
        };
        self.scalar(delta.py(), Scalar::IntervalDaySecond(interval))
    }

    /// Types that are not met in every document.
    #[inline(never)]
    fn rare<'py>(&mut self, value: &Bound<'py, PyAny>) -> Result<Option<Members<'py>>, Fault> {
        let class = match self.types.exact(value) {
            Some(class) => Some(class),
            None => crate::walk::marker(value)?.and_then(Class::of_marker),
        };
        match class {
            Some(class) if self.class(value, class)? => Ok(None),
            _ => self.by_base(value),
        }
    }

    /// Writes a value of a known class; false when OSON has nothing for that class as such.
    fn class(&mut self, value: &Bound<'_, PyAny>, class: Class) -> Result<bool, Fault> {
        let py = value.py();
        match class {
            Class::Decimal => self.digits(value)?,
            Class::JsonId => self.id(value)?,
            Class::Int64 => self.scalar(py, Scalar::Int64(value.extract()?))?,
            Class::ObjectId => {
                let id = value.getattr(intern!(py, "binary"))?;
                self.id(&id)?;
            }
            Class::Decimal128 => {
                let bid = value.getattr(intern!(py, "bid"))?.extract()?;
                self.scalar(py, Scalar::Decimal128(Decimal128::from_bytes(bid)))?;
            }
            Class::IntervalYearMonth => {
                let (years, months) = value.extract()?;
                self.scalar(py, Scalar::IntervalYearMonth(IntervalYearMonth { years, months }))?;
            }
            Class::Array | Class::SparseVector => self.vector(value, class)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn id(&mut self, value: &Bound<'_, PyAny>) -> Result<(), Fault> {
        let bytes = value.cast::<PyBytes>()?.as_bytes();
        let scalar = <[u8; 12]>::try_from(bytes).map_or(Scalar::Id(bytes), |id| Scalar::ObjectId(ObjectId(id)));
        self.scalar(value.py(), scalar)
    }

    fn vector(&mut self, value: &Bound<'_, PyAny>, class: Class) -> Result<(), Fault> {
        let mut image = std::mem::take(&mut self.scratch);
        image.clear();
        let made = if class == Class::Array {
            vectors::put_array(value, &mut image)?
        } else {
            vectors::put_sparse(value, &mut image)?
        };
        if !made {
            return Err(self.unsupported(value, "a vector must be an array.array of type f, d, b or B"));
        }
        let written = self.scalar(value.py(), Scalar::OracleVector(&image));
        self.scratch = image;
        written
    }

    /// What is a subclass of something that OSON has a type for.
    fn by_base<'py>(&mut self, value: &Bound<'py, PyAny>) -> Result<Option<Members<'py>>, Fault> {
        let py = value.py();
        if let Ok(raw) = value.cast_exact::<RawDocument>() {
            let object = raw.get().decoded(py)?;
            return match object.cast_into::<PyDict>() {
                Ok(dict) => self.begun(py, Members::of_dict(&dict, End::Object)),
                Err(error) => Err(PyErr::from(error).into()),
            };
        }
        if value.is_instance_of::<PyInt>() {
            self.int(value)?;
        } else if let Ok(number) = value.cast::<PyFloat>() {
            self.scalar(py, Scalar::Double(number.value()))?;
        } else if let Ok(dict) = value.cast::<PyDict>() {
            return self.begun(py, Members::of_dict(dict, End::Object));
        } else if let Ok(list) = value.cast::<PyList>() {
            return self.begun(py, Members::of_list(list));
        } else if let Ok(tuple) = value.cast::<PyTuple>() {
            return self.begun(py, Members::of_tuple(tuple));
        } else if let Ok(text) = value.cast::<PyString>() {
            self.string(text)?;
        } else if let Ok(moment) = value.cast::<PyDateTime>() {
            self.datetime(moment)?;
        } else if let Ok(date) = value.cast::<PyDate>() {
            self.scalar(py, Scalar::OracleDate(civil_date(date)))?;
        } else if let Ok(delta) = value.cast::<PyDelta>() {
            self.timedelta(delta)?;
        } else if value.is_instance(self.types.json_id.bind(py))? {
            self.id(value)?;
        } else if let Ok(bytes) = value.cast::<PyBytes>() {
            return self.bytes(value, bytes.as_bytes());
        } else if value.is_instance(self.types.decimal.bind(py))? {
            self.digits(value)?;
        } else if is_mapping(value) {
            self.begin(py, End::Object)?;
            return Ok(Some(Members::of_mapping(value, End::Object)?));
        } else {
            return Err(self.unsupported(value, "expected a type that OSON has"));
        }
        Ok(None)
    }

    /// Bytes; a `Binary` of another subtype than 0 would lose it.
    fn bytes<'py>(&mut self, value: &Bound<'py, PyAny>, bytes: &[u8]) -> Result<Option<Members<'py>>, Fault> {
        let py = value.py();
        let subtype = value.getattr_opt(intern!(py, "subtype"))?.map_or(Ok(0), |subtype| subtype.extract())?;
        self.scalar(py, Scalar::Binary { subtype, bytes })?;
        Ok(None)
    }
}

fn zoned(local: boson_document::CivilTime, offset_us: i64) -> Option<ZonedTime> {
    if offset_us % US_PER_MINUTE != 0 {
        return None;
    }
    let utc_ms = local.to_unix_ms().checked_sub(offset_us / 1000)?;
    let utc = boson_document::CivilTime::from_unix_ms(utc_ms).filter(|utc| utc.year >= 1)?;
    let offset_minutes = i16::try_from(offset_us / US_PER_MINUTE).ok()?;
    Some(ZonedTime { utc: boson_document::CivilTime { nanosecond: local.nanosecond, ..utc }, offset_minutes })
}

/// The exception for what the writer refuses.
#[cold]
pub(crate) fn written(py: Python<'_>, error: &EncodeError) -> Fault {
    let class = match error.kind() {
        EncodeErrorKind::Source(source) => return Fault::Decode(source),
        EncodeErrorKind::LimitExceeded(boson_document::Limit::Depth(_)) => fault::Class::TooDeep,
        EncodeErrorKind::NumberRange
        | EncodeErrorKind::DecimalTextLength(_)
        | EncodeErrorKind::DateRange
        | EncodeErrorKind::IntervalRange => fault::Class::OutOfRange,
        _ => fault::Class::Encode,
    };
    fault::encode_error(py, class, Family::Other, &error.kind().to_string(), error.path()).into()
}

impl<'py> Target<'py> for Encoder<'_> {
    #[inline]
    fn key(&mut self, key: &Bound<'py, PyAny>) -> Result<(), Fault> {
        let Ok(name) = key.cast::<PyString>() else {
            let mut path = self.writer.path_of_next();
            path.pop();
            return Err(fault::unsupported(key, Family::Other, "objects must have only string keys", &path).into());
        };
        match name.to_str() {
            Ok(name) => self.writer.key(name, NOWHERE).map_err(|error| written(key.py(), &error)),
            Err(error) => Err(self.noted(key.py(), error)),
        }
    }

    #[inline]
    fn value(&mut self, value: &Bound<'py, PyAny>) -> Result<Option<Members<'py>>, Fault> {
        let py = value.py();
        if let Ok(text) = value.cast_exact::<PyString>() {
            self.string(text)?;
        } else if value.is_exact_instance_of::<PyInt>() {
            self.int(value)?;
        } else if let Ok(dict) = value.cast_exact::<PyDict>() {
            return self.begun(py, Members::of_dict(dict, End::Object));
        } else if let Ok(number) = value.cast_exact::<PyFloat>() {
            self.scalar(py, Scalar::Double(number.value()))?;
        } else if let Ok(list) = value.cast_exact::<PyList>() {
            return self.begun(py, Members::of_list(list));
        } else if let Ok(value) = value.cast_exact::<PyBool>() {
            self.scalar(py, Scalar::Bool(value.is_true()))?;
        } else if value.is_none() {
            self.scalar(py, Scalar::Null)?;
        } else if let Ok(moment) = value.cast_exact::<PyDateTime>() {
            self.datetime(moment)?;
        } else if let Ok(bytes) = value.cast_exact::<PyBytes>() {
            self.scalar(py, Scalar::Binary { subtype: 0, bytes: bytes.as_bytes() })?;
        } else if let Ok(tuple) = value.cast_exact::<PyTuple>() {
            return self.begun(py, Members::of_tuple(tuple));
        } else {
            return self.rare(value);
        }
        Ok(None)
    }

    #[inline]
    fn end(&mut self, kind: End) -> Result<(), Fault> {
        let ended = match kind {
            End::Object | End::Scope => self.writer.end_object(),
            End::Array => self.writer.end_array(),
        };
        match ended {
            Ok(()) => Ok(()),
            Err(error) => Python::attach(|py| Err(written(py, &error))),
        }
    }
}
