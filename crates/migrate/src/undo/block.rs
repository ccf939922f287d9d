//! The difference between some bytes before and after.

use std::io;

use boson_bson::Patch;

use crate::chunk::hash;

/// How hard the old bytes are compressed: they are read back once, if ever.
const LEVEL: i32 = 1;

/// A larger block than any that is written.
const BLOCK_BYTES_MAX: u64 = 1 << 30;

/// A difference, read back.
#[derive(Debug)]
pub(crate) struct Block {
    pub(crate) before_len: usize,
    pub(crate) after_len: usize,
    before_hash: u64,
    after_hash: u64,
    /// Unchanged bytes before it, bytes now, bytes before.
    patches: Vec<(usize, usize, usize)>,
    old: Vec<u8>,
}

/// Appends the difference to `out`, compressed: `patches` ascend.
pub(crate) fn encode(before: &[u8], after: &[u8], patches: &[Patch], out: &mut Vec<u8>) -> io::Result<()> {
    let mut plain = Vec::with_capacity(patches.len() * 24 + 64);
    put(&mut plain, before.len() as u64);
    put(&mut plain, after.len() as u64);
    plain.extend_from_slice(&hash(before).to_le_bytes());
    plain.extend_from_slice(&hash(after).to_le_bytes());
    put(&mut plain, patches.len() as u64);
    let mut end = 0;
    for patch in patches {
        put(&mut plain, patch.after.start.saturating_sub(end) as u64);
        put(&mut plain, patch.after.len() as u64);
        put(&mut plain, patch.before.len() as u64);
        end = patch.after.end;
    }
    for patch in patches {
        plain.extend_from_slice(before.get(patch.before.clone()).unwrap_or_default());
    }
    out.extend_from_slice(&zstd::bulk::compress(&plain, LEVEL)?);
    Ok(())
}

/// LEB128.
pub(crate) fn put(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(u8::try_from(number & 0x7F).unwrap_or_default() | 0x80);
        number >>= 7;
    }
    out.push(u8::try_from(number).unwrap_or_default());
}

/// Numbers as LEB128, from the front of some bytes.
pub(crate) struct Numbers<'a>(pub(crate) &'a [u8]);

impl Numbers<'_> {
    pub(crate) fn next(&mut self) -> Option<usize> {
        let mut number = 0_u64;
        for shift in (0..63).step_by(7) {
            let (&byte, rest) = self.0.split_first()?;
            self.0 = rest;
            number |= u64::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                return usize::try_from(number).ok();
            }
        }
        None
    }

    pub(crate) fn hash(&mut self) -> Option<u64> {
        let (bytes, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u64::from_le_bytes(*bytes))
    }
}

impl Block {
    pub(crate) fn decode(compressed: &[u8]) -> io::Result<Self> {
        let mut plain = Vec::new();
        let decoder = zstd::Decoder::new(compressed)?;
        io::Read::read_to_end(&mut io::Read::take(decoder, BLOCK_BYTES_MAX), &mut plain)?;
        Self::parse(&plain)
            .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "a block of the undo log is damaged"))
    }

    fn parse(plain: &[u8]) -> Option<Self> {
        let mut numbers = Numbers(plain);
        let (before_len, after_len) = (numbers.next()?, numbers.next()?);
        let (before_hash, after_hash) = (numbers.hash()?, numbers.hash()?);
        let count = numbers.next()?;
        let mut patches = Vec::new();
        for _ in 0..count {
            patches.push((numbers.next()?, numbers.next()?, numbers.next()?));
        }
        Some(Self { before_len, after_len, before_hash, after_hash, patches, old: numbers.0.to_vec() })
    }

    /// Appends what `after` was to `out`; `None` when it is not what was written, or the log is damaged.
    pub(crate) fn apply(&self, after: &[u8], out: &mut Vec<u8>) -> Option<()> {
        (hash(after) == self.after_hash).then_some(())?;
        let start = out.len();
        let (mut rest, mut old) = (after, &*self.old);
        for &(gap, now, before) in &self.patches {
            let (unchanged, behind) = rest.split_at_checked(gap)?;
            out.extend_from_slice(unchanged);
            rest = behind.get(now..)?;
            let (bytes, behind) = old.split_at_checked(before)?;
            out.extend_from_slice(bytes);
            old = behind;
        }
        out.extend_from_slice(rest);
        (hash(out.get(start..)?) == self.before_hash).then_some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_comes_back_and_nothing_else_is_taken_for_it() {
        let (before, after) = (b"one two three four", b"one 2 three 44444");
        let patches = [Patch { before: 4..7, after: 4..5 }, Patch { before: 14..18, after: 12..17 }];
        let mut bytes = Vec::new();
        encode(before, after, &patches, &mut bytes).unwrap();
        let block = Block::decode(&bytes).unwrap();
        let mut out = b"kept ".to_vec();
        block.apply(after, &mut out).unwrap();
        assert_eq!(out, b"kept one two three four");
        assert_eq!(block.apply(b"one 2 three 44445", &mut Vec::new()), None);
        assert!(Block::decode(b"junk").is_err());
    }
}
