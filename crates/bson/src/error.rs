//! What stops a document from being written.

use boson_document::{DecodeError, Kind, PathBuf};

/// A document could not be written: why, and at which value.
///
/// It is one pointer wide, so that results stay cheap on the hot path.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(transparent)]
pub struct EncodeError(Box<Inner>);

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{path}: {kind}")]
struct Inner {
    kind: EncodeErrorKind,
    path: PathBuf,
}

impl EncodeError {
    /// The fault `kind` at the value `path`.
    #[cold]
    pub fn new(kind: EncodeErrorKind, path: PathBuf) -> Self {
        Self(Box::new(Inner { kind, path }))
    }

    /// The same fault with `path` where it is a source's own, which came without one.
    #[cold]
    pub(crate) fn at(mut self, path: PathBuf) -> Self {
        if matches!(self.0.kind, EncodeErrorKind::Source(_)) {
            self.0.path = path;
        }
        self
    }

    /// Why.
    pub const fn kind(&self) -> &EncodeErrorKind {
        &self.0.kind
    }

    /// The value that could not be written, in the document that was being written.
    pub const fn path(&self) -> &PathBuf {
        &self.0.path
    }
}

impl From<DecodeError> for EncodeError {
    /// The source's own fault. The path is not known here; whoever drives a writer through
    /// [`Writer::write`](crate::Writer::write) gets it.
    fn from(error: DecodeError) -> Self {
        Self::new(EncodeErrorKind::Source(error), PathBuf::new())
    }
}

/// Why a document could not be written as BSON.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EncodeErrorKind {
    /// The document that is read from is faulty.
    #[error("{0}")]
    Source(DecodeError),
    /// BSON has no type for it; converting decides what becomes of it.
    #[error("BSON has no type for a {0}")]
    UnsupportedKind(Kind),
    /// A number that neither a double nor a Decimal128 holds exactly.
    #[error("neither a double nor a Decimal128 holds this number exactly")]
    InexactNumber,
    /// BSON ends names with NUL, so that none can be in one.
    #[error("a name must not contain a NUL character")]
    NulInName,
    /// The root of BSON is a document, never an array or a scalar.
    #[error("the root must be a document, found {0}")]
    RootNotDocument(Kind),
    /// More than the limit of bytes, or than a length of 31 bits can say.
    #[error("the document is larger than {bytes_max} bytes")]
    TooLarge {
        /// The limit.
        bytes_max: usize,
    },
    /// More containers inside containers than the limit.
    #[error("nested deeper than {depth_max} levels; raise the depth limit to write it")]
    TooDeep {
        /// The limit.
        depth_max: u32,
    },
    /// What a typed value's own `Serialize` said.
    #[error("{0}")]
    Message(String),
    /// The calls do not make up a document: a value without a key, a key without a value, an end without a beginning.
    #[error("each value in an object must follow a key of its own, and each end a beginning")]
    Misplaced,
}
