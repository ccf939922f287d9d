//! What differs between two documents, types included.

mod equal;
mod show;
mod tape;

use std::collections::{HashMap, VecDeque};
use std::ops::ControlFlow;

use boson_document::{DecodeError, PathBuf, Source};

pub use tape::Operand;
use tape::{NodeId, Tape};

/// What counts as a difference.
///
/// Never one is what formats write differently and mean alike: a date of BSON and the OSON TIMESTAMP of the same
/// millisecond, intervals of the same length, a VECTOR with its norm or without, the options of a regular expression in
/// another order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DiffOptions {
    /// Members of an object may come in any order. Of members with one name those that are the same are paired with each
    /// other, among the first 16 of that name; the others in their order.
    pub ignore_order: bool,
    /// Numbers are equal when their values are, whatever their types; so are dates and times when they are the same
    /// moment, those without a zone read as UTC.
    pub ignore_types: bool,
}

/// One place at which two documents differ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference<'a> {
    /// Where.
    pub path: &'a PathBuf,
    /// How.
    pub change: Change<'a>,
}

/// How two documents differ at a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Change<'a> {
    /// Both have a value here, not the same.
    Value {
        /// The one of the left document.
        left: Operand<'a>,
        /// The one of the right document.
        right: Operand<'a>,
    },
    /// Only the left document has a value here.
    OnlyLeft(Operand<'a>),
    /// Only the right document has a value here.
    OnlyRight(Operand<'a>),
    /// The members that both objects have come in another order.
    Order,
}

/// What can go wrong: a document that cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DiffError {
    /// The left document.
    #[error("left document: {0}")]
    Left(DecodeError),
    /// The right document.
    #[error("right document: {0}")]
    Right(DecodeError),
}

/// Compares pairs of documents, and keeps its memory from one pair to the next.
///
/// ```
/// use boson_document::Value;
/// use boson_transcode::diff::{Differ, DiffOptions};
/// use std::ops::ControlFlow;
///
/// let left = Value::Object(vec![("a".into(), Value::Int32(1)), ("b".into(), Value::Null)]);
/// let right = Value::Object(vec![("a".into(), Value::Int64(1))]);
/// let mut lines = Vec::new();
/// Differ::new(DiffOptions::default()).compare(&left, &right, |difference| {
///     lines.push(difference.to_string());
///     ControlFlow::Continue(())
/// })?;
/// assert_eq!(lines, ["$.a: int 1 | long 1", "$.b: null | missing"]);
/// # Ok::<(), boson_transcode::diff::DiffError>(())
/// ```
#[derive(Debug, Default)]
pub struct Differ {
    options: DiffOptions,
    left: Tape,
    right: Tape,
    work: Vec<Work>,
}

/// A pair of values that is still to be compared.
#[derive(Clone, Copy, Debug)]
struct Work {
    /// How many steps the path has above this value.
    depth: usize,
    step: Step,
    left: Option<NodeId>,
    right: Option<NodeId>,
}

#[derive(Clone, Copy, Debug)]
enum Step {
    Root,
    Field,
    Index(usize),
}

impl Differ {
    /// A comparer by these options.
    pub fn new(options: DiffOptions) -> Self {
        Self { options, ..Self::default() }
    }

    /// Hands each difference to `report`, in the order of the left document, until it says to stop. Returns how many
    /// there were up to then.
    ///
    /// # Errors
    ///
    /// The first fault of either document, before anything is compared.
    pub fn compare(
        &mut self,
        left: &impl Source,
        right: &impl Source,
        mut report: impl FnMut(&Difference<'_>) -> ControlFlow<()>,
    ) -> Result<u64, DiffError> {
        self.left.clear();
        self.right.clear();
        self.work.clear();
        left.drive(&mut self.left).map_err(DiffError::Left)?;
        right.drive(&mut self.right).map_err(DiffError::Right)?;
        self.work.push(Work { depth: 0, step: Step::Root, left: self.left.root(), right: self.right.root() });
        let mut walk =
            Walk { left: &self.left, right: &self.right, options: self.options, path: PathBuf::new(), depth: 0 };
        let mut count: u64 = 0;
        while let Some(work) = self.work.pop() {
            walk.step_to(work);
            let Some(change) = walk.change(work, &mut self.work) else { continue };
            count = count.saturating_add(1);
            if report(&Difference { path: &walk.path, change }).is_break() {
                break;
            }
        }
        Ok(count)
    }
}

/// Two documents being compared.
struct Walk<'a> {
    left: &'a Tape,
    right: &'a Tape,
    options: DiffOptions,
    path: PathBuf,
    depth: usize,
}

impl<'a> Walk<'a> {
    fn step_to(&mut self, work: Work) {
        while self.depth > work.depth {
            self.path.pop();
            self.depth = self.depth.saturating_sub(1);
        }
        match work.step {
            Step::Root => return,
            Step::Index(index) => self.path.push_index(index),
            Step::Field => self.path.push_field(self.key(work)),
        }
        self.depth = self.depth.saturating_add(1);
    }

