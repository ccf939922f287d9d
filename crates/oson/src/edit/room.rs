//! Room behind containers, in which they get more children without being copied.
//!
//! Nothing in an image tells what bytes are free, so an editor remembers it of the last few containers that it has made
//! smaller, or has copied with room to spare since they had been copied before.

use boson_document::edit::Buffer;

use super::Editor;
use super::container::Chunk;
use super::place::{Place, is_ordered_by_place, offset};
use crate::dictionary::NameId;
use crate::node::Container;
use crate::width::{Width, narrow};

/// How many containers are remembered.
const ROOMS: usize = 8;

/// The free bytes behind some containers.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Rooms {
    rooms: [Room; ROOMS],
    next: usize,
}

/// The bytes of the container at `at` and those behind it that are free, up to `end`.
#[derive(Clone, Copy, Debug, Default)]
struct Room {
    at: usize,
    end: usize,
}

impl Rooms {
    /// Remembers that the bytes from the container at `at` up to `end` are its own.
    pub(super) fn remember(&mut self, at: usize, end: usize) {
        if let Some(room) = self.rooms.iter_mut().find(|room| room.at == at) {
            room.end = room.end.max(end);
            return;
        }
        if let Some(room) = self.rooms.get_mut(self.next) {
            *room = Room { at, end };
        }
        self.next = self.next.saturating_add(1).checked_rem(ROOMS).unwrap_or_default();
    }

    /// Where the free bytes behind the container at `at` end, as far as it is known.
    fn end(&self, at: usize) -> Option<usize> {
        self.rooms.iter().find(|room| room.at == at && at > 0).map(|room| room.end)
    }
}

impl<B: Buffer> Editor<B> {
    /// How many bytes are left free behind a copy of `container`, for as many children as are half of those there: when it
    /// stands in the extended tree, so that it has been copied before and will be again.
    pub(super) fn room_len(&self, container: &Container, child_len: usize) -> usize {
        let was_copied = container.at >= self.header.update.extended.start;
        if was_copied { (container.count / 2).saturating_add(4).saturating_mul(child_len) } else { 0 }
    }

    /// Gives the container at `place` the child at `to`, where it stands. False when there is no room, and nothing was
    /// written.
    pub(super) fn grow(
        &mut self,
        place: &Place,
        container: &Container,
        index: usize,
        id: Option<NameId>,
        to: usize,
    ) -> bool {
        let Some(room_end) = self.rooms.end(container.at) else { return false };
        let width = container.offset_width();
        let Some(offset) = offset(&self.document(), container.at, width, to) else { return false };
        let id_len = if container.is_array() { 0 } else { self.header.id_width.bytes() };
        let child_len = id_len.saturating_add(width.bytes());
        let count = container.count.saturating_add(1);
        if !place.may_be_overwritten()
            || container.is_shared()
            || container.end().saturating_add(child_len) > room_end
            || !holds_count(container.count_width, count)
        {
            return false;
        }
        let Some(index) = self.place_of(container, index, id) else { return false };
        self.make_gap(container, index, id_len);
        if let Some(id) = id {
            self.write_integer(self.header.id_width.place(container.ids_at, index), self.header.id_width, id.get());
        }
        self.write_integer(container.slot(index).saturating_add(id_len), width, offset);
        let count_at = container.ids_at.saturating_sub(container.count_width.bytes());
        self.write_integer(count_at, container.count_width, narrow(count));
        self.live_len = self.live_len.saturating_add(child_len);
        true
    }

    /// Which child the new one becomes; `None` in an object whose ids are sorted and whose order they tell.
    fn place_of(&self, container: &Container, index: usize, id: Option<NameId>) -> Option<usize> {
        let document = self.document();
        match id {
            Some(id) if is_ordered_by_place(&document, container) => self.sorted_place(container, id).ok(),
            Some(_) if document.has_sorted_ids(container) => None,
            _ => Some(index),
        }
    }

    /// Moves up what stands behind the new child's id and behind its offset.
    fn make_gap(&mut self, container: &Container, index: usize, id_len: usize) {
        let by = id_len.saturating_add(container.offset_width().bytes());
        self.move_up(container.slot(index), container.end(), by);
        if id_len > 0 {
            self.move_up(self.header.id_width.place(container.ids_at, index), container.slot(index), id_len);
        }
    }

    /// Moves the bytes from `start` up to `end` up by `by` bytes, the last ones first.
    fn move_up(&mut self, start: usize, mut end: usize, by: usize) {
        let mut chunk = [0; Chunk::LEN];
        while start < end {
            let from = end.saturating_sub(chunk.len()).max(start);
            let len = end.saturating_sub(from);
            let (Some(chunk), Some(bytes)) = (chunk.get_mut(..len), self.buffer.as_bytes().get(from..end)) else {
                return;
            };
            chunk.copy_from_slice(bytes);
            self.write(from.saturating_add(by), chunk);
            end = from;
        }
    }
}

/// Whether a count of this width can be `count`.
fn holds_count(width: Width, count: usize) -> bool {
    match width {
        Width::Ub1 => u8::try_from(count).is_ok(),
        Width::Ub2 => u16::try_from(count).is_ok(),
        Width::Ub4 => u32::try_from(count).is_ok(),
    }
}
