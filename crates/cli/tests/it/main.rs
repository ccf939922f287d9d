//! The command line, run as its users run it.

#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod analyze;
mod archives;
mod bench;
mod documentation;
mod edit;
mod explain;
mod manners;
mod prove;
mod report;
mod round_trips;
mod schema;
mod support;
mod symptoms;
