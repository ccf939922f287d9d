//! A connection.

use std::fmt;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use boson_bson::Document;
use boson_document::{Builder, Source, Value};
use boson_store::{Address, Namespace};
use mongodb::Client;
use mongodb::bson::{RawDocumentBuf, rawdoc};
use mongodb::options::{ClientOptions, SelectionCriteria};
use mongodb::raw_batch_cursor::RawBatchCursor;
use tokio::runtime::Runtime;

use crate::collection::Collection;
use crate::error::{LiveError, LiveErrorKind};

/// A connection to a deployment; clones share it.
#[derive(Clone)]
pub struct Server(Arc<Connection>);

struct Connection {
    address: Address,
    about: About,
    /// `None` only while it is dropped.
    client: Option<Client>,
    runtime: Option<Runtime>,
}

/// What the server says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct About {
    /// Its version, `8.0.4`.
    pub version: String,
    /// What the deployment is.
    pub topology: Topology,
    /// How many bytes a document may have.
    pub document_bytes_max: u64,
    /// How many writes a command may hold.
    pub write_batch_max: u64,
    /// Whether it knows the command `bulkWrite` (wire version 25, server 8.0).
    pub has_bulk_write: bool,
}

/// What a deployment is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Topology {
    /// One server.
    Standalone,
    /// A replica set with this name.
    ReplicaSet(String),
    /// A sharded cluster.
    Sharded,
}

/// How long to look for a server where the address does not say.
const SELECTION: Duration = Duration::from_secs(10);

/// The wire version from which on there is a command `bulkWrite`.
const BULK_WRITE_VERSION: i64 = 25;

impl Server {
    /// Connects.
    ///
    /// # Errors
    ///
    /// `Address`, `Unreachable`, `Denied`.
    pub fn connect(address: &Address) -> Result<Self, LiveError> {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
        let runtime = runtime.map_err(|error| {
            LiveError::new(address, LiveErrorKind::Unreachable, format!("no threads to talk with: {error}"))
        })?;
        let failed = |error: mongodb::error::Error| LiveError::of(address, &error);
        let client = runtime.block_on(async {
            let mut options = ClientOptions::parse(address.with_secrets()).await?;
            options.app_name.get_or_insert_with(|| "boson".to_owned());
            options.server_selection_timeout.get_or_insert(SELECTION);
            Client::with_options(options)
        });
        let about = About { version: String::new(), ..About::of(&Value::Null) };
        let mut connection = Connection {
            address: address.clone(),
            about,
            client: Some(client.map_err(failed)?),
            runtime: Some(runtime),
        };
        connection.about = connection.ask()?;
        Ok(Self(Arc::new(connection)))
    }

    /// Where it is.
    pub fn address(&self) -> &Address {
        &self.0.address
    }

    /// What it says of itself.
    pub fn about(&self) -> &About {
        &self.0.about
    }

    /// The collection called `namespace`; whether there is one is not asked.
    pub fn collection(&self, namespace: Namespace) -> Collection {
        Collection::new(self.clone(), namespace)
    }

    /// Runs a command and returns the whole answer.
    ///
    /// # Errors
    ///
    /// What the server or the way there says.
    pub fn command(&self, database: &str, command: RawDocumentBuf) -> Result<Value, LiveError> {
        self.0.command(database, command)
    }

    /// Runs a command whose answer is a cursor.
    pub(crate) fn cursor(
        &self,
        database: &str,
        command: RawDocumentBuf,
        batch_size: u32,
        criteria: Option<SelectionCriteria>,
    ) -> Result<RawBatchCursor, LiveError> {
        let database = self.0.client()?.database(database);
        let mut run = database.run_raw_cursor_command(command);
        if batch_size > 0 {
            run = run.batch_size(batch_size);
        }
        if let Some(criteria) = criteria {
            run = run.selection_criteria(criteria);
        }
        self.wait(run.batch())
    }

    /// Waits for `work`.
    pub(crate) fn wait<T>(&self, work: impl Future<Output = Result<T, mongodb::error::Error>>) -> Result<T, LiveError> {
        self.0.wait(work)
    }

    /// Drops what starts work of its own when it is dropped, as cursors do.
    pub(crate) fn let_go<T>(&self, what: T) {
        let _inside = self.0.runtime.as_ref().map(Runtime::enter);
        drop(what);
    }

    /// An error after which the same may be tried again.
    #[cold]
    pub(crate) fn transient(&self, what: impl Into<String>) -> LiveError {
        LiveError::transient(&self.0.address, what)
    }

