//! How pages become blocks of the file: compressed where that saves a unit of allocation, and cut larger or smaller next
//! time by how that went.

use super::compressor::Compressor;
use super::page::{ALLOCATION_LEN, PAGE_HEADER_LEN, align};

/// The headers and some bytes more are left as they are, so that a block can be looked at without its compressor.
const UNCOMPRESSED_LEN: u64 = 64;

/// The largest page as it is on disk, and as it may be before compression.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PageLens {
    /// `leaf_page_max`.
    pub(crate) disk_max: u64,
    /// `memory_page_image_max`: four times the largest page of the file unless configured.
    pub(crate) image_max: u64,
}

/// Writes the blocks of one file.
#[derive(Debug)]
pub(crate) struct BlockWriter {
    compressor: Compressor,
    lens: PageLens,
    /// How long a page may be before it is compressed, as the engine has learnt so far.
    page_len_max: u64,
    file_len: u64,
    blocks: u64,
    scratch: Vec<u8>,
}

impl BlockWriter {
    pub(crate) fn new(compressor: Compressor, lens: PageLens) -> Self {
        // Small pages are not cut by what compression makes of them.
        const ADJUSTED_LEN_MIN: u64 = 16 * 1024;
        let is_adjusted = compressor != Compressor::None && lens.disk_max >= ADJUSTED_LEN_MIN;
        let page_len_max = if is_adjusted { lens.image_max } else { lens.disk_max };
        Self { compressor, lens, page_len_max, file_len: 0, blocks: 0, scratch: Vec::new() }
    }

    /// The longest page to cut now.
    pub(crate) const fn page_len_max(&self) -> u64 {
        self.page_len_max
    }

    pub(crate) const fn file_len(&self) -> u64 {
        self.file_len
    }

    pub(crate) const fn compressor(&self) -> Compressor {
        self.compressor
    }

    pub(crate) const fn blocks(&self) -> u64 {
        self.blocks
    }

    /// Writes a page whose cells are `cells`. `is_last`: nothing follows of what is written at this time.
    pub(crate) fn write(&mut self, cells: &[u8], is_last: bool) {
        let len = PAGE_HEADER_LEN + cells.len() as u64;
        let compressed = self.compressed_len(cells, len);
        self.file_len += align(compressed.unwrap_or(len));
        self.blocks += 1;
        if let Some(len) = compressed {
            self.adjust(len, is_last);
        }
    }

    /// `None` where the page is written as it is.
    fn compressed_len(&mut self, cells: &[u8], len: u64) -> Option<u64> {
        if len <= ALLOCATION_LEN {
            return None;
        }
        let skipped = usize::try_from(UNCOMPRESSED_LEN - PAGE_HEADER_LEN).unwrap_or_default();
        let compressed = self.compressor.compressed_len(cells.get(skipped..)?, &mut self.scratch)? + UNCOMPRESSED_LEN;
        (compressed / ALLOCATION_LEN < len / ALLOCATION_LEN).then_some(compressed)
    }

    /// A page that came out too long makes the next ones shorter, one with room to spare makes them longer, by a tenth of
    /// the largest page of the file. It takes effect the next time that pages are cut.
    fn adjust(&mut self, compressed_len: u64, is_last: bool) {
        let tenth = self.lens.disk_max / 10;
        if compressed_len > self.lens.disk_max {
            let excess = self.page_len_max - self.lens.disk_max;
            self.page_len_max = if excess > tenth { self.page_len_max - tenth } else { self.lens.disk_max };
        } else if !is_last && compressed_len <= self.lens.disk_max - tenth {
            self.page_len_max = (self.page_len_max + tenth).min(self.lens.image_max);
        }
    }
}
