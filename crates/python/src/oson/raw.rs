//! An OSON document that stays bytes.

use boson_document::DecodeError;
use boson_oson::{Document, Value};
use pyo3::exceptions::{PyKeyError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDict, PyIterator, PyString, PyTuple};

use super::decoder::{OsonLeaves, Wanted, decode};
use super::objects::{Depth, Objects, fields_of};
use crate::fault::{Family, Fault};
use crate::input::kept;

/// An OSON document of which only what is asked for is read: a read-only mapping.
///
/// A field is found through the dictionary of names, without what stands before it. Objects inside of it are
/// `RawDocument`s over the same bytes, so are those in its arrays. What is not looked at is not checked.
#[pyclass(frozen, mapping, module = "boson.oson", name = "RawOsonDocument")]
pub(crate) struct RawDocument {
    image: Py<PyBytes>,
    /// Where the node of an object inside of another begins.
    at: Option<usize>,
    wanted: Wanted,
}

impl RawDocument {
    fn bytes<'a>(&'a self, py: Python<'a>) -> &'a [u8] {
        self.image.as_bytes(py)
    }

    #[cold]
    fn raise(&self, py: Python<'_>, fault: impl Into<Fault>) -> PyErr {
        let bytes = self.bytes(py);
        fault.into().into_error(py, Family::Other, |error| error.at(boson_oson::path_at(bytes, error.offset)))
    }

    fn find<'a>(&'a self, py: Python<'a>, name: &str) -> PyResult<Option<Value<'a>>> {
        let find = || {
            let document = Document::new(self.bytes(py))?;
            match self.at {
                None => document.get(name),
                Some(at) => document.value_at(at)?.get(name),
            }
        };
        find().map_err(|error: DecodeError| self.raise(py, error))
    }

    /// The object itself.
    fn node<'a>(&'a self, py: Python<'a>) -> PyResult<Value<'a>> {
        let node = Document::new(self.bytes(py)).and_then(|document| match self.at {
            None => document.root(),
            Some(at) => document.value_at(at),
        });
        node.map_err(|error| self.raise(py, error))
    }

    fn object<'py>(&self, py: Python<'py>, value: Value<'_>, depth: Depth) -> PyResult<Bound<'py, PyAny>> {
        let leaves = OsonLeaves::new(py, self.wanted)?;
        let mut objects = Objects::new(leaves, depth, |at| {
            let inner = Self { image: self.image.clone_ref(py), at: Some(at), wanted: self.wanted };
            Ok(Bound::new(py, inner)?.into_any())
        });
        let object = objects.of(value);
        objects.finish();
        object.map_err(|fault| self.raise(py, fault))
    }

    /// The whole of it, decoded.
    pub(crate) fn decoded<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match self.at {
            None => decode(py, self.bytes(py), self.wanted),
            Some(_) => self.object(py, self.node(py)?, Depth::All),
        }
    }

    fn fill<'py>(
        &self,
        py: Python<'py>,
        object: impl Fn(Value<'_>) -> PyResult<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for (name, value) in fields_of(py, &self.node(py)?).map_err(|error| self.raise(py, error))? {
            dict.set_item(name, object(value)?)?;
        }
        Ok(dict)
    }

    fn members<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.fill(py, |value| self.object(py, value, Depth::Arrays))
    }

    fn names<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.fill(py, |_| Ok(py.None().into_bound(py)))
    }
}

#[pymethods]
impl RawDocument {
    #[new]
    #[pyo3(signature = (data, *, numbers = "decimal", tz_aware = false))]
    fn new(data: &Bound<'_, PyAny>, numbers: &str, tz_aware: bool) -> PyResult<Self> {
        let raw = Self { image: kept(data)?.unbind(), at: None, wanted: Wanted::of(numbers, tz_aware)? };
        let kind = raw.node(data.py())?.kind();
        if kind != boson_document::Kind::Object {
            return Err(PyTypeError::new_err(format!("a RawDocument is an object, found {kind}: decode it")));
        }
        Ok(raw)
    }

    /// The bytes of the image, also of an object inside of it: OSON keeps names and values of all objects together.
    #[getter]
    fn raw<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        self.image.bind(py).clone()
    }

    fn __getitem__<'py>(&self, py: Python<'py>, key: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let Ok(name) = key.cast::<PyString>() else { return Err(PyKeyError::new_err(key.clone().unbind())) };
        match self.find(py, name.to_str()?)? {
            Some(value) => self.object(py, value, Depth::Arrays),
            None => Err(PyKeyError::new_err(key.clone().unbind())),
        }
    }

    #[pyo3(signature = (key, default = None))]
    fn get<'py>(
        &self,
        py: Python<'py>,
        key: &Bound<'py, PyAny>,
        default: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Ok(name) = key.cast::<PyString>() else { return Ok(default) };
        match self.find(py, name.to_str()?)? {
            Some(value) => self.object(py, value, Depth::Arrays).map(Some),
            None => Ok(default),
        }
    }

    fn __contains__(&self, py: Python<'_>, key: &Bound<'_, PyAny>) -> PyResult<bool> {
        let Ok(name) = key.cast::<PyString>() else { return Ok(false) };
        Ok(self.find(py, name.to_str()?)?.is_some())
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.node(py)?.len())
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        self.names(py)?.try_iter()
    }

    /// The names, in order.
    fn keys<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.names(py)?.call_method0("keys")
    }

    /// The values, in order.
    fn values<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.members(py)?.call_method0("values")
    }

    /// Names and values, in order.
    fn items<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.members(py)?.call_method0("items")
    }

    /// The whole of it, decoded, as `boson.oson.decode` gives it.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.decoded(py)
    }

    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let equal = if let Ok(other) = other.cast::<Self>() {
            let same_bytes = self.at == other.get().at && self.bytes(py) == other.get().bytes(py);
            same_bytes || self.decoded(py)?.eq(other.get().decoded(py)?)?
        } else if crate::walk::is_mapping(other) {
            self.decoded(py)?.eq(other)?
        } else {
            return Ok(py.NotImplemented());
        };
        Ok(PyBool::new(py, equal).to_owned().into_any().unbind())
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("RawDocument({})", self.decoded(py)?.repr()?))
    }

    /// The whole image is pickled, and where in it this object is.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let restore = py.import("boson._boson")?.getattr("oson_raw_at")?;
        let wanted = (self.wanted.native_numbers, self.wanted.tz_aware);
        (restore, (self.raw(py), self.at, wanted.0, wanted.1)).into_pyobject(py)
    }
}

/// What a `RawDocument` was pickled to.
#[pyfunction]
pub(crate) fn oson_raw_at(
    data: &Bound<'_, PyAny>,
    at: Option<usize>,
    native_numbers: bool,
    tz_aware: bool,
) -> PyResult<RawDocument> {
    let raw = RawDocument { image: kept(data)?.unbind(), at, wanted: Wanted { native_numbers, tz_aware } };
    raw.node(data.py())?;
    Ok(raw)
}
