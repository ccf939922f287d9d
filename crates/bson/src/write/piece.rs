//! Small pieces are put together in registers and appended in one go: most names and many strings have no more than a few
//! bytes, for which a call that copies any number of bytes, and three checks for room, cost more than the copying.

/// Bytes of a piece: whatever is appended is a prefix of one.
const PIECE_LEN: usize = 40;

/// The longest name that is put in one piece, and the longest string.
const NAME_LEN_MAX: usize = 16;
const TEXT_LEN_MAX: usize = 32;

/// What came of appending a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Name {
    /// It was appended.
    Put,
    /// There is a NUL in it.
    HasNul,
    /// It is too long for one piece.
    Long,
}

/// Appends an element's type byte, 0 so far, its name and a NUL.
#[inline]
pub(super) fn put_name(out: &mut Vec<u8>, name: &[u8]) -> Name {
    let mut piece = [0; 24];
    let zeros = if let (Some(first), Some(last)) = (name.first_chunk::<8>(), name.last_chunk::<8>()) {
        if name.len() > NAME_LEN_MAX {
            return Name::Long;
        }
        place(&mut piece, 1, *first);
        // Where the two overlap they are the same.
        place(&mut piece, name.len().wrapping_sub(7), *last);
        zeros_in(u64::from_le_bytes(*first)) | zeros_in(u64::from_le_bytes(*last))
    } else {
        let word = put_few(&mut piece, 1, name);
        zeros_in(word)
    };
    if zeros != 0 {
        return Name::HasNul;
    }
    append(out, &piece, name.len().wrapping_add(2));
    Name::Put
}

/// Appends the length that a string of at most 32 bytes is stored with, its bytes and a NUL; false where it is longer.
#[inline]
pub(super) fn put_short_string(out: &mut Vec<u8>, text: &[u8]) -> bool {
    let len = text.len();
    let Some(stored_len) = u8::try_from(len.wrapping_add(1)).ok().filter(|_| len <= TEXT_LEN_MAX) else { return false };
    let mut piece = [0; PIECE_LEN];
    place(&mut piece, 0, u32::from(stored_len).to_le_bytes());
    if let (Some(first), Some(last)) = (text.first_chunk::<16>(), text.last_chunk::<16>()) {
        place(&mut piece, 4, *first);
        place(&mut piece, len.wrapping_sub(12), *last);
    } else if let (Some(first), Some(last)) = (text.first_chunk::<8>(), text.last_chunk::<8>()) {
        place(&mut piece, 4, *first);
        place(&mut piece, len.wrapping_sub(4), *last);
    } else {
        put_few(&mut piece, 4, text);
    }
    append(out, &piece, len.wrapping_add(5));
    true
}

/// Puts less than 8 bytes at a place of the piece; returns a word in which there is a zero byte if one of them is zero.
#[inline]
fn put_few(piece: &mut [u8], at: usize, bytes: &[u8]) -> u64 {
    const NO_ZERO: u64 = 0x0101_0101_0101_0101;
    if let (Some(first), Some(last)) = (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
        place(piece, at, *first);
        place(piece, at.wrapping_add(bytes.len()).wrapping_sub(4), *last);
        return u64::from(u32::from_le_bytes(*first)) | u64::from(u32::from_le_bytes(*last)) << 32;
    }
    let few = match *bytes {
        [a, b, c] => [a, b, c, 1],
        [a, b] => [a, b, 1, 1],
        [a] => [a, 1, 1, 1],
        _ => [1; 4],
    };
    place(piece, at, few);
    place(piece, at.wrapping_add(bytes.len()), [0; 4]);
    u64::from(u32::from_le_bytes(few)) | NO_ZERO << 32
}

/// Not 0 if one of the bytes of `word` is.
#[inline]
const fn zeros_in(word: u64) -> u64 {
    const ONES: u64 = u64::from_le_bytes([1; 8]);
    word.wrapping_sub(ONES) & !word & ONES << 7
}

/// Puts `bytes` at a place of the piece.
#[inline]
fn place<const N: usize>(piece: &mut [u8], at: usize, bytes: [u8; N]) {
    if let Some(slot) = piece.get_mut(at..).and_then(<[u8]>::first_chunk_mut) {
        *slot = bytes;
    }
}

/// Appends the first `len` bytes of the piece: all of it, whose length is known, and then away with the rest.
#[inline]
fn append<const N: usize>(out: &mut Vec<u8>, piece: &[u8; N], len: usize) {
    let end = out.len().wrapping_add(len);
    out.extend_from_slice(piece);
    out.truncate(end);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_any_length_are_put_or_left() {
        for len in 0..40 {
            let name: Vec<u8> = (0..len).map(|at| at | 0x40).collect();
            let mut out = vec![7];
            let put = put_name(&mut out, &name);
            if name.len() <= 16 {
                assert_eq!((put, out), (Name::Put, [&[7, 0], name.as_slice(), &[0]].concat()));
            } else {
                assert_eq!((put, out), (Name::Long, vec![7]));
            }
        }
    }

    #[test]
    fn a_nul_is_seen_at_every_place() {
        for len in 1..=16 {
            for at in 0..len {
                for other in [1, 0x80, 0xff] {
                    let mut name = vec![other; len];
                    name[at] = 0;
                    assert_eq!(put_name(&mut Vec::new(), &name), Name::HasNul, "{at} of {len}");
                }
            }
        }
    }

    #[test]
    fn strings_of_any_length_are_put_or_left() {
        for len in 0..60_u8 {
            let text: Vec<u8> = (0..len).collect();
            let mut out = vec![7];
            if put_short_string(&mut out, &text) {
                assert_eq!(out, [&[7, len + 1, 0, 0, 0], text.as_slice(), &[0]].concat());
            } else {
                assert_eq!((out, len > 32), (vec![7], true));
            }
        }
    }
}