    /// An error about this server.
    #[cold]
    pub(crate) fn error(&self, kind: LiveErrorKind, what: impl Into<String>) -> LiveError {
        LiveError::new(&self.0.address, kind, what)
    }
}

impl Connection {
    fn client(&self) -> Result<&Client, LiveError> {
        self.client.as_ref().ok_or_else(|| self.gone())
    }

    #[cold]
    fn gone(&self) -> LiveError {
        LiveError::new(&self.address, LiveErrorKind::Unreachable, "the connection is closed")
    }

    fn wait<T>(&self, work: impl Future<Output = Result<T, mongodb::error::Error>>) -> Result<T, LiveError> {
        let runtime = self.runtime.as_ref().ok_or_else(|| self.gone())?;
        runtime.block_on(work).map_err(|error| LiveError::of(&self.address, &error))
    }

    fn command(&self, database: &str, command: RawDocumentBuf) -> Result<Value, LiveError> {
        let database = self.client()?.database(database);
        let answer = self.wait(async {
            let answer = database.run_raw_command(command).await?;
            Ok(RawDocumentBuf::try_from(&answer)?)
        })?;
        value(answer.as_bytes())
            .ok_or_else(|| LiveError::new(&self.address, LiveErrorKind::Answer, "an answer that is no document"))
    }

    /// Asks the server what it is.
    fn ask(&self) -> Result<About, LiveError> {
        let about = About::of(&self.command("admin", rawdoc! { "hello": 1 })?);
        let build = self.command("admin", rawdoc! { "buildInfo": 1 });
        // Somebody who may do nothing else may not ask for the version.
        let version = build.ok().and_then(|build| text(build.get("version")?).map(str::to_owned));
        Ok(About { version: version.unwrap_or_else(|| "unknown".to_owned()), ..about })
    }
}

impl Drop for Connection {
    /// Clients, like cursors, start work when they are dropped.
    fn drop(&mut self) {
        let Some(runtime) = self.runtime.take() else { return };
        {
            let _inside = runtime.enter();
            drop(self.client.take());
        }
        runtime.shutdown_background();
    }
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Server").field("address", &self.0.address).field("about", &self.0.about).finish()
    }
}

impl About {
    /// What the answer to `hello` says.
    fn of(hello: &Value) -> Self {
        let number = |name| hello.get(name).and_then(whole);
        let name = hello.get("setName").and_then(text);
        let topology = match (name, hello.get("msg").and_then(text)) {
            (_, Some("isdbgrid")) => Topology::Sharded,
            (Some(name), _) => Topology::ReplicaSet(name.to_owned()),
            (None, _) => Topology::Standalone,
        };
        Self {
            version: String::new(),
            topology,
            document_bytes_max: number("maxBsonObjectSize")
                .and_then(|size| u64::try_from(size).ok())
                .unwrap_or(16 << 20),
            write_batch_max: number("maxWriteBatchSize").and_then(|size| u64::try_from(size).ok()).unwrap_or(100_000),
            has_bulk_write: number("maxWireVersion").is_some_and(|version| version >= BULK_WRITE_VERSION),
        }
    }
}

impl fmt::Display for Topology {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Standalone => f.write_str("one server"),
            Self::ReplicaSet(name) => write!(f, "the replica set {name}"),
            Self::Sharded => f.write_str("a sharded cluster"),
        }
    }
}

/// The document that `bytes` are, as a tree.
pub(crate) fn value(bytes: &[u8]) -> Option<Value> {
    let mut builder = Builder::new();
    Document::new(bytes).ok()?.drive(&mut builder).ok()?;
    builder.finish()
}

pub(crate) fn text(value: &Value) -> Option<&str> {
    match value {
        Value::String(text) => Some(text),
        _ => None,
    }
}

/// A whole number of any type, as servers answer with either.
pub(crate) fn whole(value: &Value) -> Option<i64> {
    match value {
        Value::Int32(number) => Some(i64::from(*number)),
        Value::Int64(number) => Some(*number),
        Value::Double(number) if number.is_finite() => format!("{:.0}", number.trunc()).parse().ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(members: &[(&str, Value)]) -> Topology {
        let members = members.iter().map(|(name, value)| ((*name).into(), value.clone())).collect();
        About::of(&Value::Object(members)).topology
    }

    #[test]
    fn deployments_are_told_by_their_greeting() {
        let text = |text: &str| Value::String(text.into());
        assert_eq!(of(&[]), Topology::Standalone);
        assert_eq!(of(&[("setName", text("rs0"))]), Topology::ReplicaSet("rs0".to_owned()));
        assert_eq!(of(&[("msg", text("isdbgrid"))]), Topology::Sharded);
    }
}
