//! Taking a stream apart into documents.

mod binary;
mod encoded;
mod head;
mod json;

use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::Path;

use boson_document::Limits;
use boson_transcode::{Encoding, Format};
use serde::{Deserialize, Serialize};

use crate::compression::{self, Compression, Stream};
use crate::dump::{ARCHIVE_MAGIC, ArchiveReader};
use crate::error::{ReadError, ReadFault};
use crate::framing::Framing;
use crate::location::Location;
use crate::port::{Document, Reader};
use crate::window::{Window, count};

/// How a stream is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// The form of the stream; found out by its first bytes when not given.
    pub framing: Option<Framing>,
    /// The format, when that is known and the form is to be found out; found out when not given.
    pub format: Option<Format>,
    /// How many bytes a document may have. When not given: of BSON 16 MiB and the 16 KiB that a server allows an entry of its
    /// oplog on top, of OSON 32 MiB, of JSON 256 MiB.
    pub bytes_max: Option<usize>,
    /// A stream that ends inside a document ends before that document; [`DocumentReader::cut`] tells. When not asked for, it is
    /// an error.
    pub recover: bool,
}

/// What was left out at the end of a stream that ends inside a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    /// How many whole documents came before.
    pub whole: u64,
    /// Where the document that was cut begins.
    pub offset: u64,
    /// How many bytes of it there are.
    pub bytes: u64,
}

/// The documents of a file or stream.
pub struct DocumentReader {
    name: String,
    compression: Compression,
    framing: Option<Framing>,
    /// `None` when there are no more documents.
    parts: Option<Box<dyn Parts>>,
    /// What was left when a document could not be taken out of the stream.
    broken: Option<Box<dyn Parts>>,
    index: u64,
    recover: bool,
    cut: Option<Cut>,
}

/// Finds one document after the other.
trait Parts: Send {
    /// Goes on to the next document; false when there is none.
    fn advance(&mut self) -> Result<bool, PartFault>;

    /// The document that was gone to.
    fn current(&self) -> Part<'_>;

    /// What there is of a document that could not be gone to; `None` where that is not known.
    fn broken(&self) -> Option<Part<'_>> {
        None
    }
}

/// One document as it is found.
struct Part<'a> {
    bytes: &'a [u8],
    offset: u64,
}

/// A fault of the stream.
struct PartFault {
    offset: u64,
    fault: ReadFault,
    /// Whether the next document can be found nevertheless.
    more: bool,
}

impl PartFault {
    #[cold]
    fn fatal(offset: u64, fault: ReadFault) -> Self {
        Self { offset, fault, more: false }
    }

    /// The input ends after `found` bytes of a document that begins at `offset`.
    #[cold]
    fn cut(offset: u64, expected: Option<u64>, found: u64) -> Self {
        Self::fatal(offset, ReadFault::Cut { compression: None, expected, found: Some(found), whole: 0 })
    }

    /// Reading failed after `found` bytes of a document that begins at `offset`.
    #[cold]
    fn io(offset: u64, error: io::Error, found: usize) -> Self {
        let fault = match compression::cut_short(&error) {
            Some(name) => {
                ReadFault::Cut { compression: Some(name), expected: None, found: Some(count(found)), whole: 0 }
            }
            None => ReadFault::Io(error),
        };
        Self::fatal(offset, fault)
    }
}

/// Where in a stream to begin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Start {
    /// Bytes before it, after decompression.
    pub offset: u64,
    /// Documents before it.
    pub index: u64,
}

/// A file or stream whose form was found out.
pub enum Opened {
    /// Documents one after another.
    Documents(DocumentReader),
    /// An archive of `mongodump`.
    Archive(Box<ArchiveReader>),
}

impl Opened {
    /// Opens the file at `location`, or standard input. An archive is told by its first bytes, compressed or not, unless
    /// the options say what it is.
    ///
    /// # Errors
    ///
    /// When it cannot be opened or read, or is none of the forms that are known.
    pub fn open(location: &Location, options: &ReadOptions) -> Result<Self, ReadError> {
        let name = location.to_string();
        let stream = open_stream(location)?;
        let hint = location.path().and_then(Framing::of_path);
        let told = options.framing.is_some() || options.format.is_some();
        if told {
            return DocumentReader::hinted(&name, stream, options, hint).map(Self::Documents);
        }
        match head::unpack(stream, options) {
            Ok((head, _)) if head.begins_with(&ARCHIVE_MAGIC) => {
                let reader = ArchiveReader::new(&name, head.into_stream(), options.bytes_max, options.recover)?;
                Ok(Self::Archive(Box::new(reader)))
            }
            head => DocumentReader::with_head(&name, head, options, hint).map(Self::Documents),
        }
    }
}

