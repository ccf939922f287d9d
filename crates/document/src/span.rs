//! A range of bytes in a document.

use std::fmt;
use std::ops::Range;

/// Where something stands in the bytes of its document: `offset` from the document's first byte, `len` bytes long.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// Bytes before the first byte of the range.
    pub offset: usize,
    /// Bytes in the range.
    pub len: usize,
}

impl Span {
    /// The range of `len` bytes at `offset`.
    pub const fn new(offset: usize, len: usize) -> Self {
        Self { offset, len }
    }

    /// The range from `start` up to, not including, `end`; empty when `end` lies before `start`.
    pub const fn between(start: usize, end: usize) -> Self {
        Self { offset: start, len: end.saturating_sub(start) }
    }

    /// The offset of the first byte after the range.
    pub const fn end(self) -> usize {
        self.offset.saturating_add(self.len)
    }

    /// The same range for slicing.
    pub const fn range(self) -> Range<usize> {
        self.offset..self.end()
    }

    /// Whether the range has no bytes.
    pub const fn is_empty(self) -> bool {
        self.len == 0
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.offset, self.end())
    }
}
