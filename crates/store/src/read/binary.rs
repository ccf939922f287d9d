//! BSON documents and OSON images one after another.

use std::io;

use boson_document::DecodeErrorKind;

use super::{Part, PartFault, Parts};
use crate::error::ReadFault;
use crate::window::{Window, count};

/// The smallest BSON document: its length and its NUL.
const BSON_LEN_MIN: usize = 5;

/// Concatenated BSON: each document begins with its length.
pub(super) struct Bson {
    window: Window,
    bytes_max: usize,
    /// Where the document that was found last begins.
    offset: u64,
    /// Whether that document was taken, its end at fault.
    is_taken: bool,
}

impl Bson {
    pub(super) const fn new(window: Window, bytes_max: usize) -> Self {
        Self { window, bytes_max, offset: 0, is_taken: false }
    }

    #[cold]
    fn failed(&self, error: io::Error) -> PartFault {
        PartFault::io(self.offset, error, self.window.available().len())
    }

    /// The length of the next document; `None` at the end of the stream.
    fn next_len(&mut self) -> Result<Option<usize>, PartFault> {
        let whole = self.window.fill(4).map_err(|error| self.failed(error))?;
        let Some((length, _)) = self.window.available().split_first_chunk::<4>() else {
            let found = count(self.window.available().len());
            debug_assert!(!whole, "four bytes are available");
            return if found == 0 { Ok(None) } else { Err(PartFault::cut(self.offset, None, found)) };
        };
        let length = i32::from_le_bytes(*length);
        match usize::try_from(length) {
            Ok(len) if len >= BSON_LEN_MIN => {
                check_size(self.offset, len, self.bytes_max)?;
                Ok(Some(len))
            }
            _ => Err(PartFault::fatal(self.offset, ReadFault::BsonLength(length))),
        }
    }
}

impl Parts for Bson {
    fn advance(&mut self) -> Result<bool, PartFault> {
        self.offset = self.window.offset();
        let Some(len) = self.next_len()? else { return Ok(false) };
        if !self.window.fill(len).map_err(|error| self.failed(error))? {
            return Err(PartFault::cut(self.offset, Some(count(len)), count(self.window.available().len())));
        }
        self.window.take(len);
        match self.window.taken().last() {
            Some(0) => Ok(true),
            last => {
                self.is_taken = true;
                let last = last.copied().unwrap_or_default();
                let end = self.window.offset().saturating_sub(1);
                Err(PartFault::fatal(end, ReadFault::BsonTerminator(last)))
            }
        }
    }

    fn current(&self) -> Part<'_> {
        Part { bytes: self.window.taken(), offset: self.offset }
    }

    fn broken(&self) -> Option<Part<'_>> {
        let bytes = if self.is_taken { self.window.taken() } else { self.window.available() };
        Some(Part { bytes, offset: self.offset })
    }
}

/// How many bytes the header of an OSON image has at most, its update header aside.
const OSON_HEADER_LEN_MAX: usize = 64;

/// OSON images: the header says how long one is, except of versions 2 and 4, which reach to the end of the stream.
pub(super) struct Images {
    window: Window,
    bytes_max: usize,
    /// Where the image that was found last begins.
    offset: u64,
}

impl Images {
    pub(super) const fn new(window: Window, bytes_max: usize) -> Self {
        Self { window, bytes_max, offset: 0 }
    }

    #[cold]
    fn failed(&self, error: io::Error) -> PartFault {
        PartFault::io(self.offset, error, self.window.available().len())
    }

    /// Reads the rest of the stream, which is one image.
    fn rest_len(&mut self) -> Result<usize, PartFault> {
        while self.window.more().map_err(|error| self.failed(error))? {
            check_read(self.offset, self.window.available().len(), self.bytes_max)?;
        }
        Ok(self.window.available().len())
    }
}

impl Parts for Images {
    fn advance(&mut self) -> Result<bool, PartFault> {
        self.offset = self.window.offset();
        self.window.fill(OSON_HEADER_LEN_MAX).map_err(|error| self.failed(error))?;
        let found = count(self.window.available().len());
        if found == 0 {
            return Ok(false);
        }
        let len = match boson_oson::image_len(self.window.available()) {
            Ok(Some(len)) => len,
            Ok(None) => self.rest_len()?,
            Err(error) if matches!(error.kind, DecodeErrorKind::UnexpectedEnd { .. }) => {
                return Err(PartFault::cut(self.offset, None, found));
            }
            Err(error) => {
                let offset = self.offset.saturating_add(count(error.offset));
                return Err(PartFault::fatal(offset, ReadFault::Document(error.kind)));
            }
        };
        check_size(self.offset, len, self.bytes_max)?;
        if !self.window.fill(len).map_err(|error| self.failed(error))? {
            return Err(PartFault::cut(self.offset, Some(count(len)), count(self.window.available().len())));
        }
        self.window.take(len);
        Ok(true)
    }

    fn current(&self) -> Part<'_> {
        Part { bytes: self.window.taken(), offset: self.offset }
    }

    fn broken(&self) -> Option<Part<'_>> {
        Some(Part { bytes: self.window.available(), offset: self.offset })
    }
}

/// Refuses a document of more bytes than are allowed, before they are read.
pub(super) fn check_size(offset: u64, len: usize, bytes_max: usize) -> Result<(), PartFault> {
    if len <= bytes_max {
        return Ok(());
    }
    Err(PartFault::fatal(offset, ReadFault::TooLarge { bytes: count(len), bytes_max: count(bytes_max) }))
}

/// Refuses a document of which `len` bytes were read, and which says nowhere how many it has.
pub(super) fn check_read(offset: u64, len: usize, bytes_max: usize) -> Result<(), PartFault> {
    check_size(offset, len.min(bytes_max.saturating_add(1)), bytes_max)
}
