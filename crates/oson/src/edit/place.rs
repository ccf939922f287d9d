//! Where a value stands, and what leads to it.

use boson_document::edit::PathFault;
use boson_document::{DecodeError, Kind, Segment};

use super::census::Sharing;
use crate::node::{Container, Node};
use crate::tag::{container, flag};
use crate::update::{Resolved, is_moved};
use crate::view::{Document, UNSORTED_FIELDS_MAX};
use crate::width::{Width, narrow, ub1};

/// A value, and the way from its parent to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// The offset in the parent; `None` for the root.
    pub(super) slot: Option<Slot>,
    /// The last forwarding on the way, where there is one.
    pub(super) forwarding: Option<Forwarding>,
    pub(super) node: Node,
    /// Whether nothing else leads to the last forwarding.
    pub(super) forwarding_is_single: bool,
    /// Whether nothing else leads to the node.
    pub(super) is_single: bool,
}

/// The offset of a child.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slot {
    pub(super) container: Container,
    pub(super) index: usize,
}

/// What an update left where a value stood.
#[derive(Clone, Copy, Debug)]
pub(super) struct Forwarding {
    pub(super) at: usize,
    pub(super) opcode: u8,
}

/// Where a step of a path leads.
pub(super) enum Step {
    /// To this child.
    Child(usize),
    /// To a field which the object has not.
    Absent,
}

impl Place {
    /// The container; `None` of a leaf.
    pub(super) fn container(&self) -> Option<Container> {
        match self.node {
            Node::Container(container) => Some(container),
            Node::Leaf(_) => None,
        }
    }

    /// The container, which must be one of this kind.
    pub(super) fn expect(&self, expected: Kind) -> Result<Container, PathFault> {
        let fault = PathFault::NotContainer { expected, found: self.node.kind() };
        self.container().filter(|container| container.kind() == expected).ok_or(fault)
    }

    /// Whether the bytes of the node are this value's alone.
    pub(super) fn may_be_overwritten(&self) -> bool {
        self.is_single && !self.lends_ids()
    }

    /// Whether other objects use the ids of this one.
    pub(super) fn lends_ids(&self) -> bool {
        self.container().is_some_and(|container| lends_ids(&container))
    }
}

/// Whether other objects use the ids of this container.
pub(super) const fn lends_ids(container: &Container) -> bool {
    !container.is_array() && container.opcode & container::IDS_LENT != 0
}

/// How many bytes of a node nothing needs any more when its value goes: of an object whose ids others use, the offsets.
pub(super) fn freed_len(node: &Node) -> usize {
    match node {
        Node::Container(object) if lends_ids(object) => object.end().saturating_sub(object.offsets_at),
        node => node.span().len,
    }
}

/// Whether the places of its values tell the order of the fields of this object.
pub(super) fn is_ordered_by_place(document: &Document<'_>, container: &Container) -> bool {
    !container.is_array() && container.count > UNSORTED_FIELDS_MAX && document.has_sorted_ids(container)
}

/// The root of `document`.
pub(super) fn root(document: &Document<'_>, sharing: &Sharing) -> Result<Place, DecodeError> {
    document.root_node(document)?;
    reach(document, sharing, None, document.header.tree.start)
}

/// Child `index` of `container`.
pub(super) fn child(
    document: &Document<'_>,
    sharing: &Sharing,
    container: Container,
    index: usize,
) -> Result<Place, DecodeError> {
    let at = document.child(&container, index)?;
    reach(document, sharing, Some(Slot { container, index }), at)
}

/// The value that `slot`, which says `at`, leads to.
fn reach(document: &Document<'_>, sharing: &Sharing, slot: Option<Slot>, mut at: usize) -> Result<Place, DecodeError> {
    let Resolved { hops, .. } = document.resolve(at, document)?;
    let (mut is_single, mut forwarding) = (true, None);
    for _ in 0..hops {
        let opcode = ub1(document.source, at)?;
        is_single &= !sharing.is_shared(document.header.flags, at, opcode, false);
        forwarding = Some(Forwarding { at, opcode });
        at = document.forward(at, opcode, document)?;
    }
    let opcode = ub1(document.source, at)?;
    debug_assert!(!is_moved(opcode), "the number of hops was counted");
    let node = document.node(Resolved { at, opcode, hops })?;
    let is_empty = matches!(node, Node::Container(Container { count: 0, .. }));
    let forwarding_is_single = is_single;
    is_single &= !sharing.is_shared(document.header.flags, at, opcode, is_empty);
    Ok(Place { slot, forwarding, node, forwarding_is_single, is_single })
}

/// Where `segment` leads in `container`.
pub(super) fn step(document: &Document<'_>, place: &Place, segment: &Segment) -> Result<Step, StepError> {
    match segment {
        Segment::Index(index) => {
            let array = place.expect(Kind::Array)?;
            if *index < array.count {
                return Ok(Step::Child(*index));
            }
            Err(PathFault::NoSuchElement { len: array.count }.into())
        }
        Segment::Field(name) => {
            let object = place.expect(Kind::Object)?;
            let Some(id) = document.name_id(name)? else { return Ok(Step::Absent) };
            Ok(document.find_field(&object, id.0)?.map_or(Step::Absent, Step::Child))
        }
    }
}

/// Why a step leads nowhere.
pub(super) enum StepError {
    Path(PathFault),
    Decode(DecodeError),
}

impl From<PathFault> for StepError {
    fn from(fault: PathFault) -> Self {
        Self::Path(fault)
    }
}

impl From<DecodeError> for StepError {
    fn from(error: DecodeError) -> Self {
        Self::Decode(error)
    }
}

/// The offset that a child of the container at `container_at`, in a slot of this width, has when it stands at `to`; `None`
/// when the slot does not reach there.
pub(super) fn offset(document: &Document<'_>, container_at: usize, width: Width, to: usize) -> Option<u32> {
    let position = u32::try_from(to.checked_sub(document.header.tree.start)?).ok()?;
    if width == Width::Ub2 && position > u32::from(u16::MAX) {
        return None;
    }
    if !document.header.has(flag::RELATIVE_OFFSETS) {
        return Some(position);
    }
    let from = narrow(container_at.saturating_sub(document.header.tree.start));
    let distance = position.wrapping_sub(from);
    Some(if width == Width::Ub2 { distance & u32::from(u16::MAX) } else { distance })
}
