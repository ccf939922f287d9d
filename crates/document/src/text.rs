//! Text out of bytes: the check that every name and every string of a document goes through.

use ascii::AsciiStr;

/// From this length on a vector routine beats looking at single words.
const LONG: usize = 64;

/// The text that `bytes` are; `None` when they are not UTF-8.
///
/// Names and most strings are short and ASCII, which is told by a few words; the checks of the standard library and of
/// vector routines take three times as long to begin with.
#[inline]
pub fn as_text(bytes: &[u8]) -> Option<&str> {
    if bytes.len() < LONG
        && let Ok(text) = AsciiStr::from_ascii(bytes)
    {
        return Some(text.as_str());
    }
    as_any_text(bytes)
}

/// The text that the first `len` of `bytes` are; `None` when they are not UTF-8 or there are fewer.
///
/// What follows them is mostly ASCII as well, the next name for one, and whole words are told faster than single bytes.
#[inline]
pub fn as_text_within(bytes: &[u8], len: usize) -> Option<&str> {
    let words_len = len.wrapping_add(7) & !7;
    if words_len < LONG
        && let Some(words) = bytes.get(..words_len)
        && let Ok(text) = AsciiStr::from_ascii(words)
    {
        return text.as_str().get(..len);
    }
    as_exact_text(bytes.get(..len)?)
}

#[inline(never)]
fn as_exact_text(bytes: &[u8]) -> Option<&str> {
    as_text(bytes)
}

/// The same of anything, for what is long or no ASCII.
#[inline(never)]
fn as_any_text(bytes: &[u8]) -> Option<&str> {
    simdutf8::basic::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every length around that of a word and of a vector, with something that is not ASCII at every place.
    #[test]
    fn it_agrees_with_the_standard_library() {
        for len in 0..140 {
            for at in 0..len {
                for piece in [&b"\x7F"[..], b"\0", b"\x80", b"\xC3\xA9", b"\xC3", b"\xF0\x9F\x98\x80", b"\xED\xA0\x80"]
                {
                    let mut bytes = vec![b'a'; len];
                    bytes.splice(at..(at + piece.len()).min(len), piece.iter().copied());
                    assert_eq!(as_text(&bytes), std::str::from_utf8(&bytes).ok(), "{bytes:?}");
                    for within in 0..len {
                        let expected = std::str::from_utf8(&bytes[..within]).ok();
                        assert_eq!(as_text_within(&bytes, within), expected, "{within} of {bytes:?}");
                    }
                }
            }
            let plain = vec![b'a'; len];
            assert_eq!(as_text(&plain), std::str::from_utf8(&plain).ok());
            assert_eq!(as_text_within(&plain, len + 1), None);
        }
    }
}
