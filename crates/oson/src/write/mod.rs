//! Writing OSON, with no connection and no Oracle software.
//!
//! [`Writer`] is a sink: it encodes every leaf when it arrives and lays the image out when the document is complete,
//! since an image needs all its names before the first field id can be written. Nothing is kept as a tree, and a writer
//! that is used again allocates nothing per field.

mod dictionary;
mod emit;
mod error;
mod layout;
pub(crate) mod leaf;
mod mixing;
mod names;
mod shapes;
mod sharing;
mod tape;
mod values;
mod writer;

pub use error::{EncodeError, EncodeErrorKind};
pub use writer::{SERVER_DEPTH_MAX, Writer, to_vec};

use boson_document::Limits;

/// How an image is laid out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// Small, and fast to search.
    ///
    /// The types of BSON are kept: integers and decimals by their opcodes, doubles as `BINARY_DOUBLE` (one zero and one
    /// NaN: -0.0 and the payloads of NaNs are lost). Lengths stand in the opcode where they fit. Objects of more than ten
    /// fields are sorted by field id, so that a reader can search them; the places of their values tell the order of the
    /// input. Objects of the same names in the same order share their field ids, equal leaves are stored once (never those
    /// of sorted objects), and offsets have two bytes wherever that reaches.
    ///
    /// A decimal that a NUMBER cannot hold (out of range, too many digits, -0) is written as its text, which few other
    /// readers know. Trailing zeros of decimals that a NUMBER holds are lost.
    #[default]
    Compact,
    /// Byte for byte what python-oracledb writes, for every value that Python can express.
    ///
    /// What that driver refuses is refused: NaN, infinities, numbers that a NUMBER does not hold, intervals of years and
    /// months. So are 40 digits that take 21 base-100 digits, of which the driver makes a number that nobody reads, and
    /// IDs of more than 127 bytes.
    ///
    /// What that driver loses without a word is lost: every number becomes a NUMBER, so that integers, decimals and
    /// doubles are no longer told apart, nor 0.0 from -0.0, nor 1.50 from 1.5; a time with a zone becomes the local time
    /// without it; an interval's days are rounded down and its other parts made positive.
    ///
    /// Python has no nanoseconds: where a time or an interval has them, they are kept.
    Driver,
}

/// What to do when a name occurs a second time in one object, which OSON does not allow.
///
/// Of a member that is dropped nothing is left in the image, neither its value nor the names in it. A document with such a
/// member takes twice as long to write.
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