    fn key(&self, work: Work) -> &'a str {
        let left = work.left.map(|node| self.left.key(node));
        left.or_else(|| work.right.map(|node| self.right.key(node))).unwrap_or_default()
    }

    /// The difference at this very place; what is inside goes to `work`.
    fn change(&self, at: Work, work: &mut Vec<Work>) -> Option<Change<'a>> {
        let (left, right) = match (at.left, at.right) {
            (Some(left), Some(right)) => (left, right),
            (Some(left), None) => return Some(Change::OnlyLeft(self.left.operand(left))),
            (None, Some(right)) => return Some(Change::OnlyRight(self.right.operand(right))),
            (None, None) => return None,
        };
        match (self.left.operand(left), self.right.operand(right)) {
            (Operand::Container { kind: a, code: c, .. }, Operand::Container { kind: b, code: d, .. })
                if a == b && c == d =>
            {
                let ordered = self.pair_children(left, right, a == boson_document::Kind::Array, work);
                (!ordered && !self.options.ignore_order).then_some(Change::Order)
            }
            (a, b) if equal::operands(&a, &b, self.options) => None,
            (left, right) => Some(Change::Value { left, right }),
        }
    }

    /// Adds the pairs of children to `work`, the first one on top. Returns whether those that both sides have come in
    /// the same order.
    fn pair_children(&self, left: NodeId, right: NodeId, by_place: bool, work: &mut Vec<Work>) -> bool {
        let base = work.len();
        let mut pairs = Pairs { depth: self.depth, work, in_order: true };
        let (mut lefts, mut rights) = (self.left.children(left).peekable(), self.right.children(right).peekable());
        if by_place {
            let mut index: usize = 0;
            while lefts.peek().is_some() || rights.peek().is_some() {
                pairs.add(Step::Index(index), lefts.next(), rights.next());
                index = index.saturating_add(1);
            }
        } else {
            // Members in any order are paired by what they are, not by where they stand.
            while !self.options.ignore_order
                && let (Some(&a), Some(&b)) = (lefts.peek(), rights.peek())
                && self.left.key(a) == self.right.key(b)
            {
                pairs.add(Step::Field, lefts.next(), rights.next());
            }
            self.pair_by_name(lefts.collect(), rights, &mut pairs);
        }
        let in_order = pairs.in_order;
        work.get_mut(base..).unwrap_or_default().reverse();
        in_order
    }

    /// Pairs the members that are left after the common beginning: the first of a name with the first of that name; where
    /// order is ignored, those of one name that are alike before.
    fn pair_by_name(&self, lefts: Vec<NodeId>, rights: impl Iterator<Item = NodeId>, pairs: &mut Pairs<'_>) {
        let mut unpaired: Vec<(NodeId, bool)> = rights.map(|node| (node, true)).collect();
        let mut places: HashMap<&str, VecDeque<usize>> = HashMap::new();
        for (place, (node, _)) in unpaired.iter().enumerate() {
            places.entry(self.right.key(*node)).or_default().push_back(place);
        }
        let alike = if self.options.ignore_order { self.alike(&lefts, &unpaired, &mut places) } else { HashMap::new() };
        let mut last = 0;
        for left in lefts {
            let first = || places.get_mut(self.left.key(left)).and_then(VecDeque::pop_front);
            let place = alike.get(&left).copied().or_else(first);
            let right = place.and_then(|place| unpaired.get_mut(place));
            if let (Some(place), Some((_, alone))) = (place, &right) {
                debug_assert!(alone, "each place is taken once");
                pairs.in_order &= place >= last;
                last = place;
            }
            let right = right.map(|(node, alone)| {
                *alone = false;
                *node
            });
            pairs.add(Step::Field, Some(left), right);
        }
        for (node, _) in unpaired.into_iter().filter(|(_, alone)| *alone) {
            pairs.add(Step::Field, None, Some(node));
        }
    }

    /// The places of the members that are like one of `lefts`, among names that occur more than once. They are taken out of
    /// `places`. Only the first few of a name are looked at, so that no document makes this slow.
    fn alike(
        &self,
        lefts: &[NodeId],
        rights: &[(NodeId, bool)],
        places: &mut HashMap<&str, VecDeque<usize>>,
    ) -> HashMap<NodeId, usize> {
        const CANDIDATES_MAX: usize = 16;
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for &left in lefts {
            let count = counts.entry(self.left.key(left)).or_default();
            *count = count.saturating_add(1);
        }
        let mut found = HashMap::new();
        for &left in lefts {
            let name = self.left.key(left);
            let Some(queue) = places.get_mut(name) else { continue };
            if queue.len() <= 1 && counts.get(name) == Some(&1) {
                continue;
            }
            let is_like = |place: &usize| rights.get(*place).is_some_and(|(right, _)| self.is_like(left, *right));
            let place = queue.iter().take(CANDIDATES_MAX).position(is_like).and_then(|at| queue.remove(at));
            found.extend(place.map(|place| (left, place)));
        }
        found
    }

    /// Whether both values are the same, members of objects in the same order.
    fn is_like(&self, left: NodeId, right: NodeId) -> bool {
        let (lefts, rights) = (left..self.left.end(left), right..self.right.end(right));
        let same = |(a, b): (NodeId, NodeId)| {
            let names = a == left || self.left.key(a) == self.right.key(b);
            names && equal::operands(&self.left.operand(a), &self.right.operand(b), self.options)
        };
        lefts.len() == rights.len() && lefts.zip(rights).all(same)
    }
}

/// The pairs that were found so far.
struct Pairs<'w> {
    depth: usize,
    work: &'w mut Vec<Work>,
    in_order: bool,
}

impl Pairs<'_> {
    fn add(&mut self, step: Step, left: Option<NodeId>, right: Option<NodeId>) {
        self.work.push(Work { depth: self.depth, step, left, right });
    }
}
