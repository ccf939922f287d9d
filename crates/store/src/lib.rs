//! Where documents come from and go to: many in a file or a stream, one at a time, in bounded memory.
//!
//! [`DocumentReader`] takes a file, or standard input, apart into documents: dumps of concatenated BSON, JSON lines and
//! arrays, OSON images as they are or in hexadecimal or base64, compressed with gzip or zstd or not; what it is, it finds
//! out by itself. [`DocumentWriter`] puts documents together in the same forms; a file appears under its name when it is
//! complete, and not before. [`DumpFolder`] and [`ArchiveReader`] are what `mongodump` writes, whole. Documents are bytes here: what is in them is for others to read.
//!
//! ```
//! use boson_store::{DocumentReader, ReadOptions, Reader};
//!
//! let lines = b"{\"a\": 1}\n\n{\"a\": 2}\r\n".as_slice();
//! let mut reader = DocumentReader::from_stream("lines", Box::new(lines), &ReadOptions::default())?;
//! let mut seen = Vec::new();
//! while let Some(document) = reader.next_document()? {
//!     seen.push((document.index, document.offset, document.bytes.to_vec()));
//! }
//! assert_eq!(seen, [(0, 0, b"{\"a\": 1}".to_vec()), (1, 10, b"{\"a\": 2}".to_vec())]);
//! # Ok::<(), boson_store::ReadError>(())
//! ```

#![deny(clippy::arithmetic_side_effects, clippy::as_conversions)]

mod address;
mod compression;
mod dump;
mod error;
mod framing;
mod location;
mod port;
mod read;
mod window;
mod write;

pub use address::Address;
pub use compression::Compression;
pub use dump::{
    ARCHIVE_MAGIC, ArchiveHeader, ArchivePart, ArchiveReader, ArchiveState, Collection, CollectionKind, Crc64,
    DumpFolder, FolderEntry, IndexSpec, Metadata, Namespace, NamespaceState,
};
pub use error::{ReadError, ReadFault, WriteError, WriteFault};
pub use framing::Framing;
pub use location::Location;
pub use port::{Batch, Document, Reader, Writer};
pub use read::{Cut, DocumentReader, Opened, ReadOptions, Start};
pub use write::{DocumentWriter, OutputFile, WriteOptions, discard_unfinished};
