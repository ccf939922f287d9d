//! Tests of streams and files of documents.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

mod cases;
mod dumps;
mod forms;
mod support;
mod symptoms;
mod writing;
