//! VECTOR images of Oracle as numbers, and numbers as images; docs/format/oson.md has the layout.

use boson_document::{Container, Descend, Scalar, Sink, Span};

const MAGIC: u8 = 0xDB;
const FLAG_NORM: u16 = 0x0002;
const FLAG_NORM_RESERVED: u16 = 0x0010;
const FLAG_SPARSE: u16 = 0x0020;

/// What the elements of a vector are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ElementType {
    Float32,
    Float64,
    Int8,
    /// Bits, eight to a number of 0 to 255.
    Binary,
}

impl ElementType {
    const ALL: [Self; 4] = [Self::Float32, Self::Float64, Self::Int8, Self::Binary];

    /// As `$vectorElementType` names it.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Float32 => "float32",
            Self::Float64 => "float64",
            Self::Int8 => "int8",
            Self::Binary => "binary",
        }
    }

    pub(crate) fn from_name(name: &[u8]) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name().as_bytes() == name)
    }

    const fn code(self) -> u8 {
        match self {
            Self::Float32 => 2,
            Self::Float64 => 3,
            Self::Int8 => 4,
            Self::Binary => 5,
        }
    }

    const fn width(self) -> usize {
        match self {
            Self::Float32 => 4,
            Self::Float64 => 8,
            Self::Int8 | Self::Binary => 1,
        }
    }
}

/// A vector image, taken apart.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Vector<'a> {
    pub(crate) element_type: ElementType,
    /// Of a sparse vector: how many dimensions it has, and which of them the values are of, four bytes each.
    sparse: Option<(u32, &'a [[u8; 4]])>,
    values: &'a [u8],
}

impl<'a> Vector<'a> {
    /// The vector in `image`; `None` when it is not one, to the last byte.
    pub(crate) fn parse(image: &'a [u8]) -> Option<Self> {
        let (&[magic, version, flags_high, flags_low, code, a, b, c, d], rest) = image.split_first_chunk()?;
        let flags = u16::from_be_bytes([flags_high, flags_low]);
        if magic != MAGIC || version > 2 {
            return None;
        }
        let element_type = ElementType::ALL.into_iter().find(|kind| kind.code() == code)?;
        let dimensions = u32::from_be_bytes([a, b, c, d]);
        let has_norm = flags & (FLAG_NORM | FLAG_NORM_RESERVED) != 0;
        let rest = if has_norm { rest.split_first_chunk::<8>()?.1 } else { rest };
        if flags & FLAG_SPARSE == 0 {
            let count = usize::try_from(if element_type == ElementType::Binary { dimensions / 8 } else { dimensions });
            let values = Some(rest).filter(|rest| count.ok() == rest.len().checked_div(element_type.width()));
            return Self { element_type, sparse: None, values: values? }.whole();
        }
        let (count, rest) = rest.split_first_chunk::<2>()?;
        let indices_len = usize::from(u16::from_be_bytes(*count)).checked_mul(4)?;
        let (indices, values) = rest.split_at_checked(indices_len)?;
        let (indices, _) = indices.as_chunks::<4>();
        let same = values.len().checked_div(element_type.width()) == Some(indices.len());
        Self { element_type, sparse: Some((dimensions, indices)), values }.whole().filter(|_| same)
    }

    fn whole(self) -> Option<Self> {
        (self.values.len().checked_rem(self.element_type.width()) == Some(0)).then_some(self)
    }

    /// Delivers the elements as an array; of a sparse vector as `[dimensions, [indices], [values]]`.
    pub(crate) fn push<S: Sink>(self, span: Span, sink: &mut S) -> Result<(), S::Error> {
        let Some((dimensions, indices)) = self.sparse else { return self.push_values(span, sink) };
        if sink.begin_array(Container { span, len: Some(3) })? == Descend::Skip {
            return Ok(());
        }
        sink.scalar(Scalar::Int64(dimensions.into()), span)?;
        if sink.begin_array(Container { span, len: Some(indices.len()) })? == Descend::Into {
            for index in indices {
                sink.scalar(Scalar::Int64(u32::from_be_bytes(*index).into()), span)?;
            }
            sink.end_array()?;
        }
        self.push_values(span, sink)?;
        sink.end_array()
    }

