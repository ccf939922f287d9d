//! The names of an array's elements: "0", "1", "2" and so on.

/// Counts in decimal text, so that a name costs no division.
#[derive(Clone, Debug)]
pub(crate) struct Counter {
    digits: [u8; 10],
    len: usize,
}

impl Default for Counter {
    fn default() -> Self {
        Self { digits: [b'0'; 10], len: 1 }
    }
}

impl Counter {
    /// A counter whose next element is the one at place `index`.
    pub(crate) fn starting_at(index: usize) -> Self {
        let (mut counter, mut rest) = (Self::default(), index);
        counter.len = 0;
        for digit in counter.digits.iter_mut().rev() {
            *digit = u8::try_from(rest.checked_rem(10).unwrap_or_default()).unwrap_or_default().saturating_add(b'0');
            rest = rest.checked_div(10).unwrap_or_default();
            counter.len = counter.len.saturating_add(1);
            if rest == 0 {
                break;
            }
        }
        let unused = counter.digits.len().saturating_sub(counter.len);
        counter.digits.rotate_left(unused);
        counter
    }

    /// The name of the next element.
    #[inline]
    pub(crate) fn digits(&self) -> &[u8] {
        self.digits.get(..self.len).unwrap_or_default()
    }

    /// Goes on to the next. Ten digits are enough for whatever fits a document.
    #[inline]
    pub(crate) fn advance(&mut self) {
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
    pub(crate) fn next_index(&self) -> usize {
        let value = |digit: &u8| usize::from(digit.wrapping_sub(b'0'));
        self.digits().iter().fold(0, |index: usize, digit| index.saturating_mul(10).saturating_add(value(digit)))
    }

    /// The place of the element that was named last; 0 before the first.
    pub(crate) fn last_index(&self) -> usize {
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
            assert_eq!(Counter::starting_at(index).digits(), counter.digits());
            counter.advance();
            assert_eq!(counter.last_index(), index);
        }
    }
}
