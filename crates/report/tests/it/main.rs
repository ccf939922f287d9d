//! The page: what is on it, how it looks, and what hostile documents make of it.

#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod browser;
mod contrasts;
mod hostile;
mod looks;
mod page;
mod support;
