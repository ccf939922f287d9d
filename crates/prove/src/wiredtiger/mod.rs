//! A model of what WiredTiger, MongoDB's storage engine, makes of documents and keys on disk.
//!
//! The engine gathers entries in memory pages, cuts those into pages for the disk, compresses them where that saves a unit
//! of allocation, and adapts how much it packs into one by how that went. The model does the same with the same constants
//! and the same compressors, and leaves out what needs an engine: concurrency, eviction, updates, checkpoints in between.
//! Facts are from the engine's public documentation and sources, version 3.2.1; docs/storage-model.md compares it with files that
//! the real engine wrote.

mod block;
mod cell;
mod compressor;
mod index;
mod memory;
mod page;
mod table;
mod tree;

pub use compressor::Compressor;
pub use index::{Index, IndexSize};
pub use table::{Table, TableSize};
