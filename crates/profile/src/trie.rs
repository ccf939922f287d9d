//! The paths of all documents as a tree in one vector.

use std::borrow::Cow;

use crate::distinct::hash;
use crate::fold;
use crate::node::{Keys, Node};
use crate::options::Bounds;

/// The root's place.
pub(crate) const ROOT: u32 = 0;

/// No child is known to come next: the root is nobody's child.
const UNKNOWN: u32 = ROOT;

/// Bytes of a name that are kept; of longer ones the beginning and a hash stand for the rest.
pub const KEY_BYTES_MAX: usize = 256;

/// How many nodes may be added before folding is looked into again, beside a quarter of those there are.
const SLACK: usize = 4096;

/// The tree of paths. Between two foldings it may hold more paths than the bounds allow: a finer state, from which the
/// same folded state follows.
#[derive(Clone, Debug)]
pub(crate) struct Trie {
    pub(crate) nodes: Vec<Node>,
    bounds: Bounds,
    /// How many nodes there may be before the next folding.
    ceiling: usize,
}

impl Trie {
    pub(crate) fn new(bounds: Bounds) -> Self {
        Self { nodes: vec![Node::default()], bounds, ceiling: SLACK }
    }

    #[inline]
    #[expect(clippy::indexing_slicing, reason = "ids are places in this vector, which only folding shortens")]
    pub(crate) fn node(&self, id: u32) -> &Node {
        &self.nodes[usize::try_from(id).unwrap_or(usize::MAX)]
    }

    #[inline]
    #[expect(clippy::indexing_slicing, reason = "ids are places in this vector, which only folding shortens")]
    pub(crate) fn node_mut(&mut self, id: u32) -> &mut Node {
        &mut self.nodes[usize::try_from(id).unwrap_or(usize::MAX)]
    }

    /// The child called `key` of `parent`, whose members are kept apart; `previous` is the member before it in the same
    /// object, or [`ROOT`].
    #[inline]
    pub(crate) fn member(&mut self, parent: u32, previous: u32, key: &str) -> u32 {
        let guess = if previous == ROOT { self.node(parent).first } else { self.node(previous).next };
        if guess != UNKNOWN && &*self.node(guess).key == key {
            return guess;
        }
        let found = self.find_member(parent, key);
        if previous == ROOT {
            self.node_mut(parent).first = found;
        } else {
            self.node_mut(previous).next = found;
        }
        found
    }

    #[inline(never)]
    fn find_member(&mut self, parent: u32, key: &str) -> u32 {
        let key = &*shortened(key);
        let place = self.node(parent).below.members.binary_search_by(|&child| (*self.node(child).key).cmp(key));
        match place {
            Ok(place) => self.node(parent).below.members.get(place).copied().unwrap_or(UNKNOWN),
            Err(place) => {
                let id = self.push(Node { key: key.into(), ..Node::default() });
                self.node_mut(parent).below.members.insert(place, id);
                id
            }
        }
    }

    /// The elements of the arrays of `parent`.
    #[inline]
    pub(crate) fn element(&mut self, parent: u32) -> u32 {
        self.node(parent).below.element.unwrap_or_else(|| self.add_element(parent))
    }

    #[cold]
    fn add_element(&mut self, parent: u32) -> u32 {
        let id = self.push(Node::default());
        self.node_mut(parent).below.element = Some(id);
        id
    }

    fn push(&mut self, node: Node) -> u32 {
        let id = u32::try_from(self.nodes.len()).unwrap_or(u32::MAX);
        self.nodes.push(node);
        id
    }

    /// Notes a key of the objects of `parent`, whose members are folded.
    #[inline(never)]
    pub(crate) fn folded_key(&mut self, parent: u32, key: &str) {
        if let Keys::Folded(keys) = &mut self.node_mut(parent).below.keys {
            keys.add(hash(shortened(key).as_bytes()));
        }
    }

    /// Whether so many nodes were added that folding has to be looked into.
    #[inline]
    pub(crate) const fn is_full(&self) -> bool {
        self.nodes.len() > self.ceiling
    }

    /// Brings the tree into the one form that its documents have; returns where each node went.
    pub(crate) fn fold(&mut self) -> Vec<u32> {
        let nodes = std::mem::take(&mut self.nodes);
        let (nodes, moved) = fold::fold(nodes, &[ROOT], &self.bounds);
        self.nodes = nodes;
        self.ceiling = self.nodes.len() / 4 * 5 + SLACK;
        moved
    }
}

/// The key as it is kept.
fn shortened(key: &str) -> Cow<'_, str> {
    if key.len() <= KEY_BYTES_MAX {
        return Cow::Borrowed(key);
    }
    let start = key.get(..key.floor_char_boundary(KEY_BYTES_MAX)).unwrap_or_default();
    Cow::Owned(format!("{start}…{:016x}", hash(key.as_bytes())))
}
