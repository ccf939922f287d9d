//! `boson.oson`: what is written in Rust of it.

mod decoder;
mod edit;
mod encoder;
mod numbers;
mod objects;
mod raw;
mod vectors;

use std::sync::Mutex;

use boson_document::Limits;
use boson_oson::write::{Options, Style, Writer};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

pub(crate) use edit::OsonEditor;
pub(crate) use raw::{RawDocument, oson_raw_at};

use crate::input::bytes_of;
use crate::types::Types;
use decoder::{DEPTH_MAX, Wanted};
use encoder::Encoder;

/// A writer and its output buffer that no call is using; their memory is used again.
struct Idle {
    style: Style,
    keep_order: bool,
    writer: Writer,
    out: Vec<u8>,
}

static IDLE: Mutex<Vec<Idle>> = Mutex::new(Vec::new());
/// What has written an image larger than this is not kept.
const KEPT_BYTES_MAX: usize = 1 << 20;

impl Idle {
    fn borrow(style: Style, keep_order: bool) -> Self {
        let mut found = None;
        if let Ok(mut idle) = IDLE.lock()
            && let Some(at) = idle.iter().position(|idle| idle.style == style && idle.keep_order == keep_order)
        {
            found = Some(idle.swap_remove(at));
        }
        found.unwrap_or_else(|| {
            // The bounds of a database are its own business: whoever writes to a file has none but those of offsets.
            let limits = Limits { depth: DEPTH_MAX, nodes: u64::MAX, bytes: usize::MAX };
            let options = Options { style, keep_order, limits, ..Options::default() };
            Self { style, keep_order, writer: Writer::new(&options), out: Vec::new() }
        })
    }

    fn give_back(mut self) {
        if self.out.len() > KEPT_BYTES_MAX {
            return;
        }
        self.out.clear();
        if let Ok(mut idle) = IDLE.lock()
            && idle.len() < 6
        {
            idle.push(self);
        }
    }
}

pub(crate) fn style_of(style: &str) -> PyResult<Style> {
    match style {
        "driver" => Ok(Style::Driver),
        "compact" => Ok(Style::Compact),
        other => Err(PyValueError::new_err(format!("style={other:?}: expected 'driver' or 'compact'"))),
    }
}

/// `value` as an OSON image.
#[pyfunction]
#[pyo3(signature = (value, *, style = "driver", keep_order = false))]
pub(crate) fn oson_encode<'py>(
    value: &Bound<'py, PyAny>,
    style: &str,
    keep_order: bool,
) -> PyResult<Bound<'py, PyBytes>> {
    let py = value.py();
    with_oson(value, style_of(style)?, keep_order, |image| Ok(PyBytes::new(py, image)))
}

/// Hands the image of `value` to `take`.
pub(crate) fn with_oson<T>(
    value: &Bound<'_, PyAny>,
    style: Style,
    keep_order: bool,
    take: impl FnOnce(&[u8]) -> PyResult<T>,
) -> PyResult<T> {
    let types = Types::get(value.py())?;
    let mut idle = Idle::borrow(style, keep_order);
    // A writer that failed in the middle of a document is dropped with it.
    Encoder::new(&mut idle.writer, style, types).encode(value, &mut idle.out)?;
    let taken = take(&idle.out);
    idle.give_back();
    taken
}

/// The value of the OSON image `data`.
#[pyfunction]
#[pyo3(signature = (data, *, numbers = "decimal", tz_aware = false))]
pub(crate) fn oson_decode<'py>(data: &Bound<'py, PyAny>, numbers: &str, tz_aware: bool) -> PyResult<Bound<'py, PyAny>> {
    let bytes = bytes_of(data)?;
    decoder::decode(data.py(), &bytes, Wanted::of(numbers, tz_aware)?)
}
