//! What stops a measurement.

use boson_document::DecodeError;
use boson_transcode::ConvertError;

/// What stops a measurement.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BenchError {
    /// A document cannot be read.
    #[error("a document cannot be read")]
    Decode(#[from] DecodeError),
    /// A document cannot be written as BSON.
    #[error("a document cannot be written as BSON")]
    Bson(#[from] boson_bson::EncodeError),
    /// A document cannot be written as OSON.
    #[error("a document cannot be written as OSON")]
    Oson(#[from] boson_oson::write::EncodeError),
    /// A document cannot be written as JSON.
    #[error("a document cannot be written as JSON")]
    Json(#[from] boson_json::WriteError),
    /// A document cannot be carried over to another format.
    #[error("a document cannot be carried over")]
    Convert(#[from] ConvertError),
    /// A value that is measured is not there, or not what it should be.
    #[error("the document has no {0}")]
    Missing(String),
    /// A document cannot be changed, or was changed into something else.
    #[error("a document cannot be changed: {0}")]
    Edit(String),
    /// The other implementations cannot be asked.
    #[error("the peers cannot be measured: {0}")]
    Peers(String),
    /// The results cannot be written.
    #[error("the results cannot be written")]
    Io(#[from] std::io::Error),
    /// Whoever watches asked to stop.
    #[error("stopped")]
    Stopped,
}

/// Is told what is measured next, and may stop it by answering false.
pub type Watch<'w> = dyn FnMut(&str) -> bool + 'w;

/// Tells `watch` what comes next.
pub(crate) fn next(watch: &mut Watch<'_>, what: &str) -> Result<(), BenchError> {
    if watch(what) { Ok(()) } else { Err(BenchError::Stopped) }
}
