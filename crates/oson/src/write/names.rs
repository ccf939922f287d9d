//! The names of documents, each held once.

use crate::dictionary;
use crate::tag::NAME_BYTES_MAX;
use crate::width::{narrow, widen};

use super::error::EncodeErrorKind;
use super::mixing;

/// Beyond so many names, or bytes of them, the names of earlier documents are forgotten.
const NAMES_KEPT_MAX: usize = 1 << 16;
const NAME_BYTES_KEPT_MAX: usize = 1 << 20;

/// The entry that stands for no name: before the first one of a document.
const NO_NAME: u32 = 0;

/// Names, numbered from 1 as they were first met.
///
/// They are kept from document to document, since documents that follow each other are mostly alike; `used` tells those
/// of the present one. Each name remembers which came after it last, so that most are found with one comparison.
#[derive(Debug)]
pub(super) struct Names {
    text: String,
    entries: Vec<Entry>,
    /// Open addressing: the number of a name, 0 where vacant. The length is a power of two.
    slots: Vec<u32>,
    seed: u64,
    /// The names of the present document, in order of first appearance.
    used: Vec<u32>,
    /// The number of the present document.
    document: u32,
    /// The number of the present object, for finding names that occur twice.
    object: u32,
    last: u32,
    /// How often everything was forgotten.
    epoch: u32,
}

#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    start: u32,
    len: u32,
    /// The hash by which it stands in the slots.
    slot_hash: u32,
    /// The name that came after this one last.
    next: u32,
    /// The last document that used it.
    document: u32,
    /// The last object that was found to have it.
    object: u32,
    /// The hash that the format wants.
    hash: u32,
}

impl Default for Names {
    fn default() -> Self {
        let mut names = Self {
            text: String::new(),
            entries: Vec::new(),
            slots: Vec::new(),
            seed: mixing::seed(),
            used: Vec::new(),
            document: 0,
            object: 0,
            last: NO_NAME,
            epoch: 0,
        };
        names.forget();
        names
    }
}

impl Names {
    /// Begins a document that has no names yet.
    pub(super) fn clear(&mut self) {
        self.used.clear();
        self.last = NO_NAME;
        let full = self.entries.len() > NAMES_KEPT_MAX || self.text.len() > NAME_BYTES_KEPT_MAX;
        // Numbers of documents and objects must not come round to those in the entries.
        if full || self.document == u32::MAX || self.object > u32::MAX / 2 {
            self.forget();
        }
        self.document = self.document.wrapping_add(1);
    }

    fn forget(&mut self) {
        self.text.clear();
        self.entries.clear();
        // It has a length that no name has, so that it is equal to none.
        self.entries.push(Entry { len: u32::MAX, ..Entry::default() });
        self.slots.clear();
        self.slots.resize(64, NO_NAME);
        (self.document, self.object) = (1, 0);
        self.epoch = self.epoch.wrapping_add(1);
    }

    /// The number of `name`, which the present document uses from now on.
    #[inline]
    pub(super) fn number(&mut self, name: &str) -> Result<u32, EncodeErrorKind> {
        let expected = self.entry(self.last).next;
        let number = if self.is(expected, name) { expected } else { self.look_up(name)? };
        self.last = number;
        let document = self.document;
        if let Some(entry) = self.entries.get_mut(widen(number))
            && entry.document != document
        {
            entry.document = document;
            self.used.push(number);
        }
        Ok(number)
    }

    /// The names of the document, in order of first appearance.
    pub(super) fn used(&self) -> &[u32] {
        &self.used
    }

    /// How many numbers were given, the one for no name included.
    pub(super) fn numbers(&self) -> usize {
        self.entries.len()
    }

    /// Changes whenever the numbers begin anew.
    pub(super) fn epoch(&self) -> u32 {
        self.epoch
    }

    /// The name of this number.
    #[inline]
    pub(super) fn text(&self, number: u32) -> &str {
        let entry = self.entry(number);
        let start = widen(entry.start);
        self.text.get(start..start.saturating_add(widen(entry.len))).unwrap_or_default()
    }

