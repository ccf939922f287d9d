//! Where the bytes of a document come from: a slice, or fixed-size blocks of which only the needed ones are read.

use std::cell::RefCell;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fs::File;
use std::io;
use std::ops::{Deref, Range};

use crate::error::{DecodeError, DecodeErrorKind};

/// Bytes that can be read at any offset. Navigation is written once over this trait: on a slice what it returns borrows
/// from the input, on blocks it is copied out.
pub trait ByteSource: Copy {
    /// A run of bytes: `&'a [u8]` of a slice, a copy of anything else.
    type Bytes: Deref<Target = [u8]>;

    /// How many bytes there are.
    fn len(self) -> usize;

    /// All of them, where they lie in memory as one slice; `None` elsewhere.
    ///
    /// For what is read so often that it pays to look at a slice directly.
    #[inline]
    fn as_slice<'s>(self) -> Option<&'s [u8]>
    where
        Self: 's,
    {
        None
    }

    /// Whether there are none.
    fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The bytes of `range`.
    ///
    /// # Errors
    ///
    /// `UnexpectedEnd` when the range reaches beyond the end, `Io` when reading failed.
    fn bytes(self, range: Range<usize>) -> Result<Self::Bytes, DecodeError>;

    /// The `N` bytes at `offset`.
    ///
    /// # Errors
    ///
    /// As [`bytes`](Self::bytes).
    fn array<const N: usize>(self, offset: usize) -> Result<[u8; N], DecodeError>;

    /// The offset of the first byte equal to `byte` in `range`; `None` when there is none before its end or the
    /// source's.
    ///
    /// # Errors
    ///
    /// `Io` when reading failed.
    fn find(self, byte: u8, range: Range<usize>) -> Result<Option<usize>, DecodeError>;

    /// Whether the bytes at `offset` are those of `wanted`; `false` beyond the end.
    ///
    /// # Errors
    ///
    /// `Io` when reading failed.
    fn matches(self, offset: usize, wanted: &[u8]) -> Result<bool, DecodeError>;
}

/// The error for a read of `range` from `len` bytes.
#[cold]
fn beyond_end(range: &Range<usize>, len: usize) -> DecodeError {
    let missing = range.end.saturating_sub(len.max(range.start));
    DecodeError::new(len, DecodeErrorKind::UnexpectedEnd { missing: u32::try_from(missing).unwrap_or(u32::MAX) })
}

impl<'a> ByteSource for &'a [u8] {
    type Bytes = &'a [u8];

    #[inline]
    fn len(self) -> usize {
        <[u8]>::len(self)
    }

    #[inline]
    fn as_slice<'s>(self) -> Option<&'s [u8]>
    where
        Self: 's,
    {
        Some(self)
    }

    #[inline]
    fn bytes(self, range: Range<usize>) -> Result<&'a [u8], DecodeError> {
        self.get(range.clone()).ok_or_else(|| beyond_end(&range, self.len()))
    }

    #[inline]
    fn array<const N: usize>(self, offset: usize) -> Result<[u8; N], DecodeError> {
        let bytes = self.get(offset..).and_then(<[u8]>::first_chunk::<N>);
        bytes.copied().ok_or_else(|| beyond_end(&(offset..offset.saturating_add(N)), self.len()))
    }

    #[inline]
    fn find(self, byte: u8, range: Range<usize>) -> Result<Option<usize>, DecodeError> {
        let end = range.end.min(self.len());
        let found = self.get(range.start..end).and_then(|bytes| find_byte(byte, bytes));
        Ok(found.map(|at| range.start.saturating_add(at)))
    }

    #[inline]
    fn matches(self, offset: usize, wanted: &[u8]) -> Result<bool, DecodeError> {
        let bytes = self.get(offset..offset.saturating_add(wanted.len()));
        Ok(bytes.is_some_and(|bytes| same_bytes(bytes, wanted)))
    }
}

/// The index of the first byte equal to `byte`. Names are short, so the first few words are looked at in place, which
/// beats a call into a vector routine.
#[inline]
pub fn find_byte(byte: u8, bytes: &[u8]) -> Option<usize> {
    const WORDS: usize = 4;
    let mut at = 0_usize;
    for word in bytes.as_chunks::<8>().0.iter().take(WORDS) {
        if let Some(place) = find_in_word(byte, *word) {
            return Some(at.wrapping_add(place));
        }
        at = at.wrapping_add(8);
    }
    let rest = bytes.get(at..)?;
    if rest.len() >= 8 {
        return memchr::memchr(byte, rest).map(|place| at.wrapping_add(place));
    }
    match bytes.last_chunk::<8>() {
        // It begins with bytes that were looked at, none of which is the one.
        Some(last) => find_in_word(byte, *last).map(|place| bytes.len().wrapping_sub(8).wrapping_add(place)),
        None => rest.iter().position(|&found| found == byte),
    }
}

