//! Tests of the crate as its users see it.

mod indexes;
mod tables;
