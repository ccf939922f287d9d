//! The tests of the crate, as one binary.

#![expect(clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]

mod decimal_corpus;
mod decimal_laws;
mod decimal_number;
mod decimal_text;