    fn push_values<S: Sink>(self, span: Span, sink: &mut S) -> Result<(), S::Error> {
        let len = self.values.len().checked_div(self.element_type.width());
        if sink.begin_array(Container { span, len })? == Descend::Skip {
            return Ok(());
        }
        for value in self.values.chunks_exact(self.element_type.width()) {
            sink.scalar(self.element(value), span)?;
        }
        sink.end_array()
    }

    fn element(self, value: &[u8]) -> Scalar<'static> {
        match *value {
            [byte] if self.element_type == ElementType::Int8 => Scalar::Int32(i8::from_be_bytes([byte]).into()),
            [byte] => Scalar::Int32(byte.into()),
            [a, b, c, d] => Scalar::Float(float_from_comparable(u32::from_be_bytes([a, b, c, d]))),
            _ => Scalar::Double(double_from_comparable(value.first_chunk().copied().unwrap_or_default())),
        }
    }
}

/// Puts an image together, value by value, at the end of a buffer.
#[derive(Debug)]
pub(crate) struct VectorBuilder<'b> {
    image: &'b mut Vec<u8>,
    element_type: ElementType,
}

impl<'b> VectorBuilder<'b> {
    /// An image of `count` values; with `sparse` the number of dimensions and which of them the values are of. `None`
    /// when there are more than the format can count.
    pub(crate) fn new(
        element_type: ElementType,
        count: usize,
        sparse: Option<(u32, &[u32])>,
        image: &'b mut Vec<u8>,
    ) -> Option<Self> {
        let count = u32::try_from(count).ok()?;
        let (version, flags, dimensions) = match (sparse, element_type) {
            (Some((dimensions, _)), _) => (2, FLAG_NORM | FLAG_NORM_RESERVED | FLAG_SPARSE, dimensions),
            (None, ElementType::Binary) => (1, FLAG_NORM_RESERVED, count.checked_mul(8)?),
            (None, _) => (0, FLAG_NORM | FLAG_NORM_RESERVED, count),
        };
        image.extend_from_slice(&[MAGIC, version]);
        image.extend_from_slice(&flags.to_be_bytes());
        image.push(element_type.code());
        image.extend_from_slice(&dimensions.to_be_bytes());
        // The place of the norm, which drivers leave at zero.
        image.extend_from_slice(&[0; 8]);
        if let Some((_, indices)) = sparse {
            image.extend_from_slice(&u16::try_from(indices.len()).ok()?.to_be_bytes());
            image.extend(indices.iter().flat_map(|index| index.to_be_bytes()));
        }
        Some(Self { image, element_type })
    }

    /// Adds the number of the text `text`; false when the element type does not hold it.
    pub(crate) fn push(&mut self, text: &str) -> bool {
        let added = match self.element_type {
            ElementType::Float32 => text.parse().ok().map(|value| self.image.extend(float_to_comparable(value))),
            ElementType::Float64 => text.parse().ok().map(|value| self.image.extend(double_to_comparable(value))),
            ElementType::Int8 => text.parse::<i8>().ok().map(|value| self.image.extend(value.to_be_bytes())),
            ElementType::Binary => text.parse::<u8>().ok().map(|value| self.image.push(value)),
        };
        added.is_some()
    }
}

const SIGN_32: u32 = 1 << 31;
const SIGN_64: u64 = 1 << 63;

/// IEEE 754 bits made comparable as bytes: the sign bit set where it was clear, every bit inverted where it was set.
fn float_to_comparable(value: f32) -> [u8; 4] {
    let bits = value.to_bits();
    (if bits & SIGN_32 == 0 { bits | SIGN_32 } else { !bits }).to_be_bytes()
}

fn float_from_comparable(bits: u32) -> f32 {
    f32::from_bits(if bits & SIGN_32 == 0 { !bits } else { bits & !SIGN_32 })
}

fn double_to_comparable(value: f64) -> [u8; 8] {
    let bits = value.to_bits();
    (if bits & SIGN_64 == 0 { bits | SIGN_64 } else { !bits }).to_be_bytes()
}

fn double_from_comparable(bytes: [u8; 8]) -> f64 {
    let bits = u64::from_be_bytes(bytes);
    f64::from_bits(if bits & SIGN_64 == 0 { !bits } else { bits & !SIGN_64 })
}
