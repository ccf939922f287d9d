//! Tests of the crate as its users see it.
#![expect(clippy::unwrap_used, clippy::cast_precision_loss, reason = "tests")]

mod engine;
mod keys;
mod replies;
