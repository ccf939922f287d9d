//! Words that stand for nothing, for yes and no, or for what no number is.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use super::Shape;

/// The words that people write where a value is missing. An index into this table stands in saved profiles: words may
/// only be added at its end.
pub(crate) const NULL_WORDS: &[&str] = &[
    "null",
    "NULL",
    "Null",
    "none",
    "None",
    "NONE",
    "nil",
    "undefined",
    "N/A",
    "n/a",
    "NA",
    "n.a.",
    "N.A.",
    "-",
    "--",
    "?",
    "unknown",
    "UNKNOWN",
    "Unknown",
    "\\N",
    "(null)",
    "<null>",
    "#N/A",
    " ",
    "NaT",
    "missing",
];

/// What floats print for what is no number. Saved profiles hold indexes: words may only be added at its end. The first
/// three are what JavaScript and BSON's Extended JSON write.
pub(crate) const NON_FINITE_WORDS: &[&str] = &[
    "NaN",
    "Infinity",
    "-Infinity",
    "+Infinity",
    "NAN",
    "nan",
    "inf",
    "-inf",
    "+inf",
    "Inf",
    "-Inf",
    "INF",
    "-INF",
    "infinity",
    "-infinity",
];

/// Pairs of words for true and false, as they are spelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BoolWords {
    /// `true` and `false`.
    True,
    /// `True` and `False`.
    TrueTitle,
    /// `TRUE` and `FALSE`.
    TrueUpper,
    /// `yes` and `no`.
    Yes,
    /// `Yes` and `No`.
    YesTitle,
    /// `YES` and `NO`.
    YesUpper,
    /// `y` and `n`.
    Y,
    /// `Y` and `N`.
    YUpper,
    /// `t` and `f`.
    T,
    /// `T` and `F`.
    TUpper,
    /// `on` and `off`.
    On,
    /// `On` and `Off`.
    OnTitle,
    /// `ON` and `OFF`.
    OnUpper,
}

impl BoolWords {
    const ALL: [(Self, &'static str, &'static str); 13] = [
        (Self::True, "true", "false"),
        (Self::TrueTitle, "True", "False"),
        (Self::TrueUpper, "TRUE", "FALSE"),
        (Self::Yes, "yes", "no"),
        (Self::YesTitle, "Yes", "No"),
        (Self::YesUpper, "YES", "NO"),
        (Self::Y, "y", "n"),
        (Self::YUpper, "Y", "N"),
        (Self::T, "t", "f"),
        (Self::TUpper, "T", "F"),
        (Self::On, "on", "off"),
        (Self::OnTitle, "On", "Off"),
        (Self::OnUpper, "ON", "OFF"),
    ];

    /// The words for true and for false.
    pub fn words(self) -> (&'static str, &'static str) {
        let found = Self::ALL.iter().find(|(words, ..)| *words == self);
        found.map_or(("true", "false"), |&(_, yes, no)| (yes, no))
    }

    /// The pair whose words for true and for false these are, if it is a known one.
    pub fn of(yes: &str, no: &str) -> Option<Self> {
        Self::ALL.iter().find(|known| (known.1, known.2) == (yes, no)).map(|known| known.0)
    }

    /// Whether the words mean a truth value even where only one of the two occurs.
    pub(crate) const fn is_certain(self) -> bool {
        matches!(self, Self::True | Self::TrueTitle | Self::TrueUpper)
    }
}

const WORD_BYTES_MAX: usize = 9;

/// All words with what they stand for, ascending by their bytes as one number: most texts that come here are none of
/// them, and this finds that out in a few comparisons of numbers.
static KNOWN: LazyLock<Vec<(u128, Shape)>> = LazyLock::new(|| {
    let truths = BoolWords::ALL.iter().flat_map(|&(words, yes, no)| {
        [(yes, Shape::Bool { words, value: true }), (no, Shape::Bool { words, value: false })]
    });
    let numbers = NON_FINITE_WORDS.iter().zip(0..).map(|(&word, place)| (word, Shape::NonFinite(place)));
    let nothings = NULL_WORDS.iter().zip(0..).map(|(&word, place)| (word, Shape::Null(place)));
    let words = truths.chain(numbers).chain(nothings);
    let mut known: Vec<_> = words.map(|(word, shape)| (key(word), shape)).collect();
    known.sort_unstable();
    known
});

/// The bytes of `text`, at most [`WORD_BYTES_MAX`], as one number.
fn key(text: &str) -> u128 {
    text.bytes().fold(0, |key, byte| (key << 8) | u128::from(byte))
}

/// What the word `text` stands for, if it is one of those known here.
pub(super) fn known(text: &str) -> Option<Shape> {
    if text.len() > WORD_BYTES_MAX {
        return None;
    }
    let wanted = key(text);
    let place = KNOWN.binary_search_by_key(&wanted, |&(key, _)| key).ok()?;
    KNOWN.get(place).map(|&(_, shape)| shape)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_found_and_stands_for_one_thing() {
        assert!(KNOWN.is_sorted_by(|(a, _), (b, _)| a < b));
        for (place, &word) in NULL_WORDS.iter().enumerate() {
            assert_eq!(known(word), Some(Shape::Null(u8::try_from(place).unwrap())), "{word}");
        }
        assert_eq!(known("FALSE"), Some(Shape::Bool { words: BoolWords::TrueUpper, value: false }));
        assert_eq!(known("-Infinity"), Some(Shape::NonFinite(2)));
        assert_eq!(known("indoor"), None);
    }
}
