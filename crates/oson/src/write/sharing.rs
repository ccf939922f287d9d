//! Equal leaves of objects, stored once.
//!
//! The places of the members of a sorted object tell the order of the input, so a leaf of an object can only be left out
//! when it is known that the object will not be sorted: when it has ended. What comes behind the object's last container
//! is then simply moved together. A leaf before some container in it is marked with a patch that takes effect, or not, at
//! the end of the object.

use crate::width::{narrow, widen};

use super::emit::UNSORTED_FIELDS_MAX;
use super::tape::{Open, Patch, Place, Repeat, Tape};
use super::values::Values;

/// What was left out.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LeftOut {
    pub(super) leaves: usize,
    /// Those of them that were empty containers.
    pub(super) empty_containers: usize,
}

impl LeftOut {
    pub(super) fn add(&mut self, other: Self) {
        self.leaves = self.leaves.wrapping_add(other.leaves);
        self.empty_containers = self.empty_containers.wrapping_add(other.empty_containers);
    }

    /// Counts the leaf that begins with this byte.
    #[inline]
    fn count(&mut self, opcode: Option<&u8>) {
        let is_container = opcode.is_some_and(|opcode| *opcode >= 0x80);
        self.add(Self { leaves: 1, empty_containers: usize::from(is_container) });
    }
}

/// Leaves out the leaves at the end of the object that repeat earlier ones.
#[inline]
pub(super) fn share_run(tape: &mut Tape, open: &Open, values: &mut Values) -> LeftOut {
    let mut left_out = LeftOut::default();
    let patches = narrow(tape.patches.len());
    let run = tape.pending.get_mut(open.run..).unwrap_or_default();
    let Some(first) = run.first() else { return left_out };
    let mut end = widen(first.place.leaf_bytes);
    let mut start = end;
    let mut rest = run;
    while let Some((child, behind)) = rest.split_first_mut() {
        let next = behind.first().map_or(tape.leaves.len(), |next| widen(next.place.leaf_bytes));
        let place = Place { leaf_bytes: narrow(end), patches };
        if let Some(of) = values.find_or_add(&tape.leaves, start..next, place) {
            left_out.count(tape.leaves.get(start));
            child.place = of;
        } else {
            if start != end {
                tape.leaves.copy_within(start..next, end);
            }
            child.place = place;
            end = end.saturating_add(next.saturating_sub(start));
        }
        (start, rest) = (next, behind);
    }
    tape.leaves.truncate(end);
    left_out
}

/// Marks the leaves of the open object that repeat earlier ones, because a container follows.
#[inline]
pub(super) fn mark_repeats(tape: &mut Tape, values: &mut Values) {
    let Some(open) = tape.open.last_mut() else { return };
    let run = std::mem::replace(&mut open.run, tape.pending.len());
    // It will be sorted for certain.
    if tape.pending.len().saturating_sub(open.first) > widen(UNSORTED_FIELDS_MAX) {
        return;
    }
    let mut rest = tape.pending.get_mut(run..).unwrap_or_default();
    while let Some((child, behind)) = rest.split_first_mut() {
        let start = widen(child.place.leaf_bytes);
        let end = behind.first().map_or(tape.leaves.len(), |next| widen(next.place.leaf_bytes));
        child.place.patches = narrow(tape.patches.len());
        rest = behind;
        // One byte is not worth a patch.
        if end.saturating_sub(start) > 1
            && let Some(of) = values.find_or_add(&tape.leaves, start..end, child.place)
        {
            let len = narrow(end.saturating_sub(start));
            tape.patches.push(Patch::Repeat(Repeat { at: child.place.leaf_bytes, len, of, left_out: false }));
            open.repeats = true;
        }
    }
}

/// Leaves out the marked leaves of an object that will not be sorted.
pub(super) fn leave_out_repeats(tape: &mut Tape, open: &Open) -> LeftOut {
    let mut left_out = LeftOut::default();
    for child in tape.pending.get_mut(open.first..open.run).unwrap_or_default() {
        let Some(Patch::Repeat(repeat)) = tape.patches.get_mut(widen(child.place.patches)) else { continue };
        // The patch at a leaf's place is the leaf's own only when it begins where the leaf does.
        if repeat.at == child.place.leaf_bytes {
            repeat.left_out = true;
            child.place = repeat.of;
            left_out.count(tape.leaves.get(widen(repeat.at)));
        }
    }
    left_out
}
