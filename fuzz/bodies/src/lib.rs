//! What the fuzz targets do with their input: the laws that hold for any bytes.
//!
//! libFuzzer calls these with bytes of its own making; `tests/replay.rs` calls them with the committed seeds, damaged ones
//! too, so that every law is also checked where no fuzzer is. A law that is broken panics.

#![expect(clippy::expect_used, clippy::panic, reason = "a law that is broken panics")]

mod bson;
mod convert;
mod edit_bson;
mod edit_oson;
mod explain;
mod json;
mod oson;
mod regions;
mod seeds;

pub use seeds::Seeds;

use boson_document::Located;

/// Checks every law of one target on any bytes.
pub type Body = fn(&[u8]);

/// The targets, by the names of their files in `fuzz/fuzz_targets`.
pub const TARGETS: &[(&str, Body)] = &[
    ("convert", convert::run),
    ("edit_bson", edit_bson::run),
    ("edit_oson", edit_oson::run),
    ("explain", explain::run),
    ("read_bson", bson::run),
    ("read_json", json::run),
    ("read_oson", oson::run),
    ("regions", regions::run),
];

/// Checks every law of the target `name` on `data`.
///
/// # Panics
///
/// When a law is broken, or there is no such target.
pub fn run(name: &str, data: &[u8]) {
    let (_, body) = TARGETS.iter().find(|(target, _)| *target == name).expect("a target of that name");
    body(data);
}

/// An error names a place in the document, and a path that reads back from its text.
fn is_well_placed(error: &Located, len: usize) {
    assert!(error.error.offset <= len, "{error}: only {len} bytes");
    let text = error.path.to_string();
    assert_eq!(text.parse().as_ref(), Ok(&error.path), "{text}");
}
