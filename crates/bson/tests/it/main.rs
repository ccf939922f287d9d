//! Tests of BSON against the specification's corpus, its peers and itself.
#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod cases;
mod corpus;
mod edit;
mod laws;
mod official;
mod pymongo;
mod support;
#[cfg(feature = "serde")]
mod typed;
mod vectors;
mod view;
mod write;
