//! The comparisons, each in a module: what is measured on which documents.

pub mod access;
pub mod blocks;
pub mod decoding;
pub mod file;
pub mod matrix;
pub mod people;
pub mod types;
pub mod update;
