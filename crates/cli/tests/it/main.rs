//! The command line, run as its users run it.

mod documentation;
mod manners;
mod support;
