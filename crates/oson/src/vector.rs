//! VECTOR images: arrays of numbers for similarity search, as they stand after opcode 0x7B 0x01.

use boson_document::{ByteSource, DecodeError, Rule};

use crate::fault;
use crate::float::{decode_double, decode_float};
use crate::tag::vector::{BINARY, FLOAT32, FLOAT64, INT8, MAGIC, NORM, NORM_RESERVED, SPARSE, VERSION_SPARSE};
use crate::width::{ub1, ub2, ub4, widen};

/// Magic, version, flags, format and element count.
const FIXED_LEN: usize = 9;

/// What the elements of a vector are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VectorFormat {
    /// `BINARY_FLOAT`.
    Float32,
    /// `BINARY_DOUBLE`.
    Float64,
    /// Signed bytes.
    Int8,
    /// Bits, eight to a byte, the first in the highest bit.
    Binary,
}

/// A view of the VECTOR image that [`Scalar::OracleVector`](boson_document::Scalar::OracleVector) holds.
///
/// ```
/// use boson_oson::{Vector, VectorFormat};
///
/// // Made by python-oracledb: array.array("b", [1, -2, 3]).
/// let image = [0xDB, 0, 0, 0x10, 4, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0xFE, 3];
/// let vector = Vector::new(&image)?;
/// assert_eq!((vector.format(), vector.dimensions(), vector.norm()), (VectorFormat::Int8, 3, None));
/// assert!(vector.values().eq([1.0, -2.0, 3.0]));
/// # Ok::<(), boson_document::DecodeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Vector<'a> {
    format: VectorFormat,
    dimensions: u32,
    norm: Option<f64>,
    indices: Option<&'a [[u8; 4]]>,
    elements: &'a [u8],
}

impl<'a> Vector<'a> {
    /// Checks the image: its header, its indices, and that its elements fill it exactly.
    ///
    /// # Errors
    ///
    /// `Rule::Vector`, also for versions above 2 and flags that the format does not describe; `UnexpectedEnd`. Offsets
    /// count from the first byte of the vector image.
    pub fn new(image: &'a [u8]) -> Result<Self, DecodeError> {
        let flags = ub2(image, 2)?;
        if ub1(image, 0)? != MAGIC || ub1(image, 1)? > VERSION_SPARSE {
            return Err(fault::broken(0, Rule::Vector));
        }
        if flags & !(NORM | NORM_RESERVED | SPARSE) != 0 {
            return Err(fault::broken(2, Rule::Vector));
        }
        let format = VectorFormat::of(ub1(image, 4)?).ok_or_else(|| fault::broken(4, Rule::Vector))?;
        let dimensions = ub4(image, 5)?;
        let (norm, at) = read_norm(image, flags)?;
        let (indices, at) = if flags & SPARSE == 0 { (None, at) } else { read_indices(image, at, dimensions)? };
        let elements = image.bytes(at..image.len())?;
        let count = indices.map_or(widen(dimensions), <[_]>::len);
        if format.elements_len(count) != elements.len() {
            return Err(fault::broken(at, Rule::Vector));
        }
        Ok(Self { format, dimensions, norm, indices, elements })
    }

    /// What the elements are.
    pub const fn format(&self) -> VectorFormat {
        self.format
    }

    /// How many dimensions the vector has: elements, those left out of a sparse vector included; bits of a binary one.
    pub const fn dimensions(&self) -> u32 {
        self.dimensions
    }

    /// The Euclidean norm, where it is stored.
    pub const fn norm(&self) -> Option<f64> {
        self.norm
    }

    /// Whether only the elements at [`indices`](Self::indices) are stored; the others are 0.
    pub const fn is_sparse(&self) -> bool {
        self.indices.is_some()
    }

    /// The dimensions that the stored elements belong to, counted from 0; none where every element is stored.
    pub fn indices(&self) -> impl ExactSizeIterator<Item = u32> + use<'a> {
        self.indices.unwrap_or_default().iter().map(|index| u32::from_be_bytes(*index))
    }

    /// The stored elements, each exactly; bits as 0 and 1.
    pub fn values(&self) -> Values<'a> {
        Values { format: self.format, rest: self.elements, bits: 0, bit_count: 0, left: self.stored() }
    }

    /// The bytes of the stored elements: comparable floats, signed bytes, or bits.
    pub const fn element_bytes(&self) -> &'a [u8] {
        self.elements
    }

    fn stored(&self) -> usize {
        self.indices.map_or(widen(self.dimensions), <[_]>::len)
    }
}

impl VectorFormat {
    const fn of(format: u8) -> Option<Self> {
        match format {
            FLOAT32 => Some(Self::Float32),
            FLOAT64 => Some(Self::Float64),
            INT8 => Some(Self::Int8),
            BINARY => Some(Self::Binary),
            _ => None,
        }
    }

    /// How many bytes `count` elements take.
    const fn elements_len(self, count: usize) -> usize {
        match self {
            Self::Float32 => count.saturating_mul(4),
            Self::Float64 => count.saturating_mul(8),
            Self::Int8 => count,
            Self::Binary => count.div_ceil(8),
        }
    }
}

/// The norm, and where what follows it stands. A norm that is only reserved has room and no meaning.
fn read_norm(image: &[u8], flags: u16) -> Result<(Option<f64>, usize), DecodeError> {
    if flags & (NORM | NORM_RESERVED) == 0 {
        return Ok((None, FIXED_LEN));
    }
    let norm = decode_double(image.array(FIXED_LEN)?);
    Ok(((flags & NORM != 0).then_some(norm), FIXED_LEN.saturating_add(8)))
}

/// The indices of a sparse vector, and where its values begin.
#[expect(clippy::type_complexity, reason = "the first half is a field of Vector")]
fn read_indices(image: &[u8], at: usize, dimensions: u32) -> Result<(Option<&[[u8; 4]]>, usize), DecodeError> {
    let start = at.saturating_add(2);
    let end = start.saturating_add(usize::from(ub2(image, at)?).saturating_mul(4));
    let (indices, _) = image.bytes(start..end)?.as_chunks::<4>();
    if indices.iter().any(|index| u32::from_be_bytes(*index) >= dimensions) {
        return Err(fault::broken(start, Rule::Vector));
    }
    Ok((Some(indices), end))
}

/// The stored elements of a [`Vector`].
#[derive(Clone, Debug)]
pub struct Values<'a> {
    format: VectorFormat,
    rest: &'a [u8],
    /// The bits of a binary vector that are left of the byte at hand, the next one highest.
    bits: u8,
    bit_count: u8,
    left: usize,
}

impl Values<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (bytes, rest) = self.rest.split_first_chunk::<N>()?;
        self.rest = rest;
        Some(*bytes)
    }

    fn bit(&mut self) -> Option<f64> {
        if self.bit_count == 0 {
            [self.bits] = self.take()?;
            self.bit_count = 8;
        }
        let bit = self.bits >> 7;
        self.bits <<= 1;
        self.bit_count = self.bit_count.wrapping_sub(1);
        Some(f64::from(bit))
    }
}

impl Iterator for Values<'_> {
    type Item = f64;

    fn next(&mut self) -> Option<f64> {
        self.left = self.left.checked_sub(1)?;
        match self.format {
            VectorFormat::Float32 => self.take().map(|bytes| f64::from(decode_float(bytes))),
            VectorFormat::Float64 => self.take().map(decode_double),
            VectorFormat::Int8 => self.take().map(|bytes| f64::from(i8::from_be_bytes(bytes))),
            VectorFormat::Binary => self.bit(),
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for Values<'_> {}
