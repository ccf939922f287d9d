//! What each byte of a document is for.

use crate::error::DecodeError;
use crate::scalar::Scalar;
use crate::span::Span;

/// A run of bytes with one purpose. Every byte of a document belongs to exactly one region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region {
    /// The bytes.
    pub span: Span,
    /// What they are for.
    pub role: Role,
    /// How deep the value they belong to lies; 0 for what belongs to the document as a whole.
    pub depth: u32,
}

/// What bytes of a document are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Role {
    /// The bytes that say which format this is.
    Magic,
    /// The version of the format.
    Version,
    /// Flags of the document.
    Flags,
    /// A number of the header: how many names, how large a segment.
    HeaderSize,
    /// Hashes of names.
    Hash,
    /// The offset of a name in its heap.
    NameOffset,
    /// The length of a name.
    NameLength,
    /// A name.
    Name,
    /// The NUL that ends a name or a string, or closes a document.
    Terminator,
    /// A type byte or an opcode; of OSON also where the value itself is in the opcode.
    Type,
    /// The length of a value.
    Length,
    /// The number of a container's children.
    Count,
    /// Field ids of an object.
    FieldId,
    /// Where the field ids that this object shares are.
    OwnerOffset,
    /// Where children are.
    ChildOffset,
    /// The subtype of a binary value.
    Subtype,
    /// A value.
    Value,
    /// Where a value was moved to by an update.
    Forward,
    /// An update header.
    UpdateHeader,
    /// An entry of the overflow map.
    MapEntry,
    /// Bytes that nothing refers to.
    Slack,
    /// Bytes that a fault keeps from being read.
    Unread,
}

impl Role {
    /// The name of the role, in lower case.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Magic => "magic",
            Self::Version => "version",
            Self::Flags => "flags",
            Self::HeaderSize => "header size",
            Self::Hash => "hash",
            Self::NameOffset => "name offset",
            Self::NameLength => "name length",
            Self::Name => "name",
            Self::Terminator => "terminator",
            Self::Type => "type",
            Self::Length => "length",
            Self::Count => "count",
            Self::FieldId => "field id",
            Self::OwnerOffset => "owner offset",
            Self::ChildOffset => "child offset",
            Self::Subtype => "subtype",
            Self::Value => "value",
            Self::Forward => "forward",
            Self::UpdateHeader => "update header",
            Self::MapEntry => "map entry",
            Self::Slack => "slack",
            Self::Unread => "unread",
        }
    }
}

/// A region and what its bytes mean, for people to read.
///
/// Notes come in the order of their bytes and, like regions, tile the document; of a faulty one too, for what a fault keeps
/// from being read is [`Role::Unread`]. How much text the notes of a document are is bounded by the size of the document:
/// names are cut, and each value is explained once, however often it is shared.
#[derive(Clone, Copy, Debug)]
pub struct Note<'a> {
    /// The bytes, what they are for, and how deep they lie.
    pub region: Region,
    /// The part of the document they lie in: `header`, `tree segment` …
    pub section: &'static str,
    /// What they mean; each further line is a detail.
    pub meaning: &'a str,
    /// The value that they are, where they are one that could be read.
    pub value: Option<Scalar<'a>>,
    /// The element or node that they are a part of.
    pub whole: Span,
    /// Where what they point to begins.
    pub points_to: Option<usize>,
    /// How many of them may be shown: none of sensitive ones, the first of many that could not be read.
    pub shown: usize,
    /// Whether the document's fault lies here.
    pub is_fault: bool,
}

/// A document that can say what each of its bytes is for.
pub trait Layout {
    /// The regions of the document in the order of their bytes, without gaps or overlap, from the first byte to the last.
    ///
    /// # Errors
    ///
    /// The document's first fault.
    fn regions(&self) -> Result<Vec<Region>, DecodeError>;
}
