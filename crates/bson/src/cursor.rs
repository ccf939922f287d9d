//! Reading values strictly: the one place that knows how each element type is laid out.

use boson_document::{
    DbPointer, Decimal128, DecodeError, DecodeErrorKind, ObjectId, Regex, Rule, Scalar, as_text, as_text_within,
    find_byte,
};

use crate::tag::Tag;
use crate::view::place::{missing, saturated, too_long};

/// A place in the bytes of a document. Nothing behind `rest` is read: the caller cuts it at the NUL that closes the
/// container being read.
///
/// What is expected is looked at once; which rule was broken is found out only when one was. That is asked of a copy, so
/// that a cursor can live in registers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cursor<'a> {
    /// What comes next.
    pub(crate) rest: &'a [u8],
    /// The offset of the end of `rest`.
    end: usize,
}

impl<'a> Cursor<'a> {
    /// The place `at` in `bytes`, whose offsets count from their first one.
    #[inline]
    pub(crate) fn new(bytes: &'a [u8], at: usize) -> Self {
        Self { rest: bytes.get(at..).unwrap_or_default(), end: bytes.len() }
    }

    /// The offset of what comes next.
    #[inline]
    pub(crate) const fn at(self) -> usize {
        self.end.wrapping_sub(self.rest.len())
    }

