//! An image: its bytes and its header. What all readers of this crate share.

use boson_document::{ByteSource, DecodeError};

use crate::fault;
use crate::header::Header;

/// An OSON image in a byte source, its header read.
///
/// Over a slice it is called [`Document`](crate::Document); over [`Blocks`](boson_document::Blocks) it reads only the
/// blocks that an answer needs, and what it answers is copied out.
#[derive(Clone, Copy, Debug)]
pub struct Image<S> {
    pub(crate) source: S,
    pub(crate) header: Header,
}

impl<S: ByteSource> Image<S> {
    /// The image that `source` is from its first byte to its last. Only the header is checked.
    ///
    /// # Errors
    ///
    /// As [`Header::read`].
    #[inline]
    pub fn open(source: S) -> Result<Self, DecodeError> {
        Ok(Self { source, header: Header::read(source)? })
    }

    /// What the header says.
    pub const fn header(&self) -> &Header {
        &self.header
    }

    /// Fails unless the `len` bytes at `at` lie in one tree segment.
    #[inline]
    pub(crate) fn within(&self, at: usize, len: usize) -> Result<(), DecodeError> {
        let end = at.saturating_add(len);
        let segment_end = self.header.segment_end(at);
        if end > segment_end { Err(fault::too_short(segment_end, end)) } else { Ok(()) }
    }
}
