//! Writing OSON, with no connection and no Oracle software.
//!
//! [`Writer`] is a sink: it encodes every leaf when it arrives and lays the image out when the document is complete,
//! since an image needs all its names before the first field id can be written. Nothing is kept as a tree, and a writer
//! that is used again allocates nothing per field.

mod dictionary;
mod emit;
mod error;
mod layout;
mod leaf;
mod mixing;
mod names;
mod shapes;
mod sharing;
mod tape;
mod values;
mod writer;

pub use error::{EncodeError, EncodeErrorKind};
pub use writer::{Writer, to_vec};

use boson_document::Limits;

/// How an image is laid out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// Small, and fast to search.
    #[default]
    Compact,
    /// Byte for byte what python-oracledb writes.
    Driver,
}

/// What to do when a name occurs a second time in one object, which OSON does not allow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DuplicateNames {
    /// Refuse the document.
    #[default]
    Error,
    /// Keep the first member of that name.
    First,
    /// Keep the last member of that name, where it stands.
    Last,
}

/// How to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// The layout.
    pub style: Style,
    /// Keep every object's members in the order of the input: none is sorted, so none can be searched. Style `driver`
    /// always does.
    pub keep_order: bool,
    /// Bounds of depth, values and bytes; those of Oracle Database by default.
    pub limits: Limits,
    /// What to do with a second member of the same name.
    pub duplicate_names: DuplicateNames,
}

impl Options {
    /// The default: compact, sorted, within the limits of Oracle Database, no name twice.
    pub const COMPACT: Self =
        Self { style: Style::Compact, keep_order: false, limits: Limits::OSON, duplicate_names: DuplicateNames::Error };

    /// What python-oracledb writes.
    pub const DRIVER: Self = Self { style: Style::Driver, ..Self::COMPACT };
}

impl Default for Options {
    fn default() -> Self {
        Self::COMPACT
    }
}
