//! The image, from what was kept of the document.

use crate::tag::{LONG_OFFSETS_UB2, MAGIC, VERSION_LONG_NAMES, VERSION_PLAIN, container, flag};
use crate::width::{Width, narrow, widen};

use super::dictionary::{Dictionary, offset_width};
use super::layout::{Form, Layout};
use super::shapes::Shapes;
use super::tape::{Child, Node, Patch, Tape};
use super::{Options, Style};

/// Objects of more fields are sorted by id.
pub(super) const UNSORTED_FIELDS_MAX: u32 = 10;

/// Appends the header of a document that is one scalar, whose node has `node_len` bytes.
pub(super) fn put_scalar_header(out: &mut Vec<u8>, node_len: usize) {
    let tree = TreeSize::of(node_len);
    put_start(out, VERSION_PLAIN, flag::INLINE_LEAF | flag::LENGTH_IN_OPCODE | flag::SCALAR | tree.flag());
    tree.put(out);
}

fn put_start(out: &mut Vec<u8>, version: u8, flags: u16) {
    out.extend_from_slice(&MAGIC);
    out.push(version);
    out.extend_from_slice(&flags.to_be_bytes());
}

/// How large the tree segment is, and how the header says it.
struct TreeSize {
    bytes: u32,
    width: Width,
}

impl TreeSize {
    fn of(bytes: usize) -> Self {
        Self { bytes: narrow(bytes), width: Width::ub4_if(bytes > 0xFFFF) }
    }

    fn flag(&self) -> u16 {
        if self.width == Width::Ub4 { flag::TREE_UB4 } else { 0 }
    }

    fn put(&self, out: &mut Vec<u8>) {
        put_integer(out, self.width, self.bytes);
    }
}

/// An integer of this width.
fn put_integer(out: &mut Vec<u8>, width: Width, value: u32) {
    let bytes = value.to_be_bytes();
    let [_, ub3 @ ..] = bytes;
    let [_, ub2 @ ..] = ub3;
    let [_, ub1] = ub2;
    match width {
        Width::Ub1 => out.push(ub1),
        Width::Ub2 => out.extend_from_slice(&ub2),
        Width::Ub4 => out.extend_from_slice(&bytes),
    }
}

/// Everything that an image of a container is made from.
pub(super) struct Image<'a> {
    pub(super) tape: &'a Tape,
    pub(super) layout: &'a Layout,
    pub(super) dictionary: &'a Dictionary,
    pub(super) options: &'a Options,
    pub(super) shares_values: bool,
    /// The number for the header: containers too short to be overwritten by a forwarding.
    pub(super) tiny_nodes: usize,
}

/// What sorting the ids of objects needs.
#[derive(Debug, Default)]
pub(super) struct Sorting {
    /// The children of one object, by id: the id and, below it, the child's index.
    by_id: Vec<u64>,
    /// The same of every shape that was met, without the ids.
    orders: Vec<u32>,
}

impl Sorting {
    pub(super) fn clear(&mut self) {
        self.orders.clear();
    }

    /// Where in `orders` the order of the node's children begins.
    fn order(&mut self, children: &[Child], ids: &[u32]) -> u32 {
        let keys = children.iter().zip(0_u64..).map(|(child, index)| u64::from(id(ids, child)) << 32 | index);
        self.by_id.clear();
        self.by_id.extend(keys);
        self.by_id.sort_unstable();
        let start = narrow(self.orders.len());
        self.orders.extend(self.by_id.iter().map(|key| low_half(*key)));
        start
    }
}

fn low_half(value: u64) -> u32 {
    let [_, _, _, _, a, b, c, d] = value.to_be_bytes();
    u32::from_be_bytes([a, b, c, d])
}

#[inline]
fn id(ids: &[u32], child: &Child) -> u32 {
    ids.get(widen(child.name)).copied().unwrap_or_default()
}

