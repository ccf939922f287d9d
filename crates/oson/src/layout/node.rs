//! The nodes of the tree segments.

use std::fmt::Write as _;

use boson_document::{Note, Role, Span};

use super::found::{Owner, Part, PartKind, owner_of_ids};
use super::opcode::{ContainerText, LeafText, moved_text, moved_width};
use super::place::{Shown, kind_at, name_at};
use super::teller::{Extra, Teller};
use crate::node::{Container, Node};
use crate::scalar::Leaf;
use crate::update::Resolved;
use crate::view::Document;
use crate::width::{Width, ub1};

impl<'a, 'e, E, F: FnMut(&Note<'_>) -> Result<(), E>> Teller<'a, 'e, F> {
    /// The primary tree segment.
    pub(super) fn tree(&mut self, document: &Document<'a>) -> Result<(), E> {
        let tree = document.header.tree;
        self.section("tree segment", tree.start);
        let parts = &self.found.parts;
        let end = parts.partition_point(|part| part.at() < tree.end);
        self.parts(document, parts.get(..end).unwrap_or_default(), tree.end)
    }

    /// A segment that ends at `end`, with `parts` in it.
    pub(super) fn parts(&mut self, document: &Document<'a>, parts: &'e [Part], end: usize) -> Result<(), E> {
        let mut left_by = left_by(document, None);
        for part in parts {
            let start = if part.kind == PartKind::Lent { part.at().saturating_add(1) } else { part.at() };
            self.gap(start, left_by)?;
            (self.at, self.depth) = (part.at(), part.depth);
            self.part(document, part)?;
            left_by = self::left_by(document, Some(part));
        }
        self.gap(end, left_by)
    }

    /// Each region of `part`, except what was told before.
    fn part(&mut self, document: &Document<'a>, part: &Part) -> Result<(), E> {
        let at = part.at();
        let Ok(opcode) = ub1(document.source, at) else { return Ok(()) };
        match part.kind {
            PartKind::Forwarding => self.forwarding(document, part, opcode),
            PartKind::Lent => match document.container(at, opcode) {
                Ok(object) => self.lent(document, &object),
                Err(_) => Ok(()),
            },
            PartKind::Node => match document.node(Resolved { at, opcode, hops: 0 }) {
                Ok(Node::Leaf(leaf)) => self.leaf(document, part, &leaf, opcode),
                Ok(Node::Container(container)) => self.container(document, part, &container),
                Err(_) => Ok(()),
            },
        }
    }

    /// What refers to `part`: its path, and a line for each other place.
    fn owners(&self, document: &Document<'a>, part: &Part) -> (String, String) {
        let path = self.found.path(document, part.owner);
        let mut others = String::new();
        for reference in self.found.references(part.at) {
            let path = self.found.path(document, reference.owner);
            // Writing to a string cannot fail.
            let _ = match slot(document, reference.owner) {
                Some(slot) => write!(others, "\nalso {path}, by the offset at {slot}"),
                None => write!(others, "\nalso {path}"),
            };
        }
        (path, others)
    }

    fn forwarding(&mut self, document: &Document<'a>, part: &Part, opcode: u8) -> Result<(), E> {
        let width = moved_width(opcode);
        let (path, others) = self.owners(document, part);
        self.whole = Span::new(part.at(), width.map_or(0, Width::bytes).saturating_add(1));
        let target = document.forward(part.at(), opcode, &self.found.map).ok();
        let to_target = Extra::to(target.filter(|_| width.is_none()));
        self.region(1, Role::Type, to_target, format_args!("{path}: {}{others}", moved_text(opcode)))?;
        let Some(width) = width else { return Ok(()) };
        let offset = self.number(self.at, width.bytes());
        let kind = target.map_or("outside of it", |target| kind_at(document, target));
        let meaning = format_args!("offset {offset} in the extended tree: {kind}");
        self.region(width.bytes(), Role::Forward, Extra::to(target), meaning)
    }

    fn leaf(&mut self, document: &Document<'a>, part: &Part, leaf: &Leaf, opcode: u8) -> Result<(), E> {
        self.whole = leaf.span();
        // Where leaves overlap, many would be read again and again.
        let is_overlapped = leaf.at < self.told_to();
        let (path, others) = self.owners(document, part);
        let text = LeafText { leaf, opcode };
        self.region(leaf.opcode_len(), Role::Type, Extra::NONE, format_args!("{path}: {text}{others}"))?;
        let len = leaf.end.saturating_sub(leaf.payload_at);
        let length_len = leaf.payload_at.saturating_sub(self.at);
        self.region(length_len, Role::Length, Extra::NONE, format_args!("length {len}"))?;
        let is_hidden = self.found.is_sensitive(part.at);
        if is_hidden || is_overlapped {
            let meaning = if is_hidden { "sensitive, not shown" } else { "value" };
            return self.region(len, Role::Value, Extra { is_hidden, ..Extra::NONE }, format_args!("{meaning}"));
        }
        let payload: &'a [u8] = document.source.get(leaf.payload_at..leaf.end).unwrap_or_default();
        let value = leaf.class.decode(payload, leaf.payload_at);
        let extra = Extra { value: value.ok(), ..Extra::NONE };
        match &value {
            Ok(_) => self.region(len, Role::Value, extra, format_args!("value")),
            Err(error) => self.region(len, Role::Value, extra, format_args!("no value: {}", error.kind)),
        }
    }

    fn container(&mut self, document: &Document<'a>, part: &Part, container: &Container) -> Result<(), E> {
        self.whole = container.span();
        let (path, others) = self.owners(document, part);
        let text = ContainerText { container, header: &document.header };
        self.region(1, Role::Type, Extra::NONE, format_args!("{path}: {text}{others}"))?;
        if container.is_shared() {
            let owner_at = owner_of_ids(container);
            let offset = self.number(self.at, container.offset_width().bytes());
            let meaning = format_args!("offset {offset}: the object whose ids these are");
            self.region(container.offset_width().bytes(), Role::OwnerOffset, Extra::to(Some(owner_at)), meaning)?;
        } else {
            self.count_and_ids(document, container)?;
        }
        self.at = container.offsets_at;
        self.offsets(document, container)
    }

    /// The count and ids of an object that others have from it.
    fn lent(&mut self, document: &Document<'a>, object: &Container) -> Result<(), E> {
        self.at = self.at.saturating_add(1);
        self.whole = Span::between(self.at, object.offsets_at);
        self.count_and_ids(document, object)
    }

    fn count_and_ids(&mut self, document: &Document<'a>, container: &Container) -> Result<(), E> {
        let count_len = container.count_width.bytes();
        self.region(count_len, Role::Count, Extra::NONE, format_args!("count {}", container.count))?;
        if container.is_array() {
            return Ok(());
        }
        let width = document.header.id_width;
        for index in self.untold(container.ids_at, width)..container.count {
            self.at = width.place(container.ids_at, index);
            let id = document.field_id(container, index).unwrap_or_default();
            let name = name_at(document, id);
            let text = name.and_then(|name| self.bytes.get(name.range()));
            match (name, text) {
                (Some(name), Some(text)) => {
                    // To its length, which stands in front.
                    let width = if id > document.header.short.count { 2 } else { 1 };
                    let to = Extra::to(Some(name.offset.saturating_sub(width)));
                    self.region(self::len(document), Role::FieldId, to, format_args!("id {id} {}", Shown(text)))?;
                }
                _ => self.region(
                    self::len(document),
                    Role::FieldId,
                    Extra::NONE,
                    format_args!("id {id}, which is not in the dictionary"),
                )?,
            }
        }
        Ok(())
    }

    fn offsets(&mut self, document: &Document<'a>, container: &Container) -> Result<(), E> {
        let width = container.offset_width();
        for index in self.untold(container.offsets_at, width)..container.count {
            self.at = width.place(container.offsets_at, index);
            let offset = self.number(self.at, width.bytes());
            let step = self.child(document, container, index);
            let child = document.child(container, index).ok();
            let kind = child.map_or("outside of the tree", |at| kind_at(document, at));
            let meaning = format_args!("offset {offset}: {step}, {kind}");
            self.region(width.bytes(), Role::ChildOffset, Extra::to(child), meaning)?;
        }
        Ok(())
    }

    /// The first element of an array of numbers at `start` that was not told: where containers overlap they are many.
    fn untold(&self, start: usize, width: Width) -> usize {
        self.told_to().saturating_sub(start).checked_div(width.bytes()).unwrap_or(0)
    }

    /// A child as its container knows it.
    fn child(&self, document: &Document<'a>, container: &Container, index: usize) -> String {
        if container.is_array() {
            return format!("[{index}]");
        }
        let name = document.field_id(container, index).ok().and_then(|id| name_at(document, id));
        name.and_then(|name| self.bytes.get(name.range()))
            .map_or_else(|| "?".to_owned(), |name| Shown(name).to_string())
    }
}

/// How long an id is.
fn len(document: &Document<'_>) -> usize {
    document.header.id_width.bytes()
}

/// Where the offset stands that `owner` is.
pub(super) fn slot(document: &Document<'_>, owner: Owner) -> Option<usize> {
    if owner == Owner::ROOT {
        return None;
    }
    let at = crate::width::widen(owner.container_at);
    let container = document.container(at, ub1(document.source, at).ok()?).ok()?;
    Some(container.slot(crate::width::widen(owner.index)))
}

/// Why bytes after `part` are in no use.
fn left_by(document: &Document<'_>, part: Option<&Part>) -> &'static str {
    let update = &document.header.update;
    match part.map(|part| part.kind) {
        Some(PartKind::Forwarding) => "left by an update: the rest of the value that was moved",
        Some(PartKind::Lent) => "left by an update: the offsets of the object that was moved",
        _ if !update.is_some() => "nothing refers to it: an unused gap",
        Some(_) if part.is_some_and(|part| part.at() >= update.extended.start) => {
            "nothing refers to it: room to grow, or left by a later update"
        }
        _ => "nothing refers to it: left by an update that wrote less here or pointed elsewhere",
    }
}
