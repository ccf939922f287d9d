//! The sets of documents that everything is measured on, each made from a seed and always the same.

mod build;
mod catalog;
mod drivers;
mod matrix;
mod mixed;
mod people;
mod random;
mod telemetry;
mod tweets;

use std::fmt;
use std::str::FromStr;

use boson_document::Value;

pub use matrix::Matrix;

use random::Random;

/// A set of documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Dataset {
    /// One document of many small equal records.
    People,
    /// Readings of sensors, everything a string.
    TelemetryStrings,
    /// The same readings in the types that they are.
    TelemetryTyped,
    /// The drivers' flat document.
    Flat,
    /// The drivers' deep document.
    Deep,
    /// The drivers' document of many types.
    Full,
    /// One document like a time line of short messages.
    Tweets,
    /// One document like the catalogue of a theatre.
    Catalog,
    /// Fields of long strings.
    Matrix(Matrix),
    /// A few kinds of business documents.
    Mixed,
}

impl Dataset {
    /// Every set, the matrix in its smallest size.
    pub const ALL: [Self; 10] = [
        Self::People,
        Self::TelemetryStrings,
        Self::TelemetryTyped,
        Self::Flat,
        Self::Deep,
        Self::Full,
        Self::Tweets,
        Self::Catalog,
        Self::Matrix(Matrix { fields: 10, len: 1000 }),
        Self::Mixed,
    ];

    /// The name, which [`Dataset::from_str`] reads; of the matrix without its size.
    pub const fn name(self) -> &'static str {
        match self {
            Self::People => "people",
            Self::TelemetryStrings => "telemetry-strings",
            Self::TelemetryTyped => "telemetry-typed",
            Self::Flat => "flat",
            Self::Deep => "deep",
            Self::Full => "full",
            Self::Tweets => "tweets",
            Self::Catalog => "catalog",
            Self::Matrix(_) => "matrix",
            Self::Mixed => "mixed",
        }
    }

    /// What the set is, in one line.
    pub const fn description(self) -> &'static str {
        match self {
            Self::People => "one document of N persons, seven fields each: names, email, active, two times as text",
            Self::TelemetryStrings => "N readings of sensors with times, numbers and booleans as text",
            Self::TelemetryTyped => "the same N readings with dates, doubles, integers and booleans",
            Self::Flat => "N documents of 145 fields on one level: strings, numbers, booleans",
            Self::Deep => "N documents of six levels, a binary tree with 64 short strings",
            Self::Full => "N documents of 91 fields of every type that BSON recommends",
            Self::Tweets => "one document of N short messages with their users, many nulls, many scripts",
            Self::Catalog => "one document of N events by their ids, with prices and areas in nested arrays",
            Self::Matrix(_) => "N documents of fields field_1, field_2… of equal length, as matrix-FIELDSxLENGTH",
            Self::Mixed => "N business documents: orders, customers, sessions, articles",
        }
    }

    /// What the `count` of [`documents`](Self::documents) counts.
    pub const fn counted(self) -> &'static str {
        match self {
            Self::People => "persons",
            Self::Tweets => "messages",
            Self::Catalog => "events",
            _ => "documents",
        }
    }

    /// The `count` that the set is usually made with.
    pub const fn default_count(self) -> usize {
        match self {
            Self::People | Self::TelemetryStrings | Self::TelemetryTyped | Self::Catalog => 1000,
            Self::Tweets | Self::Mixed => 100,
            Self::Flat | Self::Deep | Self::Full | Self::Matrix(_) => 1,
        }
    }

    /// The documents of `seed`, each made when it is asked for. `count` is what [`counted`](Self::counted) says.
    ///
    /// The same seed gives the same documents in every version, or the committed hashes would change. The first documents
    /// do not depend on the count, except where one document holds them all.
    pub fn documents(self, seed: u64, count: usize) -> Documents {
        let one_document = matches!(self, Self::People | Self::Tweets | Self::Catalog);
        let left = if one_document { 1 } else { count };
        Documents { set: self, random: Random::new(seed), index: 0, left, count }
    }
}

impl fmt::Display for Dataset {
    /// The name; of the matrix with its size.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        match self {
            Self::Matrix(matrix) => write!(f, "-{matrix}"),
            _ => Ok(()),
        }
    }
}

/// No data set has this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no data set is called `{name}`; there are {known}")]
pub struct ParseDatasetError {
    name: String,
    known: String,
}

impl FromStr for Dataset {
    type Err = ParseDatasetError;

    /// Reads a name, or `matrix-FIELDSxLENGTH`.
    fn from_str(name: &str) -> Result<Self, ParseDatasetError> {
        let named = Self::ALL.into_iter().find(|set| set.name() == name);
        let sized = || name.strip_prefix("matrix-")?.parse().ok().map(Self::Matrix);
        named
            .or_else(sized)
            .ok_or_else(|| ParseDatasetError { name: name.to_owned(), known: Self::ALL.map(Self::name).join(", ") })
    }
}

/// The documents of a set, one after the other.
#[derive(Clone, Debug)]
pub struct Documents {
    set: Dataset,
    random: Random,
    index: usize,
    left: usize,
    count: usize,
}

impl Iterator for Documents {
    type Item = Value;

    fn next(&mut self) -> Option<Value> {
        self.left = self.left.checked_sub(1)?;
        let (random, index) = (&mut self.random, self.index);
        self.index += 1;
        Some(match self.set {
            Dataset::People => people::document(random, self.count),
            Dataset::TelemetryStrings => telemetry::reading(random, index).strings(),
            Dataset::TelemetryTyped => telemetry::reading(random, index).typed(),
            Dataset::Flat => drivers::flat(random),
            Dataset::Deep => drivers::deep(random),
            Dataset::Full => drivers::full(random),
            Dataset::Tweets => tweets::document(random, self.count),
            Dataset::Catalog => catalog::document(random, self.count),
            Dataset::Matrix(matrix) => matrix.to_value(),
            Dataset::Mixed => mixed::document(random, index),
        })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for Documents {}
