//! What is said of one finding.

use boson_profile::{
    Actual, Conversion, Finding, IndexKeys, LeftAlone, Loss, Misfits, Question, Reason, Risk, Spelling, Stays, Target,
};
use serde::Serialize;

use super::{TypeView, ratio};

/// Values that are stored as something else than they are.
#[derive(Serialize)]
pub(crate) struct FindingView {
    pub(crate) path: String,
    /// Whether it is `_id`, or in it.
    pub(crate) is_id: bool,
    pub(crate) stored: &'static str,
    pub(crate) actual: Said<Actual>,
    pub(crate) fits: u64,
    /// `null` where names on the way are data.
    pub(crate) documents: Option<u64>,
    pub(crate) misfits: MisfitsView,
    /// Values of other types at the same path.
    pub(crate) others: Vec<TypeView>,
    pub(crate) proposal: ConversionView,
    pub(crate) alternatives: Vec<ConversionView>,
    pub(crate) questions: Vec<Said<Question>>,
    pub(crate) risk: Risk,
    pub(crate) reasons: Vec<Said<Reason>>,
}

/// What stays as it is.
#[derive(Serialize)]
pub(crate) struct MisfitsView {
    pub(crate) count: u64,
    pub(crate) examples: Vec<String>,
    pub(crate) nothing: Vec<WordView>,
}

/// A word for nothing.
#[derive(Serialize)]
pub(crate) struct WordView {
    pub(crate) word: String,
    pub(crate) count: u64,
}

/// One way to convert.
#[derive(Serialize)]
pub(crate) struct ConversionView {
    #[serde(flatten)]
    pub(crate) target: Target,
    #[serde(flatten)]
    spelling: Option<Spelling>,
    /// In all; `null` when it is not known.
    pub(crate) saved_bytes: Option<i64>,
    pub(crate) saved_bytes_per_document: Option<f64>,
    pub(crate) saved_bytes_per_value: Option<f64>,
    pub(crate) losses: Vec<Said<Loss>>,
    pub(crate) index_keys: IndexKeys,
}

/// A word for programs and a sentence for people.
#[derive(Serialize)]
pub(crate) struct Said<T> {
    #[serde(flatten)]
    said: Word<T>,
    pub(crate) text: String,
}

/// `{"name": …, "value": …}`.
#[derive(Serialize)]
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
#[derive(Serialize)]
pub(crate) struct LeftAloneView {
    pub(crate) path: String,
    pub(crate) values: u64,
    pub(crate) reason: Said<Stays>,
    pub(crate) examples: Vec<String>,
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
