//! Why an edit was not made.

use boson_document::edit::{PathError, PathFault};
use boson_document::{DecodeError, PathBuf};

use crate::error::{EncodeError, EncodeErrorKind};
use crate::path::path_at;

/// Why a document could not be changed. It is as it was.
pub type EditError = boson_document::edit::EditError<EncodeError>;

/// The same while the path is not at hand.
#[derive(Clone, Debug)]
pub(super) enum Fault {
    Path(PathFault),
    Decode(DecodeError),
    /// The name of the new value, or the document as a whole.
    Encode(EncodeErrorKind),
    /// The new value; its path begins with the name it was wrapped in.
    Value(EncodeError),
    /// The value that would become the element with this index.
    Pushed(usize, EncodeError),
}

impl Fault {
    /// The same fault of a value that would become the element with this index.
    #[cold]
    pub(super) fn of_pushed(self, index: usize) -> Self {
        match self {
            Self::Value(error) => Self::Pushed(index, error),
            other => other,
        }
    }

    /// This fault at step number `step` of `path`, from 0, in the document `bytes`.
    #[cold]
    pub(super) fn at(self, path: &PathBuf, step: usize, bytes: &[u8]) -> EditError {
        match self {
            Self::Path(fault) => EditError::Path(PathError::new(path, step, fault)),
            Self::Decode(error) => EditError::Decode(error.at(path_at(bytes, error.offset))),
            Self::Encode(kind) => EditError::Encode(EncodeError::new(kind, path.clone())),
            Self::Value(error) => in_value(&error, path),
            Self::Pushed(index, error) => {
                let mut path = path.clone();
                path.push_index(index);
                in_value(&error, &path)
            }
        }
    }
}

impl From<PathFault> for Fault {
    fn from(fault: PathFault) -> Self {
        Self::Path(fault)
    }
}

impl From<DecodeError> for Fault {
    fn from(error: DecodeError) -> Self {
        Self::Decode(error)
    }
}

/// What could not be written of the value for `path`.
#[cold]
fn in_value(error: &EncodeError, path: &PathBuf) -> EditError {
    let inner = error.path().segments().iter().skip(1);
    let path = path.segments().iter().chain(inner).cloned().collect();
    EditError::Encode(EncodeError::new(error.kind().clone(), path))
}
