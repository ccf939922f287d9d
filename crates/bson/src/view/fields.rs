//! Iterating over the elements of a document.

use std::borrow::Cow;

use boson_document::{ByteSource, DecodeError, Span};

use super::place::{Place, Places};
use super::value::{Value, ValueIn};
use crate::cursor::utf8;

/// One element of a document: a name and a value, over any source of bytes; over a slice it is an [`Element`].
#[derive(Clone, Copy)]
pub struct ElementIn<S> {
    source: S,
    place: Place,
}

/// One element of a document in a slice.
pub type Element<'a> = ElementIn<&'a [u8]>;

impl<S: ByteSource> ElementIn<S> {
    pub(crate) const fn new(source: S, place: Place) -> Self {
        Self { source, place }
    }

    /// The element's bytes: type, name, NUL and value.
    pub const fn span(&self) -> Span {
        self.place.span()
    }

    /// The name's bytes, without the NUL.
    pub const fn name_span(&self) -> Span {
        self.place.name
    }

    /// The value.
    pub const fn value(&self) -> ValueIn<S> {
        ValueIn::new(self.source, self.place)
    }

    /// The name's bytes: of a slice as they are, of blocks copied out.
    ///
    /// # Errors
    ///
    /// `Io` when reading failed.
    pub fn fetch_name(&self) -> Result<S::Bytes, DecodeError> {
        self.source.bytes(self.place.name.range())
    }
}

impl<'a> Element<'a> {
    /// The name.
    ///
    /// # Errors
    ///
    /// `InvalidUtf8`.
    pub fn name(&self) -> Result<&'a str, DecodeError> {
        utf8(self.name_bytes(), || self.place.name.offset)
    }

    /// The name's bytes, whatever they are.
    pub fn name_bytes(&self) -> &'a [u8] {
        self.source.get(self.place.name.range()).unwrap_or_default()
    }

    /// The name with U+FFFD for what is not UTF-8.
    pub fn name_lossy(&self) -> Cow<'a, str> {
        String::from_utf8_lossy(self.name_bytes())
    }
}

/// The elements of a document; see [`DocumentIn::elements`](super::DocumentIn::elements).
///
/// It ends after the first fault.
#[derive(Clone, Debug)]
pub struct Elements<S> {
    source: S,
    places: Places<S>,
}

impl<S: ByteSource> Elements<S> {
    pub(super) const fn new(source: S, places: Places<S>) -> Self {
        Self { source, places }
    }
}

impl<S: ByteSource> Iterator for Elements<S> {
    type Item = Result<ElementIn<S>, DecodeError>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let place = self.places.next().transpose()?;
        Some(place.map(|place| ElementIn { source: self.source, place }))
    }
}

/// The names and values of a document; see [`Document::fields`](super::DocumentIn::fields).
#[derive(Clone, Debug)]
pub struct Fields<'a>(Elements<&'a [u8]>);

impl<'a> Fields<'a> {
    pub(super) const fn new(elements: Elements<&'a [u8]>) -> Self {
        Self(elements)
    }
}

impl<'a> Iterator for Fields<'a> {
    type Item = Result<(&'a str, Value<'a>), DecodeError>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let element = self.0.next()?;
        Some(element.and_then(|element| Ok((element.name()?, element.value()))))
    }
}
