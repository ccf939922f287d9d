//! A collection of a server.

use boson_store::Namespace;

use crate::describe::{self, Description};
use crate::error::LiveError;
use crate::read::{Documents, ReadSettings};
use crate::server::Server;

/// A collection of a server.
#[derive(Clone, Debug)]
pub struct Collection {
    server: Server,
    namespace: Namespace,
}

impl Collection {
    pub(crate) const fn new(server: Server, namespace: Namespace) -> Self {
        Self { server, namespace }
    }

    /// The server.
    pub const fn server(&self) -> &Server {
        &self.server
    }

    /// Its name.
    pub const fn namespace(&self) -> &Namespace {
        &self.namespace
    }

    /// What the server says of it: options, indexes, sharding, figures.
    ///
    /// # Errors
    ///
    /// `NoCollection`, and what the server or the way there says.
    pub fn describe(&self) -> Result<Description, LiveError> {
        describe::describe(self)
    }

    /// Its documents, in no particular order.
    ///
    /// # Errors
    ///
    /// What the server or the way there says.
    pub fn documents(&self, settings: &ReadSettings) -> Result<Documents, LiveError> {
        Documents::read(&self.server, &self.namespace, settings)
    }
}
