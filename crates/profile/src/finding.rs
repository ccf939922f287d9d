//! What is stored as something else than it is.

use std::fmt;

use boson_document::Kind;
use serde::Serialize;

use crate::node::KindStats;
use crate::path::Path;
use crate::shape::{Alphabet, BoolWords, Case, Grouping, IsoLayout, NumericDate, ObjectIdSpelling, UuidSpelling};

/// Everything that the rules have to say about a profile.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Findings {
    /// What can be stored better, most saving first.
    pub findings: Vec<Finding>,
    /// What looks as if it could be and is to stay, by path.
    pub left_alone: Vec<LeftAlone>,
}

/// Values that are stored as something else than they are.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// Where.
    pub path: Path,
    /// What they are stored as.
    pub stored: Kind,
    /// What they are.
    pub actual: Actual,
    /// How many values fit: all counts below are of values of the kind `stored`.
    pub fits: u64,
    /// In how many documents: where the path leads through arrays, those in which it occurs at all; `None` where keys on
    /// the way are data.
    pub documents: Option<u64>,
    /// What does not fit and would stay as it is.
    pub misfits: Misfits,
    /// Values of other kinds at the same path, `null` among them.
    pub others: Vec<KindStats>,
    /// The type that is proposed.
    pub proposal: Conversion,
    /// Other types that would do, for the author of the plan to choose.
    pub alternatives: Vec<Conversion>,
    /// What is to be decided before anything is converted.
    pub questions: Vec<Question>,
    /// How much can go wrong.
    pub risk: Risk,
    /// Why the risk is what it is.
    pub reasons: Vec<Reason>,
}

impl Finding {
    /// Bytes that the proposal saves in all, where they are known.
    pub const fn saved_bytes(&self) -> Option<i64> {
        self.proposal.saved_bytes
    }

    /// Bytes that the proposal saves in each value that fits, on average.
    pub fn saved_bytes_per_value(&self) -> Option<f64> {
        self.proposal.saved_bytes.map(|bytes| signed_ratio(bytes, self.fits))
    }
}

/// `a / b` as a float; 0 when `b` is.
#[expect(clippy::cast_precision_loss, reason = "for people to read; 53 bits are enough")]
pub(crate) fn signed_ratio(a: i64, b: u64) -> f64 {
    if b == 0 { 0.0 } else { a as f64 / b as f64 }
}

/// Values that do not fit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Misfits {
    /// How many, the words for nothing included.
    pub count: u64,
    /// A few of them, cut to 96 bytes: always the same ones for the same documents.
    pub examples: Vec<String>,
    /// Empty strings and words that stand for a missing value, with their counts.
    pub nothing: Vec<(String, u64)>,
}

/// What values really are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Actual {
    /// UUIDs.
    Uuid,
    /// `ObjectIds`.
    ObjectId,
    /// Moments: a date, a time and a zone.
    DateTime,
    /// Dates and times of which no zone is told.
    LocalDateTime,
    /// Dates alone.
    Date,
    /// Seconds since 1970.
    EpochSeconds,
    /// Milliseconds since 1970.
    EpochMilliseconds,
    /// Integers.
    Integer,
    /// Decimals, or decimals and integers.
    Decimal,
    /// Amounts of money.
    Money,
    /// Truth values.
    Boolean,
    /// Nothing: every value is a word for a missing one.
    Nothing,
    /// Bytes in hexadecimal digits.
    Hexadecimal,
    /// Bytes in Base64.
    Base64,
    /// Objects or arrays as JSON text.
    Json,
    /// Values that were wrapped by Extended JSON and stored with the wrapping.
    ExtendedJson,
}

/// A type to convert to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(tag = "type", content = "subtype", rename_all = "kebab-case")]
#[non_exhaustive]
#[expect(missing_docs, reason = "named after the types of BSON")]
pub enum Target {
    Uuid,
    ObjectId,
    Date,
    Int32,
    Int64,
    Double,
    Decimal128,
    Bool,
    Null,
    /// Binary of this subtype.
    Binary(u8),
    /// The object or array that the text describes.
    Document,
}

impl Target {
    /// Bytes of a value of this type in BSON, without type and name; `None` when they depend on the value.
    pub const fn bson_bytes(self) -> Option<u64> {
        match self {
            Self::Uuid => Some(4 + 1 + 16),
            Self::ObjectId => Some(12),
            Self::Date | Self::Int64 | Self::Double => Some(8),
            Self::Int32 => Some(4),
            Self::Decimal128 => Some(16),
            Self::Bool => Some(1),
            Self::Null => Some(0),
            Self::Binary(_) | Self::Document => None,
        }
    }
}

/// One way to convert.
#[derive(Clone, Debug, PartialEq)]
pub struct Conversion {
    /// The type.
    pub target: Target,
    /// How the strings are had back; `None` when no string was there, or there is no way.
    pub spelling: Option<Spelling>,
    /// Bytes of BSON that it saves in all: exact; negative when it costs some; `None` when they are not known.
    pub saved_bytes: Option<i64>,
    /// What would be lost: nothing, when it is empty, and every value survives there and back.
    pub losses: Vec<Loss>,
    /// What it does to the keys of an index on the path.
    pub index: IndexKeys,
}