impl Image<'_> {
    /// Appends the header and the dictionary.
    pub(super) fn put_header(&self, out: &mut Vec<u8>) {
        let (short_count, short_heap) = self.dictionary.short();
        let (long_count, long_heap) = self.dictionary.long();
        let id_width = self.dictionary.id_width();
        let heap_width = offset_width(short_heap);
        let tree = TreeSize::of(usize::try_from(self.layout.tree_len).unwrap_or(usize::MAX));
        let has_long = long_count > 0;
        put_start(
            out,
            if has_long { VERSION_LONG_NAMES } else { VERSION_PLAIN },
            self.flags(id_width, heap_width) | tree.flag(),
        );
        put_integer(out, id_width, short_count);
        put_integer(out, heap_width, short_heap);
        if has_long {
            let flags = if offset_width(long_heap) == Width::Ub2 { LONG_OFFSETS_UB2 } else { 0 };
            out.extend_from_slice(&flags.to_be_bytes());
            out.extend_from_slice(&long_count.to_be_bytes());
            out.extend_from_slice(&long_heap.to_be_bytes());
        }
        tree.put(out);
        out.extend_from_slice(&u16::try_from(self.tiny_nodes).unwrap_or(u16::MAX).to_be_bytes());
        out.extend_from_slice(self.dictionary.bytes());
    }

    fn flags(&self, id_width: Width, heap_width: Width) -> u16 {
        let always = flag::INLINE_LEAF | flag::LENGTH_IN_OPCODE | flag::HASH_UB1 | flag::TINY_NODES;
        let names = match id_width {
            Width::Ub1 => 0,
            Width::Ub2 => flag::NAME_COUNT_UB2,
            Width::Ub4 => flag::NAME_COUNT_UB4,
        };
        let heap = if heap_width == Width::Ub4 { flag::HEAP_UB4 } else { 0 };
        let shared = if self.shares_values { flag::SIMPLE_VALUES_SHARED | flag::LAST_VALUES_SHARED } else { 0 };
        always | names | heap | shared
    }

    /// Appends the tree segment.
    pub(super) fn put_tree(&self, out: &mut Vec<u8>, shapes: &mut Shapes, sorting: &mut Sorting) {
        let mut copied = 0;
        for (index, patch) in self.tape.patches.iter().enumerate() {
            match patch {
                Patch::Container(node) => {
                    copied = self.copy_leaves(out, copied, node.at);
                    self.put_container(out, node, self.layout.form(index), shapes, sorting);
                }
                Patch::Repeat(repeat) if repeat.left_out => {
                    copied = self.copy_leaves(out, copied, repeat.at).saturating_add(widen(repeat.len));
                }
                Patch::Repeat(_) => {}
            }
        }
        out.extend_from_slice(self.tape.leaves.get(copied..).unwrap_or_default());
    }

    /// Appends the leaves from `from` up to `to`, which it returns.
    #[inline]
    fn copy_leaves(&self, out: &mut Vec<u8>, from: usize, to: u32) -> usize {
        let to = widen(to);
        out.extend_from_slice(self.tape.leaves.get(from..to).unwrap_or_default());
        to
    }

    #[inline]
    fn put_container(&self, out: &mut Vec<u8>, node: &Node, form: Form, shapes: &mut Shapes, sorting: &mut Sorting) {
        let children = self.tape.children_of(node);
        if !node.is_object {
            put_counted_opcode(out, container::CONTAINER | container::ARRAY, form, node.len);
            return self.put_offsets(out, form, children.len(), children.iter());
        }
        let sorted = !self.options.keep_order && self.options.style == Style::Compact && node.len > UNSORTED_FIELDS_MAX;
        let opcode = container::CONTAINER | if sorted { 0 } else { container::IDS_UNSORTED };
        if form.borrowed {
            self.put_borrowed_opcode(out, opcode, form, node, shapes);
        } else {
            let lent = if node.shape.and_then(|shape| shapes.list.get(widen(shape))).is_some_and(|shape| shape.lent) {
                container::IDS_LENT
            } else {
                0
            };
            put_counted_opcode(out, opcode | lent, form, node.len);
        }
        if sorted {
            self.put_sorted_members(out, node, form, shapes, sorting);
        } else {
            if !form.borrowed {
                self.put_ids(out, children.len(), children.iter());
            }
            self.put_offsets(out, form, children.len(), children.iter());
        }
    }

    fn put_borrowed_opcode(&self, out: &mut Vec<u8>, opcode: u8, form: Form, node: &Node, shapes: &Shapes) {
        let wide = if form.wide { container::OFFSETS_UB4 } else { 0 };
        out.push(opcode | container::COUNT_SHARED | wide);
        let shape = node.shape.and_then(|shape| shapes.list.get(widen(shape)));
        let owner = shape.map_or(0, |shape| self.container_offset(shape.owner));
        put_integer(out, Width::ub4_if(form.wide), owner);
    }

    /// The offset of the container whose patch this is.
    fn container_offset(&self, patch: u32) -> u32 {
        match self.tape.patches.get(widen(patch)) {
            Some(Patch::Container(node)) => {
                self.layout.offset(super::tape::Place { leaf_bytes: node.at, patches: patch })
            }
            _ => 0,
        }
    }

    fn put_sorted_members(
        &self,
        out: &mut Vec<u8>,
        node: &Node,
        form: Form,
        shapes: &mut Shapes,
        sorting: &mut Sorting,
    ) {
        let children = self.tape.children_of(node);
        let shape = node.shape.and_then(|shape| shapes.list.get_mut(widen(shape)));
        let known = shape.as_ref().and_then(|shape| shape.order);
        let start = known.unwrap_or_else(|| sorting.order(children, self.dictionary.ids()));
        if let Some(shape) = shape {
            shape.order = Some(start);
        }
        let start = widen(start);
        let order = sorting.orders.get(start..start.saturating_add(children.len())).unwrap_or_default();
        let sorted = order.iter().filter_map(|index| children.get(widen(*index)));
        if !form.borrowed {
            self.put_ids(out, children.len(), sorted.clone());
        }
        self.put_offsets(out, form, children.len(), sorted);
    }

    #[inline]
    fn put_ids<'c>(&self, out: &mut Vec<u8>, count: usize, children: impl Iterator<Item = &'c Child>) {
        let ids = self.dictionary.ids();
        match self.dictionary.id_width() {
            Width::Ub1 => put_each(out, count, children, |child| {
                let [.., byte] = id(ids, child).to_be_bytes();
                [byte]
            }),
            Width::Ub2 => put_each(out, count, children, |child| {
                let [_, _, ub2 @ ..] = id(ids, child).to_be_bytes();
                ub2
            }),
            Width::Ub4 => put_each(out, count, children, |child| id(ids, child).to_be_bytes()),
        }
    }

    #[inline]
    fn put_offsets<'c>(&self, out: &mut Vec<u8>, form: Form, count: usize, children: impl Iterator<Item = &'c Child>) {
        if form.wide {
            put_each(out, count, children, |child| self.layout.offset(child.place).to_be_bytes());
        } else {
            put_each(out, count, children, |child| {
                let [_, _, ub2 @ ..] = self.layout.offset(child.place).to_be_bytes();
                ub2
            });
        }
    }
}

/// Appends `N` bytes for each of `count` children. Room is made once for all, which is what takes the time otherwise.
#[inline]
fn put_each<'c, const N: usize>(
    out: &mut Vec<u8>,
    count: usize,
    children: impl Iterator<Item = &'c Child>,
    bytes: impl Fn(&Child) -> [u8; N],
) {
    let start = out.len();
    out.resize(start.saturating_add(count.saturating_mul(N)), 0);
    let slots = out.get_mut(start..).unwrap_or_default().as_chunks_mut().0;
    slots.iter_mut().zip(children).for_each(|(slot, child)| *slot = bytes(child));
}

/// The opcode with the width of the count, and the count.
#[inline]
fn put_counted_opcode(out: &mut Vec<u8>, opcode: u8, form: Form, count: u32) {
    let opcode = opcode | if form.wide { container::OFFSETS_UB4 } else { 0 };
    let (count_bits, width) = match count {
        0..=0xFF => (container::COUNT_UB1, Width::Ub1),
        0x100..=0xFFFF => (container::COUNT_UB2, Width::Ub2),
        _ => (container::COUNT_UB4, Width::Ub4),
    };
    out.push(opcode | count_bits);
    put_integer(out, width, count);
}
