//! An index of a document's elements, for those who read many of them.

use boson_document::DecodeError;

use crate::view::place::Place;
use crate::view::{Document, Value};

/// Where each element of one document stands, by name: built in one pass, then asked as often as needed.
///
/// It pays from about a handful of lookups in a document of many elements. The memory is kept when it is built anew for
/// the next document.
#[derive(Clone, Debug, Default)]
pub struct Index {
    /// Sorted by hash, then by place in the document.
    entries: Vec<Entry>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    hash: u64,
    place: Place,
}

impl Index {
    /// An index of nothing.
    pub const fn new() -> Self {
        Self { entries: Vec::new() }
    }

    /// Indexes `document`, in place of what was indexed before.
    ///
    /// # Errors
    ///
    /// The first element whose type, name's end or length is faulty; values and nested documents are not looked at.
    pub fn rebuild<'i, 'a>(&'i mut self, document: Document<'a>) -> Result<Indexed<'i, 'a>, DecodeError> {
        self.entries.clear();
        let mut places = document.places();
        while let Some(place) = places.next()? {
            let hash = hash(name_of(document, place));
            self.entries.push(Entry { hash, place });
        }
        self.entries.sort_unstable_by_key(|entry| (entry.hash, entry.place.name.offset));
        Ok(self.of(document))
    }

    /// The index together with `document`, which must be the one it was built from: of another one the answers are wrong
    /// or missing, and nothing outside it is read.
    pub const fn of<'i, 'a>(&'i self, document: Document<'a>) -> Indexed<'i, 'a> {
        Indexed { entries: self.entries.as_slice(), document }
    }
}

/// A document together with the index of its elements.
#[derive(Clone, Copy, Debug)]
pub struct Indexed<'i, 'a> {
    entries: &'i [Entry],
    document: Document<'a>,
}

impl<'a> Indexed<'_, 'a> {
    /// The document.
    pub const fn document(&self) -> Document<'a> {
        self.document
    }

    /// How many elements it has.
    pub const fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether it has none.
    pub const fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The first value called `name`; `None` when there is none. The same answer as `Document::get`.
    pub fn get(&self, name: &str) -> Option<Value<'a>> {
        self.get_all(name).next()
    }

    /// Every value called `name`, in order.
    pub fn get_all(&self, name: &str) -> impl Iterator<Item = Value<'a>> {
        let (wanted, document) = (hash(name.as_bytes()), self.document);
        let first = self.entries.partition_point(|entry| entry.hash < wanted);
        let entries = self.entries.get(first..).unwrap_or_default();
        entries
            .iter()
            .take_while(move |entry| entry.hash == wanted)
            .filter(move |entry| name_of(document, entry.place) == name.as_bytes())
            .map(move |entry| Value::new(document.source(), entry.place))
    }

    /// A name that occurs more than once; `None` when there is none. Not in the order of the document.
    pub fn duplicate(&self) -> Option<&'a [u8]> {
        let document = self.document;
        let mut runs = self.entries.chunk_by(|a, b| a.hash == b.hash).filter(|run| run.len() > 1);
        runs.find_map(|run| duplicate_in(document, run))
    }
}

/// A name that occurs more than once in a run of elements of one hash.
fn duplicate_in<'a>(document: Document<'a>, run: &[Entry]) -> Option<&'a [u8]> {
    let mut names: Vec<_> = run.iter().map(|entry| name_of(document, entry.place)).collect();
    names.sort_unstable();
    names.windows(2).find_map(|pair| match pair {
        [a, b] if a == b => Some(*a),
        _ => None,
    })
}

fn name_of(document: Document<'_>, place: Place) -> &[u8] {
    document.source().get(place.name.range()).unwrap_or_default()
}

/// Names are short and the order breaks ties, so a multiplication for every eight bytes is enough: a bad hash costs
/// comparisons, never an answer.
fn hash(name: &[u8]) -> u64 {
    const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
    let (words, rest) = name.as_chunks::<8>();
    let seed = u64::try_from(name.len()).unwrap_or(u64::MAX).wrapping_mul(FACTOR);
    let mixed = words.iter().fold(seed, |hash, word| mix(hash, u64::from_le_bytes(*word)));
    let mut last = [0; 8];
    for (byte, name) in last.iter_mut().zip(rest) {
        *byte = *name;
    }
    mix(mixed, u64::from_le_bytes(last))
}

fn mix(hash: u64, word: u64) -> u64 {
    (hash.rotate_left(23) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}
