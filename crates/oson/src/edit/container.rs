//! Containers with one child more, one less or elsewhere.

use boson_document::edit::{Buffer, New, Reason};
use boson_document::{DecodeError, Segment};

use super::new::{count_form, low_bytes};
use super::place::{Place, freed_len, is_ordered_by_place, offset};
use super::{Editor, Halt};
use crate::dictionary::{NameId, partition_point};
use crate::node::Container;
use crate::tag::container;
use crate::view::{Document, UNSORTED_FIELDS_MAX};
use crate::width::{Width, narrow, widen};

/// What becomes of the children of a container that is copied.
pub(super) enum Alter {
    /// The offset of one leads elsewhere.
    Point { index: usize, to: usize },
    /// There is one more, in an object with this id.
    Add { index: usize, id: Option<NameId>, to: usize },
    /// There is one less.
    Remove { index: usize },
}

/// How a copy is written.
#[derive(Clone, Copy)]
struct Form {
    count: usize,
    width: Width,
    /// Where in the editor's room the order of the fields begins, unless they are in stored order.
    order: Option<usize>,
    /// Whether the ids are sorted.
    sorted: bool,
    /// Which child of the copy is new, or which of the original is left out, in the order of the copy.
    gap: usize,
}

/// A few bytes on the way to the end of the buffer.
pub(super) struct Chunk {
    bytes: [u8; Self::LEN],
    len: usize,
}

impl Chunk {
    pub(super) const LEN: usize = 256;

    const fn new() -> Self {
        Self { bytes: [0; Self::LEN], len: 0 }
    }

    /// Adds a number; what there is goes to `buffer` first where there is no more room.
    fn put(&mut self, buffer: &mut impl Buffer, width: Width, value: u32) {
        if self.len.saturating_add(4) > Self::LEN {
            self.flush(buffer);
        }
        let bytes = value.to_be_bytes();
        let number = low_bytes(&bytes, width);
        let end = self.len.saturating_add(number.len());
        if let Some(place) = self.bytes.get_mut(self.len..end) {
            place.copy_from_slice(number);
        }
        self.len = end;
    }

    fn flush(&mut self, buffer: &mut impl Buffer) {
        buffer.append(self.bytes.get(..self.len).unwrap_or_default());
        self.len = 0;
    }
}

impl<B: Buffer> Editor<B> {
    /// The container at `place`, the end of `steps`, gets one more child at `index`.
    pub(super) fn add_child(
        &mut self,
        steps: &[Segment],
        place: &Place,
        container: &Container,
        index: usize,
        id: Option<NameId>,
        new: &New<'_>,
    ) -> Result<(), Halt> {
        let to = self.append_new(new, steps.len().saturating_add(2))?;
        if self.grow(place, container, index, id, to) {
            return Ok(());
        }
        self.move_to_copy(steps, place, container, &Alter::Add { index, id, to })
    }

    /// The container at `parent`, the end of `steps`, loses its child `index`.
    pub(super) fn remove_child(
        &mut self,
        steps: &[Segment],
        parent: &Place,
        container: &Container,
        index: usize,
    ) -> Result<(), Halt> {
        let child = self.child(parent, index)?;
        let freed = self.given_up(&child);
        if self.may_shrink(parent, container) {
            self.shrink(container, index);
        } else {
            self.move_to_copy(steps, parent, container, &Alter::Remove { index })?;
        }
        self.live_len = self.live_len.saturating_sub(freed);
        Ok(())
    }

    /// Appends the altered copy of the container at `place`, and leads to it.
    fn move_to_copy(
        &mut self,
        steps: &[Segment],
        place: &Place,
        container: &Container,
        alter: &Alter,
    ) -> Result<(), Halt> {
        self.begin_append()?;
        let to = self.append_container(container, alter)?;
        if place.is_single {
            self.live_len = self.live_len.saturating_sub(freed_len(&place.node));
        }
        self.lead_or_copy(steps, *place, to)?;
        if !place.is_single {
            self.share_children(container)?;
        }
        Ok(())
    }

