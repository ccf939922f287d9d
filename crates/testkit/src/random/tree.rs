//! Containers of random documents.

use std::collections::HashSet;

use boson_document::{Kind, Value};

use super::Gen;
use super::leaf::leaf;
use super::name::name;
use crate::rng::Rng;

/// One document being made; `room` is how many more values it may have.
pub(super) struct Tree<'a> {
    like: &'a Gen,
    rng: &'a mut Rng,
    room: usize,
}

impl<'a> Tree<'a> {
    pub(super) fn new(like: &'a Gen, rng: &'a mut Rng) -> Self {
        Self { like, rng, room: like.nodes }
    }

    pub(super) fn document(&mut self) -> Value {
        if self.like.any_root() && self.rng.once_in(12) {
            let kind = *self.rng.pick(self.like.kinds);
            return self.value(kind, 1);
        }
        self.object(1)
    }

    /// A value of `kind` that stands at level `depth` where it is a container.
    pub(super) fn value(&mut self, kind: Kind, depth: usize) -> Value {
        match kind {
            Kind::Object => self.object(depth),
            Kind::Array => self.array(depth),
            Kind::CodeWithScope => {
                let scope = self.members(depth);
                Value::CodeWithScope { code: "function () { return x; }".to_owned(), scope }
            }
            leaf_kind => leaf(leaf_kind, self.like.range, self.rng),
        }
    }

    fn object(&mut self, depth: usize) -> Value {
        Value::Object(self.members(depth))
    }

    fn members(&mut self, depth: usize) -> Vec<(String, Value)> {
        let names = self.names();
        names.into_iter().map(|name| (name, self.any(depth + 1))).collect()
    }

    fn array(&mut self, depth: usize) -> Value {
        if depth < self.like.depth && self.has(Kind::Object) && self.rng.once_in(4) {
            return self.equal_objects(depth);
        }
        let count = self.count();
        if self.rng.once_in(3) {
            let kind = *self.rng.pick(self.like.kinds);
            return Value::Array((0..count).map(|_| self.of_kind(kind, depth + 1)).collect());
        }
        Value::Array((0..count).map(|_| self.any(depth + 1)).collect())
    }

    /// Objects that mostly have the same names in the same order, as records do, and mostly the same values.
    fn equal_objects(&mut self, depth: usize) -> Value {
        let (mut names, count) = (self.names(), self.rng.up_to(40));
        names.truncate(20);
        let mut objects: Vec<Value> = Vec::new();
        for _ in 0..count {
            let object = match objects.last() {
                Some(before) if self.rng.once_in(4) => before.clone(),
                _ if self.rng.once_in(10) => self.object(depth + 1),
                _ => Value::Object(names.iter().map(|name| (name.clone(), self.any(depth + 2))).collect()),
            };
            objects.push(object);
        }
        Value::Array(objects)
    }

    /// A value of any kind for level `depth`: a leaf where the document may not become deeper or larger.
    fn any(&mut self, depth: usize) -> Value {
        let kind = *self.rng.pick(self.like.kinds);
        // Containers are few among the kinds, so they are drawn for more often than the others.
        let kind = match self.rng.below(8) {
            0 if self.has(Kind::Object) => Kind::Object,
            1 if self.has(Kind::Array) => Kind::Array,
            _ => kind,
        };
        self.of_kind(kind, depth)
    }

    fn of_kind(&mut self, kind: Kind, depth: usize) -> Value {
        if kind.is_container() && (depth > self.like.depth || self.room == 0) {
            return leaf(Kind::Null, self.like.range, self.rng);
        }
        self.value(kind, depth)
    }

    fn has(&self, kind: Kind) -> bool {
        self.like.kinds.contains(&kind)
    }

    /// Names for one object, each once unless the same name may occur twice.
    fn names(&mut self) -> Vec<String> {
        let (count, mut seen) = (self.count(), HashSet::new());
        let mut names: Vec<String> = Vec::new();
        for index in 0..count {
            let name = name(self.like, self.rng, index);
            let again = self.like.duplicates && self.rng.once_in(4);
            let fresh = again || !seen.contains(&name);
            let name = if fresh { name } else { format!("member {index}") };
            seen.insert(name.clone());
            names.push(name);
        }
        names
    }

    /// How many members: mostly few, else around the numbers at which a format changes its layout.
    fn count(&mut self) -> usize {
        let count = match self.rng.below(200) {
            0..10 => 0,
            10..160 => 1 + self.rng.below(8),
            160..184 => *self.rng.pick(&[9, 10, 11, 12]),
            184..196 => 13 + self.rng.below(30),
            196..199 => *self.rng.pick(&[254, 255, 256, 257]),
            _ => self.rng.up_to(2000),
        };
        let count = count.min(self.like.width).min(self.room);
        self.room = self.room.saturating_sub(count);
        count
    }
}

/// `document` with one more member or element, at its end; a document that is a leaf gives way.
pub(super) fn with_member(document: Value, shown: Value) -> Value {
    match document {
        Value::Object(mut members) => {
            members.retain(|(name, _)| name != "shown");
            members.push(("shown".to_owned(), shown));
            Value::Object(members)
        }
        Value::Array(mut elements) => {
            elements.push(shown);
            Value::Array(elements)
        }
        _ => shown,
    }
}