/// How values were written, so that they can be written so again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "spelling", content = "with", rename_all = "kebab-case")]
#[non_exhaustive]
#[expect(missing_docs, reason = "each is documented at its parts")]
pub enum Spelling {
    Uuid {
        spelling: UuidSpelling,
        case: Case,
    },
    ObjectId {
        spelling: ObjectIdSpelling,
        case: Case,
    },
    /// ISO 8601, at this many minutes east of UTC where the layout shows an offset.
    DateTime {
        layout: IsoLayout,
        offset_minutes: i16,
    },
    /// `2024-01-15`.
    Date,
    NumericDate(NumericDate),
    EpochSeconds,
    EpochMilliseconds,
    /// As an integer.
    Integer,
    /// With this many digits behind the point.
    Scale(u8),
    /// With as few digits as tell it from every other double.
    Shortest,
    /// As the decimal itself, which keeps its digits.
    Digits,
    Grouped {
        grouping: Grouping,
        scale: Option<u8>,
    },
    /// The text around the number, with `_` in its place.
    Money {
        grouping: Grouping,
        scale: Option<u8>,
        affix: String,
    },
    Words(BoolWords),
    Hexadecimal(Case),
    Base64(Alphabet),
}

/// What would be lost, and in how many values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "name", content = "value", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Loss {
    /// The way it was written: the value survives, its text would come back otherwise.
    Spelling(u64),
    /// The distance from UTC, which says what the clock on the wall showed: a companion field can keep it.
    Offset(u64),
    /// Digits of a second below the millisecond: a companion field can keep them.
    BelowMilliseconds(u64),
    /// White space, the spelling of numbers, and all but one of repeated names.
    JsonText(u64),
}

/// What the keys of an index on the path become, in the server's `KeyString` form, without what follows the value.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct IndexKeys {
    /// Bytes of a key now, on average.
    pub before_bytes_mean: f64,
    /// Bytes of a key after, at most.
    pub after_bytes_max: f64,
    /// Whether sorting and ranges change, as from `"100" < "9"` to `9 < 100`.
    pub reorders: bool,
}

/// What only someone who knows the data can answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "name", content = "value", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Question {
    /// In which zone are these dates or times, none being told in this many values?
    Zone(u64),
    /// Are 1 and 0 numbers, or true and false?
    ZeroOrOne,
    /// Should empty strings and words for nothing become null?
    Nothing(u64),
    /// Are both orders of day and month excluded? The evidence is in this many values.
    DayMonthOrder(u64),
}

/// How much can go wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Risk {
    /// Only readers that still expect the old type.
    Low,
    /// The meaning rests on an assumption that the data supports.
    Medium,
    /// The meaning rests on an answer that the data does not give, or something is lost.
    High,
}

/// Why a risk is what it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "name", content = "value", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Reason {
    /// Every value fits and comes back as it was.
    EveryValueSurvives,
    /// Values that do not fit stay as they are: the field has two types.
    TwoTypes,
    /// Something is lost: see the losses.
    SomethingIsLost,
    /// Something is to be decided: see the questions.
    SomethingIsOpen,
    /// `_id` cannot be changed in place, and other collections refer to it.
    PrimaryKey,
    /// By its name a reference: whatever refers to the same must change with it.
    Reference,
    /// The values are in the range of times, but so could other numbers be.
    LooksLikeTime,
    /// A float takes the place of a decimal: sums may end in other digits.
    BinaryFraction,
    /// The values fit today; later ones may be larger. The largest is this.
    MayGrow(i64),
    /// Division and printing of integers differ from those of doubles in many languages.
    IntegerArithmetic,
    /// Searching in the text, and comparing it with text elsewhere, no longer works.
    TextSearch,
    /// The digits have no version of RFC 9562 at its place.
    NoVersion,
}

/// Values that look like something else and are to stay as they are.
#[derive(Clone, Debug, PartialEq)]
pub struct LeftAlone {
    /// Where.
    pub path: Path,
    /// How many values look like it.
    pub values: u64,
    /// Why they stay.
    pub reason: Stays,
    /// A few values that are the reason.
    pub examples: Vec<String>,
}

