//! `boson.convert`: from one format to another.

use boson_json::Style as JsonStyle;
use boson_transcode::{AnyDocument, Converter, Format, Policy, Report};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyString};

use crate::bson::raised;
use crate::fault::{self, Class, Family};
use crate::input::bytes_of;
use crate::oson::style_of;

/// `data` in the format `to`: bytes of BSON and OSON, text of JSON.
///
/// The format of `data` is told by its content where `source` does not name it. What is not carried over as it is is
/// appended to the list `report`, as dicts of `loss`, `path`, `count` and `text`.
#[pyfunction]
#[pyo3(signature = (data, to, *, source = None, json_style = "relaxed", style = "compact", keep_order = false, report = None))]
#[expect(clippy::too_many_arguments, reason = "they are named where Python calls it")]
pub(crate) fn convert<'py>(
    py: Python<'py>,
    data: &Bound<'py, PyAny>,
    to: &str,
    source: Option<&str>,
    json_style: &str,
    style: &str,
    keep_order: bool,
    report: Option<&Bound<'py, PyList>>,
) -> PyResult<Bound<'py, PyAny>> {
    let to = format_of(to)?;
    let mut policy = Policy::default();
    policy.json_style = json_style_of(json_style)?;
    policy.oson_style = style_of(style)?;
    policy.keep_order = keep_order;
    let text = data.cast::<PyString>().ok().map(PyStringMethods::encode_utf8).transpose()?;
    let bytes = bytes_of(text.as_ref().map_or(data, |text| text.as_any()))?;
    let from = match source {
        Some(source) => format_of(source)?,
        None if text.is_some() => Format::Json,
        None => detected(py, &bytes)?,
    };
    let mut losses = Report::new();
    let mut out = Vec::new();
    let converted = py.detach(|| {
        let document = AnyDocument::new(from, &bytes).map_err(boson_transcode::ConvertError::from)?;
        Converter::new(to, policy).convert(&document, &mut losses, &mut out)
    });
    converted.map_err(|error| raised(py, &error, if from == Format::Bson { Family::Bson } else { Family::Other }))?;
    if let Some(report) = report {
        add_losses(report, &losses)?;
    }
    match to {
        Format::Json => Ok(PyString::new(py, &String::from_utf8(out)?).into_any()),
        Format::Bson | Format::Oson => Ok(PyBytes::new(py, &out).into_any()),
    }
}

pub(crate) fn detected(py: Python<'_>, bytes: &[u8]) -> PyResult<Format> {
    let detected = Format::detect(bytes).map_err(|error| fault::error(py, Class::Boson, &error.to_string()))?;
    Ok(detected.format)
}

pub(crate) fn format_of(name: &str) -> PyResult<Format> {
    name.parse().map_err(|_| PyValueError::new_err(format!("format {name:?}: expected 'bson', 'oson' or 'json'")))
}

fn json_style_of(name: &str) -> PyResult<JsonStyle> {
    Ok(match name {
        "relaxed" => JsonStyle::ExtendedRelaxed,
        "canonical" => JsonStyle::ExtendedCanonical,
        "plain" => JsonStyle::Plain,
        "oracle" => JsonStyle::Oracle,
        other => {
            let message = format!("json_style={other:?}: expected 'relaxed', 'canonical', 'plain' or 'oracle'");
            return Err(PyValueError::new_err(message));
        }
    })
}

fn add_losses(list: &Bound<'_, PyList>, losses: &Report) -> PyResult<()> {
    for occurrences in losses.iter() {
        let dict = PyDict::new(list.py());
        dict.set_item("loss", occurrences.loss.name())?;
        dict.set_item("path", occurrences.path)?;
        dict.set_item("count", occurrences.count)?;
        dict.set_item("text", occurrences.loss.explanation())?;
        list.append(dict)?;
    }
    Ok(())
}
