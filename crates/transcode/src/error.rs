//! What stops a conversion.

use std::fmt;

use boson_document::{DecodeError, Kind, PathBuf};

use crate::format::Format;

/// A document could not be converted: why, and at which value.
///
/// It is one pointer wide, so that the results of a sink's calls stay cheap.
#[derive(Debug)]
pub struct ConvertError(Box<Parts>);

#[derive(Debug)]
struct Parts {
    fault: Fault,
    path: Option<PathBuf>,
}

impl ConvertError {
    /// The fault of the value at `path`.
    #[cold]
    pub(crate) fn new(fault: Fault, path: PathBuf) -> Self {
        Self(Box::new(Parts { fault, path: Some(path) }))
    }

    /// The fault of a value whose path is not known here.
    #[cold]
    fn nowhere(fault: Fault) -> Self {
        Self(Box::new(Parts { fault, path: None }))
    }

    /// The same error, at `path` if it had none.
    #[must_use]
    #[cold]
    pub(crate) fn or_at(mut self, path: impl FnOnce() -> PathBuf) -> Self {
        self.0.path.get_or_insert_with(path);
        self
    }

    /// What is wrong.
    pub const fn fault(&self) -> &Fault {
        &self.0.fault
    }

    /// The value that could not be read or written, as far as it is known.
    pub const fn path(&self) -> Option<&PathBuf> {
        self.0.path.as_ref()
    }

    /// Where the source's fault lies, in bytes from the document's first; `None` when the source is not at fault.
    pub const fn offset(&self) -> Option<usize> {
        match &self.0.fault {
            Fault::Source(error) => Some(error.offset),
            _ => None,
        }
    }
}

impl fmt::Display for ConvertError {
    /// `offset 41, $.a.b[1].c: invalid UTF-8`, `$.a: OSON has dates of the years 1 to 9999 only`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Parts { fault, path } = &*self.0;
        match (fault, path) {
            (Fault::Source(error), Some(path)) => write!(f, "offset {}, {path}: {}", error.offset, error.kind),
            (fault, Some(path)) => write!(f, "{path}: {fault}"),
            (fault, None) => write!(f, "{fault}"),
        }
    }
}

impl std::error::Error for ConvertError {}

/// What is wrong with a document that cannot be converted.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// The document itself.
    #[error("{0}")]
    Source(DecodeError),
    /// A value that the policy does not let be changed.
    #[error("{0}")]
    Refused(Refusal),
    /// A value that BSON cannot hold.
    #[error("{0}")]
    Bson(boson_bson::EncodeErrorKind),
    /// A value that OSON cannot hold.
    #[error("{0}")]
    Oson(boson_oson::write::EncodeErrorKind),
    /// The JSON text could not be written.
    #[error("{0}")]
    Json(std::io::Error),
}

/// Why a value was refused, and which choice of the [`Policy`](crate::Policy) would let it pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// A number that no type holds exactly.
    #[error("no number type of {0} holds this number exactly; rounding to a double must be asked for")]
    InexactNumber(Format),
    /// A number beyond the largest double, where rounding to a double was asked for.
    #[error("this number is beyond the largest double; {0} holds it, if at all, as a decimal")]
    NumberTooLarge(Format),
    /// A number beyond the largest double, which no decimal of the format holds either: nothing can be asked for.
    #[error("this number is beyond all that {0} holds")]
    NumberOutOfRange(Format),
    /// A date that OSON has no place for.
    #[error("OSON holds dates of the years 1 to 9999; writing others as Extended JSON objects must be asked for")]
    DateOutOfRange,
    /// A type that the target lacks.
    #[error("{0} has no type for a {1}; writing it as an extended object must be asked for")]
    NoType(Format, Kind),
    /// A name that occurs more than once.
    #[error("a name occurs more than once in one object; keeping one of them or all must be asked for")]
    DuplicateName,
}

impl From<DecodeError> for ConvertError {
    fn from(error: DecodeError) -> Self {
        Self::nowhere(Fault::Source(error))
    }
}

impl From<boson_bson::EncodeError> for ConvertError {
    fn from(error: boson_bson::EncodeError) -> Self {
        match error.kind() {
            boson_bson::EncodeErrorKind::Source(error) => Self::from(*error),
            kind => Self::new(Fault::Bson(kind.clone()), error.path().clone()),
        }
    }
}

impl From<boson_oson::write::EncodeError> for ConvertError {
    fn from(error: boson_oson::write::EncodeError) -> Self {
        match error.kind() {
            boson_oson::write::EncodeErrorKind::Source(error) => Self::from(error),
            kind => Self::new(Fault::Oson(kind), error.path().clone()),
        }
    }
}

impl From<boson_json::WriteError> for ConvertError {
    fn from(error: boson_json::WriteError) -> Self {
        match error {
            boson_json::WriteError::Decode(error) => Self::from(error),
            boson_json::WriteError::Io(error) => Self::nowhere(Fault::Json(error)),
        }
    }
}
