//! What `mongodump` writes: a folder of files, or one archive.

mod archive;
mod folder;
mod metadata;

use std::fmt;

use serde::{Deserialize, Serialize};

pub use archive::{ARCHIVE_MAGIC, ArchiveHeader, ArchivePart, ArchiveReader, ArchiveState, Crc64, NamespaceState};
pub use folder::{DumpFolder, FolderEntry};
pub use metadata::{IndexSpec, Metadata};

/// The name of a collection with that of its database.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Namespace {
    /// The database; empty for what is in none, such as the oplog of a dump.
    pub database: String,
    /// The collection.
    pub collection: String,
}

impl fmt::Display for Namespace {
    /// `shop.orders`; the collection alone where there is no database.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.database.is_empty() {
            return f.write_str(&self.collection);
        }
        write!(f, "{}.{}", self.database, self.collection)
    }
}

/// What a collection of a dump is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CollectionKind {
    /// Documents.
    Documents,
    /// A view: it has no documents of its own.
    View,
    /// A time-series collection: its data is in the buckets.
    TimeSeries,
    /// The buckets of a time-series collection (`system.buckets.…`).
    Buckets,
    /// The operations during the dump (`oplog.bson`).
    Oplog,
    /// Another collection of the server's own (`system.…`).
    System,
}

impl CollectionKind {
    /// What a collection is by its name and its metadata.
    pub fn of(namespace: &Namespace, metadata: Option<&Metadata>) -> Self {
        let name = namespace.collection.as_str();
        if namespace.database.is_empty() && name == "oplog" {
            return Self::Oplog;
        }
        if name.starts_with("system.buckets.") {
            return Self::Buckets;
        }
        match metadata {
            Some(metadata) if metadata.is_time_series() => Self::TimeSeries,
            Some(metadata) if metadata.is_view() => Self::View,
            _ if name.starts_with("system.") => Self::System,
            _ => Self::Documents,
        }
    }
}

/// A collection of a dump.
#[derive(Clone, Debug)]
pub struct Collection {
    /// Its name.
    pub namespace: Namespace,
    /// What it is.
    pub kind: CollectionKind,
    /// Indexes and options; `None` where the dump has none.
    pub metadata: Option<Metadata>,
}
