//! A value that was found and not yet read.

use std::borrow::Cow;
use std::fmt;

use boson_document::{ByteSource, DecodeError, DecodeErrorKind, Kind, Rule, Scalar, Segment, Span};
use uuid::Uuid;

use super::array::ArrayIn;
use super::held::Held;
use super::place::Place;
use super::show::Shown;
use super::{Document, DocumentIn};
use crate::cursor::{Cursor, utf8};
use crate::tag::Tag;
use crate::uuid::{LegacyUuid, uuid};
use crate::vector::Vector;

/// A value over any source of bytes, found and not yet read; over a slice it is a [`Value`].
#[derive(Clone, Copy)]
pub struct ValueIn<S> {
    source: S,
    span: Span,
    tag: Tag,
}

/// A value in a slice; a small `Copy` view.
pub type Value<'a> = ValueIn<&'a [u8]>;

impl<S: ByteSource> ValueIn<S> {
    pub(crate) const fn new(source: S, place: Place) -> Self {
        Self { source, span: place.value, tag: place.tag }
    }

    /// Its element type.
    pub const fn tag(&self) -> Tag {
        self.tag
    }

    /// What it is.
    pub const fn kind(&self) -> Kind {
        self.tag.kind()
    }

    /// Whether it is null, which is an answer of its own: not an absent field, not an error.
    pub fn is_null(&self) -> bool {
        self.tag == Tag::Null
    }

    /// Its bytes in the input it was found in, with its length, without type and name.
    pub const fn span(&self) -> Span {
        self.span
    }

    /// The document that this is.
    ///
    /// # Errors
    ///
    /// `UnexpectedKind` when it is something else, `MissingTerminator` when it does not end with NUL.
    pub fn as_document(&self) -> Result<DocumentIn<S>, DecodeError> {
        self.expect(Tag::Document)?;
        DocumentIn::at(self.source, self.span)
    }

    /// The array that this is.
    ///
    /// # Errors
    ///
    /// `UnexpectedKind` when it is something else, `MissingTerminator` when it does not end with NUL.
    pub fn as_array(&self) -> Result<ArrayIn<S>, DecodeError> {
        self.expect(Tag::Array)?;
        Ok(ArrayIn::new(DocumentIn::at(self.source, self.span)?))
    }

    /// The scope of the code that this is; the code itself is not read.
    ///
    /// # Errors
    ///
    /// `UnexpectedKind` when it is something else, and whatever is wrong with its lengths.
    pub fn scope(&self) -> Result<DocumentIn<S>, DecodeError> {
        self.expect(Tag::CodeWithScope)?;
        DocumentIn::at(self.source, self.scope_span()?)
    }

    /// Reads the value out of its source: of blocks its bytes are copied, of a slice they are borrowed.
    ///
    /// # Errors
    ///
    /// `Io` when reading failed.
    pub fn fetch(&self) -> Result<Held<S::Bytes>, DecodeError> {
        Ok(Held::new(self.source.bytes(self.span.range())?, self.tag, self.span.offset))
    }

    /// One step down; `None` when it leads nowhere.
    pub(super) fn step(&self, segment: &Segment) -> Result<Option<Self>, DecodeError> {
        match (self.tag, segment) {
            (Tag::Document, Segment::Field(name)) => self.as_document()?.get(name),
            (Tag::CodeWithScope, Segment::Field(name)) => self.scope()?.get(name),
            (Tag::Array, Segment::Index(index)) => self.as_array()?.get(*index),
            _ => Ok(None),
        }
    }

    #[inline]
    fn expect(&self, tag: Tag) -> Result<(), DecodeError> {
        if self.tag == tag { Ok(()) } else { Err(self.unexpected(tag)) }
    }

    #[cold]
    fn unexpected(&self, expected: Tag) -> DecodeError {
        let kind = DecodeErrorKind::UnexpectedKind { expected: Some(expected.kind()), found: self.kind() };
        // A value of no bytes stands where the next element begins; the NUL of its name is still its own.
        let at = if self.span.is_empty() { self.span.offset.saturating_sub(1) } else { self.span.offset };
        DecodeError::new(at, kind)
    }

    /// The scope within code with scope; the lengths of both must add up.
    fn scope_span(&self) -> Result<Span, DecodeError> {
        let string_at = self.span.offset.saturating_add(4);
        let string_len = u32::from_le_bytes(self.source.array(string_at)?);
        let scope_at = string_at.saturating_add(4).saturating_add(usize::try_from(string_len).unwrap_or(usize::MAX));
        let fault = DecodeError::new(self.span.offset, DecodeErrorKind::Broken(Rule::CodeWithScopeLength));
        if scope_at.saturating_add(5) > self.span.end() {
            return Err(fault);
        }
        let scope_len = u32::from_le_bytes(self.source.array(scope_at)?);
        let scope = Span::new(scope_at, usize::try_from(scope_len).unwrap_or(usize::MAX));
        if scope.end() == self.span.end() { Ok(scope) } else { Err(fault) }
    }
}

impl<'a> Value<'a> {
    /// A document as a value, which its root is not.
    #[cfg(feature = "serde")]
    pub(crate) const fn from_document(document: Document<'a>) -> Self {
        Self { source: document.source(), span: document.span(), tag: Tag::Document }
    }

