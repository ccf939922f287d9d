//! BSON as Python objects: the same values as pymongo's.

use boson_bson::Document;
use boson_document::{CivilTime, ObjectId, Scalar, Source};
use pyo3::exceptions::{PyOverflowError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDict, PyFloat, PyString, PyTzInfo};
use pyo3::{IntoPyObjectExt, intern};

use super::options::{Dates, DocumentClass, Options, Uuids};
use crate::builder::{Builder, Leaves};
use crate::dates::{datetime, microseconds};
use crate::fault::{Family, Fault};
use crate::types::Types;

/// Makes Python objects of documents, one after the other.
pub(crate) struct Decoder<'a, 'py> {
    py: Python<'py>,
    options: &'a Options,
    builder: Builder<'py, BsonLeaves<'a, 'py>>,
}

impl<'a, 'py> Decoder<'a, 'py> {
    pub(crate) fn new(py: Python<'py>, types: &'a Types, options: &'a Options) -> Self {
        Self { py, options, builder: Builder::new(py, BsonLeaves { py, types, options }) }
    }

    /// The object for `document`, whose first byte is the one that offsets count from.
    pub(crate) fn decode(&mut self, document: Document<'_>) -> PyResult<Bound<'py, PyAny>> {
        self.decode_at(document, 0)
    }

    /// The same for a document that begins `base` bytes after the first of all.
    pub(crate) fn decode_at(&mut self, document: Document<'_>, base: usize) -> PyResult<Bound<'py, PyAny>> {
        let driven = document.with(self.options.read_options()).drive(&mut self.builder);
        let py = self.py;
        driven.map_err(|fault| {
            fault.into_error(py, Family::Bson, |error| {
                let located = document.locate(error);
                located.error.shifted(base).at(located.path)
            })
        })?;
        self.builder.take().ok_or_else(|| PyValueError::new_err("the document was not delivered"))
    }

    pub(crate) fn finish(self) {
        self.builder.finish();
    }
}

/// What BSON's leaves become.
pub(crate) struct BsonLeaves<'a, 'py> {
    pub(crate) py: Python<'py>,
    pub(crate) types: &'a Types,
    pub(crate) options: &'a Options,
}

impl<'py> BsonLeaves<'_, 'py> {
    fn rare(&self, scalar: Scalar<'_>) -> PyResult<Bound<'py, PyAny>> {
        let (py, types) = (self.py, self.types);
        match scalar {
            Scalar::Binary { subtype, bytes } => self.binary(subtype, bytes),
            Scalar::Timestamp { time, increment } => self.timestamp(time, increment),
            Scalar::Decimal128(number) => self.decimal128(number.to_bytes()),
            Scalar::Regex(regex) => {
                let flags = regex.options().chars().fold(0_u8, |flags, letter| flags | flag(letter));
                types.regex.bind(py).call1((regex.pattern(), flags))
            }
            Scalar::Code(code) => types.code.bind(py).call1((code,)),
            Scalar::Symbol(text) => Ok(PyString::new(py, text).into_any()),
            Scalar::DbPointer(pointer) => {
                types.db_ref.bind(py).call1((pointer.namespace(), self.object_id(pointer.id())?))
            }
            Scalar::MinKey => Ok(types.min_key.bind(py).clone()),
            Scalar::MaxKey => Ok(types.max_key.bind(py).clone()),
            Scalar::Undefined => Ok(py.None().into_bound(py)),
            other => Err(PyValueError::new_err(format!("BSON has no {}", other.kind()))),
        }
    }

    #[inline]
    fn object_id(&self, id: ObjectId) -> PyResult<Bound<'py, PyAny>> {
        let (py, class) = (self.py, &self.types.object_id);
        let bytes = PyBytes::new(py, &id.0).into_any();
        match class.make(py, [bytes.clone()])? {
            Some(id) => Ok(id),
            None => class.class.bind(py).call1((bytes,)),
        }
    }

    fn decimal128(&self, bytes: [u8; 16]) -> PyResult<Bound<'py, PyAny>> {
        let (py, class) = (self.py, &self.types.decimal128);
        let (low, high) = split(u128::from_le_bytes(bytes));
        match class.make(py, [high.into_bound_py_any(py)?, low.into_bound_py_any(py)?])? {
            Some(number) => Ok(number),
            None => class.class.bind(py).call_method1(intern!(py, "from_bid"), (PyBytes::new(py, &bytes),)),
        }
    }

