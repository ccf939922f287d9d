//! `boson.Profile`: what documents are made of, and what is stored as something else than it is.

use std::path::PathBuf;
use std::sync::Mutex;

use boson_document::Limits;
use boson_profile::{Conversion, Finding, Framing, Options, Profile as Counted, Profiler};
use boson_store::{ReadError, Reader};
use boson_transcode::{AnyDocument, Converter, Format, Policy, Report};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyString, PyTuple};
use serde::Serialize;

use crate::bson::{open, read_error, with_bson};
use crate::convert::detected;
use crate::fault::{self, Class};
use crate::input::bytes_of;
use crate::walk::{is_mapping, marker};

/// What documents are made of. Profiles of parts of a collection, made in other processes or on other machines, are
/// pickled or saved as bytes, and merged into the profile of the whole: the same to the byte as if it had been made at once.
#[pyclass(frozen, module = "boson")]
pub(crate) struct Profile {
    state: Mutex<State>,
}

struct State {
    counted: Option<Counted>,
    profiler: Option<Profiler>,
}

/// Why a document of a file was not taken in.
enum Fault {
    Read(ReadError),
    Document(String),
}

impl State {
    fn profiler(&mut self) -> &mut Profiler {
        self.profiler.get_or_insert_with(|| Profiler::new(Options::default(), Framing::BSON))
    }

    /// Everything so far.
    fn counted(&mut self) -> Result<&Counted, String> {
        if self.profiler.is_some() || self.counted.is_none() {
            self.profiler();
            let new = self.profiler.take().map(Profiler::finish);
            let old = self.counted.take();
            self.counted = match (old, new) {
                (Some(old), Some(new)) => Some(old.merge(new).map_err(|error| error.to_string())?),
                (old, new) => old.or(new),
            };
        }
        self.counted.as_ref().ok_or_else(|| "no profile".to_owned())
    }

    fn bson(&mut self, bytes: &[u8]) -> Result<(), String> {
        let document = AnyDocument::new(Format::Bson, bytes).map_err(|error| error.to_string())?;
        let AnyDocument::Bson(bson) = document else { return Ok(()) };
        let limits = Limits::BSON.with_depth(1024).with_bytes(usize::MAX);
        let source = bson.with(boson_bson::ReadOptions { limits, ..Default::default() });
        let len = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        self.profiler().document(&source, len).map_err(|error| bson.locate(error).to_string())
    }

    fn bytes(
        &mut self,
        format: Format,
        bytes: &[u8],
        to_bson: &mut Converter,
        buffer: &mut Vec<u8>,
    ) -> Result<(), String> {
        if format == Format::Bson {
            return self.bson(bytes);
        }
        buffer.clear();
        let document = AnyDocument::new(format, bytes).map_err(|error| error.to_string())?;
        to_bson.convert(&document, &mut Report::new(), buffer).map_err(|error| error.to_string())?;
        self.bson(buffer)
    }

    /// Takes in the documents of a file; returns how many.
    fn file(&mut self, path: PathBuf) -> Result<u64, Fault> {
        let mut reader = open(path).map_err(Fault::Read)?;
        let format = reader.format().unwrap_or(Format::Bson);
        let (mut to_bson, mut buffer) = (Converter::new(Format::Bson, Policy::default()), Vec::new());
        let mut count: u64 = 0;
        while let Some(document) = reader.next_document().map_err(Fault::Read)? {
            let taken = self.bytes(format, document.bytes, &mut to_bson, &mut buffer);
            taken.map_err(|message| Fault::Document(format!("document {}: {message}", count.saturating_add(1))))?;
            count = count.saturating_add(1);
        }
        Ok(count)
    }
}

impl Profile {
    fn of(counted: Option<Counted>) -> Self {
        Self { state: Mutex::new(State { counted, profiler: None }) }
    }

    fn with<T>(&self, py: Python<'_>, use_it: impl FnOnce(&mut State) -> Result<T, String>) -> PyResult<T> {
        let mut state = self.state.lock().map_err(|_| PyRuntimeError::new_err("an update was stopped before"))?;
        use_it(&mut state).map_err(|message| fault::error(py, Class::Boson, &message))
    }

    fn copied(&self, py: Python<'_>) -> PyResult<Counted> {
        self.with(py, |state| state.counted().cloned())
    }

    fn add(&self, document: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = document.py();
        if marker(document)?.is_some() || is_mapping(document) {
            return with_bson(document, false, None, |bytes| self.with(py, |state| state.bson(bytes)));
        }
        let bytes = bytes_of(document)?;
        let format = detected(py, &bytes)?;
        let mut to_bson = Converter::new(Format::Bson, Policy::default());
        self.with(py, |state| state.bytes(format, &bytes, &mut to_bson, &mut Vec::new()))
    }
}

#[pymethods]
impl Profile {
    #[new]
    #[pyo3(signature = (documents = None))]
    fn new(documents: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let profile = Self::of(None);
        if let Some(documents) = documents {
            profile.update(documents)?;
        }
        Ok(profile)
    }

    /// Takes in one document or many: mappings, or bytes of BSON, OSON or JSON.
    fn update(&self, documents: &Bound<'_, PyAny>) -> PyResult<()> {
        let is_one = is_mapping(documents)
            || documents.is_instance_of::<PyBytes>()
            || documents.is_instance_of::<pyo3::types::PyByteArray>();
        if is_one {
            return self.add(documents);
        }
        for document in documents.try_iter()? {
            self.add(&document?)?;
        }
        Ok(())
    }

