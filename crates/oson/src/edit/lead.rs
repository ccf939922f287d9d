//! Leading the way to a value to where its new bytes are, and putting an end to an edit.

use boson_document::edit::{Buffer, Edit, New, Reason};
use boson_document::{Segment, Value};

use super::container::Alter;
use super::place::{self, Forwarding, Place, freed_len, is_ordered_by_place, lends_ids};
use super::{Editor, Halt, policy};
use crate::node::Node;
use crate::tag::{self, container, opcode};
use crate::width::{Width, narrow};

/// How many bytes the forwardings take.
const FORWARDING_UB2_LEN: usize = 3;
const FORWARDING_UB4_LEN: usize = 5;

impl<B: Buffer> Editor<B> {
    /// The value at `place`, the end of `steps`, becomes `new`.
    pub(super) fn replace(&mut self, steps: &[Segment], place: &Place, new: &New<'_>) -> Result<(), Halt> {
        let freed = self.given_up(place);
        let span = place.node.span();
        if place.may_be_overwritten() && self.write_over(span.offset, span.len, new)? {
            self.live_len = self.live_len.saturating_sub(freed);
            return Ok(());
        }
        let to = self.append_new(new, steps.len().saturating_add(1))?;
        self.live_len = self.live_len.saturating_sub(freed);
        self.lead_or_copy(steps, *place, to)
    }

    /// The root becomes `new`. Whether it is a scalar stands in the header, and decides what else does.
    pub(super) fn set_root(&mut self, new: &New<'_>) -> Result<(), Halt> {
        let place = place::root(&self.document(), &self.sharing)?;
        let is_scalar = match new {
            New::Scalar(_) => true,
            New::Tree(value) => !matches!(value, Value::Object(_) | Value::Array(_)),
        };
        if is_scalar != self.header.has_scalar_root() || is_scalar != matches!(place.node, Node::Leaf(_)) {
            return Err(Halt::Rebuild(Reason::ScalarRoot));
        }
        self.replace(&[], &place, new)
    }

    /// Makes what leads to the value at `place`, the end of `steps`, lead to `to`. Where nothing there can, the container
    /// around it is copied with the new offset, and so on towards the root.
    pub(super) fn lead_or_copy(&mut self, mut steps: &[Segment], mut place: Place, mut to: usize) -> Result<(), Halt> {
        while !self.lead(&place, to)? {
            if self.draft.map_was_full && self.is_first_update() && self.draft.map_room == 0 {
                return Err(Halt::MapRoom);
            }
            let (Some(slot), Some((_, outer))) = (place.slot, steps.split_last()) else {
                return Err(Halt::Rebuild(Reason::OutOfReach));
            };
            let parent = self.locate(outer)?;
            to = self.append_container(&slot.container, &Alter::Point { index: slot.index, to })?;
            self.live_len = self.live_len.saturating_sub(freed_len(&parent.node));
            (place, steps) = (parent, outer);
        }
        Ok(())
    }

    /// Whether the update parts are made by this edit.
    fn is_first_update(&self) -> bool {
        self.header.tree.end >= self.draft.start
    }

    /// Makes what leads to the value at `place` lead to `to`, by overwriting as little as there is. False when nothing
    /// can, and nothing was written.
    fn lead(&mut self, place: &Place, to: usize) -> Result<bool, Halt> {
        let extended_at = self.header.update.extended.start;
        let Ok(offset) = u32::try_from(to.saturating_sub(extended_at)) else { return Ok(false) };
        if let Some(forwarding) = place.forwarding.filter(|_| place.forwarding_is_single)
            && self.turn(forwarding, offset)?
        {
            return Ok(true);
        }
        Ok(self.forward(place, offset) || self.point(place, to) || self.map(place, offset))
    }

    /// Changes where a forwarding leads to.
    fn turn(&mut self, forwarding: Forwarding, offset: u32) -> Result<bool, Halt> {
        let (at, width) = match forwarding.opcode {
            opcode::MOVED_UB2 => (forwarding.at.saturating_add(1), Width::Ub2),
            opcode::MOVED_UB4 => (forwarding.at.saturating_add(1), Width::Ub4),
            _ => {
                let update = self.header.update;
                let key = forwarding.at.saturating_sub(self.header.tree.start);
                let Some(index) = update.find_entry(self.buffer.as_bytes(), key)? else { return Ok(false) };
                (update.entry_at(index).saturating_add(update.entry_width.bytes()), update.entry_width)
            }
        };
        let reaches = holds(width, offset);
        if reaches {
            self.write_integer(at, width, offset);
        }
        Ok(reaches)
    }

