//! What the counts of a path mean, as a whole.
//!
//! Each rule looks at one path and either says nothing, proposes, or says why what it recognises is to stay. Shapes are
//! disjoint and a rule asks for nine tenths of the values, so no two rules want the same path.

mod amount;
mod binary;
mod date;
mod draft;
mod extended;
mod id;
mod number;
mod stored;
mod word;

use boson_document::Kind;

use crate::finding::{Finding, Findings, LeftAlone};
use crate::names::{Hints, hints};
use crate::node::{Node, ShapeStats};
use crate::path::Path;
use crate::profile::Profile;
use crate::shape::Shape;

pub(crate) use draft::Draft;

/// Of ten strings that say something, at least nine must fit.
const FIT_TENTHS_MIN: u64 = 9;

/// What a rule says.
pub(crate) enum Verdict {
    Proposes(Box<Finding>),
    Leaves(LeftAlone),
}

/// The strings of one path, as the rules see them.
pub(crate) struct Field<'a> {
    pub(crate) path: &'a Path,
    pub(crate) node: &'a Node,
    pub(crate) shapes: &'a [ShapeStats],
    pub(crate) hints: Hints,
    /// Strings that are neither empty nor a word for nothing: those are no evidence.
    pub(crate) evidence: u64,
}

impl<'a> Field<'a> {
    fn new(path: &'a Path, node: &'a Node) -> Self {
        let shapes = node.stats.strings.as_deref().map(|strings| &*strings.shapes).unwrap_or_default();
        let field = Self { path, node, shapes, hints: hints(path.name()), evidence: 0 };
        let evidence = field.count(|shape| !matches!(shape, Shape::Empty | Shape::Null(_)));
        Self { evidence, ..field }
    }

    /// How many strings have a shape that `wanted` wants.
    pub(crate) fn count(&self, wanted: impl Fn(Shape) -> bool) -> u64 {
        self.of(wanted).fold(0, |sum, stats| sum.saturating_add(stats.count))
    }

    /// The strings of the shapes that `wanted` wants.
    pub(crate) fn of(&self, wanted: impl Fn(Shape) -> bool) -> impl Iterator<Item = &'a ShapeStats> {
        self.shapes.iter().filter(move |stats| wanted(stats.shape))
    }

    /// Whether enough strings fit when `fits` do.
    pub(crate) const fn is_enough(&self, fits: u64) -> bool {
        fits > 0 && fits.saturating_mul(10) >= self.evidence.saturating_mul(FIT_TENTHS_MIN)
    }

    /// The one shape most strings have of those that `pick` picks, as what it picks, and how many have another.
    pub(crate) fn most<T: PartialEq>(&self, pick: impl Fn(Shape) -> Option<T>) -> Option<(T, u64)> {
        let mut counts: Vec<(T, u64)> = Vec::new();
        for stats in self.shapes {
            let Some(picked) = pick(stats.shape) else { continue };
            match counts.iter_mut().find(|(known, _)| *known == picked) {
                Some((_, count)) => *count = count.saturating_add(stats.count),
                None => counts.push((picked, stats.count)),
            }
        }
        let all = counts.iter().fold(0_u64, |sum, (_, count)| sum.saturating_add(*count));
        // The first of equal ones, so that the answer is always the same.
        let most = counts.into_iter().rev().max_by_key(|(_, count)| *count);
        most.map(|(picked, count)| (picked, all.saturating_sub(count)))
    }

    /// A few strings of the shapes that `wanted` wants.
    pub(crate) fn examples(&self, wanted: impl Fn(Shape) -> bool) -> Vec<String> {
        let mut examples: Vec<(u64, &str)> = self.of(wanted).flat_map(|stats| stats.examples.iter()).collect();
        examples.sort_unstable();
        examples.into_iter().take(EXAMPLES_MAX).map(|(_, text)| text.to_owned()).collect()
    }

    pub(crate) fn leaves(&self, reason: crate::Stays, wanted: impl Fn(Shape) -> bool) -> Verdict {
        let values = self.evidence;
        Verdict::Leaves(LeftAlone { path: self.path.clone(), values, reason, examples: self.examples(wanted) })
    }
}

const EXAMPLES_MAX: usize = 5;

/// A rule for strings.
type StringRule = fn(&Field<'_>) -> Option<Verdict>;

const STRING_RULES: [StringRule; 9] = [
    id::uuid,
    id::object_id,
    date::iso,
    date::numeric,
    date::named,
    word::truth,
    number::numeric,
    binary::bytes,
    binary::json,
];

impl Profile {
    /// What is stored as something else than it is, most saving first, and what only looks like it.
    pub fn findings(&self) -> Findings {
        let mut findings = Findings::default();
        for (path, node, below_fold) in self.walk() {
            for verdict in self.verdicts(&path, node) {
                match verdict {
                    Verdict::Proposes(finding) => findings.findings.push(located(*finding, node, below_fold)),
                    Verdict::Leaves(left) => findings.left_alone.push(left),
                }
            }
        }
        findings.findings.sort_by(|a, b| b.saved_bytes().cmp(&a.saved_bytes()).then_with(|| a.path.cmp(&b.path)));
        findings
    }

    fn verdicts(&self, path: &Path, node: &Node) -> Vec<Verdict> {
        // The insides of a wrapper of Extended JSON are the wrapper's business.
        if path.name().starts_with('$') && node.stats.alone > 0 {
            return Vec::new();
        }
        let field = Field::new(path, node);
        let strings = match field.evidence {
            0 => word::nothing(&field),
            _ => STRING_RULES.iter().find_map(|rule| rule(&field)),
        };
        strings.into_iter().chain(stored::numbers(path, node)).chain(extended::wrapped(self, path, node)).collect()
    }
}

/// `finding` with the documents it is in.
fn located(finding: Finding, node: &Node, below_fold: bool) -> Finding {
    let through_arrays = finding.path.steps().contains(&crate::Step::Elements);
    let documents = match (below_fold, through_arrays) {
        (true, _) => None,
        (false, true) => Some(node.stats.documents),
        (false, false) => Some(finding.fits.min(node.stats.documents)),
    };
    let kinds = node.stats.kinds.iter().filter(|stats| stats.kind != finding.stored);
    Finding { documents, others: kinds.copied().collect(), ..finding }
}

/// How many values of `kind` there are.
pub(crate) fn count_of(node: &Node, kind: Kind) -> u64 {
    node.stats.count_of(kind)
}
