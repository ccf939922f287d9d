//! Changing an image where it stands.

use std::sync::Mutex;

use boson_document::edit::{Edit, New};
use boson_document::{Builder, PathBuf, Source, Value};
use boson_oson::Document;
use boson_oson::edit::{EditError, Editor};
use boson_oson::write::{Options, Style};
use pyo3::exceptions::{PyKeyError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use super::{style_of, with_oson};
use crate::fault::{self, Class, Family, Fault};
use crate::input::bytes_of;

/// An OSON image that is changed in its bytes, as a database does it: a value that fits goes where the old one was, any
/// other behind the image. Each change returns what it cost.
#[pyclass(frozen, module = "boson.oson", name = "Editor")]
pub(crate) struct OsonEditor {
    editor: Mutex<Editor<Vec<u8>>>,
    style: Style,
}

impl OsonEditor {
    fn edit<'py>(
        &self,
        py: Python<'py>,
        path: &str,
        change: impl FnOnce(&mut Editor<Vec<u8>>, &PathBuf) -> Result<Edit, EditError>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let path: PathBuf = path.parse().map_err(|error| PyValueError::new_err(format!("{path}: {error}")))?;
        let mut editor = self.editor.lock().map_err(|_| PyRuntimeError::new_err("an edit was stopped before"))?;
        let edit = change(&mut editor, &path).map_err(|error| raised(py, &error))?;
        cost(py, &edit)
    }

    fn value(value: &Bound<'_, PyAny>) -> PyResult<Value> {
        let py = value.py();
        with_oson(value, Style::Compact, true, |image| {
            let mut tree = Builder::new();
            let read = Document::new(image).and_then(|document| document.drive(&mut tree));
            let raise = |error| Fault::Decode(error).into_error(py, Family::Other, |error| error.at(PathBuf::new()));
            read.map_err(raise)?;
            tree.finish().ok_or_else(|| PyValueError::new_err("the value was not delivered"))
        })
    }
}

#[pymethods]
impl OsonEditor {
    #[new]
    #[pyo3(signature = (data, *, style = "driver"))]
    fn new(data: &Bound<'_, PyAny>, style: &str) -> PyResult<Self> {
        let style = style_of(style)?;
        let bytes = bytes_of(data)?.into_owned();
        let editor = Editor::open(bytes).map_err(|error| fault::decode_error(data.py(), Family::Other, &error))?;
        let options = Options { style, ..Options::default() };
        Ok(Self { editor: Mutex::new(editor.with_options(&options)), style })
    }

    /// The value at `path` becomes `value`; a field that its object has not is added.
    fn set<'py>(&self, py: Python<'py>, path: &str, value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyDict>> {
        let value = Self::value(value)?;
        self.edit(py, path, |editor, path| editor.set(path, New::Tree(&value)))
    }

    /// `value` becomes the last element of the array at `path`.
    fn push<'py>(&self, py: Python<'py>, path: &str, value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyDict>> {
        let value = Self::value(value)?;
        self.edit(py, path, |editor, path| editor.push(path, New::Tree(&value)))
    }

    /// `value` becomes the element at `path`; those from there on move up.
    fn insert<'py>(&self, py: Python<'py>, path: &str, value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyDict>> {
        let value = Self::value(value)?;
        self.edit(py, path, |editor, path| editor.insert(path, New::Tree(&value)))
    }

    /// The field or element at `path` goes away.
    fn remove<'py>(&self, py: Python<'py>, path: &str) -> PyResult<Bound<'py, PyDict>> {
        self.edit(py, path, Editor::remove)
    }

    /// The image as it is now.
    fn __bytes__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let editor = self.editor.lock().map_err(|_| PyRuntimeError::new_err("an edit was stopped before"))?;
        Ok(PyBytes::new(py, editor.buffer()))
    }

    fn __repr__(&self) -> String {
        let style = if self.style == Style::Driver { "driver" } else { "compact" };
        format!("Editor(<OSON image>, style={style:?})")
    }
}

/// What an edit cost.
fn cost<'py>(py: Python<'py>, edit: &Edit) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    let (how, written) = match edit {
        Edit::InPlace { written } => ("in-place", written),
        Edit::Appended { written, appended } => {
            dict.set_item("appended", appended)?;
            ("appended", written)
        }
        Edit::Spliced { written, moved } => {
            dict.set_item("moved", moved)?;
            ("spliced", written)
        }
        Edit::Rebuilt { written, reason } => {
            dict.set_item("reason", reason.to_string())?;
            ("rebuilt", written)
        }
    };
    dict.set_item("how", how)?;
    dict.set_item("written", written)?;
    Ok(dict)
}

/// The exception for a change that cannot be made.
#[cold]
fn raised(py: Python<'_>, error: &EditError) -> PyErr {
    match error {
        EditError::Path(error) => PyKeyError::new_err(error.to_string()),
        EditError::Decode(located) => fault::decode_error(py, Family::Other, located),
        EditError::Encode(error) => {
            fault::encode_error(py, Class::Encode, Family::Other, &error.kind().to_string(), error.path())
        }
    }
}
