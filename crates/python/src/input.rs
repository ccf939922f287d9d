//! Bytes that Python hands over.

use std::borrow::Cow;

use pyo3::buffer::PyBuffer;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// The bytes of `data`: those of `bytes` where they are, of anything else that has a buffer a copy, since it may change.
pub(crate) fn bytes_of<'a>(data: &'a Bound<'_, PyAny>) -> PyResult<Cow<'a, [u8]>> {
    if let Ok(bytes) = data.cast::<PyBytes>() {
        return Ok(Cow::Borrowed(bytes.as_bytes()));
    }
    let buffer = PyBuffer::<u8>::get(data).map_err(|_| {
        let found = data.get_type();
        PyTypeError::new_err(format!("expected bytes or another object with a buffer of bytes, found {found}"))
    })?;
    Ok(Cow::Owned(buffer.to_vec(data.py())?))
}

/// The same as a `bytes` object, which is kept.
pub(crate) fn kept<'py>(data: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
    match data.cast_exact::<PyBytes>() {
        Ok(bytes) => Ok(bytes.clone()),
        Err(_) => Ok(PyBytes::new(data.py(), &bytes_of(data)?)),
    }
}
