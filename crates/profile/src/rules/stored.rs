//! Numbers that are stored in a type that is larger than they need, or that are times.

use boson_document::Kind;

use super::draft::key_bytes;
use super::{Verdict, count_of};
use crate::Stays;
use crate::finding::{Actual, Conversion, Finding, IndexKeys, LeftAlone, Misfits, Reason, Risk, Target, signed_ratio};
use crate::names::hints;
use crate::node::{Node, Numbers};
use crate::path::Path;

/// The rules for values that are numbers already.
pub(super) fn numbers(path: &Path, node: &Node) -> Vec<Verdict> {
    let Some(numbers) = node.stats.numbers.as_deref() else { return Vec::new() };
    let stored = Stored { path, node, numbers };
    if let Some(verdict) = stored.times() {
        return vec![verdict];
    }
    stored.doubles().into_iter().chain(stored.longs()).collect()
}

struct Stored<'a> {
    path: &'a Path,
    node: &'a Node,
    numbers: &'a Numbers,
}

impl Stored<'_> {
    /// Numbers of a field whose name says time, all of them in the range of times.
    fn times(&self) -> Option<Verdict> {
        let kinds = [Kind::Int32, Kind::Int64, Kind::Double];
        let stored = kinds.into_iter().max_by_key(|&kind| count_of(self.node, kind))?;
        let all = kinds.into_iter().fold(0_u64, |sum, kind| sum.saturating_add(count_of(self.node, kind)));
        let (seconds, milliseconds) = (self.numbers.seconds, self.numbers.milliseconds);
        if !hints(self.path.name()).time || all == 0 || seconds.saturating_add(milliseconds) != all {
            return None;
        }
        if seconds > 0 && milliseconds > 0 {
            let (values, reason) = (all, Stays::MixedEpochs);
            let examples = vec![self.numbers.low.to_string(), self.numbers.high.to_string()];
            return Some(Verdict::Leaves(LeftAlone { path: self.path.clone(), values, reason, examples }));
        }
        let actual = if seconds > 0 { Actual::EpochSeconds } else { Actual::EpochMilliseconds };
        // The proposal is about all three types; only the int32 of them have 4 bytes.
        let saved = i64::try_from(count_of(self.node, Kind::Int32)).ok()?.checked_mul(-4);
        let reasons = vec![Reason::LooksLikeTime];
        Some(self.finding(stored, actual, all, Target::Date, saved, Risk::Medium, reasons))
    }

    /// Doubles that hold nothing but integers.
    fn doubles(&self) -> Option<Verdict> {
        let all = count_of(self.node, Kind::Double);
        let (narrow, wide) = (self.numbers.doubles_int32, self.numbers.doubles_int64);
        if all == 0 || narrow.saturating_add(wide) != all {
            return None;
        }
        let (target, each) = if wide == 0 { (Target::Int32, 4) } else { (Target::Int64, 0) };
        let saved = i64::try_from(all).ok()?.checked_mul(each);
        let reasons = vec![Reason::IntegerArithmetic, Reason::MayGrow(self.numbers.high)];
        Some(self.finding(Kind::Double, Actual::Integer, all, target, saved, Risk::Medium, reasons))
    }

    /// Int64 that an int32 holds.
    fn longs(&self) -> Option<Verdict> {
        let all = count_of(self.node, Kind::Int64);
        if all == 0 || self.numbers.longs_int32 != all {
            return None;
        }
        let saved = i64::try_from(all).ok()?.checked_mul(4);
        let reasons = vec![Reason::MayGrow(self.numbers.high)];
        Some(self.finding(Kind::Int64, Actual::Integer, all, Target::Int32, saved, Risk::Medium, reasons))
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of a finding that differ among these rules")]
    fn finding(
        &self,
        stored: Kind,
        actual: Actual,
        fits: u64,
        target: Target,
        saved_bytes: Option<i64>,
        risk: Risk,
        mut reasons: Vec<Reason>,
    ) -> Verdict {
        // All numbers have keys of the same form, so their type does not show in an index.
        let before_bytes_mean = signed_ratio(9, 1);
        let after_bytes_max = key_bytes(target, before_bytes_mean);
        let index = IndexKeys { before_bytes_mean, after_bytes_max, reorders: target == Target::Date };
        let proposal = Conversion { target, spelling: None, saved_bytes, losses: Vec::new(), index };
        let risk = if self.path.is_id() { Risk::High } else { risk };
        reasons.extend(self.path.is_id().then_some(Reason::PrimaryKey));
        Verdict::Proposes(Box::new(Finding {
            path: self.path.clone(),
            stored,
            actual,
            fits,
            documents: None,
            misfits: Misfits::default(),
            others: Vec::new(),
            proposal,
            alternatives: Vec::new(),
            questions: Vec::new(),
            risk,
            reasons,
        }))
    }
}
