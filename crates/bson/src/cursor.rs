//! Reading values strictly: the one place that knows how each element type is laid out.

use boson_document::{DbPointer, Decimal128, DecodeError, DecodeErrorKind, ObjectId, Regex, Rule, Scalar, find_byte};

use crate::tag::Tag;
use crate::view::place::{missing, saturated, too_long};

/// A place in the bytes of a document. Nothing at or after the end of `bytes` is read: the caller cuts them at the NUL
/// that closes the container being read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cursor<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) at: usize,
}

impl<'a> Cursor<'a> {
    #[inline]
    pub(crate) const fn new(bytes: &'a [u8], at: usize) -> Self {
        Self { bytes, at }
    }

    /// The next `len` bytes.
    #[inline]
    pub(crate) fn take(&mut self, len: usize) -> Result<&'a [u8], DecodeError> {
        let end = self.at.saturating_add(len);
        let taken = self.bytes.get(self.at..end).ok_or_else(|| self.missing(len))?;
        self.at = end;
        Ok(taken)
    }

    /// The next `N` bytes.
    #[inline]
    pub(crate) fn array<const N: usize>(&mut self) -> Result<[u8; N], DecodeError> {
        let chunk = self.bytes.get(self.at..).and_then(<[u8]>::first_chunk::<N>);
        let chunk = chunk.ok_or_else(|| self.missing(N))?;
        // It lies within a slice, whose length is at most isize::MAX.
        self.at = self.at.wrapping_add(N);
        Ok(*chunk)
    }

    #[cold]
    fn missing(&self, len: usize) -> DecodeError {
        let available = self.bytes.len().saturating_sub(self.at);
        missing(self.bytes.len(), len.saturating_sub(available))
    }

    /// A length of at least `min` that leaves out `extra` bytes of what follows it; all of those are there.
    #[inline]
    pub(crate) fn length(&mut self, min: usize, extra: usize) -> Result<usize, DecodeError> {
        let at = self.at;
        let declared = i32::from_le_bytes(self.array()?);
        let len = usize::try_from(declared).ok().filter(|&len| len >= min);
        let len = len.ok_or_else(|| DecodeError::new(at, DecodeErrorKind::InvalidLength(declared)))?;
        let available = self.bytes.len().saturating_sub(self.at);
        if len.saturating_add(extra) > available {
            return Err(too_long(at, len, available.saturating_sub(extra)));
        }
        Ok(len)
    }

    /// The end of the value that begins here with its whole length, at least `min`; the cursor stands behind the length.
    #[inline]
    pub(crate) fn end(&mut self, min: usize) -> Result<usize, DecodeError> {
        let start = self.at;
        let declared = i32::from_le_bytes(self.array()?);
        let len = usize::try_from(declared).ok().filter(|&len| len >= min);
        let len = len.ok_or_else(|| DecodeError::new(start, DecodeErrorKind::InvalidLength(declared)))?;
        let available = self.bytes.len().saturating_sub(start);
        if len > available { Err(too_long(start, len, available)) } else { Ok(start.wrapping_add(len)) }
    }

    /// The end of the document that begins here, after its NUL; the length and the NUL are checked and the cursor stands
    /// on the first element.
    #[inline]
    pub(crate) fn document_end(&mut self) -> Result<usize, DecodeError> {
        let end = self.end(5)?;
        let last = end.wrapping_sub(1);
        match self.bytes.get(last) {
            Some(0) => Ok(end),
            byte => Err(unterminated(last, byte.copied().unwrap_or_default())),
        }
    }

    /// The bytes up to the next NUL; the cursor stands behind the NUL.
    #[inline]
    pub(crate) fn cstring(&mut self) -> Result<&'a [u8], DecodeError> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let len = find_byte(0, rest).ok_or_else(|| missing(self.bytes.len(), 1))?;
        self.at = self.at.wrapping_add(len).wrapping_add(1);
        Ok(rest.get(..len).unwrap_or_default())
    }

    /// The bytes of a string without its length and NUL, which are checked; `extra` bytes follow it.
    #[inline]
    pub(crate) fn string(&mut self, extra: usize) -> Result<&'a [u8], DecodeError> {
        let len = self.length(1, extra)?;
        match self.take(len)?.split_last() {
            Some((0, text)) => Ok(text),
            last => Err(unterminated(self.at.saturating_sub(1), last.map_or(0, |(&byte, _)| byte))),
        }
    }

    /// The text of a string.
    #[inline]
    fn text(&mut self) -> Result<&'a str, DecodeError> {
        let at = self.at.wrapping_add(4);
        let bytes = self.string(0)?;
        utf8(bytes, at)
    }

    /// The value of type `tag` that begins here. Containers are the caller's business: of one, its kind is the fault.
    #[expect(clippy::inline_always, reason = "each arm then ends in the sink: a tenth of a walk's instructions")]
    #[inline(always)]
    pub(crate) fn scalar(&mut self, tag: Tag) -> Result<Scalar<'a>, DecodeError> {
        Ok(match tag {
            Tag::Double => Scalar::Double(f64::from_le_bytes(self.array()?)),
            Tag::String => Scalar::String(self.text()?),
            Tag::Binary => self.binary()?,
            Tag::Undefined => Scalar::Undefined,
            Tag::ObjectId => Scalar::ObjectId(ObjectId(self.array()?)),
            Tag::Bool => Scalar::Bool(self.bool()?),
            Tag::DateTime => Scalar::DateTime(i64::from_le_bytes(self.array()?)),
            Tag::Null => Scalar::Null,
            Tag::Regex => Scalar::Regex(self.regex()?),
            Tag::DbPointer => Scalar::DbPointer(self.db_pointer()?),
            Tag::Code => Scalar::Code(self.text()?),
            Tag::Symbol => Scalar::Symbol(self.text()?),
            Tag::Int32 => Scalar::Int32(i32::from_le_bytes(self.array()?)),
            Tag::Timestamp => self.timestamp()?,
            Tag::Int64 => Scalar::Int64(i64::from_le_bytes(self.array()?)),
            Tag::Decimal128 => Scalar::Decimal128(Decimal128::from_bytes(self.array()?)),
            Tag::MaxKey => Scalar::MaxKey,
            Tag::MinKey => Scalar::MinKey,
            Tag::Document | Tag::Array | Tag::CodeWithScope => return Err(not_a_scalar(tag, self.at)),
        })
    }

    #[inline]
    fn bool(&mut self) -> Result<bool, DecodeError> {
        match self.array()? {
            [0] => Ok(false),
            [1] => Ok(true),
            [byte] => Err(DecodeError::new(self.at.saturating_sub(1), DecodeErrorKind::InvalidBool(byte))),
        }
    }

    /// Increment first, then seconds: the two halves of one little-endian number.
    #[inline]
    fn timestamp(&mut self) -> Result<Scalar<'a>, DecodeError> {
        let increment = u32::from_le_bytes(self.array()?);
        Ok(Scalar::Timestamp { time: u32::from_le_bytes(self.array()?), increment })
    }

    fn binary(&mut self) -> Result<Scalar<'a>, DecodeError> {
        let at = self.at;
        let len = self.length(0, 1)?;
        let [subtype] = self.array()?;
        let bytes = self.take(len)?;
        let bytes = if subtype == OLD_BINARY { old_binary(bytes, at)? } else { bytes };
        Ok(Scalar::Binary { subtype, bytes })
    }

    fn regex(&mut self) -> Result<Regex<'a>, DecodeError> {
        let at = self.at;
        let bytes = self.regex_bytes()?;
        Regex::new(utf8(bytes, at)?).ok_or_else(|| missing(self.at, 1))
    }

    /// Pattern and options, each with its NUL.
    pub(crate) fn regex_bytes(&mut self) -> Result<&'a [u8], DecodeError> {
        let at = self.at;
        self.cstring()?;
        self.cstring()?;
        Ok(self.bytes.get(at..self.at).unwrap_or_default())
    }

    fn db_pointer(&mut self) -> Result<DbPointer<'a>, DecodeError> {
        let at = self.at.wrapping_add(4);
        utf8(self.string(12)?, at)?;
        self.take(12)?;
        let bytes = self.bytes.get(at..self.at).unwrap_or_default();
        DbPointer::new(bytes).ok_or(DecodeError::new(at, DecodeErrorKind::InvalidUtf8))
    }
}

