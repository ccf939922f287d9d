//! What reading and writing documents means to those who do not care where they are.

use std::ops::Range;

use boson_transcode::Format;

use crate::error::{ReadError, WriteError};

/// One document and where it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Document<'a> {
    /// Its bytes, in the reader's format.
    pub bytes: &'a [u8],
    /// How many documents came before it.
    pub index: u64,
    /// Bytes before it in the stream, as it is after decompression.
    pub offset: u64,
}

/// A place that documents come from, one after the other.
pub trait Reader {
    /// The format of the documents; `None` when there is none by which to tell.
    fn format(&self) -> Option<Format>;

    /// The next document; `None` after the last. It stays in the reader until the next call.
    ///
    /// # Errors
    ///
    /// What is wrong with the stream. After an error there are no more documents, unless the form of the stream says where
    /// the next one begins, as lines do.
    fn next_document(&mut self) -> Result<Option<Document<'_>>, ReadError>;

    /// Fills `batch` anew with the next documents, up to its size and at least one; returns how many. 0 after the last.
    ///
    /// # Errors
    ///
    /// As [`next_document`](Self::next_document); `batch` then holds the documents before the fault.
    fn read_batch(&mut self, batch: &mut Batch) -> Result<usize, ReadError> {
        batch.clear();
        while !batch.is_full() {
            match self.next_document()? {
                Some(document) => batch.push(&document),
                None => break,
            }
        }
        Ok(batch.len())
    }
}

/// A place that documents go to, one after the other.
pub trait Writer {
    /// Adds one document, in the format that this place has.
    ///
    /// # Errors
    ///
    /// When it could not be written, or there is no place for it.
    fn write_document(&mut self, document: &[u8]) -> Result<(), WriteError>;

    /// Says that this was the last document; only then what was written is sure to be there.
    ///
    /// # Errors
    ///
    /// When it could not be written.
    fn finish(self) -> Result<(), WriteError>
    where
        Self: Sized;
}

/// Documents in one block of memory, to be handed from one thread to another and used again.
#[derive(Clone, Debug)]
pub struct Batch {
    bytes: Vec<u8>,
    documents: Vec<Place>,
    bytes_max: usize,
    documents_max: usize,
}

#[derive(Clone, Debug)]
struct Place {
    range: Range<usize>,
    index: u64,
    offset: u64,
}

impl Default for Batch {
    /// A megabyte or a thousand documents.
    fn default() -> Self {
        Self::with_size(1 << 20, 1000)
    }
}

impl Batch {
    /// An empty batch that is full when it holds `bytes_max` bytes or `documents_max` documents.
    pub const fn with_size(bytes_max: usize, documents_max: usize) -> Self {
        Self { bytes: Vec::new(), documents: Vec::new(), bytes_max, documents_max }
    }

    /// How many documents it holds.
    pub const fn len(&self) -> usize {
        self.documents.len()
    }

    /// Whether it holds none.
    pub const fn is_empty(&self) -> bool {
        self.documents.is_empty()
    }

    /// The bytes of all documents, one after another.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The documents in their order.
    pub fn iter(&self) -> impl Iterator<Item = Document<'_>> {
        self.documents.iter().map(|place| Document {
            bytes: self.bytes.get(place.range.clone()).unwrap_or_default(),
            index: place.index,
            offset: place.offset,
        })
    }

    /// Forgets the documents and keeps the memory.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.documents.clear();
    }

    /// Whether it has as much as it is to have.
    pub fn is_full(&self) -> bool {
        self.bytes.len() >= self.bytes_max || self.documents.len() >= self.documents_max.max(1)
    }

    /// Adds a copy of `document`.
    pub fn push(&mut self, document: &Document<'_>) {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(document.bytes);
        let range = start..self.bytes.len();
        self.documents.push(Place { range, index: document.index, offset: document.offset });
    }
}
