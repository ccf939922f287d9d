//! Why an attempt to edit in place ends.

use boson_document::edit::{PathError, PathFault, Reason};
use boson_document::{DecodeError, Segment};

use crate::write::EncodeErrorKind;

/// Why an attempt ends before anything that was there is overwritten.
pub(super) enum Halt {
    /// The image must be written anew.
    Rebuild(Reason),
    /// The overflow map, which this edit makes, must have room for an entry.
    MapRoom,
    Path(PathError),
    Decode(DecodeError),
    Encode(EncodeErrorKind),
}

impl Halt {
    /// Step `number` of `steps` fails.
    #[cold]
    pub(super) fn path(steps: &[Segment], number: usize, fault: PathFault) -> Self {
        Self::Path(PathError::new(&steps.iter().cloned().collect(), number, fault))
    }
}

impl From<DecodeError> for Halt {
    fn from(error: DecodeError) -> Self {
        Self::Decode(error)
    }
}

impl From<EncodeErrorKind> for Halt {
    fn from(kind: EncodeErrorKind) -> Self {
        Self::Encode(kind)
    }
}
