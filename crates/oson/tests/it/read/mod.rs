//! Reading.

mod build;
mod cases;
mod faults;
mod laws;
mod layout;
mod made;
mod paths;
mod plain;
mod python_images;
mod server_images;
mod updates;
mod views;

use boson_document::{DecodeError, DecodeErrorKind, Rule, Value};
use boson_oson::Document;
use boson_testkit::{laws::tree, unhex};

/// The tree of the image that `digits` spells.
fn decode(digits: &str) -> Result<Value, DecodeError> {
    decode_bytes(&unhex(digits))
}

fn decode_bytes(bytes: &[u8]) -> Result<Value, DecodeError> {
    tree(&Document::new(bytes)?)
}

/// The tree of a scalar image of version 1 with this tree segment.
fn decode_scalar(digits: &str) -> Result<Value, DecodeError> {
    decode_bytes(&build::scalar(&unhex(digits)))
}

fn broken(rule: Rule) -> DecodeErrorKind {
    DecodeErrorKind::Broken(rule)
}

/// What is wrong with an image, without the place.
fn fault(bytes: &[u8]) -> DecodeErrorKind {
    decode_bytes(bytes).expect_err("a fault").kind
}