    /// Two containers have the children of `container` from now on.
    fn share_children(&mut self, container: &Container) -> Result<(), Halt> {
        for index in 0..container.count {
            let at = self.document().child(container, index)?;
            self.sharing.share(at);
        }
        Ok(())
    }

    /// Whether the container at `place` can lose a child where it stands: its count and its ids are its own and nobody
    /// else's. The order of a sorted object that becomes a small one is told by its ids from then on: it needs new ones.
    fn may_shrink(&self, place: &Place, container: &Container) -> bool {
        let keeps_order = !is_ordered_by_place(&self.document(), container)
            || container.count > UNSORTED_FIELDS_MAX.saturating_add(1);
        place.may_be_overwritten() && !container.is_shared() && keeps_order
    }

    /// Takes child `index` out of `container` where it stands.
    fn shrink(&mut self, container: &Container, index: usize) {
        let count = container.count.saturating_sub(1);
        let count_at = container.ids_at.saturating_sub(container.count_width.bytes());
        self.write_integer(count_at, container.count_width, narrow(count));
        let next = index.saturating_add(1);
        let offset_bytes = container.offset_width().bytes();
        self.rooms.remember(container.at, container.end());
        let mut freed = offset_bytes;
        if container.is_array() {
            self.move_down(container.slot(next), container.end(), offset_bytes);
        } else {
            let id_bytes = self.header.id_width.bytes();
            let id_at = |index| self.header.id_width.place(container.ids_at, index);
            self.move_down(id_at(next), container.slot(index), id_bytes);
            freed = freed.saturating_add(id_bytes);
            self.move_down(container.slot(next), container.end(), freed);
        }
        self.live_len = self.live_len.saturating_sub(freed);
    }

    /// Moves the bytes from `start` up to `end` down by `by` bytes.
    fn move_down(&mut self, mut start: usize, end: usize, by: usize) {
        let mut chunk = [0; Chunk::LEN];
        while start < end {
            let len = end.saturating_sub(start).min(chunk.len());
            let from = start..start.saturating_add(len);
            let (Some(chunk), Some(bytes)) = (chunk.get_mut(..len), self.buffer.as_bytes().get(from.clone())) else {
                return;
            };
            chunk.copy_from_slice(bytes);
            self.write(start.saturating_sub(by), chunk);
            start = from.end;
        }
    }

    /// Appends a copy of `container`, altered. It has a count and ids of its own. Returns where it stands.
    pub(super) fn append_container(&mut self, container: &Container, alter: &Alter) -> Result<usize, Halt> {
        let form = self.form(container, alter)?;
        let at = self.buffer.as_bytes().len();
        let (count_bits, count_width) = count_form(form.count);
        let mut opcode = container::CONTAINER | count_bits;
        if form.width == Width::Ub4 {
            opcode |= container::OFFSETS_UB4;
        }
        if container.is_array() {
            opcode |= container::ARRAY;
        } else if !form.sorted {
            opcode |= container::IDS_UNSORTED;
        }
        let mut chunk = Chunk::new();
        chunk.put(&mut self.buffer, Width::Ub1, u32::from(opcode));
        chunk.put(&mut self.buffer, count_width, narrow(form.count));
        if !container.is_array() {
            for index in 0..form.count {
                let id = self.altered_id(container, alter, &form, index)?;
                chunk.put(&mut self.buffer, self.header.id_width, id);
            }
        }
        for index in 0..form.count {
            let to = self.altered_child(container, alter, &form, index)?;
            let offset = offset(&self.document(), at, form.width, to).ok_or(Halt::Rebuild(Reason::OutOfReach))?;
            chunk.put(&mut self.buffer, form.width, offset);
        }
        chunk.flush(&mut self.buffer);
        let room_len = match alter {
            Alter::Add { id, .. } => self.room_len(container, self.child_len(form.width, id.is_some())),
            Alter::Point { .. } | Alter::Remove { .. } => 0,
        };
        if room_len > 0 {
            self.put_zeros(room_len);
            self.rooms.remember(at, self.buffer.as_bytes().len());
        }
        self.end_append(at)?;
        self.live_len = self.live_len.saturating_sub(room_len);
        Ok(at)
    }

