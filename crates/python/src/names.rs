//! Python strings for the names of fields, each made once.

use std::sync::Mutex;

use pyo3::prelude::*;
use pyo3::types::PyString;

/// How many names are remembered; a power of two.
const SLOTS: usize = 2048;
/// Longer names are made anew each time.
const NAME_BYTES_MAX: usize = 31;

/// Names that were met before, by what they hash to: a name takes the place of the one that was there.
///
/// A string that is used again has its hash ready, so putting a member into a dict costs neither an allocation nor a
/// hash.
pub(crate) struct Names {
    /// For each slot, what the name that hashed to it last hashes to beside. A name gets the slot when it comes a second
    /// time: names that occur once, as in objects whose keys are data, cost no more than their strings.
    seen: Vec<u32>,
    slots: Vec<Slot>,
}

#[derive(Default)]
struct Slot {
    bytes: [u8; NAME_BYTES_MAX],
    len: u8,
    text: Option<Py<PyString>>,
}

/// A name that waits for its value.
#[derive(Debug)]
pub(crate) enum Name<'py> {
    /// It stands in a slot, until the next name is looked up.
    At(usize),
    Own(Bound<'py, PyString>),
}

/// Those that no call is using.
static IDLE: Mutex<Vec<Names>> = Mutex::new(Vec::new());

impl Names {
    /// Names as the last call left them; of calls at the same time each has its own.
    pub(crate) fn borrow() -> Self {
        let idle = IDLE.lock().ok().and_then(|mut idle| idle.pop());
        idle.unwrap_or_else(|| Self {
            seen: vec![0; SLOTS],
            slots: std::iter::repeat_with(Slot::default).take(SLOTS).collect(),
        })
    }

    /// Keeps them for the next call.
    pub(crate) fn give_back(self) {
        if let Ok(mut idle) = IDLE.lock()
            && idle.len() < 4
        {
            idle.push(self);
        }
    }

    /// The name `text`, valid until the next is asked for.
    #[inline]
    pub(crate) fn find<'py>(&mut self, py: Python<'py>, text: &str) -> Name<'py> {
        let bytes = text.as_bytes();
        if bytes.len() > NAME_BYTES_MAX {
            return Name::Own(PyString::new(py, text));
        }
        let (index, tag) = slot_of(bytes);
        let Some(seen) = self.seen.get_mut(index) else { return Name::Own(PyString::new(py, text)) };
        if *seen != tag {
            *seen = tag;
            return Name::Own(PyString::new(py, text));
        }
        let Some(slot) = self.slots.get_mut(index) else { return Name::Own(PyString::new(py, text)) };
        if usize::from(slot.len) != bytes.len() || slot.bytes.get(..bytes.len()) != Some(bytes) || slot.text.is_none() {
            slot.fill(py, text);
        }
        Name::At(index)
    }

    /// The string of a name.
    #[inline]
    pub(crate) fn text<'a, 'py>(&'a self, py: Python<'py>, name: &'a Name<'py>) -> Option<&'a Bound<'py, PyString>> {
        match name {
            Name::Own(text) => Some(text),
            Name::At(index) => self.slots.get(*index)?.text.as_ref().map(|text| text.bind(py)),
        }
    }

    /// A name that can be kept.
    pub(crate) fn keep<'py>(&self, py: Python<'py>, name: Name<'py>) -> Name<'py> {
        match self.text(py, &name) {
            Some(text) => Name::Own(text.clone()),
            None => name,
        }
    }
}

impl Slot {
    #[cold]
    fn fill(&mut self, py: Python<'_>, text: &str) {
        let bytes = text.as_bytes();
        if let Some(place) = self.bytes.get_mut(..bytes.len()) {
            place.copy_from_slice(bytes);
        }
        self.len = u8::try_from(bytes.len()).unwrap_or(u8::MAX);
        self.text = Some(PyString::new(py, text).unbind());
    }
}

/// Names in documents differ in their length, their first and their last bytes: two words of eight bytes tell them apart.
#[inline]
fn slot_of(bytes: &[u8]) -> (usize, u32) {
    let word = |chunk: Option<&[u8; 8]>| chunk.map_or(0, |chunk| u64::from_le_bytes(*chunk));
    let mixed = if bytes.len() >= 8 {
        word(bytes.first_chunk()) ^ word(bytes.last_chunk()).rotate_left(29)
    } else {
        bytes.iter().fold(0, |mixed, &byte| (mixed << 8) | u64::from(byte))
    };
    let len = u64::try_from(bytes.len()).unwrap_or_default();
    let hash = (mixed ^ (len << 56)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let index = usize::try_from(hash >> (64 - SLOTS.trailing_zeros())).unwrap_or_default();
    (index, u32::try_from(hash & u64::from(u32::MAX)).unwrap_or_default())
}
