//! The dictionary: the names of an image, in two tiers, and their hashes.

use boson_document::{ByteSource, DecodeError, Rule, Span};

use crate::fault;
use crate::header::{Header, Segment};
use crate::tag::SHORT_NAME_BYTES_MAX;
use crate::width::{Width, ub1};

/// Up to how many names an array of one-byte hashes is scanned, which takes no order for granted; above, it is searched.
const SCANNED_NAMES_MAX: usize = 256;

/// A run of hashes that is worth reading as one.
const RUN_LEN: usize = 1024;

/// The hash of a name: 32-bit FNV-1a over its UTF-8 bytes.
#[inline]
pub(crate) fn hash(name: &[u8]) -> u32 {
    name.iter().fold(0x811C_9DC5, |hash: u32, &byte| (hash ^ u32::from(byte)).wrapping_mul(16_777_619))
}

/// The hash that is stored with a short name: the lowest byte.
#[inline]
pub(crate) fn short_hash(name: &[u8]) -> u8 {
    let [low, ..] = hash(name).to_le_bytes();
    low
}

/// A name of one image's dictionary, looked up once and good for every object of that image: the field id that objects
/// hold.
///
/// It counts from 1, short names before long ones. In another image the same number stands for another name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NameId(pub(crate) u32);

impl NameId {
    /// The number that objects hold, from 1.
    pub const fn get(self) -> u32 {
        self.0
    }

    /// The name at `index` of the dictionary, from 0.
    pub(crate) fn from_index(index: usize) -> Option<Self> {
        u32::try_from(index).ok()?.checked_add(1).map(Self)
    }
}

/// One tier of the dictionary: an array of hashes, an array of offsets in the same order, and the heap they point into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tier {
    /// Where the hashes begin.
    pub(crate) start: usize,
    /// How many names there are.
    pub(crate) count: usize,
    /// Where the offsets begin.
    pub(crate) offsets_at: usize,
    /// The heap.
    pub(crate) heap: Segment,
    /// How wide the offsets are.
    pub(crate) offset_width: Width,
    /// How wide both the hashes and the lengths in front of the names are.
    pub(crate) entry_width: Width,
}

impl Tier {
    /// A tier without names.
    pub(crate) const NONE: Self = Self {
        start: 0,
        count: 0,
        offsets_at: 0,
        heap: Segment { start: 0, end: 0 },
        offset_width: Width::Ub2,
        entry_width: Width::Ub1,
    };

    /// A tier of `count` names whose place is not known yet.
    pub(crate) const fn new(count: usize, heap_len: usize, offset_width: Width, entry_width: Width) -> Self {
        Self { count, heap: Segment::new(0, heap_len), offset_width, entry_width, ..Self::NONE }
    }

    /// The same tier, beginning at `start`.
    #[inline]
    pub(crate) const fn at(self, start: usize) -> Self {
        let offsets_at = self.entry_width.place(start, self.count);
        let heap_at = self.offset_width.place(offsets_at, self.count);
        Self { start, offsets_at, heap: Segment::new(heap_at, self.heap.len()), ..self }
    }

    /// Where name `index` stands, without its length.
    ///
    /// # Errors
    ///
    /// `NameOutsideHeap`.
    #[inline]
    pub(crate) fn name_span<S: ByteSource>(&self, source: S, index: usize) -> Result<Span, DecodeError> {
        let slot = self.offset_width.place(self.offsets_at, index);
        let heap = self.heap;
        let at = heap.start.saturating_add(self.offset_width.read(source, slot)?);
        let start = at.saturating_add(self.entry_width.bytes());
        if start > heap.end {
            return Err(fault::broken(slot, Rule::NameOutsideHeap));
        }
        let span = Span::new(start, self.entry_width.read(source, at)?);
        if span.end() > heap.end { Err(fault::broken(slot, Rule::NameOutsideHeap)) } else { Ok(span) }
    }

    /// Whether name `index` of the short ones is `name`.
    #[inline]
    fn is_short_name<S: ByteSource>(&self, source: S, index: usize, name: &[u8]) -> Result<bool, DecodeError> {
        let slot = self.offset_width.place(self.offsets_at, index);
        let at = self.heap.start.saturating_add(self.offset_width.read(source, slot)?);
        if at >= self.heap.end {
            return Err(fault::broken(slot, Rule::NameOutsideHeap));
        }
        let len = usize::from(ub1(source, at)?);
        let name_at = at.saturating_add(1);
        if name_at.saturating_add(len) > self.heap.end {
            return Err(fault::broken(slot, Rule::NameOutsideHeap));
        }
        Ok(len == name.len() && source.matches(name_at, name)?)
    }

    /// Whether name `index` is `name`.
    #[inline]
    fn is_name<S: ByteSource>(&self, source: S, index: usize, name: &[u8]) -> Result<bool, DecodeError> {
        let span = self.name_span(source, index)?;
        Ok(span.len == name.len() && source.matches(span.offset, name)?)
    }

