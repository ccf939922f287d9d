//! The header: which segments an image has, where they are, and how wide its numbers are.

use boson_document::{ByteSource, DecodeError, DecodeErrorKind, FlagFault, Rule};

use crate::dictionary::Tier;
use crate::fault;
use crate::tag::{self, flag};
use crate::update::Update;
use crate::width::{Width, narrow, ub1, ub2, ub4, widen};

/// Where the primary flags stand.
const FLAGS_AT: usize = 4;

/// What the header of an image says, checked against the size of the image.
///
/// Reading one takes a few loads, whatever the size of the image: neither names nor values are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    pub(crate) version: u8,
    pub(crate) flags: u16,
    pub(crate) id_width: Width,
    pub(crate) tiny_nodes: u16,
    pub(crate) short: Tier,
    pub(crate) long: Tier,
    pub(crate) tree: Segment,
    pub(crate) update: Update,
}

/// A run of bytes of the image, from `start` up to, not including, `end`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Segment {
    pub(crate) start: usize,
    pub(crate) end: usize,
}

impl Segment {
    /// The `len` bytes at `start`.
    pub(crate) const fn new(start: usize, len: usize) -> Self {
        Self { start, end: start.saturating_add(len) }
    }

    #[inline]
    pub(crate) const fn contains(self, at: usize) -> bool {
        self.start <= at && at < self.end
    }

    pub(crate) const fn len(self) -> usize {
        self.end.saturating_sub(self.start)
    }
}

impl Header {
    /// Reads the header of the image that `source` is, from its first byte to its last.
    ///
    /// # Errors
    ///
    /// `BadMagic`, `UnsupportedVersion`, `UnsupportedFlags`, `UnexpectedEnd` when a segment does not fit, `TrailingBytes`
    /// after the tree where nothing may follow, and the rules of the header.
    #[inline]
    pub fn read<S: ByteSource>(source: S) -> Result<Self, DecodeError> {
        let header = Self::read_front(source)?;
        let len = source.len();
        if header.tree.end == len { Ok(header) } else { header.with_update(source, len) }
    }

    /// The header without what follows the tree.
    pub(crate) fn read_front<S: ByteSource>(source: S) -> Result<Self, DecodeError> {
        let version = read_version(source)?;
        let flags = ub2(source, FLAGS_AT)?;
        check_flags(flags)?;
        let mut cursor = Cursor { source, at: FLAGS_AT.saturating_add(2) };
        if flags & flag::SCALAR == 0 {
            containers(version, flags, &mut cursor)
        } else {
            scalar(version, flags, &mut cursor)
        }
    }

    #[cold]
    fn with_update<S: ByteSource>(self, source: S, len: usize) -> Result<Self, DecodeError> {
        if self.tree.end > len {
            return Err(fault::too_short(len, self.tree.end));
        }
        if self.has_scalar_root() || !self.may_be_updated() {
            let surplus = narrow(len.saturating_sub(self.tree.end));
            return Err(DecodeError::new(self.tree.end, DecodeErrorKind::TrailingBytes(surplus)));
        }
        Ok(Self { update: Update::read(source, self.tree, len)?, ..self })
    }

    /// The version, 1 to 4.
    pub const fn version(&self) -> u8 {
        self.version
    }

    /// The primary flags; [`tag::flag`] names them.
    pub const fn flags(&self) -> u16 {
        self.flags
    }

    /// Whether all `wanted` primary flags are set.
    #[inline]
    pub const fn has(&self, wanted: u16) -> bool {
        self.flags & wanted == wanted
    }

    /// Whether the document is a scalar: such an image has no names and no update parts.
    pub const fn has_scalar_root(&self) -> bool {
        self.has(flag::SCALAR)
    }

    /// How many names there are, short and long ones.
    #[inline]
    pub const fn name_count(&self) -> usize {
        self.short.count.saturating_add(self.long.count)
    }

    /// The tiny-node count: a statistic for updaters.
    pub const fn tiny_nodes(&self) -> u16 {
        self.tiny_nodes
    }

    /// How many bytes the primary tree segment has.
    pub const fn tree_len(&self) -> usize {
        self.tree.len()
    }

    /// How many bytes the extended tree segment has: those of values that updates have moved.
    pub const fn extended_tree_len(&self) -> usize {
        self.update.extended.len()
    }

    /// Whether the version allows update parts after the tree.
    const fn may_be_updated(&self) -> bool {
        matches!(self.version, tag::VERSION_UPDATED | tag::VERSION_LONG_NAMES_UPDATED)
    }

    /// Whether `at` lies in one of the two tree segments.
    #[inline]
    pub(crate) const fn in_tree(&self, at: usize) -> bool {
        self.tree.contains(at) || self.update.extended.contains(at)
    }

    /// The end of the tree segment that `at` lies in.
    #[inline]
    pub(crate) const fn segment_end(&self, at: usize) -> usize {
        if at < self.tree.end { self.tree.end } else { self.update.extended.end }
    }
}

/// How long the image is that `bytes` begin with, where its header says so: of versions 1 and 3.
///
/// For images that follow each other in a stream. `None` for versions 2 and 4, whose update parts may be missing, so that
/// nothing tells them from what follows: such an image needs an end of its own.
///
/// # Errors
///
/// As [`Header::read`]; `UnexpectedEnd` when `bytes` end within the header. The rest of the image need not be there.
pub fn image_len(bytes: &[u8]) -> Result<Option<usize>, DecodeError> {
    let header = Header::read_front(bytes)?;
    Ok((!header.may_be_updated()).then_some(header.tree.end))
}

