//! Tests of conversions, of their reports and of comparing documents.

mod chains;
mod choices;
mod diffs;
mod documents;
mod laws;
mod support;
mod table;
