//! What became of documents and values, in numbers.

use serde::{Deserialize, Serialize};

use crate::tree::Rules;

/// What became of the documents of a collection.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Documents that were read.
    pub documents: u64,
    /// Of them, those that have new values.
    pub changed: u64,
    /// Of them, those that were put aside.
    pub quarantined: u64,
    /// Of them, those that are damaged and were copied as they are.
    pub damaged: u64,
    /// Bytes of the documents before.
    pub bytes_before: u64,
    /// Bytes of the documents after, without those put aside.
    pub bytes_after: u64,
    /// For each field of the plan that is converted, in its order.
    pub values: Vec<Values>,
}

/// What became of the values of one field.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Values {
    /// Converted.
    pub converted: u64,
    /// Of all, those that would lose something.
    pub lossy: u64,
    /// Companions that were written.
    pub companions: u64,
    /// Values that do not fit.
    pub misfits: u64,
    /// Set to null.
    pub nulls: u64,
    /// Left as they are.
    pub kept: u64,
    /// A few values that do not fit.
    pub examples: Vec<String>,
}

/// How many values are shown that do not fit.
const EXAMPLES_MAX: usize = 3;

impl Tally {
    /// Zeros for `rules`.
    pub fn new(rules: &Rules) -> Self {
        Self { values: vec![Values::default(); rules.rules().len()], ..Self::default() }
    }

    /// Adds what became of the documents that follow.
    pub fn add(&mut self, other: &Self) {
        self.documents += other.documents;
        self.changed += other.changed;
        self.quarantined += other.quarantined;
        self.damaged += other.damaged;
        self.bytes_before += other.bytes_before;
        self.bytes_after += other.bytes_after;
        if self.values.len() < other.values.len() {
            self.values.resize(other.values.len(), Values::default());
        }
        for (own, other) in self.values.iter_mut().zip(&other.values) {
            own.add(other);
        }
    }
}

impl Values {
    /// Counts a value that does not fit.
    #[cold]
    pub(crate) fn note_misfit(&mut self, show: impl FnOnce() -> String) {
        self.misfits += 1;
        if self.examples.len() < EXAMPLES_MAX {
            let shown = show();
            if !self.examples.contains(&shown) {
                self.examples.push(shown);
            }
        }
    }

    fn add(&mut self, other: &Self) {
        self.converted += other.converted;
        self.lossy += other.lossy;
        self.companions += other.companions;
        self.misfits += other.misfits;
        self.nulls += other.nulls;
        self.kept += other.kept;
        for example in &other.examples {
            if self.examples.len() < EXAMPLES_MAX && !self.examples.contains(example) {
                self.examples.push(example.clone());
            }
        }
    }
}
