//! Finding elements without reading them: the one implementation of navigation, over any source of bytes.

use boson_document::{ByteSource, DecodeError, DecodeErrorKind, Span, find_byte, same_bytes};

use crate::tag::Tag;

/// Where one element stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) tag: Tag,
    /// The name without its NUL; the type byte is the one before it.
    pub(crate) name: Span,
    /// The value with its length.
    pub(crate) value: Span,
}

impl Place {
    /// Type byte, name, NUL and value.
    pub(crate) const fn span(&self) -> Span {
        Span::between(self.name.offset.saturating_sub(1), self.value.end())
    }
}

/// Hops over the elements of one document.
///
/// Lengths are checked against the document's end, so that nothing outside of it is read; what is hopped over is not
/// looked at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Places<S> {
    source: S,
    at: usize,
    /// The offset of the NUL that closes the document.
    end: usize,
}

impl<S: ByteSource> Places<S> {
    /// The elements of the document at `span`, whose length and NUL were checked.
    pub(crate) const fn new(source: S, span: Span) -> Self {
        Self { source, at: span.offset.saturating_add(4), end: span.end().saturating_sub(1) }
    }

    /// The elements from the one whose type byte is at `at`, in a document whose closing NUL is at `end`.
    pub(crate) const fn between(source: S, at: usize, end: usize) -> Self {
        Self { source, at, end }
    }

    /// The offset of the next element's type byte.
    pub(crate) const fn at(&self) -> usize {
        self.at
    }

    /// The offset of the NUL that closes the document.
    pub(crate) const fn end(&self) -> usize {
        self.end
    }

    /// The next element; `None` at the end, and after a fault.
    #[inline]
    pub(crate) fn next(&mut self) -> Result<Option<Place>, DecodeError> {
        if self.at >= self.end {
            return Ok(None);
        }
        let place = self.place();
        self.at = place.as_ref().map_or(self.end, |place| place.value.end());
        place.map(Some)
    }

    /// The next element called `name`; `None` when there is none.
    #[inline]
    pub(crate) fn find(&mut self, name: &[u8]) -> Result<Option<Place>, DecodeError> {
        loop {
            if let Some(found) = self.find_common(name) {
                return Ok(Some(found));
            }
            match self.next()? {
                Some(place) if place.name.len == name.len() && self.source.matches(place.name.offset, name)? => {
                    return Ok(Some(place));
                }
                Some(_) => {}
                None => return Ok(None),
            }
        }
    }

    /// The same in a slice, up to the first element that is of a rare type or faulty, where this then stands.
    #[inline]
    fn find_common(&mut self, name: &[u8]) -> Option<Place> {
        let mut elements = self.source.as_slice()?.get(self.at..self.end)?;
        while let Some(element) = common(elements) {
            let at = self.end.wrapping_sub(elements.len());
            elements = element.rest;
            if same_bytes(element.name, name) {
                let name = Span::new(at.wrapping_add(1), name.len());
                let value = Span::between(name.end().wrapping_add(1), self.end.wrapping_sub(elements.len()));
                self.at = value.end();
                return Some(Place { tag: element.tag, name, value });
            }
        }
        self.at = self.end.wrapping_sub(elements.len());
        None
    }

    /// The element that is `index` elements on; `None` when there are fewer.
    pub(crate) fn nth(&mut self, index: usize) -> Result<Option<Place>, DecodeError> {
        for _ in 0..index {
            if self.next()?.is_none() {
                return Ok(None);
            }
        }
        self.next()
    }

    #[inline]
    fn place(&self) -> Result<Place, DecodeError> {
        let [byte] = self.source.array::<1>(self.at)?;
        let tag = Tag::from_byte(byte).ok_or_else(|| unknown_tag(self.at, byte))?;
        let name_at = self.at.saturating_add(1);
        let name_end = self.find_nul(name_at)?;
        let value_at = name_end.saturating_add(1);
        let value = Span::new(value_at, self.value_len(tag, value_at)?);
        Ok(Place { tag, name: Span::between(name_at, name_end), value })
    }

    #[inline]
    fn find_nul(&self, at: usize) -> Result<usize, DecodeError> {
        let found = self.source.find(0, at..self.end)?;
        found.ok_or_else(|| DecodeError::new(self.end, DecodeErrorKind::UnexpectedEnd { missing: 1 }))
    }

