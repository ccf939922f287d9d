//! A set of places in an image.

/// One bit for each byte of an image.
#[derive(Debug, Default)]
pub(crate) struct Marks {
    words: Vec<u64>,
}

impl Marks {
    /// No marks, with room for an image of `len` bytes: an eighth of it.
    pub(crate) fn with_len(len: usize) -> Self {
        Self { words: vec![0; len.div_ceil(64)] }
    }

    /// Marks the byte at `at`; whether it was not marked yet. False beyond the end.
    pub(crate) fn insert(&mut self, at: usize) -> bool {
        let Some(word) = self.words.get_mut(at >> 6) else { return false };
        let new = *word & bit(at) == 0;
        *word |= bit(at);
        new
    }

    /// Makes room for the byte at `at`.
    pub(crate) fn grow(&mut self, at: usize) {
        let words = (at >> 6).saturating_add(1);
        if self.words.len() < words {
            self.words.resize(words, 0);
        }
    }

    /// Marks the bytes from `start` up to `end`; whether none of them was marked yet.
    #[inline]
    pub(crate) fn insert_run(&mut self, start: usize, end: usize) -> bool {
        let (first, last) = (start >> 6, end >> 6);
        let (head, tail) = (u64::MAX << (start & 63), bit(end).wrapping_sub(1));
        if first == last {
            return self.insert_word(first, head & tail);
        }
        let mut new = self.insert_word(first, head);
        for word in first.saturating_add(1)..last {
            new &= self.insert_word(word, u64::MAX);
        }
        // Where the run ends with a word there is nothing of it in the next.
        new & (tail == 0 || self.insert_word(last, tail))
    }

    #[inline]
    fn insert_word(&mut self, index: usize, bits: u64) -> bool {
        let Some(word) = self.words.get_mut(index) else { return false };
        let new = *word & bits == 0;
        *word |= bits;
        new
    }

    /// Takes the mark away.
    pub(crate) fn remove(&mut self, at: usize) {
        if let Some(word) = self.words.get_mut(at >> 6) {
            *word &= !bit(at);
        }
    }

    /// Whether the byte at `at` is marked.
    pub(crate) fn contains(&self, at: usize) -> bool {
        self.words.get(at >> 6).is_some_and(|word| word & bit(at) != 0)
    }

    /// Whether there is room for no byte at all.
    pub(crate) fn is_empty(&self) -> bool {
        self.words.is_empty()
    }
}

const fn bit(at: usize) -> u64 {
    1 << (at & 63)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_the_marks_of_its_bytes() {
        for start in [0, 1, 62, 63, 64, 65, 127, 128, 190] {
            for len in [0, 1, 2, 63, 64, 65, 127, 128, 129] {
                let (mut run, mut single) = (Marks::with_len(320), Marks::with_len(320));
                assert!(run.insert_run(start, start + len));
                assert!((start..start + len).all(|at| single.insert(at)));
                assert_eq!(run.words, single.words, "{len} bytes at {start}");
                assert_eq!(run.insert_run(start, start + len), len == 0);
                assert!(run.insert_run(start + len, start + len + 1));
            }
        }
    }
}
