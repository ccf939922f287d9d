//! One binary for all integration tests of the crate.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests say what went wrong by failing"
)]

mod account;
mod laws;
mod readings;
mod support;
