//! What cannot be written as OSON.

use std::fmt;

use boson_document::{DecodeError, Kind, Limit, PathBuf};

/// A document that cannot be written: what is wrong, and at which value.
///
/// It is one pointer wide, so that the results of a sink's calls stay in registers; the path is put together when the
/// error is made, not while documents are written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EncodeError(Box<Parts>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Parts {
    kind: EncodeErrorKind,
    path: PathBuf,
}

impl EncodeError {
    /// The fault `kind` of the value at `path`.
    #[cold]
    pub fn new(kind: EncodeErrorKind, path: PathBuf) -> Self {
        Self(Box::new(Parts { kind, path }))
    }

    /// What is wrong.
    pub fn kind(&self) -> EncodeErrorKind {
        self.0.kind
    }

    /// The value that cannot be written; for a name that cannot, the object it stands in.
    pub fn path(&self) -> &PathBuf {
        &self.0.path
    }
}

impl fmt::Display for EncodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind() {
            EncodeErrorKind::Source(error) => write!(f, "{error}"),
            kind => write!(f, "{}: {kind}", self.path()),
        }
    }
}

impl std::error::Error for EncodeError {}

impl From<DecodeError> for EncodeError {
    /// A fault of the source, whose path the source knows better.
    fn from(error: DecodeError) -> Self {
        Self::new(EncodeErrorKind::Source(error), PathBuf::new())
    }
}

/// Why a value cannot be written as OSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EncodeErrorKind {
    /// OSON has no type for it.
    #[error("OSON has no {0}")]
    UnsupportedKind(Kind),
    /// OSON has binary, but nowhere to keep a subtype.
    #[error("OSON has no place for binary subtype {0}")]
    BinarySubtype(u8),
    /// A number that neither a NUMBER nor the other opcodes of the style hold.
    #[error("not a number that this style of OSON holds (NUMBER: 1e-130 to below 1e126, 39 or 40 digits)")]
    NumberRange,
    /// A decimal NaN or infinity, or in style `driver` a double that is one.
    #[error("NaN and infinities are no numbers here")]
    NotFinite,
    /// A number that is written as its text, since no NUMBER holds it, and whose text is too long.
    #[error("a number of {0} bytes of text, which no NUMBER holds; as text it may have 255")]
    DecimalTextLength(usize),
    /// The text of a decimal is not a number.
    #[error("not a decimal number")]
    DecimalText,
    /// A day or time before year 1 or after year 9999, or none of the calendar.
    #[error("OSON has dates of the years 1 to 9999 only")]
    DateRange,
    /// A zone that is a day or more away from UTC.
    #[error("a time zone of {0} minutes from UTC")]
    TimeZone(i16),
    /// An interval with a part that does not fit.
    #[error("an interval with a part out of range")]
    IntervalRange,
    /// An ID that is too long.
    #[error("an ID of {0} bytes, more than 127")]
    IdLength(usize),
    /// A name that is too long.
    #[error("a name of {0} bytes, more than 65535")]
    NameLength(usize),
    /// The same name a second time in one object.
    #[error("the name occurs twice in one object")]
    DuplicateName,
    /// A bound of the options was reached.
    #[error("{0}")]
    LimitExceeded(Limit),
    /// More bytes than offsets of 32 bits reach.
    #[error("more than 4 GiB")]
    TooLarge,
    /// The calls did not make up one document.
    #[error("expected exactly one document")]
    NotOneDocument,
    /// The source's own fault.
    #[error("{0}")]
    Source(DecodeError),
}
