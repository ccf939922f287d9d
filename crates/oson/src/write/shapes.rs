//! Which objects have the same names in the same order.

use crate::width::{narrow, widen};

use super::mixing;
use super::tape::Child;

/// A sequence of names that some object has.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    hash: u64,
    /// The first child of the object that has it first.
    first: u32,
    len: u32,
    slot: u32,
    /// The patch of that object: it has the field ids that others share.
    pub(super) owner: u32,
    /// Whether others share them.
    pub(super) lent: bool,
    /// Where the order of the sorted ids begins in `Shapes::orders`.
    pub(super) order: Option<u32>,
}

/// Where a shape that was not found would stand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Vacancy {
    hash: u64,
    slot: usize,
}

/// The shapes of a document.
#[derive(Debug)]
pub(super) struct Shapes {
    pub(super) list: Vec<Shape>,
    /// Open addressing: the number of a shape plus 1, 0 where vacant. The length is a power of two.
    slots: Vec<u32>,
    seed: u64,
}

impl Default for Shapes {
    fn default() -> Self {
        Self { list: Vec::new(), slots: vec![0; 16], seed: mixing::seed() }
    }
}

impl Shapes {
    pub(super) fn clear(&mut self) {
        for shape in self.list.drain(..) {
            if let Some(slot) = self.slots.get_mut(widen(shape.slot)) {
                *slot = 0;
            }
        }
    }

    /// The shape of `members`, when an object has it that has ended: its children are among `children`.
    #[inline]
    pub(super) fn find(&self, members: &[Child], children: &[Child]) -> Result<u32, Vacancy> {
        let hash = members.iter().fold(self.seed, |state, child| mixing::mix(state, u64::from(child.name)));
        let mask = self.slots.len().wrapping_sub(1);
        let mut slot = usize::try_from(hash >> 32).unwrap_or(0) & mask;
        while let Some(number) = self.slots.get(slot).and_then(|number| number.checked_sub(1)) {
            if self.list.get(widen(number)).is_some_and(|shape| shape.is(hash, members, children)) {
                return Ok(number);
            }
            slot = slot.wrapping_add(1) & mask;
        }
        Err(Vacancy { hash, slot })
    }

    /// Adds the shape that was not found: `owner` is the patch of the object that has it, `first` where its `len` members
    /// will be among the children.
    pub(super) fn add(&mut self, vacancy: Vacancy, first: u32, len: u32, owner: u32) -> u32 {
        let Vacancy { hash, slot } = vacancy;
        self.list.push(Shape { hash, first, len, slot: narrow(slot), owner, lent: false, order: None });
        let count = narrow(self.list.len());
        if let Some(slot) = self.slots.get_mut(slot) {
            *slot = count;
        }
        if self.list.len() > self.slots.len() / 2 {
            self.grow();
        }
        count.wrapping_sub(1)
    }

    fn grow(&mut self) {
        let length = self.slots.len().saturating_mul(4);
        self.slots.clear();
        self.slots.resize(length, 0);
        let mask = length.wrapping_sub(1);
        for (number, shape) in self.list.iter_mut().enumerate() {
            let mut slot = usize::try_from(shape.hash >> 32).unwrap_or(0) & mask;
            while self.slots.get(slot).is_some_and(|&number| number != 0) {
                slot = slot.wrapping_add(1) & mask;
            }
            shape.slot = narrow(slot);
            if let Some(slot) = self.slots.get_mut(slot) {
                *slot = narrow(number).wrapping_add(1);
            }
        }
    }
}

impl Shape {
    #[inline]
    fn is(&self, hash: u64, members: &[Child], children: &[Child]) -> bool {
        let first = widen(self.first);
        let held = children.get(first..first.saturating_add(widen(self.len))).unwrap_or_default();
        self.hash == hash
            && held.len() == members.len()
            && held.iter().zip(members).all(|(held, member)| held.name == member.name)
    }
}
