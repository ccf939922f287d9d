//! `boson.bson`: what is written in Rust of it.

mod decoder;
mod encoder;
mod extended;
mod files;
mod options;
mod raw;

use std::sync::Mutex;

use boson_bson::{Document, Writer};
use boson_document::PathBuf;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};

pub(crate) use extended::{bson_dumps, bson_is_valid, bson_loads, decimal128_of_text, decimal128_to_text, raised};
pub(crate) use files::{FileIterator, bson_iter_path, open, read_error};
pub(crate) use options::Options;
pub(crate) use raw::RawDocument;

use crate::fault::{Family, Fault};
use crate::input::{bytes_of, kept};
use crate::types::Types;
use decoder::Decoder;
use encoder::Encoder;
use options::DocumentClass;

/// Writers that no call is using; their memory is used again.
static IDLE: Mutex<Vec<Writer>> = Mutex::new(Vec::new());
/// A writer that has grown beyond this is not kept.
const KEPT_BYTES_MAX: usize = 1 << 20;

/// `document` as BSON.
#[pyfunction]
#[pyo3(signature = (document, check_keys = false, codec_options = None))]
pub(crate) fn bson_encode<'py>(
    document: &Bound<'py, PyAny>,
    check_keys: bool,
    codec_options: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyBytes>> {
    let py = document.py();
    with_bson(document, check_keys, codec_options, |bytes| Ok(PyBytes::new(py, bytes)))
}

/// Hands the BSON of `document` to `take`.
pub(crate) fn with_bson<T>(
    document: &Bound<'_, PyAny>,
    check_keys: bool,
    codec_options: Option<&Bound<'_, PyAny>>,
    take: impl FnOnce(&[u8]) -> PyResult<T>,
) -> PyResult<T> {
    let (types, options) = (Types::get(document.py())?, Options::of(codec_options)?);
    let writer = IDLE.lock().ok().and_then(|mut idle| idle.pop()).unwrap_or_default();
    let mut encoder = Encoder::new(writer, types, &options, check_keys);
    encoder.encode(document)?;
    let taken = take(encoder.as_bytes());
    let mut writer = encoder.into_writer();
    if writer.as_bytes().len() <= KEPT_BYTES_MAX
        && let Ok(mut idle) = IDLE.lock()
        && idle.len() < 4
    {
        writer.clear();
        idle.push(writer);
    }
    taken
}

/// The document that `data` is.
#[pyfunction]
#[pyo3(signature = (data, codec_options = None))]
pub(crate) fn bson_decode<'py>(
    data: &Bound<'py, PyAny>,
    codec_options: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let (py, options) = (data.py(), Options::of(codec_options)?);
    let bytes = bytes_of(data)?;
    let document = opened(py, &bytes)?;
    if let DocumentClass::Raw(class) = &options.document_class {
        return class.bind(py).call1((kept(data)?, codec_options));
    }
    let mut decoder = Decoder::new(py, Types::get(py)?, &options);
    let object = decoder.decode(document);
    decoder.finish();
    object
}

fn opened<'a>(py: Python<'_>, bytes: &'a [u8]) -> PyResult<Document<'a>> {
    Document::new(bytes)
        .map_err(|error| Fault::Decode(error).into_error(py, Family::Bson, |error| error.at(PathBuf::new())))
}

/// All documents of `data`, which has them one after another.
#[pyfunction]
#[pyo3(signature = (data, codec_options = None))]
pub(crate) fn bson_decode_all<'py>(
    data: &Bound<'py, PyAny>,
    codec_options: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyList>> {
    let (py, options) = (data.py(), Options::of(codec_options)?);
    let bytes = bytes_of(data)?;
    let documents = PyList::empty(py);
    let mut decoder = Decoder::new(py, Types::get(py)?, &options);
    let mut rest = bytes.as_ref();
    let mut failed = None;
    while !rest.is_empty() {
        let base = bytes.len().saturating_sub(rest.len());
        match next(py, &mut decoder, &options, codec_options, rest, base) {
            Ok((document, left)) => {
                documents.append(document)?;
                rest = left;
            }
            Err(error) => {
                failed = Some(error);
                break;
            }
        }
    }
    decoder.finish();
    failed.map_or(Ok(documents), Err)
}

/// The first document of `rest`, which begins `base` bytes after the first of all, and what follows it.
fn next<'a, 'py>(
    py: Python<'py>,
    decoder: &mut Decoder<'_, 'py>,
    options: &Options,
    codec_options: Option<&Bound<'py, PyAny>>,
    rest: &'a [u8],
    base: usize,
) -> PyResult<(Bound<'py, PyAny>, &'a [u8])> {
    let (document, left) = Document::split_first(rest).map_err(|error| {
        let error = Fault::Decode(error.shifted(base));
        error.into_error(py, Family::Bson, |error| error.at(PathBuf::new()))
    })?;
    let object = match &options.document_class {
        DocumentClass::Raw(class) => class.bind(py).call1((PyBytes::new(py, document.bytes()), codec_options)),
        _ => decoder.decode_at(document, base),
    }?;
    Ok((object, left))
}
