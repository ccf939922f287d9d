//! Arrays: documents whose names are "0", "1" and so on, which nobody needs to read.

use std::fmt;

use boson_document::{ByteSource, DecodeError, Span};

use super::fields::Elements;
use super::place::Places;
use super::show::Shown;
use super::value::ValueIn;
use super::{Document, DocumentIn};

/// A BSON array over any source of bytes; over a slice it is an [`Array`].
///
/// Elements are found by their place. The names, which should be "0", "1" and so on, are not looked at, because
/// everything that reads BSON ignores them; [`elements`](Self::elements) has them.
#[derive(Clone, Copy)]
pub struct ArrayIn<S>(DocumentIn<S>);

/// A BSON array in a slice; a small `Copy` view.
pub type Array<'a> = ArrayIn<&'a [u8]>;

impl<S: ByteSource> ArrayIn<S> {
    pub(super) const fn new(document: DocumentIn<S>) -> Self {
        Self(document)
    }

    /// Its bytes in the input it was found in, from its length to its NUL.
    pub const fn span(&self) -> Span {
        self.0.span()
    }

    /// Whether it has no elements.
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The element at place `index`, counted from 0; `None` when there are fewer.
    ///
    /// # Errors
    ///
    /// A fault in an element up to and including that one.
    pub fn get(&self, index: usize) -> Result<Option<ValueIn<S>>, DecodeError> {
        let place = self.0.places().nth(index)?;
        Ok(place.map(|place| ValueIn::new(self.0.source(), place)))
    }

    /// The elements' values, in order.
    pub fn items(&self) -> Items<S> {
        Items { source: self.0.source(), places: self.0.places() }
    }

    /// The elements with the names that the bytes give them.
    pub fn elements(&self) -> Elements<S> {
        self.0.elements()
    }
}

impl<'a> Array<'a> {
    /// The array's bytes.
    pub fn bytes(&self) -> &'a [u8] {
        self.0.bytes()
    }

    /// The same bytes as a document, which an array is but for its type byte.
    pub const fn as_document(&self) -> Document<'a> {
        self.0
    }
}

/// The values of an array; see [`ArrayIn::items`].
#[derive(Clone, Debug)]
pub struct Items<S> {
    source: S,
    places: Places<S>,
}

impl<S: ByteSource> Iterator for Items<S> {
    type Item = Result<ValueIn<S>, DecodeError>;

    fn next(&mut self) -> Option<Self::Item> {
        let place = self.places.next().transpose()?;
        Some(place.map(|place| ValueIn::new(self.source, place)))
    }
}

impl fmt::Debug for Array<'_> {
    /// The values; the payload of sensitive binary (subtype 8) is not shown.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&Shown::new(*self), f)
    }
}

impl PartialEq for Array<'_> {
    /// The same bytes.
    fn eq(&self, other: &Self) -> bool {
        self.bytes() == other.bytes()
    }
}

impl Eq for Array<'_> {}
