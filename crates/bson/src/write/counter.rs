//! The names of an array's elements: "0", "1", "2" and so on.

/// Counts in decimal text, so that a name costs no division.
#[derive(Clone, Debug)]
pub(super) struct Counter {
    digits: [u8; 10],
    len: usize,
}

impl Default for Counter {
    fn default() -> Self {
        Self { digits: [b'0'; 10], len: 1 }
    }
}

impl Counter {
    /// The name of the next element.
    #[inline]
    pub(super) fn digits(&self) -> &[u8] {
        self.digits.get(..self.len).unwrap_or_default()
    }

    /// Goes on to the next. Ten digits are enough for whatever fits a document.
    #[inline]
    pub(super) fn advance(&mut self) {
        for digit in self.digits.iter_mut().take(self.len).rev() {
            if *digit < b'9' {
                *digit = digit.wrapping_add(1);
                return;
            }
            *digit = b'0';
        }
        // Nines turned into zeros: a one in front of them.
        if let Some(first) = self.digits.first_mut() {
            *first = b'1';
        }
        self.len = self.len.saturating_add(1).min(self.digits.len());
    }

    /// The place of the next element.
    pub(super) fn next_index(&self) -> usize {
        let value = |digit: &u8| usize::from(digit.wrapping_sub(b'0'));
        self.digits().iter().fold(0, |index: usize, digit| index.saturating_mul(10).saturating_add(value(digit)))
    }

    /// The place of the element that was named last; 0 before the first.
    pub(super) fn last_index(&self) -> usize {
        self.next_index().saturating_sub(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_counts_like_decimal_text() {
        let mut counter = Counter::default();
        for index in 0_usize..10_100 {
            assert_eq!(counter.digits(), index.to_string().as_bytes());
            counter.advance();
            assert_eq!(counter.last_index(), index);
        }
    }
}
