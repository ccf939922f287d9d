//! What an entry takes in the engine's memory, which decides when a page there is cut off.

/// An entry of a skip list without its pointers, the pointers it has on average (a quarter of the entries of each level
/// stand on the next), and the description of its value.
const INSERT_LEN: u64 = 16;
const SKIP_POINTERS_LEN: u64 = 8 * 4 / 3;
const UPDATE_LEN: u64 = 38;
const UPDATE_ALIGN: u64 = 32;

/// Bytes that an inserted entry counts for.
pub(crate) const fn insert_len(key_len: u64, value_len: u64) -> u64 {
    INSERT_LEN + SKIP_POINTERS_LEN + key_len + (UPDATE_LEN + value_len).next_multiple_of(UPDATE_ALIGN)
}

/// A page that is appended to is split when it reaches eight tenths of the largest.
pub(crate) const fn split_len(memory_page_len_max: u64) -> u64 {
    memory_page_len_max / 10 * 8
}
