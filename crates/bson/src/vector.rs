//! Vectors: binary of subtype 9, by MongoDB's specification "BSON Binary Subtype 9 - Vector".
//!
//! The payload is an element type, a count of padding bits and the elements.

use boson_document::{DecodeError, DecodeErrorKind, Rule};

/// How many bytes stand in front of the elements.
const HEADER_BYTES: usize = 2;

const INT8: u8 = 0x03;
const PACKED_BIT: u8 = 0x10;
const FLOAT32: u8 = 0x27;

/// A vector; its elements are read from the payload as they are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vector<'a> {
    /// Signed bytes.
    Int8(Int8s<'a>),
    /// Single-precision numbers.
    Float32(Float32s<'a>),
    /// Single bits.
    PackedBit(PackedBits<'a>),
}

impl<'a> Vector<'a> {
    /// The vector in the payload of binary of subtype 9.
    ///
    /// Padding bits that are not 0 are accepted, because such vectors were written before the specification forbade
    /// it; [`PackedBits::padding_is_zero`] tells.
    ///
    /// # Errors
    ///
    /// `Vector` when the header is cut short, the element type unknown, padding given where there can be none or more
    /// than 7 bits of it, or the elements are not whole; the offset counts within the payload.
    pub fn new(payload: &'a [u8]) -> Result<Self, DecodeError> {
        match payload {
            [INT8, 0, elements @ ..] => Ok(Self::Int8(Int8s(elements))),
            [FLOAT32, 0, elements @ ..] => match elements.as_chunks() {
                (elements, []) => Ok(Self::Float32(Float32s(elements))),
                _ => Err(broken(HEADER_BYTES)),
            },
            [PACKED_BIT, 0] => Ok(Self::PackedBit(PackedBits { bytes: &[], padding: 0 })),
            [PACKED_BIT, padding @ 0..=7, bytes @ ..] if !bytes.is_empty() => {
                Ok(Self::PackedBit(PackedBits { bytes, padding: *padding }))
            }
            [INT8 | FLOAT32 | PACKED_BIT, ..] => Err(broken(1)),
            _ => Err(broken(0)),
        }
    }

    /// How many elements it has.
    pub fn len(&self) -> usize {
        match self {
            Self::Int8(elements) => elements.0.len(),
            Self::Float32(elements) => elements.0.len(),
            Self::PackedBit(bits) => bits.len(),
        }
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

#[cold]
fn broken(offset: usize) -> DecodeError {
    DecodeError::new(offset, DecodeErrorKind::Broken(Rule::Vector))
}

/// The elements of a vector of signed bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Int8s<'a>(&'a [u8]);

impl<'a> Int8s<'a> {
    /// The elements in order.
    pub fn iter(self) -> impl ExactSizeIterator<Item = i8> + 'a {
        self.0.iter().map(|&byte| i8::from_le_bytes([byte]))
    }
}

/// The elements of a vector of single-precision numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Float32s<'a>(&'a [[u8; 4]]);

impl<'a> Float32s<'a> {
    /// The elements in order.
    pub fn iter(self) -> impl ExactSizeIterator<Item = f32> + 'a {
        self.0.iter().map(|&bytes| f32::from_le_bytes(bytes))
    }
}

/// The elements of a vector of bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PackedBits<'a> {
    bytes: &'a [u8],
    padding: u8,
}

impl<'a> PackedBits<'a> {
    /// The bytes that hold the bits, the first bit on top.
    pub const fn bytes(self) -> &'a [u8] {
        self.bytes
    }

    /// How many of the last byte's lowest bits are no elements, 0 to 7.
    pub const fn padding(self) -> u8 {
        self.padding
    }

    /// Whether the bits that are no elements are 0, as the specification asks of whoever writes them.
    pub fn padding_is_zero(self) -> bool {
        self.bytes.last().is_none_or(|last| last.trailing_zeros() >= u32::from(self.padding))
    }

    /// The elements in order.
    pub fn iter(self) -> impl Iterator<Item = bool> + 'a {
        let bits = self.bytes.iter().flat_map(|&byte| (0..8).map(move |place| byte & (0x80 >> place) != 0));
        bits.take(self.len())
    }

    fn len(self) -> usize {
        self.bytes.len().saturating_mul(8).saturating_sub(usize::from(self.padding))
    }
}

/// The payload of a vector of signed bytes.
pub fn int8_payload(elements: &[i8]) -> Vec<u8> {
    payload(INT8, 0, elements.iter().map(|element| element.to_le_bytes()))
}

/// The payload of a vector of single-precision numbers.
pub fn float32_payload(elements: &[f32]) -> Vec<u8> {
    payload(FLOAT32, 0, elements.iter().map(|element| element.to_le_bytes()))
}

/// The payload of a vector of bits that lie in `bytes` as in [`PackedBits::bytes`]; `None` when `padding` is above 7, or
/// there are no bytes to pad, or the padded bits are not 0.
pub fn packed_bit_payload(bytes: &[u8], padding: u8) -> Option<Vec<u8>> {
    let bits = PackedBits { bytes, padding };
    let valid = padding <= 7 && (padding == 0 || !bytes.is_empty()) && bits.padding_is_zero();
    valid.then(|| payload(PACKED_BIT, padding, bytes.iter().map(|&byte| [byte])))
}

fn payload<const N: usize>(kind: u8, padding: u8, elements: impl Iterator<Item = [u8; N]>) -> Vec<u8> {
    [kind, padding].into_iter().chain(elements.flatten()).collect()
}
