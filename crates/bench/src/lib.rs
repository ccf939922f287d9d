//! Data sets made from a seed, and what is measured on them.

pub mod datasets;

pub use datasets::{Dataset, Documents, Matrix, ParseDatasetError};
