//! What is done with the values of one path: a field of the plan, ready to be applied.

pub(crate) mod compile;
mod date;
mod layout;
mod number;
mod other;
mod spell;

use boson_document::{Limits, Scalar};
use boson_profile::{
    Alphabet, BoolWords, Case, Grouping, IsoLayout, NumericDate, ObjectIdSpelling, Shape, UuidSpelling, classify,
};

pub(crate) use layout::{iso_pattern, numeric_pattern, write_offset};
pub(crate) use other::UUID_SUBTYPE;

use crate::plan::{Lossy, Misfits, Nothing, To};
pub(crate) use date::ZoneRule;

/// A field of the plan, checked.
#[derive(Clone, Debug)]
pub struct Rule {
    pub(crate) reading: Reading,
    pub(crate) to: To,
    pub(crate) misfits: Misfits,
    pub(crate) lossy: Lossy,
    pub(crate) companion: Option<Vec<u8>>,
    pub(crate) nothing: Nothing,
    /// The path as the plan has it.
    pub(crate) path: String,
}

/// How values are read.
#[derive(Clone, Debug)]
pub(crate) enum Reading {
    Uuid {
        spelling: UuidSpelling,
        case: Case,
    },
    ObjectId {
        spelling: ObjectIdSpelling,
        case: Case,
    },
    /// ISO 8601: the layout, the offset where the layout shows one, the zone of those that name none.
    Iso {
        layout: Option<IsoLayout>,
        offset_minutes: Option<i16>,
        zone: Option<ZoneRule>,
    },
    NumericDate {
        date: NumericDate,
        zone: ZoneRule,
    },
    EpochText {
        seconds: bool,
    },
    EpochNumber {
        seconds: bool,
    },
    Int32,
    Int64,
    /// With this many digits behind the point; as short as possible when not given.
    Double {
        scale: Option<u8>,
    },
    Decimal128,
    Grouped {
        grouping: Grouping,
        scale: Option<u8>,
        to_int64: bool,
    },
    Money {
        grouping: Grouping,
        scale: Option<u8>,
        affix: String,
    },
    Words(BoolWords),
    ZeroOrOne,
    Null,
    Hexadecimal {
        case: Case,
        subtype: u8,
    },
    Base64 {
        alphabet: Alphabet,
        subtype: u8,
    },
    Json,
    NumberToInt32,
    NumberToInt64,
    /// The wrapping of Extended JSON.
    Wrapper,
}

/// What a value is by a rule.
#[derive(Debug)]
pub(crate) enum Read<'s> {
    /// It fits; what would be lost, if anything.
    Fits(New<'s>, Option<Lost>),
    /// An empty string or a word for nothing.
    Nothing,
    /// It does not fit.
    Misfit,
}

/// A new value.
#[derive(Debug)]
pub(crate) enum New<'s> {
    Leaf(Scalar<'s>),
    /// A document's bytes, and whether they are an array's.
    Document {
        bytes: &'s [u8],
        is_array: bool,
    },
}

/// What a value loses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lost {
    /// The way it was written.
    Spelling,
    /// Digits below the millisecond, a distance from UTC, or both: they end the text.
    Tail,
}

/// Memory for what a value becomes.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    pub(crate) bytes: Vec<u8>,
    pub(crate) text: String,
}

impl Rule {
    /// What `text` is by this rule.
    pub(crate) fn read_text<'s>(&self, text: &str, scratch: &'s mut Scratch) -> Read<'s> {
        let (shape, value) = classify(text, UNTIL_SECONDS);
        if matches!(shape, Shape::Empty | Shape::Null(_)) {
            return if matches!(self.reading, Reading::Null) { null() } else { Read::Nothing };
        }
        let read = match &self.reading {
            Reading::ObjectId { .. } => self.id(text, shape),
            Reading::Iso { .. } | Reading::NumericDate { .. } | Reading::EpochText { .. } => {
                self.date(text, shape, value)
            }
            Reading::Int32 | Reading::Int64 | Reading::Double { .. } | Reading::Decimal128 => {
                self.number(text, shape, value)
            }
            Reading::Grouped { .. } | Reading::Money { .. } => self.amount(text, shape, scratch),
            Reading::Words(_) | Reading::ZeroOrOne => self.truth(shape, value),
            Reading::Uuid { .. } | Reading::Hexadecimal { .. } | Reading::Base64 { .. } => {
                return self.binary(text, shape, scratch).unwrap_or(Read::Misfit);
            }
            Reading::Json => return other::json(text, shape, scratch).unwrap_or(Read::Misfit),
            _ => None,
        };
        read.map_or(Read::Misfit, |(scalar, lost)| Read::Fits(New::Leaf(scalar), lost))
    }

    /// What a number is by this rule.
    pub(crate) fn read_number(&self, scalar: Scalar<'_>) -> Read<'static> {
        let new = match &self.reading {
            Reading::NumberToInt32 => {
                number::whole(scalar).and_then(|value| i32::try_from(value).ok()).map(Scalar::Int32)
            }
            Reading::NumberToInt64 => number::whole(scalar).map(Scalar::Int64),
            Reading::EpochNumber { seconds } => number::whole(scalar).and_then(|value| date::epoch(value, *seconds)),
            _ => None,
        };
        new.map_or(Read::Misfit, |scalar| Read::Fits(New::Leaf(scalar), None))
    }

    /// What the object `bytes` is by this rule.
    pub(crate) fn read_object<'s>(&self, bytes: &[u8], scratch: &'s mut Scratch) -> Read<'s> {
        let new = matches!(self.reading, Reading::Wrapper).then(|| other::unwrapped(bytes, self.to, scratch)).flatten();
        new.map_or(Read::Misfit, |scalar| Read::Fits(New::Leaf(scalar), None))
    }
}

/// Which ids are plausible is no matter here: all that look like ids are.
const UNTIL_SECONDS: u32 = u32::MAX;

/// How much a text may hold that is to become a document.
const DOCUMENT_LIMITS: Limits = Limits::BSON;

fn null() -> Read<'static> {
    Read::Fits(New::Leaf(Scalar::Null), None)
}

/// The part of `text` that a companion keeps.
pub(crate) fn lost_part(text: &str, lost: Lost) -> &str {
    match lost {
        Lost::Spelling => text,
        Lost::Tail => date::tail(text),
    }
}

/// A leaf, and what it loses.
type Leaf<'s> = Option<(Scalar<'s>, Option<Lost>)>;

fn lost_if(lost: bool) -> Option<Lost> {
    lost.then_some(Lost::Spelling)
}
