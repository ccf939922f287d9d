//! Documents and collections that are made and taken away.

use boson_bson::encode;
use boson_document::{Source, Value};
use boson_store::Metadata;
use mongodb::bson::{RawArrayBuf, RawDocument, RawDocumentBuf, rawdoc};

use crate::collection::Collection;
use crate::error::{LiveError, LiveErrorKind};
use crate::server::text;

/// How many documents, and about how many bytes of them, an insert holds: a command is a document, and must be no larger than one.
const INSERT_DOCUMENTS: usize = 1000;
const INSERT_BYTES: usize = 15 << 20;

impl Collection {
    /// Makes the collection, with the options that `metadata` says.
    ///
    /// # Errors
    ///
    /// What the server or the way there says: that there is one already, for example.
    pub fn create(&self, metadata: Option<&Metadata>) -> Result<(), LiveError> {
        let mut members = vec![("create".into(), Value::String(self.namespace().collection.clone()))];
        if let Some(Value::Object(options)) = metadata.and_then(|metadata| metadata.value().get("options")) {
            members.extend(options.iter().cloned());
        }
        self.command(&Value::Object(members)).map(drop)
    }

    /// Makes the indexes of `metadata`.
    ///
    /// # Errors
    ///
    /// What the server or the way there says.
    pub fn create_indexes(&self, metadata: &Metadata) -> Result<(), LiveError> {
        let Some(Value::Array(indexes)) = metadata.value().get("indexes") else { return Ok(()) };
        let others: Vec<Value> = indexes.iter().filter(|index| !is_of_ids(index)).map(without_namespace).collect();
        if others.is_empty() {
            return Ok(());
        }
        let name = Value::String(self.namespace().collection.clone());
        self.command(&Value::Object(vec![("createIndexes".into(), name), ("indexes".into(), Value::Array(others))]))
            .map(drop)
    }

    /// Adds documents, and returns when most members of the replica set have them.
    ///
    /// # Errors
    ///
    /// What the server or the way there says; documents before the fault are there.
    pub fn insert<'d>(&self, documents: impl IntoIterator<Item = &'d [u8]>) -> Result<(), LiveError> {
        let mut batch = RawArrayBuf::new();
        let (mut count, mut bytes) = (0, 0);
        for document in documents {
            if count == INSERT_DOCUMENTS || bytes + document.len() > INSERT_BYTES {
                self.insert_batch(&std::mem::take(&mut batch))?;
                (count, bytes) = (0, 0);
            }
            let document = RawDocument::from_bytes(document)
                .map_err(|error| self.server().error(LiveErrorKind::Answer, format!("not a document: {error}")))?;
            batch.push(document.to_owned());
            count += 1;
            bytes += document.as_bytes().len();
        }
        if count == 0 { Ok(()) } else { self.insert_batch(&batch) }
    }

    fn insert_batch(&self, documents: &RawArrayBuf) -> Result<(), LiveError> {
        let name = self.namespace().collection.as_str();
        let mut command = rawdoc! { "insert": name, "writeConcern": { "w": "majority" } };
        command.append(mongodb::bson::cstr!("documents"), documents.as_ref());
        let answer = self.server().command(&self.namespace().database, command)?;
        match refusal(&answer) {
            Some(message) => Err(self.server().error(LiveErrorKind::Server(0), message)),
            None => Ok(()),
        }
    }

    /// Takes the collection away; nothing happens where there is none.
    ///
    /// # Errors
    ///
    /// What the server or the way there says.
    pub fn drop_collection(&self) -> Result<(), LiveError> {
        const NAMESPACE_NOT_FOUND: i32 = 26;
        let name = self.namespace().collection.as_str();
        match self.server().command(&self.namespace().database, rawdoc! { "drop": name }) {
            Err(error) if error.kind() != LiveErrorKind::Server(NAMESPACE_NOT_FOUND) => Err(error),
            _ => Ok(()),
        }
    }

    /// Runs a command on the database of the collection.
    ///
    /// # Errors
    ///
    /// What the server or the way there says.
    pub(crate) fn command(&self, command: &impl Source) -> Result<Value, LiveError> {
        let unusable = |what: String| self.server().error(LiveErrorKind::Answer, what);
        let bytes = encode(command).map_err(|error| unusable(error.to_string()))?;
        let command = RawDocumentBuf::from_bytes(bytes).map_err(|error| unusable(error.to_string()))?;
        self.server().command(&self.namespace().database, command)
    }
}

/// What the answer to a write says of the first that was refused, or of a write concern that was not met.
fn refusal(answer: &Value) -> Option<String> {
    let first = match answer.get("writeErrors") {
        Some(Value::Array(errors)) => errors.first(),
        _ => None,
    };
    let fault = first.or_else(|| answer.get("writeConcernError"))?;
    Some(format!("the server says: {}", fault.get("errmsg").and_then(text).unwrap_or("no")))
}

fn is_of_ids(index: &Value) -> bool {
    index.get("name").and_then(text) == Some("_id_")
}

/// Old servers list each index with the collection that it is of.
fn without_namespace(index: &Value) -> Value {
    match index {
        Value::Object(members) => Value::Object(members.iter().filter(|(name, _)| name != "ns").cloned().collect()),
        other => other.clone(),
    }
}
