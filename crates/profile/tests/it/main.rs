//! One binary for all integration tests of the crate.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests say what went wrong by failing"
)]

mod account;
mod extended;
mod inference;
mod laws;
mod numbers;
mod readings;
mod recognized;
mod support;
