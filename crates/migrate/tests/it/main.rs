//! Plans, runs, undoing, checking.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may fail")]

mod cases;
mod dumps;
mod live;
mod readings;
mod rewriting;
mod server;
mod support;
mod values;
