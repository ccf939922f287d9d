//! What a server says of a collection.

use boson_document::{Source, Value};
use boson_json::{Style, Writer};
use boson_store::{CollectionKind, Metadata};
use mongodb::bson::rawdoc;

use crate::collection::Collection;
use crate::error::{LiveError, LiveErrorKind};
use crate::read::{Documents, ReadSettings};
use crate::server::{Topology, text, value, whole};
use crate::stats::{self, Stats};

/// What a server says of a collection.
#[derive(Clone, Debug)]
pub struct Description {
    /// What it is.
    pub kind: CollectionKind,
    /// Options and indexes, in the form that `mongodump` gives them.
    pub metadata: Metadata,
    /// Whether and how it is sharded.
    pub sharding: Sharding,
    /// Its figures.
    pub stats: Stats,
}

/// Whether and how a collection is sharded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sharding {
    /// The deployment is no sharded cluster.
    NoCluster,
    /// It is on one shard.
    No,
    /// By these paths, each with its kind, `1` or `hashed`.
    By(Vec<(String, String)>),
    /// The server does not say, and why.
    Unknown(String),
}

pub(crate) fn describe(collection: &Collection) -> Result<Description, LiveError> {
    let info = info(collection)?;
    let is_view = info.get("type").and_then(text) == Some("view");
    // Views have no indexes, and servers refuse to list them.
    let indexes = if is_view { Vec::new() } else { indexes(collection)? };
    let metadata = metadata(collection, &info, indexes)?;
    let kind = CollectionKind::of(collection.namespace(), Some(&metadata));
    Ok(Description { kind, metadata, sharding: sharding(collection), stats: stats::stats(collection)? })
}

/// What listCollections says of it.
fn info(collection: &Collection) -> Result<Value, LiveError> {
    let (server, namespace) = (collection.server(), collection.namespace());
    let name = namespace.collection.as_str();
    let command = rawdoc! { "listCollections": 1, "filter": { "name": name } };
    let found = list(collection, command)?;
    found.into_iter().find(|info| info.get("name").and_then(text) == Some(name)).ok_or_else(|| {
        let what = format!("there is no collection {namespace}");
        server.error(LiveErrorKind::NoCollection, what)
    })
}

fn indexes(collection: &Collection) -> Result<Vec<Value>, LiveError> {
    let name = collection.namespace().collection.as_str();
    list(collection, rawdoc! { "listIndexes": name })
}

fn list(collection: &Collection, command: mongodb::bson::RawDocumentBuf) -> Result<Vec<Value>, LiveError> {
    let server = collection.server();
    let database = &collection.namespace().database;
    let documents = Documents::of(server, database, command, &ReadSettings::default())?.collect()?;
    let unreadable = || server.error(LiveErrorKind::Answer, "a list whose entries cannot be read");
    documents.iter().map(|bytes| value(bytes).ok_or_else(unreadable)).collect()
}

/// The same that `mongodump` writes beside the documents.
fn metadata(collection: &Collection, info: &Value, indexes: Vec<Value>) -> Result<Metadata, LiveError> {
    let mut members = vec![
        ("options".into(), info.get("options").cloned().unwrap_or(Value::Object(Vec::new()))),
        ("indexes".into(), Value::Array(indexes)),
    ];
    if let Some(Value::Binary { bytes, .. }) = info.get("info").and_then(|info| info.get("uuid")) {
        members.push(("uuid".into(), Value::String(hex::encode(bytes))));
    }
    members.push(("collectionName".into(), Value::String(collection.namespace().collection.clone())));
    if let Some(kind) = info.get("type") {
        members.push(("type".into(), kind.clone()));
    }
    let mut writer = Writer::new(Vec::new(), Style::ExtendedCanonical);
    let written = Value::Object(members).drive(&mut writer);
    let server = collection.server();
    let unreadable = |what: String| server.error(LiveErrorKind::Answer, format!("options or indexes: {what}"));
    written.map_err(|error| unreadable(error.to_string()))?;
    Metadata::parse(writer.into_inner()).map_err(|error| unreadable(error.kind.to_string()))
}

/// What the cluster's catalogue says.
fn sharding(collection: &Collection) -> Sharding {
    let server = collection.server();
    if server.about().topology != Topology::Sharded {
        return Sharding::NoCluster;
    }
    let filter = rawdoc! { "_id": collection.namespace().to_string() };
    let command = rawdoc! { "find": "collections", "filter": filter };
    let read = Documents::of(server, "config", command, &ReadSettings::default()).and_then(Documents::collect);
    match read {
        Ok(found) => found.first().and_then(|entry| value(entry)).map_or(Sharding::No, |entry| key(&entry)),
        Err(error) => Sharding::Unknown(error.what().to_owned()),
    }
}

/// What an entry of `config.collections` says.
fn key(entry: &Value) -> Sharding {
    let dropped = matches!(entry.get("dropped"), Some(Value::Bool(true)));
    let Some(Value::Object(key)) = entry.get("key").filter(|_| !dropped) else { return Sharding::No };
    let kind = |kind: &Value| text(kind).map_or_else(|| whole(kind).unwrap_or(1).to_string(), str::to_owned);
    Sharding::By(key.iter().map(|(path, of)| (path.clone(), kind(of))).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a cluster's catalogue holds, by its documentation; no server here is one.
    #[test]
    fn a_shard_key_is_read_from_the_catalogue() {
        let hashed = Value::String("hashed".into());
        let entry = |dropped| {
            let key = vec![("owner".into(), Value::Int32(1)), ("_id".into(), hashed.clone())];
            Value::Object(vec![("key".into(), Value::Object(key)), ("dropped".into(), Value::Bool(dropped))])
        };
        let by = [("owner", "1"), ("_id", "hashed")].map(|(path, kind)| (path.to_owned(), kind.to_owned()));
        assert_eq!(key(&entry(false)), Sharding::By(by.to_vec()));
        assert_eq!(key(&entry(true)), Sharding::No);
    }
}
