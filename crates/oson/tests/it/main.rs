//! Tests of the public API, in one binary.

#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

/// Counts for each thread what it allocates.
#[global_allocator]
static ALLOCATOR: alloc_tracker::Allocator<std::alloc::System> = alloc_tracker::Allocator::system();

mod bounds;
mod edit;
mod read;
#[cfg(feature = "serde")]
mod typed;
mod write_driver;
mod write_faults;
mod write_laws;
mod write_neutral;
mod write_peers;
mod write_server;
mod write_widths;
