//! Oracle's VECTOR images, which hold numbers for similarity search: read and put together. They stand in OSON after opcode
//! 0x7B 0x01, and are what [`Scalar::OracleVector`] holds; docs/format/oson.md has the layout.

use crate::bytes::ByteSource;
use crate::comparable::{decode_double, decode_float, encode_double, encode_float};
use crate::error::{DecodeError, DecodeErrorKind, Rule};
use crate::scalar::Scalar;

const MAGIC: u8 = 0xDB;

/// Version of float and int8 vectors.
const VERSION_BASE: u8 = 0;
const VERSION_BINARY: u8 = 1;
const VERSION_SPARSE: u8 = 2;

/// Flag: eight bytes of norm follow the element count.
const NORM: u16 = 0x0002;
/// Flag: eight bytes are reserved for the norm.
const NORM_RESERVED: u16 = 0x0010;
/// Flag: indices stand before the values.
const SPARSE: u16 = 0x0020;

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

/// A view of a VECTOR image.
///
/// ```
/// use boson_document::vector::{Vector, VectorFormat};
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
        let [magic, version, flags_high, flags_low, format, d3, d2, d1, d0] = image.array(0)?;
        if magic != MAGIC || version > VERSION_SPARSE {
            return Err(broken(0));
        }
        let flags = u16::from_be_bytes([flags_high, flags_low]);
        if flags & !(NORM | NORM_RESERVED | SPARSE) != 0 {
            return Err(broken(2));
        }
        let format = VectorFormat::of(format).ok_or_else(|| broken(4))?;
        let dimensions = u32::from_be_bytes([d3, d2, d1, d0]);
        let (norm, at) = read_norm(image, flags)?;
        let (indices, at) = match flags & SPARSE {
            0 => (None, at),
            // Oracle has none, so nobody says whether its indices would count bits.
            _ if format == VectorFormat::Binary => return Err(broken(4)),
            _ => read_indices(image, at, dimensions).map(|(indices, at)| (Some(indices), at))?,
        };
        let elements = image.bytes(at..image.len())?;
        let count = indices.map_or(widen(dimensions), <[_]>::len);
        if format.elements_len(count) != elements.len() {
            return Err(broken(at));
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

    /// The stored elements as leaves of their own types; of a binary vector eight bits each, as a number of 0 to 255, which
    /// is how Oracle shows them.
    pub fn leaves(&self) -> impl ExactSizeIterator<Item = Scalar<'static>> + use<'a> {
        let format = self.format;
        self.elements.chunks_exact(format.width()).map(move |element| format.leaf(element))
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
    const ALL: [Self; 4] = [Self::Float32, Self::Float64, Self::Int8, Self::Binary];

    /// The name that Oracle has for it, in lower case: `float32`, `float64`, `int8` or `binary`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Float32 => "float32",
            Self::Float64 => "float64",
            Self::Int8 => "int8",
            Self::Binary => "binary",
        }
    }

    /// The format of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }

    const fn byte(self) -> u8 {
        match self {
            Self::Float32 => 2,
            Self::Float64 => 3,
            Self::Int8 => 4,
            Self::Binary => 5,
        }
    }

    fn of(byte: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.byte() == byte)
    }

    /// How many bytes an element takes; of a binary vector eight of them.
    pub const fn width(self) -> usize {
        match self {
            Self::Float32 => 4,
            Self::Float64 => 8,
            Self::Int8 | Self::Binary => 1,
        }
    }

    /// How many bytes `count` elements take.
    const fn elements_len(self, count: usize) -> usize {
        match self {
            Self::Binary => count.div_ceil(8),
            _ => count.saturating_mul(self.width()),
        }
    }

    /// The element in `bytes`, which are as many as the width.
    fn leaf(self, bytes: &[u8]) -> Scalar<'static> {
        match *bytes {
            [byte] if self == Self::Int8 => Scalar::Int32(i8::from_be_bytes([byte]).into()),
            [byte] => Scalar::Int32(byte.into()),
            [a, b, c, d] => Scalar::Float(decode_float([a, b, c, d])),
            _ => Scalar::Double(decode_double(bytes.first_chunk().copied().unwrap_or_default())),
        }
    }
}

#[cold]
const fn broken(offset: usize) -> DecodeError {
    DecodeError::new(offset, DecodeErrorKind::Broken(Rule::Vector))
}

/// The same number; on a machine whose addresses have 16 bits the largest there is, and more than any slice has.
fn widen(count: u32) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX)
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
fn read_indices(image: &[u8], at: usize, dimensions: u32) -> Result<(&[[u8; 4]], usize), DecodeError> {
    let count = u16::from_be_bytes(image.array(at)?);
    let start = at.saturating_add(2);
    let end = start.saturating_add(usize::from(count).saturating_mul(4));
    let (indices, _) = image.bytes(start..end)?.as_chunks::<4>();
    if indices.iter().any(|index| u32::from_be_bytes(*index) >= dimensions) {
        return Err(broken(start));
    }
    Ok((indices, end))
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

/// Puts a VECTOR image together, element by element, at the end of a buffer.
#[derive(Debug)]
pub struct VectorWriter<'b> {
    image: &'b mut Vec<u8>,
    format: VectorFormat,
}

