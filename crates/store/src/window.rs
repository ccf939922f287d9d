//! The part of a stream that is at hand.

use std::io;
use std::ops::Range;

use crate::compression::Stream;

/// How many bytes are asked for at a time.
const CHUNK_LEN: usize = 128 << 10;

/// A stream of which the next bytes can be looked at before they are taken. It grows with what has been read, never by a
/// number that the input claims.
pub(crate) struct Window {
    stream: Stream,
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    /// Bytes of the stream before `start`.
    offset: u64,
    /// What was taken last.
    taken: Range<usize>,
}

impl Window {
    pub(crate) const fn new(stream: Stream) -> Self {
        Self { stream, buffer: Vec::new(), start: 0, end: 0, offset: 0, taken: 0..0 }
    }

    /// A window on a stream whose first byte is `offset` bytes into a larger one.
    pub(crate) const fn at(stream: Stream, offset: u64) -> Self {
        Self { stream, buffer: Vec::new(), start: 0, end: 0, offset, taken: 0..0 }
    }

    /// Where in the stream the next byte is.
    pub(crate) const fn offset(&self) -> u64 {
        self.offset
    }

    /// The next bytes, as far as they were read.
    pub(crate) fn available(&self) -> &[u8] {
        self.buffer.get(self.start..self.end).unwrap_or_default()
    }

    /// Reads until `len` bytes are available; false when the stream ends before.
    pub(crate) fn fill(&mut self, len: usize) -> io::Result<bool> {
        while self.available().len() < len {
            if !self.more()? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Reads at least one more byte; false at the end of the stream.
    pub(crate) fn more(&mut self) -> io::Result<bool> {
        self.make_room();
        let room = self.buffer.get_mut(self.end..).unwrap_or_default();
        loop {
            match self.stream.read(room) {
                Ok(count) => {
                    self.end = self.end.saturating_add(count);
                    return Ok(count > 0);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    fn make_room(&mut self) {
        if self.end < self.buffer.len() {
            return;
        }
        let held = self.end.saturating_sub(self.start);
        if self.start > 0 {
            self.buffer.copy_within(self.start..self.end, 0);
            (self.start, self.end) = (0, held);
        }
        if held >= self.buffer.len() / 2 {
            let len = self.buffer.len().saturating_mul(2).max(CHUNK_LEN);
            self.buffer.resize(len, 0);
        }
    }

    /// Takes the next `len` bytes, which must be available.
    pub(crate) fn take(&mut self, len: usize) {
        self.taken = self.start..self.start.saturating_add(len).min(self.end);
        self.start = self.taken.end;
        self.offset = self.offset.saturating_add(count(self.taken.len()));
    }

    /// What was taken last, until more is read.
    pub(crate) fn taken(&self) -> &[u8] {
        self.buffer.get(self.taken.clone()).unwrap_or_default()
    }

    /// Looks for the end of the line that begins `skipped` bytes on: the number of bytes up to its line feed, or up to the
    /// end of the stream, and whether there was one. More than `len_max` bytes are not looked at.
    pub(crate) fn line_len(&mut self, skipped: usize, len_max: usize) -> io::Result<(usize, bool)> {
        let mut looked_at = 0_usize;
        loop {
            let line = self.available().get(skipped..).unwrap_or_default();
            let fresh = line.get(looked_at..).unwrap_or_default();
            if let Some(found) = memchr::memchr(b'\n', fresh) {
                return Ok((looked_at.saturating_add(found), true));
            }
            looked_at = line.len();
            if looked_at > len_max || !self.more()? {
                return Ok((looked_at, false));
            }
        }
    }
}

/// A number of bytes as offsets in streams have it.
pub(crate) fn count(len: usize) -> u64 {
    u64::try_from(len).unwrap_or(u64::MAX)
}
