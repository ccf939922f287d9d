//! Nodes of the tree: where the parts of a container stand, and where its children.

use std::ops::Range;

use boson_document::{ByteSource, DecodeError, Kind, Rule, Span};

use crate::fault;
use crate::image::Image;
use crate::scalar::Leaf;
use crate::tag::{container, flag};
use crate::update::{OverflowMap, Resolved};
use crate::width::{Width, ub1, widen};

/// So many field ids are worth reading as one run.
const RUN_LEN: usize = 512;

/// A node that is not a forwarding.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Node {
    Container(Container),
    Leaf(Leaf),
}

/// An object or an array.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Container {
    /// Where its opcode stands.
    pub(crate) at: usize,
    pub(crate) opcode: u8,
    /// How many children it has.
    pub(crate) count: usize,
    /// How wide that number is where it stands, in front of the field ids.
    pub(crate) count_width: Width,
    /// Where its field ids begin, of an object: with those that share, in another object.
    pub(crate) ids_at: usize,
    /// Where the offsets of its children begin.
    pub(crate) offsets_at: usize,
}

impl Container {
    #[inline]
    pub(crate) const fn is_array(&self) -> bool {
        self.opcode & container::ARRAY != 0
    }

    /// Whether count and field ids are those of another object.
    pub(crate) const fn is_shared(&self) -> bool {
        self.opcode & container::COUNT_MASK == container::COUNT_SHARED
    }

    pub(crate) const fn kind(&self) -> Kind {
        if self.is_array() { Kind::Array } else { Kind::Object }
    }

    /// How wide the offsets of children are.
    #[inline]
    pub(crate) const fn offset_width(&self) -> Width {
        Width::ub4_if(self.opcode & container::OFFSETS_UB4 != 0)
    }

    /// The first byte after the node.
    pub(crate) const fn end(&self) -> usize {
        self.offset_width().place(self.offsets_at, self.count)
    }

    /// The bytes of the node, without its children and without ids that it borrows.
    pub(crate) const fn span(&self) -> Span {
        Span::between(self.at, self.end())
    }

    /// Where the offset of child `index` stands.
    #[inline]
    pub(crate) const fn slot(&self, index: usize) -> usize {
        self.offset_width().place(self.offsets_at, index)
    }
}

impl Node {
    pub(crate) fn kind(&self) -> Kind {
        match self {
            Self::Container(container) => container.kind(),
            Self::Leaf(leaf) => leaf.class.kind(leaf.end.saturating_sub(leaf.payload_at)),
        }
    }

    /// The bytes of the node, without children.
    pub(crate) fn span(&self) -> Span {
        match self {
            Self::Container(container) => container.span(),
            Self::Leaf(leaf) => leaf.span(),
        }
    }
}

impl<S: ByteSource> Image<S> {
    /// The root, once forwardings are followed.
    ///
    /// # Errors
    ///
    /// Those of [`node`](Self::node); `ScalarFlag` when the root is a container and the header says scalar, or the other
    /// way round. Where an update moved the root it may have replaced one by the other.
    pub(crate) fn root_node(&self, map: &impl OverflowMap) -> Result<(Node, u32), DecodeError> {
        let at = self.header.tree.start;
        if !self.header.tree.contains(at) {
            return Err(fault::too_short(at, at.saturating_add(1)));
        }
        let resolved = self.resolve(at, map)?;
        let is_scalar = resolved.opcode & container::CONTAINER == 0;
        if resolved.hops == 0 && is_scalar != self.header.has_scalar_root() {
            return Err(fault::broken(at, Rule::ScalarFlag));
        }
        Ok((self.node(resolved)?, resolved.hops))
    }

    /// The node that a chain of forwardings led to.
    #[inline]
    pub(crate) fn node(&self, resolved: Resolved) -> Result<Node, DecodeError> {
        let Resolved { at, opcode, .. } = resolved;
        if opcode & container::CONTAINER != 0 {
            self.container(at, opcode).map(Node::Container)
        } else {
            self.leaf(at, opcode).map(Node::Leaf)
        }
    }