    /// The index of `name` among the short names.
    #[inline]
    fn find_short<S: ByteSource>(&self, source: S, name: &[u8]) -> Result<Option<usize>, DecodeError> {
        let hash = short_hash(name);
        if self.count > SCANNED_NAMES_MAX {
            return self.search_short(source, name, hash);
        }
        let end = self.offsets_at;
        let mut from = self.start;
        while let Some(at) = source.find(hash, from..end)? {
            let index = at.saturating_sub(self.start);
            if self.is_short_name(source, index, name)? {
                return Ok(Some(index));
            }
            from = at.saturating_add(1);
        }
        Ok(None)
    }

    /// The same by binary search for the names of one hash, and among many of those for the names of one length. The
    /// order of their bytes is not relied on: node-oracledb sorts by UTF-16.
    fn search_short<S: ByteSource>(&self, source: S, name: &[u8], hash: u8) -> Result<Option<usize>, DecodeError> {
        let first = self.hashes_below(source, |other| other < hash)?;
        let last = self.hashes_below(source, |other| other <= hash)?;
        let len_at = |index| self.name_span(source, index).map(|span| span.len);
        let first = partition_point(first, last, |index| Ok(len_at(index)? < name.len()))?;
        for index in first..last {
            let span = self.name_span(source, index)?;
            if span.len != name.len() {
                break;
            }
            if source.matches(span.offset, name)? {
                return Ok(Some(index));
            }
        }
        Ok(None)
    }

    /// How many of the hashes are `below`, which those in front are. The last of the search goes over a run that was read
    /// as one.
    #[inline]
    fn hashes_below<S: ByteSource>(&self, source: S, below: impl Fn(u8) -> bool) -> Result<usize, DecodeError> {
        let (mut from, mut to) = (self.start, self.offsets_at);
        while to.saturating_sub(from) > RUN_LEN {
            let middle = from.midpoint(to);
            if below(ub1(source, middle)?) {
                from = middle.saturating_add(1);
            } else {
                to = middle;
            }
        }
        let run = source.bytes(from..to)?.partition_point(|&hash| below(hash));
        Ok(from.saturating_add(run).saturating_sub(self.start))
    }

    /// The index of `name` among the long names, whose hashes and order differ between writers: all are looked at.
    fn scan<S: ByteSource>(&self, source: S, name: &[u8]) -> Result<Option<usize>, DecodeError> {
        for index in 0..self.count {
            if self.is_name(source, index, name)? {
                return Ok(Some(index));
            }
        }
        Ok(None)
    }
}

/// The first index of `from..to` for which `before` is false, when those for which it is true stand in front.
pub(crate) fn partition_point<E>(
    mut from: usize,
    mut to: usize,
    mut before: impl FnMut(usize) -> Result<bool, E>,
) -> Result<usize, E> {
    while from < to {
        let middle = from.midpoint(to);
        if before(middle)? {
            from = middle.saturating_add(1);
        } else {
            to = middle;
        }
    }
    Ok(from)
}

impl Header {
    /// The id of `name`; `None` when no object of the image can have such a field.
    ///
    /// A name of up to 255 bytes is looked for by its hash among the short names; only then, and any other name at once,
    /// among the long ones, one after the other. (A writer that counts bytes differently may have put it there.)
    #[inline]
    pub(crate) fn find_name<S: ByteSource>(&self, source: S, name: &[u8]) -> Result<Option<NameId>, DecodeError> {
        if name.len() <= SHORT_NAME_BYTES_MAX
            && let Some(index) = self.short.find_short(source, name)?
        {
            return Ok(NameId::from_index(index));
        }
        if self.long.count == 0 {
            return Ok(None);
        }
        let index = self.long.scan(source, name)?;
        Ok(index.and_then(|index| NameId::from_index(self.short.count.saturating_add(index))))
    }

    /// Where the name at `index` of the whole dictionary stands; `None` beyond its end.
    #[inline]
    pub(crate) fn name_span<S: ByteSource>(&self, source: S, index: usize) -> Result<Option<Span>, DecodeError> {
        if index < self.short.count {
            return self.short.name_span(source, index).map(Some);
        }
        let index = index.saturating_sub(self.short.count);
        if index < self.long.count { self.long.name_span(source, index).map(Some) } else { Ok(None) }
    }

    /// Where the names of the whole dictionary stand, in the order of their ids.
    pub(crate) fn name_spans<S: ByteSource>(&self, source: S) -> impl Iterator<Item = Result<Span, DecodeError>> {
        let header = *self;
        (0..self.name_count()).map_while(move |index| header.name_span(source, index).transpose())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_those_that_others_store() {
        // From the cases O03 and O26, images of a server and of python-oracledb.
        assert_eq!(hash(&[b'a'; 256]).to_le_bytes()[..2], [0xC5, 0xE2]);
        assert_eq!((short_hash("😀".as_bytes()), short_hash("é".as_bytes())), (0x08, 0xC1));
        assert_eq!(short_hash(b""), 0xC5);
        assert_eq!((short_hash(b"role"), short_hash(b"active"), short_hash(b"name")), (0x19, 0x2F, 0xE6));
    }
}
