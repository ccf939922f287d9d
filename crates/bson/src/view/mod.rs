//! Documents that stay bytes: navigation decodes nothing but the answer.

mod array;
mod fields;
mod held;
pub(crate) mod place;
mod show;
mod value;

use std::fmt;

use boson_document::{Blocks, ByteSource, DecodeError, DecodeErrorKind, Located, PathBuf, Segment, Span};

pub use array::{Array, ArrayIn, Items};
pub use fields::{Element, ElementIn, Elements, Fields};
pub use held::Held;
pub use value::{CodeWithScope, Value, ValueIn};

use place::{Places, saturated, too_long};
use show::Shown;

/// A BSON document over any source of bytes: over a slice it is a [`Document`], over blocks a [`BlockDocument`].
///
/// Making one checks the length and the closing NUL and nothing else. Looking something up hops over elements by their
/// lengths: what is hopped over is not checked, so a lookup may succeed in a document that [`validate`](crate::validate)
/// refuses. It never reads outside the document. Nothing is allocated over a slice.
///
/// BSON allows a name to occur twice; `get` answers with the first, as libbson does. [`DocumentIn::get_all`] gives all,
/// and [`Indexed::duplicate`](crate::Indexed::duplicate) finds them.
#[derive(Clone, Copy)]
pub struct DocumentIn<S> {
    /// The whole input, so that offsets count from its first byte also in a nested document.
    source: S,
    span: Span,
}

/// A BSON document in a slice; a small `Copy` view.
pub type Document<'a> = DocumentIn<&'a [u8]>;

/// A BSON document in blocks, of which only the needed ones are read.
pub type BlockDocument<'b, R> = DocumentIn<&'b Blocks<R>>;

impl<S: ByteSource> DocumentIn<S> {
    /// The document that `source` holds, and nothing else.
    ///
    /// # Errors
    ///
    /// `InvalidLength` when the length is below 5, `LengthMismatch` when there are fewer bytes than it says,
    /// `TrailingBytes` when there are more, `MissingTerminator` when the last byte is not NUL.
    pub fn new(source: S) -> Result<Self, DecodeError> {
        let (len, available) = (declared_len(source)?, source.len());
        if len > available {
            return Err(too_long(0, len, available));
        }
        if len < available {
            let trailing = saturated(available.saturating_sub(len));
            return Err(DecodeError::new(len, DecodeErrorKind::TrailingBytes(trailing)));
        }
        Self::at(source, Span::new(0, len))
    }

    /// The document at `span`, whose length was checked.
    pub(crate) fn at(source: S, span: Span) -> Result<Self, DecodeError> {
        let last = span.end().saturating_sub(1);
        match source.array(last)? {
            [0] => Ok(Self { source, span }),
            [byte] => Err(DecodeError::new(last, DecodeErrorKind::MissingTerminator(byte))),
        }
    }

    /// Its bytes in the input it was found in, from its length to its NUL.
    pub const fn span(&self) -> Span {
        self.span
    }

    pub(crate) const fn source(&self) -> S {
        self.source
    }

    pub(crate) const fn places(&self) -> Places<S> {
        Places::new(self.source, self.span)
    }

    /// Whether it has no elements.
    pub const fn is_empty(&self) -> bool {
        self.span.len <= 5
    }

    /// The first value called `name`; `None` when there is none.
    ///
    /// # Errors
    ///
    /// A fault in an element up to and including that one: its type, its name's end or its length.
    #[inline]
    pub fn get(&self, name: &str) -> Result<Option<ValueIn<S>>, DecodeError> {
        let place = self.places().find(name.as_bytes())?;
        Ok(place.map(|place| ValueIn::new(self.source, place)))
    }

    /// Every value called `name`, in order.
    pub fn get_all<'n>(&self, name: &'n str) -> GetAll<'n, S> {
        GetAll { source: self.source, places: self.places(), name }
    }

    /// The value at `path`; `None` when there is none.
    ///
    /// A field leads into a document (or the scope of code), an index into an array; anything else leads nowhere. The
    /// empty path is the document itself, which is not a value: `None`.
    ///
    /// # Errors
    ///
    /// As [`get`](Self::get), on each level.
    pub fn get_path(&self, path: &PathBuf) -> Result<Option<ValueIn<S>>, DecodeError> {
        let Some((Segment::Field(name), rest)) = path.segments().split_first() else { return Ok(None) };
        let mut value = self.get(name)?;
        for segment in rest {
            let Some(parent) = value else { break };
            value = parent.step(segment)?;
        }
        Ok(value)
    }

    /// The elements, each with its name and value, unchecked until asked for.
    pub fn elements(&self) -> Elements<S> {
        Elements::new(self.source, self.places())
    }
}

impl<'a> Document<'a> {
    /// The document that `bytes` are, whose header was checked.
    pub(crate) const fn whole(bytes: &'a [u8]) -> Self {
        Self { source: bytes, span: Span::new(0, bytes.len()) }
    }

    /// The document that `bytes` begin with, and the bytes after it: for documents one after another.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new), except that bytes may follow.
    pub fn split_first(bytes: &'a [u8]) -> Result<(Self, &'a [u8]), DecodeError> {
        let len = declared_len(bytes)?;
        let (first, rest) = bytes.split_at_checked(len).ok_or_else(|| too_long(0, len, bytes.len()))?;
        Ok((Self::new(first)?, rest))
    }

    /// The names and values, in order. A name that is not UTF-8 is an error; [`elements`](Self::elements) offers it
    /// nevertheless.
    pub fn fields(&self) -> Fields<'a> {
        Fields::new(self.elements())
    }

    /// The document's bytes.
    pub fn bytes(&self) -> &'a [u8] {
        self.source.get(self.span.range()).unwrap_or_default()
    }

    /// `error` with the path of the value in which it was met; for errors of this document and of values found in it.
    pub fn locate(&self, error: DecodeError) -> Located {
        error.at(crate::path_at(self.source, error.offset))
    }
}

/// What the first four bytes say of the length of a whole document.
fn declared_len<S: ByteSource>(source: S) -> Result<usize, DecodeError> {
    let declared = i32::from_le_bytes(source.array(0)?);
    let len = usize::try_from(declared).ok().filter(|&len| len >= 5);
    len.ok_or(DecodeError::new(0, DecodeErrorKind::InvalidLength(declared)))
}

/// The values of one name; see [`DocumentIn::get_all`].
#[derive(Clone, Debug)]
pub struct GetAll<'n, S> {
    source: S,
    places: Places<S>,
    name: &'n str,
}

impl<S: ByteSource> Iterator for GetAll<'_, S> {
    type Item = Result<ValueIn<S>, DecodeError>;

    fn next(&mut self) -> Option<Self::Item> {
        let found = self.places.find(self.name.as_bytes()).transpose()?;
        Some(found.map(|place| ValueIn::new(self.source, place)))
    }
}

impl fmt::Debug for Document<'_> {
    /// Names and values; the payload of sensitive binary (subtype 8) is not shown.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&Shown::new(*self), f)
    }
}

impl PartialEq for Document<'_> {
    /// The same bytes.
    fn eq(&self, other: &Self) -> bool {
        self.bytes() == other.bytes()
    }
}

impl Eq for Document<'_> {}
