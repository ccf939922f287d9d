//! Inputs that people reported against other implementations, by the row of the list of cases, and more of each kind.
//!
//! Rows on text (Extended JSON, Decimal128) are tested where text is read.

mod kept;
mod nested;
mod refused;
mod shown;
mod text;
mod written;

use boson_bson::Document;
use boson_document::Value;

use crate::support::{read, unhex};

/// The document of `elements`, given in hexadecimal, within length and NUL.
pub(crate) fn document(elements: &str) -> Vec<u8> {
    framed(&unhex(elements))
}

/// The document of `elements` within length and NUL.
pub(crate) fn framed(elements: &[u8]) -> Vec<u8> {
    let len = i32::try_from(elements.len() + 5).unwrap();
    [&len.to_le_bytes(), elements, &[0]].concat()
}

/// The value called `a` of a document that must be valid.
fn value_of(bytes: &[u8]) -> Value {
    read(bytes).unwrap().get("a").unwrap().clone()
}

fn view(bytes: &[u8]) -> Document<'_> {
    Document::new(bytes).unwrap()
}
