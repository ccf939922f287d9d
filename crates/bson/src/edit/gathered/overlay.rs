//! What has changed, beside the bytes that stay.

use boson_document::{DecodeError, Segment, Span};

use super::super::error::Fault;
use super::super::locate::{absent, check_step, members};
use crate::tag::Tag;
use crate::view::place::{Place, Places};

/// The values that were touched, and the new ones.
#[derive(Clone, Debug)]
pub(super) struct Overlay {
    /// The root first, and each after the one around it.
    nodes: Vec<Node>,
    /// New values and names, one after another.
    aside: Vec<u8>,
}

/// A value in which something was touched, or tried to be.
#[derive(Clone, Debug)]
pub(super) struct Node {
    /// Whether its bytes are among the new ones; else they are in the document.
    pub(super) is_aside: bool,
    pub(super) tag: Tag,
    /// The whole value.
    pub(super) value: Span,
    /// From the length of its members to their NUL: of code with scope the scope, else the same as `value`.
    pub(super) members: Span,
    /// What became of members, in the order of the bytes.
    pub(super) changes: Vec<Altered>,
    /// Members behind those in the bytes.
    pub(super) added: Vec<Added>,
    /// How many elements the bytes have, once that was counted.
    pub(super) count: usize,
    is_counted: bool,
}

/// What became of a member, or what comes before one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Altered {
    pub(super) element: Place,
    /// Its place in the bytes of an array; 0 in an object.
    pub(super) index: usize,
    /// Whether this comes before the element, which stays.
    pub(super) is_before: bool,
    pub(super) becomes: Becomes,
}

/// A member that was added; of an array without name.
#[derive(Clone, Copy, Debug)]
pub(super) struct Added {
    pub(super) name: Span,
    pub(super) becomes: Becomes,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Becomes {
    Nothing,
    /// The value of this type whose bytes are kept aside.
    Value {
        tag: Tag,
        bytes: Span,
    },
    /// A container that is as the node says.
    Node(usize),
}

/// Where a member is kept.
#[derive(Clone, Copy, Debug)]
pub(super) enum Slot {
    /// In the bytes, not touched so far; with its place in an array.
    Original(Place, usize),
    /// In the changes.
    Altered(usize),
    /// In what was added.
    Added(usize),
    /// Nowhere; an array has so many elements.
    Absent { count: usize },
}

impl Overlay {
    pub(super) const ROOT: usize = 0;

    /// No changes to the document at `span`.
    pub(super) fn new(span: Span) -> Self {
        Self { nodes: vec![Node::new(false, Tag::Document, span, span)], aside: Vec::new() }
    }

    /// Forgets all changes, the document being `len` bytes long by now; the memory is kept.
    pub(super) fn forget(&mut self, len: usize) {
        self.aside.clear();
        self.set_only(false, Span::new(0, len));
    }

    /// The document is `bytes` from now on.
    pub(super) fn set_root(&mut self, bytes: &[u8]) {
        self.aside.clear();
        let span = self.keep(bytes);
        self.set_only(true, span);
    }

    fn set_only(&mut self, is_aside: bool, span: Span) {
        self.nodes.clear();
        self.nodes.push(Node::new(is_aside, Tag::Document, span, span));
    }

    pub(super) fn node(&self, node: usize) -> Option<&Node> {
        self.nodes.get(node)
    }

    pub(super) fn tag(&self, node: usize) -> Tag {
        self.nodes.get(node).map_or(Tag::Document, |node| node.tag)
    }

    pub(super) fn aside(&self, span: Span) -> &[u8] {
        self.aside.get(span.range()).unwrap_or_default()
    }

    /// How many bytes the document grows by, at most, unless elements of an array get longer names.
    pub(super) fn growth_max(&self) -> usize {
        // The type byte, and the name of an element with its NUL.
        const ELEMENT: usize = 12;
        let members = self.nodes.iter().map(|node| node.changes.len().saturating_add(node.added.len()));
        let members = members.fold(0, usize::saturating_add);
        self.aside.len().saturating_add(members.saturating_mul(ELEMENT))
    }

    /// The bytes that `node` is in.
    pub(super) fn text<'t>(&'t self, document: &'t [u8], node: &Node) -> &'t [u8] {
        if node.is_aside { &self.aside } else { document }
    }

    /// Where the member of `node` is kept that `segment` leads to.
    pub(super) fn find(&self, document: &[u8], node: usize, segment: &Segment) -> Result<Slot, Fault> {
        let Some(node) = self.nodes.get(node) else { return Ok(Slot::Absent { count: 0 }) };
        check_step(node.tag, segment)?;
        let places = Places::new(self.text(document, node), node.members);
        Ok(match segment {
            Segment::Field(name) => self.find_name(node, places, name.as_bytes())?,
            Segment::Index(index) => node.find_index(places, *index)?,
        })
    }

