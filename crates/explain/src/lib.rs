//! What every byte of a document means, for people and programs to read.
//!
//! The format crates know what the bytes are for ([`Note`]); this one shows it: [`text`] as an annotated dump, [`html`] as a
//! page to look around in, [`Explained`] through serde.
//!
//! ```
//! use boson_document::Limits;
//! use boson_explain::{Explanation, text};
//! use boson_transcode::Format;
//!
//! let bytes = b"\x0c\0\0\0\x10n\0\x07\0\0\0\0";
//! let explanation = Explanation::new(Format::Bson, bytes, &Limits::BSON).ok_or("JSON speaks for itself")?;
//! let mut dump = Vec::new();
//! text::write(&explanation, None, false, &mut dump)?;
//! let expected = [
//!     "   0  0c 00 00 00              document of 12 bytes",
//!     "   4  10                         type int",
//!     "   5  6e                         name \"n\"",
//!     "   6  00                         end of name",
//!     "   7  07 00 00 00                int 7",
//!     "  11  00                       end of document",
//! ];
//! assert!(String::from_utf8(dump)?.lines().eq(expected));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod html;
mod json;
pub mod text;

use boson_document::{DecodeError, Limits, Located, Note, PathBuf};
use boson_transcode::Format;

pub use json::Explained;

/// What each byte of a BSON document or an OSON image means, of a faulty one as far as it can be followed.
#[derive(Clone, Debug)]
pub enum Explanation<'a> {
    /// Of a BSON document.
    Bson(boson_bson::Explanation<'a>),
    /// Of an OSON image.
    Oson(Box<boson_oson::Explanation<'a>>),
}

/// One value of a document.
#[derive(Clone, Debug)]
pub enum Selection {
    /// An element of a BSON document.
    Bson(boson_bson::Selection),
    /// A value of an OSON image and what leads to it.
    Oson(boson_oson::Selection),
}

impl<'a> Explanation<'a> {
    /// Of the document that `bytes` are, or should be, read within `limits`; `None` of a JSON text, whose bytes speak for
    /// themselves.
    pub fn new(format: Format, bytes: &'a [u8], limits: &Limits) -> Option<Self> {
        match format {
            Format::Bson => Some(Self::Bson(boson_bson::Explanation::new(bytes, limits))),
            Format::Oson => Some(Self::Oson(Box::new(boson_oson::Explanation::new(bytes, limits)))),
            Format::Json => None,
        }
    }

    /// The format.
    pub const fn format(&self) -> Format {
        match self {
            Self::Bson(_) => Format::Bson,
            Self::Oson(_) => Format::Oson,
        }
    }

    /// The bytes.
    pub fn bytes(&self) -> &'a [u8] {
        match self {
            Self::Bson(explanation) => explanation.bytes(),
            Self::Oson(explanation) => explanation.bytes(),
        }
    }

    /// The document's first fault.
    pub fn fault(&self) -> Option<&Located> {
        match self {
            Self::Bson(explanation) => explanation.fault(),
            Self::Oson(explanation) => explanation.fault(),
        }
    }

    /// The value at `path`; `None` when there is none.
    ///
    /// # Errors
    ///
    /// What is wrong with the bytes on the way.
    pub fn select(&self, path: &PathBuf) -> Result<Option<Selection>, DecodeError> {
        Ok(match self {
            Self::Bson(explanation) => explanation.select(path)?.map(Selection::Bson),
            Self::Oson(explanation) => explanation.select(path)?.map(Selection::Oson),
        })
    }

    /// Calls `tell` with every region in the order of the bytes, or with those of `selection`, which must be of this
    /// document: of one of the other format everything is told.
    ///
    /// # Errors
    ///
    /// What `tell` returned.
    pub fn notes<E>(
        &self,
        selection: Option<&Selection>,
        tell: impl FnMut(&Note<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        match (self, selection) {
            (Self::Bson(explanation), Some(Selection::Bson(selection))) => explanation.notes(Some(selection), tell),
            (Self::Oson(explanation), Some(Selection::Oson(selection))) => explanation.notes(Some(selection), tell),
            (Self::Bson(explanation), _) => explanation.notes(None, tell),
            (Self::Oson(explanation), _) => explanation.notes(None, tell),
        }
    }
}
