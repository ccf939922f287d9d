//! The pages above the leaves, and what a file holds beside pages.

use super::page::{ALLOCATION_LEN, Entry, align, cut};

/// An address of a child as a cell of a page above it: the descriptor, the length, and the packed offset, size and checksum
/// of the block, which mostly take three bytes, one and five.
const ADDRESS_CELL_LEN: u64 = 1 + 1 + 3 + 1 + 5;

/// The file's description, and the lists of blocks in use and free that a checkpoint leaves.
const FILE_OVERHEAD_LEN: u64 = 3 * ALLOCATION_LEN;

/// Bytes of all pages above `leaves` leaf pages, when a key that tells two of them apart takes `key_cell_len` bytes, and of
/// what else the file holds.
pub(crate) fn upper_len(leaves: u64, key_cell_len: u64, page_len_max: u64) -> u64 {
    let entry_len = key_cell_len + ADDRESS_CELL_LEN;
    let mut total = FILE_OVERHEAD_LEN;
    let mut children = leaves;
    while children > 1 || total == FILE_OVERHEAD_LEN {
        let entry = Entry { whole_len: entry_len, len: entry_len };
        let count = usize::try_from(children).unwrap_or(usize::MAX);
        let pages = cut(std::iter::repeat_n(entry, count), page_len_max);
        total += pages.iter().map(|page| align(page.len)).sum::<u64>().max(ALLOCATION_LEN);
        children = pages.len() as u64;
    }
    total
}