    fn find_name(&self, node: &Node, mut places: Places<&[u8]>, name: &[u8]) -> Result<Slot, DecodeError> {
        while let Some(place) = places.find(name)? {
            match node.altered(place) {
                Err(_) => return Ok(Slot::Original(place, 0)),
                Ok(at) if node.is_removed(at) => {}
                Ok(at) => return Ok(Slot::Altered(at)),
            }
        }
        let added = node.added.iter().position(|added| self.aside(added.name) == name);
        Ok(added.map_or(Slot::Absent { count: 0 }, Slot::Added))
    }

    /// Steps down into the value that `segment` leads to. Where it is a leaf, the next step will say so.
    pub(super) fn enter(&mut self, document: &[u8], node: usize, segment: &Segment) -> Result<usize, Fault> {
        let slot = self.find(document, node, segment)?;
        let (is_aside, place) = match (slot, self.becomes(node, slot)) {
            (Slot::Absent { count }, _) => return Err(absent(segment, count).into()),
            (Slot::Original(place, _), _) => (self.nodes.get(node).is_some_and(|node| node.is_aside), place),
            (_, Becomes::Node(inner)) => return Ok(inner),
            (_, Becomes::Value { tag, bytes }) => (true, Place { tag, name: Span::default(), value: bytes }),
            (_, Becomes::Nothing) => return Err(absent(segment, 0).into()),
        };
        let members = members(if is_aside { &self.aside } else { document }, place)?.unwrap_or_default();
        let inner = self.nodes.len();
        self.nodes.push(Node::new(is_aside, place.tag, place.value, members));
        self.put(node, slot, Becomes::Node(inner));
        Ok(inner)
    }

    fn becomes(&self, node: usize, slot: Slot) -> Becomes {
        let node = self.nodes.get(node);
        let becomes = match slot {
            Slot::Altered(at) => node.and_then(|node| node.changes.get(at)).map(|change| change.becomes),
            Slot::Added(at) => node.and_then(|node| node.added.get(at)).map(|added| added.becomes),
            Slot::Original(..) | Slot::Absent { .. } => None,
        };
        becomes.unwrap_or(Becomes::Nothing)
    }

    /// Notes what the member in `slot` becomes.
    fn put(&mut self, node: usize, slot: Slot, becomes: Becomes) {
        let Some(node) = self.nodes.get_mut(node) else { return };
        let kept = match slot {
            Slot::Original(element, index) => {
                let at = node.altered(element).unwrap_or_else(|at| at);
                node.changes.insert(at, Altered { element, index, is_before: false, becomes });
                return;
            }
            Slot::Altered(at) => node.changes.get_mut(at).map(|change| &mut change.becomes),
            Slot::Added(at) => node.added.get_mut(at).map(|added| &mut added.becomes),
            Slot::Absent { .. } => None,
        };
        if let Some(kept) = kept {
            *kept = becomes;
        }
    }

    /// The member in `slot` becomes this value.
    pub(super) fn replace(&mut self, node: usize, slot: Slot, tag: Tag, value: &[u8]) {
        let bytes = self.keep_again(self.becomes(node, slot), value);
        self.put(node, slot, Becomes::Value { tag, bytes });
    }

    /// This value becomes the last element of the array.
    pub(super) fn push(&mut self, node: usize, tag: Tag, value: &[u8]) {
        self.add(node, "", tag, value);
    }

    /// This value becomes the last member, called `name`.
    pub(super) fn add(&mut self, node: usize, name: &str, tag: Tag, value: &[u8]) {
        let (name, bytes) = (self.keep(name.as_bytes()), self.keep(value));
        if let Some(node) = self.nodes.get_mut(node) {
            node.added.push(Added { name, becomes: Becomes::Value { tag, bytes } });
        }
    }

    /// This value comes before the element in `slot`.
    pub(super) fn insert(&mut self, node: usize, slot: Slot, tag: Tag, value: &[u8]) {
        let becomes = Becomes::Value { tag, bytes: self.keep(value) };
        let Some(node) = self.nodes.get_mut(node) else { return };
        let (at, element, index) = match slot {
            Slot::Original(element, index) => (node.altered(element).unwrap_or_else(|at| at), element, index),
            Slot::Altered(at) => match node.changes.get(at) {
                Some(change) => (at, change.element, change.index),
                None => return,
            },
            Slot::Added(at) => return node.added.insert(at, Added { name: Span::default(), becomes }),
            Slot::Absent { .. } => return node.added.push(Added { name: Span::default(), becomes }),
        };
        node.changes.insert(at, Altered { element, index, is_before: true, becomes });
    }

    /// Removes the member in `slot`.
    pub(super) fn remove(&mut self, node: usize, slot: Slot) {
        let found = self.nodes.get_mut(node);
        match (slot, found) {
            (Slot::Added(at), Some(node)) if at < node.added.len() => drop(node.added.remove(at)),
            (Slot::Altered(at), Some(node)) if node.changes.get(at).is_some_and(|change| change.is_before) => {
                node.changes.remove(at);
            }
            _ => self.put(node, slot, Becomes::Nothing),
        }
    }

