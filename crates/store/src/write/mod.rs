//! Putting documents together in a file or stream.

mod file;
mod output;

use std::io::{self, Write};

use boson_transcode::Format;

use crate::compression::{Compression, Encoder};
use crate::error::{WriteError, WriteFault};
use crate::framing::Framing;
use crate::location::Location;
use crate::port::Writer;
pub use file::OutputFile;
use output::Output;
pub use output::discard_unfinished;

/// How documents are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WriteOptions {
    /// How the stream is compressed; when not given by the extension of the file's name, and standard output not at all.
    pub compression: Option<Compression>,
    /// Whether a file that is there already may be replaced.
    pub overwrite: bool,
}

/// A file or stream that documents are written to.
///
/// A file is written beside its place under a name of its own and gets its name by [`finish`](Writer::finish): whoever sees
/// it sees all of it. When the writer is dropped before that, nothing is left behind.
pub struct DocumentWriter {
    name: String,
    framing: Framing,
    out: Encoder<Output>,
    count: u64,
    /// The text of one document, where it is not written as it is.
    scratch: Vec<u8>,
}

impl DocumentWriter {
    /// Begins a file, or standard output, of the form `framing`.
    ///
    /// # Errors
    ///
    /// `Exists`, or when the file cannot be made.
    pub fn create(location: &Location, framing: Framing, options: &WriteOptions) -> Result<Self, WriteError> {
        let name = location.to_string();
        let by_name = || location.path().map_or(Compression::None, Compression::of_path);
        let compression = options.compression.unwrap_or_else(by_name);
        let output = match location {
            Location::Standard => Output::stdout(),
            Location::File(path) => {
                Output::file(path, options.overwrite).map_err(|fault| WriteError::new(&name, fault))?
            }
        };
        Self::new(name, framing, output, compression)
    }

    /// Begins a stream of the form `framing` in `out`, which errors call `name`.
    ///
    /// # Errors
    ///
    /// When the compression could not be begun.
    pub fn to_stream(
        name: &str,
        framing: Framing,
        out: Box<dyn Write + Send>,
        compression: Compression,
    ) -> Result<Self, WriteError> {
        Self::new(name.to_owned(), framing, Output::Stream(out), compression)
    }

    fn new(name: String, framing: Framing, output: Output, compression: Compression) -> Result<Self, WriteError> {
        match Encoder::new(compression, output) {
            Ok(out) => Ok(Self { name, framing, out, count: 0, scratch: Vec::new() }),
            Err(error) => Err(WriteError::new(&name, WriteFault::Io(error))),
        }
    }

    /// The form of the stream.
    pub const fn framing(&self) -> Framing {
        self.framing
    }

    /// The format of the documents.
    pub const fn format(&self) -> Format {
        self.framing.format()
    }

    /// How many documents were written.
    pub const fn count(&self) -> u64 {
        self.count
    }

    /// Hands on what is held back: for streams that someone is watching.
    ///
    /// # Errors
    ///
    /// When writing failed.
    pub fn flush(&mut self) -> Result<(), WriteError> {
        let flushed = self.out.flush();
        flushed.map_err(|error| self.failed(error))
    }

    #[cold]
    fn failed(&self, error: io::Error) -> WriteError {
        WriteError::new(&self.name, WriteFault::Io(error))
    }

    fn put(&mut self, document: &[u8]) -> io::Result<()> {
        match self.framing {
            Framing::Bson | Framing::Oson | Framing::OsonImages => self.out.write_all(document),
            Framing::JsonValues => self.put_line(document),
            Framing::JsonLines => self.put_on_one_line(document),
            Framing::JsonArray => {
                self.out.write_all(if self.count == 0 { b"[\n" } else { b",\n" })?;
                self.out.write_all(document)
            }
            Framing::OsonHex => self.put_encoded(document, |bytes, text| {
                text.resize(bytes.len().saturating_mul(2), 0);
                hex::encode_to_slice(bytes, text).map_err(io::Error::other)
            }),
            Framing::OsonBase64 => self.put_encoded(document, |bytes, text| {
                use base64::Engine;
                use base64::engine::general_purpose::STANDARD;
                text.resize(base64::encoded_len(bytes.len(), true).unwrap_or(usize::MAX), 0);
                STANDARD.encode_slice(bytes, text).map(|_| ()).map_err(io::Error::other)
            }),
        }
    }

    fn put_line(&mut self, text: &[u8]) -> io::Result<()> {
        self.out.write_all(text)?;
        self.out.write_all(b"\n")
    }

    /// Line ends in a JSON text stand between its tokens only, where a space does as well.
    fn put_on_one_line(&mut self, text: &[u8]) -> io::Result<()> {
        if memchr::memchr2(b'\n', b'\r', text).is_none() {
            return self.put_line(text);
        }
        let mut line = std::mem::take(&mut self.scratch);
        line.clear();
        line.extend(text.iter().map(|&byte| if matches!(byte, b'\n' | b'\r') { b' ' } else { byte }));
        let written = self.put_line(&line);
        self.scratch = line;
        written
    }

    fn put_encoded(
        &mut self,
        image: &[u8],
        encode: impl FnOnce(&[u8], &mut Vec<u8>) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut line = std::mem::take(&mut self.scratch);
        line.clear();
        let written = encode(image, &mut line).and_then(|()| self.put_line(&line));
        self.scratch = line;
        written
    }

    /// What closes the stream.
    fn put_end(&mut self) -> io::Result<()> {
        match self.framing {
            Framing::JsonArray if self.count == 0 => self.out.write_all(b"[]\n"),
            Framing::JsonArray => self.out.write_all(b"\n]\n"),
            _ => Ok(()),
        }
    }
}

impl Writer for DocumentWriter {
    fn write_document(&mut self, document: &[u8]) -> Result<(), WriteError> {
        if self.framing == Framing::Oson && self.count > 0 {
            return Err(WriteError::new(&self.name, WriteFault::SecondImage));
        }
        self.put(document).map_err(|error| self.failed(error))?;
        self.count = self.count.saturating_add(1);
        Ok(())
    }

    fn finish(mut self) -> Result<(), WriteError> {
        self.put_end().map_err(|error| self.failed(error))?;
        let Self { name, out, .. } = self;
        let output = out.finish().map_err(|error| WriteError::new(&name, WriteFault::Io(error)))?;
        output.finish().map_err(|fault| WriteError::new(&name, fault))
    }
}
