//! Data sets made from a seed, and what is measured on them.
//!
//! [`benchmarks`] has one module for each comparison; each takes a [`Plan`] and returns a [`Report`]. They measure
//! [`contenders`] with [`measure`]. Allocations are counted in programs whose global allocator is [`Allocator`].

pub mod allocations;
pub mod benchmarks;
pub mod contenders;
pub mod datasets;
mod error;
mod machine;
mod numbers;
mod peers;
pub mod result;
mod runner;

pub use allocations::Allocator;
pub use datasets::{Dataset, Documents, Matrix, ParseDatasetError};
pub use error::{BenchError, Watch};
pub use machine::Machine;
pub use peers::Peers;
pub use result::{Format, Report};
pub use runner::{Iterations, Measurement, Plan, measure, measure_prepared};
