//! OSON, Oracle's binary JSON, read, written, navigated and explained.

#![deny(clippy::arithmetic_side_effects, clippy::as_conversions)]

mod fault;
mod float;
pub mod tag;
mod temporal;
mod width;
