//! What can be wrong with a document's bytes.

use std::fmt;
use std::io;

use crate::kind::Kind;
use crate::path::PathBuf;

/// A fault in a document: where, and what was expected there.
///
/// It is `Copy` and small, so that results stay cheap on the hot paths; the path of the fault is found by walking the
/// document again when someone is to read it, and travels as a [`Located`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DecodeError {
    /// Bytes before the fault, from the document's first byte.
    pub offset: usize,
    /// What is wrong there.
    pub kind: DecodeErrorKind,
}

const _: () = assert!(size_of::<DecodeError>() <= 24, "every call of a walk returns one of these");

impl DecodeError {
    /// The fault `kind` at `offset`.
    #[cold]
    pub const fn new(offset: usize, kind: DecodeErrorKind) -> Self {
        Self { offset, kind }
    }

    /// The same fault, `base` bytes further on: for a document that stands inside other bytes.
    #[must_use]
    pub const fn shifted(self, base: usize) -> Self {
        Self { offset: self.offset.saturating_add(base), kind: self.kind }
    }

    /// This fault with the path at which it was met.
    pub const fn at(self, path: PathBuf) -> Located {
        Located { error: self, path }
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "offset {}: {}", self.offset, self.kind)
    }
}

impl std::error::Error for DecodeError {}

/// A fault with the path at which it was met: `offset 41, $.a.b[1].c: invalid UTF-8`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("offset {}, {path}: {}", .error.offset, .error.kind)]
pub struct Located {
    /// The fault.
    pub error: DecodeError,
    /// The innermost value that was being read.
    pub path: PathBuf,
}

/// What is wrong with a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DecodeErrorKind {
    /// The input ends inside a value.
    #[error("the input ends here, {missing} more {} expected", if *missing == 1 { "byte was" } else { "bytes were" })]
    UnexpectedEnd {
        /// How many bytes are missing, at least.
        missing: u32,
    },
    /// A length that cannot be one.
    #[error("length {0} is not possible here")]
    InvalidLength(i32),
    /// A length that does not agree with the bytes.
    #[error("the length says {declared} bytes, the content takes {actual}")]
    LengthMismatch {
        /// What the document claims.
        declared: u32,
        /// What was found.
        actual: u32,
    },
    /// Bytes after the end of the document.
    #[error("{count} {} the end of the document", if *.0 == 1 { "byte follows" } else { "bytes follow" }, count = .0)]
    TrailingBytes(u32),
    /// A type byte or opcode that the format does not define.
    #[error("unknown type byte 0x{0:02x}")]
    UnknownTag(u8),
    /// A name or string is not UTF-8.
    #[error("invalid UTF-8")]
    InvalidUtf8,
    /// A string or a document does not end with the NUL byte that must close it.
    #[error("expected a terminating NUL byte, found 0x{0:02x}")]
    MissingTerminator(u8),
    /// A boolean is neither 0 nor 1.
    #[error("expected a boolean of 0 or 1, found {0}")]
    InvalidBool(u8),
    /// A value breaks a rule of its type.
    #[error("{0}")]
    Broken(Rule),
    /// The first bytes are not those of the format.
    #[error("not an OSON image: expected the bytes FF 4A 5A")]
    BadMagic,
    /// A version that is not known.
    #[error("version {0} is not known, expected 1 to 4")]
    UnsupportedVersion(u8),
    /// Flags that are not known or do not go together.
    #[error("flags 0x{0:04x} are not supported: {1}")]
    UnsupportedFlags(u16, FlagFault),
    /// A field id beyond the dictionary.
    #[error("field id {0} is not in the dictionary")]
    FieldIdOutOfRange(u32),
    /// An offset beyond the segment it points into.
    #[error("offset {0} points outside the tree")]
    OffsetOutOfRange(u32),
    /// A name occurs twice in one object of a format that does not allow it.
    #[error("a name occurs twice in one object")]
    DuplicateName,
    /// A value was asked for as something that it is not.
    #[error("expected {}, found {found}", .expected.map_or("a scalar", Kind::name))]
    UnexpectedKind {
        /// What was asked for; `None` for any scalar.
        expected: Option<Kind>,
        /// What the value is.
        found: Kind,
    },
    /// Binary was asked for as of a subtype that it is not.
    #[error("expected binary of subtype {expected}, found subtype {found}")]
    UnexpectedSubtype {
        /// What was asked for.
        expected: u8,
        /// What the value has.
        found: u8,
    },
    /// A bound of [`Limits`](crate::Limits) was reached.
    #[error("{0}")]
    LimitExceeded(Limit),
    /// Reading the bytes themselves failed.
    #[error("reading failed: {0}")]
    Io(io::ErrorKind),
}

/// What is wrong with an OSON image's flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FlagFault {
    /// Flag 0x0002 is missing.
    #[error("leaf values must be inline (0x0002)")]
    LeavesNotInline,
    /// A dictionary without flag 0x0100, or with 0x0200.
    #[error("name hashes must be of one byte (0x0100)")]
    HashWidth,
    /// Bits that no version defines.
    #[error("reserved bits are set")]
    Reserved,
}

/// A bound of [`Limits`](crate::Limits).
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Limit {
    /// Too many containers inside containers.
    #[error("nested deeper than {0} levels; raise the depth limit to allow it")]
    Depth(u32),
    /// Too many values.
    #[error(
        "more values than the limit of nodes, or, where values are shared again and again, than the size of the document allows"
    )]
    Nodes,
    /// Too many bytes.
    #[error("the document is larger than the limit of bytes; raise the limit to allow it")]
    Bytes,
    /// Too many bytes of names and values, of which the document holds each once.
    #[error("values that are shared again and again add up to more bytes than the size of the document allows")]
    SharedBytes,
}

