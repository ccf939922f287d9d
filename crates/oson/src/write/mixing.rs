//! A fast hash for the writer's own tables. None of it reaches an image.

use std::hash::{BuildHasher, RandomState};

/// An odd number with no pattern in its bits: the fraction of the golden ratio.
const MULTIPLIER: u64 = 0x9E37_79B9_7F4A_7C15;

/// A number that nobody can foresee, so that nobody can choose names that fall into one slot.
pub(super) fn seed() -> u64 {
    RandomState::new().hash_one(0_u8)
}

/// Both halves of the product, so that every bit of the one reaches every bit of the other.
#[inline]
pub(super) fn mix(state: u64, word: u64) -> u64 {
    let (low, high) = (state ^ word).carrying_mul(MULTIPLIER, 0);
    low ^ high
}

/// The hash of all of `bytes`.
#[inline]
pub(super) fn hash(seed: u64, bytes: &[u8]) -> u64 {
    let (chunks, _) = bytes.as_chunks::<8>();
    let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
    let state = chunks.iter().fold(mix(seed, length), |state, chunk| mix(state, u64::from_le_bytes(*chunk)));
    mix(state, tail(bytes))
}

/// The hash of the length and of both ends of `bytes`: for what is compared afterwards anyhow.
#[inline]
pub(super) fn hash_ends(bytes: &[u8]) -> u64 {
    let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
    match bytes.first_chunk::<8>() {
        Some(head) => mix(mix(length, u64::from_le_bytes(*head)), tail(bytes)),
        None => mix(length, tail(bytes)),
    }
}

/// The last eight bytes, or all of fewer, as a number.
#[inline]
fn tail(bytes: &[u8]) -> u64 {
    if let Some(last) = bytes.last_chunk::<8>() {
        return u64::from_le_bytes(*last);
    }
    if let (Some(first), Some(last)) = (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
        return u64::from(u32::from_le_bytes(*first)) << 32 | u64::from(u32::from_le_bytes(*last));
    }
    bytes.iter().fold(0, |word, &byte| word << 8 | u64::from(byte))
}
