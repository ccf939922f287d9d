//! The table that holds a collection: record ids as keys, documents as values.

use rayon::iter::{IntoParallelRefMutIterator as _, ParallelIterator as _};

use super::block::{BlockWriter, PageLens};
use super::compressor::Compressor;
use super::page::{Entry, PAGE_HEADER_LEN, cut};
use super::{cell, memory, tree};

/// MongoDB's table: `leaf_page_max=32KB`, `memory_page_max=10m`, `split_pct=90`, no prefix compression, pages above the
/// leaves of 4 KB.
const LEAF: PageLens = PageLens { disk_max: 32 * 1024, image_max: 4 * 32 * 1024 };
const MEMORY_PAGE_LEN_MAX: u64 = 10 * 1024 * 1024;
const UPPER_PAGE_LEN_MAX: u64 = 4 * 1024;

/// A model of the table that the storage engine makes of documents inserted one after the other, with one checkpoint at the
/// end, for several compressors at a time. Holds one memory page, at most some 10 MB, and one document beyond it.
#[derive(Debug)]
pub struct Table {
    /// The cells of the page in memory, one after the other.
    cells: Vec<u8>,
    /// The length of each key with its value.
    entries: Vec<u64>,
    footprint: u64,
    documents: u64,
    files: Vec<BlockWriter>,
}

/// What a table takes on disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableSize {
    /// Whose blocks.
    pub compressor: Compressor,
    /// Bytes of the file.
    pub bytes: u64,
    /// Pages that hold documents.
    pub leaves: u64,
}

impl Table {
    /// An empty table for each of `compressors`.
    pub fn new(compressors: &[Compressor]) -> Self {
        Self {
            cells: Vec::new(),
            entries: Vec::new(),
            footprint: 0,
            documents: 0,
            files: compressors.iter().map(|compressor| BlockWriter::new(*compressor, LEAF)).collect(),
        }
    }

    /// Inserts a document behind the last one.
    pub fn insert(&mut self, document: &[u8]) {
        // The page is split before the document that finds it full.
        if self.footprint >= memory::split_len(MEMORY_PAGE_LEN_MAX) {
            self.write_page();
        }
        self.documents += 1;
        let start = self.cells.len();
        let key_len = cell::packed_len(self.documents);
        self.cells.push(0x01 | u8::try_from(key_len << 2).unwrap_or_default());
        cell::packed(self.documents, &mut self.cells);
        value_cell(document, &mut self.cells);
        self.entries.push((self.cells.len() - start) as u64);
        self.footprint += memory::insert_len(key_len, document.len() as u64);
    }

    /// What it takes on disk after a checkpoint, for each compressor.
    pub fn finish(mut self) -> Vec<TableSize> {
        self.write_page();
        let key_cell_len = cell::key_overhead(1, false) + cell::packed_len(self.documents);
        let size = |file: &BlockWriter| TableSize {
            compressor: file.compressor(),
            bytes: file.file_len() + tree::upper_len(file.blocks(), key_cell_len, UPPER_PAGE_LEN_MAX),
            leaves: file.blocks(),
        };
        self.files.iter().map(size).collect()
    }

    fn write_page(&mut self) {
        let (cells, entries) = (&self.cells, &self.entries);
        self.files.par_iter_mut().for_each(|file| write(file, cells, entries));
        self.cells.clear();
        self.entries.clear();
        self.footprint = 0;
    }
}

/// Cuts what is in memory into pages and writes them.
fn write(file: &mut BlockWriter, mut cells: &[u8], entries: &[u64]) {
    let entries = entries.iter().map(|len| Entry { whole_len: *len, len: *len });
    let pages = cut(entries, file.page_len_max());
    for (index, page) in pages.iter().enumerate() {
        let len = usize::try_from(page.len - PAGE_HEADER_LEN).unwrap_or(usize::MAX);
        let Some((page, rest)) = cells.split_at_checked(len) else { break };
        file.write(page, index + 1 == pages.len());
        cells = rest;
    }
}

/// Descriptors: a value whose length stands in the upper six bits, and one whose length follows.
fn value_cell(value: &[u8], cells: &mut Vec<u8>) {
    let len = value.len() as u64;
    if cell::overhead(len) == 1 {
        cells.push(0x03 | u8::try_from(len << 2).unwrap_or_default());
    } else {
        cells.push(0x80);
        cell::packed(len - 64, cells);
    }
    cells.extend_from_slice(value);
}
