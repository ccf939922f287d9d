//! Damaged input: the same seed damages the same bytes in the same way.

use crate::rng::Rng;

/// Numbers that a length, a count or an offset is overwritten with: none, few, too many, negative.
const EXTREMES: &[u32] =
    &[0, 1, 4, 5, 0x7F, 0x80, 0xFF, 0x100, 0x7FFF, 0x8000, 0xFFFF, 0x1_0000, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF];

/// `count` damaged copies of `bytes`, one to four wounds each; `other` is what pieces are spliced in from.
pub fn damaged(bytes: &[u8], other: &[u8], seed: u64, count: usize) -> impl Iterator<Item = Vec<u8>> {
    let mut rng = Rng::new(seed);
    (0..count).map(move |_| {
        let mut copy = bytes.to_vec();
        for _ in 0..=rng.below(4) {
            wound(&mut copy, other, &mut rng);
        }
        copy
    })
}

/// Every proper prefix of `bytes`, the empty one first.
pub fn prefixes(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    (0..bytes.len()).filter_map(|len| bytes.get(..len))
}

/// Every copy of `bytes` in which one byte is another one: each bit flipped alone, and 0x00 and 0xFF.
pub fn single_bytes(bytes: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    (0..bytes.len()).flat_map(move |at| (0..10).filter_map(move |choice| with_byte(bytes, at, choice)))
}

fn with_byte(bytes: &[u8], at: usize, choice: u32) -> Option<Vec<u8>> {
    let mut copy = bytes.to_vec();
    let byte = copy.get_mut(at)?;
    let before = *byte;
    *byte = match choice {
        8 => 0x00,
        9 => 0xFF,
        bit => before ^ 1u8.wrapping_shl(bit),
    };
    (*byte != before || choice < 8).then_some(copy)
}

fn wound(bytes: &mut Vec<u8>, other: &[u8], rng: &mut Rng) {
    match rng.below(8) {
        0 | 1 => flip(bytes, rng),
        2 => insert(bytes, rng),
        3 => delete(bytes, rng),
        4 => bytes.truncate(rng.up_to(bytes.len())),
        5 | 6 => overwrite(bytes, rng),
        _ => splice(bytes, other, rng),
    }
}

fn flip(bytes: &mut [u8], rng: &mut Rng) {
    let (at, bit) = (rng.below(bytes.len()), rng.below(8));
    if let Some(byte) = bytes.get_mut(at) {
        *byte ^= 1 << bit;
    }
}

fn insert(bytes: &mut Vec<u8>, rng: &mut Rng) {
    let (at, count) = (rng.up_to(bytes.len()), 1 + rng.below(9));
    let inserted = rng.bytes(count);
    bytes.splice(at..at, inserted);
}

fn delete(bytes: &mut Vec<u8>, rng: &mut Rng) {
    let start = rng.up_to(bytes.len());
    let end = bytes.len().min(start + 1 + rng.below(9));
    bytes.drain(start..end);
}

/// Puts an extreme number somewhere, of 1, 2 or 4 bytes and in either order.
fn overwrite(bytes: &mut [u8], rng: &mut Rng) {
    let number = *rng.pick(EXTREMES);
    let number = if rng.once_in(2) { number.to_be_bytes() } else { number.to_le_bytes() };
    let width = *rng.pick(&[1, 2, 4]);
    // The low bytes of a big-endian number are its last.
    let skipped = if rng.once_in(2) { number.len() - width } else { 0 };
    let at = rng.below(bytes.len());
    for (byte, new) in bytes.iter_mut().skip(at).zip(number.iter().skip(skipped).take(width)) {
        *byte = *new;
    }
}

/// Replaces a piece by one of `other`'s, of another length perhaps.
fn splice(bytes: &mut Vec<u8>, other: &[u8], rng: &mut Rng) {
    let from = rng.up_to(other.len());
    let piece: Vec<u8> = other.iter().skip(from).take(rng.below(40)).copied().collect();
    let start = rng.up_to(bytes.len());
    let end = bytes.len().min(start + rng.below(40));
    bytes.splice(start..end, piece);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_damages_alike() {
        let first: Vec<_> = damaged(b"0123456789", b"abcdef", 3, 200).collect();
        assert_eq!(first, damaged(b"0123456789", b"abcdef", 3, 200).collect::<Vec<_>>());
        assert!(first.iter().filter(|copy| *copy != b"0123456789").count() > 190);
        assert_ne!(first, damaged(b"0123456789", b"abcdef", 4, 200).collect::<Vec<_>>());
    }

    #[test]
    fn nothing_to_damage_is_no_fault() {
        assert_eq!(damaged(b"", b"", 1, 500).count(), 500);
        assert_eq!(prefixes(b"").count(), 0);
        assert_eq!(prefixes(b"abc").last(), Some(b"ab".as_slice()));
    }

    #[test]
    fn single_bytes_are_all_different_from_the_original() {
        let copies: Vec<_> = single_bytes(b"\x00\xfe").collect();
        assert_eq!(copies.len(), 2 * 10 - 1);
        assert!(copies.iter().all(|copy| copy != b"\x00\xfe"));
    }
}
