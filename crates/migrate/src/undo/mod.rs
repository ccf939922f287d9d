//! The undo log: what is needed to have the original bytes back.
//!
//! A log is a line that names it, then frames: a letter, a length of 4 bytes, that many bytes. For each stream of documents
//! come its blocks in order, each the difference between some bytes before and after; then files that were copied or
//! written anew; then an end, without which the log is not whole.

mod block;
mod restore;

use std::io::{self, Read, Write};

use serde::{Deserialize, Serialize};

pub(crate) use block::{Block, Numbers, encode, put as put_number};
pub use restore::{Restored, UndoError, restore};

/// The first line of a log.
pub(crate) const MAGIC: &[u8] = b"boson undo log 1\n";

/// A longer frame is none.
const FRAME_BYTES_MAX: u32 = 1 << 30;

/// What a log begins with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LogHeader {
    /// The name of what was converted.
    pub(crate) source: String,
    /// Whether it is a folder.
    pub(crate) is_folder: bool,
}

/// A stream of documents that was converted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct StreamHeader {
    /// Its path within the folder; empty where there is only a file.
    pub(crate) path: String,
    /// `none`, `gzip` or `zstd`.
    pub(crate) compression: String,
}

/// A file that was copied as it is, or written anew.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FileNote {
    pub(crate) path: String,
    /// The hash of what it holds now.
    pub(crate) hash: u64,
    /// What it held before, as base64, if that is something else.
    pub(crate) before: Option<String>,
}

/// A frame of a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Frame {
    Header(LogHeader),
    Stream(StreamHeader),
    /// A block, compressed.
    Block(Vec<u8>),
    File(FileNote),
    End,
}

impl Frame {
    pub(crate) fn write(&self, out: &mut Vec<u8>) -> io::Result<()> {
        let (letter, payload) = match self {
            Self::Header(header) => (b'H', serde_json::to_vec(header)?),
            Self::Stream(stream) => (b'S', serde_json::to_vec(stream)?),
            Self::Block(bytes) => return put(b'B', bytes, out),
            Self::File(file) => (b'F', serde_json::to_vec(file)?),
            Self::End => (b'E', Vec::new()),
        };
        put(letter, &payload, out)
    }

    /// The next frame of `log`; `None` where it ends, or is cut.
    pub(crate) fn read(log: &mut impl Read) -> io::Result<Option<Self>> {
        let Some((letter, payload)) = next(log)? else { return Ok(None) };
        Ok(Some(match letter {
            b'H' => Self::Header(serde_json::from_slice(&payload)?),
            b'S' => Self::Stream(serde_json::from_slice(&payload)?),
            b'B' => Self::Block(payload),
            b'F' => Self::File(serde_json::from_slice(&payload)?),
            b'E' => Self::End,
            _ => return Err(io::Error::new(io::ErrorKind::InvalidData, "an unknown frame in the undo log")),
        }))
    }
}

/// The letter and the content of the next frame of `log`; `None` where it ends, or is cut.
pub(crate) fn next(log: &mut impl Read) -> io::Result<Option<(u8, Vec<u8>)>> {
    let mut head = [0; 5];
    if let Err(error) = log.read_exact(&mut head) {
        return if error.kind() == io::ErrorKind::UnexpectedEof { Ok(None) } else { Err(error) };
    }
    let [letter, len @ ..] = head;
    let len = u32::from_le_bytes(len);
    if len > FRAME_BYTES_MAX {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "a frame of the undo log has an impossible length"));
    }
    let mut payload = Vec::new();
    let whole = log.take(u64::from(len)).read_to_end(&mut payload)? as u64 == u64::from(len);
    Ok(whole.then_some((letter, payload)))
}

/// Appends a frame to `out`.
pub(crate) fn put(letter: u8, payload: &[u8], out: &mut Vec<u8>) -> io::Result<()> {
    let len = u32::try_from(payload.len()).ok().filter(|&len| len <= FRAME_BYTES_MAX);
    let len = len.ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "a block of the undo log is too large"))?;
    out.push(letter);
    out.extend_from_slice(&len.to_le_bytes());
    out.write_all(payload)
}
