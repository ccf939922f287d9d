//! The dictionary of an image: which id each name has, and the bytes of both tiers.

use std::cmp::Ordering;

use crate::tag::SHORT_NAME_BYTES_MAX;
use crate::width::{Width, narrow, widen};

use super::Style;
use super::error::EncodeErrorKind;
use super::names::Names;

/// The dictionary of one document, kept for as long as documents use the same names in the same order.
#[derive(Debug, Default)]
pub(super) struct Dictionary {
    /// The field id of each number that `Names` gave; only those of the names in use mean anything.
    ids: Vec<u32>,
    short: Tier,
    long: Tier,
    /// Both tiers.
    bytes: Vec<u8>,
    /// The names that this is the dictionary of.
    names: Vec<u32>,
    epoch: u32,
}

/// The short or the long names of a document.
#[derive(Debug, Default)]
struct Tier {
    entries: Vec<Entry>,
    heap_len: usize,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    /// Hash, length and first bytes, in an order that settles most comparisons.
    key: u64,
    number: u32,
    heap_offset: u32,
}

impl Dictionary {
    /// Makes this the dictionary of the names in use.
    pub(super) fn build(&mut self, names: &Names, style: Style) -> Result<(), EncodeErrorKind> {
        if self.names == names.used() && self.epoch == names.epoch() {
            return Ok(());
        }
        // Not valid until it is complete.
        self.names.clear();
        self.epoch = 0;
        self.collect(names, style)?;
        self.number_names(names);
        self.bytes.clear();
        self.put_short(names);
        self.put_long(names, style);
        self.names.extend_from_slice(names.used());
        self.epoch = names.epoch();
        Ok(())
    }

    fn collect(&mut self, names: &Names, style: Style) -> Result<(), EncodeErrorKind> {
        for tier in [&mut self.short, &mut self.long] {
            tier.entries.clear();
            tier.heap_len = 0;
        }
        for &number in names.used() {
            let name = names.text(number).as_bytes();
            let is_short = name.len() <= SHORT_NAME_BYTES_MAX;
            let (tier, length_bytes) = if is_short { (&mut self.short, 1) } else { (&mut self.long, 2) };
            let key =
                if is_short { short_key(names.hash(number), name) } else { long_key(names.hash(number), name, style) };
            let heap_offset = u32::try_from(tier.heap_len).map_err(|_| EncodeErrorKind::TooLarge)?;
            tier.entries.push(Entry { key, number, heap_offset });
            tier.heap_len = tier.heap_len.saturating_add(length_bytes).saturating_add(name.len());
        }
        Ok(())
    }

    /// Sorts the tiers and gives the ids: positions from 1, those of long names after those of short ones.
    fn number_names(&mut self, names: &Names) {
        self.ids.resize(names.numbers().max(self.ids.len()), 0);
        let compare = |a: &Entry, b: &Entry| match a.key.cmp(&b.key) {
            Ordering::Equal => names.text(a.number).as_bytes().cmp(names.text(b.number).as_bytes()),
            settled => settled,
        };
        self.short.entries.sort_unstable_by(compare);
        self.long.entries.sort_unstable_by(compare);
        for (entry, id) in self.short.entries.iter().chain(&self.long.entries).zip(1..) {
            if let Some(slot) = self.ids.get_mut(widen(entry.number)) {
                *slot = id;
            }
        }
    }

    fn put_short(&mut self, names: &Names) {
        self.bytes.extend(self.short.entries.iter().map(|entry| low_byte(names.hash(entry.number))));
        put_offsets(&mut self.bytes, &self.short);
        for &number in names.used() {
            let name = names.text(number).as_bytes();
            if let Ok(length) = u8::try_from(name.len()) {
                self.bytes.push(length);
                self.bytes.extend_from_slice(name);
            }
        }
    }

    fn put_long(&mut self, names: &Names, style: Style) {
        if self.long.entries.is_empty() {
            return;
        }
        for entry in &self.long.entries {
            self.bytes.extend_from_slice(&long_hash(names.hash(entry.number), style).to_be_bytes());
        }
        put_offsets(&mut self.bytes, &self.long);
        for &number in names.used() {
            let name = names.text(number).as_bytes();
            if name.len() > SHORT_NAME_BYTES_MAX
                && let Ok(length) = u16::try_from(name.len())
            {
                self.bytes.extend_from_slice(&length.to_be_bytes());
                self.bytes.extend_from_slice(name);
            }
        }
    }

    /// The field id of each number.
    #[inline]
    pub(super) fn ids(&self) -> &[u32] {
        &self.ids
    }

    /// How wide field ids are: by all names, the long ones included.
    pub(super) fn id_width(&self) -> Width {
        match self.short.entries.len().saturating_add(self.long.entries.len()) {
            0..=0xFF => Width::Ub1,
            0x100..=0xFFFF => Width::Ub2,
            _ => Width::Ub4,
        }
    }

    /// How many short names there are, and how many bytes their heap has.
    pub(super) fn short(&self) -> (u32, u32) {
        (narrow(self.short.entries.len()), narrow(self.short.heap_len))
    }

    /// How many long names there are, and how many bytes their heap has.
    pub(super) fn long(&self) -> (u32, u32) {
        (narrow(self.long.entries.len()), narrow(self.long.heap_len))
    }

    /// Both tiers: hashes, offsets, heap.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

/// How wide the offsets into a heap of `heap_len` bytes are.
pub(super) fn offset_width(heap_len: u32) -> Width {
    Width::ub4_if(heap_len > 0xFFFF)
}

fn put_offsets(bytes: &mut Vec<u8>, tier: &Tier) {
    let wide = offset_width(narrow(tier.heap_len)) == Width::Ub4;
    for entry in &tier.entries {
        let offset = entry.heap_offset.to_be_bytes();
        let [_, _, ub2 @ ..] = offset;
        if wide { bytes.extend_from_slice(&offset) } else { bytes.extend_from_slice(&ub2) }
    }
}

fn low_byte(hash: u32) -> u8 {
    let [low, ..] = hash.to_le_bytes();
    low
}

/// The hash that is stored with a long name: the low byte and then the second one; the driver has the low half of the
/// hash as it is.
fn long_hash(hash: u32, style: Style) -> u16 {
    let [low, second, ..] = hash.to_le_bytes();
    u16::from_be_bytes(if style == Style::Compact { [low, second] } else { [second, low] })
}

/// Sorts by hash, length and first bytes.
fn short_key(hash: u32, name: &[u8]) -> u64 {
    let length = u64::try_from(name.len()).unwrap_or(u64::MAX);
    u64::from(low_byte(hash)) << 56 | length << 48 | first_bytes(name) >> 16
}

/// Sorts by stored hash and length; the driver goes by the low byte of the hash alone.
fn long_key(hash: u32, name: &[u8], style: Style) -> u64 {
    let length = u64::try_from(name.len()).unwrap_or(u64::MAX);
    let hash = if style == Style::Compact { long_hash(hash, style) } else { u16::from(low_byte(hash)) };
    u64::from(hash) << 48 | length << 32 | first_bytes(name) >> 32
}

/// The first eight bytes as a number that sorts as they do; zeros stand for those that are missing.
fn first_bytes(name: &[u8]) -> u64 {
    let mut bytes = [0; 8];
    for (slot, byte) in bytes.iter_mut().zip(name) {
        *slot = *byte;
    }
    u64::from_be_bytes(bytes)
}