/// Why values stay as they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Stays {
    /// The name says that the digits are no number: a postal code, a telephone number, a version.
    NamedIdentifier,
    /// Some begin with a zero that a number would lose.
    LeadingZeros,
    /// Some begin with a plus sign: telephone numbers.
    PlusSigns,
    /// Some have two points: versions, addresses.
    TwoPoints,
    /// Hexadecimal with `0x`.
    HexDigits,
    /// Zeros at the end tell values apart (`1.1`, `1.10`), and the digits behind the point differ in number.
    TrailingZeros,
    /// Beyond what a double holds as a normal number.
    OutOfRange,
    /// More digits than a Decimal128 has.
    TooManyDigits,
    /// The separators contradict each other.
    LocaleContradicts,
    /// `1,234` could be one thousand or one and a bit, and nothing decides.
    LocaleUnclear,
    /// There are several currencies, which a number would lose.
    Currencies,
    /// Seconds and milliseconds in one field.
    MixedEpochs,
    /// Day and month are in both orders.
    DateOrderContradicts,
    /// No day is above 12, so nothing tells day and month apart.
    DateOrderUnclear,
    /// Years of two digits.
    CenturyMissing,
    /// 24 hexadecimal digits, but the times in them are not those of `ObjectIds`.
    ImplausibleTimes,
    /// Only one of two words occurs, so it may mean something else.
    OneWordOnly,
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Uuid => "UUID",
            Self::ObjectId => "ObjectId",
            Self::Date => "Date",
            Self::Int32 => "Int32",
            Self::Int64 => "Int64",
            Self::Double => "Double",
            Self::Decimal128 => "Decimal128",
            Self::Bool => "Boolean",
            Self::Null => "Null",
            Self::Binary(subtype) => return write!(f, "Binary (subtype {subtype})"),
            Self::Document => "Document",
        })
    }
}

impl fmt::Display for Actual {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Uuid => "UUIDs",
            Self::ObjectId => "ObjectIds",
            Self::DateTime => "dates and times",
            Self::LocalDateTime => "dates and times without a zone",
            Self::Date => "dates without a time",
            Self::EpochSeconds => "seconds since 1970",
            Self::EpochMilliseconds => "milliseconds since 1970",
            Self::Integer => "integers",
            Self::Decimal => "decimals",
            Self::Money => "amounts of money",
            Self::Boolean => "truth values",
            Self::Nothing => "words for nothing",
            Self::Hexadecimal => "bytes in hexadecimal",
            Self::Base64 => "bytes in Base64",
            Self::Json => "documents as JSON text",
            Self::ExtendedJson => "values in the wrapping of Extended JSON",
        })
    }
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Spelling(values) => write!(f, "{values} values would come back written otherwise"),
            Self::Offset(values) => write!(f, "{values} values lose their distance from UTC"),
            Self::BelowMilliseconds(values) => write!(f, "{values} values lose digits below the millisecond"),
            Self::JsonText(values) => {
                write!(f, "{values} values lose white space, spelling of numbers, repeated names")
            }
        }
    }
}

impl fmt::Display for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Zone(values) => write!(f, "in which zone are the {values} values that name none?"),
            Self::ZeroOrOne => f.write_str("are 1 and 0 numbers, or true and false?"),
            Self::Nothing(values) => write!(f, "should {values} empty strings and words for nothing become null?"),
            Self::DayMonthOrder(values) => write!(f, "is the order of day and month what {values} values say?"),
        }
    }
}

impl fmt::Display for Risk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        })
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::EveryValueSurvives => "every value survives there and back",
            Self::TwoTypes => "what does not fit stays a string, so readers meet two types",
            Self::SomethingIsLost => "something would be lost",
            Self::SomethingIsOpen => "the data does not answer everything",
            Self::PrimaryKey => "_id cannot be changed in place, and others may refer to it",
            Self::Reference => "by its name a reference: what refers to the same must change with it",
            Self::LooksLikeTime => "the numbers are in the range of times, as other numbers could be",
            Self::BinaryFraction => "a double is a binary fraction: sums may end in other digits",
            Self::MayGrow(largest) => return write!(f, "all fit today, the largest is {largest}; later ones may not"),
            Self::IntegerArithmetic => "integers are divided and printed otherwise than doubles",
            Self::TextSearch => "searching in the text no longer works",
            Self::NoVersion => "they are not UUIDs of a known version",
        })
    }
}

impl fmt::Display for Stays {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NamedIdentifier => "by its name an identifier, not a number",
            Self::LeadingZeros => "zeros in front that a number would lose",
            Self::PlusSigns => "plus signs in front: telephone numbers",
            Self::TwoPoints => "two points: versions or addresses",
            Self::HexDigits => "hexadecimal numbers",
            Self::TrailingZeros => "zeros at the end tell values apart",
            Self::OutOfRange => "beyond what a double holds",
            Self::TooManyDigits => "more digits than a Decimal128 has",
            Self::LocaleContradicts => "the separators contradict each other",
            Self::LocaleUnclear => "nothing tells separators from decimal signs",
            Self::Currencies => "several currencies",
            Self::MixedEpochs => "seconds and milliseconds in one field",
            Self::DateOrderContradicts => "day and month in both orders",
            Self::DateOrderUnclear => "nothing tells day and month apart",
            Self::CenturyMissing => "years of two digits",
            Self::ImplausibleTimes => "the times in them are not those of ObjectIds",
            Self::OneWordOnly => "only one of the two words occurs",
        })
    }
}
