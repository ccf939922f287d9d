//! UUIDs, `ObjectIds` and other runs of hexadecimal digits.

use serde::{Deserialize, Serialize};

use super::{Shape, class};

/// Which letters the hexadecimal digits use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Case {
    /// None: all are decimal digits.
    Neither,
    /// Lower case.
    Lower,
    /// Upper case.
    Upper,
    /// Both.
    Mixed,
}

impl Case {
    const fn of(mask: u16) -> Self {
        match (mask & class::HEX_LOWER != 0, mask & class::HEX_UPPER != 0) {
            (false, false) => Self::Neither,
            (true, false) => Self::Lower,
            (false, true) => Self::Upper,
            (true, true) => Self::Mixed,
        }
    }
}

/// How a UUID is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum UuidSpelling {
    /// 8-4-4-4-12, as RFC 9562 has it.
    Hyphens,
    /// 32 digits.
    Bare,
    /// In braces, with hyphens.
    Braces,
    /// In parentheses, with hyphens.
    Parentheses,
    /// `urn:uuid:` before it.
    Urn,
    /// `UUID("…")`, as the shell prints it.
    Call,
}

/// How an ObjectId is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ObjectIdSpelling {
    /// 24 digits.
    Bare,
    /// `ObjectId("…")`, as the shell prints it.
    Call,
    /// `ObjectId('…')`, as later shells print it.
    CallSingle,
}

/// MongoDB's first release: February 2009.
const FIRST_OBJECT_ID_SECONDS: u32 = 1_230_768_000;

/// Digits that are at least this many are taken for binary.
const HEX_DIGITS_MIN: usize = 16;

/// A text of hexadecimal digits, and of hyphens for a UUID.
#[inline]
pub(super) fn hexadecimal(bytes: &[u8], mask: u16, until_seconds: u32) -> Option<Shape> {
    if mask & !(class::HEX | class::DASH) != 0 {
        return None;
    }
    let case = Case::of(mask);
    match (bytes.len(), mask & class::DASH != 0) {
        (36, true) => hyphens(bytes, mask, UuidSpelling::Hyphens),
        (32, false) => Some(Shape::Uuid { spelling: UuidSpelling::Bare, case, versioned: versioned(bytes, 12, 16) }),
        (24, false) => Some(object_id(bytes, ObjectIdSpelling::Bare, until_seconds)),
        (len, false) if len >= HEX_DIGITS_MIN && len % 2 == 0 && case != Case::Neither => Some(Shape::Hex(case)),
        _ => None,
    }
}

/// 36 bytes as a UUID with hyphens.
fn hyphens(bytes: &[u8], mask: u16, spelling: UuidSpelling) -> Option<Shape> {
    let placed = [8, 13, 18, 23].iter().all(|&place| bytes.get(place) == Some(&b'-'));
    let fields = bytes.split(|&byte| byte == b'-').count();
    let fits = bytes.len() == 36 && placed && fields == 5 && mask & !(class::HEX | class::DASH) == 0;
    fits.then(|| Shape::Uuid { spelling, case: Case::of(mask), versioned: versioned(bytes, 14, 19) })
}

/// Whether the digits at the places of version and variant are among those that RFC 9562 defines, or it is all zeros.
fn versioned(bytes: &[u8], version: usize, variant: usize) -> bool {
    let known = matches!(bytes.get(version), Some(b'1'..=b'8'))
        && matches!(bytes.get(variant), Some(b'8' | b'9' | b'a' | b'b' | b'A' | b'B'));
    known || bytes.iter().all(|&byte| matches!(byte, b'0' | b'-'))
}

fn object_id(digits: &[u8], spelling: ObjectIdSpelling, until_seconds: u32) -> Shape {
    let seconds = std::str::from_utf8(digits.get(..8).unwrap_or_default()).ok();
    let seconds = seconds.and_then(|digits| u32::from_str_radix(digits, 16).ok()).unwrap_or_default();
    let plausible = (FIRST_OBJECT_ID_SECONDS..until_seconds).contains(&seconds);
    Shape::ObjectId { spelling, case: Case::of(super::mask(digits)), plausible }
}

/// Ids inside something: braces, `urn:uuid:`, `UUID("…")`, `ObjectId("…")`.
pub(super) fn wrapped(text: &str, mask: u16, until_seconds: u32) -> Option<Shape> {
    if mask & (class::BRACKET | class::COLON) == 0 {
        return None;
    }
    let inside = |before: &str, after: &str| text.strip_prefix(before)?.strip_suffix(after);
    for (before, after, spelling) in [
        ("{", "}", UuidSpelling::Braces),
        ("(", ")", UuidSpelling::Parentheses),
        ("urn:uuid:", "", UuidSpelling::Urn),
        ("UUID(\"", "\")", UuidSpelling::Call),
    ] {
        if let Some(uuid) =
            inside(before, after).map(str::as_bytes).and_then(|uuid| hyphens(uuid, super::mask(uuid), spelling))
        {
            return Some(uuid);
        }
    }
    for (before, after, spelling) in [
        ("ObjectId(\"", "\")", ObjectIdSpelling::Call),
        ("ObjectID(\"", "\")", ObjectIdSpelling::Call),
        ("ObjectId('", "')", ObjectIdSpelling::CallSingle),
    ] {
        let digits = inside(before, after).filter(|digits| digits.len() == 24);
        if let Some(digits) = digits.filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit())) {
            return Some(object_id(digits.as_bytes(), spelling, until_seconds));
        }
    }
    None
}
