//! The data sets are what they are said to be, and stay so.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod datasets;
mod sizes;
