//! Plans, runs, undoing, checking.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may fail")]

mod cases;
mod dumps;
mod readings;
mod rewriting;
mod support;
mod values;
