//! New nodes, appended behind the image.

use boson_document::edit::{Buffer, New, Reason};
use boson_document::{Kind, Limit, Scalar, Value};

use super::place::offset;
use super::{Editor, Halt};
use crate::header::Segment;
use crate::tag::{UPDATE_HEADER_LEN, container};
use crate::update::Update;
use crate::width::{Width, narrow, widen};
use crate::write::{EncodeErrorKind, leaf};

/// So many bytes a leaf takes at most, beside a text or bytes of its own.
const LEAF_BYTES_MAX: usize = 64;

/// Up to so many fields are compared each with each to find an id that occurs twice.
const COMPARED_FIELDS_MAX: usize = 16;

impl<B: Buffer> Editor<B> {
    /// Makes sure that there are update parts to append to.
    pub(super) fn begin_append(&mut self) -> Result<(), Halt> {
        if self.header.has_scalar_root() {
            return Err(Halt::Rebuild(Reason::ScalarRoot));
        }
        if self.header.update.is_some() {
            return Ok(());
        }
        let map_at = self.header.tree.end.saturating_add(UPDATE_HEADER_LEN);
        let width = Width::ub4_if(self.draft.map_room > 0);
        let mut update = Update { map_at, entries: 0, entry_width: width, extended: Segment::default() };
        let map_len = update.entry_len().saturating_mul(self.draft.map_room);
        update.extended = Segment::new(map_at.saturating_add(map_len), 0);
        self.put_zeros(UPDATE_HEADER_LEN.saturating_add(map_len));
        self.header.update = update;
        Ok(())
    }

    /// Appends the node of `new`, whose containers count from `depth`, and those in it. Returns where it stands.
    pub(super) fn append_new(&mut self, new: &New<'_>, depth: usize) -> Result<usize, Halt> {
        self.begin_append()?;
        let at = match new {
            New::Scalar(scalar) => self.put_leaf(*scalar)?,
            New::Tree(value) => {
                let start = self.buffer.as_bytes().len().saturating_sub(self.header.tree.start);
                let is_wide = start.saturating_add(bytes_max(value)) > usize::from(u16::MAX);
                self.put_value(value, depth, Width::ub4_if(is_wide))?
            }
        };
        self.end_append(at)?;
        Ok(at)
    }

    /// What was appended from `at` on is part of the extended tree.
    pub(super) fn end_append(&mut self, at: usize) -> Result<(), Halt> {
        let end = self.buffer.as_bytes().len();
        if end > self.options.limits.bytes || u32::try_from(end).is_err() {
            return Err(Halt::Rebuild(Reason::Limit));
        }
        self.header.update.extended.end = end;
        self.live_len = self.live_len.saturating_add(end.saturating_sub(at));
        Ok(())
    }

    /// Appends a value; it calls itself for those inside, as every walk over a tree does, down to the limit of depth.
    fn put_value(&mut self, value: &Value, depth: usize, width: Width) -> Result<usize, Halt> {
        match value {
            Value::Object(members) => {
                let at = self.begin_container(container::IDS_UNSORTED, members.len(), depth, width)?;
                let ids_at = self.put_ids(members)?;
                self.check_distinct(ids_at, members.len())?;
                self.put_children(at, members.iter().map(|(_, value)| value), depth, width)
            }
            Value::Array(elements) => {
                let at = self.begin_container(container::ARRAY, elements.len(), depth, width)?;
                self.put_children(at, elements.iter(), depth, width)
            }
            Value::CodeWithScope { .. } => Err(EncodeErrorKind::UnsupportedKind(Kind::CodeWithScope).into()),
            leaf => {
                let put = leaf.with_scalar(|scalar| self.put_leaf(scalar));
                put.unwrap_or_else(|| Err(EncodeErrorKind::UnsupportedKind(leaf.kind()).into()))
            }
        }
    }

