//! Finding a leaf of the root in memory, in an image of the common kind: up to 255 names of up to 255 bytes, offsets from the
//! start of the tree, never updated.
//!
//! It is the search that all images share, on slices that are cut once. What is uncommon, absent or faulty is left to that
//! one, which knows all cases and says what is wrong: nothing found here means nothing.

use boson_document::{Span, find_byte, same_bytes};

use crate::dictionary::short_hash;
use crate::header::Header;
use crate::scalar::Leaf;
use crate::tag::{container, flag};
use crate::width::Width;

/// The leaf called `name` in the root of the image `bytes`.
#[inline]
pub(super) fn common_leaf(bytes: &[u8], header: &Header, name: &[u8]) -> Option<Leaf> {
    if header.id_width != Width::Ub1 || header.flags & (flag::RELATIVE_OFFSETS | flag::SCALAR) != 0 {
        return None;
    }
    let tree = Span::between(header.tree.start, header.tree.end);
    let nodes = bytes.get(tree.range()).filter(|_| !header.update.is_some())?;
    let offset = offset_of(nodes, common_id(bytes, header, name)?)?;
    Leaf::common(nodes.get(offset..)?, tree.offset.wrapping_add(offset))
}

/// The id of the short name `name`.
///
/// Hashes are sorted and as good as evenly spread, so the name is looked for around its likely place first.
#[inline]
fn common_id(bytes: &[u8], header: &Header, name: &[u8]) -> Option<u8> {
    const NEAR: usize = 8;
    let tier = &header.short;
    let names = Names {
        hashes: bytes.get(tier.start..tier.offsets_at)?,
        offsets: bytes.get(tier.offsets_at..tier.heap.start).filter(|_| tier.offset_width == Width::Ub2)?,
        heap: bytes.get(tier.heap.start..tier.heap.end)?,
    };
    let hash = short_hash(name);
    let likely = usize::from(hash).wrapping_mul(tier.count) >> 8;
    let near = likely.saturating_sub(NEAR);
    let found = names.find(hash, name, near, likely.wrapping_add(NEAR).min(tier.count));
    found.or_else(|| names.find(hash, name, 0, tier.count))
}

/// The parts of the dictionary of short names.
struct Names<'a> {
    hashes: &'a [u8],
    offsets: &'a [u8],
    heap: &'a [u8],
}

impl Names<'_> {
    /// The id of `name` if it is one of those from place `from` up to `to`.
    #[inline]
    fn find(&self, hash: u8, name: &[u8], mut from: usize, to: usize) -> Option<u8> {
        let hashes = self.hashes.get(..to)?;
        loop {
            let index = from.wrapping_add(find_byte(hash, hashes.get(from..)?)?);
            let offset = self.offsets.as_chunks().0.get(index)?;
            let (&len, rest) = self.heap.get(usize::from(u16::from_be_bytes(*offset))..)?.split_first()?;
            from = index.wrapping_add(1);
            if same_bytes(rest.get(..usize::from(len))?, name) {
                return u8::try_from(from).ok();
            }
        }
    }
}

/// The offset of member `id` of the object that `nodes`, the tree, begin with, whose ids are its own and at most 255.
#[inline]
fn offset_of(nodes: &[u8], id: u8) -> Option<usize> {
    const KIND: u8 = container::CONTAINER | container::ARRAY | container::COUNT_MASK;
    let [opcode, count, rest @ ..] = nodes else { return None };
    // An object with a count of one byte, not moved by an update.
    if opcode & KIND != container::CONTAINER | container::COUNT_UB1 || opcode & container::MOVED != 0 {
        return None;
    }
    let (ids, offsets) = rest.split_at_checked(usize::from(*count))?;
    // An object that has all names of the image has each at the place of its id.
    let guess = usize::from(id).wrapping_sub(1);
    let index = if ids.get(guess) == Some(&id) { guess } else { find_byte(id, ids)? };
    if opcode & container::OFFSETS_UB4 == 0 {
        let slots = offsets.as_chunks().0.get(..ids.len())?;
        return slots.get(index).map(|offset| usize::from(u16::from_be_bytes(*offset)));
    }
    let slots = offsets.as_chunks().0.get(..ids.len())?;
    slots.get(index).and_then(|offset| usize::try_from(u32::from_be_bytes(*offset)).ok())
}