/// The bytes of the file at `location`, or of standard input, as they are.
fn open_stream(location: &Location) -> Result<Stream, ReadError> {
    let Some(path) = location.path() else { return Ok(Box::new(io::stdin())) };
    if location.address().is_some() {
        return Err(ReadError::new(&location.to_string(), 0, 0, ReadFault::Server));
    }
    let opened = File::open(path)
        .and_then(|file| if file.metadata()?.is_dir() { Err(io::ErrorKind::IsADirectory.into()) } else { Ok(file) });
    match opened {
        Ok(file) => Ok(Box::new(file)),
        Err(error) => Err(ReadError::new(&location.to_string(), 0, 0, ReadFault::Open(error))),
    }
}

impl DocumentReader {
    /// The BSON documents of the file at `path` from `start` on. A file that is not compressed is not read up to there.
    ///
    /// # Errors
    ///
    /// When it cannot be opened or read, or ends before.
    pub fn resume(path: &Path, options: &ReadOptions, start: Start) -> Result<Self, ReadError> {
        let location = Location::from(path);
        let name = location.to_string();
        let failed = |error| ReadError::new(&name, start.index, start.offset, ReadFault::Io(error));
        let options = ReadOptions { framing: Some(Framing::Bson), ..*options };
        let mut file = File::open(path).map_err(|error| ReadError::new(&name, 0, 0, ReadFault::Open(error)))?;
        let unpacked = head::unpack(Box::new(file.try_clone().map_err(failed)?), &options);
        let (head, compression) = unpacked.map_err(failed)?;
        let stream: Stream = if compression == Compression::None {
            drop(head);
            file.seek(io::SeekFrom::Start(start.offset)).map_err(failed)?;
            Box::new(file)
        } else {
            let mut stream = head.into_stream();
            let skipped = io::copy(&mut stream.by_ref().take(start.offset), &mut io::sink()).map_err(failed)?;
            if skipped < start.offset {
                return Err(failed(io::ErrorKind::UnexpectedEof.into()));
            }
            stream
        };
        let bytes_max = options.bytes_max.unwrap_or(Limits::BSON.bytes);
        let window = Window::at(stream, start.offset);
        Ok(Self {
            name,
            compression,
            framing: options.framing,
            broken: None,
            parts: Some(Box::new(binary::Bson::new(window, bytes_max))),
            index: start.index,
            recover: options.recover,
            cut: None,
        })
    }

    /// The documents of the file at `location`, or of standard input.
    ///
    /// # Errors
    ///
    /// When it cannot be opened or read, or is none of the forms that are known.
    pub fn open(location: &Location, options: &ReadOptions) -> Result<Self, ReadError> {
        let name = location.to_string();
        let stream = open_stream(location)?;
        let hint = location.path().and_then(Framing::of_path);
        Self::hinted(&name, stream, options, hint)
    }

    /// The documents of `stream`, which errors call `name`.
    ///
    /// # Errors
    ///
    /// When it cannot be read, or is none of the forms that are known.
    pub fn from_stream(name: &str, stream: Box<dyn Read + Send>, options: &ReadOptions) -> Result<Self, ReadError> {
        Self::hinted(name, stream, options, None)
    }

    fn hinted(name: &str, stream: Stream, options: &ReadOptions, hint: Option<Framing>) -> Result<Self, ReadError> {
        Self::with_head(name, head::unpack(stream, options), options, hint)
    }