    /// Appends opcode and count.
    fn begin_container(&mut self, bits: u8, count: usize, depth: usize, width: Width) -> Result<usize, Halt> {
        let depth_max = self.options.limits.depth;
        if depth > widen(depth_max) {
            return Err(EncodeErrorKind::LimitExceeded(Limit::Depth(depth_max)).into());
        }
        let at = self.buffer.as_bytes().len();
        let wide = if width == Width::Ub4 { container::OFFSETS_UB4 } else { 0 };
        let (count_bits, count_width) = count_form(count);
        self.put(&[container::CONTAINER | bits | wide | count_bits]);
        self.put_integer(count_width, narrow(count));
        Ok(at)
    }

    /// Appends the field ids of `members`. Returns where they begin.
    fn put_ids(&mut self, members: &[(String, Value)]) -> Result<usize, Halt> {
        let at = self.buffer.as_bytes().len();
        for (name, _) in members {
            let id = self.document().name_id(name)?.ok_or(Halt::Rebuild(Reason::NewName))?;
            self.put_integer(self.header.id_width, id.get());
        }
        Ok(at)
    }

    /// Appends the offsets, and the children of the container at `at`; each offset is filled in when the child is there.
    fn put_children<'v>(
        &mut self,
        at: usize,
        children: impl ExactSizeIterator<Item = &'v Value>,
        depth: usize,
        width: Width,
    ) -> Result<usize, Halt> {
        let offsets_at = self.buffer.as_bytes().len();
        self.put_zeros(children.len().saturating_mul(width.bytes()));
        for (index, child) in children.enumerate() {
            let child_at = self.put_value(child, depth.saturating_add(1), width)?;
            let offset = offset(&self.document(), at, width, child_at).ok_or(Halt::Rebuild(Reason::OutOfReach))?;
            self.write_integer(width.place(offsets_at, index), width, offset);
        }
        Ok(at)
    }

    /// Fails when one of the `count` ids at `ids_at` occurs twice.
    fn check_distinct(&mut self, ids_at: usize, count: usize) -> Result<(), Halt> {
        let twice = if count <= COMPARED_FIELDS_MAX {
            let id = |index| self.id_at(ids_at, index);
            (1..count).any(|index| (0..index).any(|before| id(before) == id(index)))
        } else {
            self.has_seen_twice(ids_at, count)
        };
        if twice { Err(EncodeErrorKind::DuplicateName.into()) } else { Ok(()) }
    }

    fn has_seen_twice(&mut self, ids_at: usize, count: usize) -> bool {
        let mut seen_in = std::mem::take(&mut self.scratch.seen_in);
        self.scratch.objects = self.scratch.objects.wrapping_add(1);
        if seen_in.len() <= self.header.name_count() || self.scratch.objects == 0 {
            seen_in.clear();
            seen_in.resize(self.header.name_count().saturating_add(1), 0);
            self.scratch.objects = 1;
        }
        let object = self.scratch.objects;
        let twice = (0..count).any(|index| {
            let seen = self.id_at(ids_at, index).and_then(|id| seen_in.get_mut(id));
            seen.is_some_and(|seen| std::mem::replace(seen, object) == object)
        });
        self.scratch.seen_in = seen_in;
        twice
    }

    fn id_at(&self, ids_at: usize, index: usize) -> Option<usize> {
        let width = self.header.id_width;
        width.read(self.buffer.as_bytes(), width.place(ids_at, index)).ok()
    }

    /// Appends a leaf.
    fn put_leaf(&mut self, scalar: Scalar<'_>) -> Result<usize, Halt> {
        let at = self.buffer.as_bytes().len();
        self.scratch.head.clear();
        let payload = leaf::put_head(&mut self.scratch.head, scalar, self.options.style)?;
        self.buffer.append(&self.scratch.head);
        self.buffer.append(payload);
        Ok(at)
    }

    /// Writes `new` over the node at `at`, which has `len` bytes, if it fits; a container only where it is empty.
    pub(super) fn write_over(&mut self, at: usize, len: usize, new: &New<'_>) -> Result<bool, Halt> {
        match new {
            New::Scalar(scalar) => self.write_leaf(at, len, *scalar),
            New::Tree(Value::Object(members)) if members.is_empty() => {
                Ok(self.write_empty(at, len, container::IDS_UNSORTED))
            }
            New::Tree(Value::Array(elements)) if elements.is_empty() => Ok(self.write_empty(at, len, container::ARRAY)),
            New::Tree(Value::Object(_) | Value::Array(_)) => Ok(false),
            New::Tree(value) => value.with_scalar(|scalar| self.write_leaf(at, len, scalar)).unwrap_or(Ok(false)),
        }
    }

    fn write_empty(&mut self, at: usize, len: usize, bits: u8) -> bool {
        let fits = len >= 2;
        if fits {
            self.write(at, &[container::CONTAINER | bits, 0]);
            self.rooms.remember(at, at.saturating_add(len));
            self.live_len = self.live_len.saturating_add(2);
        }
        fits
    }

    fn write_leaf(&mut self, at: usize, len: usize, scalar: Scalar<'_>) -> Result<bool, Halt> {
        let mut head = std::mem::take(&mut self.scratch.head);
        head.clear();
        let written = leaf::put_head(&mut head, scalar, self.options.style).map(|payload| {
            let new_len = head.len().saturating_add(payload.len());
            let fits = new_len <= len && (new_len == len || !self.header.has_scalar_root());
            if fits {
                self.write(at, &head);
                self.write(at.saturating_add(head.len()), payload);
                self.live_len = self.live_len.saturating_add(new_len);
            }
            fits
        });
        self.scratch.head = head;
        Ok(written?)
    }

    /// Appends bytes.
    pub(super) fn put(&mut self, bytes: &[u8]) {
        self.buffer.append(bytes);
    }

    pub(super) fn put_zeros(&mut self, mut count: usize) {
        const ZEROS: [u8; 256] = [0; 256];
        while let Some(zeros) = ZEROS.get(..count.min(ZEROS.len())).filter(|zeros| !zeros.is_empty()) {
            self.put(zeros);
            count = count.saturating_sub(zeros.len());
        }
    }

    /// Appends an integer of this width.
    pub(super) fn put_integer(&mut self, width: Width, value: u32) {
        let bytes = value.to_be_bytes();
        self.put(low_bytes(&bytes, width));
    }

    /// Overwrites an integer of this width.
    pub(super) fn write_integer(&mut self, at: usize, width: Width, value: u32) {
        let bytes = value.to_be_bytes();
        self.write(at, low_bytes(&bytes, width));
    }

    /// Overwrites bytes.
    pub(super) fn write(&mut self, at: usize, bytes: &[u8]) {
        if at < self.draft.start {
            self.draft.written = self.draft.written.saturating_add(bytes.len());
        }
        if !bytes.is_empty() {
            self.buffer.write_at(at, bytes);
        }
    }
}

