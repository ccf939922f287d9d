//! A BSON document that stays bytes.

use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};

use boson_bson::{Array, Document, Index, Items, Tag, Value};
use boson_document::DecodeError;
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyIterator, PyList, PyString, PyTuple};

use super::decoder::{BsonLeaves, Decoder};
use super::options::{DEPTH_MAX, Options};
use crate::builder::Leaves;
use crate::fault::{Family, Fault};
use crate::input::{bytes_of, kept};
use crate::types::Types;
use crate::walk::marker;

/// From how many lookups on an index of the document is worth making.
const LOOKUPS_UNTIL_INDEX: u32 = 6;

/// A BSON document of which only what is asked for is read: a read-only mapping.
///
/// Documents inside of it are `RawDocument`s over the same bytes, so are those in its arrays. Of a name that occurs more
/// than once the first is answered. What is not looked at is not checked.
#[pyclass(frozen, mapping, module = "boson.bson")]
pub(crate) struct RawDocument {
    /// The bytes that it is part of.
    whole: Py<PyBytes>,
    span: Range<usize>,
    options: Arc<Options>,
    lookups: AtomicU32,
    index: OnceLock<Index>,
}

impl RawDocument {
    fn over(whole: Py<PyBytes>, span: Range<usize>, options: Arc<Options>) -> Self {
        Self { whole, span, options, lookups: AtomicU32::new(0), index: OnceLock::new() }
    }

    /// Its own bytes.
    pub(crate) fn bytes<'a>(&'a self, py: Python<'a>) -> &'a [u8] {
        self.whole.as_bytes(py).get(self.span.clone()).unwrap_or_default()
    }

    fn document<'a>(&'a self, py: Python<'a>) -> PyResult<Document<'a>> {
        Document::new(self.bytes(py)).map_err(|error| self.raise(py, error.into()))
    }

    #[cold]
    fn raise(&self, py: Python<'_>, fault: Fault) -> PyErr {
        fault.into_error(py, Family::Bson, |error| error.at(boson_bson::path_at(self.bytes(py), error.offset)))
    }

    fn find<'a>(&'a self, py: Python<'a>, name: &str) -> PyResult<Option<Value<'a>>> {
        let document = self.document(py)?;
        if let Some(index) = self.index.get() {
            return Ok(index.of(document).get(name));
        }
        if self.lookups.fetch_add(1, Ordering::Relaxed) < LOOKUPS_UNTIL_INDEX {
            return document.get(name).map_err(|error| self.raise(py, error.into()));
        }
        let mut index = Index::new();
        index.rebuild(document).map_err(|error| self.raise(py, error.into()))?;
        Ok(self.index.get_or_init(|| index).of(document).get(name))
    }

    /// The object for `value`, which was found in this document.
    fn object<'py>(&self, py: Python<'py>, value: &Value<'_>) -> PyResult<Bound<'py, PyAny>> {
        let types = Types::get(py)?;
        let leaves = BsonLeaves { py, types, options: &self.options };
        Objects { raw: self, leaves }.of(value).map_err(|fault| self.raise(py, fault))
    }

    fn inside<'py>(&self, py: Python<'py>, document: Document<'_>) -> PyResult<Bound<'py, PyAny>> {
        let span = document.span();
        let start = self.span.start.saturating_add(span.offset);
        let inner =
            Self::over(self.whole.clone_ref(py), start..start.saturating_add(span.len), Arc::clone(&self.options));
        Ok(Bound::new(py, inner)?.into_any())
    }

    /// Every member, of a name that occurs twice the first.
    fn members<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.fill(py, |value| self.object(py, value))
    }

    fn names<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.fill(py, |_| Ok(py.None().into_bound(py)))
    }

    fn fill<'py>(
        &self,
        py: Python<'py>,
        object: impl Fn(&Value<'_>) -> PyResult<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for field in self.document(py)?.fields() {
            let (name, value) = field.map_err(|error| self.raise(py, error.into()))?;
            let name = PyString::new(py, name);
            if !dict.contains(&name)? {
                dict.set_item(name, object(&value)?)?;
            }
        }
        Ok(dict)
    }
}

#[pymethods]
impl RawDocument {
    /// What pymongo's own encoder asks for, and takes `raw` of.
    #[classattr]
    #[pyo3(name = "_type_marker")]
    const TYPE_MARKER: u8 = 101;

    #[new]
    #[pyo3(signature = (data, codec_options = None))]
    fn new(data: &Bound<'_, PyAny>, codec_options: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let whole = kept(data)?;
        let len = whole.as_bytes().len();
        let raw = Self::over(whole.unbind(), 0..len, Options::of(codec_options)?);
        raw.document(data.py())?;
        Ok(raw)
    }

