//! What is badly typed, and what looks so and is not.

use super::text::{share, visible};
use crate::words::{counted, grouped};
use crate::{Analysis, ConversionView, FindingView};

/// How many findings a page holds.
const CARDS_MAX: usize = 300;

/// One finding.
#[derive(Debug)]
pub(super) struct FindingCard {
    pub(super) path: String,
    pub(super) stored: &'static str,
    pub(super) actual: String,
    pub(super) target: String,
    /// In all; its share of all bytes; of a document.
    pub(super) saved: String,
    pub(super) saved_share: String,
    pub(super) saved_each: String,
    pub(super) fits: String,
    pub(super) misfits: Option<String>,
    pub(super) examples: Vec<String>,
    pub(super) losses: Vec<String>,
    pub(super) questions: Vec<String>,
    pub(super) alternatives: Vec<String>,
    pub(super) index: String,
    pub(super) risk: String,
    pub(super) reasons: String,
}

/// What stays as it is.
#[derive(Debug)]
pub(super) struct LeftRow {
    pub(super) path: String,
    pub(super) values: String,
    pub(super) reason: String,
    pub(super) examples: Vec<String>,
}

/// The findings, most saving first.
pub(super) fn cards(analysis: &Analysis<'_>) -> Vec<FindingCard> {
    let total = analysis.measured.bytes;
    analysis.findings.iter().take(CARDS_MAX).map(|finding| FindingCard::new(finding, total)).collect()
}

/// What was left alone, in the order of paths.
pub(super) fn left_alone(analysis: &Analysis<'_>) -> Vec<LeftRow> {
    let row = |left: &crate::LeftAloneView| LeftRow {
        path: visible(&left.path),
        values: grouped(left.values),
        reason: left.reason.text.clone(),
        examples: left.examples.iter().map(|example| visible(example)).collect(),
    };
    analysis.left_alone.iter().take(CARDS_MAX).map(row).collect()
}

impl FindingCard {
    fn new(finding: &FindingView, total: u64) -> Self {
        let proposal = &finding.proposal;
        let (saved, saved_share, saved_each) = saving(proposal, total);
        let misfits = &finding.misfits;
        let words = misfits.nothing.iter().map(|word| format!("{} × {:?}", grouped(word.count), visible(&word.word)));
        let reasons: Vec<&str> = finding.reasons.iter().map(|reason| &*reason.text).collect();
        Self {
            path: visible(&finding.path),
            stored: finding.stored,
            actual: finding.actual.text.clone(),
            target: proposal.target.to_string(),
            saved,
            saved_share,
            saved_each,
            fits: fits(finding),
            misfits: (misfits.count > 0).then(|| format!("{} as it is", counted(misfits.count, "value"))),
            examples: words.chain(misfits.examples.iter().map(|example| visible(example))).collect(),
            losses: proposal.losses.iter().map(|loss| loss.text.clone()).collect(),
            questions: finding.questions.iter().map(|question| question.text.clone()).collect(),
            alternatives: finding.alternatives.iter().map(|way| alternative(way, total)).collect(),
            index: index(proposal),
            risk: finding.risk.to_string(),
            reasons: reasons.join("; "),
        }
    }
}

/// What a conversion saves or costs: in all, of all bytes, of a document.
fn saving(way: &ConversionView, total: u64) -> (String, String, String) {
    let (Some(bytes), Some(each)) = (way.saved_bytes, way.saved_bytes_per_document) else {
        return ("not known before it is done".to_owned(), String::new(), String::new());
    };
    let verb = if bytes < 0 { "costs" } else { "saves" };
    let amount = counted(bytes.unsigned_abs(), "byte");
    (format!("{verb} {amount}"), share(bytes.unsigned_abs(), total), format!("{:.1} bytes a document", each.abs()))
}

fn fits(finding: &FindingView) -> String {
    let all = counted(finding.fits.saturating_add(finding.misfits.count), "value");
    let documents = finding.documents.map_or_else(String::new, |count| format!(", in {}", counted(count, "document")));
    let others: Vec<_> =
        finding.others.iter().map(|other| format!("{} {}", grouped(other.count), other.kind)).collect();
    let others = if others.is_empty() { String::new() } else { format!("; beside {}", others.join(", ")) };
    format!("{} of {all}{documents}{others}", grouped(finding.fits))
}

fn alternative(way: &ConversionView, total: u64) -> String {
    let (saved, share, each) = saving(way, total);
    let share = if share.is_empty() { share } else { format!(", {share}, {each}") };
    let losses: Vec<_> = way.losses.iter().map(|loss| format!("; {}", loss.text)).collect();
    format!("{}: {saved}{share}{}", way.target, losses.concat())
}

fn index(way: &ConversionView) -> String {
    let keys = &way.index_keys;
    let order = if keys.reorders { "sorts otherwise" } else { "sorts as before" };
    format!(
        "a key has {:.1} bytes on average → {:.1} at most; {order} (computed from KeyString's form, before prefix compression)",
        keys.before_bytes_mean, keys.after_bytes_max
    )
}
