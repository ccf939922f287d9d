//! The data sets are what they are said to be, and stay so; what is measured on them can be read.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod blocks;
mod datasets;
mod reports;
mod sizes;
mod update;

#[global_allocator]
static ALLOCATOR: boson_bench::Allocator = boson_bench::Allocator::system();
