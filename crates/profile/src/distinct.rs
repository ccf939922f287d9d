//! How many different values, from their hashes, in bounded memory.

use serde::{Deserialize, Serialize};

/// Up to this many different hashes are kept as they are.
const FEW: usize = 32;

/// 2^10 registers: a standard error of 1.04 / 32, about 3 %.
const REGISTERS_LOG2: u32 = 10;
const REGISTERS: usize = 1 << REGISTERS_LOG2;

/// The number of different values: exact while few, then by `HyperLogLog` (Flajolet, Fusy, Gandouet, Meunier 2007).
///
/// What it holds is a function of the set of hashes alone, down to its bytes: neither order nor repetition nor merging
/// shows. That is why it is not taken from a library, whose sparse forms remember how they came about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Distinct {
    /// Ascending.
    Few(Vec<u64>),
    /// The registers.
    Many(Vec<u8>),
}

impl Default for Distinct {
    fn default() -> Self {
        Self::Few(Vec::new())
    }
}

impl Distinct {
    #[inline]
    pub(crate) fn add(&mut self, hash: u64) {
        match self {
            Self::Many(registers) => raise(registers, hash),
            Self::Few(hashes) => {
                // The last of few values often comes again at once.
                if let Err(place) = hashes.binary_search(&hash) {
                    hashes.insert(place, hash);
                    self.spill();
                }
            }
        }
    }

    /// Goes over to registers once the hashes are no longer few.
    #[cold]
    fn spill(&mut self) {
        if let Self::Few(hashes) = self
            && hashes.len() > FEW
        {
            let mut registers = vec![0; REGISTERS];
            raise_all(&mut registers, hashes);
            *self = Self::Many(registers);
        }
    }

    pub(crate) fn merge(&mut self, other: &Self) {
        match other {
            Self::Few(hashes) => hashes.iter().for_each(|&hash| self.add(hash)),
            Self::Many(theirs) => match self {
                Self::Many(registers) => {
                    registers.iter_mut().zip(theirs).for_each(|(own, &their)| *own = their.max(*own));
                }
                Self::Few(hashes) => {
                    let mut registers = theirs.clone();
                    raise_all(&mut registers, hashes);
                    *self = Self::Many(registers);
                }
            },
        }
    }

    /// The number of different values.
    pub(crate) fn count(&self) -> u64 {
        match self {
            Self::Few(hashes) => u64::try_from(hashes.len()).unwrap_or(u64::MAX),
            Self::Many(registers) => estimate(registers),
        }
    }

    /// Whether it could have come from [`add`](Self::add): for what is read from a file.
    pub(crate) fn is_sound(&self) -> bool {
        match self {
            Self::Few(hashes) => hashes.len() <= FEW && hashes.is_sorted_by(|a, b| a < b),
            Self::Many(registers) => registers.len() == REGISTERS,
        }
    }
}

fn raise_all(registers: &mut [u8], hashes: &[u64]) {
    for &hash in hashes {
        raise(registers, hash);
    }
}

/// The top bits choose a register, which keeps the longest run of zeros seen in the others, plus one.
#[inline]
fn raise(registers: &mut [u8], hash: u64) {
    let place = usize::try_from(hash >> (u64::BITS - REGISTERS_LOG2)).unwrap_or_default();
    let zeros = ((hash << REGISTERS_LOG2) | (1 << (REGISTERS_LOG2 - 1))).leading_zeros();
    if let Some(register) = registers.get_mut(place) {
        *register = (*register).max(u8::try_from(zeros + 1).unwrap_or(u8::MAX));
    }
}

/// The paper's estimate, with linear counting where many registers are still empty.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "an estimate, positive and far below 2^64")]
fn estimate(registers: &[u8]) -> u64 {
    let count = f64::from(1_u32 << REGISTERS_LOG2);
    let sum: f64 = registers.iter().map(|&register| (-f64::from(register)).exp2()).sum();
    let raw = 0.7213 / (1.0 + 1.079 / count) * count * count / sum;
    let empty: f64 = registers.iter().map(|&register| f64::from(u8::from(register == 0))).sum();
    let estimate = if raw <= 2.5 * count && empty > 0.0 { count * (count / empty).ln() } else { raw };
    estimate.round() as u64
}

/// The hash of `bytes`: XXH3 of 64 bits, which its specification fixes, since profiles of different runs are merged.
#[inline]
pub(crate) fn hash(bytes: &[u8]) -> u64 {
    twox_hash::XxHash3_64::oneshot(bytes)
}

/// The hash of a value of 64 bits (the finalizer of `SplitMix64`).
#[inline]
pub(crate) const fn hash_bits(bits: u64) -> u64 {
    let mixed = bits.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: impl IntoIterator<Item = u64>) -> Distinct {
        let mut distinct = Distinct::default();
        values.into_iter().for_each(|value| distinct.add(hash_bits(value)));
        distinct
    }

    #[test]
    fn few_are_counted_exactly_and_many_nearly() {
        assert_eq!(of([1, 2, 2, 1, 3]).count(), 3);
        for count in [100_u64, 1000, 50_000, 1_000_000] {
            let estimate = of(0..count).count();
            assert!(estimate.abs_diff(count) * 10 < count, "{count}: {estimate}");
        }
    }

    #[test]
    fn order_repetition_and_splits_do_not_show() {
        for count in [10, 32, 33, 40, 5000] {
            let whole = of(0..count);
            let mut parts = of((count / 3..count).rev());
            parts.merge(&of(0..count / 2));
            assert_eq!(parts, whole, "{count}");
            assert!(whole.is_sound());
        }
    }
}
