//! The bytes of what a change brings.

use boson_document::Limits;
use boson_document::edit::New;

use super::error::Fault;
use crate::error::{EncodeError, EncodeErrorKind};
use crate::tag::Tag;
use crate::write::{BYTES_MAX, Writer};

/// Puts new values together, in memory that it keeps.
#[derive(Clone, Debug)]
pub(super) struct Encoder {
    writer: Writer,
    limits: Limits,
}

impl Encoder {
    pub(super) fn new(limits: Limits) -> Self {
        Self { writer: Writer::new(), limits: limits.with_bytes(limits.bytes.min(BYTES_MAX)) }
    }

    /// How many bytes a document may have.
    pub(super) const fn bytes_max(&self) -> usize {
        self.limits.bytes
    }

    /// The type and the bytes of `new`, which is to be a member of a container that `steps` steps lead to.
    pub(super) fn member(&mut self, new: New<'_>, steps: usize) -> Result<(Tag, &[u8]), EncodeError> {
        let depth = u32::try_from(steps).unwrap_or(u32::MAX).saturating_add(1);
        self.value(new, self.limits.depth.saturating_sub(depth))
    }

    /// The bytes of `new`, which is to be the document.
    pub(super) fn root(&mut self, new: New<'_>) -> Result<&[u8], Fault> {
        match self.value(new, self.limits.depth).map_err(Fault::Value)? {
            (Tag::Document, bytes) => Ok(bytes),
            (tag, _) => Err(Fault::Encode(EncodeErrorKind::RootNotDocument(tag.kind()))),
        }
    }

    fn value(&mut self, new: New<'_>, depth_max: u32) -> Result<(Tag, &[u8]), EncodeError> {
        let written = self.writer.write_value(&new, depth_max);
        written.map_err(|error| self.in_document(error))?;
        Ok(self.writer.value())
    }

    /// The writer knows how deep the value may be, whoever reads the error how deep the document may be.
    #[cold]
    fn in_document(&self, error: EncodeError) -> EncodeError {
        match error.kind() {
            EncodeErrorKind::TooDeep { .. } => {
                let kind = EncodeErrorKind::TooDeep { depth_max: self.limits.depth };
                EncodeError::new(kind, error.path().clone())
            }
            _ => error,
        }
    }
}
