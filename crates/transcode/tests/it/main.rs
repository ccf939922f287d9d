//! Tests of conversions, of their reports and of comparing documents.

#![expect(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod chains;
mod choices;
mod diffs;
mod documents;
mod laws;
mod silent;
mod support;
mod table;
