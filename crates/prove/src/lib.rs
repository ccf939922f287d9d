//! What better types are worth, proved: documents before and after, as they are, on disk, in indexes and on the wire.
//!
//! [`Side`] takes the documents of one side, one after the other, in memory that does not grow with them but for the keys of
//! indexes, and [`Measured`] is what they make. Sizes of documents and of replies are exact; tables and indexes are a model's, see
//! [`wiredtiger`].

mod compress;
mod keys;
pub mod keystring;
mod network;
mod side;
mod wire_compressor;
pub mod wiredtiger;

pub use keys::IndexSpec;
pub use network::{NetworkSize, REPLY_DOCUMENTS};
pub use side::{IndexEstimate, Measured, Options, Side};
pub use wire_compressor::WireCompressor;
