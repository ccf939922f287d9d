//! `boson.explain`: what every byte of a document means.

use boson_document::{Limits, PathBuf};
use boson_explain::{Explained, Explanation, Selection, text};
use boson_transcode::Format;
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;

use crate::convert::{detected, format_of};
use crate::fault::{self, Class, Family};
use crate::input::bytes_of;

/// What each byte of a BSON document or an OSON image means: an annotated dump, a line for each region, or with
/// `as_dict=True` the same for programs. A broken document is explained as far as it can be followed. `path` names one value
/// of it.
#[pyfunction]
#[pyo3(signature = (data, path = None, *, source = None, as_dict = false))]
pub(crate) fn explain<'py>(
    data: &Bound<'py, PyAny>,
    path: Option<&str>,
    source: Option<&str>,
    as_dict: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let py = data.py();
    let bytes = bytes_of(data)?;
    let format = source.map_or_else(|| detected(py, &bytes), format_of)?;
    let limits = if format == Format::Oson { Limits::OSON } else { Limits::BSON };
    let explanation = Explanation::new(format, &bytes, &limits.with_bytes(usize::MAX));
    let explanation = explanation.ok_or_else(|| PyValueError::new_err("JSON text speaks for itself"))?;
    let selection = path.map(|path| select(py, &explanation, path)).transpose()?;
    let failed = |error: &dyn std::fmt::Display| fault::error(py, Class::Boson, &error.to_string());
    if as_dict {
        let explained = Explained { explanation: &explanation, selection: selection.as_ref() };
        let text = serde_json::to_string(&explained).map_err(|error| failed(&error))?;
        return py.import("json")?.getattr("loads")?.call1((text,));
    }
    let mut dump = Vec::new();
    text::write(&explanation, selection.as_ref(), false, &mut dump).map_err(|error| failed(&error))?;
    Ok(String::from_utf8(dump)?.into_pyobject(py)?.into_any())
}

fn select(py: Python<'_>, explanation: &Explanation<'_>, path: &str) -> PyResult<Selection> {
    let path: PathBuf = path.parse().map_err(|error| PyValueError::new_err(format!("{path}: {error}")))?;
    let selected = explanation.select(&path);
    let selected = selected.map_err(|error| fault::decode_error(py, Family::Other, &error.at(path.clone())))?;
    selected.ok_or_else(|| PyKeyError::new_err(format!("{path}: there is no such value")))
}
