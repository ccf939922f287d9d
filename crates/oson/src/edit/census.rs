//! What in an image must not be overwritten, because it is more than one value's.

use boson_document::{DecodeError, DecodeErrorKind, Limit};

use crate::fault;
use crate::marks::Marks;
use crate::node::{Container, Node};
use crate::tag::{container, flag};
use crate::tour::forwarding_len;
use crate::update::{Resolved, SortedMap, is_moved};
use crate::view::Document;
use crate::width::{narrow, ub1};

/// How deep a census goes.
const DEPTH_MAX: usize = 1 << 16;

/// What is known of the sharing of values in an image.
#[derive(Debug)]
pub(super) enum Sharing {
    /// All of it: the places that two offsets or forwardings lead to, and those of objects whose ids others use although
    /// they do not say so. What is added later is shared with nothing.
    Counted(Marks),
    /// What the format's known writers do is relied on: a container with children is at one place only, and leaves are
    /// shared only where the header's flags say that something is.
    Trusted,
    /// Bytes belong to two nodes at once: nothing may be overwritten.
    Tangled,
}

impl Sharing {
    /// Whether something else than the way that was followed may lead to the node or the forwarding at `at`, which begins
    /// with `opcode`; `is_empty` for a container without children.
    pub(super) fn is_shared(&self, flags: u16, at: usize, opcode: u8, is_empty: bool) -> bool {
        const SHARED: u16 = flag::SIMPLE_VALUES_SHARED | flag::LAST_VALUES_SHARED;
        match self {
            Self::Counted(marks) => marks.contains(at),
            Self::Trusted => {
                let is_leaf = opcode & container::CONTAINER == 0 && !is_moved(opcode);
                flags & SHARED != 0 && (is_leaf || is_empty)
            }
            Self::Tangled => true,
        }
    }

    /// Remembers that a second offset leads to `at` from now on.
    pub(super) fn share(&mut self, at: usize) {
        if let Self::Counted(marks) = self {
            marks.grow(at);
            marks.insert(at);
        }
    }
}

/// What a walk over all nodes of an image found.
#[derive(Debug)]
pub(super) struct Census {
    pub(super) sharing: Sharing,
    /// How many bytes of the two tree segments belong to nodes that the root leads to.
    pub(super) live_len: usize,
    /// The most containers inside each other.
    pub(super) depth: usize,
    /// The most fields of an object whose ids are sorted.
    pub(super) sorted_fields: usize,
}

/// Visits every node once.
struct Walk<'a> {
    document: Document<'a>,
    map: SortedMap,
    visited: Marks,
    shared: Marks,
    covered: Marks,
    owners: Vec<Owner>,
    around: Vec<(Container, usize)>,
    live_len: usize,
    depth: usize,
    sorted_fields: usize,
    overlaps: bool,
}

/// An object whose count and ids another one uses: the bytes up to `ids_end`.
struct Owner {
    at: usize,
    ids_end: usize,
}

impl Census {
    /// Counts what leads to each node of `document`.
    ///
    /// # Errors
    ///
    /// The first fault of a node. Payloads of leaves are not looked at.
    pub(super) fn take(document: &Document<'_>) -> Result<Self, DecodeError> {
        let len = document.source.len();
        let mut walk = Walk {
            document: *document,
            map: SortedMap::of(document)?,
            visited: Marks::with_len(len),
            shared: Marks::with_len(len),
            covered: Marks::with_len(len),
            owners: Vec::new(),
            around: Vec::new(),
            live_len: 0,
            depth: 0,
            sorted_fields: 0,
            overlaps: false,
        };
        // It also checks the flag that says whether the root is a scalar.
        document.root_node(&walk.map)?;
        walk.run(document.header.tree.start)?;
        walk.cover_owners();
        let sharing = if walk.overlaps { Sharing::Tangled } else { Sharing::Counted(walk.shared) };
        Ok(Self { sharing, live_len: walk.live_len, depth: walk.depth, sorted_fields: walk.sorted_fields })
    }
}

impl Walk<'_> {
    fn run(&mut self, root: usize) -> Result<(), DecodeError> {
        self.visit(root)?;
        while let Some((container, next)) = self.around.last_mut() {
            if *next == container.count {
                self.around.pop();
                continue;
            }
            let index = *next;
            *next = index.saturating_add(1);
            let at = self.document.child(container, index)?;
            self.visit(at)?;
            if self.overlaps {
                self.around.clear();
            }
        }
        Ok(())
    }

    /// Visits what stands at `at`, forwardings and all; the children of a container come next.
    fn visit(&mut self, mut at: usize) -> Result<(), DecodeError> {
        loop {
            if !self.visited.insert(at) {
                self.shared.insert(at);
                return Ok(());
            }
            let code = ub1(self.document.source, at)?;
            if !is_moved(code) {
                return self.visit_node(at, code);
            }
            let len = forwarding_len(code);
            let to = self.document.forward(at, code, &self.map)?;
            self.cover(at, at.saturating_add(len));
            at = to;
        }
    }

    #[inline]
    fn visit_node(&mut self, at: usize, opcode: u8) -> Result<(), DecodeError> {
        let node = self.document.node(Resolved { at, opcode, hops: 0 })?;
        self.cover(at, node.span().end());
        let Node::Container(container) = node else { return Ok(()) };
        if container.is_shared() {
            self.meet_owner(&container)?;
        }
        if self.around.len() >= DEPTH_MAX {
            return Err(fault::limit(at, Limit::Depth(narrow(DEPTH_MAX))));
        }
        if !container.is_array() && self.document.has_sorted_ids(&container) {
            self.sorted_fields = self.sorted_fields.max(container.count);
        }
        self.around.push((container, 0));
        self.depth = self.depth.max(self.around.len());
        Ok(())
    }

    /// Remembers the owner of the ids of `object`, once.
    fn meet_owner(&mut self, object: &Container) -> Result<(), DecodeError> {
        let ids_end = self.document.id_slot(object, object.count);
        let at = object.ids_at.saturating_sub(object.count_width.bytes()).saturating_sub(1);
        if self.owners.last().is_none_or(|last| last.at != at) {
            self.owners.push(Owner { at, ids_end });
        }
        if ub1(self.document.source, at)? & container::IDS_LENT == 0 {
            self.shared.insert(at);
        }
        Ok(())
    }

    /// An owner that is no value itself any more keeps its count and its ids.
    fn cover_owners(&mut self) {
        self.owners.sort_unstable_by_key(|owner| owner.at);
        self.owners.dedup_by_key(|owner| owner.at);
        for owner in std::mem::take(&mut self.owners) {
            let code = ub1(self.document.source, owner.at).unwrap_or_default();
            match self.visited.contains(owner.at) {
                true if is_moved(code) => self.cover(owner.at.saturating_add(1), owner.ids_end),
                true => {}
                false => self.cover(owner.at, owner.ids_end),
            }
        }
    }

    /// The bytes from `start` up to `end` belong to one node.
    #[inline]
    fn cover(&mut self, start: usize, end: usize) {
        self.live_len = self.live_len.saturating_add(end.saturating_sub(start));
        self.overlaps |= !self.covered.insert_run(start, end);
    }
}

/// Whether the fault is that there was more to look at than a census does, in which case only a rebuild can tell.
pub(super) fn is_limit(error: &DecodeError) -> bool {
    matches!(error.kind, DecodeErrorKind::LimitExceeded(_))
}
