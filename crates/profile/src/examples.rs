//! A few of many values, the same few whatever the order.

use serde::{Deserialize, Serialize};

/// How many examples of one shape are kept.
const KEPT: usize = 3;

/// Bytes of an example that are kept, at most.
const EXAMPLE_BYTES_MAX: usize = 96;

/// The values with the smallest hashes: a random choice that any split and any order agree on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Examples {
    /// Ascending by hash.
    kept: Vec<(u64, Box<str>)>,
}

impl Examples {
    #[inline]
    pub(crate) fn offer(&mut self, hash: u64, text: &str) {
        let is_small = self.kept.len() < KEPT || self.kept.last().is_some_and(|(largest, _)| hash <= *largest);
        // The same value again, most of the time: two values of one hash are as good as impossible.
        if is_small && !self.kept.iter().any(|(kept, _)| *kept == hash) {
            self.insert(hash, cut(text));
        }
    }

    #[cold]
    fn insert(&mut self, hash: u64, text: &str) {
        if let Err(place) = self.kept.binary_search_by(|(own, other)| (*own, &**other).cmp(&(hash, text))) {
            self.kept.insert(place, (hash, text.into()));
            self.kept.truncate(KEPT);
        }
    }

    pub(crate) fn merge(&mut self, other: &Self) {
        other.kept.iter().for_each(|(hash, text)| self.insert(*hash, text));
    }

    /// The examples with their hashes, ascending by hash.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u64, &str)> {
        self.kept.iter().map(|(hash, text)| (*hash, &**text))
    }

    pub(crate) fn is_sound(&self) -> bool {
        self.kept.len() <= KEPT && self.kept.is_sorted_by(|a, b| a < b)
    }
}

/// The beginning of `text`, as far as it is kept.
fn cut(text: &str) -> &str {
    text.get(..text.floor_char_boundary(EXAMPLE_BYTES_MAX)).unwrap_or(text)
}

/// Up to four different values, or that there are more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Few<T> {
    /// Ascending.
    These(Vec<T>),
    /// More than four.
    Many,
}

impl<T> Default for Few<T> {
    fn default() -> Self {
        Self::These(Vec::new())
    }
}

impl<T: Ord + Clone> Few<T> {
    pub(crate) fn add(&mut self, value: &T) {
        if let Self::These(values) = self
            && let Err(place) = values.binary_search(value)
        {
            values.insert(place, value.clone());
            if values.len() > 4 {
                *self = Self::Many;
            }
        }
    }

    pub(crate) fn merge(&mut self, other: &Self) {
        match other {
            Self::These(values) => values.iter().for_each(|value| self.add(value)),
            Self::Many => *self = Self::Many,
        }
    }

    /// The one value there is; `None` when there is none or more than one.
    pub(crate) fn only(&self) -> Option<&T> {
        match self {
            Self::These(values) if values.len() == 1 => values.first(),
            _ => None,
        }
    }
}
