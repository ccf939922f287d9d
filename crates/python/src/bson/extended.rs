//! Extended JSON, checks, and the decimals of our own `Decimal128`.

use boson_document::{Decimal128, Limits};
use boson_json::Style;
use boson_transcode::{AnyDocument, ConvertError, Converter, Fault as ConvertFault, Format, Policy, Report};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use super::decoder::Decoder;
use super::options::{DEPTH_MAX, Options};
use super::{opened, with_bson};
use crate::fault::{self, Class, Family};
use crate::input::bytes_of;
use crate::types::Types;

/// Whether `data` is a BSON document.
#[pyfunction]
pub(crate) fn bson_is_valid(data: &Bound<'_, PyAny>) -> PyResult<bool> {
    let bytes = bytes_of(data)?;
    let limits = Limits::BSON.with_depth(DEPTH_MAX).with_bytes(usize::MAX);
    Ok(data.py().detach(|| boson_bson::validate(&bytes, &limits).is_ok()))
}

fn policy() -> Policy {
    let mut policy = Policy::default();
    policy.bson_limits = policy.bson_limits.with_depth(DEPTH_MAX).with_bytes(usize::MAX);
    policy
}

/// `document` as Extended JSON.
#[pyfunction]
#[pyo3(signature = (document, mode = "relaxed", codec_options = None))]
pub(crate) fn bson_dumps<'py>(
    document: &Bound<'py, PyAny>,
    mode: &str,
    codec_options: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyString>> {
    let py = document.py();
    let mut policy = policy();
    policy.json_style = match mode {
        "relaxed" => Style::ExtendedRelaxed,
        "canonical" => Style::ExtendedCanonical,
        other => return Err(PyValueError::new_err(format!("mode {other:?}: expected 'relaxed' or 'canonical'"))),
    };
    let text = with_bson(document, false, codec_options, |bytes| {
        py.detach(|| convert(Format::Bson, bytes, Format::Json, policy))
            .map_err(|error| raised(py, &error, Family::Bson))
    })?;
    Ok(PyString::new(py, &String::from_utf8(text)?))
}

/// The document that a text of Extended JSON says.
#[pyfunction]
#[pyo3(signature = (text, codec_options = None))]
pub(crate) fn bson_loads<'py>(
    text: &Bound<'py, PyAny>,
    codec_options: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let (py, options) = (text.py(), Options::of(codec_options)?);
    let encoded = match text.cast::<PyString>() {
        Ok(text) => text.encode_utf8()?.into_any(),
        Err(_) => text.clone(),
    };
    let bytes = bytes_of(&encoded)?;
    let bson = py
        .detach(|| convert(Format::Json, &bytes, Format::Bson, policy()))
        .map_err(|error| raised(py, &error, Family::Other))?;
    let mut decoder = Decoder::new(py, Types::get(py)?, &options);
    let object = decoder.decode(opened(py, &bson)?);
    decoder.finish();
    object
}

fn convert(from: Format, bytes: &[u8], to: Format, policy: Policy) -> Result<Vec<u8>, ConvertError> {
    let mut out = Vec::new();
    Converter::new(to, policy).convert(&AnyDocument::new(from, bytes)?, &mut Report::new(), &mut out)?;
    Ok(out)
}

/// The exception for what cannot be converted.
pub(crate) fn raised(py: Python<'_>, error: &ConvertError, family: Family) -> PyErr {
    let path = error.path().cloned().unwrap_or_default();
    match error.fault() {
        ConvertFault::Source(source) => fault::decode_error(py, family, &source.at(path)),
        _ => fault::error(py, Class::Convert, &error.to_string()),
    }
}

/// The 16 bytes of the decimal that `text` says.
#[pyfunction]
pub(crate) fn decimal128_of_text<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyBytes>> {
    let number = Decimal128::parse(text).map_err(|error| PyValueError::new_err(error.to_string()))?;
    Ok(PyBytes::new(py, &number.to_bytes()))
}

/// The text of the decimal of these 16 bytes.
#[pyfunction]
pub(crate) fn decimal128_to_text(py: Python<'_>, bytes: [u8; 16]) -> Bound<'_, PyString> {
    PyString::new(py, Decimal128::from_bytes(bytes).to_text().as_str())
}