    /// How many bytes the value at `at` takes, its length included.
    #[inline]
    fn value_len(&self, tag: Tag, at: usize) -> Result<usize, DecodeError> {
        let len = match tag {
            Tag::Undefined | Tag::Null | Tag::MinKey | Tag::MaxKey => 0,
            Tag::Bool => 1,
            Tag::Int32 => 4,
            Tag::Double | Tag::DateTime | Tag::Timestamp | Tag::Int64 => 8,
            Tag::ObjectId => 12,
            Tag::Decimal128 => 16,
            Tag::String | Tag::Code | Tag::Symbol => return self.prefixed(at, 1, 4),
            Tag::Document | Tag::Array => return self.prefixed(at, 5, 0),
            Tag::Binary => return self.prefixed(at, 0, 5),
            Tag::DbPointer => return self.prefixed(at, 1, 16),
            Tag::CodeWithScope => return self.prefixed(at, 14, 0),
            Tag::Regex => {
                let options_at = self.find_nul(at)?.saturating_add(1);
                return Ok(self.find_nul(options_at)?.saturating_add(1).saturating_sub(at));
            }
        };
        let available = self.end.saturating_sub(at);
        if len > available { Err(missing(self.end, len.saturating_sub(available))) } else { Ok(len) }
    }

    /// How many bytes a value takes whose length, at least `min`, stands at `at` and leaves out `extra` bytes.
    #[inline]
    fn prefixed(&self, at: usize, min: usize, extra: usize) -> Result<usize, DecodeError> {
        let available = self.end.saturating_sub(at);
        if available < 4 {
            return Err(missing(self.end, 4_usize.saturating_sub(available)));
        }
        let declared = i32::from_le_bytes(self.source.array(at)?);
        let len = usize::try_from(declared).ok().filter(|&len| len >= min);
        let len = len.ok_or_else(|| DecodeError::new(at, DecodeErrorKind::InvalidLength(declared)))?;
        let total = len.saturating_add(extra);
        if total > available { Err(too_long(at, len, available.saturating_sub(extra))) } else { Ok(total) }
    }
}

/// An element that is whole.
struct Common<'b> {
    tag: Tag,
    name: &'b [u8],
    /// What follows it.
    rest: &'b [u8],
}

/// The first of `elements`; `None` when it is of a rare type or faulty, for someone else to say what it is.
#[inline]
fn common(elements: &[u8]) -> Option<Common<'_>> {
    let (&byte, named) = elements.split_first()?;
    let (name, value) = named.split_at_checked(find_byte(0, named)?)?;
    let value = value.get(1..)?;
    let tag = Tag::from_byte(byte)?;
    let len = match tag {
        Tag::String => length(value, 1)?.checked_add(4)?,
        Tag::Document | Tag::Array => length(value, 5)?,
        Tag::Int32 => 4,
        Tag::Double | Tag::DateTime | Tag::Int64 => 8,
        Tag::Null => 0,
        Tag::Bool => 1,
        Tag::ObjectId => 12,
        Tag::Binary => length(value, 0)?.checked_add(5)?,
        _ => return None,
    };
    Some(Common { tag, name, rest: value.get(len..)? })
}

/// The length, at least `min`, that `value` begins with.
#[inline]
fn length(value: &[u8], min: u32) -> Option<usize> {
    let len = u32::from_le_bytes(*value.first_chunk()?);
    usize::try_from(len).ok().filter(|_| len >= min)
}

#[cold]
fn unknown_tag(at: usize, byte: u8) -> DecodeError {
    DecodeError::new(at, DecodeErrorKind::UnknownTag(byte))
}

/// The fault of a value that ends `count` bytes after what surrounds it, which ends at `end`.
#[cold]
pub(crate) fn missing(end: usize, count: usize) -> DecodeError {
    DecodeError::new(end, DecodeErrorKind::UnexpectedEnd { missing: saturated(count) })
}

/// The fault of a length at `at` that says `declared` bytes where `actual` are.
#[cold]
pub(crate) fn too_long(at: usize, declared: usize, actual: usize) -> DecodeError {
    let kind = DecodeErrorKind::LengthMismatch { declared: saturated(declared), actual: saturated(actual) };
    DecodeError::new(at, kind)
}

pub(crate) fn saturated(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