    /// How many bytes a child takes in its container.
    fn child_len(&self, width: Width, has_id: bool) -> usize {
        let id_len = if has_id { self.header.id_width.bytes() } else { 0 };
        id_len.saturating_add(width.bytes())
    }

    /// How the altered copy of `container` is written.
    fn form(&mut self, container: &Container, alter: &Alter) -> Result<Form, Halt> {
        let document = Document { source: self.buffer.as_bytes(), header: self.header };
        let count = match alter {
            Alter::Point { .. } => container.count,
            Alter::Add { .. } => container.count.saturating_add(1),
            Alter::Remove { .. } => container.count.saturating_sub(1),
        };
        let ordered = is_ordered_by_place(&document, container);
        let gap = match *alter {
            Alter::Point { .. } => 0,
            Alter::Add { id: Some(id), .. } if ordered => self.sorted_place(container, id)?,
            Alter::Add { index, .. } | Alter::Remove { index } => index,
        };
        let sorted = match alter {
            Alter::Point { .. } => false,
            Alter::Add { .. } => ordered,
            Alter::Remove { .. } => ordered && count > UNSORTED_FIELDS_MAX,
        };
        self.scratch.order.pop(0);
        let order = if sorted { None } else { self.scratch.order.push(&document, container)? };
        let gap = order.filter(|_| matches!(alter, Alter::Remove { .. })).map_or(gap, |start| {
            let mut numbers = 0..container.count;
            numbers.find(|&number| self.scratch.order.index(start, number) == gap).unwrap_or(gap)
        });
        let mut form = Form { count, width: Width::Ub2, order, sorted, gap };
        let mut last = 0;
        for index in 0..count {
            last = last.max(self.altered_child(container, alter, &form, index)?);
        }
        let reach = last.saturating_sub(self.header.tree.start);
        form.width = Width::ub4_if(reach > usize::from(u16::MAX));
        Ok(form)
    }

    /// Which child of the container becomes child `index` of its altered copy; `None` for the one that is added.
    fn source_index(&self, alter: &Alter, form: &Form, index: usize) -> Option<usize> {
        let number = match alter {
            Alter::Add { .. } if index == form.gap => return None,
            Alter::Add { .. } if index > form.gap => index.saturating_sub(1),
            Alter::Remove { .. } if index >= form.gap => index.saturating_add(1),
            _ => index,
        };
        Some(form.order.map_or(number, |start| self.scratch.order.index(start, number)))
    }

    /// Where child `index` of the altered copy stands.
    fn altered_child(
        &self,
        container: &Container,
        alter: &Alter,
        form: &Form,
        index: usize,
    ) -> Result<usize, DecodeError> {
        match (self.source_index(alter, form, index), alter) {
            (None, Alter::Add { to, .. }) => Ok(*to),
            (Some(source), Alter::Point { index, to }) if source == *index => Ok(*to),
            (source, _) => self.document().child(container, source.unwrap_or_default()),
        }
    }

    /// The id of field `index` of the altered copy.
    fn altered_id(&self, object: &Container, alter: &Alter, form: &Form, index: usize) -> Result<u32, DecodeError> {
        match (self.source_index(alter, form, index), alter) {
            (None, Alter::Add { id: Some(id), .. }) => Ok(id.get()),
            (source, _) => self.document().field_id(object, source.unwrap_or_default()).map(narrow),
        }
    }

    /// How many ids of `object`, which are sorted, are below `id`.
    pub(super) fn sorted_place(&self, object: &Container, id: NameId) -> Result<usize, DecodeError> {
        let document = self.document();
        partition_point(0, object.count, |index| Ok(document.field_id(object, index)? < widen(id.get())))
    }
}
