//! Random documents as a strategy of proptest, which makes a failing document smaller.

use boson_document::Value;
use proptest::prelude::Rng as _;
use proptest::strategy::{NewTree, Strategy, ValueTree};
use proptest::test_runner::TestRunner;

use super::Gen;
use crate::rng::Rng;

/// Attempts to make one document smaller, at most; a document of thousands of values has more places than that.
const ATTEMPTS: usize = 4000;

impl Strategy for Gen {
    type Tree = Shrinking;
    type Value = Value;

    fn new_tree(&self, runner: &mut TestRunner) -> NewTree<Self> {
        let mut rng = Rng::new(runner.rng().next_u64());
        Ok(Shrinking::new(self.document(&mut rng)))
    }
}

/// A document and the next smaller one to try.
#[derive(Clone, Debug)]
pub struct Shrinking {
    /// The smallest document that is known to fail.
    failing: Value,
    /// The one to try.
    current: Value,
    next_cut: usize,
    attempts: usize,
}

impl Shrinking {
    fn new(document: Value) -> Self {
        Self { failing: document.clone(), current: document, next_cut: 0, attempts: 0 }
    }

    fn try_next(&mut self) -> bool {
        self.attempts += 1;
        let smaller = if self.attempts < ATTEMPTS { cut(&self.failing, self.next_cut) } else { None };
        self.next_cut += 1;
        self.current = smaller.clone().unwrap_or_else(|| self.failing.clone());
        smaller.is_some()
    }
}

impl ValueTree for Shrinking {
    type Value = Value;

    fn current(&self) -> Value {
        self.current.clone()
    }

    /// The current document fails too: goes on from it, at the same place.
    fn simplify(&mut self) -> bool {
        self.failing = self.current.clone();
        self.next_cut = self.next_cut.saturating_sub(1);
        self.try_next()
    }

    /// The current document passes: it was cut too far.
    fn complicate(&mut self) -> bool {
        self.try_next()
    }
}

/// `document` with the cut number `number` made; `None` when there are not so many.
///
/// Cuts are numbered container by container from the root: the container loses its first half, its second half, and then
/// one member each; behind the containers each string or binary loses its second half.
fn cut(document: &Value, number: usize) -> Option<Value> {
    let (mut smaller, mut number) = (document.clone(), number);
    let mut open = vec![&mut smaller];
    while let Some(value) = open.pop() {
        let Some(left) = number.checked_sub(cuts(value)) else {
            make_cut(value, number);
            return Some(smaller);
        };
        number = left;
        open.extend(children(value));
    }
    None
}

/// How many cuts `value` allows, its children's not counted.
fn cuts(value: &Value) -> usize {
    match value {
        Value::Object(members) | Value::CodeWithScope { scope: members, .. } => of_members(members.len()),
        Value::Array(elements) => of_members(elements.len()),
        Value::String(text) => usize::from(!text.is_empty()),
        Value::Binary { bytes, .. } => usize::from(!bytes.is_empty()),
        _ => 0,
    }
}

fn of_members(len: usize) -> usize {
    if len > 1 { len + 2 } else { len }
}

fn make_cut(value: &mut Value, number: usize) {
    match value {
        Value::Object(members) | Value::CodeWithScope { scope: members, .. } => cut_members(members, number),
        Value::Array(elements) => cut_members(elements, number),
        Value::String(text) => *text = text.chars().take(text.chars().count() / 2).collect(),
        Value::Binary { bytes, .. } => bytes.truncate(bytes.len() / 2),
        _ => {}
    }
}

fn cut_members<T>(members: &mut Vec<T>, number: usize) {
    let half = members.len() / 2;
    match number {
        0 if members.len() > 1 => drop(members.drain(..half)),
        1 if members.len() > 1 => members.truncate(half),
        _ => drop(members.remove(if members.len() > 1 { number - 2 } else { 0 })),
    }
}

fn children(value: &mut Value) -> Vec<&mut Value> {
    match value {
        Value::Object(members) | Value::CodeWithScope { scope: members, .. } => {
            members.iter_mut().map(|(_, member)| member).collect()
        }
        Value::Array(elements) => elements.iter_mut().collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Drives the protocol of proptest: `simplify` after a failure, `complicate` after a pass.
    fn shrink(document: Value, fails: impl Fn(&Value) -> bool) -> Value {
        let mut tree = Shrinking::new(document);
        let mut smallest = tree.current();
        let mut more = tree.simplify();
        while more {
            let document = tree.current();
            more = if fails(&document) {
                smallest = document;
                tree.simplify()
            } else {
                tree.complicate()
            };
        }
        smallest
    }

    #[test]
    fn a_failing_document_shrinks_to_the_value_that_fails() {
        let mut rng = Rng::new(7);
        let mut members = (0..40).map(|index| (format!("m{index}"), Gen::BSON_ALL.with_width(50).document(&mut rng)));
        let mut first: Vec<_> = members.by_ref().take(20).collect();
        first.push(("bad".to_owned(), Value::Array(vec![Value::Null, Value::Int32(66), Value::Null])));
        let document = Value::Object(first.into_iter().chain(members).collect());
        let fails = |document: &Value| matches!(document.get("bad"), Some(Value::Array(elements)) if elements.contains(&Value::Int32(66)));
        let bad = Value::Array(vec![Value::Int32(66)]);
        assert_eq!(shrink(document, fails), Value::Object(vec![("bad".to_owned(), bad)]));
    }
}