    /// The FNV-1a hash of this name.
    #[inline]
    pub(super) fn hash(&self, number: u32) -> u32 {
        self.entry(number).hash
    }

    /// Begins to look for names that occur twice in an object.
    pub(super) fn begin_object(&mut self) {
        self.object = self.object.wrapping_add(1);
    }

    /// Whether this name comes for the first time since `begin_object`.
    #[inline]
    pub(super) fn is_first(&mut self, number: u32) -> bool {
        let object = self.object;
        self.entries.get_mut(widen(number)).is_none_or(|entry| std::mem::replace(&mut entry.object, object) != object)
    }

    #[inline]
    fn entry(&self, number: u32) -> Entry {
        self.entries.get(widen(number)).copied().unwrap_or_default()
    }

    #[inline]
    fn is(&self, number: u32, name: &str) -> bool {
        let Some(entry) = self.entries.get(widen(number)) else { return false };
        let (start, len) = (widen(entry.start), widen(entry.len));
        let held = self.text.as_bytes().get(start..start.saturating_add(len));
        len == name.len() && held == Some(name.as_bytes())
    }

    /// Searches for the name, or adds it, and has it expected after the last one from now on.
    #[inline(never)]
    fn look_up(&mut self, name: &str) -> Result<u32, EncodeErrorKind> {
        let slot_hash = narrow_hash(mixing::hash(self.seed, name.as_bytes()));
        let number = match self.search(slot_hash, name) {
            Ok(number) => number,
            Err(slot) => self.add(name, slot_hash, slot)?,
        };
        if let Some(entry) = self.entries.get_mut(widen(self.last)) {
            entry.next = number;
        }
        Ok(number)
    }

    /// The number of the name, or the slot where it would stand.
    fn search(&self, slot_hash: u32, name: &str) -> Result<u32, usize> {
        let mask = self.slots.len().wrapping_sub(1);
        let mut slot = widen(slot_hash) & mask;
        loop {
            match self.slots.get(slot).copied().unwrap_or(NO_NAME) {
                NO_NAME => return Err(slot),
                number if self.entry(number).slot_hash == slot_hash && self.is(number, name) => return Ok(number),
                _ => slot = slot.wrapping_add(1) & mask,
            }
        }
    }

    fn add(&mut self, name: &str, slot_hash: u32, slot: usize) -> Result<u32, EncodeErrorKind> {
        if name.len() > NAME_BYTES_MAX {
            return Err(EncodeErrorKind::NameLength(name.len()));
        }
        let number = u32::try_from(self.entries.len()).map_err(|_| EncodeErrorKind::TooLarge)?;
        let start = u32::try_from(self.text.len()).map_err(|_| EncodeErrorKind::TooLarge)?;
        self.text.push_str(name);
        let hash = dictionary::hash(name.as_bytes());
        self.entries.push(Entry { start, len: narrow(name.len()), slot_hash, hash, ..Entry::default() });
        if let Some(slot) = self.slots.get_mut(slot) {
            *slot = number;
        }
        if self.entries.len() > self.slots.len() / 2 {
            self.grow();
        }
        Ok(number)
    }

    fn grow(&mut self) {
        let length = self.slots.len().saturating_mul(4);
        self.slots.clear();
        self.slots.resize(length, NO_NAME);
        let mask = length.wrapping_sub(1);
        for (number, entry) in self.entries.iter().enumerate().skip(1) {
            let mut slot = widen(entry.slot_hash) & mask;
            while self.slots.get(slot).is_some_and(|&number| number != NO_NAME) {
                slot = slot.wrapping_add(1) & mask;
            }
            if let Some(slot) = self.slots.get_mut(slot) {
                *slot = narrow(number);
            }
        }
    }
}

/// The upper half, which every byte of the name has reached.
fn narrow_hash(hash: u64) -> u32 {
    u32::try_from(hash >> 32).unwrap_or(0)
}
