//! The random documents keep their promises.

mod documents;
mod laws;
