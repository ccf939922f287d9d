//! The B-tree of an index: keys in KeyString form, each with its record id.

use std::cmp::Ordering;

use super::page::{Entry, align, cut};
use super::{cell, memory, tree};

/// MongoDB's index: leaf and upper pages of 16 KB, `memory_page_max` of 5 MB, prefix compression, no block compression.
const PAGE_LEN_MAX: u64 = 16 * 1024;
const MEMORY_PAGE_LEN_MAX: u64 = 5 * 1024 * 1024;

/// A shorter common beginning than this is written again.
const PREFIX_LEN_MIN: usize = 4;
/// The count of bytes left out is a byte.
const PREFIX_LEN_MAX: usize = 255;

/// A page is cut off behind its last key only if that many were added behind what it had.
const APPENDED_MIN: usize = 5;

/// A model of the index that the storage engine makes of keys inserted one after the other, with one checkpoint at the end.
/// Holds all keys.
#[derive(Debug, Default)]
pub struct Index {
    keys: Keys,
    /// By the smallest key each may hold; the first may hold any.
    pages: Vec<MemoryPage>,
}

/// What an index takes on disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IndexSize {
    /// Bytes of the file.
    pub bytes: u64,
    /// How many keys.
    pub keys: u64,
    /// Bytes of all keys and values, as they are before they are written.
    pub key_bytes: u64,
}

#[derive(Clone, Copy, Debug)]
struct Key {
    start: usize,
    len: usize,
    value_len: u64,
}

/// The bytes of all keys.
#[derive(Debug, Default)]
struct Keys(Vec<u8>);

/// A leaf page as it is in memory.
#[derive(Debug)]
struct MemoryPage {
    least: Key,
    keys: Vec<Key>,
    /// Bytes of the block it was read from, until keys are added to it.
    block_len: Option<u64>,
    /// The largest of the keys that were there when it was read.
    last_from_block: Option<Key>,
    /// How many were added behind that.
    appended: usize,
    footprint: u64,
    was_split: bool,
}

impl Index {
    /// Adds a key with a value of `value_len` bytes.
    pub fn insert(&mut self, key: &[u8], value_len: u64) {
        let key = self.keys.add(key, value_len);
        let at = self.position(key);
        let Some(page) = self.pages.get_mut(at) else {
            self.pages.push(MemoryPage::new(key, vec![key]));
            return;
        };
        page.add(key, &self.keys);
        if page.footprint >= MEMORY_PAGE_LEN_MAX {
            self.evict(at);
        } else if page.footprint >= memory::split_len(MEMORY_PAGE_LEN_MAX) && page.can_split() {
            self.split(at);
        }
    }

    /// What it takes on disk after a checkpoint.
    pub fn finish(mut self) -> IndexSize {
        let key_count = self.pages.iter().map(|page| page.keys.len() as u64).sum();
        let values: u64 = self.pages.iter().flat_map(|page| &page.keys).map(|key| key.value_len).sum();
        let key_bytes = self.keys.0.len() as u64 + values;
        let mut total = Written::default();
        for page in &mut self.pages {
            match page.block_len {
                Some(len) => total.block(len),
                None => self.keys.cut(&mut page.keys).iter().for_each(|cut| total.page(cut)),
            }
        }
        IndexSize { bytes: total.file_len(), keys: key_count, key_bytes }
    }

    /// Which page a key belongs on.
    fn position(&self, key: Key) -> usize {
        let after = self.pages.partition_point(|page| self.keys.compare(page.least, key) != Ordering::Greater);
        after.saturating_sub(1)
    }

    /// The last key starts a page of its own, to which what follows is appended.
    fn split(&mut self, at: usize) {
        let keys = &self.keys;
        let Some(page) = self.pages.get_mut(at) else { return };
        page.was_split = true;
        let Some(last) = (0..page.keys.len()).max_by(|a, b| keys.compare_at(&page.keys, *a, *b)) else { return };
        let moved = page.keys.swap_remove(last);
        page.footprint = page.footprint.saturating_sub(moved.footprint());
        self.pages.insert(at + 1, MemoryPage::new(moved, vec![moved]));
    }

    /// A page that has become too large is written, and is as many pages from then on.
    fn evict(&mut self, at: usize) {
        let Some(page) = self.pages.get_mut(at) else { return };
        let cut = self.keys.cut(&mut page.keys);
        let mut rest = page.keys.as_slice();
        let mut least = page.least;
        let mut pages = Vec::with_capacity(cut.len());
        for piece in &cut {
            let (keys, behind) = rest.split_at(piece.keys.min(rest.len()));
            pages.push(MemoryPage::from_block(least, keys.to_vec(), align(piece.len)));
            rest = behind;
            least = rest.first().copied().unwrap_or(least);
        }
        self.pages.splice(at..=at, pages);
    }
}

