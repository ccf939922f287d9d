//! Random changes of documents.

use boson_document::edit::{Change, New};
use boson_document::{Kind, PathBuf, Segment, Value};

use super::Gen;
use super::name::name;
use crate::rng::Rng;

/// A change that owns the value it brings.
#[derive(Clone, Debug, PartialEq)]
pub enum OwnedChange {
    /// The value at the path becomes this one.
    Set(Value),
    /// This becomes the element at the path.
    Insert(Value),
    /// This becomes the last element of the array at the path.
    Push(Value),
    /// The value at the path goes away.
    Remove,
}

impl OwnedChange {
    /// The change as editors take it.
    pub fn as_change(&self) -> Change<'_> {
        match self {
            Self::Set(value) => Change::Set(New::from(value)),
            Self::Insert(value) => Change::Insert(New::from(value)),
            Self::Push(value) => Change::Push(New::from(value)),
            Self::Remove => Change::Remove,
        }
    }
}

impl Gen {
    /// A random change of `tree` and the path of it. Most can be made; about one in twenty cannot.
    pub fn change(&self, tree: &Value, rng: &mut Rng) -> (PathBuf, OwnedChange) {
        let like = self.with_width(rng.up_to(12)).with_depth(self.depth.min(3));
        let (mut path, mut value) = (PathBuf::new(), tree);
        while let Some((step, inner)) = random_member(value, rng) {
            step(&mut path);
            value = inner;
            if rng.once_in(3) {
                break;
            }
        }
        // A step that may lead nowhere.
        match rng.below(40) {
            0 | 1 => path.push_index(rng.below(4)),
            2 | 3 => path.push_field(name(&like, rng, 0)),
            _ => {}
        }
        let change = like.change_of(value, &mut path, rng);
        (path, change)
    }

    /// A random change of `tree` whose names, nine times in ten, are among `names`, and whose texts are often about as long
    /// as those they replace: for formats in which names are kept apart from what is named.
    pub fn change_with_names(&self, tree: &Value, names: &[String], rng: &mut Rng) -> (PathBuf, OwnedChange) {
        let (mut path, mut change) = self.change(tree, rng);
        if names.is_empty() || rng.once_in(10) {
            return (path, change);
        }
        if let OwnedChange::Set(new) | OwnedChange::Insert(new) | OwnedChange::Push(new) = &mut change {
            rename(new, names, rng);
        }
        match (at(tree, &path), &mut change) {
            (Some(Value::String(old)), OwnedChange::Set(new)) if rng.once_in(2) => {
                let len = (old.len() + rng.up_to(8)).saturating_sub(4);
                *new = Value::String("x".repeat(len));
            }
            (None, OwnedChange::Set(_)) => {
                if let Some(Segment::Field(_)) = path.pop() {
                    path.push_field(rng.pick(names).as_str());
                }
            }
            _ => {}
        }
        (path, change)
    }

    /// A change of `value`, which `path` leads to, or in it.
    fn change_of(&self, value: &Value, path: &mut PathBuf, rng: &mut Rng) -> OwnedChange {
        match value {
            Value::Array(elements) if rng.once_in(2) => {
                if rng.once_in(2) {
                    return OwnedChange::Push(self.any(rng));
                }
                path.push_index(rng.up_to(elements.len()));
                OwnedChange::Insert(self.any(rng))
            }
            Value::Object(_) | Value::CodeWithScope { .. } if rng.once_in(2) => {
                path.push_field(name(self, rng, 0));
                OwnedChange::Set(self.any(rng))
            }
            _ if path.segments().is_empty() => OwnedChange::Set(self.document(rng)),
            _ if rng.once_in(3) => OwnedChange::Remove,
            // The same kind often takes the same room.
            same if rng.once_in(2) => OwnedChange::Set(self.value(same.kind(), rng)),
            _ => OwnedChange::Set(self.any(rng)),
        }
    }

    fn any(&self, rng: &mut Rng) -> Value {
        let kind: Kind = *rng.pick(self.kinds);
        self.value(kind, rng)
    }
}

/// A step down to a member of `value`, and that member; `None` when it has none.
fn random_member<'v>(value: &'v Value, rng: &mut Rng) -> Option<(impl FnOnce(&mut PathBuf) + 'v, &'v Value)> {
    let (name, index, inner) = match value {
        Value::Object(members) | Value::CodeWithScope { scope: members, .. } => {
            let (name, inner) = members.get(rng.below(members.len()))?;
            (Some(name), 0, inner)
        }
        Value::Array(elements) => {
            let index = rng.below(elements.len());
            (None, index, elements.get(index)?)
        }
        _ => return None,
    };
    let step = move |path: &mut PathBuf| match name {
        Some(name) => path.push_field(name),
        None => path.push_index(index),
    };
    Some((step, inner))
}

/// The value at `path`.
fn at<'v>(tree: &'v Value, path: &PathBuf) -> Option<&'v Value> {
    path.segments().iter().try_fold(tree, |value, segment| match (value, segment) {
        (value, Segment::Field(name)) => value.get(name),
        (Value::Array(elements), Segment::Index(index)) => elements.get(*index),
        _ => None,
    })
}

/// Gives the members of objects the names of `names`, as many as there are.
fn rename(value: &mut Value, names: &[String], rng: &mut Rng) {
    match value {
        Value::Object(members) => {
            members.truncate(names.len());
            let first = rng.below(names.len());
            for ((name, inner), new) in members.iter_mut().zip(names.iter().cycle().skip(first)) {
                name.clone_from(new);
                rename(inner, names, rng);
            }
        }
        Value::Array(elements) => elements.iter_mut().for_each(|inner| rename(inner, names, rng)),
        _ => {}
    }
}