    fn with_head(
        name: &str,
        head: io::Result<(head::Head, Compression)>,
        options: &ReadOptions,
        hint: Option<Framing>,
    ) -> Result<Self, ReadError> {
        let mut reader = Self {
            name: name.to_owned(),
            compression: Compression::None,
            framing: options.framing,
            parts: None,
            broken: None,
            index: 0,
            recover: options.recover,
            cut: None,
        };
        let (head, compression) = match head {
            Ok(unpacked) => unpacked,
            Err(error) => {
                reader.failed(PartFault::io(0, error, 0))?;
                return Ok(reader);
            }
        };
        reader.compression = compression;
        let told = head::tell(head, options, hint);
        let (framing, stream) = told.map_err(|fault| ReadError::new(name, 0, 0, fault))?;
        reader.framing = options.framing.or(framing);
        reader.parts = framing.map(|framing| parts(framing, stream, options));
        Ok(reader)
    }

    /// The form of the stream; `None` when it is empty and none was given.
    pub const fn framing(&self) -> Option<Framing> {
        self.framing
    }

    /// How the stream is compressed.
    pub const fn compression(&self) -> Compression {
        self.compression
    }

    /// The name of the file or stream.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What was left out at the end, when the stream ended inside a document and [`ReadOptions::recover`] was set.
    pub const fn cut(&self) -> Option<Cut> {
        self.cut
    }

    /// What there is of the document that could not be read, after an error that it is cut short or that its length, its
    /// header or its end is at fault: for those who want to look at it nevertheless. Its index is the one of the error.
    pub fn broken(&self) -> Option<Document<'_>> {
        let part = self.broken.as_ref()?.broken()?;
        Some(Document { bytes: part.bytes, index: self.index, offset: part.offset })
    }

    #[cold]
    fn failed(&mut self, fault: PartFault) -> Result<Option<Document<'_>>, ReadError> {
        let PartFault { offset, fault, more } = fault;
        if !more {
            let in_document = matches!(
                fault,
                ReadFault::Cut { .. }
                    | ReadFault::BsonLength(_)
                    | ReadFault::BsonTerminator(_)
                    | ReadFault::Document(_)
            );
            self.broken = self.parts.take().filter(|_| in_document);
        }
        let (index, whole) = (self.index, self.index);
        match fault {
            ReadFault::Cut { found, .. } if self.recover => {
                self.cut = Some(Cut { whole, offset, bytes: found.unwrap_or(0) });
                Ok(None)
            }
            ReadFault::Cut { compression, expected, found, .. } => {
                Err(ReadError::new(&self.name, index, offset, ReadFault::Cut { compression, expected, found, whole }))
            }
            fault => {
                // The document that could not be read counts as one.
                self.index = self.index.saturating_add(u64::from(more));
                let error = ReadError::new(&self.name, index, offset, fault);
                Err(if more { error.passable() } else { error })
            }
        }
    }
}

impl Reader for DocumentReader {
    fn format(&self) -> Option<Format> {
        self.framing.map(Framing::format)
    }

    fn next_document(&mut self) -> Result<Option<Document<'_>>, ReadError> {
        let advanced = self.parts.as_mut().map_or(Ok(false), |parts| parts.advance());
        match advanced {
            Ok(true) => {}
            Ok(false) => self.parts = None,
            Err(fault) => return self.failed(fault),
        }
        let Some(Part { bytes, offset }) = self.parts.as_ref().map(|parts| parts.current()) else { return Ok(None) };
        let index = self.index;
        self.index = index.saturating_add(1);
        Ok(Some(Document { bytes, index, offset }))
    }
}

fn parts(framing: Framing, stream: Stream, options: &ReadOptions) -> Box<dyn Parts> {
    let bytes_max = options.bytes_max.unwrap_or(match framing.format() {
        Format::Bson => Limits::BSON.bytes,
        Format::Oson => Limits::OSON.bytes,
        Format::Json => Limits::JSON.bytes,
    });
    match framing {
        Framing::Bson => Box::new(binary::Bson::new(Window::new(stream), bytes_max)),
        Framing::Oson | Framing::OsonImages => Box::new(binary::Images::new(Window::new(stream), bytes_max)),
        Framing::OsonHex => Box::new(encoded::Encoded::new(Encoding::Hex, Window::new(stream), bytes_max)),
        Framing::OsonBase64 => Box::new(encoded::Encoded::new(Encoding::Base64, Window::new(stream), bytes_max)),
        Framing::JsonLines => Box::new(json::Lines::new(Window::new(stream), bytes_max)),
        Framing::JsonValues => Box::new(json::Values::concatenated(stream, bytes_max)),
        Framing::JsonArray => Box::new(json::Values::elements(stream, bytes_max)),
    }
}