    fn timestamp(&self, time: u32, increment: u32) -> PyResult<Bound<'py, PyAny>> {
        let (py, class) = (self.py, &self.types.timestamp);
        match class.make(py, [time.into_bound_py_any(py)?, increment.into_bound_py_any(py)?])? {
            Some(timestamp) => Ok(timestamp),
            None => class.class.bind(py).call1((time, increment)),
        }
    }

    fn binary(&self, subtype: u8, bytes: &[u8]) -> PyResult<Bound<'py, PyAny>> {
        let py = self.py;
        let uuids = self.options.uuids;
        match subtype {
            0 => Ok(PyBytes::new(py, bytes).into_any()),
            4 if uuids == Uuids::Standard => self.uuid(bytes, |bytes| bytes),
            3 if uuids == Uuids::PythonLegacy => self.uuid(bytes, |bytes| bytes),
            3 if uuids == Uuids::JavaLegacy => self.uuid(bytes, |bytes| boson_bson::LegacyUuid::Java.reorder(bytes)),
            3 if uuids == Uuids::CsharpLegacy => {
                self.uuid(bytes, |bytes| boson_bson::LegacyUuid::CSharp.reorder(bytes))
            }
            _ => self.types.binary.bind(py).call1((PyBytes::new(py, bytes), subtype)),
        }
    }

    /// A UUID; 15 bytes or 17 are none, and pymongo raises then as well.
    fn uuid(&self, bytes: &[u8], order: impl FnOnce([u8; 16]) -> [u8; 16]) -> PyResult<Bound<'py, PyAny>> {
        let py = self.py;
        let bytes = bytes.try_into().map_err(|_| PyValueError::new_err("a UUID has 16 bytes"))?;
        let arguments = PyDict::new(py);
        arguments.set_item(intern!(py, "bytes"), PyBytes::new(py, &order(bytes)))?;
        self.types.uuid.bind(py).call((), Some(&arguments))
    }

    fn date(&self, ms: i64) -> PyResult<Bound<'py, PyAny>> {
        let (py, options) = (self.py, self.options);
        let ms = match options.dates {
            Dates::Datetime => ms,
            Dates::Milliseconds => return self.types.datetime_ms.bind(py).call1((ms,)),
            Dates::Clamp => {
                let (first, last) = self.bounds()?;
                ms.clamp(first, last)
            }
            Dates::Auto => {
                let (first, last) = self.bounds()?;
                if ms < first || ms > last {
                    return self.types.datetime_ms.bind(py).call1((ms,));
                }
                ms
            }
        };
        self.datetime(ms)
    }

    fn datetime(&self, ms: i64) -> PyResult<Bound<'py, PyAny>> {
        let (py, options) = (self.py, self.options);
        let utc = self.types.utc.bind(py).cast::<PyTzInfo>()?;
        let zone = options.tz_aware.then_some(utc);
        let made = CivilTime::from_unix_ms(ms).map(|time| datetime(py, time, zone)).transpose()?.flatten();
        let moment = made.ok_or_else(|| out_of_range(ms))?.into_any();
        match &options.tzinfo {
            Some(zone) if options.tz_aware => moment.call_method1(intern!(py, "astimezone"), (zone.bind(py),)),
            _ => Ok(moment),
        }
    }

    /// The first and the last millisecond that a datetime of these options can say.
    fn bounds(&self) -> PyResult<(i64, i64)> {
        let (first, last) = (MS_FIRST, MS_LAST);
        let (Some(zone), true) = (&self.options.tzinfo, self.options.tz_aware) else { return Ok((first, last)) };
        let offset_ms = |ms| -> PyResult<i64> {
            let time = CivilTime::from_unix_ms(ms).map(|time| datetime(self.py, time, None)).transpose()?.flatten();
            let offset = zone.bind(self.py).call_method1(intern!(self.py, "utcoffset"), (time,))?;
            if offset.is_none() {
                return Ok(0);
            }
            Ok(microseconds(offset.cast()?).div_euclid(1000))
        };
        let (before, after) = (offset_ms(first)?.min(0), offset_ms(last)?.max(0));
        Ok((first.saturating_sub(before), last.saturating_sub(after)))
    }
}

