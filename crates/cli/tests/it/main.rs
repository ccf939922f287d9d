//! The command line, run as its users run it.

mod bench;
mod documentation;
mod manners;
mod round_trips;
mod support;
