//! The choices that a conversion leaves to its user.

use boson_document::Limits;
use boson_json::{Dialects, Inexact, Style};

use crate::format::Format;

/// What to do where formats differ. The default carries over all that can be, refuses what would change a value's meaning
/// without a trace, and reports the rest.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Policy {
    /// Which wrapper objects of a JSON text are read as the scalars they stand for. By default those of MongoDB's Extended
    /// JSON v2 and Oracle's.
    pub dialects: Dialects,
    /// How values are written that JSON has no type for. By default relaxed Extended JSON.
    pub json_style: Style,
    /// Whether JSON has `REDACTED` in place of binary data of subtype 8, which MongoDB calls sensitive: for text that people
    /// read, which is not to come back. By default not.
    pub redact_sensitive: bool,
    /// What a number of a JSON text with a fraction or an exponent becomes.
    pub fractions: Fractions,
    /// What a number becomes that neither an int64 nor a double holds exactly: of a JSON text on the way to BSON and OSON,
    /// of OSON on the way to BSON. By default a decimal: a Decimal128 in BSON, and an error beyond its 34 digits; a NUMBER,
    /// or decimal text, in OSON. A number beyond the largest double is never rounded.
    pub inexact: Inexact,
    /// The layout of OSON images. By default compact.
    pub oson_style: boson_oson::write::Style,
    /// Whether the objects of OSON images keep their fields in the order of the input, so that none can be searched. By
    /// default not.
    pub keep_order: bool,
    /// What to do when a name occurs more than once in an object.
    pub duplicate_names: DuplicateNames,
    /// What becomes of the subtype of binary data on the way to OSON, which has no place for it.
    pub subtypes: Subtypes,
    /// What becomes of a date on the way to OSON that lies outside the years 1 to 9999.
    pub dates: OutOfRange,
    /// What becomes of Oracle's intervals, vectors and IDs that are not of 12 bytes on the way to BSON, which has no type for
    /// them. By default they are written as Oracle's extended objects.
    pub oracle_types: OutOfRange,
    /// Whether extended objects are turned back into what they stand for: Extended JSON objects in OSON on the way to BSON and
    /// to Extended JSON, and Oracle's objects in BSON ([`Dialects::ORACLE_TYPES`]) on the way to OSON. By default yes: that
    /// is how a regular expression survives in OSON, and an interval in BSON. An object that looks like one is read as one,
    /// which is reported; one that begins like one and is none stays as it is.
    pub unwrap: bool,
    /// How large and how deep a BSON document may be that is read or written.
    pub bson_limits: Limits,
    /// How large and how deep an OSON image may be that is read or written.
    pub oson_limits: Limits,
    /// How large and how deep a JSON text may be that is read.
    pub json_limits: Limits,
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            dialects: Dialects::BOTH,
            json_style: Style::ExtendedRelaxed,
            redact_sensitive: false,
            fractions: Fractions::Double,
            inexact: Inexact::Decimal128,
            oson_style: boson_oson::write::Style::Compact,
            keep_order: false,
            duplicate_names: DuplicateNames::Keep,
            subtypes: Subtypes::Wrap,
            dates: OutOfRange::Error,
            oracle_types: OutOfRange::Wrap,
            unwrap: true,
            bson_limits: Limits::BSON,
            oson_limits: Limits::OSON,
            json_limits: Limits::JSON,
        }
    }
}

impl Policy {
    /// How large and how deep a document of `format` may be.
    pub const fn limits(&self, format: Format) -> Limits {
        match format {
            Format::Bson => self.bson_limits,
            Format::Oson => self.oson_limits,
            Format::Json => self.json_limits,
        }
    }
}

/// What a JSON number with a fraction or an exponent becomes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fractions {
    /// A double where that prints as the same number, else what [`Policy::inexact`] says.
    #[default]
    Double,
    /// A decimal, whose digits are the text's: a Decimal128 in BSON, a NUMBER in OSON, as Oracle Database stores it.
    Decimal,
}

/// What to do when a name occurs more than once in an object.
///
/// BSON and JSON have place for it, though readers disagree on what it means; OSON does not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DuplicateNames {
    /// Carry all of them over, and report it, where a JSON text is read or written; an error where OSON is written.
    #[default]
    Keep,
    /// An error.
    Error,
    /// Keep the first and report each of the others. The document is read twice.
    First,
    /// Keep the last, which stays where it stands, and report each of the others. The document is read twice.
    Last,
}

/// What becomes of the subtype of binary data where there is no place for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Subtypes {
    /// Data of a subtype other than 0 is written as an Extended JSON object, which keeps it.
    #[default]
    Wrap,
    /// The bytes are kept as binary, and the loss of the subtype is reported.
    Drop,
}

/// What becomes of a value that the target cannot hold as what it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OutOfRange {
    /// An error.
    #[default]
    Error,
    /// It is written as an extended object, which is reported.
    Wrap,
}
