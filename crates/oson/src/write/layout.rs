//! How large each container's node is, and with that where everything stands.

use crate::width::{Width, narrow, widen};

use super::shapes::Shapes;
use super::tape::{Node, Patch, Place, Tape};
use super::{Options, Style};

/// From so many bytes on offsets of two bytes do not reach everything.
const UB2_END: u64 = 0x1_0000;

/// The forms of a document's containers.
#[derive(Debug, Default)]
pub(super) struct Layout {
    /// One for each patch, and one more for what comes after the last.
    forms: Vec<Form>,
    /// The bytes of the tree segment.
    pub(super) tree_len: u64,
    /// Containers too short for the longest forwarding, and objects whose ids others share.
    pub(super) tiny_nodes: usize,
}

/// How a container is written, and what all patches before it add to the leaves.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Form {
    /// Modulo 2^32, since what is left out counts negative.
    added: u32,
    /// Offsets are UB4.
    pub(super) wide: bool,
    /// The ids are those of another object.
    pub(super) borrowed: bool,
}

/// What decides the size of a node, beside the node.
struct Rules {
    id_bytes: u64,
    shares_ids: bool,
}

impl Layout {
    /// Lays the tree out; `shapes` learns which objects lend their ids.
    pub(super) fn lay_out(&mut self, tape: &Tape, shapes: &mut Shapes, id_width: Width, options: &Options) {
        let id_bytes = u64::try_from(id_width.bytes()).unwrap_or(4);
        let rules = Rules { id_bytes, shares_ids: options.style == Style::Compact };
        if options.style == Style::Compact {
            if tape.leaves.len() < widen(0x1_0000) {
                self.pass(tape, shapes, &rules, |_, _| false);
                if self.tree_len < UB2_END {
                    return;
                }
            }
            self.pass(tape, shapes, &rules, |_, _| true);
            // Where everything in a container has ended within reach, offsets of two bytes do; and the tree only shrinks.
            self.pass(tape, shapes, &rules, |forms, node| position(forms, node.end) >= UB2_END);
        } else {
            self.pass(tape, shapes, &rules, |_, _| true);
        }
    }

    fn pass(&mut self, tape: &Tape, shapes: &mut Shapes, rules: &Rules, is_wide: impl Fn(&[Form], &Node) -> bool) {
        shapes.list.iter_mut().for_each(|shape| shape.lent = false);
        self.forms.resize(tape.patches.len().saturating_add(1), Form::default());
        self.tiny_nodes = 0;
        // Below 2^32 times 9 bytes each: far from the end.
        let mut added = 0_u64;
        for (index, patch) in tape.patches.iter().enumerate() {
            let mut form = Form { added: low_half(added), ..Form::default() };
            match patch {
                Patch::Container(node) => {
                    form.wide = is_wide(&self.forms, node);
                    form.borrowed = index > 0 && rules.borrows(node, form.wide, shapes, index);
                    let size = rules.size(node, form);
                    self.tiny_nodes = self.tiny_nodes.wrapping_add(usize::from(size < 5));
                    added = added.wrapping_add(size);
                }
                Patch::Repeat(repeat) if repeat.left_out => added = added.wrapping_sub(u64::from(repeat.len)),
                Patch::Repeat(_) => {}
            }
            if let Some(slot) = self.forms.get_mut(index) {
                *slot = form;
            }
        }
        if let Some(last) = self.forms.last_mut() {
            *last = Form { added: low_half(added), ..Form::default() };
        }
        self.tree_len = u64::try_from(tape.leaves.len()).unwrap_or(u64::MAX).wrapping_add(added);
        let lent = shapes.list.iter().filter(|shape| shape.lent).count();
        self.tiny_nodes = self.tiny_nodes.wrapping_add(lent);
    }

    /// The form of patch `index`.
    #[inline]
    pub(super) fn form(&self, index: usize) -> Form {
        self.forms.get(index).copied().unwrap_or_default()
    }

    /// The offset of a place from the start of the tree segment.
    #[inline]
    pub(super) fn offset(&self, place: Place) -> u32 {
        place.leaf_bytes.wrapping_add(self.form(widen(place.patches)).added)
    }
}

/// The offset of a place by these forms.
fn position(forms: &[Form], place: Place) -> u64 {
    let added = forms.get(widen(place.patches)).map_or(0, |form| form.added);
    u64::from(place.leaf_bytes.wrapping_add(added))
}

fn low_half(value: u64) -> u32 {
    let [_, _, _, _, a, b, c, d] = value.to_be_bytes();
    u32::from_be_bytes([a, b, c, d])
}

impl Rules {
    /// Whether the object is written with the ids of another; that one then lends them.
    fn borrows(&self, node: &Node, wide: bool, shapes: &mut Shapes, index: usize) -> bool {
        let shape = node.shape.filter(|_| self.shares_ids).and_then(|shape| shapes.list.get_mut(widen(shape)));
        let Some(shape) = shape.filter(|shape| shape.owner != narrow(index)) else { return false };
        let own = count_bytes(node.len).wrapping_add(self.id_bytes.wrapping_mul(u64::from(node.len)));
        let saves = own > offset_bytes(wide);
        shape.lent |= saves;
        saves
    }

    /// The bytes of the container's node.
    fn size(&self, node: &Node, form: Form) -> u64 {
        let offset_bytes = offset_bytes(form.wide);
        let ids = if node.is_object { self.id_bytes } else { 0 };
        let (head, per_child) = if form.borrowed {
            (offset_bytes, offset_bytes)
        } else {
            (count_bytes(node.len), offset_bytes.wrapping_add(ids))
        };
        per_child.wrapping_mul(u64::from(node.len)).wrapping_add(head).wrapping_add(1)
    }
}

fn offset_bytes(wide: bool) -> u64 {
    if wide { 4 } else { 2 }
}

fn count_bytes(count: u32) -> u64 {
    match count {
        0..=0xFF => 1,
        0x100..=0xFFFF => 2,
        _ => 4,
    }
}