    /// The bytes of this document, from its length to its NUL.
    #[getter]
    fn raw<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let whole = self.whole.bind(py);
        if self.span == (0..whole.as_bytes().len()) { whole.clone() } else { PyBytes::new(py, self.bytes(py)) }
    }

    fn __getitem__<'py>(&self, py: Python<'py>, key: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let Ok(name) = key.cast::<PyString>() else { return Err(PyKeyError::new_err(key.clone().unbind())) };
        match self.find(py, name.to_str()?)? {
            Some(value) => self.object(py, &value),
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
            Some(value) => self.object(py, &value).map(Some),
            None => Ok(default),
        }
    }

    fn __contains__(&self, py: Python<'_>, key: &Bound<'_, PyAny>) -> PyResult<bool> {
        let Ok(name) = key.cast::<PyString>() else { return Ok(false) };
        Ok(self.find(py, name.to_str()?)?.is_some())
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.names(py)?.len())
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

    /// The whole document, decoded, as `boson.bson.decode` gives it.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let mut decoder = Decoder::new(py, Types::get(py)?, &self.options);
        let object = decoder.decode(self.document(py)?);
        decoder.finish();
        object
    }

    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let equal = if let Ok(other) = other.cast::<Self>() {
            self.bytes(py) == other.get().bytes(py)
        } else if marker(other)? == Some(101) {
            self.bytes(py) == bytes_of(&other.getattr("raw")?)?.as_ref()
        } else if crate::walk::is_mapping(other) {
            self.to_dict(py)?.eq(other)?
        } else {
            return Ok(py.NotImplemented());
        };
        Ok(pyo3::types::PyBool::new(py, equal).to_owned().into_any().unbind())
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("RawDocument({})", self.raw(py).repr()?))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let options = self.options.source.as_ref().map(|source| source.clone_ref(py));
        (py.get_type::<Self>(), (self.raw(py), options)).into_pyobject(py)
    }
}

/// Makes the objects of values of one document.
struct Objects<'a, 'py> {
    raw: &'a RawDocument,
    leaves: BsonLeaves<'a, 'py>,
}

impl<'py> Objects<'_, 'py> {
    fn of(mut self, value: &Value<'_>) -> Result<Bound<'py, PyAny>, Fault> {
        let object = match value.tag() {
            Tag::Array => self.array(value.as_array()?)?,
            _ => self.simple(value)?,
        };
        Ok(self.leaves.replace(object)?)
    }

    /// What is no array.
    fn simple(&mut self, value: &Value<'_>) -> Result<Bound<'py, PyAny>, Fault> {
        let py = self.leaves.py;
        match value.tag() {
            Tag::Document => Ok(self.raw.inside(py, value.as_document()?)?),
            Tag::CodeWithScope => {
                let code = value.as_code_with_scope()?;
                let scope = self.raw.inside(py, code.scope)?;
                Ok(self.leaves.code(PyString::new(py, code.code), scope)?)
            }
            _ => {
                let scalar = value.scalar()?;
                let made = self.leaves.leaf(scalar);
                made.map_err(|fault| fault.of_value(value.span().offset))
            }
        }
    }

    /// An array as a list, arrays inside of it as well.
    fn array(&mut self, array: Array<'_>) -> Result<Bound<'py, PyAny>, Fault> {
        let py = self.leaves.py;
        let mut outer: Vec<(Items<&[u8]>, Bound<'py, PyList>)> = Vec::new();
        let (mut items, mut list) = (array.items(), PyList::empty(py));
        loop {
            let object = if let Some(value) = items.next().transpose()? {
                if value.tag() == Tag::Array {
                    check_depth(outer.len(), &value)?;
                    let around = std::mem::replace(&mut items, value.as_array()?.items());
                    outer.push((around, std::mem::replace(&mut list, PyList::empty(py))));
                    continue;
                }
                self.simple(&value)?
            } else {
                let whole = list.into_any();
                let Some((around, outer_list)) = outer.pop() else { return Ok(whole) };
                (items, list) = (around, outer_list);
                whole
            };
            list.append(self.leaves.replace(object)?)?;
        }
    }
}

fn check_depth(depth: usize, value: &Value<'_>) -> Result<(), DecodeError> {
    if u32::try_from(depth).is_ok_and(|depth| depth < DEPTH_MAX) {
        return Ok(());
    }
    let limit = boson_document::Limit::Depth(DEPTH_MAX);
    Err(DecodeError::new(value.span().offset, boson_document::DecodeErrorKind::LimitExceeded(limit)))
}
