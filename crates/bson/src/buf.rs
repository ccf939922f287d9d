//! Documents that own their bytes.

use std::fmt;

use boson_document::{DecodeError, Limits, Located, PathBuf, Scalar, Sink, Source};

use crate::error::{EncodeError, EncodeErrorKind};
use crate::tag::Tag;
use crate::validate::validate;
use crate::view::{Array, Document, Value};
use crate::write::{encode, put_scalar};

/// A BSON document that owns its bytes: one buffer, whose length and closing NUL are right.
///
/// It is read through [`as_document`](Self::as_document) and grows by [`append`](Self::append).
#[derive(Clone, PartialEq, Eq)]
pub struct DocumentBuf(Vec<u8>);

const EMPTY: [u8; 5] = [5, 0, 0, 0, 0];

impl DocumentBuf {
    /// A document without elements.
    pub fn new() -> Self {
        Self(EMPTY.to_vec())
    }

    /// The document that `bytes` are; only its header is checked.
    ///
    /// # Errors
    ///
    /// As [`Document::new`](crate::DocumentIn::new).
    pub fn from_vec(bytes: Vec<u8>) -> Result<Self, DecodeError> {
        Document::new(&bytes)?;
        Ok(Self(bytes))
    }

    /// The document that `bytes` are, all of it checked.
    ///
    /// # Errors
    ///
    /// As [`validate`].
    pub fn from_vec_validated(bytes: Vec<u8>, limits: &Limits) -> Result<Self, Located> {
        validate(&bytes, limits)?;
        Ok(Self(bytes))
    }

    /// The document that `source` delivers.
    ///
    /// # Errors
    ///
    /// The source's fault, or what cannot be BSON.
    pub fn from_source(source: &impl Source) -> Result<Self, EncodeError> {
        encode(source).map(Self)
    }

    /// The document as a view.
    pub fn as_document(&self) -> Document<'_> {
        Document::whole(&self.0)
    }

    /// The document's bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The document's bytes.
    pub fn into_vec(self) -> Vec<u8> {
        self.0
    }

    /// Adds a leaf at the end, whether or not there is one of that name.
    ///
    /// # Errors
    ///
    /// What cannot be BSON; the document is then as it was.
    pub fn append(&mut self, name: &str, scalar: Scalar<'_>) -> Result<(), EncodeError> {
        self.append_with(name, |out| put_scalar(out, scalar))
    }

    /// Adds a document at the end, copied as it is.
    ///
    /// # Errors
    ///
    /// `NulInName`, `TooLarge`; the document is then as it was.
    pub fn append_document(&mut self, name: &str, document: &Document<'_>) -> Result<(), EncodeError> {
        self.append_bytes(name, Tag::Document, document.bytes())
    }

    /// Adds an array at the end, copied as it is.
    ///
    /// # Errors
    ///
    /// `NulInName`, `TooLarge`; the document is then as it was.
    pub fn append_array(&mut self, name: &str, array: &Array<'_>) -> Result<(), EncodeError> {
        self.append_bytes(name, Tag::Array, array.bytes())
    }

    /// Adds a value at the end, copied as it is.
    ///
    /// # Errors
    ///
    /// `NulInName`, `TooLarge`; the document is then as it was.
    pub fn append_value(&mut self, name: &str, value: &Value<'_>) -> Result<(), EncodeError> {
        self.append_bytes(name, value.tag(), value.bytes())
    }

    fn append_bytes(&mut self, name: &str, tag: Tag, bytes: &[u8]) -> Result<(), EncodeError> {
        self.append_with(name, |out| {
            out.extend_from_slice(bytes);
            Ok(tag)
        })
    }

    fn append_with(
        &mut self,
        name: &str,
        put: impl FnOnce(&mut Vec<u8>) -> Result<Tag, EncodeErrorKind>,
    ) -> Result<(), EncodeError> {
        let len = self.0.len();
        self.try_append(name, put).map_err(|kind| {
            self.0.truncate(len.saturating_sub(1));
            self.0.push(0);
            let mut path = PathBuf::new();
            path.push_field(name);
            EncodeError::new(kind, path)
        })
    }

    fn try_append(
        &mut self,
        name: &str,
        put: impl FnOnce(&mut Vec<u8>) -> Result<Tag, EncodeErrorKind>,
    ) -> Result<(), EncodeErrorKind> {
        if name.contains('\0') {
            return Err(EncodeErrorKind::NulInName);
        }
        // The closing NUL becomes the type byte.
        let tag_at = self.0.len().saturating_sub(1);
        self.0.extend_from_slice(name.as_bytes());
        self.0.push(0);
        let tag = put(&mut self.0)?;
        self.0.push(0);
        self.set_len()?;
        if let Some(byte) = self.0.get_mut(tag_at) {
            *byte = tag.byte();
        }
        Ok(())
    }

    fn set_len(&mut self) -> Result<(), EncodeErrorKind> {
        let too_large = EncodeErrorKind::TooLarge { bytes_max: crate::write::BYTES_MAX };
        let len = i32::try_from(self.0.len()).map_err(|_| too_large)?;
        if let Some(slot) = self.0.first_chunk_mut() {
            *slot = len.to_le_bytes();
        }
        Ok(())
    }
}

impl Default for DocumentBuf {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for DocumentBuf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_document().fmt(f)
    }
}

impl From<Document<'_>> for DocumentBuf {
    fn from(document: Document<'_>) -> Self {
        Self(document.bytes().to_vec())
    }
}

impl Source for DocumentBuf {
    fn drive<S: Sink>(&self, sink: &mut S) -> Result<(), S::Error> {
        self.as_document().drive(sink)
    }
}
