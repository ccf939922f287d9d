//! gzip and zstd, found by their first bytes.

use std::error::Error;
use std::fmt;
use std::io::{self, Read};
use std::path::Path;

/// How a stream is compressed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Compression {
    /// Not at all.
    #[default]
    None,
    /// gzip, of one or several members.
    Gzip,
    /// Zstandard, of one or several frames.
    Zstd,
}

/// How hard to try: what the two programs do unless told otherwise.
const GZIP_LEVEL: u32 = 6;
const ZSTD_LEVEL: i32 = 3;

impl Compression {
    /// The compression that the first bytes of a stream show.
    pub fn detect(head: &[u8]) -> Self {
        if head.starts_with(&[0x1F, 0x8B]) {
            Self::Gzip
        } else if head.starts_with(&[0x28, 0xB5, 0x2F, 0xFD]) {
            Self::Zstd
        } else {
            Self::None
        }
    }

    /// The compression that the extension of a file's name asks for: `.gz`, `.zst`.
    pub fn of_path(path: &Path) -> Self {
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("gz") => Self::Gzip,
            Some("zst" | "zstd") => Self::Zstd,
            _ => Self::None,
        }
    }

    /// `stream` decompressed.
    pub(crate) fn reader(self, stream: Stream) -> io::Result<Stream> {
        Ok(match self {
            Self::None => stream,
            Self::Gzip => Box::new(Explained { name: "gzip", inner: flate2::read::MultiGzDecoder::new(stream) }),
            Self::Zstd => Box::new(Explained { name: "zstd", inner: zstd::Decoder::new(stream)? }),
        })
    }
}

/// What bytes are read from.
pub(crate) type Stream = Box<dyn Read + Send>;

/// A decompressor whose errors say what they mean to whoever has the file.
struct Explained<R> {
    name: &'static str,
    inner: R,
}

impl<R: Read> Read for Explained<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.inner.read(buffer).map_err(|error| {
            let kind = error.kind();
            io::Error::new(kind, Damaged { name: self.name, error })
        })
    }
}

#[derive(Debug)]
struct Damaged {
    name: &'static str,
    error: io::Error,
}

impl fmt::Display for Damaged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.error.kind() == io::ErrorKind::UnexpectedEof {
            return write!(f, "the {} data ends too early: the file was cut", self.name);
        }
        write!(
            f,
            "the input begins like {} and cannot be decompressed: it is damaged, or encrypted, or something else ({})",
            self.name, self.error
        )
    }
}

impl Error for Damaged {}

/// Bytes on their way out, compressed or not.
pub(crate) enum Encoder<W: io::Write> {
    None(W),
    Gzip(flate2::write::GzEncoder<W>),
    Zstd(zstd::Encoder<'static, W>),
}

impl<W: io::Write> Encoder<W> {
    pub(crate) fn new(compression: Compression, out: W) -> io::Result<Self> {
        Ok(match compression {
            Compression::None => Self::None(out),
            Compression::Gzip => Self::Gzip(flate2::write::GzEncoder::new(out, flate2::Compression::new(GZIP_LEVEL))),
            Compression::Zstd => {
                let mut encoder = zstd::Encoder::new(out, ZSTD_LEVEL)?;
                encoder.include_checksum(true)?;
                Self::Zstd(encoder)
            }
        })
    }

    /// Writes what is held back, and gives the output behind.
    pub(crate) fn finish(self) -> io::Result<W> {
        match self {
            Self::None(out) => Ok(out),
            Self::Gzip(encoder) => encoder.finish(),
            Self::Zstd(encoder) => encoder.finish(),
        }
    }
}

impl<W: io::Write> io::Write for Encoder<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::None(out) => out.write(bytes),
            Self::Gzip(encoder) => encoder.write(bytes),
            Self::Zstd(encoder) => encoder.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::None(out) => out.flush(),
            Self::Gzip(encoder) => encoder.flush(),
            Self::Zstd(encoder) => encoder.flush(),
        }
    }
}
