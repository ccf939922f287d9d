//! Schemas, judged by others: an evaluator of JSON Schema, compilers, the official `bson` crate, `PyMongo`.

#![expect(clippy::unwrap_used, reason = "tests")]

#[rustfmt::skip]
mod events;
mod evaluator;
mod languages;
mod rust;
mod support;
mod validators;
