//! How the engine cuts what has gathered in memory into pages of a file.

/// Header of a page and of its block, which stand before the first cell.
pub(crate) const PAGE_HEADER_LEN: u64 = 28 + 12;

/// A file is made of multiples of this.
pub(crate) const ALLOCATION_LEN: u64 = 4096;

/// A page that must be split ends here, in percent of the largest page, so that it can grow a little later.
const SPLIT_PERCENT: u64 = 90;

/// The last page of a split is not left with less than this, in percent of the largest page.
const SPLIT_PERCENT_MIN: u64 = 50;

/// A key with its value as it takes place on a page.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    /// Bytes when it is the first of its page.
    pub(crate) whole_len: u64,
    /// Bytes behind another: keys may leave out what they share with the one before.
    pub(crate) len: u64,
}

/// One page: how many of the entries it holds, and how long it is with its header.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Page {
    pub(crate) entries: usize,
    pub(crate) len: u64,
}

/// What is known of a page while it is filled.
#[derive(Clone, Copy, Debug)]
struct Chunk {
    page: Page,
    /// What it held when it passed the smallest size to split at.
    least: Option<Page>,
    /// Where it ends.
    capacity: u64,
}

/// Rounds up to whole allocation units.
pub(crate) const fn align(len: u64) -> u64 {
    len.div_ceil(ALLOCATION_LEN) * ALLOCATION_LEN
}

/// The size to split at: a share of the largest page in whole allocation units, unless that is all of it or nothing.
fn split_len(percent: u64, page_len_max: u64) -> u64 {
    let exact = page_len_max * percent / 100;
    let rounded = (exact + ALLOCATION_LEN / 2) / ALLOCATION_LEN * ALLOCATION_LEN;
    if rounded == 0 || rounded == page_len_max { exact } else { rounded }
}

/// Cuts `entries` into pages of at most `page_len_max` bytes, as the engine does when it writes what it holds in memory.
pub(crate) fn cut(entries: impl IntoIterator<Item = Entry>, page_len_max: u64) -> Vec<Page> {
    let mut cutter = Cutter::new(page_len_max);
    entries.into_iter().for_each(|entry| cutter.add(entry));
    cutter.finish()
}

struct Cutter {
    page_len_max: u64,
    split_len: u64,
    split_len_min: u64,
    done: Vec<Chunk>,
    current: Chunk,
}

impl Cutter {
    fn new(page_len_max: u64) -> Self {
        let split_len = split_len(SPLIT_PERCENT, page_len_max);
        Self {
            page_len_max,
            split_len,
            split_len_min: self::split_len(SPLIT_PERCENT_MIN, page_len_max),
            done: Vec::new(),
            current: Chunk::new(split_len),
        }
    }

    fn add(&mut self, entry: Entry) {
        let mut len = if self.current.page.entries == 0 { entry.whole_len } else { entry.len };
        if self.is_at_a_boundary(len) {
            // Behind a boundary a key stands whole.
            len = entry.whole_len;
            self.cross(len);
        }
        self.current.page.entries += 1;
        self.current.page.len += len;
    }

    fn is_at_a_boundary(&self, len: u64) -> bool {
        let end = self.current.page.len + len;
        end > self.current.capacity || self.current.least.is_none() && end > self.split_len_min
    }

    fn cross(&mut self, len: u64) {
        let page = self.current.page;
        if page.len + len <= self.current.capacity {
            self.current.least = (page.entries > 0).then_some(page);
            return;
        }
        // A page that is not half full yet grows for a large entry rather than ending here.
        if page.len >= self.split_len / 2 {
            self.done.push(self.current);
            self.current = Chunk::new(self.split_len);
        }
        let end = self.current.page.len + len;
        if end > self.current.capacity {
            self.current.capacity = align(end);
        }
    }

    fn finish(mut self) -> Vec<Page> {
        if self.current.page.entries > 0 {
            self.balance_the_last();
            self.done.push(self.current);
        }
        self.done.into_iter().map(|chunk| chunk.page).collect()
    }

    /// The last two pages become one where that fits; else the last is given what the one before can spare.
    fn balance_the_last(&mut self) {
        let Some(before) = self.done.last_mut() else { return };
        let both = before.page.len + self.current.page.len - PAGE_HEADER_LEN;
        if both <= self.page_len_max {
            self.current.page = Page { entries: before.page.entries + self.current.page.entries, len: both };
            self.done.pop();
        } else if let Some(least) = before.least
            && self.current.page.len < self.split_len_min
        {
            self.current.page.entries += before.page.entries - least.entries;
            self.current.page.len += before.page.len - least.len;
            before.page = least;
        }
    }
}

impl Chunk {
    const fn new(capacity: u64) -> Self {
        Self { page: Page { entries: 0, len: PAGE_HEADER_LEN }, least: None, capacity }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(len: u64, count: usize) -> impl Iterator<Item = Entry> {
        std::iter::repeat_n(Entry { whole_len: len, len }, count)
    }

    /// By hand: 90 % of 32,768 is 29,491, to whole units 28,672; less the header 28,632, which hold 286 of 100 bytes.
    #[test]
    fn pages_end_at_nine_tenths_in_whole_units() {
        let pages = cut(entries(100, 1000), 32_768);
        let counts: Vec<_> = pages.iter().map(|page| page.entries).collect();
        // The last would hold 142 and be less than half full, so the one before gives what lies behind its half: 163 stay.
        assert_eq!(counts, [286, 286, 163, 265]);
        assert_eq!(pages.first().unwrap().len, 28_640);
    }

    #[test]
    fn what_fits_into_one_page_is_one_page() {
        assert_eq!(cut(entries(100, 300), 32_768), [Page { entries: 300, len: 30_040 }]);
        assert_eq!(cut(entries(100, 0), 32_768), []);
    }

    #[test]
    fn an_entry_larger_than_a_page_has_a_page_that_holds_it() {
        let large = Entry { whole_len: 100_000, len: 100_000 };
        let pages = cut(entries(100, 200).chain([large]).chain(entries(100, 200)), 32_768);
        assert_eq!(pages.iter().map(|page| page.entries).sum::<usize>(), 401);
        assert!(pages.iter().any(|page| page.len > 100_000));
    }

    #[test]
    fn a_page_of_all_of_which_nine_tenths_are_one_unit_is_split_at_the_exact_share() {
        assert_eq!(split_len(90, 16_384), 14_745);
        assert_eq!(split_len(90, 4_096), 3_686);
        assert_eq!(split_len(50, 4_096), 2_048);
    }
}
