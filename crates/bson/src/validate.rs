//! Whether bytes are one BSON document, and where not.

use boson_document::{DecodeError, Discard, Limits, Located, Source};

use crate::path::path_at;
use crate::read::{ReadOptions, Utf8};
use crate::view::Document;

/// Checks that `bytes` are one document that keeps every rule of the BSON specification, at every level: afterwards no
/// accessor of a view on them fails for what is in them, but for those that read a binary as a UUID or a vector, which
/// are not part of BSON itself.
///
/// The names in arrays are not checked, since nothing that reads BSON looks at them.
///
/// # Errors
///
/// The first fault, with its path.
pub fn validate(bytes: &[u8], limits: &Limits) -> Result<(), Located> {
    check(bytes, limits).map_err(|error| error.at(path_at(bytes, error.offset)))
}

fn check(bytes: &[u8], limits: &Limits) -> Result<(), DecodeError> {
    let options = ReadOptions { limits: *limits, utf8: Utf8::Strict };
    Document::new(bytes)?.with(options).drive(&mut Discard)
}
