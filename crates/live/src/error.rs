//! What can go wrong between us and a server.

use std::fmt;

use boson_store::Address;
use mongodb::error::{Error, ErrorKind};

/// Something went wrong with a server: which, and what.
#[derive(Debug)]
pub struct LiveError(Box<Parts>);

#[derive(Debug)]
struct Parts {
    /// Which deployment, without secrets.
    address: String,
    kind: LiveErrorKind,
    /// In words, without secrets.
    what: String,
    is_transient: bool,
}

/// What kind of thing went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LiveErrorKind {
    /// The address is none, or asks for what the driver cannot do.
    Address,
    /// No server could be reached, or the connection broke.
    Unreachable,
    /// The server does not know the user, or does not let them do this.
    Denied,
    /// There is no such collection.
    NoCollection,
    /// The server knows no such command, stage or option.
    Unsupported,
    /// The server refused, with this code of its own.
    Server(i32),
    /// The server's answer is not what was to be expected.
    Answer,
}

/// Codes of the server's, from its list of error codes.
const UNAUTHORIZED: [i32; 3] = [13, 18, 8000];
const UNKNOWN_COMMAND: [i32; 4] = [59, 115, 40324, 238];

/// Codes after which the same may be tried again, from the specification of retryable reads and writes.
const TRANSIENT: [i32; 13] = [6, 7, 89, 91, 134, 189, 262, 9001, 10107, 11600, 11602, 13435, 13436];

impl LiveError {
    /// An error of our own.
    #[cold]
    pub(crate) fn new(address: &Address, kind: LiveErrorKind, what: impl Into<String>) -> Self {
        let what = address.scrub(&what.into());
        Self(Box::new(Parts { address: address.to_string(), kind, what, is_transient: false }))
    }

    /// An error of our own after which the same may be tried again.
    #[cold]
    pub(crate) fn transient(address: &Address, what: impl Into<String>) -> Self {
        let mut this = Self::new(address, LiveErrorKind::Answer, what);
        this.0.is_transient = true;
        this
    }

    /// What the driver says.
    #[cold]
    pub(crate) fn of(address: &Address, error: &Error) -> Self {
        let mut this = Self::new(address, kind(error), words(error));
        this.0.is_transient = is_transient(error);
        this
    }

    /// What kind of thing went wrong.
    pub const fn kind(&self) -> LiveErrorKind {
        self.0.kind
    }

    /// What went wrong, in words, without the address.
    pub fn what(&self) -> &str {
        &self.0.what
    }

    /// Whether the same may succeed when it is tried again: the connection broke, or another member became primary.
    pub const fn is_transient(&self) -> bool {
        self.0.is_transient
    }
}

fn kind(error: &Error) -> LiveErrorKind {
    match &*error.kind {
        ErrorKind::InvalidArgument { .. } | ErrorKind::InvalidTlsConfig { .. } => LiveErrorKind::Address,
        ErrorKind::Authentication { .. } => LiveErrorKind::Denied,
        ErrorKind::Command(command) if UNAUTHORIZED.contains(&command.code) => LiveErrorKind::Denied,
        ErrorKind::Command(command) if UNKNOWN_COMMAND.contains(&command.code) => LiveErrorKind::Unsupported,
        ErrorKind::Command(command) => LiveErrorKind::Server(command.code),
        ErrorKind::Io(_)
        | ErrorKind::DnsResolve { .. }
        | ErrorKind::ServerSelection { .. }
        | ErrorKind::ConnectionPoolCleared { .. } => LiveErrorKind::Unreachable,
        _ => LiveErrorKind::Answer,
    }
}

/// The driver's words without what only its developers read.
fn words(error: &Error) -> String {
    match &*error.kind {
        ErrorKind::Command(command) if command.code_name.is_empty() => {
            format!("the server says: {} (code {})", command.message, command.code)
        }
        ErrorKind::Command(command) => {
            format!("the server says: {} (code {}, {})", command.message, command.code, command.code_name)
        }
        ErrorKind::InvalidArgument { message, .. } => message.clone(),
        ErrorKind::Authentication { message, .. } => format!("the server does not let this user in: {message}"),
        ErrorKind::DnsResolve { message, .. } => format!("the name cannot be resolved: {message}"),
        ErrorKind::ServerSelection { message, .. } => format!("no server can be reached: {message}"),
        ErrorKind::Io(error) => format!("the connection broke: {error}"),
        kind => kind.to_string(),
    }
}

fn is_transient(error: &Error) -> bool {
    let by_code = matches!(&*error.kind, ErrorKind::Command(command) if TRANSIENT.contains(&command.code));
    by_code || kind(error) == LiveErrorKind::Unreachable || error.contains_label("RetryableWriteError")
}

impl fmt::Display for LiveError {
    /// `mongodb://ada:***@h/: no server can be reached: …`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.0.address, self.0.what)
    }
}

impl std::error::Error for LiveError {}
