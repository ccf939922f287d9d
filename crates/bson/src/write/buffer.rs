//! Where bytes are put.
//!
//! Most names and many strings have no more than a few bytes. For these, making sure that there is room and calling what copies
//! any number of bytes cost more than the copying: [`Buffer`] asks for room once for a whole piece and copies pieces of fixed
//! length, which overlap where they are more than the text.

use crate::error::EncodeErrorKind;

use super::BYTES_MAX;

/// Takes bytes at its end.
pub(crate) trait Put {
    /// Appends `N` bytes.
    fn fixed<const N: usize>(&mut self, bytes: [u8; N]);

    /// Appends any number of bytes.
    fn bytes(&mut self, bytes: &[u8]);

    /// Appends a string: its length, which counts the NUL, its bytes and the NUL.
    fn text(&mut self, text: &[u8]) -> Result<(), EncodeErrorKind> {
        self.fixed(text_len(text)?.to_le_bytes());
        self.bytes(text);
        self.fixed([0]);
        Ok(())
    }
}

impl Put for Vec<u8> {
    #[inline]
    fn fixed<const N: usize>(&mut self, bytes: [u8; N]) {
        self.extend_from_slice(&bytes);
    }

    #[inline]
    fn bytes(&mut self, bytes: &[u8]) {
        self.extend_from_slice(bytes);
    }
}

/// The length that a string is stored with.
#[inline]
fn text_len(text: &[u8]) -> Result<i32, EncodeErrorKind> {
    i32::try_from(text.len().saturating_add(1)).map_err(|_| EncodeErrorKind::TooLarge { bytes_max: BYTES_MAX })
}

/// A growing buffer that always has some room behind its end.
#[derive(Clone, Debug, Default)]
pub(super) struct Buffer {
    /// What is behind `len` means nothing.
    room: Vec<u8>,
    len: usize,
}

/// The least that the room grows by.
const GROWTH_MIN: usize = 512;

/// The longest name and the longest text that are put as one piece, and the room they take.
const NAME_LEN_MAX: usize = 16;
const NAME_ROOM: usize = NAME_LEN_MAX + 2;
const TEXT_LEN_MAX: usize = 32;
const TEXT_ROOM: usize = TEXT_LEN_MAX + 5;

impl Buffer {
    pub(super) const fn of(bytes: Vec<u8>) -> Self {
        Self { len: bytes.len(), room: bytes }
    }

    pub(super) fn into_vec(mut self) -> Vec<u8> {
        self.room.truncate(self.len);
        self.room
    }

    #[inline]
    pub(super) const fn len(&self) -> usize {
        self.len
    }

    pub(super) fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }

    pub(super) fn as_slice(&self) -> &[u8] {
        self.room.get(..self.len).unwrap_or_default()
    }

    #[inline]
    pub(super) fn as_mut_slice(&mut self) -> &mut [u8] {
        self.room.get_mut(..self.len).unwrap_or_default()
    }

    /// Appends an element's type byte, 0 so far, its name and a NUL; false, and nothing, where there is a NUL in the name.
    #[inline]
    pub(super) fn name(&mut self, name: &[u8]) -> bool {
        let len = name.len();
        if len > NAME_LEN_MAX {
            return self.long_name(name);
        }
        let Some(room) = self.room::<NAME_ROOM>() else { return false };
        let [tag, text @ ..] = room;
        *tag = 0;
        if few(text, name) {
            return false;
        }
        if let Some(end) = text.get_mut(len) {
            *end = 0;
        }
        self.len = self.len.wrapping_add(len).wrapping_add(2);
        true
    }

    fn long_name(&mut self, name: &[u8]) -> bool {
        if has_nul(name) {
            return false;
        }
        self.fixed([0]);
        self.bytes(name);
        self.fixed([0]);
        true
    }

    /// The next `N` bytes behind the end.
    #[inline]
    fn room<const N: usize>(&mut self) -> Option<&mut [u8; N]> {
        if self.room.len().wrapping_sub(self.len) < N {
            self.grow(N);
        }
        self.room.get_mut(self.len..)?.first_chunk_mut()
    }

    /// Makes room for `more` bytes, and for as many again as there are, so that each byte is made room for once or twice.
    #[cold]
    fn grow(&mut self, more: usize) {
        let growth = more.max(self.room.len()).max(GROWTH_MIN);
        // What the memory has room for already is used before it is made larger.
        let spare = self.room.capacity().saturating_sub(self.len);
        let growth = if spare >= more { growth.min(spare) } else { growth };
        self.room.resize(self.len.saturating_add(growth), 0);
    }
}

impl Put for Buffer {
    #[inline]
    fn fixed<const N: usize>(&mut self, bytes: [u8; N]) {
        if let Some(room) = self.room() {
            *room = bytes;
            self.len = self.len.wrapping_add(N);
        }
    }

