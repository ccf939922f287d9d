//! A buffer that sees what is done to it.

use std::ops::Range;

use super::Buffer;
use crate::span::Span;

/// A buffer that notes every call which changes it: for counting what an edit costs without believing the editor, and for
/// doing the same to a file.
#[derive(Clone, Debug, Default)]
pub struct Recorded<B> {
    buffer: B,
    touches: Vec<Touch>,
}

/// One call that changed a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Touch {
    /// These bytes were overwritten.
    Written(Span),
    /// These bytes were put behind the last one.
    Appended(Span),
    /// What stood behind so many bytes was taken away.
    Truncated(usize),
    /// `removed` bytes at the start of `added` became those of `added`, and `moved` bytes behind them were moved.
    Spliced {
        /// Where the new bytes are.
        added: Span,
        /// How many bytes they take the place of.
        removed: usize,
        /// How many bytes stand elsewhere now.
        moved: usize,
    },
}

impl<B: Buffer> Recorded<B> {
    /// `buffer`, to which nothing has been done so far.
    pub const fn new(buffer: B) -> Self {
        Self { buffer, touches: Vec::new() }
    }

    /// What was done, in the order of the calls.
    pub fn touches(&self) -> &[Touch] {
        &self.touches
    }

    /// How many bytes were overwritten or inserted.
    pub fn written(&self) -> usize {
        self.sum(|touch| match touch {
            Touch::Written(span) | Touch::Spliced { added: span, .. } => span.len,
            Touch::Appended(_) | Touch::Truncated(_) => 0,
        })
    }

    /// How many bytes were put behind the last one.
    pub fn appended(&self) -> usize {
        self.sum(|touch| if let Touch::Appended(span) = touch { span.len } else { 0 })
    }

    /// How many bytes were moved.
    pub fn moved(&self) -> usize {
        self.sum(|touch| if let Touch::Spliced { moved, .. } = touch { *moved } else { 0 })
    }

    /// All bytes that were written, wherever: what a file would have to be written.
    pub fn bytes(&self) -> usize {
        self.written().saturating_add(self.appended()).saturating_add(self.moved())
    }

    fn sum(&self, count: impl Fn(&Touch) -> usize) -> usize {
        self.touches.iter().map(count).fold(0, usize::saturating_add)
    }

    /// Forgets what was done.
    pub fn forget(&mut self) {
        self.touches.clear();
    }

    /// The buffer.
    pub fn into_inner(self) -> B {
        self.buffer
    }
}

impl<B: Buffer> Buffer for Recorded<B> {
    fn as_bytes(&self) -> &[u8] {
        self.buffer.as_bytes()
    }

    fn write_at(&mut self, at: usize, bytes: &[u8]) {
        self.touches.push(Touch::Written(Span::new(at, bytes.len())));
        self.buffer.write_at(at, bytes);
    }

    fn append(&mut self, bytes: &[u8]) {
        self.touches.push(Touch::Appended(Span::new(self.as_bytes().len(), bytes.len())));
        self.buffer.append(bytes);
    }

    fn truncate(&mut self, len: usize) {
        self.touches.push(Touch::Truncated(len));
        self.buffer.truncate(len);
    }

    fn splice(&mut self, range: Range<usize>, bytes: &[u8]) {
        let behind = self.as_bytes().len().saturating_sub(range.end);
        let moved = if range.len() == bytes.len() { 0 } else { behind };
        let added = Span::new(range.start, bytes.len());
        self.touches.push(Touch::Spliced { added, removed: range.len(), moved });
        self.buffer.splice(range, bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_call_is_counted() {
        let mut buffer = Recorded::new(b"abcde".to_vec());
        buffer.write_at(1, b"xy");
        buffer.append(b"fgh");
        buffer.splice(1..3, b"z");
        buffer.splice(0..1, b"A");
        buffer.truncate(4);
        // 2 overwritten, 1 and 1 spliced in; `de` and `fgh` moved once.
        assert_eq!((buffer.written(), buffer.appended(), buffer.moved(), buffer.bytes()), (4, 3, 5, 12));
        assert_eq!(buffer.touches().first(), Some(&Touch::Written(Span::new(1, 2))));
        assert_eq!(buffer.into_inner(), b"Azde");
    }
}