    /// The container whose `opcode` stands at `at`.
    #[inline]
    pub(crate) fn container(&self, at: usize, opcode: u8) -> Result<Container, DecodeError> {
        let container = match opcode & container::COUNT_MASK {
            container::COUNT_SHARED => self.sharing_object(at, opcode)?,
            _ => self.own_container(at, opcode)?,
        };
        let end = container.end();
        self.within(at, end.saturating_sub(at))?;
        Ok(container)
    }

    /// A container with a count of its own, not checked against the end of its segment.
    #[inline]
    fn own_container(&self, at: usize, opcode: u8) -> Result<Container, DecodeError> {
        let count_width = count_width(opcode);
        let count_at = at.saturating_add(1);
        let count = count_width.read(self.source, count_at)?;
        let ids_at = count_at.saturating_add(count_width.bytes());
        let is_array = opcode & container::ARRAY != 0;
        let offsets_at = if is_array { ids_at } else { self.header.id_width.place(ids_at, count) };
        Ok(Container { at, opcode, count, count_width, ids_at, offsets_at })
    }

    /// An object that has the count and the ids of another. The owner is where its offset says, even if an update moved
    /// the value that stood there: its ids stay.
    fn sharing_object(&self, at: usize, opcode: u8) -> Result<Container, DecodeError> {
        if opcode & container::ARRAY != 0 {
            return Err(fault::broken(at, Rule::ReservedOpcode));
        }
        let width = Width::ub4_if(opcode & container::OFFSETS_UB4 != 0);
        let slot = at.saturating_add(1);
        self.within(slot, width.bytes())?;
        let owner_at = self.position(slot, width.read(self.source, slot)?)?;
        let owner_opcode = ub1(self.source, owner_at)?;
        let is_object = owner_opcode & (container::CONTAINER | container::ARRAY) == container::CONTAINER;
        if !is_object || owner_opcode & container::COUNT_MASK == container::COUNT_SHARED {
            return Err(fault::broken(slot, Rule::SharedOwner));
        }
        let owner = self.own_container(owner_at, owner_opcode)?;
        self.within(owner_at, owner.offsets_at.saturating_sub(owner_at))?;
        Ok(Container { at, opcode, offsets_at: slot.saturating_add(width.bytes()), ..owner })
    }

    /// The place in the image of what lies `offset` bytes after the start of the tree; `slot` is where it was read.
    #[inline]
    pub(crate) fn position(&self, slot: usize, offset: usize) -> Result<usize, DecodeError> {
        let at = self.header.tree.start.saturating_add(offset);
        if self.header.in_tree(at) { Ok(at) } else { Err(fault::outside_tree(slot, offset)) }
    }

    /// Where child `index` of `container` stands, forwardings not followed. `index` must be below its count.
    #[inline]
    pub(crate) fn child(&self, container: &Container, index: usize) -> Result<usize, DecodeError> {
        let slot = container.slot(index);
        let width = container.offset_width();
        let stored = width.read(self.source, slot)?;
        if self.header.has(flag::RELATIVE_OFFSETS) {
            return self.position(slot, self.distant(container.at, width, stored));
        }
        self.position(slot, stored)
    }

    /// The offset that lies `distance` bytes from the container at `at`, modulo 2^16 or 2^32.
    fn distant(&self, at: usize, width: Width, distance: usize) -> usize {
        let from = at.saturating_sub(self.header.tree.start);
        let mask = if width == Width::Ub4 { widen(u32::MAX) } else { usize::from(u16::MAX) };
        from.wrapping_add(distance) & mask
    }

    /// Whether the field ids of `object` ascend, so that they may be searched.
    #[inline]
    pub(crate) const fn has_sorted_ids(&self, object: &Container) -> bool {
        object.opcode & container::IDS_UNSORTED == 0 && !self.header.has(flag::IDS_UNSORTED)
    }

    /// Field id `index` of `object`, as it is stored. `index` must be below its count.
    #[inline]
    pub(crate) fn field_id(&self, object: &Container, index: usize) -> Result<usize, DecodeError> {
        self.header.id_width.read(self.source, self.id_slot(object, index))
    }

