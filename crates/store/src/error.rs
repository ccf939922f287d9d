//! What can go wrong between documents and files. What is wrong inside a document is for those who read it.

use std::fmt;
use std::io;

use boson_document::DecodeErrorKind;
use boson_transcode::UnknownFormat;

/// A stream of documents could not be read on: in which file, at which document, where and why.
#[derive(Debug)]
pub struct ReadError(Box<ReadErrorParts>);

#[derive(Debug)]
struct ReadErrorParts {
    name: String,
    index: u64,
    offset: u64,
    fault: ReadFault,
    ends_stream: bool,
}

impl ReadError {
    #[cold]
    pub(crate) fn new(name: &str, index: u64, offset: u64, fault: ReadFault) -> Self {
        Self(Box::new(ReadErrorParts { name: name.to_owned(), index, offset, fault, ends_stream: true }))
    }

    /// The same where what follows can be read nevertheless.
    pub(crate) fn passable(mut self) -> Self {
        self.0.ends_stream = false;
        self
    }

    /// Whether nothing more can be read of the stream: what follows the fault cannot be told apart.
    pub const fn ends_stream(&self) -> bool {
        self.0.ends_stream
    }

    /// The name of the file or stream.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// How many documents came before the one that could not be read.
    pub const fn index(&self) -> u64 {
        self.0.index
    }

    /// Where in the stream the fault is, in bytes, after decompression.
    pub const fn offset(&self) -> u64 {
        self.0.offset
    }

    /// What is wrong.
    pub const fn fault(&self) -> &ReadFault {
        &self.0.fault
    }
}

impl fmt::Display for ReadError {
    /// `people.bson: document 3, offset 120: …`; documents are counted from 1 here.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ReadErrorParts { name, index, offset, fault, .. } = &*self.0;
        match fault {
            ReadFault::Server | ReadFault::Open(_) | ReadFault::Unknown(_) | ReadFault::Metadata(_) => {
                write!(f, "{name}: {fault}")
            }
            ReadFault::Archive(_) | ReadFault::ArchiveCut { .. } => write!(f, "{name}: offset {offset}: {fault}"),
            _ => write!(f, "{name}: document {}, offset {offset}: {fault}", index.saturating_add(1)),
        }
    }
}

impl std::error::Error for ReadError {}

/// What is wrong with a stream of documents.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadFault {
    /// The file could not be opened.
    #[error("cannot be opened: {0}")]
    Open(io::Error),
    /// It is the address of a server, where a file was to be named.
    #[error("the address of a server, where a file is read: give the file that mongodump makes of the collection")]
    Server,
    /// Reading failed, or what was read could not be decompressed.
    #[error("{0}")]
    Io(io::Error),
    /// It is none of the forms that are known.
    #[error("{0}")]
    Unknown(UnknownFormat),
    /// The stream ends inside a document, or its compressed data ends too early.
    #[error("{}", cut(*compression, *expected, *found, *whole))]
    Cut {
        /// The name of the compression whose data ends too early, if that is so.
        compression: Option<&'static str>,
        /// How many bytes the document says it has, where it does.
        expected: Option<u64>,
        /// How many bytes of it there are, where that is known.
        found: Option<u64>,
        /// How many documents came before.
        whole: u64,
    },
    /// A length that no BSON document has.
    #[error("{0} is not the length of a BSON document (5 at least)")]
    BsonLength(i32),
    /// A BSON document does not end with a NUL.
    #[error(
        "the document's length says that its last byte is 0x{0:02x}, expected a NUL: the length or the file is damaged"
    )]
    BsonTerminator(u8),
    /// A document is larger than is allowed.
    #[error("the document has {bytes} bytes or more, the limit is {bytes_max}; raise it to read the document")]
    TooLarge {
        /// How many bytes the document has, as far as is known.
        bytes: u64,
        /// How many it may have.
        bytes_max: u64,
    },
    /// The metadata of a collection cannot be read.
    #[error("not the metadata of a collection: {0}")]
    Metadata(String),
    /// An archive is not what one is.
    #[error("a broken archive: {0}")]
    Archive(String),
    /// An archive ends before its collections do.
    #[error(
        "the archive ends too early; not whole: {}. What is whole can be had by asking to recover it",
        incomplete.join(", ")
    )]
    ArchiveCut {
        /// The collections that are not whole.
        incomplete: Vec<String>,
    },
    /// What is wrong with the document's outermost structure.
    #[error("{0}")]
    Document(DecodeErrorKind),
    /// Text that is not of the encoding that was expected.
    #[error("not {encoding}: {what}")]
    Encoding {
        /// The encoding.
        encoding: &'static str,
        /// What stands there.
        what: String,
    },
}

fn cut(compression: Option<&str>, expected: Option<u64>, found: Option<u64>, whole: u64) -> String {
    let size = match (expected, found) {
        (Some(expected), Some(found)) => format!(" (it has {found} of its {expected} bytes)"),
        _ => String::new(),
    };
    let before = match whole {
        0 => "no document is whole".to_owned(),
        1 => "the document before it is whole, and can be had by asking to recover it".to_owned(),
        _ => format!("the {whole} documents before it are whole, and can be had by asking to recover them"),
    };
    match compression {
        Some(name) => {
            format!("the {name} data ends too early: the file was cut inside or before this document{size}; {before}")
        }
        None => format!("the input ends inside this document{size}; {before}"),
    }
}

/// Documents could not be written: to which file and why.
#[derive(Debug)]
pub struct WriteError(Box<WriteErrorParts>);

#[derive(Debug)]
struct WriteErrorParts {
    name: String,
    fault: WriteFault,
}

impl WriteError {
    #[cold]
    pub(crate) fn new(name: &str, fault: WriteFault) -> Self {
        Self(Box::new(WriteErrorParts { name: name.to_owned(), fault }))
    }

    /// The name of the file.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// What is wrong.
    pub const fn fault(&self) -> &WriteFault {
        &self.0.fault
    }
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.0.name, self.0.fault)
    }
}

impl std::error::Error for WriteError {}

/// Why documents could not be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteFault {
    /// There is a file of that name.
    #[error("there is such a file already; overwriting it must be asked for")]
    Exists,
    /// Writing failed.
    #[error("{0}")]
    Io(io::Error),
    /// A file that holds one OSON image was to hold another.
    #[error(
        "a file holds one OSON image and there are more documents; write them as lines of hexadecimal or base64, \
         or one after another where only this program is to read them"
    )]
    SecondImage,
}
