//! The command line, run as its users run it.

mod analyze;
mod bench;
mod documentation;
mod manners;
mod round_trips;
mod support;
