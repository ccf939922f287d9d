//! The rules of a collection by path, as a tree that a walk over a document goes down.

use boson_bson::Tag;
use boson_profile::{Path, Step};

use crate::plan::{CollectionPlan, From, PlanError};
use crate::rule::Rule;

/// The place of the root.
pub(crate) const ROOT: u32 = 0;

/// The rules of a collection.
#[derive(Clone, Debug)]
pub struct Rules {
    nodes: Vec<Node>,
    /// In the order of the plan.
    rules: Vec<Rule>,
}

/// What is known of one path.
#[derive(Clone, Debug, Default)]
struct Node {
    members: Vec<(Box<[u8]>, u32)>,
    /// Any member that is not named.
    any: Option<u32>,
    elements: Option<u32>,
    strings: Option<usize>,
    objects: Option<usize>,
    doubles: Option<usize>,
    int32s: Option<usize>,
    int64s: Option<usize>,
}

impl Rules {
    /// The rules of the fields of `plan` that are converted.
    ///
    /// # Errors
    ///
    /// What is wrong with a field, or that two fields want the same values.
    pub fn new(plan: &CollectionPlan) -> Result<Self, PlanError> {
        let mut rules = Self { nodes: vec![Node::default()], rules: Vec::new() };
        for field in plan.converted() {
            let rule = Rule::new(plan, field)?;
            let path: Path = field
                .path
                .parse()
                .map_err(|error: boson_profile::ParsePathError| plan.error(&field.path, error.to_string()))?;
            let place = rules.rules.len();
            rules.rules.push(rule);
            if !rules.add(&path, field.from, place) {
                return Err(plan.error(&field.path, "another field of the plan converts the same values"));
            }
        }
        Ok(rules)
    }

    /// The rules in the order of the plan.
    pub(crate) fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// Whether there is nothing to do.
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    fn add(&mut self, path: &Path, from: From, rule: usize) -> bool {
        let mut at = ROOT;
        for step in path.steps() {
            at = self.child(at, step);
        }
        let Some(node) = self.node_mut(at) else { return false };
        let slots: Vec<&mut Option<usize>> = match from {
            From::String => vec![&mut node.strings],
            From::Object => vec![&mut node.objects],
            From::Double => vec![&mut node.doubles],
            From::Int64 => vec![&mut node.int64s],
            From::Number => vec![&mut node.doubles, &mut node.int32s, &mut node.int64s],
        };
        slots.into_iter().all(|slot| slot.replace(rule).is_none())
    }

    fn child(&mut self, parent: u32, step: &Step) -> u32 {
        let new = u32::try_from(self.nodes.len()).unwrap_or(u32::MAX);
        let Some(node) = self.node_mut(parent) else { return ROOT };
        let found = match step {
            Step::Field(name) => {
                let known = node.members.iter().find(|(known, _)| **known == *name.as_bytes()).map(|&(_, child)| child);
                if known.is_none() {
                    node.members.push((name.as_bytes().into(), new));
                }
                known
            }
            Step::Any => node.any.replace(node.any.unwrap_or(new)),
            Step::Elements => node.elements.replace(node.elements.unwrap_or(new)),
        };
        found.unwrap_or_else(|| {
            self.nodes.push(Node::default());
            new
        })
    }

    fn node(&self, place: u32) -> Option<&Node> {
        self.nodes.get(usize::try_from(place).ok()?)
    }

    fn node_mut(&mut self, place: u32) -> Option<&mut Node> {
        self.nodes.get_mut(usize::try_from(place).ok()?)
    }

    /// The rule for values of type `tag` at `place`.
    #[inline]
    pub(crate) fn rule_at(&self, place: u32, tag: Tag) -> Option<usize> {
        let node = self.node(place)?;
        match tag {
            Tag::String => node.strings,
            Tag::Document => node.objects,
            Tag::Double => node.doubles,
            Tag::Int32 => node.int32s,
            Tag::Int64 => node.int64s,
            _ => None,
        }
    }

    /// Whether there are rules below `place`.
    #[inline]
    pub(crate) fn has_below(&self, place: u32, tag: Tag) -> bool {
        let Some(node) = self.node(place) else { return false };
        match tag {
            Tag::Array => node.elements.is_some(),
            _ => !node.members.is_empty() || node.any.is_some(),
        }
    }

    /// Where the elements of arrays at `place` are.
    pub(crate) fn elements(&self, place: u32) -> Option<u32> {
        self.node(place)?.elements
    }

    fn member(&self, place: u32, name: &[u8]) -> Option<u32> {
        let node = self.node(place)?;
        node.members.iter().find(|(known, _)| **known == *name).map(|&(_, child)| child).or(node.any)
    }
}

/// Where the members of objects are: documents repeat their shape, so the last answer for the same member is tried first.
#[derive(Debug, Default)]
pub(crate) struct Guesses(Vec<Vec<Guess>>);

/// The name that a member had the last time, and where it is.
type Guess = (Box<[u8]>, Option<u32>);

/// How many members of an object are remembered, and how long their names may be.
const ORDINALS_MAX: usize = 256;
const NAME_BYTES_MAX: usize = 64;

impl Guesses {
    /// Where the member called `name` of an object at `place` is, before which there are `ordinal` others.
    #[inline]
    pub(crate) fn member(&mut self, rules: &Rules, place: u32, ordinal: usize, name: &[u8]) -> Option<u32> {
        let known = usize::try_from(place).ok().and_then(|place| self.0.get(place)?.get(ordinal));
        if let Some((known, answer)) = known
            && **known == *name
        {
            return *answer;
        }
        self.find(rules, place, ordinal, name)
    }

    #[inline(never)]
    fn find(&mut self, rules: &Rules, place: u32, ordinal: usize, name: &[u8]) -> Option<u32> {
        let answer = rules.member(place, name);
        let Ok(place) = usize::try_from(place) else { return answer };
        if ordinal >= ORDINALS_MAX || name.len() > NAME_BYTES_MAX {
            return answer;
        }
        if self.0.len() <= place {
            self.0.resize_with(place.saturating_add(1), Vec::new);
        }
        if let Some(guesses) = self.0.get_mut(place) {
            if guesses.len() <= ordinal {
                guesses.resize(
                    ordinal.saturating_add(1),
                    (Box::default(), rules.member(u32::try_from(place).unwrap_or(u32::MAX), b"")),
                );
            }
            if let Some(guess) = guesses.get_mut(ordinal) {
                *guess = (name.into(), answer);
            }
        }
        answer
    }
}
