//! Leaves that were written already.

use std::ops::Range;

use crate::width::widen;

use super::mixing;
use super::tape::Place;

/// How many leaves are remembered.
const SLOTS: usize = 4096;

/// The last leaf for each of a few thousand hashes: equal values are mostly near each other, and a leaf that is missed
/// costs its own bytes, no more.
#[derive(Debug, Default)]
pub(super) struct Values {
    slots: Vec<Slot>,
    /// What is added to the places of this document, so that those of earlier ones need no clearing.
    base: u32,
}

#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    /// `Values::base` and the leaf's place in the leaves.
    at: u32,
    /// The patches before it.
    patches: u32,
}

impl Values {
    /// Forgets the leaves of a document that had `leaf_bytes` bytes of them.
    pub(super) fn clear(&mut self, leaf_bytes: usize) {
        let next = u32::try_from(leaf_bytes).ok().and_then(|bytes| self.base.checked_add(bytes)?.checked_add(1));
        match next {
            Some(next) if self.slots.len() == SLOTS => self.base = next,
            _ => {
                self.slots.clear();
                self.slots.resize(SLOTS, Slot::default());
                self.base = 1;
            }
        }
    }

    /// The place of an earlier leaf equal to `leaf`; if there is none, this one is remembered as standing at `place`.
    #[inline]
    pub(super) fn find_or_add(&mut self, leaves: &[u8], leaf: Range<usize>, place: Place) -> Option<Place> {
        let leaf = leaves.get(leaf).unwrap_or_default();
        let index = usize::try_from(mixing::hash_ends(leaf) >> 32).unwrap_or(0) & SLOTS.wrapping_sub(1);
        let slot = self.slots.get_mut(index)?;
        if let Some(at) = slot.at.checked_sub(self.base) {
            let held = widen(at);
            // A leaf's first bytes say how long it is: what begins like this one and is as long is the same leaf.
            if leaves.get(held..held.saturating_add(leaf.len())) == Some(leaf) {
                return Some(Place { leaf_bytes: at, patches: slot.patches });
            }
        }
        // Beyond 4 GiB nothing is written anyhow.
        *slot = Slot { at: self.base.saturating_add(place.leaf_bytes), patches: place.patches };
        None
    }
}
