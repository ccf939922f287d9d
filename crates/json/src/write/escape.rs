//! Strings in quotes, with what must be escaped escaped.

use std::io;

/// Writes `text` in quotes.
#[inline]
pub(super) fn write_string<W: io::Write>(out: &mut W, text: &str) -> io::Result<()> {
    out.write_all(b"\"")?;
    match first_escape(text.as_bytes()) {
        None => out.write_all(text.as_bytes())?,
        Some(at) => write_escaped(out, text.as_bytes(), at)?,
    }
    out.write_all(b"\"")
}

/// Writes bytes of which the one at `first` is the first that must be escaped.
#[cold]
fn write_escaped<W: io::Write>(out: &mut W, bytes: &[u8], first: usize) -> io::Result<()> {
    let (mut rest, mut found) = (bytes, Some(first));
    while let Some((plain, [byte, tail @ ..])) = found.and_then(|at| rest.split_at_checked(at)) {
        out.write_all(plain)?;
        write_escape(out, *byte)?;
        rest = tail;
        found = first_escape(rest);
    }
    out.write_all(rest)
}

fn write_escape<W: io::Write>(out: &mut W, byte: u8) -> io::Result<()> {
    let short = match byte {
        b'"' => b"\\\"",
        b'\\' => b"\\\\",
        b'\n' => b"\\n",
        b'\r' => b"\\r",
        b'\t' => b"\\t",
        0x08 => b"\\b",
        0x0C => b"\\f",
        _ => {
            let digit = |nibble: u8| b"0123456789abcdef".get(usize::from(nibble)).copied().unwrap_or(b'0');
            return out.write_all(&[b'\\', b'u', b'0', b'0', digit(byte >> 4), digit(byte & 0xF)]);
        }
    };
    out.write_all(short)
}

/// Where the first byte stands that must be escaped: a control character, a quote or a backslash.
#[inline]
fn first_escape(bytes: &[u8]) -> Option<usize> {
    let Some(last) = bytes.last_chunk::<8>() else { return position(bytes) };
    let (words, rest) = bytes.as_chunks::<8>();
    let mut at = 0_usize;
    for word in words {
        if has_escape(u64::from_le_bytes(*word)) {
            return position(word).map(|place| at.saturating_add(place));
        }
        at = at.saturating_add(8);
    }
    // The last eight bytes hold what is left, and some that are known to be plain.
    if !has_escape(u64::from_le_bytes(*last)) {
        return None;
    }
    position(rest).map(|place| at.saturating_add(place))
}

#[inline]
fn position(bytes: &[u8]) -> Option<usize> {
    bytes.iter().position(|&byte| byte < 0x20 || byte == b'"' || byte == b'\\')
}

/// Whether one of eight bytes must be escaped, by arithmetic on all of them at once.
///
/// Taking 1 from a zero byte, or 0x20 from one below it, sets its high bit; a borrow can reach the byte above only from such
/// a byte, so the answer for the word as a whole is right.
#[inline]
const fn has_escape(word: u64) -> bool {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGHS: u64 = ONES << 7;
    let quote = word ^ (ONES * 0x22);
    let backslash = word ^ (ONES * 0x5C);
    let found = (word.wrapping_sub(ONES * 0x20) & !word)
        | (quote.wrapping_sub(ONES) & !quote)
        | (backslash.wrapping_sub(ONES) & !backslash);
    found & HIGHS != 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_at_every_place_is_found() {
        for len in 0..24 {
            assert_eq!(first_escape(&vec![b'a'; len]), None);
            for at in 0..len {
                for byte in 0..=255 {
                    let mut bytes = vec![0xC3; len];
                    *bytes.get_mut(at).unwrap() = byte;
                    assert_eq!(first_escape(&bytes), position(&bytes), "{byte} at {at} of {len}");
                }
            }
        }
    }
}
