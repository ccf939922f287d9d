//! Big-endian integers of one, two or four bytes.

use boson_document::{ByteSource, DecodeError};

/// How many bytes an integer of the format takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Width {
    Ub1,
    Ub2,
    Ub4,
}

impl Width {
    /// The width in bytes.
    #[inline]
    pub(crate) const fn bytes(self) -> usize {
        match self {
            Self::Ub1 => 1,
            Self::Ub2 => 2,
            Self::Ub4 => 4,
        }
    }

    /// `Ub4` when `wide`, else `Ub2`.
    #[inline]
    pub(crate) const fn ub4_if(wide: bool) -> Self {
        if wide { Self::Ub4 } else { Self::Ub2 }
    }

    /// The integer at `at`.
    #[inline]
    pub(crate) fn read<S: ByteSource>(self, source: S, at: usize) -> Result<usize, DecodeError> {
        match self {
            Self::Ub1 => ub1(source, at).map(usize::from),
            Self::Ub2 => ub2(source, at).map(usize::from),
            Self::Ub4 => ub4(source, at).map(widen),
        }
    }

    /// Where element `index` of an array that begins at `start` stands.
    #[inline]
    pub(crate) const fn place(self, start: usize, index: usize) -> usize {
        start.saturating_add(index.saturating_mul(self.bytes()))
    }
}

#[inline]
pub(crate) fn ub1<S: ByteSource>(source: S, at: usize) -> Result<u8, DecodeError> {
    let [byte] = source.array(at)?;
    Ok(byte)
}

#[inline]
pub(crate) fn ub2<S: ByteSource>(source: S, at: usize) -> Result<u16, DecodeError> {
    source.array(at).map(u16::from_be_bytes)
}

#[inline]
pub(crate) fn ub4<S: ByteSource>(source: S, at: usize) -> Result<u32, DecodeError> {
    source.array(at).map(u32::from_be_bytes)
}

/// The same number; on a machine whose addresses have 16 bits, the largest there is, which every check then refuses.
#[inline]
pub(crate) fn widen(value: u32) -> usize {
    usize::try_from(value).unwrap_or(usize::MAX)
}

/// The same number, or the largest of 32 bits, for error messages.
#[inline]
pub(crate) fn narrow(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}
