//! Any format to any other, with a report of what could not be carried over.

#![deny(clippy::arithmetic_side_effects, clippy::as_conversions)]

pub mod diff;
mod place;
mod report;

pub use report::{Grade, Loss, Occurrences, Report};
