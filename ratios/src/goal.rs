//! What is to be reached.

use std::cmp::Ordering;
use std::fmt;

use crate::alternate::Ratio;

/// How much faster Boson is to be than something else, or how much slower it may be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bound {
    /// The other takes so many times as long as Boson, at least.
    TimesFaster(f64),
    /// Boson takes so many times as long as the other, at most.
    TimesAsLong(f64),
}

impl Bound {
    /// The ratio that the bound is on, of Boson's time and the other's.
    pub fn ratio(self, ours: &crate::alternate::Timed, other: &crate::alternate::Timed) -> Ratio {
        match self {
            Self::TimesFaster(_) => Ratio::of(other, ours),
            Self::TimesAsLong(_) => Ratio::of(ours, other),
        }
    }

    /// Orders ratios of that kind, the worst first.
    pub fn order(self, a: Ratio, b: Ratio) -> Ordering {
        match self {
            Self::TimesFaster(_) => a.median.total_cmp(&b.median),
            Self::TimesAsLong(_) => b.median.total_cmp(&a.median),
        }
    }

    /// Whether a ratio of that kind keeps the bound.
    pub fn is_met(self, ratio: Ratio) -> bool {
        match self {
            Self::TimesFaster(least) => ratio.median >= least,
            Self::TimesAsLong(most) => ratio.median <= most,
        }
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TimesFaster(least) => write!(f, "≥ {least}"),
            Self::TimesAsLong(most) => write!(f, "≤ {most}"),
        }
    }
}

/// One goal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Goal {
    /// What Boson does.
    pub ours: &'static str,
    /// What that is compared with.
    pub other: &'static str,
    /// How they are to compare.
    pub bound: Bound,
}

impl Goal {
    /// Boson is to be `times` times as fast.
    pub const fn faster(ours: &'static str, other: &'static str, times: f64) -> Self {
        Self { ours, other, bound: Bound::TimesFaster(times) }
    }

    /// Boson may take `times` times as long.
    pub const fn as_long(ours: &'static str, other: &'static str, times: f64) -> Self {
        Self { ours, other, bound: Bound::TimesAsLong(times) }
    }
}