/// The index of the first byte of `word` equal to `byte`.
#[inline]
fn find_in_word(byte: u8, word: [u8; 8]) -> Option<usize> {
    const ONES: u64 = u64::from_le_bytes([1; 8]);
    let word = u64::from_le_bytes(word) ^ u64::from_le_bytes([byte; 8]);
    // The lowest byte whose top bit is set is the first that is 0; borrows can only spoil bytes above it.
    let zeros = word.wrapping_sub(ONES) & !word & ONES.rotate_right(1);
    if zeros == 0 { None } else { usize::try_from(zeros.trailing_zeros() / 8).ok() }
}

/// Whether `a` and `b` are the same bytes. Names are short, so words at both ends that overlap are looked at in place, which
/// beats a call.
#[inline]
pub fn same_bytes(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    match a.len() {
        8..=16 => ends_are_same::<8>(a, b),
        4..=7 => ends_are_same::<4>(a, b),
        0..=3 => a.iter().eq(b),
        _ => a == b,
    }
}

#[inline]
fn ends_are_same<const N: usize>(a: &[u8], b: &[u8]) -> bool {
    a.first_chunk::<N>() == b.first_chunk() && a.last_chunk::<N>() == b.last_chunk()
}

/// Something that can be read at a position, without a cursor of its own.
pub trait ReadAt {
    /// How many bytes there are.
    ///
    /// # Errors
    ///
    /// Whatever finding out failed with.
    fn size(&self) -> io::Result<u64>;

    /// Fills `buffer` with the bytes at `offset`.
    ///
    /// # Errors
    ///
    /// `UnexpectedEof` when there are fewer, else whatever reading failed with.
    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()>;
}

impl ReadAt for [u8] {
    fn size(&self) -> io::Result<u64> {
        Ok(u64::try_from(self.len()).unwrap_or(u64::MAX))
    }

    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        let start = usize::try_from(offset).unwrap_or(usize::MAX);
        let bytes = self.get(start..).and_then(|bytes| bytes.get(..buffer.len()));
        buffer.copy_from_slice(bytes.ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }
}

#[cfg(unix)]
impl ReadAt for File {
    fn size(&self) -> io::Result<u64> {
        self.metadata().map(|metadata| metadata.len())
    }

    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        std::os::unix::fs::FileExt::read_exact_at(self, buffer, offset)
    }
}

impl<R: ReadAt + ?Sized> ReadAt for &R {
    fn size(&self) -> io::Result<u64> {
        (**self).size()
    }

    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        (**self).read_exact_at(buffer, offset)
    }
}

/// One document in blocks of a fixed size, each read when something in it is first asked for and then kept.
///
/// It counts the blocks it has read, which is what navigation costs where a document does not lie in memory.
#[derive(Debug)]
pub struct Blocks<R> {
    reader: R,
    len: usize,
    block_len: usize,
    /// The blocks that were read, by their numbers.
    held: RefCell<HashMap<usize, Box<[u8]>>>,
}

impl<R: ReadAt> Blocks<R> {
    /// The block size that Oracle Database uses by default, in bytes.
    pub const BLOCK_LEN: usize = 8192;

    /// The document that `reader` holds, in blocks of `block_len` bytes (at least 1).
    ///
    /// # Errors
    ///
    /// Whatever asking for the size failed with.
    pub fn new(reader: R, block_len: usize) -> io::Result<Self> {
        let len = usize::try_from(reader.size()?).map_err(|_| io::ErrorKind::FileTooLarge)?;
        Ok(Self { reader, len, block_len: block_len.max(1), held: RefCell::default() })
    }

    /// How many blocks were read so far.
    pub fn blocks_read(&self) -> usize {
        self.held.borrow().len()
    }

    /// Forgets the blocks that were read.
    pub fn forget(&self) {
        self.held.borrow_mut().clear();
    }

    /// Calls `use_piece` with the bytes of `range`, block by block, until it answers false.
    fn pieces(&self, range: Range<usize>, mut use_piece: impl FnMut(&[u8]) -> bool) -> Result<(), DecodeError> {
        let mut at = range.start;
        while at < range.end {
            let index = at.checked_div(self.block_len).unwrap_or(0);
            let start = index.saturating_mul(self.block_len);
            let mut held = self.held.borrow_mut();
            let block = self.block(&mut held, index, start)?;
            let from = at.saturating_sub(start);
            let to = range.end.saturating_sub(start).min(block.len());
            let Some(piece) = block.get(from..to).filter(|piece| !piece.is_empty()) else { break };
            if !use_piece(piece) {
                break;
            }
            at = at.saturating_add(piece.len());
        }
        Ok(())
    }

