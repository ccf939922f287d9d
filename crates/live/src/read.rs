//! Documents as they come from a cursor.

use std::future::poll_fn;
use std::pin::Pin;

use boson_store::Namespace;
use futures_core::Stream;
use mongodb::bson::{RawDocumentBuf, rawdoc};
use mongodb::options::{ReadPreference as DriverPreference, SelectionCriteria};
use mongodb::raw_batch_cursor::{RawBatch, RawBatchCursor};

use crate::error::{LiveError, LiveErrorKind};
use crate::server::Server;

/// How documents are read.
#[derive(Clone, Copy, Debug)]
pub struct ReadSettings {
    /// So many, drawn at random by the server; all when not given.
    pub sample: Option<u32>,
    /// From which members; that of the address when not given.
    pub preference: Option<ReadPreference>,
    /// How many documents the server is asked for at once; 0 leaves it to the server.
    pub batch_size: u32,
}

/// From which members of a replica set to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadPreference {
    /// The primary.
    Primary,
    /// The primary, or a secondary while there is none.
    PrimaryPreferred,
    /// A secondary.
    Secondary,
    /// A secondary, or the primary while there is none.
    SecondaryPreferred,
    /// The member that answers soonest.
    Nearest,
}

impl Default for ReadSettings {
    fn default() -> Self {
        Self { sample: None, preference: None, batch_size: 1000 }
    }
}

impl ReadPreference {
    fn criteria(self) -> SelectionCriteria {
        let options = None;
        SelectionCriteria::ReadPreference(match self {
            Self::Primary => DriverPreference::Primary,
            Self::PrimaryPreferred => DriverPreference::PrimaryPreferred { options },
            Self::Secondary => DriverPreference::Secondary { options },
            Self::SecondaryPreferred => DriverPreference::SecondaryPreferred { options },
            Self::Nearest => DriverPreference::Nearest { options },
        })
    }
}

/// Documents of a collection, or what else a command's cursor holds.
pub struct Documents {
    server: Server,
    cursor: Option<RawBatchCursor>,
}

/// Some of them, as the server sent them.
pub struct Reply(RawBatch);

impl Documents {
    /// What the cursor of `command` holds.
    pub(crate) fn of(
        server: &Server,
        database: &str,
        command: RawDocumentBuf,
        settings: &ReadSettings,
    ) -> Result<Self, LiveError> {
        let criteria = settings.preference.map(ReadPreference::criteria);
        let cursor = server.cursor(database, command, settings.batch_size, criteria)?;
        Ok(Self { server: server.clone(), cursor: Some(cursor) })
    }

    /// The documents of a collection.
    pub(crate) fn read(server: &Server, namespace: &Namespace, settings: &ReadSettings) -> Result<Self, LiveError> {
        let name = namespace.collection.as_str();
        let batch_size = i64::from(settings.batch_size);
        let command = match settings.sample {
            None => rawdoc! { "find": name, "batchSize": batch_size },
            Some(count) => rawdoc! {
                "aggregate": name,
                "pipeline": [{ "$sample": { "size": i64::from(count) } }],
                "cursor": { "batchSize": batch_size },
            },
        };
        Self::of(server, &namespace.database, command, settings)
    }

    /// The next of them, `None` after the last.
    ///
    /// # Errors
    ///
    /// What the server or the way there says; nothing more comes then.
    pub fn next_reply(&mut self) -> Result<Option<Reply>, LiveError> {
        let Some(cursor) = &mut self.cursor else { return Ok(None) };
        let next = poll_fn(|context| Pin::new(&mut *cursor).poll_next(context));
        let batch = self.server.wait(async { next.await.transpose() })?;
        Ok(batch.map(Reply))
    }

    /// All that is left, each as a copy: for short answers.
    pub(crate) fn collect(mut self) -> Result<Vec<Vec<u8>>, LiveError> {
        let mut documents = Vec::new();
        while let Some(reply) = self.next_reply()? {
            for document in reply.documents() {
                let document = document.ok_or_else(|| {
                    self.server.error(LiveErrorKind::Answer, "a batch that holds something else than documents")
                })?;
                documents.push(document.to_vec());
            }
        }
        Ok(documents)
    }
}

impl Drop for Documents {
    fn drop(&mut self) {
        self.server.let_go(self.cursor.take());
    }
}

impl Reply {
    /// The whole answer.
    pub(crate) fn bytes(&self) -> &[u8] {
        self.0.as_raw_document().as_bytes()
    }

    /// The documents, each as its bytes; `None` for what is no document, and where the rest cannot be told apart.
    pub fn documents(&self) -> impl Iterator<Item = Option<&[u8]>> {
        let (items, fault) = match self.0.doc_slices() {
            Ok(items) => (Some(items), None),
            Err(_) => (None, Some(None)),
        };
        let items = items.into_iter().flatten();
        items.map(|item| Some(item.ok()?.as_document()?.as_bytes())).chain(fault)
    }
}
