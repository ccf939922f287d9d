//! A value out of its source.

use std::fmt;
use std::ops::Deref;

use boson_document::{DecodeError, Kind, Scalar};

use crate::cursor::Cursor;
use crate::tag::Tag;

/// A value's bytes out of their source, from which it can be read: a copy of what stood in blocks.
pub struct Held<B> {
    bytes: B,
    tag: Tag,
    /// Where the bytes stood in the source.
    offset: usize,
}

impl<B: Deref<Target = [u8]>> Held<B> {
    pub(super) const fn new(bytes: B, tag: Tag, offset: usize) -> Self {
        Self { bytes, tag, offset }
    }

    /// Its element type.
    pub const fn tag(&self) -> Tag {
        self.tag
    }

    /// What it is.
    pub const fn kind(&self) -> Kind {
        self.tag.kind()
    }

    /// The value's bytes, with its length, without type and name.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The leaf that this is, checked.
    ///
    /// # Errors
    ///
    /// `UnexpectedKind` of a container, else whatever is wrong with the value; offsets count in the source.
    pub fn scalar(&self) -> Result<Scalar<'_>, DecodeError> {
        Cursor::new(&self.bytes, 0).scalar(self.tag).map_err(|error| error.shifted(self.offset))
    }
}

impl<B: Deref<Target = [u8]>> fmt::Debug for Held<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.scalar() {
            Ok(scalar) => scalar.fmt(f),
            Err(error) => write!(f, "<{error}>"),
        }
    }
}
