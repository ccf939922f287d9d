//! What can go wrong while Python objects are read or made, and the exceptions that come of it.
//!
//! The classes are those of `boson._errors`, since only Python can make one that is a `BosonError` and pymongo's
//! `InvalidBSON` at once. Which class stands for which fault is decided here and nowhere else.

use std::convert::Infallible;

use boson_document::{DecodeError, DecodeErrorKind, Located, PathBuf};
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;
use pyo3::{CastError, intern};

/// What stops a walk.
#[derive(Debug)]
pub(crate) enum Fault {
    /// The bytes are at fault; whoever has them says at which path.
    Decode(DecodeError),
    /// A value that the bytes hold and Python does not, where it begins, and the exception that said so.
    Value(Box<(usize, PyErr)>),
    /// An exception, ready to be raised.
    Python(Box<PyErr>),
}

impl From<DecodeError> for Fault {
    fn from(error: DecodeError) -> Self {
        Self::Decode(error)
    }
}

impl From<PyErr> for Fault {
    #[cold]
    fn from(error: PyErr) -> Self {
        Self::Python(Box::new(error))
    }
}

impl From<CastError<'_, '_>> for Fault {
    #[cold]
    fn from(error: CastError<'_, '_>) -> Self {
        Self::from(PyErr::from(error))
    }
}

impl From<Infallible> for Fault {
    fn from(never: Infallible) -> Self {
        match never {}
    }
}

impl Fault {
    /// The same fault of the value that begins at `offset`.
    #[cold]
    pub(crate) fn of_value(self, offset: usize) -> Self {
        match self {
            Self::Python(error) => Self::Value(Box::new((offset, *error))),
            Self::Decode(error) => Self::Decode(error.shifted(offset)),
            value @ Self::Value(_) => value,
        }
    }

    /// The exception; `locate` finds the path of a fault in the bytes.
    pub(crate) fn into_error(
        self,
        py: Python<'_>,
        family: Family,
        locate: impl FnOnce(DecodeError) -> Located,
    ) -> PyErr {
        match self {
            Self::Python(error) => *error,
            Self::Decode(error) => decode_error(py, family, &locate(error)),
            Self::Value(parts) => {
                let (offset, error) = *parts;
                let path = locate(DecodeError::new(offset, DecodeErrorKind::InvalidUtf8)).path;
                value_error(py, family, offset, &path, error)
            }
        }
    }
}

/// Whose exceptions are raised: those of BSON are pymongo's as well, where it is installed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Family {
    Bson,
    Other,
}

/// A class of `boson._errors`.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Class {
    Boson,
    Decode,
    Encode,
    Unsupported,
    OutOfRange,
    TooDeep,
    Convert,
}

impl Class {
    const fn name(self, family: Family) -> &'static str {
        match (self, family) {
            (Self::Boson, _) => "BosonError",
            (Self::Decode, Family::Bson) => "InvalidBSON",
            (Self::Decode, Family::Other) => "DecodeError",
            (Self::Encode, Family::Bson) => "InvalidDocument",
            (Self::Encode, Family::Other) => "EncodeError",
            (Self::Unsupported, Family::Bson) => "UnsupportedBsonTypeError",
            (Self::Unsupported, Family::Other) => "UnsupportedTypeError",
            (Self::OutOfRange, _) => "OutOfRangeError",
            (Self::TooDeep, Family::Bson) => "TooDeepBsonError",
            (Self::TooDeep, Family::Other) => "TooDeepError",
            (Self::Convert, _) => "ConvertError",
        }
    }
}

/// The exception of `class` whose message is `message`.
#[cold]
pub(crate) fn error(py: Python<'_>, class: Class, message: &str) -> PyErr {
    build(py, class, Family::Other, |class| class.call1((message,)))
}

/// The exception for a fault in bytes: its offset and its path are attributes.
#[cold]
pub(crate) fn decode_error(py: Python<'_>, family: Family, located: &Located) -> PyErr {
    let (offset, path) = (located.error.offset, located.path.to_string());
    build(py, Class::Decode, family, |class| class.call1((located.to_string(), offset, path)))
}

/// The exception for a value at `path` that Python cannot hold, which `cause` says. What is no fault of the document is
/// raised as it is.
#[cold]
fn value_error(py: Python<'_>, family: Family, offset: usize, path: &PathBuf, cause: PyErr) -> PyErr {
    let is_about_value = cause.is_instance_of::<PyValueError>(py)
        || cause.is_instance_of::<PyOverflowError>(py)
        || cause.is_instance_of::<PyTypeError>(py);
    if !is_about_value {
        return cause;
    }
    let (message, path) = (format!("offset {offset}, {path}: {}", cause.value(py)), path.to_string());
    let error = build(py, Class::Decode, family, |class| class.call1((message, offset, path)));
    error.set_cause(py, Some(cause));
    error
}

/// The exception for a value that cannot be written, whose path is an attribute.
#[cold]
pub(crate) fn encode_error(py: Python<'_>, class: Class, family: Family, message: &str, path: &PathBuf) -> PyErr {
    let path = path.to_string();
    build(py, class, family, |class| class.call1((format!("{path}: {message}"), &path)))
}

/// The exception for a value whose type no format knows: the type's name is an attribute.
#[cold]
pub(crate) fn unsupported(value: &Bound<'_, PyAny>, family: Family, wanted: &str, path: &PathBuf) -> PyErr {
    let (py, path) = (value.py(), path.to_string());
    let name = match value.get_type().fully_qualified_name() {
        Ok(name) => name.to_string(),
        Err(error) => return error,
    };
    let message = format!("{path}: {wanted}, found {name}");
    build(py, Class::Unsupported, family, |class| class.call1((message, path, value.get_type())))
}

/// Adds to `error`, which is one of Python's own, the path of the value that it is about. Before Python 3.11 an exception
/// takes no notes.
#[cold]
pub(crate) fn note(py: Python<'_>, error: &PyErr, path: &PathBuf) {
    let value = error.value(py);
    if let Ok(Some(add_note)) = value.getattr_opt(intern!(py, "add_note")) {
        // Without its note it is still the exception.
        let _ = add_note.call1((format!("at {path}"),));
    }
}

/// Gives `error` the document that it is about, which pymongo's `InvalidDocument` has as a property.
#[cold]
pub(crate) fn about_document(py: Python<'_>, error: &PyErr, document: &Bound<'_, PyAny>) {
    let value = error.value(py);
    if let Ok(Some(_)) = value.getattr_opt(intern!(py, "_document")) {
        // Without it, it is still the exception.
        let _ = value.setattr(intern!(py, "_document"), document);
    }
}

fn build<'py>(
    py: Python<'py>,
    class: Class,
    family: Family,
    make: impl FnOnce(&Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>>,
) -> PyErr {
    let error = errors(py).and_then(|module| make(&module.getattr(class.name(family))?));
    error.map_or_else(|error| error, PyErr::from_value)
}

fn errors(py: Python<'_>) -> PyResult<&Bound<'_, PyAny>> {
    static MODULE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let module =
        MODULE.get_or_try_init(py, || PyResult::Ok(py.import(intern!(py, "boson._errors"))?.into_any().unbind()));
    Ok(module?.bind(py))
}

/// The class `name` of `module`.
pub(crate) fn class_of(module: &Bound<'_, PyAny>, name: &str) -> PyResult<Py<PyType>> {
    Ok(module.getattr(name)?.cast_into::<PyType>()?.unbind())
}
