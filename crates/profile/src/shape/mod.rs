//! What a string looks like: the finest classes that any rule asks for, found in one look at its bytes.
//!
//! A profile counts strings by shape and nothing else, so a rule can weigh a field without having seen it. Shapes are
//! disjoint; where one text could be two things (an MD5 sum is a UUID without hyphens) the shape keeps what tells them
//! apart, and the rule that sees the whole field decides.

mod binary;
mod date;
mod grouped;
mod id;
mod iso;
mod json;
mod number;
mod word;

use serde::{Deserialize, Serialize};

pub use binary::Alphabet;
pub use date::{NumericDate, Order};
pub use grouped::Grouping;
pub use id::{Case, ObjectIdSpelling, UuidSpelling};
pub use iso::{IsoLayout, Zone};
pub use word::BoolWords;

pub use date::NamedDate;
pub(crate) use grouped::affix;
pub use iso::offset_minutes;
pub use number::{DecimalShape, Exactness, IntegerRange};
pub(crate) use word::{NON_FINITE_WORDS, NULL_WORDS};

/// What a string looks like. Saved profiles hold shapes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields are explained with their variants")]
pub enum Shape {
    /// Nothing that any rule knows.
    Text,
    /// No bytes at all.
    Empty,
    /// One of the words for a missing value, by its place among them.
    Null(u8),
    /// One of the two words of a pair.
    Bool { words: BoolWords, value: bool },
    /// One of the words for what is no finite number: 0 is `NaN`, 1 `Infinity`, 2 `-Infinity`.
    NonFinite(u8),
    /// `-?(0|[1-9][0-9]*)`, without `-0`.
    Integer(IntegerRange),
    /// `-?(0|[1-9][0-9]*)\.[0-9]+`.
    Decimal(DecimalShape),
    /// A number with an exponent; whether it is a normal double.
    Exponent { normal: bool },
    /// `-0`.
    NegativeZero,
    /// Digits, perhaps with a point, that begin with a zero too many.
    LeadingZero,
    /// Digits behind a plus sign.
    Plus,
    /// `.5` or `5.`.
    OddDecimal,
    /// `0x` and digits.
    HexNumber,
    /// Digits with two points or more: versions, addresses.
    Dotted,
    /// A number with separators between its digits, or with a decimal comma.
    Grouped { grouping: Grouping, scale: u8 },
    /// A number with a currency before or behind it. `ungrouped`: a thousand or more, without separators.
    Money { grouping: Grouping, scale: u8, ungrouped: bool },
    /// A UUID. `versioned`: its version and variant are among those that RFC 9562 defines.
    Uuid { spelling: UuidSpelling, case: Case, versioned: bool },
    /// 24 hexadecimal digits. `plausible`: the time in it lies between MongoDB's first release and the profile's end.
    ObjectId { spelling: ObjectIdSpelling, case: Case, plausible: bool },
    /// A date and a time of ISO 8601 or RFC 3339.
    DateTime(IsoLayout),
    /// `2024-01-15`.
    Date,
    /// `15/01/2024` and its like.
    NumericDate(NumericDate),
    /// A date with the month's name.
    NamedDate(NamedDate),
    /// `/Date(1705314600000)/`, as .NET wrote JSON.
    DotNetDate,
    /// An even number of hexadecimal digits, at least 16, other than 24 and 32.
    Hex(Case),
    /// Base64 of at least 16 characters. `padding`: of how many `=`; `marked`: with a character that is neither letter nor digit; `mixed`: with
    /// letters of both cases and digits.
    Base64 { alphabet: Alphabet, padding: u8, marked: bool, mixed: bool },
    /// An object or an array as JSON text.
    Json,
}

/// A shape, and the number or the milliseconds since 1970 that the string stands for, where that fits.
pub type Classified = (Shape, Option<i64>);

/// Which kinds of bytes a text has.
pub(crate) mod class {
    pub(crate) const DIGIT: u16 = 1;
    pub(crate) const HEX_LOWER: u16 = 2;
    pub(crate) const HEX_UPPER: u16 = 4;
    pub(crate) const LOWER: u16 = 8;
    pub(crate) const UPPER: u16 = 16;
    pub(crate) const DOT: u16 = 32;
    pub(crate) const DASH: u16 = 64;
    pub(crate) const PLUS: u16 = 128;
    pub(crate) const SLASH: u16 = 256;
    pub(crate) const EQUALS: u16 = 512;
    pub(crate) const COLON: u16 = 1024;
    pub(crate) const SPACE: u16 = 2048;
    pub(crate) const COMMA: u16 = 4096;
    pub(crate) const UNDERSCORE: u16 = 8192;
    pub(crate) const BRACKET: u16 = 16384;
    pub(crate) const OTHER: u16 = 32768;

    pub(crate) const HEX: u16 = DIGIT | HEX_LOWER | HEX_UPPER;
    pub(crate) const LETTER: u16 = HEX_LOWER | HEX_UPPER | LOWER | UPPER;
    pub(crate) const NUMERIC: u16 = DIGIT | DOT | DASH | PLUS;
}

static CLASSES: [u16; 256] = classes();

