//! Putting a finding together.

use boson_document::Kind;

use super::{Field, Verdict};
use crate::finding::{
    Actual, Conversion, Finding, IndexKeys, Loss, Misfits, Question, Reason, Risk, Spelling, Target, signed_ratio,
};
use crate::shape::{NON_FINITE_WORDS, NULL_WORDS, Shape};

/// A finding about strings while a rule makes it.
pub(crate) struct Draft<'a, F> {
    field: &'a Field<'a>,
    fits: F,
    actual: Actual,
    ways: Vec<Conversion>,
    questions: Vec<Question>,
    risk: Risk,
    reasons: Vec<Reason>,
}

impl<'a, F: Fn(Shape) -> bool> Draft<'a, F> {
    /// About the strings of `field` that are `actual`: those whose shape `fits`.
    pub(crate) fn new(field: &'a Field<'a>, actual: Actual, fits: F) -> Self {
        Self { field, fits, actual, ways: Vec::new(), questions: Vec::new(), risk: Risk::Low, reasons: Vec::new() }
    }

    /// Offers a conversion: the first one is the proposal. What is lost in no value is not lost.
    pub(crate) fn way(mut self, target: Target, spelling: Spelling, losses: &[Loss]) -> Self {
        let (count, text_bytes) = self.amounts();
        let saved_bytes = target.bson_bytes().and_then(|bytes| saved(count, text_bytes, bytes));
        self.push(target, Some(spelling), saved_bytes, losses);
        self
    }

    /// Offers a conversion to bytes, of which there are `bytes` in all.
    pub(crate) fn binary(mut self, subtype: u8, spelling: Spelling, bytes: u64, losses: &[Loss]) -> Self {
        let (_, text_bytes) = self.amounts();
        // A string has a length of 4 bytes and a NUL, binary a length of 4 bytes and a subtype.
        let saved_bytes = i64::try_from(text_bytes).ok().and_then(|text| text.checked_sub(i64::try_from(bytes).ok()?));
        self.push(Target::Binary(subtype), Some(spelling), saved_bytes, losses);
        self
    }

    /// Offers a conversion of which it is not known what it saves.
    pub(crate) fn unknown(mut self, target: Target, losses: &[Loss]) -> Self {
        self.push(target, None, None, losses);
        self
    }

    fn push(&mut self, target: Target, spelling: Option<Spelling>, saved_bytes: Option<i64>, losses: &[Loss]) {
        let losses = losses.iter().copied().filter(Loss::is_real).collect();
        let index = self.index(target);
        self.ways.push(Conversion { target, spelling, saved_bytes, losses, index });
    }

    /// Asks, when it is asked of any value.
    pub(crate) fn ask(mut self, question: Question) -> Self {
        if !matches!(question, Question::Zone(0) | Question::Nothing(0)) {
            self.questions.push(question);
        }
        self
    }

    /// Raises the risk to at least `risk`, because of `reason`, where that is so.
    pub(crate) fn risk(mut self, is_so: bool, risk: Risk, reason: Reason) -> Self {
        if is_so {
            self.risk = self.risk.max(risk);
            self.reasons.push(reason);
        }
        self
    }

    /// How many strings fit, and the bytes of their texts.
    fn amounts(&self) -> (u64, u64) {
        let fitting = self.field.of(&self.fits);
        fitting.fold((0, 0), |(count, bytes), stats| {
            (u64::saturating_add(count, stats.count), u64::saturating_add(bytes, stats.bytes))
        })
    }

    fn index(&self, target: Target) -> IndexKeys {
        let (count, text_bytes) = self.amounts();
        let mean = signed_ratio(i64::try_from(text_bytes).unwrap_or(i64::MAX), count);
        let reorders = !matches!(target, Target::Uuid | Target::ObjectId | Target::Date | Target::Bool)
            || matches!(self.actual, Actual::EpochSeconds | Actual::EpochMilliseconds);
        // A type byte, the text, a NUL.
        IndexKeys { before_bytes_mean: mean + 2.0, after_bytes_max: key_bytes(target, mean), reorders }
    }

