//! Looking at how a stream begins, and reading it as if nobody had.

use std::io::{self, Cursor, Read};

use boson_transcode::Format;

use super::ReadOptions;
use crate::compression::{Compression, Stream, has_gzip_header};
use crate::error::ReadFault;
use crate::framing::{BYTE_ORDER_MARK, Framing};
use crate::window::count;

/// How much is read to tell what a stream is, if it comes at once.
const HEAD_LEN: usize = 64 << 10;
/// How much is waited for.
const HEAD_LEN_MIN: usize = 16;

/// A stream whose first bytes were looked at.
pub(super) struct Head {
    bytes: Vec<u8>,
    rest: Stream,
}

impl Head {
    /// Reads the first bytes of `stream`; an error after some of them is kept for whoever reads on.
    fn of(mut stream: Stream) -> io::Result<Self> {
        let mut bytes = vec![0; HEAD_LEN];
        let mut len = 0_usize;
        let mut rest: Option<Stream> = None;
        while len < HEAD_LEN_MIN {
            match stream.read(bytes.get_mut(len..).unwrap_or_default()) {
                Ok(0) => break,
                Ok(count) => len = len.saturating_add(count),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if len > 0 => {
                    rest = Some(Box::new(Failing(Some(error))));
                    break;
                }
                Err(error) => return Err(error),
            }
        }
        bytes.truncate(len);
        Ok(Self { bytes, rest: rest.unwrap_or(stream) })
    }

    /// Reads on until there are `len` bytes, or the stream ends or fails, which is kept.
    fn fill(&mut self, len: usize) {
        let missing = u64::try_from(len.saturating_sub(self.bytes.len())).unwrap_or(u64::MAX);
        let read = self.rest.by_ref().take(missing).read_to_end(&mut self.bytes);
        if let Err(error) = read {
            self.rest = Box::new(Failing(Some(error)));
        }
    }

    /// Whether these are the stream's first bytes.
    pub(super) fn begins_with(&self, magic: &[u8]) -> bool {
        self.bytes.starts_with(magic)
    }

    /// The stream from its first byte.
    pub(super) fn into_stream(self) -> Stream {
        Box::new(Cursor::new(self.bytes).chain(self.rest))
    }

    /// Whether this is BSON, though its length begins like compressed data. Where all of the header of gzip is there, the
    /// document's end decides, which must be in the stream unless the form was `given`.
    fn is_bson_nevertheless(&mut self, given: bool) -> bool {
        let Some(len) = bson_len(&self.bytes) else { return false };
        if !has_gzip_header(&self.bytes) {
            return true;
        }
        self.fill(len);
        match self.bytes.get(len.saturating_sub(1)) {
            Some(&last) => last == 0,
            None => given,
        }
    }
}

/// The length of the BSON document that begins here, if one does: its first name must look like a name.
fn bson_len(head: &[u8]) -> Option<usize> {
    let (length, rest) = head.split_first_chunk::<4>()?;
    if Format::detect(head).ok()?.format != Format::Bson {
        return None;
    }
    let name = rest.get(1..)?;
    let name = name.split(|&byte| byte == 0).next()?;
    let is_name = str::from_utf8(name).is_ok_and(|name| !name.chars().any(char::is_control));
    is_name.then(|| usize::try_from(i32::from_le_bytes(*length)).ok()).flatten()
}

/// The stream decompressed, if it is compressed, and how.
pub(super) fn unpack(stream: Stream, options: &ReadOptions) -> io::Result<(Head, Compression)> {
    let mut head = Head::of(stream)?;
    let compression = Compression::detect(&head.bytes);
    if compression == Compression::None {
        return Ok((head, compression));
    }
    let given = options.framing.map(Framing::format).or(options.format);
    if given.is_none_or(|format| format == Format::Bson) && head.is_bson_nevertheless(given.is_some()) {
        return Ok((head, Compression::None));
    }
    Ok((Head::of(compression.reader(head.into_stream())?)?, compression))
}

/// The form of the stream, `None` of one that holds nothing, and the stream. `hint` is what the name of the file says.
pub(super) fn tell(
    mut head: Head,
    options: &ReadOptions,
    hint: Option<Framing>,
) -> Result<(Option<Framing>, Stream), ReadFault> {
    if options.framing.is_some() {
        let form = options.framing.filter(|_| !head.bytes.is_empty());
        return Ok((form, head.into_stream()));
    }
    let blank = skip_blank(&mut head).map_err(ReadFault::Io)?;
    let form = match options.format {
        Some(format) => Framing::detect_of(format, &head.bytes, hint),
        None => Framing::detect(&head.bytes, hint).map_err(ReadFault::Unknown)?,
    };
    let stream = head.into_stream();
    Ok((form, if blank == 0 { stream } else { Box::new(io::repeat(b'\n').take(blank).chain(stream)) }))
}

/// Goes on to the first byte that is no white space, where white space leaves too few others to tell by; returns how many
/// bytes were skipped. They need not be kept: any white space does in their place.
fn skip_blank(head: &mut Head) -> io::Result<u64> {
    let mut blank = 0_u64;
    loop {
        let leading = blank_len(&head.bytes, blank == 0);
        if leading < BLANK_LEN_MIN || head.bytes.len().saturating_sub(leading) >= HEAD_LEN_MIN {
            return Ok(blank);
        }
        blank = blank.saturating_add(count(leading));
        let bytes = head.bytes.split_off(leading);
        let rest = std::mem::replace(&mut head.rest, Box::new(io::empty()));
        *head = Head::of(Head { bytes, rest }.into_stream())?;
    }
}

/// Less may be the length of a BSON document.
const BLANK_LEN_MIN: usize = 5;

/// How many bytes of white space `bytes` begin with, and a byte order mark before it.
fn blank_len(bytes: &[u8], at_start: bool) -> usize {
    let text = bytes.strip_prefix(BYTE_ORDER_MARK).filter(|_| at_start).unwrap_or(bytes);
    bytes.len().saturating_sub(text.trim_ascii_start().len())
}

/// The rest of a stream that failed: the error, and nothing after it.
struct Failing(Option<io::Error>);

impl Read for Failing {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}
