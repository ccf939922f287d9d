//! The laws of conversion: any bytes, as any format, to any format, by any policy.

use std::ops::ControlFlow;

use boson_document::{Limits, Scalar, Sink, Source};
use boson_json::{Dialects, Inexact, Style, Unwrap};
use boson_transcode::diff::{Change, DiffOptions, Differ, Difference, Operand};
use boson_transcode::{
    AnyDocument, ConvertError, DuplicateNames, Format, Fractions, OutOfRange, Policy, Report, Subtypes, convert,
};

/// Values are shared in OSON, so a small image can have more of them than there is time for.
const LIMITS: Limits = Limits::OSON.with_nodes(20_000).with_depth(200);

/// What stands in front of the document: the formats, and the policy.
const CHOICE_LEN: usize = 4;

/// What stands in the output before a conversion.
const BEFORE: &[u8] = b"before";

pub(crate) fn run(data: &[u8]) {
    let Some((choice, bytes)) = data.split_first_chunk::<CHOICE_LEN>() else { return };
    let mut choice = Choice(u32::from_le_bytes(*choice));
    let (from, to, policy) = (choice.format(), choice.format(), choice.policy());
    let _ = Format::detect(bytes).map_err(|unknown| unknown.to_string());
    let Ok(document) = AnyDocument::new(from, bytes) else { return };
    let Some((there, lost)) = converted(&document, to, &policy) else { return };
    let there = AnyDocument::new(to, &there).expect("the header of what was written");
    // A vector image that is not valid keeps its bytes; only the validator refuses it.
    if document.validate(&limits(from)).is_ok() {
        there.validate(&limits(to)).expect("what was written is valid");
    }
    let Some((back, lost_back)) = converted(&there, from, &policy) else { return };
    let through_text = [from, to].contains(&Format::Json);
    if lost || lost_back || through_text && !reads_what_it_writes(&policy) {
        return;
    }
    let back = AnyDocument::new(from, &back).expect("the header of what was written back");
    if from != Format::Json {
        // A text may say the same in many ways.
        same(&document, &back, "there and back");
    }
    let (again, _) = converted(&back, to, &policy).expect("what was converted can be converted again");
    same(&there, &AnyDocument::new(to, &again).expect("the header of what was written again"), "there once more");
}

/// What `document` is in the format `to`, and whether anything was lost; `None` when it cannot be converted.
fn converted(document: &AnyDocument<'_>, to: Format, policy: &Policy) -> Option<(Vec<u8>, bool)> {
    let (mut report, mut out) = (Report::new(), BEFORE.to_vec());
    let outcome = convert(document, to, policy, &mut report, &mut out);
    let written = out.strip_prefix(BEFORE).expect("what stood there before");
    match outcome {
        Ok(()) => Some((written.to_vec(), !report.is_exact())),
        Err(error) => {
            assert!(written.is_empty(), "{error}, but something was written");
            is_explained(document, &error);
            None
        }
    }
}

/// Whether JSON text is read as what it was written from: every wrapper object, and fractions as doubles.
fn reads_what_it_writes(policy: &Policy) -> bool {
    policy.dialects == Dialects::BOTH && policy.fractions == Fractions::Double
}

fn is_explained(document: &AnyDocument<'_>, error: &ConvertError) {
    assert!(!error.to_string().is_empty());
    if let Some(offset) = error.offset() {
        assert!(offset <= document.bytes().len(), "{error}: only {} bytes", document.bytes().len());
        let _ = document.path_at(offset);
    }
}

/// Both documents hold the same values; of JSON text those that its wrapper objects stand for.
fn same(left: &AnyDocument<'_>, right: &AnyDocument<'_>, what: &str) {
    let outcome = Differ::new(DiffOptions::default()).compare(&Unwrapped(left), &Unwrapped(right), |difference| {
        assert!(is_meant(difference), "{what}, where nothing was reported as lost: {difference}");
        ControlFlow::Continue(())
    });
    assert!(outcome.is_ok(), "{what}: {outcome:?}");
}

/// Decimal text is what OSON has for decimals that no NUMBER holds: a decimal comes back as it, and the other way about.
fn is_meant(difference: &Difference<'_>) -> bool {
    let Change::Value { left: Operand::Scalar(left), right: Operand::Scalar(right) } = difference.change else {
        return false;
    };
    [left, right].iter().any(|scalar| matches!(scalar, Scalar::DecimalText(_)))
}

struct Unwrapped<'d, 'a>(&'d AnyDocument<'a>);

impl Source for Unwrapped<'_, '_> {
    fn drive<S: Sink>(&self, sink: &mut S) -> Result<(), S::Error> {
        match self.0 {
            AnyDocument::Json(text) => text.drive(&mut Unwrap::new(sink, Dialects::BOTH)),
            document => document.drive(sink),
        }
    }
}

const fn limits(format: Format) -> Limits {
    match format {
        Format::Bson => Limits::BSON,
        Format::Oson => Limits::OSON,
        Format::Json => Limits::JSON,
    }
}

/// Bits that choices are taken from.
struct Choice(u32);

impl Choice {
    fn below(&mut self, count: u32) -> u32 {
        let choice = self.0 % count;
        self.0 /= count;
        choice
    }

    fn one_of<T: Copy, const N: usize>(&mut self, choices: [T; N]) -> T {
        let index = self.below(u32::try_from(N).unwrap_or(1));
        *choices.iter().cycle().nth(index.try_into().unwrap_or(0)).expect("not empty")
    }

    fn format(&mut self) -> Format {
        self.one_of([Format::Bson, Format::Oson, Format::Json])
    }

    fn policy(&mut self) -> Policy {
        let mut policy = Policy::default();
        policy.dialects =
            self.one_of([Dialects::BOTH, Dialects::MONGODB, Dialects::ORACLE, Dialects::BOTH.lenient().with_legacy()]);
        policy.json_style =
            self.one_of([Style::ExtendedRelaxed, Style::ExtendedCanonical, Style::Oracle, Style::Plain]);
        policy.fractions = self.one_of([Fractions::Double, Fractions::Decimal]);
        policy.inexact = self.one_of([Inexact::Decimal128, Inexact::Double, Inexact::Error]);
        policy.oson_style = self.one_of([boson_oson::write::Style::Compact, boson_oson::write::Style::Driver]);
        policy.keep_order = self.one_of([false, true]);
        policy.duplicate_names =
            self.one_of([DuplicateNames::Keep, DuplicateNames::Error, DuplicateNames::First, DuplicateNames::Last]);
        policy.subtypes = self.one_of([Subtypes::Wrap, Subtypes::Drop]);
        policy.dates = self.one_of([OutOfRange::Error, OutOfRange::Wrap]);
        policy.oracle_types = self.one_of([OutOfRange::Wrap, OutOfRange::Error]);
        policy.unwrap = self.one_of([true, false]);
        policy.oson_limits = LIMITS;
        policy
    }
}
