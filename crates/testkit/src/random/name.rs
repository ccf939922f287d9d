//! Names of members.

use super::{Gen, Range};
use crate::rng::Rng;

/// The basis of the hash of names in OSON, 32-bit FNV-1a (oson-format, section 1).
pub const FNV_BASIS: u32 = 0x811C_9DC5;

/// 32-bit FNV-1a of `name`'s bytes; OSON's dictionary is sorted by the low byte of it.
pub fn fnv1a(name: &str) -> u32 {
    name.bytes().fold(FNV_BASIS, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(16_777_619))
}

/// The first `count` of the names `c0`, `c1`… whose hashes have the low byte `low`.
pub fn colliding(low: u8, count: usize) -> Vec<String> {
    let names = (0u32..).map(|number| format!("c{number}"));
    names.filter(|name| fnv1a(name).to_le_bytes()[0] == low).take(count).collect()
}

/// Names that somebody's program once stumbled over.
const AWKWARD: &[&str] = &[
    "",
    "$",
    "$x",
    "$set",
    "$ref",
    "a.b",
    ".",
    "..",
    "a.$.b",
    "_id",
    "__proto__",
    "constructor",
    "toString",
    "length",
    "0",
    "1",
    "00",
    "-1",
    "4294967295",
    " ",
    "\t",
    "\n",
    "\"",
    "\\",
    "/",
    "'",
    "a b",
    "é",
    "e\u{301}",
    "ß",
    "名前",
    "😀",
    "\u{1}",
    "\u{7f}",
    "\u{80}",
    "\u{7ff}",
    "\u{800}",
    "\u{d7ff}",
    "\u{e000}",
    "\u{feff}",
    "\u{ffff}",
    "\u{10000}",
    "\u{10ffff}",
    "A",
    "a",
];

/// Names whose hashes have the low byte 0x98.
const COLLIDING: &[&str] = &["c110", "c165", "c208", "c301", "c396"];

/// Names as programs have them.
const USUAL: &[&str] = &[
    "id",
    "name",
    "first_name",
    "lastName",
    "created_at",
    "updatedAt",
    "status",
    "tags",
    "items",
    "price",
    "quantity",
    "address",
    "city",
    "geo",
    "lat",
    "lon",
    "x",
    "y",
    "z",
    "kind",
    "version",
    "payload",
];

/// A name; beyond `index` 40 of an object they are numbered, so that wide objects do not run out of names.
pub(super) fn name(like: &Gen, rng: &mut Rng, index: usize) -> String {
    match rng.below(100) {
        _ if index > 40 => format!("field_{index}"),
        0..60 => (*rng.pick(USUAL)).to_owned(),
        60..80 => (*rng.pick(AWKWARD)).to_owned(),
        80..88 => (*rng.pick(COLLIDING)).to_owned(),
        88..97 => letters(rng),
        97 => edge_length(like, rng),
        98 if like.range != Range::Bson && like.range != Range::Exact => "a\0b".to_owned(),
        _ => format!("field_{}", rng.below(2000)),
    }
}

fn letters(rng: &mut Rng) -> String {
    let count = rng.up_to(12);
    (0..count).map(|_| *rng.pick(&['a', 'b', 'k', 'z', 'Z', '_', '9', 'ä', 'ж', '語', '🦀'])).collect()
}

/// A name around the lengths at which OSON changes its dictionary.
fn edge_length(like: &Gen, rng: &mut Rng) -> String {
    let lengths: &[usize] =
        if like.long_names { &[31, 32, 127, 128, 254, 255, 256, 257, 300, 1000] } else { &[31, 255] };
    let length = *rng.pick(lengths);
    let length = if like.long_names && rng.once_in(40) { 65_535 } else { length };
    let mut name = format!("n{}", rng.below(50));
    name.push_str(&"l".repeat(length - name.len()));
    name
}