    /// Overwrites the node with a forwarding, if it is this value's alone and long enough: with the longest that fits, as
    /// servers do.
    fn forward(&mut self, place: &Place, offset: u32) -> bool {
        let span = place.node.span();
        if !place.may_be_overwritten() || span.len < FORWARDING_UB2_LEN {
            return false;
        }
        if span.len >= FORWARDING_UB4_LEN {
            self.write(span.offset, &[opcode::MOVED_UB4]);
            self.write_integer(span.offset.saturating_add(1), Width::Ub4, offset);
            self.live_len = self.live_len.saturating_add(FORWARDING_UB4_LEN);
            return true;
        }
        let reaches = holds(Width::Ub2, offset);
        if reaches {
            self.write(span.offset, &[opcode::MOVED_UB2]);
            self.write_integer(span.offset.saturating_add(1), Width::Ub2, offset);
            self.live_len = self.live_len.saturating_add(FORWARDING_UB2_LEN);
        }
        reaches
    }

    /// Changes the offset in the parent, unless its place tells the order of the parent's fields.
    fn point(&mut self, place: &Place, to: usize) -> bool {
        let Some(slot) = place.slot else { return false };
        let document = self.document();
        if self.keep_offsets || is_ordered_by_place(&document, &slot.container) {
            return false;
        }
        let width = slot.container.offset_width();
        let Some(offset) = place::offset(&document, slot.container.at, width, to) else { return false };
        self.write_integer(slot.container.slot(slot.index), width, offset);
        true
    }

    /// Marks the node as moved and adds an entry to the overflow map: the first byte is enough for that, and an object
    /// whose ids others use keeps them.
    fn map(&mut self, place: &Place, offset: u32) -> bool {
        let update = self.header.update;
        let at = place.node.span().offset;
        let key = narrow(at.saturating_sub(self.header.tree.start));
        let fits = holds(update.entry_width, key.max(offset));
        if !place.is_single || !self.header.tree.contains(at) {
            return false;
        }
        let entries = update.entries.saturating_add(1);
        let has_room = update.entry_at(entries) <= update.extended.start && u16::try_from(entries).is_ok();
        if !has_room || !fits {
            self.draft.map_was_full |= !has_room;
            return false;
        }
        let moved = match place.node {
            Node::Container(object) if lends_ids(&object) => object.opcode | container::MOVED,
            _ => opcode::MOVED_BY_MAP,
        };
        self.write(at, &[moved]);
        let entry_at = update.entry_at(update.entries);
        self.write_integer(entry_at, update.entry_width, key);
        self.write_integer(entry_at.saturating_add(update.entry_width.bytes()), update.entry_width, offset);
        self.header.update.entries = entries;
        if !self.is_first_update() {
            self.write_integer(self.header.tree.end.saturating_add(2), Width::Ub2, narrow(entries));
        }
        self.live_len = self.live_len.saturating_add(usize::from(moved == opcode::MOVED_BY_MAP));
        true
    }

    /// How many bytes nothing needs any more when the value at `place` goes.
    pub(super) fn given_up(&mut self, place: &Place) -> usize {
        if !place.is_single {
            return 0;
        }
        let mut stack = std::mem::take(&mut self.scratch.stack);
        let len = policy::given_up(&self.document(), &self.sharing, place.node.span().offset, &mut stack);
        self.scratch.stack = stack;
        len
    }

    /// Makes the header say what there is now. Returns what the edit cost.
    pub(super) fn settle(&mut self) -> Edit {
        let (start, end) = (self.draft.start, self.buffer.as_bytes().len());
        let appended = end.saturating_sub(start);
        if appended == 0 {
            return Edit::InPlace { written: self.draft.written };
        }
        let at = self.header.tree.end;
        if self.is_first_update() {
            self.write_update_header();
        } else {
            let extended_len = narrow(self.header.extended_tree_len());
            self.write_integer(at.saturating_add(12), Width::Ub4, extended_len);
        }
        Edit::Appended { written: self.draft.written, appended }
    }

    fn write_update_header(&mut self) {
        let update = self.header.update;
        let at = self.header.tree.end;
        let flags = if update.entry_width == Width::Ub2 { u32::from(tag::MAP_UB2) } else { 0 };
        let map_len = update.extended.start.saturating_sub(update.map_at);
        self.write_integer(at, Width::Ub2, flags);
        self.write_integer(at.saturating_add(2), Width::Ub2, narrow(update.entries));
        self.write_integer(at.saturating_add(8), Width::Ub4, narrow(map_len));
        self.write_integer(at.saturating_add(12), Width::Ub4, narrow(update.extended.len()));
        self.header.version = match self.header.version {
            tag::VERSION_PLAIN | tag::VERSION_UPDATED => tag::VERSION_UPDATED,
            _ => tag::VERSION_LONG_NAMES_UPDATED,
        };
        self.write(VERSION_AT, &[self.header.version]);
    }
}

/// Where the version stands.
const VERSION_AT: usize = 3;

/// Whether a number of this width can be `value`.
fn holds(width: Width, value: u32) -> bool {
    width == Width::Ub4 || u16::try_from(value).is_ok()
}