    /// How many elements the array has by now.
    pub(super) fn count(&mut self, document: &[u8], node: usize) -> Result<usize, DecodeError> {
        let Some(found) = self.nodes.get(node) else { return Ok(0) };
        let original =
            if found.is_counted { found.count } else { count(Places::new(self.text(document, found), found.members))? };
        let Some(node) = self.nodes.get_mut(node) else { return Ok(0) };
        (node.count, node.is_counted) = (original, true);
        Ok(node.len())
    }

    /// Keeps `bytes` aside, in the place of what the member was so far if that has their width.
    fn keep_again(&mut self, before: Becomes, bytes: &[u8]) -> Span {
        if let Becomes::Value { bytes: span, .. } = before
            && let Some(slot) = self.aside.get_mut(span.range())
            && slot.len() == bytes.len()
        {
            slot.copy_from_slice(bytes);
            return span;
        }
        self.keep(bytes)
    }

    fn keep(&mut self, bytes: &[u8]) -> Span {
        let span = Span::new(self.aside.len(), bytes.len());
        self.aside.extend_from_slice(bytes);
        span
    }

    /// Whether every new value has the width and the place of the one before it.
    pub(super) fn keeps_widths(&self) -> bool {
        self.reachable().all(Node::keeps_widths)
    }

    /// All that was altered, in no order.
    pub(super) fn changes(&self) -> impl Iterator<Item = &Altered> {
        self.reachable().flat_map(|node| &node.changes)
    }

    /// The nodes that are part of the document: those in what was replaced as a whole are not.
    fn reachable(&self) -> impl Iterator<Item = &Node> {
        let mut open = vec![Self::ROOT];
        std::iter::from_fn(move || {
            let node = self.nodes.get(open.pop()?)?;
            open.extend(node.changes.iter().filter_map(|change| change.becomes.node()));
            open.extend(node.added.iter().filter_map(|added| added.becomes.node()));
            Some(node)
        })
    }
}

impl Node {
    const fn new(is_aside: bool, tag: Tag, value: Span, members: Span) -> Self {
        Self { is_aside, tag, value, members, changes: Vec::new(), added: Vec::new(), count: 0, is_counted: false }
    }

    /// The change of the element at `place`, or where it would have to stand: behind what was inserted before it.
    fn altered(&self, place: Place) -> Result<usize, usize> {
        let wanted = (place.name.offset, true);
        self.changes.binary_search_by_key(&wanted, |change| (change.element.name.offset, !change.is_before))
    }

    fn is_removed(&self, at: usize) -> bool {
        self.changes.get(at).is_some_and(|change| matches!(change.becomes, Becomes::Nothing))
    }

    fn find_index(&self, mut places: Places<&[u8]>, wanted: usize) -> Result<Slot, DecodeError> {
        let (mut index, mut original, mut next) = (0_usize, 0_usize, 0_usize);
        while let Some(place) = places.next()? {
            let mut is_altered = false;
            while let Some(change) =
                self.changes.get(next).filter(|change| change.element.name.offset == place.name.offset)
            {
                is_altered = !change.is_before;
                if !self.is_removed(next) {
                    if index == wanted {
                        return Ok(Slot::Altered(next));
                    }
                    index = index.saturating_add(1);
                }
                next = next.saturating_add(1);
            }
            if !is_altered {
                if index == wanted {
                    return Ok(Slot::Original(place, original));
                }
                index = index.saturating_add(1);
            }
            original = original.saturating_add(1);
        }
        let added = wanted.checked_sub(index).filter(|&added| added < self.added.len());
        let count = index.saturating_add(self.added.len());
        Ok(added.map_or(Slot::Absent { count }, Slot::Added))
    }

    /// How many elements an array has by now that was counted.
    fn len(&self) -> usize {
        let (mut inserted, mut removed) = (0_usize, 0_usize);
        for change in &self.changes {
            inserted = inserted.saturating_add(usize::from(change.is_before));
            removed = removed.saturating_add(usize::from(matches!(change.becomes, Becomes::Nothing)));
        }
        self.count.saturating_add(inserted).saturating_add(self.added.len()).saturating_sub(removed)
    }

    fn keeps_widths(&self) -> bool {
        !self.is_aside && self.added.is_empty() && self.changes.iter().all(Altered::keeps_width)
    }
}

impl Altered {
    fn keeps_width(&self) -> bool {
        match self.becomes {
            _ if self.is_before => false,
            Becomes::Nothing => false,
            Becomes::Value { bytes, .. } => bytes.len == self.element.value.len,
            Becomes::Node(_) => true,
        }
    }
}

impl Becomes {
    const fn node(self) -> Option<usize> {
        match self {
            Self::Node(node) => Some(node),
            Self::Nothing | Self::Value { .. } => None,
        }
    }
}

fn count(mut places: Places<&[u8]>) -> Result<usize, DecodeError> {
    let mut count = 0_usize;
    while places.next()?.is_some() {
        count = count.saturating_add(1);
    }
    Ok(count)
}