fn read_version<S: ByteSource>(source: S) -> Result<u8, DecodeError> {
    if source.array(0)? != tag::MAGIC {
        return Err(DecodeError::new(0, DecodeErrorKind::BadMagic));
    }
    match ub1(source, 3)? {
        version @ tag::VERSION_PLAIN..=tag::VERSION_LONG_NAMES_UPDATED => Ok(version),
        other => Err(DecodeError::new(3, DecodeErrorKind::UnsupportedVersion(other))),
    }
}

fn check_flags(flags: u16) -> Result<(), DecodeError> {
    let fault = if flags & flag::INLINE_LEAF == 0 {
        FlagFault::LeavesNotInline
    } else if flags & flag::HASH_UB2 != 0 {
        FlagFault::HashWidth
    } else if flags & flag::RESERVED_0080 != 0 {
        FlagFault::Reserved
    } else {
        return Ok(());
    };
    Err(fault::flags(FLAGS_AT, flags, fault))
}

/// The rest of the header of a document that is a scalar, of any version: the size of the tree.
fn scalar<S: ByteSource>(version: u8, flags: u16, cursor: &mut Cursor<S>) -> Result<Header, DecodeError> {
    let tree_len = cursor.take(Width::ub4_if(flags & flag::TREE_UB4 != 0))?;
    Ok(Header {
        version,
        flags,
        id_width: Width::Ub1,
        tiny_nodes: 0,
        short: Tier::NONE,
        long: Tier::NONE,
        tree: Segment::new(cursor.at, tree_len),
        update: Update::NONE,
    })
}

/// The rest of the header of a document that is a container.
fn containers<S: ByteSource>(version: u8, flags: u16, cursor: &mut Cursor<S>) -> Result<Header, DecodeError> {
    let id_width = id_width(flags);
    let short = short_tier(flags, id_width, cursor)?;
    let long = if version >= tag::VERSION_LONG_NAMES { long_tier(cursor)? } else { Tier::NONE };
    let tree_len = cursor.take(Width::ub4_if(flags & flag::TREE_UB4 != 0))?;
    let tiny_nodes = ub2(cursor.source, cursor.at)?;
    let short = short.at(cursor.at.saturating_add(2));
    let long = long.at(short.heap.end);
    let tree = Segment::new(long.heap.end, tree_len);
    Ok(Header { version, flags, id_width, tiny_nodes, short, long, tree, update: Update::NONE })
}

const fn id_width(flags: u16) -> Width {
    if flags & flag::NAME_COUNT_UB4 != 0 {
        Width::Ub4
    } else if flags & flag::NAME_COUNT_UB2 != 0 {
        Width::Ub2
    } else {
        Width::Ub1
    }
}

fn short_tier<S: ByteSource>(flags: u16, id_width: Width, cursor: &mut Cursor<S>) -> Result<Tier, DecodeError> {
    let offset_width = Width::ub4_if(flags & flag::HEAP_UB4 != 0);
    let at = cursor.at;
    let count = cursor.take(id_width)?;
    let heap_len = cursor.take(offset_width)?;
    if count > 0 && flags & flag::HASH_UB1 == 0 {
        return Err(fault::flags(FLAGS_AT, flags, FlagFault::HashWidth));
    }
    Tier::new(count, heap_len, offset_width, Width::Ub1).checked(at)
}

fn long_tier<S: ByteSource>(cursor: &mut Cursor<S>) -> Result<Tier, DecodeError> {
    let at = cursor.at;
    let flags = ub2(cursor.source, at)?;
    if flags & !tag::LONG_OFFSETS_UB2 != 0 {
        return Err(fault::flags(at, flags, FlagFault::Reserved));
    }
    let offset_width = Width::ub4_if(flags & tag::LONG_OFFSETS_UB2 == 0);
    cursor.at = at.saturating_add(2);
    let (count, heap_len) = (cursor.take(Width::Ub4)?, cursor.take(Width::Ub4)?);
    Tier::new(count, heap_len, offset_width, Width::Ub2).checked(at.saturating_add(2))
}

impl Tier {
    /// The same, if a tier without names has no heap; `at` is where its number of names stands.
    fn checked(self, at: usize) -> Result<Self, DecodeError> {
        if self.count == 0 && self.heap.len() > 0 { Err(fault::broken(at, Rule::HeapWithoutNames)) } else { Ok(self) }
    }
}

/// Reads numbers one after the other.
struct Cursor<S> {
    source: S,
    at: usize,
}

impl<S: ByteSource> Cursor<S> {
    fn take(&mut self, width: Width) -> Result<usize, DecodeError> {
        let value = width.read(self.source, self.at)?;
        self.at = self.at.saturating_add(width.bytes());
        Ok(value)
    }
}

impl Update {
    /// Reads the update header at the end of `tree` in an image of `len` bytes.
    fn read<S: ByteSource>(source: S, tree: Segment, len: usize) -> Result<Self, DecodeError> {
        let at = tree.end;
        let map_at = at.saturating_add(tag::UPDATE_HEADER_LEN);
        let flags = ub2(source, at)?;
        let entries = usize::from(ub2(source, at.saturating_add(2))?);
        let reserved = ub4(source, at.saturating_add(4))?;
        let map_len = widen(ub4(source, at.saturating_add(8))?);
        let extended_len = widen(ub4(source, at.saturating_add(12))?);
        if flags & !tag::MAP_UB2 != 0 {
            return Err(fault::flags(at, flags, FlagFault::Reserved));
        }
        let entry_width = Width::ub4_if(flags & tag::MAP_UB2 == 0);
        let extended = Segment::new(map_at.saturating_add(map_len), extended_len);
        let used_len = entries.saturating_mul(entry_width.bytes()).saturating_mul(2);
        if reserved != 0 || used_len > map_len || extended.end != len {
            return Err(fault::broken(at, Rule::UpdateHeader));
        }
        Ok(Self { map_at, entries, entry_width, extended })
    }
}
