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
