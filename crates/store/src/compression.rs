//! gzip and zstd, found by their first bytes.

use std::error::Error;
use std::fmt;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use flate2::bufread;

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
        if head.starts_with(GZIP_MAGIC) {
            Self::Gzip
        } else if begins_zstd(head) {
            Self::Zstd
        } else {
            Self::None
        }
    }

    /// The compression that the extension of a file's name asks for: `.gz`, `.zst`, in any case.
    pub fn of_path(path: &Path) -> Self {
        let extension = path.extension().and_then(|extension| extension.to_str()).map(str::to_ascii_lowercase);
        match extension.as_deref() {
            Some("gz") => Self::Gzip,
            Some("zst" | "zstd") => Self::Zstd,
            _ => Self::None,
        }
    }

    /// Appends `bytes` to `out` as one member of gzip or one frame of Zstandard; as they are where nothing is compressed.
    /// Members and frames one after another are a whole of the same kind.
    ///
    /// # Errors
    ///
    /// When the compression failed.
    pub fn append(self, bytes: &[u8], out: Vec<u8>) -> io::Result<Vec<u8>> {
        let mut encoder = Encoder::new(self, out)?;
        io::Write::write_all(&mut encoder, bytes)?;
        encoder.finish()
    }

    /// `stream` decompressed.
    ///
    /// # Errors
    ///
    /// When the decompression could not be begun.
    pub fn decompress(self, stream: Box<dyn Read + Send>) -> io::Result<Box<dyn Read + Send>> {
        self.reader(stream)
    }

    /// The name: `none`, `gzip` or `zstd`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
        }
    }

    /// `stream` decompressed.
    pub(crate) fn reader(self, stream: Stream) -> io::Result<Stream> {
        Ok(match self {
            Self::None => stream,
            Self::Gzip => Box::new(Explained { name: "gzip", inner: Members::new(stream) }),
            Self::Zstd => Box::new(Explained { name: "zstd", inner: zstd::Decoder::new(stream)? }),
        })
    }
}

/// What bytes are read from.
pub(crate) type Stream = Box<dyn Read + Send>;

const GZIP_MAGIC: &[u8] = &[0x1F, 0x8B];

/// Whether a frame of Zstandard begins here, or frames that hold no data and then one (RFC 8878, sections 3.1.1 and 3.1.2); what
/// is not at hand counts as one.
fn begins_zstd(head: &[u8]) -> bool {
    let mut rest = head;
    loop {
        match rest {
            [0x28, 0xB5, 0x2F, 0xFD, ..] => return true,
            [0x50..=0x5F, 0x2A, 0x4D, 0x18, a, b, c, d, data @ ..] => {
                let len = usize::try_from(u32::from_le_bytes([*a, *b, *c, *d])).unwrap_or(usize::MAX);
                match data.get(len..) {
                    Some(next) => rest = next,
                    None => return true,
                }
            }
            _ => return rest.len() < head.len() && may_begin_frame(rest),
        }
    }
}

/// Whether these are too few bytes to tell that no frame of Zstandard begins here; a stream may end after a frame.
fn may_begin_frame(bytes: &[u8]) -> bool {
    match bytes {
        [] => true,
        [0x28, more @ ..] => [0xB5, 0x2F, 0xFD].starts_with(more),
        [0x50..=0x5F, more @ ..] => [0x2A, 0x4D, 0x18].starts_with(more.get(..3).unwrap_or(more)),
        _ => false,
    }
}

/// Whether the header is as RFC 1952, section 2.3, has it: after the two bytes of magic method 8, which is the only one, and
/// flags of which three are reserved and 0. The magic alone may begin a BSON document as well.
pub(crate) const fn has_gzip_header(head: &[u8]) -> bool {
    const RESERVED_FLAGS: u8 = 0xE0;
    matches!(head, [0x1F, 0x8B, 8, flags, ..] if *flags & RESERVED_FLAGS == 0)
}

/// The members of a gzip file, one after another. Zeros after the last are left out, as gzip itself does: devices of
/// blocks, such as tapes, put them there.
struct Members {
    /// `None` at the end.
    member: Option<bufread::GzDecoder<BufReader<Stream>>>,
    /// Whether a whole member came before.
    later: bool,
}

impl Members {
    fn new(stream: Stream) -> Self {
        Self { member: Some(bufread::GzDecoder::new(BufReader::with_capacity(READ_LEN, stream))), later: false }
    }

    /// Goes on to the next member.
    fn next_member(&mut self) -> io::Result<()> {
        let Some(member) = self.member.take() else { return Ok(()) };
        let mut stream = member.into_inner();
        self.later = true;
        loop {
            let rest = stream.fill_buf()?;
            let Some(&first) = rest.first() else { return Ok(()) };
            match first {
                0 => {
                    let zeros = rest.iter().take_while(|&&byte| byte == 0).count();
                    stream.consume(zeros);
                }
                0x1F => break,
                _ => return Err(io::Error::new(io::ErrorKind::InvalidData, Garbage)),
            }
        }
        self.member = Some(bufread::GzDecoder::new(stream));
        Ok(())
    }

    #[cold]
    fn failed(&mut self, error: io::Error) -> io::Error {
        // What has no header is no member, unless its header was cut.
        let headless = self.member.take().is_some_and(|member| member.header().is_none());
        if self.later && headless && error.kind() != io::ErrorKind::UnexpectedEof {
            return io::Error::new(io::ErrorKind::InvalidData, Garbage);
        }
        error
    }
}

impl Read for Members {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let Some(member) = &mut self.member else { return Ok(0) };
            match member.read(buffer) {
                Ok(0) if !buffer.is_empty() => self.next_member()?,
                Err(error) if error.kind() != io::ErrorKind::Interrupted => return Err(self.failed(error)),
                read => return read,
            }
        }
    }
}

/// How many compressed bytes are asked for at a time.
const READ_LEN: usize = 64 << 10;

#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("the gzip data ends here, and what follows it is neither gzip nor zeros")]
struct Garbage;

/// A decompressor whose errors say what they mean to whoever has the file.
struct Explained<R> {
    name: &'static str,
    inner: R,
}

impl<R: Read> Read for Explained<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.inner.read(buffer).map_err(|error| match error.get_ref() {
            Some(what) if what.is::<Garbage>() => error,
            _ => io::Error::new(error.kind(), Damaged { name: self.name, error }),
        })
    }
}

#[derive(Debug)]
struct Damaged {
    name: &'static str,
    error: io::Error,
}

/// The name of the compression whose data was cut short, when that is what `error` says.
pub(crate) fn cut_short(error: &io::Error) -> Option<&'static str> {
    let damaged = error.get_ref()?.downcast_ref::<Damaged>()?;
    (error.kind() == io::ErrorKind::UnexpectedEof).then_some(damaged.name)
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
