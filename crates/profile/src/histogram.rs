//! Counts by size, in buckets that do not depend on the order or the range of what comes.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Each power of two is split into this many buckets, so a bucket is at most 1/32 of its values wide.
const BUCKETS_PER_OCTAVE_LOG2: u32 = 5;

/// How many, how much, the extremes and the quantiles of sizes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sizes {
    count: u64,
    total: u64,
    min: u64,
    max: u64,
    buckets: BTreeMap<u16, u64>,
}

impl Sizes {
    pub(crate) fn add(&mut self, size: u64) {
        self.min = if self.count == 0 { size } else { self.min.min(size) };
        self.max = self.max.max(size);
        self.count += 1;
        self.total = self.total.saturating_add(size);
        *self.buckets.entry(bucket(size)).or_default() += 1;
    }

    pub(crate) fn merge(&mut self, other: &Self) {
        if other.count == 0 {
            return;
        }
        self.min = if self.count == 0 { other.min } else { self.min.min(other.min) };
        self.max = self.max.max(other.max);
        self.count = self.count.saturating_add(other.count);
        self.total = self.total.saturating_add(other.total);
        for (&bucket, &count) in &other.buckets {
            let own = self.buckets.entry(bucket).or_default();
            *own = own.saturating_add(count);
        }
    }

    /// How many sizes there are.
    pub const fn count(&self) -> u64 {
        self.count
    }

    /// Their sum.
    pub const fn total(&self) -> u64 {
        self.total
    }

    /// The smallest; 0 when there is none.
    pub const fn min(&self) -> u64 {
        self.min
    }

    /// The largest; 0 when there is none.
    pub const fn max(&self) -> u64 {
        self.max
    }

    /// The average; 0 when there is none.
    pub fn mean(&self) -> f64 {
        if self.count == 0 { 0.0 } else { ratio(self.total, self.count) }
    }

    /// A size that the share `q` (0 to 1) of all sizes do not exceed: the largest of its bucket, so at most 1/32 above
    /// the exact quantile, and never above [`max`](Self::max). 0 when there is no size.
    pub fn quantile(&self, q: f64) -> u64 {
        let wanted = q.clamp(0.0, 1.0) * ratio(self.count, 1);
        let mut seen = 0_u64;
        for (&bucket, &count) in &self.buckets {
            seen = seen.saturating_add(count);
            if ratio(seen, 1) >= wanted {
                return largest(bucket).clamp(self.min, self.max);
            }
        }
        self.max
    }
}

/// `a / b` as a float.
#[expect(clippy::cast_precision_loss, reason = "for people to read; 53 bits are enough")]
pub(crate) fn ratio(a: u64, b: u64) -> f64 {
    a as f64 / b as f64
}

/// Small sizes have a bucket of their own; above them, the exponent and the five bits after the leading one.
fn bucket(size: u64) -> u16 {
    let exponent = size.checked_ilog2().unwrap_or_default();
    let shift = exponent.saturating_sub(BUCKETS_PER_OCTAVE_LOG2);
    let index = (u64::from(shift) << BUCKETS_PER_OCTAVE_LOG2) + (size >> shift);
    u16::try_from(index).unwrap_or(u16::MAX)
}

/// The largest size in `bucket`.
fn largest(bucket: u16) -> u64 {
    let bucket = u64::from(bucket);
    let octave = bucket >> BUCKETS_PER_OCTAVE_LOG2;
    let shift = octave.saturating_sub(1);
    let leading = bucket - (shift << BUCKETS_PER_OCTAVE_LOG2);
    u64::try_from(((u128::from(leading) + 1) << shift) - 1).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_holds_its_sizes_and_is_narrow() {
        for size in (0..5000).chain([1 << 20, (1 << 40) + 12345, u64::MAX]) {
            let top = largest(bucket(size));
            assert!(top >= size && ratio(top, 1) <= ratio(size, 1) * (1.0 + 1.0 / 32.0), "{size} {top}");
            assert!(size == 0 || largest(bucket(size - 1)) <= top, "buckets ascend");
        }
    }

    #[test]
    fn quantiles_of_one_to_a_thousand() {
        let mut sizes = Sizes::default();
        (1..=1000).for_each(|size| sizes.add(size));
        assert_eq!((sizes.count(), sizes.total(), sizes.min(), sizes.max()), (1000, 500_500, 1, 1000));
        assert!((500..=516).contains(&sizes.quantile(0.5)), "{}", sizes.quantile(0.5));
        assert_eq!((sizes.quantile(0.0), sizes.quantile(1.0)), (1, 1000));
        assert_eq!(Sizes::default().quantile(0.5), 0);
    }
}