/// The subtype whose payload begins with its own length once more.
pub(crate) const OLD_BINARY: u8 = 2;

/// The payload within the `bytes` of a binary of subtype 2 that stands at `at`.
fn old_binary(bytes: &[u8], at: usize) -> Result<&[u8], DecodeError> {
    let payload = bytes.split_first_chunk().and_then(|(len, payload)| {
        let len = usize::try_from(i32::from_le_bytes(*len)).ok()?;
        (len == payload.len()).then_some(payload)
    });
    let fault = DecodeErrorKind::Broken(Rule::OldBinaryLength);
    payload.ok_or_else(|| DecodeError::new(at.saturating_add(5), fault))
}

#[cold]
fn unterminated(at: usize, byte: u8) -> DecodeError {
    DecodeError::new(at, DecodeErrorKind::MissingTerminator(byte))
}

#[cold]
pub(crate) fn not_a_scalar(tag: Tag, at: usize) -> DecodeError {
    DecodeError::new(at, DecodeErrorKind::UnexpectedKind { expected: None, found: tag.kind() })
}

/// The text in `bytes`, which stand at `at`.
#[inline]
pub(crate) fn utf8(bytes: &[u8], at: usize) -> Result<&str, DecodeError> {
    simdutf8::basic::from_utf8(bytes).map_err(|_| invalid_utf8(bytes, at))
}

/// The fault at the first byte that is not UTF-8.
#[cold]
fn invalid_utf8(bytes: &[u8], at: usize) -> DecodeError {
    let valid = std::str::from_utf8(bytes).map_or_else(|error| error.valid_up_to(), |_| 0);
    DecodeError::new(at.saturating_add(valid), DecodeErrorKind::InvalidUtf8)
}

/// The fault of a container whose elements end at `actual` instead of `end`; it begins at `start`.
#[cold]
pub(crate) fn ends_early(start: usize, end: usize, actual: usize) -> DecodeError {
    let declared = saturated(end.saturating_sub(start));
    let actual = saturated(actual.saturating_sub(start));
    DecodeError::new(start, DecodeErrorKind::LengthMismatch { declared, actual })
}