/// A rule of one type that a value breaks; each is worded as what was expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Rule {
    /// BSON code with scope.
    #[error("the length of code with scope must be that of its string and its scope")]
    CodeWithScopeLength,
    /// BSON old binary.
    #[error("binary of subtype 2 must hold its own length")]
    OldBinaryLength,
    /// Regular expressions, whose parts BSON ends with NUL.
    #[error("a regular expression must not contain a NUL character")]
    NulInRegex,
    /// BSON vectors.
    #[error("not a valid vector")]
    Vector,
    /// UUID views.
    #[error("a UUID has 16 bytes")]
    UuidLength,
    /// OSON NUMBER.
    #[error("not a valid NUMBER")]
    Number,
    /// OSON 0x35, JSON numbers.
    #[error("not a decimal number")]
    DecimalText,
    /// OSON 0x40-0x5F.
    #[error("the NUMBER does not fit the integer type of its opcode")]
    IntegerRange,
    /// OSON DATE and TIMESTAMP.
    #[error("not a date or time of the calendar")]
    Date,
    /// OSON TIMESTAMP WITH TIME ZONE.
    #[error("named time zone regions are not supported")]
    TimeZoneRegion,
    /// OSON intervals.
    #[error("not an interval")]
    Interval,
    /// OSON ID.
    #[error("an ID has at most 127 bytes")]
    IdLength,
    /// OSON 0x78, 0x7B and array count bits.
    #[error("this opcode is reserved")]
    ReservedOpcode,
    /// OSON header.
    #[error("a dictionary without names must have no heap")]
    HeapWithoutNames,
    /// OSON dictionary.
    #[error("names must be distinct, and sorted by their hash and length")]
    DictionaryOrder,
    /// OSON objects that do not say that they are unsorted.
    #[error("the field ids of this object must be sorted")]
    FieldIdOrder,
    /// OSON header.
    #[error("a name must lie within its heap")]
    NameOutsideHeap,
    /// OSON header: the scalar flag.
    #[error("the scalar flag does not agree with the root value")]
    ScalarFlag,
    /// OSON shared field ids.
    #[error("the object whose field ids are shared must have field ids of its own")]
    SharedOwner,
    /// OSON forwarding.
    #[error("the forwarded value is not in the overflow map")]
    NotInOverflowMap,
    /// OSON forwarding.
    #[error("a key of the overflow map must lie in the primary tree")]
    MapKey,
    /// OSON forwarding.
    #[error("forwarding leads back to where it came from")]
    ForwardingCycle,
    /// OSON trees.
    #[error("a container is inside itself")]
    Cycle,
    /// OSON update header.
    #[error("the update header must agree with the size of the image and hold a reserved field of 0")]
    UpdateHeader,
    /// JSON text.
    #[error("expected a JSON value")]
    JsonValue,
    /// JSON text.
    #[error("expected a member's name in quotes")]
    JsonKey,
    /// JSON text.
    #[error("expected a value or a name after the comma: none may stand before a closing bracket")]
    JsonTrailingComma,
    /// A stream of one JSON array.
    #[error("expected the end of the input after the end of the array")]
    JsonAfterArray,
    /// JSON text.
    #[error("expected `:`")]
    JsonColon,
    /// JSON text.
    #[error("expected `,` or the closing bracket")]
    JsonComma,
    /// JSON text.
    #[error("a string holds an escape that JSON does not have")]
    JsonEscape,
    /// JSON text.
    #[error("a string holds half of a surrogate pair")]
    JsonSurrogate,
    /// JSON text.
    #[error("a control character in a string must be escaped")]
    JsonControl,
    /// JSON text.
    #[error("not a number in JSON's grammar")]
    JsonNumber,
    /// JSON text.
    #[error("expected `true`, `false` or `null`")]
    JsonLiteral,
    /// JSON numbers.
    #[error("a number of more than 4300 digits before its point is not read")]
    JsonNumberLength,
    /// Extended JSON wrappers, `{"$oid": …}` and the like.
    #[error("not a valid Extended JSON value")]
    Extended,
    /// Extended JSON wrappers.
    #[error("an Extended JSON object must have exactly the keys of its type, each with a value of the right type")]
    ExtendedShape,
    /// Extended JSON `$number…`.
    #[error("not a number that this Extended JSON type holds exactly")]
    ExtendedNumber,
    /// Extended JSON dates.
    #[error(
        "expected an ISO 8601 date with a time and, where the type has one, a zone, such as 2012-12-24T12:15:30.501Z"
    )]
    ExtendedDate,
    /// Extended JSON `$date`.
    #[error("the date has digits below the millisecond, which a BSON date has no place for: at most three decimals")]
    ExtendedDateFraction,
    /// Extended JSON intervals.
    #[error("expected an ISO 8601 duration such as P3DT4H5M6.789S or P1Y2M")]
    ExtendedInterval,
    /// Extended JSON binary, hexadecimal digits and UUIDs.
    #[error("expected base64, hexadecimal digits or a UUID, as the Extended JSON type has it")]
    ExtendedBytes,
    /// Numbers under a policy that refuses to round.
    #[error("neither an int64 nor a double holds this number exactly")]
    InexactNumber,
}
