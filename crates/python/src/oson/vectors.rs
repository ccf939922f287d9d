//! Vectors: `array.array` of f, d, b and B, and `SparseVector`.

use boson_document::comparable::{encode_double, encode_float};
use boson_document::vector::{Vector, VectorFormat, VectorWriter};
use boson_document::{DecodeError, Scalar};
use pyo3::buffer::PyBuffer;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::fault::Fault;
use crate::types::Types;

/// Appends the image of the array `value`; false when it is of a type that vectors do not have.
pub(super) fn put_array(value: &Bound<'_, PyAny>, image: &mut Vec<u8>) -> PyResult<bool> {
    put(value, None, image)
}

/// Appends the image of a `SparseVector`.
pub(super) fn put_sparse(value: &Bound<'_, PyAny>, image: &mut Vec<u8>) -> PyResult<bool> {
    let py = value.py();
    let dimensions = value.getattr(intern!(py, "num_dimensions"))?.extract()?;
    let indices: Vec<u32> = value.getattr(intern!(py, "indices"))?.extract()?;
    put(&value.getattr(intern!(py, "values"))?, Some((dimensions, &indices)), image)
}

fn put(value: &Bound<'_, PyAny>, sparse: Option<(u32, &[u32])>, image: &mut Vec<u8>) -> PyResult<bool> {
    let Some((format, elements)) = elements(value)? else { return Ok(false) };
    let count = elements.len() / format.width();
    let Some(mut writer) = VectorWriter::new(format, count, sparse, image) else { return Ok(false) };
    Ok(writer.push_bytes(&elements))
}

/// The elements of an array as vectors have them.
fn elements(value: &Bound<'_, PyAny>) -> PyResult<Option<(VectorFormat, Vec<u8>)>> {
    let py = value.py();
    let code: String = value.getattr(intern!(py, "typecode"))?.extract()?;
    Ok(Some(match code.as_str() {
        "f" => {
            let elements = PyBuffer::<f32>::get(value)?.to_vec(py)?;
            (VectorFormat::Float32, elements.into_iter().flat_map(encode_float).collect())
        }
        "d" => {
            let elements = PyBuffer::<f64>::get(value)?.to_vec(py)?;
            (VectorFormat::Float64, elements.into_iter().flat_map(encode_double).collect())
        }
        "b" => {
            let elements = PyBuffer::<i8>::get(value)?.to_vec(py)?;
            (VectorFormat::Int8, elements.into_iter().flat_map(i8::to_be_bytes).collect())
        }
        "B" => (VectorFormat::Binary, PyBuffer::<u8>::get(value)?.to_vec(py)?),
        _ => return Ok(None),
    }))
}

/// The object for a vector image.
pub(super) fn object<'py>(py: Python<'py>, types: &Types, image: &[u8]) -> Result<Bound<'py, PyAny>, Fault> {
    let vector = Vector::new(image).map_err(|error: DecodeError| Fault::Decode(error))?;
    let code = match vector.format() {
        VectorFormat::Float32 => "f",
        VectorFormat::Float64 => "d",
        VectorFormat::Int8 => "b",
        VectorFormat::Binary => "B",
    };
    let values = array(py, types, code, &native(&vector))?;
    if !vector.is_sparse() {
        return Ok(values);
    }
    let indices: Vec<u8> = vector.indices().flat_map(u32::to_ne_bytes).collect();
    let indices = array(py, types, "I", &indices)?;
    Ok(types.sparse_vector.bind(py).call1((vector.dimensions(), indices, values))?)
}

fn array<'py>(py: Python<'py>, types: &Types, code: &str, bytes: &[u8]) -> PyResult<Bound<'py, PyAny>> {
    types.array.bind(py).call1((code, PyBytes::new(py, bytes)))
}

/// The elements as they lie in the memory of this machine.
fn native(vector: &Vector<'_>) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(vector.element_bytes().len());
    for leaf in vector.leaves() {
        match leaf {
            Scalar::Float(value) => bytes.extend(value.to_ne_bytes()),
            Scalar::Double(value) => bytes.extend(value.to_ne_bytes()),
            // Int8, and bits, eight in a byte: what is written is the lowest byte.
            Scalar::Int32(value) => bytes.extend(value.to_le_bytes().first()),
            _ => {}
        }
    }
    bytes
}
