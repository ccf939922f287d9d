//! What a run asks of a server: few things, each one round trip, so that a test can be a server too.
//!
//! All documents are raw BSON, both ways. Filters and updates are made here, by the guards beside it, and are sent as they
//! are: whoever implements [`Collection`] adds nothing to them and leaves nothing out.

use std::fmt;
use std::time::Duration;

use boson_store::Metadata;

/// A collection that is in use.
///
/// Calls come from several threads at once.
pub trait Collection: Sync {
    /// What the server says of the collection.
    ///
    /// # Errors
    ///
    /// [`PortError`].
    fn describe(&self) -> Result<Description, PortError>;

    /// Reads documents. What this run has written it must read, so a run reads from the primary.
    ///
    /// # Errors
    ///
    /// [`PortError`].
    fn scan(&self, scan: &Scan) -> Result<Box<dyn Cursor + '_>, PortError>;

    /// Sends updates, unordered, each about at most one document, with the *simple* collation for each of them whatever the
    /// collection's is: another would take `"A"` for `"a"`. Returns when the write concern is met.
    ///
    /// The updates of one call fit in one message by [`MESSAGE_BYTES_MAX`] and [`MESSAGE_UPDATES_MAX`].
    ///
    /// # Errors
    ///
    /// [`PortError`] when nothing is known of the outcome of at least one update. What the server says of single updates is
    /// no error but in the [`Reply`].
    fn update(&self, updates: &[Update]) -> Result<Reply, PortError>;

    /// Applies a pipeline, an array of stages, to all documents that `filter` matches, with the simple collation.
    ///
    /// # Errors
    ///
    /// [`PortError`]: some documents may have been changed then.
    fn update_many(&self, filter: &[u8], pipeline: &[u8]) -> Result<ManyReply, PortError>;

    /// How far the slowest member of the replica set is behind that is to be waited for; `None` where there is no such thing.
    ///
    /// # Errors
    ///
    /// [`PortError`].
    fn lag(&self) -> Result<Option<Duration>, PortError> {
        Ok(None)
    }
}

/// Documents, one after the other.
pub trait Cursor {
    /// The next document; `None` after the last.
    ///
    /// # Errors
    ///
    /// [`PortError`]: the cursor is of no more use then. Another is opened behind the last document.
    fn next_document(&mut self) -> Result<Option<&[u8]>, PortError>;
}

/// Which documents are read: by ascending `_id`, with the collection's own collation, so that the index on `_id` serves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scan {
    /// The filter, a document.
    pub filter: Vec<u8>,
    /// Only their `_id`s.
    pub ids_only: bool,
    /// How many are left out at the beginning.
    pub skip: u64,
    /// How many are read at most; 0 for all.
    pub limit: u64,
    /// How many a round trip should bring, and no more than are asked for; 0 leaves it to the server.
    pub batch_documents: u32,
}

/// An update of one document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Update {
    /// Which document, and what must still be in it: a filter, whose first member is `_id`.
    pub filter: Vec<u8>,
    /// What is done with it.
    pub change: Modification,
}

/// What an update does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Modification {
    /// A document of operators: `{$set: …}`.
    Operators(Vec<u8>),
    /// The bytes of an array of stages: `[{$replaceWith: …}]`.
    Pipeline(Vec<u8>),
}

impl Modification {
    /// The bytes of the document or the array.
    pub fn bytes(&self) -> &[u8] {
        match self {
            Self::Operators(bytes) | Self::Pipeline(bytes) => bytes,
        }
    }
}

/// A message to a server has at most so many bytes (`maxMessageSizeBytes` of its answer to `hello`).
pub const MESSAGE_BYTES_MAX: usize = 48_000_000;

/// A message to a server holds at most so many updates (`maxWriteBatchSize`).
pub const MESSAGE_UPDATES_MAX: usize = 100_000;

/// A document, and the filter or the change of an update, has at most so many bytes (`maxBsonObjectSize`).
pub const DOCUMENT_BYTES_MAX: usize = 16 << 20;

/// What became of some updates.
///
/// The `update` command tells how many documents were matched, not which; `bulkWrite` tells which.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reply {
    /// How many updates matched a document.
    pub matched: u64,
    /// Which did not and did not fail either, where the server says so.
    pub unmatched: Option<Vec<usize>>,
    /// Which failed.
    pub failed: Vec<Failure>,
}

/// An update that the server refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Which of the updates.
    pub index: usize,
    /// The server's number of the error.
    pub code: i32,
    /// What the server says.
    pub message: String,
}

impl Failure {
    /// Whether the document would have had a key of another in a unique index (`DuplicateKey`).
    pub const fn is_duplicate_key(&self) -> bool {
        matches!(self.code, 11_000 | 11_001 | 12_582)
    }

    /// Whether the collection's validator refused the document (`DocumentValidationFailure`).
    pub const fn is_validation(&self) -> bool {
        self.code == 121
    }
}

/// What became of the documents of a range.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ManyReply {
    /// How many the filter matched.
    pub matched: u64,
    /// How many are different now.
    pub modified: u64,
}

/// What a server says of a collection.
#[derive(Clone, Debug)]
pub struct Description {
    /// Its options and indexes, in the form in which `mongodump` writes them:
    /// `{"options": …, "indexes": […], "type": …}`, the answers of `listCollections` and `listIndexes`.
    pub metadata: Metadata,
    /// The dotted paths of its shard key; empty when it is not sharded.
    pub shard_key: Vec<String>,
    /// How many documents there are, estimated from the collection's own figures.
    pub documents: u64,
    /// The server's version, `[8, 0, 4]`, where it says one.
    pub version: Option<[u32; 3]>,
}

/// Why a call failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PortError {
    /// Whether it may be tried again.
    pub kind: PortErrorKind,
    /// What happened, without passwords.
    pub message: String,
}

/// Whether a call may be tried again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PortErrorKind {
    /// The connection was lost, another member is primary now, the server restarts: what was asked may have been done or
    /// not, and asking again is right.
    Interrupted,
    /// The server does not do it: it would say the same again.
    Refused,
}

impl PortError {
    /// A fault after which asking again is right.
    pub fn interrupted(message: impl Into<String>) -> Self {
        Self { kind: PortErrorKind::Interrupted, message: message.into() }
    }

    /// A fault that would come again.
    pub fn refused(message: impl Into<String>) -> Self {
        Self { kind: PortErrorKind::Refused, message: message.into() }
    }
}

impl fmt::Display for PortError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for PortError {}
