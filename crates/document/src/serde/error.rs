//! What stops a struct from being written or read.

use std::fmt;

use crate::error::DecodeError;
use crate::kind::Kind;
use crate::path::{PathBuf, Segment};

/// A value could not be serialized.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SerializeError<E> {
    /// The sink refused.
    #[error("{0}")]
    Sink(E),
    /// The value's own `Serialize` said this, or the data model has no place for it.
    #[error("{0}")]
    Message(String),
}

impl<E> SerializeError<E> {
    /// The error for something the data model has no place for.
    #[cold]
    pub(super) fn message(text: impl fmt::Display) -> Self {
        Self::Message(text.to_string())
    }
}

impl<E: std::error::Error> ::serde::ser::Error for SerializeError<E> {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::message(message)
    }
}

/// A value could not be deserialized: `offset 41, $.a.b[1]: invalid type: string "x", expected i32`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeserializeError(Box<Inner>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Inner {
    cause: Cause,
    place: Option<(usize, Option<Kind>)>,
    /// The steps of the path, the innermost first.
    steps: Vec<Segment>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Cause {
    Decode(DecodeError),
    Message(String),
}

impl DeserializeError {
    #[cold]
    fn new(cause: Cause) -> Self {
        Self(Box::new(Inner { cause, place: None, steps: Vec::new() }))
    }

    #[cold]
    pub(super) fn message(text: impl fmt::Display) -> Self {
        Self::new(Cause::Message(text.to_string()))
    }

    /// The same, met at `offset`, of a value of `kind`; what is known already stays.
    #[cold]
    pub(super) fn met_at(mut self, offset: usize, kind: Option<Kind>) -> Self {
        self.0.place.get_or_insert((offset, kind));
        self
    }

    /// The same, one level up: `step` led to where it was met.
    #[cold]
    pub(super) fn within(mut self, step: Segment) -> Self {
        self.0.steps.push(step);
        self
    }

    /// The fault of the document itself, where that is what stopped it.
    pub const fn decode_error(&self) -> Option<DecodeError> {
        match &self.0.cause {
            Cause::Decode(error) => Some(*error),
            Cause::Message(_) => None,
        }
    }

    /// Bytes before the value that could not be read; `None` when it was none in particular.
    pub fn offset(&self) -> Option<usize> {
        match &self.0.cause {
            Cause::Decode(error) => Some(error.offset),
            Cause::Message(_) => self.0.place.map(|(offset, _)| offset),
        }
    }

    /// The value that could not be read.
    pub fn path(&self) -> PathBuf {
        self.0.steps.iter().rev().cloned().collect()
    }
}

impl From<DecodeError> for DeserializeError {
    fn from(error: DecodeError) -> Self {
        Self::new(Cause::Decode(error))
    }
}

impl fmt::Display for DeserializeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(offset) = self.offset() {
            write!(f, "offset {offset}, ")?;
        }
        write!(f, "{}: ", self.path())?;
        match &self.0.cause {
            Cause::Decode(error) => write!(f, "{}", error.kind),
            Cause::Message(message) => f.write_str(message),
        }?;
        match self.0.place {
            Some((_, Some(kind))) if self.decode_error().is_none() => write!(f, " (the value is of type {kind})"),
            _ => Ok(()),
        }
    }
}

impl std::error::Error for DeserializeError {}

impl ::serde::de::Error for DeserializeError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::message(message)
    }
}