    pub(crate) fn finish(mut self) -> Option<Verdict> {
        let misfits = self.misfits();
        let nothing = misfits.nothing.iter().fold(0_u64, |sum, (_, count)| sum.saturating_add(*count));
        self = self.ask(Question::Nothing(nothing));
        if self.ways.is_empty() {
            return None;
        }
        let proposal = self.ways.remove(0);
        let (is_id, lost, open) = (self.field.path.is_id(), !proposal.losses.is_empty(), !self.questions.is_empty());
        let reference = self.field.hints.reference && !is_id;
        let draft = self
            .risk(is_id, Risk::High, Reason::PrimaryKey)
            .risk(lost, Risk::High, Reason::SomethingIsLost)
            .risk(open, Risk::Medium, Reason::SomethingIsOpen)
            .risk(misfits.count > 0, Risk::Medium, Reason::TwoTypes)
            .risk(reference, Risk::Medium, Reason::Reference);
        let survives = draft.reasons.is_empty();
        let draft = draft.risk(survives, Risk::Low, Reason::EveryValueSurvives);
        Some(Verdict::Proposes(Box::new(Finding {
            path: draft.field.path.clone(),
            stored: Kind::String,
            actual: draft.actual,
            fits: draft.amounts().0,
            documents: None,
            misfits,
            others: Vec::new(),
            proposal,
            alternatives: draft.ways,
            questions: draft.questions,
            risk: draft.risk,
            reasons: draft.reasons,
        })))
    }

    fn misfits(&self) -> Misfits {
        let misfit = |shape: Shape| !(self.fits)(shape);
        let is_nothing = |shape: Shape| matches!(shape, Shape::Empty | Shape::Null(_));
        let nothing = self.field.of(|shape| misfit(shape) && is_nothing(shape));
        Misfits {
            count: self.field.count(misfit),
            examples: self.field.examples(|shape| misfit(shape) && !is_nothing(shape)),
            nothing: nothing.map(|stats| (word(stats.shape).to_owned(), stats.count)).collect(),
        }
    }
}

/// The word of a shape that has only one.
fn word(shape: Shape) -> &'static str {
    let words = match shape {
        Shape::Null(place) => NULL_WORDS.get(usize::from(place)),
        Shape::NonFinite(place) => NON_FINITE_WORDS.get(usize::from(place)),
        _ => None,
    };
    words.copied().unwrap_or_default()
}

/// Bytes saved by storing `count` strings of `text_bytes` in `bytes` each: a string has a length of 4 bytes and a NUL.
fn saved(count: u64, text_bytes: u64, bytes: u64) -> Option<i64> {
    let before = i64::try_from(count.checked_mul(5)?.checked_add(text_bytes)?).ok()?;
    before.checked_sub(i64::try_from(count.checked_mul(bytes)?).ok()?)
}

/// Bytes of a key of this type, at most, where the text had `text_bytes`.
pub(super) fn key_bytes(target: Target, text_bytes: f64) -> f64 {
    match target {
        // A type byte, a length, a subtype.
        Target::Uuid => 19.0,
        Target::ObjectId => 13.0,
        Target::Date | Target::Int64 | Target::Double => 9.0,
        Target::Int32 => 6.0,
        Target::Decimal128 => 17.0,
        Target::Bool | Target::Null => 1.0,
        Target::Binary(_) => text_bytes / 2.0 + 3.0,
        Target::Document => text_bytes,
    }
}

impl Loss {
    const fn is_real(&self) -> bool {
        match self {
            Self::Spelling(values)
            | Self::Offset(values)
            | Self::BelowMilliseconds(values)
            | Self::JsonText(values) => *values > 0,
        }
    }
}
