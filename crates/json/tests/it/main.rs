//! Tests of JSON text in and out.

#![expect(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, reason = "tests")]

mod cases;
mod corpus;
mod grammar;
mod laws;
mod numbers;
mod oracle;
mod plain;
#[cfg(feature = "serde_json")]
mod serde_values;
mod split;
mod support;
mod text;
mod wrappers;
mod writer;