#[expect(clippy::as_conversions, clippy::indexing_slicing, reason = "computed while compiling, over all 256 bytes")]
const fn classes() -> [u16; 256] {
    let mut table = [class::OTHER; 256];
    let mut byte = 0_u8;
    loop {
        table[byte as usize] = match byte {
            b'0'..=b'9' => class::DIGIT,
            b'a'..=b'f' => class::HEX_LOWER,
            b'A'..=b'F' => class::HEX_UPPER,
            b'g'..=b'z' => class::LOWER,
            b'G'..=b'Z' => class::UPPER,
            b'.' => class::DOT,
            b'-' => class::DASH,
            b'+' => class::PLUS,
            b'/' => class::SLASH,
            b'=' => class::EQUALS,
            b':' => class::COLON,
            b' ' => class::SPACE,
            b',' => class::COMMA,
            b'_' => class::UNDERSCORE,
            b'(' | b')' | b'{' | b'}' | b'[' | b']' | b'"' | b'\'' => class::BRACKET,
            _ => class::OTHER,
        };
        if byte == u8::MAX {
            return table;
        }
        byte += 1;
    }
}

/// The classes of all bytes of `bytes`, together.
#[inline]
pub(crate) fn mask(bytes: &[u8]) -> u16 {
    bytes.iter().fold(0, |mask, &byte| mask | CLASSES.get(usize::from(byte)).copied().unwrap_or(class::OTHER))
}

/// Longer texts can only be binary or JSON.
const SHORT_BYTES_MAX: usize = 64;

/// Tells what `text` looks like. Ids that claim to be made after `until_seconds` are not plausible.
#[inline]
pub fn classify(text: &str, until_seconds: u32) -> Classified {
    let bytes = text.as_bytes();
    match bytes {
        [] => (Shape::Empty, None),
        _ if bytes.len() > SHORT_BYTES_MAX => (long(bytes), None),
        _ => short(text, mask(bytes), until_seconds),
    }
}

fn short(text: &str, mask: u16, until_seconds: u32) -> Classified {
    let bytes = text.as_bytes();
    if mask & class::DIGIT == 0 {
        return (wordy(text, mask, until_seconds), None);
    }
    let hex = id::hexadecimal(bytes, mask, until_seconds);
    if let Some(shape) = hex {
        return (shape, None);
    }
    let found = if mask & !class::NUMERIC == 0 {
        numeric(text)
    } else if bytes.first().is_some_and(u8::is_ascii_digit) {
        digit_first(text, mask)
    } else {
        None
    };
    found.unwrap_or_else(|| (rare(text, mask, until_seconds), None))
}

/// Texts of digits, points and signs.
fn numeric(text: &str) -> Option<Classified> {
    let bytes = text.as_bytes();
    match number::plain(text) {
        // Two points are those of a date if anything else speaks for one.
        dotted @ Some((Shape::Dotted, _)) => date::numeric(bytes).or(dotted),
        None => iso::parse(bytes).or_else(|| date::numeric(bytes)),
        found => found,
    }
}

/// Texts that begin with a digit and have more than digits, points and signs.
fn digit_first(text: &str, mask: u16) -> Option<Classified> {
    let bytes = text.as_bytes();
    if mask & class::COLON != 0
        && let Some(found) = iso::parse(bytes)
    {
        return Some(found);
    }
    if mask & (class::SLASH | class::COLON | class::SPACE) != 0
        && let Some(found) = date::numeric(bytes)
    {
        return Some(found);
    }
    if mask & class::UPPER != 0 { iso::parse(bytes) } else { None }
}

/// Texts with a digit that are none of the usual: each test here begins with what refuses most.
#[inline(never)]
fn rare(text: &str, mask: u16, until_seconds: u32) -> Shape {
    id::wrapped(text, mask, until_seconds)
        .or_else(|| number::exponent(text, mask))
        .or_else(|| number::hexadecimal(text))
        .or_else(|| grouped::number(text))
        .or_else(|| grouped::money(text, mask))
        .or_else(|| date::named(text, mask))
        .or_else(|| date::dot_net(text))
        .or_else(|| binary::base64(text.as_bytes(), mask))
        .or_else(|| json::container(text.as_bytes()))
        .unwrap_or(Shape::Text)
}

/// Texts without a digit.
fn wordy(text: &str, mask: u16, until_seconds: u32) -> Shape {
    if let Some(shape) = word::known(text) {
        return shape;
    }
    id::hexadecimal(text.as_bytes(), mask, until_seconds)
        .or_else(|| binary::base64(text.as_bytes(), mask))
        .or_else(|| json::container(text.as_bytes()))
        .unwrap_or(Shape::Text)
}

fn long(bytes: &[u8]) -> Shape {
    match bytes.first() {
        Some(b'{' | b'[') => json::container(bytes).unwrap_or(Shape::Text),
        // A text of words has a space soon.
        Some(_) if mask(bytes.get(..SHORT_BYTES_MAX).unwrap_or(bytes)) & (class::SPACE | class::OTHER) == 0 => {
            let mask = mask(bytes);
            let hex = id::hexadecimal(bytes, mask, 0);
            hex.or_else(|| number::huge(bytes, mask)).or_else(|| binary::base64(bytes, mask)).unwrap_or(Shape::Text)
        }
        _ => Shape::Text,
    }
}
