//! The documents of a file, one after the other.

use std::path::PathBuf;
use std::sync::Mutex;

use boson_bson::Document;
use boson_store::{DocumentReader, Framing, Location, ReadError, ReadFault, ReadOptions, Reader};
use boson_transcode::{AnyDocument, Converter, Format, Policy, Report};
use pyo3::exceptions::{PyFileNotFoundError, PyOSError, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::decoder::Decoder;
use super::options::DocumentClass;
use super::{Options, opened};
use crate::fault::{self, Class};
use crate::types::Types;

/// Reads a file without the GIL, and decodes with it.
#[pyclass(frozen, module = "boson.bson")]
pub(crate) struct FileIterator {
    file: Mutex<File>,
    options: std::sync::Arc<Options>,
}

/// An open file, the document that was read last, and how to make BSON of other formats.
struct File {
    reader: DocumentReader,
    document: Vec<u8>,
    to_bson: Converter,
}

/// The documents of the file `path`: BSON as mongodump writes it, OSON images or JSON, plain or compressed with gzip or
/// zstd, told by their content.
#[pyfunction]
#[pyo3(signature = (path, codec_options = None))]
pub(crate) fn bson_iter_path(
    path: PathBuf,
    codec_options: Option<&Bound<'_, PyAny>>,
    py: Python<'_>,
) -> PyResult<FileIterator> {
    let options = Options::of(codec_options)?;
    let reader = py.detach(|| open(path)).map_err(|error| read_error(py, &error))?;
    let file = File { reader, document: Vec::new(), to_bson: Converter::new(Format::Bson, Policy::default()) };
    Ok(FileIterator { file: Mutex::new(file), options })
}

/// Opens a file, an empty one as one without documents.
pub(crate) fn open(path: PathBuf) -> Result<DocumentReader, ReadError> {
    DocumentReader::open(&Location::File(path), &ReadOptions::default())
}

/// The exception for a file that cannot be read.
pub(crate) fn read_error(py: Python<'_>, error: &ReadError) -> PyErr {
    match error.fault() {
        ReadFault::Open(cause) if cause.kind() == std::io::ErrorKind::NotFound => {
            PyFileNotFoundError::new_err(error.to_string())
        }
        ReadFault::Open(_) | ReadFault::Io(_) => PyOSError::new_err(error.to_string()),
        _ => fault::error(py, Class::Boson, &error.to_string()),
    }
}

impl File {
    /// Reads the next document; false after the last.
    fn advance(&mut self) -> Result<bool, FileFault> {
        let format = self.reader.framing().map_or(Format::Bson, Framing::format);
        let Some(document) = self.reader.next_document().map_err(FileFault::Read)? else { return Ok(false) };
        self.document.clear();
        if format == Format::Bson {
            self.document.extend_from_slice(document.bytes);
            return Ok(true);
        }
        let source = AnyDocument::new(format, document.bytes).map_err(|error| FileFault::Convert(error.to_string()))?;
        let converted = self.to_bson.convert(&source, &mut Report::new(), &mut self.document);
        converted.map_err(|error| FileFault::Convert(error.to_string()))?;
        Ok(true)
    }
}

enum FileFault {
    Read(ReadError),
    Convert(String),
}

#[pymethods]
impl FileIterator {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let mut bytes = Vec::new();
        let found = py.detach(|| {
            let mut file = self.file.lock().map_err(|_| None)?;
            let found = file.advance().map_err(Some)?;
            std::mem::swap(&mut bytes, &mut file.document);
            Ok(found)
        });
        match found {
            Ok(false) => Ok(None),
            Ok(true) => self.decoded(py, &bytes).map(Some),
            Err(Some(FileFault::Read(error))) => Err(read_error(py, &error)),
            Err(Some(FileFault::Convert(message))) => Err(fault::error(py, Class::Boson, &message)),
            Err(None) => Err(PyRuntimeError::new_err("reading was stopped before")),
        }
    }
}

impl FileIterator {
    fn decoded<'py>(&self, py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyAny>> {
        let document: Document<'_> = opened(py, bytes)?;
        if let DocumentClass::Raw(class) = &self.options.document_class {
            let source = self.options.source.as_ref().map(|source| source.bind(py));
            return class.bind(py).call1((PyBytes::new(py, bytes), source));
        }
        let mut decoder = Decoder::new(py, Types::get(py)?, &self.options);
        let object = decoder.decode(document);
        decoder.finish();
        object
    }
}