/// 0001-01-01T00:00:00.000Z.
const MS_FIRST: i64 = -62_135_596_800_000;
/// 9999-12-31T23:59:59.999Z.
const MS_LAST: i64 = 253_402_300_799_999;

#[cold]
fn out_of_range(ms: i64) -> PyErr {
    PyOverflowError::new_err(format!(
        "{ms} ms since 1970 is outside the years 1 to 9999 that datetime has; decode with \
         CodecOptions(datetime_conversion=DatetimeConversion.DATETIME_AUTO), which gives a DatetimeMS"
    ))
}

/// The lower and the upper half.
fn split(number: u128) -> (u64, u64) {
    let half = |number: u128| u64::try_from(number & u128::from(u64::MAX)).unwrap_or_default();
    (half(number), half(number >> 64))
}

/// The flag of Python's `re` for one of a regular expression's options; those that Python does not have are left out, as
/// pymongo leaves them out.
const fn flag(letter: char) -> u8 {
    match letter {
        'i' => 2,
        'l' => 4,
        'm' => 8,
        's' => 16,
        'u' => 32,
        'x' => 64,
        _ => 0,
    }
}

impl<'py> Leaves<'py> for BsonLeaves<'_, 'py> {
    #[inline]
    fn leaf(&mut self, scalar: Scalar<'_>) -> Result<Bound<'py, PyAny>, Fault> {
        let py = self.py;
        Ok(match scalar {
            Scalar::String(text) => PyString::new(py, text).into_any(),
            Scalar::Int32(value) => value.into_bound_py_any(py)?,
            Scalar::Int64(value) => self.types.int64.bind(py).call1((value,))?,
            Scalar::Double(value) => PyFloat::new(py, value).into_any(),
            Scalar::Bool(value) => PyBool::new(py, value).to_owned().into_any(),
            Scalar::Null => py.None().into_bound(py),
            Scalar::ObjectId(id) => self.object_id(id)?,
            Scalar::DateTime(ms) => self.date(ms)?,
            other => self.rare(other)?,
        })
    }

    #[inline]
    fn new_object(&self) -> PyResult<Option<Bound<'py, PyAny>>> {
        match &self.options.document_class {
            DocumentClass::Mapping(class) => class.bind(self.py).call0().map(Some),
            _ => Ok(None),
        }
    }

    #[inline]
    fn end_object(&self, object: Bound<'py, PyAny>, marked: bool) -> PyResult<Bound<'py, PyAny>> {
        if marked { self.reference(object) } else { Ok(object) }
    }

    fn code(&self, code: Bound<'py, PyString>, scope: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.types.code.bind(self.py).call1((code, scope))
    }

    #[inline]
    fn replaces(&self) -> bool {
        self.options.registry.decoders.is_some()
    }

    #[inline]
    fn replace(&self, value: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let Some(decoders) = &self.options.registry.decoders else { return Ok(value) };
        match decoders.bind(self.py).get_item(value.get_type())? {
            Some(decoder) => decoder.call1((value,)),
            None => Ok(value),
        }
    }
}

impl<'py> BsonLeaves<'_, 'py> {
    /// A `DBRef`, where `object` has the fields of one with the right types; else the object itself.
    fn reference(&self, object: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = self.py;
        let (reference, id, database) = (intern!(py, "$ref"), intern!(py, "$id"), intern!(py, "$db"));
        let get = |name| object.call_method1(intern!(py, "get"), (name,));
        let (collection, named) = (get(reference)?, get(database)?);
        let is_text = |value: &Bound<'_, PyAny>| value.is_instance_of::<PyString>();
        if !is_text(&collection) || !object.contains(id)? || !(named.is_none() || is_text(&named)) {
            return Ok(object);
        }
        let id_value = object.get_item(id)?;
        for name in [reference, id, database] {
            if object.contains(name)? {
                object.del_item(name)?;
            }
        }
        self.types.db_ref.bind(py).call1((collection, id_value, named, object))
    }
}