    /// Takes in the documents of a file, whose form is told by its content; returns how many. Other threads run meanwhile.
    fn update_file(&self, py: Python<'_>, path: PathBuf) -> PyResult<u64> {
        let taken = py.detach(|| {
            let mut state = self.state.lock().map_err(|_| None)?;
            state.file(path).map_err(Some)
        });
        taken.map_err(|fault| match fault {
            None => PyRuntimeError::new_err("an update was stopped before"),
            Some(Fault::Read(error)) => read_error(py, &error),
            Some(Fault::Document(message)) => fault::error(py, Class::Boson, &message),
        })
    }

    /// Takes in what another profile has seen.
    fn merge(&self, py: Python<'_>, other: &Self) -> PyResult<()> {
        let other = other.copied(py)?;
        self.with(py, |state| {
            let own = state.counted()?.clone();
            state.counted = Some(own.merge(other).map_err(|error| error.to_string())?);
            Ok(())
        })
    }

    /// The profile of what both have seen.
    fn __add__(&self, py: Python<'_>, other: &Self) -> PyResult<Self> {
        let merged = self.copied(py)?.merge(other.copied(py)?);
        Ok(Self::of(Some(merged.map_err(|error| fault::error(py, Class::Boson, &error.to_string()))?)))
    }

    /// How many documents were taken in.
    #[getter]
    fn documents(&self, py: Python<'_>) -> PyResult<u64> {
        self.with(py, |state| Ok(state.counted()?.documents().count()))
    }

    /// Bytes of all documents as BSON.
    #[getter]
    fn total_bytes(&self, py: Python<'_>) -> PyResult<u64> {
        self.with(py, |state| Ok(state.counted()?.documents().total()))
    }

    /// What is stored as something else than it is, most saving first.
    fn findings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let counted = self.copied(py)?;
        let text = py.detach(|| {
            let findings = counted.findings().findings;
            serde_json::to_string(&findings.iter().map(View::new).collect::<Vec<_>>())
        });
        let text = text.map_err(|error| fault::error(py, Class::Boson, &error.to_string()))?;
        py.import("json")?.getattr("loads")?.call1((text,))
    }

    /// Every path, with how often it occurs, the bytes of its names and values, and its types.
    fn paths<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let counted = self.copied(py)?;
        let list = PyList::empty(py);
        for path in counted.paths() {
            let kinds = PyDict::new(py);
            for kind in path.kinds {
                kinds.set_item(kind.kind.name(), kind.count)?;
            }
            let dict = PyDict::new(py);
            dict.set_item("path", path.path.to_string())?;
            dict.set_item("values", path.values)?;
            dict.set_item("documents", path.documents)?;
            dict.set_item("name_bytes", path.bytes.names)?;
            dict.set_item("value_bytes", path.bytes.values)?;
            dict.set_item("distinct", path.distinct)?;
            dict.set_item("types", kinds)?;
            list.append(dict)?;
        }
        Ok(list)
    }

    /// The profile in a compact form of its own, as `boson analyze` saves it.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = self.with(py, |state| state.counted()?.to_bytes().map_err(|error| error.to_string()))?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// The profile that `to_bytes` or `boson analyze` saved.
    #[staticmethod]
    fn from_bytes(data: &Bound<'_, PyAny>) -> PyResult<Self> {
        profile_of_bytes(data)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let restore = py.import("boson._boson")?.getattr("profile_of_bytes")?;
        (restore, (self.to_bytes(py)?,)).into_pyobject(py)
    }

    fn __eq__(&self, py: Python<'_>, other: &Self) -> PyResult<bool> {
        Ok(self.copied(py)? == other.copied(py)?)
    }

    fn __repr__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        let counted = self.copied(py)?;
        let (documents, paths) = (counted.documents().count(), counted.paths().count());
        Ok(PyString::new(py, &format!("<Profile of {documents} documents, {paths} paths>")))
    }
}

/// The profile that was saved as `data`.
#[pyfunction]
pub(crate) fn profile_of_bytes(data: &Bound<'_, PyAny>) -> PyResult<Profile> {
    let counted = Counted::from_bytes(&bytes_of(data)?);
    let counted = counted.map_err(|error| fault::error(data.py(), Class::Boson, &error.to_string()))?;
    Ok(Profile::of(Some(counted)))
}

/// A finding as a dict has it.
#[derive(Serialize)]
struct View {
    path: String,
    is_id: bool,
    stored: &'static str,
    actual: String,
    fits: u64,
    documents: Option<u64>,
    misfits: u64,
    misfit_examples: Vec<String>,
    proposal: ConversionView,
    alternatives: Vec<ConversionView>,
    questions: Vec<String>,
    risk: String,
    reasons: Vec<String>,
}

#[derive(Serialize)]
struct ConversionView {
    target: String,
    saved_bytes: Option<i64>,
    losses: Vec<String>,
}

impl View {
    fn new(finding: &Finding) -> Self {
        Self {
            path: finding.path.to_string(),
            is_id: finding.path.is_id(),
            stored: finding.stored.name(),
            actual: finding.actual.to_string(),
            fits: finding.fits,
            documents: finding.documents,
            misfits: finding.misfits.count,
            misfit_examples: finding.misfits.examples.clone(),
            proposal: ConversionView::new(&finding.proposal),
            alternatives: finding.alternatives.iter().map(ConversionView::new).collect(),
            questions: finding.questions.iter().map(ToString::to_string).collect(),
            risk: finding.risk.to_string(),
            reasons: finding.reasons.iter().map(ToString::to_string).collect(),
        }
    }
}

impl ConversionView {
    fn new(conversion: &Conversion) -> Self {
        Self {
            target: conversion.target.to_string(),
            saved_bytes: conversion.saved_bytes,
            losses: conversion.losses.iter().map(ToString::to_string).collect(),
        }
    }
}
