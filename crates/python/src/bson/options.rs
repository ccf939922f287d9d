//! pymongo's `CodecOptions`, as far as they are honoured.

use std::sync::{Arc, Mutex};

use boson_bson::{ReadOptions, Utf8};
use boson_document::Limits;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyType};

use crate::walk::marker;

/// How deep documents may be. pymongo goes as far as Python's recursion limit, 1000 unless it is changed.
pub(crate) const DEPTH_MAX: u32 = 1024;

/// What becomes of a UUID.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Uuids {
    Unspecified,
    Standard,
    PythonLegacy,
    JavaLegacy,
    CsharpLegacy,
}

impl Uuids {
    fn of(number: i64) -> PyResult<Self> {
        Ok(match number {
            0 => Self::Unspecified,
            3 => Self::PythonLegacy,
            4 => Self::Standard,
            5 => Self::JavaLegacy,
            6 => Self::CsharpLegacy,
            other => return Err(PyValueError::new_err(format!("uuid_representation {other} is not known"))),
        })
    }

    /// pymongo's number.
    pub(crate) const fn number(self) -> u8 {
        match self {
            Self::Unspecified => 0,
            Self::PythonLegacy => 3,
            Self::Standard => 4,
            Self::JavaLegacy => 5,
            Self::CsharpLegacy => 6,
        }
    }
}

/// What becomes of a date.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dates {
    Datetime,
    Clamp,
    Milliseconds,
    Auto,
}

impl Dates {
    fn of(number: i64) -> PyResult<Self> {
        Ok(match number {
            1 => Self::Datetime,
            2 => Self::Clamp,
            3 => Self::Milliseconds,
            4 => Self::Auto,
            other => return Err(PyValueError::new_err(format!("datetime_conversion {other} is not known"))),
        })
    }
}

/// What documents are decoded to.
pub(crate) enum DocumentClass {
    Dict,
    /// Called without arguments, then given the members.
    Mapping(Py<PyAny>),
    /// Called with the bytes and the options.
    Raw(Py<PyAny>),
}

/// The user's own types.
#[derive(Default)]
pub(crate) struct Registry {
    pub(crate) encoders: Option<Py<PyDict>>,
    pub(crate) decoders: Option<Py<PyDict>>,
    pub(crate) fallback: Option<Py<PyAny>>,
}

/// The options of one call.
pub(crate) struct Options {
    pub(crate) document_class: DocumentClass,
    pub(crate) tz_aware: bool,
    pub(crate) tzinfo: Option<Py<PyAny>>,
    pub(crate) uuids: Uuids,
    pub(crate) dates: Dates,
    pub(crate) utf8: Utf8,
    pub(crate) registry: Registry,
    /// The `CodecOptions` themselves.
    pub(crate) source: Option<Py<PyAny>>,
}

impl Options {
    /// pymongo's defaults.
    fn plain() -> Self {
        Self {
            document_class: DocumentClass::Dict,
            tz_aware: false,
            tzinfo: None,
            uuids: Uuids::Unspecified,
            dates: Dates::Datetime,
            utf8: Utf8::Strict,
            registry: Registry::default(),
            source: None,
        }
    }

    /// What `codec_options` say. They do not change, so those of the last call are not read again.
    pub(crate) fn of(codec_options: Option<&Bound<'_, PyAny>>) -> PyResult<Arc<Self>> {
        static PLAIN: Mutex<Option<Arc<Options>>> = Mutex::new(None);
        static LAST: Mutex<Option<Arc<Options>>> = Mutex::new(None);
        let Some(given) = codec_options.filter(|given| !given.is_none()) else {
            let mut plain = PLAIN.lock().map_err(|_| poisoned())?;
            return Ok(Arc::clone(plain.get_or_insert_with(|| Arc::new(Self::plain()))));
        };
        if let Some(last) = LAST.lock().map_err(|_| poisoned())?.as_ref().filter(|last| last.is_of(given)) {
            return Ok(Arc::clone(last));
        }
        let options = Arc::new(Self::read(given)?);
        let before = LAST.lock().map_err(|_| poisoned())?.replace(Arc::clone(&options));
        drop(before);
        Ok(options)
    }

    fn is_of(&self, given: &Bound<'_, PyAny>) -> bool {
        self.source.as_ref().is_some_and(|source| source.is(given))
    }

    fn read(given: &Bound<'_, PyAny>) -> PyResult<Self> {
        let py = given.py();
        let field = |name: &str| {
            given.getattr(name).map_err(|_| PyTypeError::new_err("codec_options must be an instance of CodecOptions"))
        };
        Ok(Self {
            document_class: document_class(&field("document_class")?)?,
            tz_aware: field("tz_aware")?.is_truthy()?,
            tzinfo: given.getattr_opt(intern!(py, "tzinfo"))?.filter(|zone| !zone.is_none()).map(Bound::unbind),
            uuids: Uuids::of(field("uuid_representation")?.extract()?)?,
            dates: Dates::of(field("datetime_conversion")?.extract()?)?,
            utf8: utf8(&field("unicode_decode_error_handler")?)?,
            registry: registry(&field("type_registry")?)?,
            source: Some(given.clone().unbind()),
        })
    }

    /// How bytes are read.
    pub(crate) fn read_options(&self) -> ReadOptions {
        let limits = Limits::BSON.with_depth(DEPTH_MAX).with_bytes(usize::MAX);
        ReadOptions { limits, utf8: self.utf8 }
    }
}

#[cold]
fn poisoned() -> PyErr {
    PyValueError::new_err("a call that read codec_options was stopped")
}

fn document_class(class: &Bound<'_, PyAny>) -> PyResult<DocumentClass> {
    if class.is(PyType::new::<PyDict>(class.py())) {
        return Ok(DocumentClass::Dict);
    }
    let raw = marker(class)? == Some(101);
    let class = class.clone().unbind();
    Ok(if raw { DocumentClass::Raw(class) } else { DocumentClass::Mapping(class) })
}

fn utf8(handler: &Bound<'_, PyAny>) -> PyResult<Utf8> {
    match handler.extract::<Option<String>>()?.as_deref() {
        None | Some("strict") => Ok(Utf8::Strict),
        Some("replace") => Ok(Utf8::Lossy),
        Some(other) => Err(PyValueError::new_err(format!(
            "unicode_decode_error_handler {other:?} is not offered; use 'strict' or 'replace'"
        ))),
    }
}

fn registry(registry: &Bound<'_, PyAny>) -> PyResult<Registry> {
    let map = |name: &str| -> PyResult<Option<Py<PyDict>>> {
        let map = registry.getattr_opt(name)?.and_then(|map| map.cast_into::<PyDict>().ok());
        Ok(map.filter(|map| !map.is_empty()).map(Bound::unbind))
    };
    let fallback = registry.getattr_opt("_fallback_encoder")?.filter(|fallback| !fallback.is_none());
    Ok(Registry {
        encoders: map("_encoder_map")?,
        decoders: map("_decoder_map")?,
        fallback: fallback.map(Bound::unbind),
    })
}
