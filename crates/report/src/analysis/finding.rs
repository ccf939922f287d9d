//! What is said of one finding.

use boson_profile::{
    Actual, Conversion, Finding, IndexKeys, LeftAlone, Loss, Misfits, Question, Reason, Risk, Spelling, Stays, Target,
};
use serde::Serialize;

use super::{TypeView, ratio};

/// Values that are stored as something else than they are.
#[derive(Debug, Serialize)]
pub struct FindingView {
    /// Where.
    pub path: String,
    /// Whether it is `_id`, or in it.
    pub is_id: bool,
    /// What the values are stored as.
    pub stored: &'static str,
    /// What they are.
    pub actual: Said<Actual>,
    /// How many of them fit.
    pub fits: u64,
    /// `null` where names on the way are data.
    pub documents: Option<u64>,
    /// Those that do not.
    pub misfits: MisfitsView,
    /// Values of other types at the same path.
    pub others: Vec<TypeView>,
    /// What is proposed.
    pub proposal: ConversionView,
    /// Other ways, for the author of the plan to choose.
    pub alternatives: Vec<ConversionView>,
    /// What is to be decided first.
    pub questions: Vec<Said<Question>>,
    /// How much can go wrong.
    pub risk: Risk,
    /// Why.
    pub reasons: Vec<Said<Reason>>,
}

/// What stays as it is.
#[derive(Debug, Serialize)]
pub struct MisfitsView {
    /// How many, words for nothing included.
    pub count: u64,
    /// A few of them.
    pub examples: Vec<String>,
    /// Words for nothing among them.
    pub nothing: Vec<WordView>,
}

/// A word for nothing.
#[derive(Debug, Serialize)]
pub struct WordView {
    /// The word.
    pub word: String,
    /// How often it occurs.
    pub count: u64,
}

/// One way to convert.
#[derive(Debug, Serialize)]
pub struct ConversionView {
    /// The type.
    #[serde(flatten)]
    pub target: Target,
    #[serde(flatten)]
    spelling: Option<Spelling>,
    /// In all; `null` when it is not known.
    pub saved_bytes: Option<i64>,
    /// On average; negative when it costs some.
    pub saved_bytes_per_document: Option<f64>,
    /// Of a value that fits, on average.
    pub saved_bytes_per_value: Option<f64>,
    /// What would be lost.
    pub losses: Vec<Said<Loss>>,
    /// What it does to the keys of an index.
    pub index_keys: IndexKeys,
}

/// A word for programs and a sentence for people.
#[derive(Debug, Serialize)]
pub struct Said<T> {
    #[serde(flatten)]
    said: Word<T>,
    /// For people.
    pub text: String,
}

/// `{"name": …, "value": …}`.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Word<T> {
    /// As it is.
    Whole(T),
    /// A word without a value: those that have none, and those whose value is hidden.
    Name {
        name: T,
    },
    Hidden {
        name: &'static str,
    },
}

impl<T: ToString> Said<T> {
    fn whole(said: T) -> Self {
        Self { text: said.to_string(), said: Word::Whole(said) }
    }

    fn name(name: T) -> Self {
        Self { text: name.to_string(), said: Word::Name { name } }
    }
}

impl Said<Reason> {
    fn reason(reason: Reason, mask: bool) -> Self {
        match reason {
            Reason::MayGrow(_) if mask => {
                Self { said: Word::Hidden { name: "may-grow" }, text: "all fit today; later ones may not".to_owned() }
            }
            reason => Self::whole(reason),
        }
    }
}

impl ConversionView {
    fn new(conversion: &Conversion, fits: u64, documents: u64, mask: bool) -> Self {
        let saved = conversion.saved_bytes;
        Self {
            target: conversion.target,
            spelling: conversion.spelling.clone().map(|spelling| if mask { masked(spelling) } else { spelling }),
            saved_bytes: saved,
            saved_bytes_per_document: saved.map(|bytes| ratio(bytes, documents)),
            saved_bytes_per_value: saved.map(|bytes| ratio(bytes, fits)),
            losses: conversion.losses.iter().copied().map(Said::whole).collect(),
            index_keys: conversion.index,
        }
    }
}

impl FindingView {
    /// `finding` in a profile of `documents` documents.
    pub(super) fn new(finding: &Finding, documents: u64, mask: bool) -> Self {
        let conversion = |way| ConversionView::new(way, finding.fits, documents, mask);
        Self {
            path: finding.path.to_string(),
            is_id: finding.path.is_id(),
            stored: finding.stored.name(),
            actual: Said::name(finding.actual),
            fits: finding.fits,
            documents: finding.documents,
            misfits: MisfitsView::new(&finding.misfits, mask),
            others: finding.others.iter().map(TypeView::from).collect(),
            proposal: conversion(&finding.proposal),
            alternatives: finding.alternatives.iter().map(conversion).collect(),
            questions: finding.questions.iter().copied().map(Said::whole).collect(),
            risk: finding.risk,
            reasons: finding.reasons.iter().map(|&reason| Said::reason(reason, mask)).collect(),
        }
    }
}

impl MisfitsView {
    fn new(misfits: &Misfits, mask: bool) -> Self {
        let word = |(word, count): &(String, u64)| WordView { word: shown(word, mask), count: *count };
        Self {
            count: misfits.count,
            examples: misfits.examples.iter().map(|example| shown(example, mask)).collect(),
            nothing: misfits.nothing.iter().map(word).collect(),
        }
    }
}

/// Values that look like something else and are to stay.
#[derive(Debug, Serialize)]
pub struct LeftAloneView {
    /// Where.
    pub path: String,
    /// How many values.
    pub values: u64,
    /// Why they stay.
    pub reason: Said<Stays>,
    /// A few values that are the reason.
    pub examples: Vec<String>,
}

impl LeftAloneView {
    pub(super) fn new(left: &LeftAlone, mask: bool) -> Self {
        Self {
            path: left.path.to_string(),
            values: left.values,
            reason: Said::name(left.reason),
            examples: left.examples.iter().map(|example| shown(example, mask)).collect(),
        }
    }
}

fn shown(text: &str, mask: bool) -> String {
    if mask { text.chars().map(masked_char).collect() } else { text.to_owned() }
}

/// What stands for a character: its kind is left, since it is why a value does not fit.
const fn masked_char(c: char) -> char {
    match c {
        '0'..='9' => '9',
        'a'..='z' => 'x',
        'A'..='Z' => 'X',
        c if c.is_ascii() => c,
        _ => '·',
    }
}

/// `spelling` without what comes out of the data.
fn masked(spelling: Spelling) -> Spelling {
    match spelling {
        Spelling::Money { grouping, scale, affix } => Spelling::Money { grouping, scale, affix: shown(&affix, true) },
        spelling => spelling,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_masked_value_keeps_its_shape_alone() {
        assert_eq!(shown("Zoë 2024-01-15\n", true), "Xx· 9999-99-99\n");
        assert_eq!(shown("Zoë", false), "Zoë");
    }
}
