//! What in-place updates leave after the tree (section 3), read: the overflow map and the way to values that moved.

use boson_document::{ByteSource, DecodeError, Rule};

use crate::fault;
use crate::header::Segment;
use crate::image::Image;
use crate::tag::{container, opcode};
use crate::width::{Width, ub1, ub2, ub4, widen};

/// The update parts of an image of version 2 or 4.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Update {
    /// Where the overflow map begins.
    pub(crate) map_at: usize,
    /// How many entries of the map are in use.
    pub(crate) entries: usize,
    /// How wide each of the two numbers of an entry is.
    pub(crate) entry_width: Width,
    /// The extended tree segment.
    pub(crate) extended: Segment,
}

impl Update {
    /// An image that has none.
    pub(crate) const NONE: Self =
        Self { map_at: 0, entries: 0, entry_width: Width::Ub2, extended: Segment { start: 0, end: 0 } };

    /// Whether there is an update header.
    pub(crate) const fn is_some(&self) -> bool {
        self.map_at > 0
    }

    /// How many bytes an entry takes.
    pub(crate) const fn entry_len(&self) -> usize {
        self.entry_width.bytes().saturating_mul(2)
    }

    /// Where entry `index` stands.
    pub(crate) const fn entry_at(&self, index: usize) -> usize {
        self.map_at.saturating_add(index.saturating_mul(self.entry_len()))
    }

    /// Entry `index`: an offset in the primary tree and the one in the extended tree it leads to.
    pub(crate) fn entry<S: ByteSource>(&self, source: S, index: usize) -> Result<(usize, usize), DecodeError> {
        let at = self.entry_at(index);
        let value_at = at.saturating_add(self.entry_width.bytes());
        Ok((self.entry_width.read(source, at)?, self.entry_width.read(source, value_at)?))
    }
}

impl Update {
    /// The entry that counts for `key`: the last one.
    pub(crate) fn find_entry<S: ByteSource>(&self, source: S, key: usize) -> Result<Option<usize>, DecodeError> {
        for index in (0..self.entries).rev() {
            if self.entry(source, index)?.0 == key {
                return Ok(Some(index));
            }
        }
        Ok(None)
    }
}

/// Finds where a node of the primary tree went, by its offset.
pub(crate) trait OverflowMap {
    /// The offset into the extended tree segment of what stood at `key`.
    fn find(&self, key: usize) -> Result<Option<usize>, DecodeError>;
}

/// The map as it stands in the image, its order unknown: searched from its end, since a later entry replaces an earlier
/// one.
impl<S: ByteSource> OverflowMap for Image<S> {
    fn find(&self, key: usize) -> Result<Option<usize>, DecodeError> {
        let update = &self.header.update;
        let Some(index) = update.find_entry(self.source, key)? else { return Ok(None) };
        update.entry(self.source, index).map(|(_, to)| Some(to))
    }
}

/// The map sorted for those who look up many nodes, every entry checked.
#[derive(Clone, Debug, Default)]
pub(crate) struct SortedMap(Vec<(usize, usize)>);

impl SortedMap {
    /// Sorts the map of `image`.
    ///
    /// # Errors
    ///
    /// `MapKey` for a key outside the primary tree, `OffsetOutOfRange` for a value outside the extended tree.
    pub(crate) fn of(image: &Image<&[u8]>) -> Result<Self, DecodeError> {
        let update = &image.header.update;
        let mut entries = Vec::with_capacity(update.entries);
        for index in 0..update.entries {
            let (from, to) = update.entry(image.source, index)?;
            let at = update.entry_at(index);
            if from >= image.header.tree.len() {
                return Err(fault::broken(at, Rule::MapKey));
            }
            if to >= update.extended.len() {
                return Err(fault::outside_tree(at.saturating_add(update.entry_width.bytes()), to));
            }
            entries.push((from, to));
        }
        entries.sort_by_key(|&(from, _)| from);
        Ok(Self(entries))
    }
}

impl OverflowMap for SortedMap {
    fn find(&self, key: usize) -> Result<Option<usize>, DecodeError> {
        let after = self.0.partition_point(|&(from, _)| from <= key);
        let last = after.checked_sub(1).and_then(|index| self.0.get(index));
        Ok(last.filter(|&&(from, _)| from == key).map(|&(_, to)| to))
    }
}

/// Whether a node of this opcode stands somewhere else.
#[inline]
pub(crate) const fn is_moved(opcode: u8) -> bool {
    const OBJECT: u8 = container::CONTAINER | container::ARRAY;
    const MOVED: u8 = container::IDS_LENT | container::MOVED;
    matches!(opcode, opcode::MOVED_BY_MAP | opcode::MOVED_UB2 | opcode::MOVED_UB4)
        || opcode & OBJECT == container::CONTAINER && opcode & MOVED == MOVED
}

/// Where the node at the end of a chain of forwardings stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Resolved {
    pub(crate) at: usize,
    pub(crate) opcode: u8,
    /// How many forwardings led there.
    pub(crate) hops: u32,
}

impl<S: ByteSource> Image<S> {
    /// The node that `at` stands for, once forwardings are followed through `map`.
    ///
    /// # Errors
    ///
    /// `ForwardingCycle`, `NotInOverflowMap`, `MapKey`, `OffsetOutOfRange`.
    #[inline]
    pub(crate) fn resolve(&self, at: usize, map: &impl OverflowMap) -> Result<Resolved, DecodeError> {
        let opcode = ub1(self.source, at)?;
        if is_moved(opcode) { self.follow(at, opcode, map) } else { Ok(Resolved { at, opcode, hops: 0 }) }
    }

    /// Follows a chain, and finds out by Brent's method when it leads back: the node at each power of two hops is
    /// remembered.
    #[cold]
    fn follow(&self, start: usize, first: u8, map: &impl OverflowMap) -> Result<Resolved, DecodeError> {
        let (mut at, mut opcode, mut hops) = (start, first, 0_u32);
        let mut remembered = start;
        while is_moved(opcode) {
            at = self.forward(at, opcode, map)?;
            if at == remembered {
                return Err(fault::broken(start, Rule::ForwardingCycle));
            }
            opcode = ub1(self.source, at)?;
            hops = hops.saturating_add(1);
            if hops.is_power_of_two() {
                remembered = at;
            }
        }
        Ok(Resolved { at, opcode, hops })
    }

    /// One step: where the node at `at` was moved to.
    pub(crate) fn forward(&self, at: usize, opcode: u8, map: &impl OverflowMap) -> Result<usize, DecodeError> {
        let extended = self.header.update.extended;
        let slot = at.saturating_add(1);
        let offset = match opcode {
            opcode::MOVED_UB2 => self.within(at, 3).and_then(|()| ub2(self.source, slot)).map(usize::from)?,
            opcode::MOVED_UB4 => self.within(at, 5).and_then(|()| ub4(self.source, slot)).map(widen)?,
            _ if !self.header.tree.contains(at) => return Err(fault::broken(at, Rule::MapKey)),
            _ => {
                let key = at.saturating_sub(self.header.tree.start);
                map.find(key)?.ok_or_else(|| fault::broken(at, Rule::NotInOverflowMap))?
            }
        };
        let to = extended.start.saturating_add(offset);
        if extended.contains(to) { Ok(to) } else { Err(fault::outside_tree(slot, offset)) }
    }
}
