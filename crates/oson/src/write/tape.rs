//! What is kept of a document until it is complete: its leaves, encoded one after the other, and what is to be put
//! between them.

use crate::width::{narrow, widen};

/// A place in the tree segment to be, while the sizes of its containers are not known: so many bytes of leaves and so
/// many patches come before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) leaf_bytes: u32,
    pub(super) patches: u32,
}

/// A member of an object or an element of an array.
#[derive(Clone, Copy, Debug)]
pub(super) struct Child {
    /// The number of its name; of an element, anything.
    pub(super) name: u32,
    pub(super) place: Place,
}

/// Something that changes the sequence of leaves.
#[derive(Clone, Copy, Debug)]
pub(super) enum Patch {
    /// A container's node is put in.
    Container(Node),
    /// A leaf that is equal to an earlier one is left out.
    Repeat(Repeat),
}

/// A container, which stands in front of what is in it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Node {
    /// How many bytes of leaves come before it.
    pub(super) at: u32,
    /// Its first child in `Tape::children`.
    pub(super) first: u32,
    /// How many children it has.
    pub(super) len: u32,
    /// Which object it may share its field ids with.
    pub(super) shape: Option<u32>,
    pub(super) is_object: bool,
    /// Where everything in it has ended.
    pub(super) end: Place,
}

/// A leaf of an object that is equal to an earlier leaf, and has containers behind it in the object.
#[derive(Clone, Copy, Debug)]
pub(super) struct Repeat {
    /// How many bytes of leaves come before it.
    pub(super) at: u32,
    /// How many bytes it has itself.
    pub(super) len: u32,
    /// The equal leaf.
    pub(super) of: Place,
    /// Whether it is left out indeed: not in an object whose order the places of its members must tell.
    pub(super) left_out: bool,
}

/// A container that has begun.
#[derive(Clone, Copy, Debug)]
pub(super) struct Open {
    /// Its patch.
    pub(super) patch: u32,
    /// Its first child in `Tape::pending`.
    pub(super) first: usize,
    /// The first of its children behind the last container in it: leaves, and no patch is among them.
    pub(super) run: usize,
    /// The name that was current around it.
    pub(super) outer_name: u32,
    pub(super) is_object: bool,
    /// Whether it is an object that is sorted when it gets large.
    pub(super) may_be_sorted: bool,
    /// Whether some leaf in it has a patch because it repeats another one.
    pub(super) repeats: bool,
}

/// A document in the making.
#[derive(Debug, Default)]
pub(super) struct Tape {
    /// The encoded leaves, in the order of the input.
    pub(super) leaves: Vec<u8>,
    /// In the order of their places.
    pub(super) patches: Vec<Patch>,
    /// The children of the containers that have ended, those of each together.
    pub(super) children: Vec<Child>,
    /// The containers that have begun and not ended, outermost first.
    pub(super) open: Vec<Open>,
    /// The children of open containers so far.
    pub(super) pending: Vec<Child>,
}

impl Tape {
    pub(super) fn clear(&mut self) {
        self.leaves.clear();
        self.patches.clear();
        self.children.clear();
        self.open.clear();
        self.pending.clear();
    }

    /// Whether nothing was delivered yet.
    pub(super) fn is_empty(&self) -> bool {
        self.leaves.is_empty() && self.patches.is_empty()
    }

    /// Where the next leaf or container will stand.
    #[inline]
    pub(super) fn place(&self) -> Place {
        Place { leaf_bytes: narrow(self.leaves.len()), patches: narrow(self.patches.len()) }
    }

    /// Begins a container under the name `outer_name`.
    #[inline]
    pub(super) fn begin(&mut self, is_object: bool, may_be_sorted: bool, outer_name: u32) {
        let patch = narrow(self.patches.len());
        let node = Node { at: narrow(self.leaves.len()), is_object, ..Node::default() };
        self.patches.push(Patch::Container(node));
        let first = self.pending.len();
        self.open.push(Open { patch, first, run: first, outer_name, is_object, may_be_sorted, repeats: false });
    }

    /// Adds a container that has ended to the one around it, if there is one.
    #[inline]
    pub(super) fn add_container(&mut self, name: u32, place: Place) {
        if let Some(open) = self.open.last_mut() {
            self.pending.push(Child { name, place });
            open.run = self.pending.len();
        }
    }

    /// The children of the container that was begun last and has not ended.
    #[inline]
    pub(super) fn pending_of(&self, open: &Open) -> &[Child] {
        self.pending.get(open.first..).unwrap_or_default()
    }

    /// Completes the container's node; its children go to where those of ended containers are. Returns its place.
    #[inline]
    pub(super) fn end(&mut self, open: &Open, shape: Option<u32>) -> Place {
        let (first, end) = (narrow(self.children.len()), self.place());
        let children = self.pending.get(open.first..).unwrap_or_default();
        let len = narrow(children.len());
        self.children.extend_from_slice(children);
        self.pending.truncate(open.first);
        let Some(Patch::Container(node)) = self.patches.get_mut(widen(open.patch)) else { return Place::default() };
        *node = Node { first, len, shape, end, ..*node };
        Place { leaf_bytes: node.at, patches: open.patch }
    }

    /// The children of a container that has ended.
    #[inline]
    pub(super) fn children_of(&self, node: &Node) -> &[Child] {
        let first = widen(node.first);
        self.children.get(first..first.saturating_add(widen(node.len))).unwrap_or_default()
    }
}
