//! Bytes as hexadecimal digits, base64 and UUIDs.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// Adds two digits for each byte to `text`.
pub(crate) fn hex_encode(bytes: &[u8], upper: bool, text: &mut String) {
    const LOWER: [u8; 16] = *b"0123456789abcdef";
    const UPPER: [u8; 16] = *b"0123456789ABCDEF";
    let digits = if upper { UPPER } else { LOWER };
    let digit = |nibble: u8| char::from(digits.get(usize::from(nibble)).copied().unwrap_or(b'0'));
    text.reserve(bytes.len().saturating_mul(2));
    for byte in bytes {
        text.push(digit(byte >> 4));
        text.push(digit(byte & 0xF));
    }
}

/// Adds the bytes that pairs of digits in either case spell; false, with some of them added, for anything else.
pub(crate) fn hex_decode(digits: &[u8], bytes: &mut Vec<u8>) -> bool {
    let (pairs, odd) = digits.as_chunks::<2>();
    odd.is_empty()
        && pairs.iter().all(|&[high, low]| match (nibble(high), nibble(low)) {
            (Some(high), Some(low)) => {
                bytes.push((high << 4) | low);
                true
            }
            _ => false,
        })
}

fn nibble(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit.wrapping_sub(b'0')),
        b'a'..=b'f' => Some(digit.wrapping_sub(b'a').wrapping_add(10)),
        b'A'..=b'F' => Some(digit.wrapping_sub(b'A').wrapping_add(10)),
        _ => None,
    }
}

/// Adds the base64 text of `bytes`, padded, to `text`.
pub(crate) fn base64_encode(bytes: &[u8], text: &mut String) {
    STANDARD.encode_string(bytes, text);
}

/// Adds the bytes of a padded base64 text; false for anything else.
pub(crate) fn base64_decode(text: &[u8], bytes: &mut Vec<u8>) -> bool {
    STANDARD.decode_vec(text, bytes).is_ok()
}

/// Adds the 16 bytes of a UUID, `8-4-4-4-12` hexadecimal digits; when `loose` also with no hyphens at all, and either
/// form in braces. False for anything else.
pub(crate) fn uuid_decode(text: &[u8], loose: bool, bytes: &mut Vec<u8>) -> bool {
    const HYPHENS: [usize; 4] = [8, 13, 18, 23];
    let text = match text {
        [b'{', inner @ .., b'}'] if loose => inner,
        text => text,
    };
    match text.len() {
        36 => {
            let mut digits = [0_u8; 32];
            let kept = text.iter().enumerate().filter(|(at, _)| !HYPHENS.contains(at));
            for (slot, (_, &digit)) in digits.iter_mut().zip(kept) {
                *slot = digit;
            }
            HYPHENS.iter().all(|&at| text.get(at) == Some(&b'-')) && hex_decode(&digits, bytes)
        }
        32 if loose => hex_decode(text, bytes),
        _ => false,
    }
}
