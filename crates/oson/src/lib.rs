//! OSON, Oracle's binary JSON, read, written, navigated and explained.

#![deny(clippy::arithmetic_side_effects, clippy::as_conversions)]

pub mod tag;
pub mod write;