    fn block<'h>(
        &self,
        held: &'h mut HashMap<usize, Box<[u8]>>,
        index: usize,
        start: usize,
    ) -> Result<&'h [u8], DecodeError> {
        match held.entry(index) {
            Entry::Occupied(block) => Ok(block.into_mut()),
            Entry::Vacant(vacant) => {
                let mut block = vec![0; self.block_len.min(self.len.saturating_sub(start))];
                let offset = u64::try_from(start).unwrap_or(u64::MAX);
                let read = self.reader.read_exact_at(&mut block, offset);
                read.map_err(|error| DecodeError::new(start, DecodeErrorKind::Io(error.kind())))?;
                Ok(vacant.insert(block.into_boxed_slice()))
            }
        }
    }
}

impl<R: ReadAt> ByteSource for &Blocks<R> {
    type Bytes = Vec<u8>;

    fn len(self) -> usize {
        self.len
    }

    fn bytes(self, range: Range<usize>) -> Result<Vec<u8>, DecodeError> {
        if range.end > self.len || range.start > range.end {
            return Err(beyond_end(&range, self.len));
        }
        let mut bytes = Vec::with_capacity(range.len());
        self.pieces(range, |piece| {
            bytes.extend_from_slice(piece);
            true
        })?;
        Ok(bytes)
    }

    fn array<const N: usize>(self, offset: usize) -> Result<[u8; N], DecodeError> {
        let range = offset..offset.saturating_add(N);
        if range.end > self.len {
            return Err(beyond_end(&range, self.len));
        }
        let mut array = [0; N];
        let mut rest = array.as_mut_slice();
        self.pieces(range, |piece| {
            let (filled, left) = std::mem::take(&mut rest).split_at_mut(piece.len().min(N));
            filled.copy_from_slice(piece);
            rest = left;
            true
        })?;
        Ok(array)
    }

    fn find(self, byte: u8, range: Range<usize>) -> Result<Option<usize>, DecodeError> {
        let (mut at, mut found) = (range.start, None);
        self.pieces(range.start..range.end.min(self.len), |piece| {
            found = memchr::memchr(byte, piece).map(|place| at.saturating_add(place));
            at = at.saturating_add(piece.len());
            found.is_none()
        })?;
        Ok(found)
    }

    fn matches(self, offset: usize, wanted: &[u8]) -> Result<bool, DecodeError> {
        let range = offset..offset.saturating_add(wanted.len());
        if range.end > self.len {
            return Ok(false);
        }
        let mut rest = wanted;
        self.pieces(range, |piece| match rest.strip_prefix(piece) {
            Some(left) => {
                rest = left;
                true
            }
            None => false,
        })?;
        Ok(rest.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_and_slice_answer_alike() {
        let bytes: Vec<u8> = (0..100).collect();
        let slice = bytes.as_slice();
        for block_len in [1, 7, 64, 1000] {
            let blocks = Blocks::new(slice, block_len).unwrap();
            for start in [0, 6, 63, 99, 100] {
                for end in [start, start + 1, 100, 101] {
                    let same = (&blocks).bytes(start..end) == slice.bytes(start..end).map(<[u8]>::to_vec);
                    assert!(same, "{block_len} {start}..{end}");
                    assert_eq!((&blocks).find(64, start..end), slice.find(64, start..end));
                }
                assert_eq!((&blocks).array::<8>(start), slice.array::<8>(start));
                assert_eq!((&blocks).matches(start, &[63, 64]), slice.matches(start, &[63, 64]));
            }
        }
    }

    #[test]
    fn a_byte_is_found_where_it_first_stands() {
        for len in 0..80 {
            for first in 0..len {
                for (byte, filler) in [(0x7F, 0x80), (0, 1), (0, 0x80), (0xFF, 0xFE), (1, 0)] {
                    let bytes: Vec<u8> = (0..len).map(|at| if at < first { filler } else { byte }).collect();
                    assert_eq!(find_byte(byte, &bytes), Some(first));
                    assert_eq!(find_byte(byte, &bytes[..first]), None);
                }
            }
        }
    }

    #[test]
    fn bytes_are_the_same_or_differ_at_any_place() {
        for len in 0_u8..40 {
            let bytes: Vec<u8> = (0..len).collect();
            assert!(same_bytes(&bytes, &bytes.clone()));
            assert!(!same_bytes(&bytes, &[bytes.as_slice(), &[0]].concat()));
            for at in 0..bytes.len() {
                let mut other = bytes.clone();
                other[at] ^= 0x80;
                assert!(!same_bytes(&bytes, &other), "{len} {at}");
            }
        }
    }

    #[test]
    fn only_the_blocks_asked_for_are_read() {
        let bytes = [0; 100];
        let blocks = Blocks::new(bytes.as_slice(), 10).unwrap();
        (&blocks).bytes(15..25).unwrap();
        (&blocks).array::<2>(12).unwrap();
        assert_eq!(blocks.blocks_read(), 2);
    }
}
