//! Converting a collection that is in use.

mod port;

pub use port::{
    Collection, Cursor, DOCUMENT_BYTES_MAX, Description, Failure, MESSAGE_BYTES_MAX, MESSAGE_UPDATES_MAX, ManyReply,
    Modification, PortError, PortErrorKind, Reply, Scan, Update,
};