impl Key {
    const fn footprint(&self) -> u64 {
        memory::insert_len(self.len as u64, self.value_len)
    }
}

impl MemoryPage {
    const fn new(least: Key, keys: Vec<Key>) -> Self {
        Self {
            least,
            appended: keys.len(),
            footprint: least.footprint(),
            keys,
            block_len: None,
            last_from_block: None,
            was_split: false,
        }
    }

    fn from_block(least: Key, keys: Vec<Key>, block_len: u64) -> Self {
        Self {
            least,
            last_from_block: keys.last().copied(),
            keys,
            block_len: Some(block_len),
            appended: 0,
            footprint: 0,
            was_split: false,
        }
    }

    fn add(&mut self, key: Key, keys: &Keys) {
        let is_behind = self.last_from_block.is_none_or(|last| keys.compare(key, last) == Ordering::Greater);
        self.appended += usize::from(is_behind);
        self.footprint += key.footprint();
        self.block_len = None;
        self.keys.push(key);
    }

    const fn can_split(&self) -> bool {
        !self.was_split && self.appended >= APPENDED_MIN
    }
}

/// A page that was cut off.
#[derive(Debug)]
struct CutPage {
    keys: usize,
    len: u64,
    /// Bytes of the key that tells it from the page before.
    separator_len: u64,
}

impl Keys {
    fn add(&mut self, key: &[u8], value_len: u64) -> Key {
        let start = self.0.len();
        self.0.extend_from_slice(key);
        Key { start, len: key.len(), value_len }
    }

    fn bytes(&self, key: Key) -> &[u8] {
        self.0.get(key.start..key.start + key.len).unwrap_or_default()
    }

    fn compare(&self, a: Key, b: Key) -> Ordering {
        self.bytes(a).cmp(self.bytes(b))
    }

    fn compare_at(&self, keys: &[Key], a: usize, b: usize) -> Ordering {
        let bytes = |at: usize| keys.get(at).map(|key| self.bytes(*key));
        bytes(a).cmp(&bytes(b))
    }

    /// Sorts the keys of a page and cuts it.
    fn cut(&self, keys: &mut [Key]) -> Vec<CutPage> {
        keys.sort_unstable_by(|a, b| self.compare(*a, *b));
        let entries =
            keys.iter().enumerate().map(|(at, key)| self.entry(at.checked_sub(1).and_then(|at| keys.get(at)), key));
        let pages = cut(entries, PAGE_LEN_MAX);
        let mut start: usize = 0;
        let pages = pages.iter().map(|page| {
            let separator_len = self.separator_len(keys, start);
            start += page.entries;
            CutPage { keys: page.entries, len: page.len, separator_len }
        });
        pages.collect()
    }

    fn entry(&self, before: Option<&Key>, key: &Key) -> Entry {
        let key_len = key.len as u64;
        let value_len = cell::overhead(key.value_len) + key.value_len;
        let whole_len = cell::key_overhead(key_len, false) + key_len + value_len;
        let shared = before.map_or(0, |before| self.shared(*before, *key)).min(PREFIX_LEN_MAX);
        if shared < PREFIX_LEN_MIN {
            return Entry { whole_len, len: whole_len };
        }
        let rest = key_len - shared as u64;
        Entry { whole_len, len: cell::key_overhead(rest, true) + rest + value_len }
    }

    fn shared(&self, a: Key, b: Key) -> usize {
        self.bytes(a).iter().zip(self.bytes(b)).take_while(|(a, b)| a == b).count()
    }

    /// A page above holds no more of a key than tells its child from the one before.
    fn separator_len(&self, keys: &[Key], at: usize) -> u64 {
        let pair = at.checked_sub(1).and_then(|before| Some((*keys.get(before)?, *keys.get(at)?)));
        pair.map_or(0, |(before, key)| self.shared(before, key) as u64 + 1)
    }
}

/// What has been written of a file.
#[derive(Debug, Default)]
struct Written {
    leaves: u64,
    leaf_len: u64,
    separators_len: u64,
}

impl Written {
    fn block(&mut self, len: u64) {
        self.leaves += 1;
        self.leaf_len += len;
    }

    fn page(&mut self, page: &CutPage) {
        self.block(align(page.len));
        self.separators_len += page.separator_len;
    }

    fn file_len(&self) -> u64 {
        let separator_len = self.separators_len / self.leaves.max(1);
        let key_cell_len = cell::key_overhead(separator_len, false) + separator_len;
        self.leaf_len + tree::upper_len(self.leaves, key_cell_len, PAGE_LEN_MAX)
    }
}
