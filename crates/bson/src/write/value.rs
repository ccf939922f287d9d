//! A value without a document around it, as editing needs it.

use boson_document::{Container, Descend, Sink, Source, Span};

use super::Writer;
use crate::error::EncodeError;
use crate::tag::Tag;

/// The bytes in front of the value in `{"": value}`: the length, the type byte and the NUL of the empty name.
const BEFORE: usize = 6;

impl Writer {
    /// Writes the value that `source` delivers, of any kind, at most `depth_max` levels deep, in place of everything else
    /// in the buffer; [`value`](Self::value) has it then.
    pub(crate) fn write_value(&mut self, source: &impl Source, depth_max: u32) -> Result<(), EncodeError> {
        self.clear();
        self.options.limits.depth = depth_max.saturating_add(1);
        let written = self.write_wrapped(source);
        written.map_err(|error| {
            let error = error.at(self.path_of_next());
            self.clear();
            error
        })
    }

    fn write_wrapped(&mut self, source: &impl Source) -> Result<(), EncodeError> {
        let container = Container { span: Span::default(), len: Some(1) };
        if self.begin_object(container)? == Descend::Skip {
            return Ok(());
        }
        self.key("", Span::default())?;
        source.drive(self)?;
        self.end_object()
    }

    /// The value that was written last: its element type and its bytes.
    pub(crate) fn value(&self) -> (Tag, &[u8]) {
        let bytes = self.as_bytes();
        let tag = bytes.get(4).and_then(|&byte| Tag::from_byte(byte)).unwrap_or(Tag::Null);
        (tag, bytes.get(BEFORE..bytes.len().saturating_sub(1)).unwrap_or_default())
    }
}
