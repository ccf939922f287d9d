//! What decoding takes: documents that somebody brings, into our tree and into that of the official crate.

use std::hint::black_box;

use crate::contenders::{Bson, Contender as _};
use crate::error::BenchError;
use crate::runner::{Measurement, Plan, measure};

/// Decoding of all documents once, as one operation.
#[derive(Clone, Debug, PartialEq)]
pub struct Decoding {
    /// Into `boson_document::Value`.
    pub ours: Measurement,
    /// Into `bson::Document`, the official crate's.
    pub official: Measurement,
}

/// Measures decoding `documents`, one after the other.
///
/// # Errors
///
/// When one of them is not BSON.
pub fn run(plan: &Plan, documents: &[&[u8]]) -> Result<Decoding, BenchError> {
    let ours = measure(plan, || {
        documents.iter().try_for_each(|document| Bson::default().decode(document).map(|tree| drop(black_box(tree))))
    })?;
    let official = measure(plan, || {
        documents.iter().try_for_each(|document| official(document).map(|tree| drop(black_box(tree))))
    })?;
    Ok(Decoding { ours, official })
}

fn official(document: &[u8]) -> Result<bson::Document, BenchError> {
    bson::Document::from_reader(document).map_err(BenchError::edit)
}
