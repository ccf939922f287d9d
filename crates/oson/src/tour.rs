//! Every node of an image once, however often it is shared: for those who want the bytes and not the values.

use boson_document::{DecodeError, Limit};

use crate::fault;
use crate::marks::Marks;
use crate::node::{Container, Node};
use crate::tag::opcode;
use crate::update::{Resolved, SortedMap, is_moved};
use crate::view::Document;
use crate::width::ub1;

/// How deep a tour goes.
const DEPTH_MAX: u32 = 1 << 16;

/// How many children are looked at, beside one for each byte of the image. Each has an offset of two bytes at least, and
/// every container is visited once: only where containers overlap can there be more.
const CHILDREN_MIN: usize = 1 << 16;

/// Visits the nodes of an image, each before its children, each once; what refers to one again is met as well. After a
/// fault it goes on with the next node.
pub(crate) struct Tour<'a> {
    document: Document<'a>,
    map: SortedMap,
    /// Where nodes were visited.
    visited: Marks,
    /// The containers around the next node, outermost first, each with the number of children that were begun.
    around: Vec<(Container, usize)>,
    /// The node to be visited next, before the next child of the innermost container.
    pending: Option<usize>,
    children_left: usize,
}

/// What is met on a tour.
pub(crate) enum Visit {
    Node(Node),
    /// What an update left where a value stood: `len` bytes at `at`.
    Forwarding {
        at: usize,
        len: usize,
    },
    /// A reference to the node at `at`, which was visited before.
    Again {
        at: usize,
    },
    /// The next child could not be read.
    Fault(DecodeError),
}

impl<'a> Tour<'a> {
    /// A tour from the root that follows the overflow map `map`, which is the document's.
    pub(crate) fn new(document: &Document<'a>, map: SortedMap) -> Self {
        Self::of(document, map, document.header.tree.start)
    }

    /// A tour of the node at `start` and what is in it.
    pub(crate) fn of(document: &Document<'a>, map: SortedMap, start: usize) -> Self {
        Self {
            document: *document,
            map,
            visited: Marks::with_len(document.source.len()),
            around: Vec::new(),
            pending: Some(start).filter(|&at| document.header.in_tree(at)),
            children_left: CHILDREN_MIN.saturating_add(document.source.len()),
        }
    }

    /// The containers around the node that was visited last, itself included, with the index of the child that is being
    /// visited plus 1.
    pub(crate) fn around(&self) -> &[(Container, usize)] {
        &self.around
    }

    /// How deep the node lies that was visited last: the root counts as 1.
    pub(crate) fn depth(&self, visit: &Visit) -> u32 {
        let levels = u32::try_from(self.around.len()).unwrap_or(u32::MAX);
        if matches!(visit, Visit::Node(Node::Container(_))) { levels } else { levels.saturating_add(1) }
    }

    /// Where the next node stands.
    fn next_place(&mut self) -> Option<Result<usize, DecodeError>> {
        loop {
            if let Some(at) = self.pending.take() {
                return Some(Ok(at));
            }
            let (container, begun) = self.around.last_mut()?;
            if *begun == container.count {
                self.around.pop();
                continue;
            }
            let Some(left) = self.children_left.checked_sub(1) else {
                let at = container.at;
                self.around.clear();
                return Some(Err(fault::limit(at, Limit::Nodes)));
            };
            self.children_left = left;
            let index = *begun;
            *begun = index.saturating_add(1);
            match self.document.child(container, index) {
                Ok(at) => self.pending = Some(at),
                Err(error) => return Some(Err(error)),
            }
        }
    }

    fn visit(&mut self, at: usize) -> Result<Visit, DecodeError> {
        let code = ub1(self.document.source, at)?;
        if !self.visited.insert(at) {
            return Ok(Visit::Again { at });
        }
        if is_moved(code) {
            self.pending = Some(self.document.forward(at, code, &self.map)?);
            return Ok(Visit::Forwarding { at, len: forwarding_len(code) });
        }
        let node = self.document.node(Resolved { at, opcode: code, hops: 0 })?;
        if let Node::Container(container) = node {
            if self.around.len() >= crate::width::widen(DEPTH_MAX) {
                return Err(fault::limit(at, Limit::Depth(DEPTH_MAX)));
            }
            self.around.push((container, 0));
        }
        Ok(Visit::Node(node))
    }
}

impl Iterator for Tour<'_> {
    type Item = Visit;

    fn next(&mut self) -> Option<Visit> {
        let place = self.next_place()?;
        Some(place.and_then(|at| self.visit(at)).unwrap_or_else(Visit::Fault))
    }
}

/// How many bytes a forwarding takes: an object that was moved, and what the map knows of, the opcode alone.
pub(crate) const fn forwarding_len(code: u8) -> usize {
    match code {
        opcode::MOVED_UB2 => 3,
        opcode::MOVED_UB4 => 5,
        _ => 1,
    }
}