    /// Where field id `index` of `object` stands.
    pub(crate) const fn id_slot(&self, object: &Container, index: usize) -> usize {
        self.header.id_width.place(object.ids_at, index)
    }

    /// The place of field `id` among the fields of `object`.
    #[inline]
    pub(crate) fn find_field(&self, object: &Container, id: u32) -> Result<Option<usize>, DecodeError> {
        match self.header.id_width {
            Width::Ub1 => {
                let Ok(id) = u8::try_from(id) else { return Ok(None) };
                // An object that has all names of the image has each at the place of its id.
                let guess = usize::from(id).wrapping_sub(1);
                if guess < object.count && self.source.array(object.ids_at.saturating_add(guess))? == [id] {
                    return Ok(Some(guess));
                }
                let found = self.source.find(id, object.ids_at..object.ids_at.saturating_add(object.count))?;
                Ok(found.map(|at| at.saturating_sub(object.ids_at)))
            }
            _ if self.has_sorted_ids(object) => self.search_field(object, widen(id)),
            _ => self.scan_field(object, widen(id)),
        }
    }

    /// Binary search. The last of it goes over a run of ids that was read as one.
    fn search_field(&self, object: &Container, id: usize) -> Result<Option<usize>, DecodeError> {
        let (mut from, mut to) = (0, object.count);
        while to.saturating_sub(from) > RUN_LEN {
            let middle = from.midpoint(to);
            if self.field_id(object, middle)? <= id { from = middle } else { to = middle }
        }
        let found = match (self.ids(object, from..to)?, id) {
            (Ids::Ub2(ids), id) => search(&ids, u16::try_from(id).ok().map(u16::to_be_bytes)),
            (Ids::Ub4(ids), id) => search(&ids, u32::try_from(id).ok().map(u32::to_be_bytes)),
        };
        Ok(found.map(|index| from.saturating_add(index)))
    }

    /// Linear search, over all ids in one run.
    fn scan_field(&self, object: &Container, id: usize) -> Result<Option<usize>, DecodeError> {
        Ok(match (self.ids(object, 0..object.count)?, id) {
            (Ids::Ub2(ids), id) => scan(&ids, u16::try_from(id).ok().map(u16::to_be_bytes)),
            (Ids::Ub4(ids), id) => scan(&ids, u32::try_from(id).ok().map(u32::to_be_bytes)),
        })
    }

    /// A run of the ids of `object`, which are of two or four bytes.
    fn ids(&self, object: &Container, range: Range<usize>) -> Result<Ids<S::Bytes>, DecodeError> {
        let bytes = self.source.bytes(self.id_slot(object, range.start)..self.id_slot(object, range.end))?;
        Ok(if self.header.id_width == Width::Ub4 { Ids::Ub4(bytes) } else { Ids::Ub2(bytes) })
    }
}

/// Ids of two bytes or of four.
enum Ids<B> {
    Ub2(B),
    Ub4(B),
}

/// The place of `wanted` among `N`-byte numbers, which ascend. Big-endian bytes sort as the numbers do.
fn search<const N: usize>(numbers: &[u8], wanted: Option<[u8; N]>) -> Option<usize> {
    let (numbers, _) = numbers.as_chunks::<N>();
    numbers.binary_search(&wanted?).ok()
}

/// The first place of `wanted` among `N`-byte numbers.
fn scan<const N: usize>(numbers: &[u8], wanted: Option<[u8; N]>) -> Option<usize> {
    let (numbers, wanted) = (numbers.as_chunks::<N>().0, wanted?);
    numbers.iter().position(|number| *number == wanted)
}

/// How wide the child count is of a container that has one.
#[inline]
const fn count_width(opcode: u8) -> Width {
    match opcode & container::COUNT_MASK {
        container::COUNT_UB1 => Width::Ub1,
        container::COUNT_UB2 => Width::Ub2,
        _ => Width::Ub4,
    }
}