    /// The next `len` bytes.
    #[inline]
    pub(crate) fn take(&mut self, len: usize) -> Result<&'a [u8], DecodeError> {
        let Some((taken, rest)) = self.rest.split_at_checked(len) else { return Err(self.missing(len)) };
        self.rest = rest;
        Ok(taken)
    }

    /// The next `N` bytes.
    #[inline]
    pub(crate) fn array<const N: usize>(&mut self) -> Result<[u8; N], DecodeError> {
        let Some((chunk, rest)) = self.rest.split_first_chunk() else { return Err(self.missing(N)) };
        self.rest = rest;
        Ok(*chunk)
    }

    #[cold]
    fn missing(self, len: usize) -> DecodeError {
        missing(self.end, len.saturating_sub(self.rest.len()))
    }

    /// The bytes of a length, at least 1, that comes next, and what follows them; `None` unless there are as many, and
    /// `extra` more.
    ///
    /// A negative length is more than there can be: a document, and so what is left of it, is shorter than 2^31 bytes.
    #[inline]
    fn counted(self, min: usize, extra: usize) -> Option<(&'a [u8], &'a [u8])> {
        let (len, rest) = self.rest.split_first_chunk()?;
        let len = usize::try_from(u32::from_le_bytes(*len)).ok().filter(|&len| len >= min)?;
        if extra > 0 && rest.len() < len.saturating_add(extra) {
            return None;
        }
        rest.split_at_checked(len)
    }

    /// What is wrong with the length that comes next, which leaves out `extra` bytes of what follows it.
    #[cold]
    fn counted_fault(self, min: usize, extra: usize) -> DecodeError {
        let at = self.at();
        let Some((declared, rest)) = self.rest.split_first_chunk() else { return self.missing(4) };
        match valid_len(i32::from_le_bytes(*declared), min) {
            Ok(len) => too_long(at, len, rest.len().saturating_sub(extra)),
            Err(kind) => DecodeError::new(at, kind),
        }
    }

    /// A cursor at the first element of the document that begins here, cut at its NUL; this one stands behind it. The
    /// length, at least `min`, and the NUL are checked.
    #[inline]
    pub(crate) fn document(&mut self) -> Result<Self, DecodeError> {
        let document = self.whole(5)?;
        let end = self.at().wrapping_add(document.len());
        let Some((0, elements)) = document.split_last() else {
            return Err(unterminated(end.wrapping_sub(1), document.last().copied().unwrap_or_default()));
        };
        self.rest = self.rest.get(document.len()..).unwrap_or_default();
        Ok(Self { rest: elements.get(4..).unwrap_or_default(), end: end.wrapping_sub(1) })
    }

    /// The bytes of what begins here with a length, at least `min`, that counts itself.
    #[inline]
    fn whole(self, min: usize) -> Result<&'a [u8], DecodeError> {
        let whole = self.rest.first_chunk().and_then(|len| {
            let len = usize::try_from(u32::from_le_bytes(*len)).ok().filter(|&len| len >= min)?;
            self.rest.get(..len)
        });
        whole.ok_or_else(|| self.whole_fault(min))
    }

    /// The end of the value that begins here with its whole length, at least `min`, which this reads.
    pub(crate) fn whole_end(self, min: usize) -> Result<usize, DecodeError> {
        self.whole(min).map(|whole| self.at().wrapping_add(whole.len()))
    }

    #[cold]
    fn whole_fault(self, min: usize) -> DecodeError {
        let at = self.at();
        let Some(declared) = self.rest.first_chunk() else { return self.missing(4) };
        match valid_len(i32::from_le_bytes(*declared), min) {
            Ok(len) => too_long(at, len, self.rest.len()),
            Err(kind) => DecodeError::new(at, kind),
        }
    }

    /// The bytes up to the next NUL; the cursor stands behind the NUL.
    #[inline]
    pub(crate) fn cstring(&mut self) -> Result<&'a [u8], DecodeError> {
        let found = find_byte(0, self.rest).and_then(|len| self.rest.split_at_checked(len));
        let Some((text, [0, rest @ ..])) = found else { return Err(missing(self.end, 1)) };
        self.rest = rest;
        Ok(text)
    }

    /// The bytes of a string without its length and NUL, which are checked; `extra` bytes follow it.
    #[inline]
    pub(crate) fn string(&mut self, extra: usize) -> Result<&'a [u8], DecodeError> {
        let Some((bytes, rest)) = self.counted(1, extra) else { return Err(self.counted_fault(1, extra)) };
        self.rest = rest;
        match bytes.split_last() {
            Some((0, text)) => Ok(text),
            last => Err(unterminated(self.at().saturating_sub(1), last.map_or(0, |(&byte, _)| byte))),
        }
    }

    /// The text of a string.
    #[expect(clippy::inline_always, reason = "what most leaves are")]
    #[inline(always)]
    fn text(&mut self) -> Result<&'a str, DecodeError> {
        let (at, rest) = (self.at().wrapping_add(4), self.rest.get(4..).unwrap_or_default());
        let bytes = self.string(0)?;
        as_text_within(rest, bytes.len()).ok_or_else(|| invalid_utf8(bytes, at))
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
            Tag::Regex | Tag::DbPointer => {
                let (scalar, rest) = self.of_two_parts(tag)?;
                self.rest = rest;
                scalar
            }
            Tag::Code => Scalar::Code(self.text()?),
            Tag::Symbol => Scalar::Symbol(self.text()?),
            Tag::Int32 => Scalar::Int32(i32::from_le_bytes(self.array()?)),
            Tag::Timestamp => self.timestamp()?,
            Tag::Int64 => Scalar::Int64(i64::from_le_bytes(self.array()?)),
            Tag::Decimal128 => Scalar::Decimal128(Decimal128::from_bytes(self.array()?)),
            Tag::MaxKey => Scalar::MaxKey,
            Tag::MinKey => Scalar::MinKey,
            Tag::Document | Tag::Array | Tag::CodeWithScope => return Err(not_a_scalar(tag, self.at())),
        })
    }

    #[inline]
    fn bool(&mut self) -> Result<bool, DecodeError> {
        match self.array()? {
            [0] => Ok(false),
            [1] => Ok(true),
            [byte] => Err(DecodeError::new(self.at().saturating_sub(1), DecodeErrorKind::InvalidBool(byte))),
        }
    }

    /// Increment first, then seconds: the two halves of one little-endian number.
    #[inline]
    fn timestamp(&mut self) -> Result<Scalar<'a>, DecodeError> {
        let increment = u32::from_le_bytes(self.array()?);
        Ok(Scalar::Timestamp { time: u32::from_le_bytes(self.array()?), increment })
    }

    #[expect(clippy::inline_always, reason = "a call would take the cursor out of its registers")]
    #[inline(always)]
    fn binary(&mut self) -> Result<Scalar<'a>, DecodeError> {
        let at = self.at();
        let Some((subtype, bytes, rest)) = self.binary_parts() else { return Err(self.counted_fault(0, 1)) };
        self.rest = rest;
        let bytes = if subtype == OLD_BINARY { old_binary(bytes, at)? } else { bytes };
        Ok(Scalar::Binary { subtype, bytes })
    }

    /// Subtype and bytes of the binary that comes next, and what follows it.
    #[inline]
    fn binary_parts(self) -> Option<(u8, &'a [u8], &'a [u8])> {
        let (len, rest) = self.rest.split_first_chunk()?;
        let (&subtype, rest) = rest.split_first()?;
        let (bytes, rest) = rest.split_at_checked(usize::try_from(u32::from_le_bytes(*len)).ok()?)?;
        Some((subtype, bytes, rest))
    }

    /// The regular expression or pointer that begins here, and what follows it.
    #[cold]
    fn of_two_parts(mut self, tag: Tag) -> Result<(Scalar<'a>, &'a [u8]), DecodeError> {
        let scalar = match tag {
            Tag::Regex => Scalar::Regex(self.regex()?),
            _ => Scalar::DbPointer(self.db_pointer()?),
        };
        Ok((scalar, self.rest))
    }

    fn regex(&mut self) -> Result<Regex<'a>, DecodeError> {
        let at = self.at();
        let bytes = self.regex_bytes()?;
        Regex::new(utf8(bytes, || at)?).ok_or_else(|| missing(self.at(), 1))
    }

    /// Pattern and options, each with its NUL.
    pub(crate) fn regex_bytes(&mut self) -> Result<&'a [u8], DecodeError> {
        let mut behind = *self;
        behind.cstring()?;
        behind.cstring()?;
        self.take(self.rest.len().saturating_sub(behind.rest.len()))
    }

    fn db_pointer(&mut self) -> Result<DbPointer<'a>, DecodeError> {
        let from_text = self.rest.get(4..).unwrap_or_default();
        let at = self.at().wrapping_add(4);
        utf8(self.string(12)?, || at)?;
        self.take(12)?;
        let bytes = from_text.get(..from_text.len().saturating_sub(self.rest.len())).unwrap_or_default();
        DbPointer::new(bytes).ok_or(DecodeError::new(at, DecodeErrorKind::InvalidUtf8))
    }
}

/// The length `declared`, at least `min`.
fn valid_len(declared: i32, min: usize) -> Result<usize, DecodeErrorKind> {
    let len = usize::try_from(declared).ok().filter(|&len| len >= min);
    len.ok_or(DecodeErrorKind::InvalidLength(declared))
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

/// The text in `bytes`, which stand `at` some offset.
#[inline]
pub(crate) fn utf8(bytes: &[u8], at: impl FnOnce() -> usize) -> Result<&str, DecodeError> {
    as_text(bytes).ok_or_else(|| invalid_utf8(bytes, at()))
}

/// The fault at the first byte that is not UTF-8.
#[cold]
pub(crate) fn invalid_utf8(bytes: &[u8], at: usize) -> DecodeError {
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
