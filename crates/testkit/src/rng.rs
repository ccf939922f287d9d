//! A small generator whose numbers never change.

use oorandom::Rand64;

/// Random numbers from a seed: PCG XSL-RR 128/64 of the crate `oorandom`, which has one fixed algorithm. The same seed
/// gives the same numbers on every machine and for ever.
#[derive(Clone, Debug)]
pub struct Rng(Rand64);

impl Rng {
    /// The generator of `seed`.
    pub fn new(seed: u64) -> Self {
        Self(Rand64::new(u128::from(seed)))
    }

    /// Any 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0.rand_u64()
    }

    /// A number from 0 up to, not including, `end`; 0 when `end` is 0.
    pub fn below(&mut self, end: usize) -> usize {
        let end = u64::try_from(end).unwrap_or(u64::MAX);
        let number = if end == 0 { 0 } else { self.0.rand_range(0..end) };
        usize::try_from(number).unwrap_or_default()
    }

    /// A number from 0 to `last`, both included.
    pub fn up_to(&mut self, last: usize) -> usize {
        self.below(last.saturating_add(1))
    }

    /// True once in `times` on average.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// One of `choices`.
    ///
    /// # Panics
    ///
    /// When there are none.
    #[expect(clippy::indexing_slicing, reason = "the index is below the length")]
    pub fn pick<'a, T>(&mut self, choices: &'a [T]) -> &'a T {
        &choices[self.below(choices.len())]
    }

    /// `len` random bytes.
    pub fn bytes(&mut self, len: usize) -> Vec<u8> {
        std::iter::repeat_with(|| self.bits().to_le_bytes()).flatten().take(len).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_never_change() {
        let mut rng = Rng::new(1);
        let numbers: Vec<u64> = (0..4).map(|_| rng.bits()).collect();
        let first = [
            4_491_435_843_050_078_335,
            6_423_928_555_577_756_314,
            4_758_538_779_453_212_100,
            13_036_576_051_305_512_084,
        ];
        assert_eq!(numbers, first);
    }
}
