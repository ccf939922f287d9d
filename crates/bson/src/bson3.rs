//! To and from the types of the official `bson` crate, version 3 (feature `bson-3`).
//!
//! The crate's own reader and writer do the work, so that its types mean what it says they mean; what they cannot hold is
//! an error, never a silent loss.

use boson_document::{
    Container, DecodeError, DecodeErrorKind, Descend, Limits, Located, PathBuf, Scalar, Sink, Source, Span,
};
use bson::Bson;

use crate::buf::DocumentBuf;
use crate::read::ReadOptions;
use crate::view::{Document, Value};

/// What stood in the way between a document's bytes and the types of the `bson` crate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Bson3Error {
    /// The bytes break a rule of BSON, or a limit: the crate's reader recurses, so depth is checked before it is called.
    #[error(transparent)]
    Decode(#[from] Located),
    /// A name occurs twice in one document, which the crate's map cannot hold.
    #[error("a name occurs twice in one document, which a map cannot hold")]
    DuplicateName,
    /// The crate refused.
    #[error(transparent)]
    Official(#[from] bson::error::Error),
}

impl TryFrom<Document<'_>> for bson::Document {
    type Error = Bson3Error;

    /// The document as a map of the `bson` crate.
    fn try_from(document: Document<'_>) -> Result<Self, Bson3Error> {
        let keys = keys_of(document).map_err(|error| document.locate(error))?;
        let map = Self::from_reader(document.bytes())?;
        if keys == count_members(&map) { Ok(map) } else { Err(Bson3Error::DuplicateName) }
    }
}

impl TryFrom<&DocumentBuf> for bson::Document {
    type Error = Bson3Error;

    /// The document as a map of the `bson` crate.
    fn try_from(document: &DocumentBuf) -> Result<Self, Bson3Error> {
        document.as_document().try_into()
    }
}

impl TryFrom<Value<'_>> for Bson {
    type Error = Bson3Error;

    /// The value as one of the `bson` crate.
    fn try_from(value: Value<'_>) -> Result<Self, Bson3Error> {
        // The crate reads documents only.
        let mut only = DocumentBuf::new();
        only.append_value("", &value).map_err(|_| too_large())?;
        let mut map = bson::Document::try_from(&only)?;
        Ok(map.remove("").unwrap_or(Self::Null))
    }
}

impl TryFrom<&bson::Document> for DocumentBuf {
    type Error = Bson3Error;

    /// The bytes of a map of the `bson` crate.
    fn try_from(map: &bson::Document) -> Result<Self, Bson3Error> {
        let bytes = map.to_vec()?;
        Self::from_vec(bytes).map_err(|error| Bson3Error::Decode(error.at(PathBuf::new())))
    }
}

#[cold]
fn too_large() -> Bson3Error {
    let error = DecodeError::new(0, DecodeErrorKind::LimitExceeded(boson_document::Limit::Bytes));
    Bson3Error::Decode(error.at(PathBuf::new()))
}

/// How many members the document and those in it have, repeated names included; all of it is checked on the way.
fn keys_of(document: Document<'_>) -> Result<u64, DecodeError> {
    let options = ReadOptions { limits: Limits::BSON.with_bytes(usize::MAX), ..ReadOptions::default() };
    let mut keys = Keys(0);
    document.with(options).drive(&mut keys)?;
    Ok(keys.0)
}

struct Keys(u64);

impl Sink for Keys {
    type Error = DecodeError;

    fn begin_object(&mut self, _: Container) -> Result<Descend, DecodeError> {
        Ok(Descend::Into)
    }
    fn end_object(&mut self) -> Result<(), DecodeError> {
        Ok(())
    }
    fn begin_array(&mut self, _: Container) -> Result<Descend, DecodeError> {
        Ok(Descend::Into)
    }
    fn end_array(&mut self) -> Result<(), DecodeError> {
        Ok(())
    }
    fn begin_code_with_scope(&mut self, _: &str, _: Container) -> Result<Descend, DecodeError> {
        Ok(Descend::Into)
    }
    fn end_code_with_scope(&mut self) -> Result<(), DecodeError> {
        Ok(())
    }
    fn key(&mut self, _: &str, _: Span) -> Result<(), DecodeError> {
        self.0 = self.0.saturating_add(1);
        Ok(())
    }
    fn scalar(&mut self, _: Scalar<'_>, _: Span) -> Result<(), DecodeError> {
        Ok(())
    }
}

/// The same count of what the crate read. It recurses: depth was checked.
fn count_members(map: &bson::Document) -> u64 {
    map.values().map(|value| 1_u64.saturating_add(count_in(value))).fold(0, u64::saturating_add)
}

fn count_in(value: &Bson) -> u64 {
    match value {
        Bson::Document(map) => count_members(map),
        Bson::Array(values) => values.iter().map(count_in).fold(0, u64::saturating_add),
        Bson::JavaScriptCodeWithScope(code) => count_members(&code.scope),
        _ => 0,
    }
}