impl<'b> VectorWriter<'b> {
    /// An image of `count` elements, of a binary vector eight bits each; with `sparse` the number of dimensions, and which
    /// of them the elements belong to. Room for the norm is left and holds 0, as drivers leave it.
    ///
    /// `None` when there are more than the format can count, and for a sparse binary vector. The count is not checked
    /// against what is pushed.
    pub fn new(
        format: VectorFormat,
        count: usize,
        sparse: Option<(u32, &[u32])>,
        image: &'b mut Vec<u8>,
    ) -> Option<Self> {
        let count = u32::try_from(count).ok()?;
        let (version, flags, dimensions) = match (sparse, format) {
            (Some(_), VectorFormat::Binary) => return None,
            (Some((dimensions, _)), _) => (VERSION_SPARSE, NORM | NORM_RESERVED | SPARSE, dimensions),
            (None, VectorFormat::Binary) => (VERSION_BINARY, NORM_RESERVED, count.checked_mul(8)?),
            (None, _) => (VERSION_BASE, NORM | NORM_RESERVED, count),
        };
        let index_count = sparse.map(|(_, indices)| u16::try_from(indices.len())).transpose().ok()?;
        image.extend_from_slice(&[MAGIC, version]);
        image.extend_from_slice(&flags.to_be_bytes());
        image.push(format.byte());
        image.extend_from_slice(&dimensions.to_be_bytes());
        image.extend_from_slice(&[0; 8]);
        if let (Some((_, indices)), Some(index_count)) = (sparse, index_count) {
            image.extend_from_slice(&index_count.to_be_bytes());
            image.extend(indices.iter().flat_map(|index| index.to_be_bytes()));
        }
        Some(Self { image, format })
    }

    /// Adds elements that are bytes as the format has them: comparable floats, signed bytes, eight bits each. Returns false,
    /// and adds nothing, when they are no whole number of elements.
    pub fn push_bytes(&mut self, elements: &[u8]) -> bool {
        let whole = elements.len().checked_rem(self.format.width()) == Some(0);
        if whole {
            self.image.extend_from_slice(elements);
        }
        whole
    }

    /// Adds the number of the text `text`, as Rust reads it; false when the format does not hold it.
    pub fn push(&mut self, text: &str) -> bool {
        let added = match self.format {
            VectorFormat::Float32 => text.parse().ok().map(|value| self.image.extend(encode_float(value))),
            VectorFormat::Float64 => text.parse().ok().map(|value| self.image.extend(encode_double(value))),
            VectorFormat::Int8 => text.parse::<i8>().ok().map(|value| self.image.extend(value.to_be_bytes())),
            VectorFormat::Binary => text.parse::<u8>().ok().map(|value| self.image.push(value)),
        };
        added.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_together_is_read() {
        let mut image = Vec::new();
        let mut writer = VectorWriter::new(VectorFormat::Float32, 2, Some((10, &[1, 9])), &mut image).unwrap();
        assert!(writer.push("1.5") && writer.push("-Infinity") && !writer.push("x"));
        // Version 2, flags 0x0032, float32, 10 dimensions, room for the norm, two indices, two comparable floats.
        let expected = [
            &[0xDB, 2, 0, 0x32, 2, 0, 0, 0, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 9][..],
            &[0xBF, 0xC0, 0, 0, 0x00, 0x7F, 0xFF, 0xFF],
        ];
        assert_eq!(image, expected.concat());
        let vector = Vector::new(&image).unwrap();
        assert!(vector.indices().eq([1, 9]));
        assert!(vector.leaves().eq([Scalar::Float(1.5), Scalar::Float(f32::NEG_INFINITY)]));
    }

    #[test]
    fn a_sparse_binary_vector_is_neither_written_nor_read() {
        assert!(VectorWriter::new(VectorFormat::Binary, 1, Some((8, &[0])), &mut Vec::new()).is_none());
        let image = [0xDB, 2, 0, 0x20, 5, 0, 0, 0, 8, 0, 1, 0, 0, 0, 0, 1];
        assert_eq!(Vector::new(&image).unwrap_err(), broken(4));
    }

    #[test]
    fn eight_bits_are_one_leaf() {
        let mut image = Vec::new();
        let mut writer = VectorWriter::new(VectorFormat::Binary, 2, None, &mut image).unwrap();
        assert!(writer.push("1") && writer.push("255") && !writer.push("256"));
        let vector = Vector::new(&image).unwrap();
        assert_eq!((vector.dimensions(), vector.values().len()), (16, 16));
        assert!(vector.leaves().eq([Scalar::Int32(1), Scalar::Int32(255)]));
    }
}
