//! JSON texts: one a line, one after another, or in one array.

use std::io::{self, BufReader, Read};
use std::sync::{Arc, Mutex, PoisonError};

use boson_document::{DecodeError, DecodeErrorKind, Limit, Limits};
use boson_json::Splitter;

use super::binary::check_read;
use super::{Part, PartFault, Parts};
use crate::compression::Stream;
use crate::error::ReadFault;
use crate::window::{Window, count};

const BYTE_ORDER_MARK: &[u8] = &[0xEF, 0xBB, 0xBF];

/// One text a line.
pub(super) struct Lines {
    window: Window,
    bytes_max: usize,
    offset: u64,
}

impl Lines {
    pub(super) const fn new(window: Window, bytes_max: usize) -> Self {
        Self { window, bytes_max, offset: 0 }
    }
}

impl Parts for Lines {
    fn advance(&mut self) -> Result<bool, PartFault> {
        loop {
            let start = self.window.offset();
            let (len, more) = match self.window.line_len(0, self.bytes_max) {
                Ok(line) => line,
                Err(error) => return Err(PartFault::io(start, error, self.window.available().len())),
            };
            check_read(start, len, self.bytes_max)?;
            let line = self.window.available().get(..len).unwrap_or_default();
            let text = if start == 0 { line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line) } else { line };
            let text_len = text.trim_ascii().len();
            let before = len.saturating_sub(text.trim_ascii_start().len());
            if text_len > 0 {
                if !more && is_cut(text.trim_ascii()) {
                    let start = start.saturating_add(count(before));
                    return Err(PartFault::cut(start, None, count(len.saturating_sub(before))));
                }
                self.window.take(before);
                self.offset = self.window.offset();
                self.window.take(text_len);
                return Ok(true);
            }
            self.window.take(len.saturating_add(usize::from(more)));
            if !more {
                return Ok(false);
            }
        }
    }

    fn current(&self) -> Part<'_> {
        Part { bytes: self.window.taken(), offset: self.offset }
    }
}

/// Whether the last line, which has no line feed, ends inside the value that it begins with.
fn is_cut(text: &[u8]) -> bool {
    let mut splitter = Splitter::new();
    splitter.advance(text).is_none() && !splitter.may_end()
}

/// Texts one after another, or the elements of an array.
pub(super) struct Values {
    cutter: boson_json::Values<BufReader<Noting>>,
    failure: Failure,
    bytes_max: usize,
    text: Vec<u8>,
    offset: u64,
}

impl Values {
    pub(super) fn concatenated(stream: Stream, bytes_max: usize) -> Self {
        Self::new(stream, bytes_max, boson_json::Values::concatenated)
    }

    pub(super) fn elements(stream: Stream, bytes_max: usize) -> Self {
        Self::new(stream, bytes_max, boson_json::Values::elements)
    }

    fn new(
        stream: Stream,
        bytes_max: usize,
        values: fn(BufReader<Noting>) -> boson_json::Values<BufReader<Noting>>,
    ) -> Self {
        let failure = Failure::default();
        let reader = BufReader::with_capacity(READ_LEN, Noting { stream, failure: Arc::clone(&failure) });
        let cutter = values(reader).with_limits(Limits::JSON.with_bytes(bytes_max));
        Self { cutter, failure, bytes_max, text: Vec::new(), offset: 0 }
    }

    #[cold]
    fn fault(&self, error: DecodeError) -> PartFault {
        let (start, bytes_max) = (self.cutter.value_offset(), self.bytes_max);
        let found = error.offset.saturating_sub(start);
        let failed = self.failure.lock().unwrap_or_else(PoisonError::into_inner).take();
        let fault = match (error.kind, failed) {
            (DecodeErrorKind::Io(_), Some(error)) => return PartFault::io(count(start), error, found),
            (DecodeErrorKind::UnexpectedEnd { .. }, _) => return PartFault::cut(count(start), None, count(found)),
            (DecodeErrorKind::LimitExceeded(Limit::Bytes), _) => {
                ReadFault::TooLarge { bytes: count(bytes_max.saturating_add(1)), bytes_max: count(bytes_max) }
            }
            (kind, _) => ReadFault::Document(kind),
        };
        PartFault::fatal(count(error.offset), fault)
    }
}

/// How many bytes are asked for at a time.
const READ_LEN: usize = 128 << 10;

impl Parts for Values {
    fn advance(&mut self) -> Result<bool, PartFault> {
        match self.cutter.next_value() {
            Ok(Some(piece)) => {
                self.offset = count(piece.offset);
                self.text.clear();
                self.text.extend_from_slice(piece.bytes);
                Ok(true)
            }
            Ok(None) => Ok(false),
            Err(error) => Err(self.fault(error)),
        }
    }

    fn current(&self) -> Part<'_> {
        Part { bytes: &self.text, offset: self.offset }
    }
}

/// What reading failed with last.
type Failure = Arc<Mutex<Option<io::Error>>>;

/// A stream that keeps the error it failed with: of what cuts texts only the kind of an error comes back.
struct Noting {
    stream: Stream,
    failure: Failure,
}

impl Read for Noting {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.stream.read(buffer).map_err(|error| {
            let kind = error.kind();
            *self.failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
            kind.into()
        })
    }
}
