//! Plans, runs, undoing, checking.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may fail"
)]

mod cases;
mod dumps;
mod live;
mod live_cases;
mod live_server_side;
mod readings;
mod rewriting;
mod server;
mod support;
mod values;
