//! Short ASCII text, held on the stack.

/// How long the longest is: an interval of negative days down to nanoseconds takes 34 bytes.
const CAPACITY: usize = 48;

/// A short ASCII text that is put together without an allocation.
#[derive(Clone, Copy)]
pub(crate) struct StackText {
    bytes: [u8; CAPACITY],
    len: usize,
}

impl StackText {
    pub(crate) const fn new() -> Self {
        Self { bytes: [0; CAPACITY], len: 0 }
    }

    pub(crate) fn as_str(&self) -> &str {
        let bytes = self.bytes.get(..self.len).unwrap_or_default();
        std::str::from_utf8(bytes).unwrap_or_default()
    }

    #[inline]
    pub(crate) fn push(&mut self, byte: u8) {
        if let Some(slot) = self.bytes.get_mut(self.len) {
            *slot = byte;
            self.len = self.len.saturating_add(1);
        }
    }

    /// Adds the last `digits` decimal digits of `value`, with zeros in front.
    #[inline]
    pub(crate) fn push_digits(&mut self, mut value: u32, digits: usize) {
        let end = self.len.saturating_add(digits);
        if let Some(slots) = self.bytes.get_mut(self.len..end) {
            for slot in slots.iter_mut().rev() {
                let [digit, ..] = (value % 10).to_le_bytes();
                *slot = digit.wrapping_add(b'0');
                value /= 10;
            }
            self.len = end;
        }
    }

    /// Adds `value` with no zeros in front.
    pub(crate) fn push_number(&mut self, value: u64) {
        self.push_str(itoa::Buffer::new().format(value));
    }

    pub(crate) fn push_str(&mut self, text: &str) {
        text.bytes().for_each(|byte| self.push(byte));
    }

    /// Takes zeros away from the end.
    pub(crate) fn trim_zeros(&mut self) {
        while self.len.checked_sub(1).and_then(|last| self.bytes.get(last)) == Some(&b'0') {
            self.len = self.len.saturating_sub(1);
        }
    }
}