    #[inline]
    fn bytes(&mut self, bytes: &[u8]) {
        if self.room.len().wrapping_sub(self.len) < bytes.len() {
            self.grow(bytes.len());
        }
        let end = self.len.wrapping_add(bytes.len());
        if let Some(room) = self.room.get_mut(self.len..end) {
            room.copy_from_slice(bytes);
            self.len = end;
        }
    }

    #[inline]
    fn text(&mut self, text: &[u8]) -> Result<(), EncodeErrorKind> {
        let stored_len = text_len(text)?;
        let len = text.len();
        if len > TEXT_LEN_MAX {
            self.fixed(stored_len.to_le_bytes());
            self.bytes(text);
            self.fixed([0]);
            return Ok(());
        }
        if let Some(room) = self.room::<TEXT_ROOM>() {
            let [a, b, c, d, room @ ..] = room;
            [*a, *b, *c, *d] = stored_len.to_le_bytes();
            if len > NAME_LEN_MAX {
                ends::<16>(room, text);
            } else {
                few(room, text);
            }
            if let Some(end) = room.get_mut(len) {
                *end = 0;
            }
            self.len = self.len.wrapping_add(len).wrapping_add(5);
        }
        Ok(())
    }
}

/// Copies up to 16 bytes to the front of `room`; returns whether one of them is NUL.
#[inline]
fn few(room: &mut [u8], bytes: &[u8]) -> bool {
    if let Some((first, last)) = ends::<8>(room, bytes) {
        return (zeros_in(first) | zeros_in(last)) != 0;
    }
    if let Some(([a, b, c, d], [e, f, g, h])) = ends::<4>(room, bytes) {
        return zeros_in([a, b, c, d, e, f, g, h]) != 0;
    }
    room.iter_mut().zip(bytes).fold(false, |has_nul, (slot, byte)| {
        *slot = *byte;
        has_nul || *byte == 0
    })
}

/// Copies `N` to twice as many bytes as their first `N` and their last, and returns these; nothing of fewer.
#[inline]
fn ends<const N: usize>(room: &mut [u8], bytes: &[u8]) -> Option<([u8; N], [u8; N])> {
    let (first, last) = (bytes.first_chunk()?, bytes.last_chunk()?);
    *room.first_chunk_mut()? = *first;
    *room.get_mut(bytes.len().wrapping_sub(N)..)?.first_chunk_mut()? = *last;
    Some((*first, *last))
}

/// Whether one of `bytes` is NUL. Where it stands is not asked, so that every word is looked at without a branch.
fn has_nul(bytes: &[u8]) -> bool {
    let Some(last) = bytes.last_chunk::<8>() else { return bytes.contains(&0) };
    bytes.as_chunks().0.iter().chain([last]).fold(0, |zeros, word| zeros | zeros_in(*word)) != 0
}

/// Not 0 if one of the bytes is.
#[inline]
const fn zeros_in(word: [u8; 8]) -> u64 {
    const ONES: u64 = u64::from_le_bytes([1; 8]);
    let word = u64::from_le_bytes(word);
    word.wrapping_sub(ONES) & !word & ONES << 7
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_nul_is_seen_at_every_place() {
        for len in 0..40 {
            for other in [1, 0x80, 0xff] {
                assert!(Buffer::default().name(&vec![other; len]));
                for at in 0..len {
                    let mut name = vec![other; len];
                    name[at] = 0;
                    let mut buffer = Buffer::default();
                    assert!(!buffer.name(&name) && buffer.len() == 0, "{at} of {len}");
                }
            }
        }
    }

    /// Whatever lay behind the end before.
    #[test]
    fn pieces_of_any_length_are_put() {
        let mut buffer = Buffer::of(vec![0xAA; 2000]);
        buffer.truncate(1);
        for len in 0..100_u8 {
            let text: Vec<u8> = (1..=len).collect();
            buffer.truncate(1);
            assert!(buffer.name(&text));
            assert_eq!(buffer.as_slice(), [&[0xAA, 0], text.as_slice(), &[0]].concat());
            buffer.truncate(1);
            buffer.text(&text).unwrap();
            assert_eq!(buffer.as_slice(), [&[0xAA, len + 1, 0, 0, 0], text.as_slice(), &[0]].concat());
        }
    }

    #[test]
    fn it_grows_as_needed_and_uses_the_memory_it_has() {
        let mut buffer = Buffer::of(Vec::with_capacity(600));
        for _ in 0..100 {
            buffer.fixed([7; 6]);
        }
        assert_eq!(buffer.room.capacity(), 600);
        buffer.bytes(&[8; 5000]);
        buffer.fixed([9]);
        assert_eq!(buffer.into_vec(), [&[7; 600][..], &[8; 5000], &[9]].concat());
    }
}
