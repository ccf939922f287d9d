//! Base64 as text.

use serde::{Deserialize, Serialize};

use super::{Shape, class};

/// The alphabets of RFC 4648.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Alphabet {
    /// With none of the signs in which the alphabets differ.
    Either,
    /// With `+` and `/`.
    Standard,
    /// With `-` and `_`.
    Url,
}

const CHARACTERS_MIN: usize = 16;

/// Base64 with its padding and with zeros in the bits that nothing uses, so that encoding gives the same text again.
pub(super) fn base64(bytes: &[u8], mask: u16) -> Option<Shape> {
    let standard = class::PLUS | class::SLASH;
    let url = class::DASH | class::UNDERSCORE;
    let both = mask & standard != 0 && mask & url != 0;
    let foreign = mask & !(class::LETTER | class::DIGIT | class::EQUALS | standard | url);
    if bytes.len() < CHARACTERS_MIN || !bytes.len().is_multiple_of(4) || foreign != 0 || both || !ends_cleanly(bytes) {
        return None;
    }
    let has = |classes: u16| mask & classes != 0;
    let alphabet = match (has(standard), has(url)) {
        (false, false) => Alphabet::Either,
        (true, _) => Alphabet::Standard,
        _ => Alphabet::Url,
    };
    let padding = bytes.iter().rev().take_while(|&&byte| byte == b'=').count();
    let cases = has(class::LOWER | class::HEX_LOWER) && has(class::UPPER | class::HEX_UPPER);
    let marked = has(standard | url | class::EQUALS);
    Some(Shape::Base64 { alphabet, padding: u8::try_from(padding).ok()?, marked, mixed: cases && has(class::DIGIT) })
}

/// Whether the last group is one that an encoder writes: at most two `=`, at the end only, unused bits zero.
fn ends_cleanly(bytes: &[u8]) -> bool {
    let Some((body, [third, fourth])) = bytes.split_last_chunk::<2>() else { return false };
    let unused = match (third, fourth) {
        (b'=', b'=') => (body.last(), 0b1111),
        (_, b'=') => (Some(third), 0b11),
        _ => (Some(fourth), 0),
    };
    let padding_inside = body.contains(&b'=') || (*third == b'=' && *fourth != b'=');
    !padding_inside && unused.0.and_then(|&digit| value(digit)).is_some_and(|value| value & unused.1 == 0)
}

fn value(digit: u8) -> Option<u8> {
    match digit {
        b'A'..=b'Z' => Some(digit - b'A'),
        b'a'..=b'z' => Some(digit - b'a' + 26),
        b'0'..=b'9' => Some(digit - b'0' + 52),
        b'+' | b'-' => Some(62),
        b'/' | b'_' => Some(63),
        _ => None,
    }
}