    /// The value's bytes, with its length, without type and name.
    pub fn bytes(&self) -> &'a [u8] {
        self.source.get(self.span.range()).unwrap_or_default()
    }

    /// The leaf that this is, checked.
    ///
    /// # Errors
    ///
    /// `UnexpectedKind` of a container, else whatever is wrong with the value.
    #[inline]
    pub fn scalar(&self) -> Result<Scalar<'a>, DecodeError> {
        self.cursor().scalar(self.tag)
    }

    /// The string that this is.
    ///
    /// # Errors
    ///
    /// `UnexpectedKind` when it is no string, `InvalidUtf8`, or what is wrong with its length.
    pub fn as_str(&self) -> Result<&'a str, DecodeError> {
        self.expect(Tag::String)?;
        utf8(self.text_bytes()?, || self.span.offset.saturating_add(4))
    }

    /// The bytes of a string, code or symbol, whatever they are, without length and NUL.
    ///
    /// # Errors
    ///
    /// `UnexpectedKind` when it is none of these, else what is wrong with its length.
    pub fn text_bytes(&self) -> Result<&'a [u8], DecodeError> {
        match self.tag {
            Tag::String | Tag::Code | Tag::Symbol => self.cursor().string(0),
            _ => Err(self.unexpected(Tag::String)),
        }
    }

    /// The text of a string, code or symbol with U+FFFD for what is not UTF-8.
    ///
    /// # Errors
    ///
    /// As [`text_bytes`](Self::text_bytes).
    pub fn text_lossy(&self) -> Result<Cow<'a, str>, DecodeError> {
        self.text_bytes().map(String::from_utf8_lossy)
    }

    /// The code and the scope that this is.
    ///
    /// # Errors
    ///
    /// `UnexpectedKind` when it is something else, `InvalidUtf8`, or what is wrong with its lengths.
    pub fn as_code_with_scope(&self) -> Result<CodeWithScope<'a>, DecodeError> {
        let scope = self.scope()?;
        let string_at = self.span.offset.saturating_add(4);
        let upto_scope = self.source.get(..scope.span().offset).unwrap_or_default();
        let code = Cursor::new(upto_scope, string_at).string(0)?;
        Ok(CodeWithScope { code: utf8(code, || string_at.saturating_add(4))?, scope })
    }

    /// The UUID that this is, of subtype 4.
    ///
    /// # Errors
    ///
    /// `UnexpectedKind` when it is no binary, `UnexpectedSubtype` when it is not of subtype 4; `UuidLength` when it has not 16 bytes.
    pub fn uuid(&self) -> Result<Uuid, DecodeError> {
        uuid(self.binary(4)?).map_err(|error| error.shifted(self.payload_at()))
    }

    /// The UUID that this is, of subtype 3, whose bytes lie as `order` says: nothing in the document tells, so it must be
    /// known.
    ///
    /// # Errors
    ///
    /// `UnexpectedKind` when it is no binary, `UnexpectedSubtype` when it is not of subtype 3; `UuidLength` when it has not 16 bytes.
    pub fn legacy_uuid(&self, order: LegacyUuid) -> Result<Uuid, DecodeError> {
        order.uuid(self.binary(3)?).map_err(|error| error.shifted(self.payload_at()))
    }

    /// The vector that this is, of subtype 9.
    ///
    /// # Errors
    ///
    /// `UnexpectedKind` when it is no binary, `UnexpectedSubtype` when it is not of subtype 9; `Vector` when it breaks the rules of vectors.
    pub fn vector(&self) -> Result<Vector<'a>, DecodeError> {
        Vector::new(self.binary(9)?).map_err(|error| error.shifted(self.payload_at()))
    }

    /// The payload of binary of `wanted` subtype.
    fn binary(&self, wanted: u8) -> Result<&'a [u8], DecodeError> {
        match self.scalar() {
            Ok(Scalar::Binary { subtype, bytes }) if subtype == wanted => Ok(bytes),
            Ok(Scalar::Binary { subtype, .. }) => Err(DecodeError::new(
                self.span.offset.saturating_add(4),
                DecodeErrorKind::UnexpectedSubtype { expected: wanted, found: subtype },
            )),
            Ok(_) => Err(self.unexpected(Tag::Binary)),
            Err(error) => Err(error),
        }
    }

    fn payload_at(&self) -> usize {
        self.span.offset.saturating_add(5)
    }

    fn cursor(&self) -> Cursor<'a> {
        Cursor::new(self.source.get(..self.span.end()).unwrap_or_default(), self.span.offset)
    }
}

/// JavaScript and the variables it was written against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodeWithScope<'a> {
    /// The JavaScript.
    pub code: &'a str,
    /// The variables.
    pub scope: Document<'a>,
}

impl fmt::Debug for Value<'_> {
    /// The value; the payload of sensitive binary (subtype 8) is not shown.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&Shown::new(*self), f)
    }
}

impl PartialEq for Value<'_> {
    /// The same type and the same bytes.
    fn eq(&self, other: &Self) -> bool {
        self.tag == other.tag && self.bytes() == other.bytes()
    }
}

impl Eq for Value<'_> {}
