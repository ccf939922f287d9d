//! Random changes of documents.

use boson_document::edit::{Change, New};
use boson_document::{Kind, PathBuf, Value};

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