/// The last bytes of a number of four, as many as the width has.
pub(super) fn low_bytes(bytes: &[u8; 4], width: Width) -> &[u8] {
    bytes.get(4_usize.saturating_sub(width.bytes())..).unwrap_or_default()
}

/// How the count of a container's children is written.
pub(super) fn count_form(count: usize) -> (u8, Width) {
    match count {
        0..=0xFF => (container::COUNT_UB1, Width::Ub1),
        0x100..=0xFFFF => (container::COUNT_UB2, Width::Ub2),
        _ => (container::COUNT_UB4, Width::Ub4),
    }
}

/// How many bytes a value takes at most, with offsets of two bytes.
fn bytes_max(value: &Value) -> usize {
    let members = |len: usize| len.saturating_mul(6).saturating_add(LEAF_BYTES_MAX);
    match value {
        Value::Object(list) => {
            list.iter().fold(members(list.len()), |sum, (_, value)| sum.saturating_add(bytes_max(value)))
        }
        Value::Array(list) => list.iter().fold(members(list.len()), |sum, value| sum.saturating_add(bytes_max(value))),
        Value::String(text) | Value::DecimalText(text) => text.len().saturating_add(LEAF_BYTES_MAX),
        Value::Binary { bytes, .. } | Value::Id(bytes) | Value::OracleVector(bytes) => {
            bytes.len().saturating_add(LEAF_BYTES_MAX)
        }
        _ => LEAF_BYTES_MAX,
    }
}
