//! What only a document in memory can answer: text that borrows from the input.

use boson_document::{ByteSource, DecodeError, Scalar, as_text};

use super::members::Members;
use super::{Document, Value};
use crate::dictionary::NameId;
use crate::fault;
use crate::node;
use crate::scalar::{Class, text};

impl<'a> Document<'a> {
    /// The document that `bytes` are from the first to the last. Only the header is checked.
    ///
    /// ```
    /// use boson_oson::Document;
    ///
    /// // {"name":"Alice","role":"Developer","active":true}, written by a server.
    /// let image = b"\xff\x4a\x5a\x01\x21\x06\x03\x00\x11\x00\x1c\x00\x00\x19\x2f\xe6\x00\x05\x00\x0a\x00\x00\
    ///     \x04name\x04role\x06active\x84\x03\x03\x01\x02\x00\x0b\x00\x11\x00\x1b\x05Alice\x09Developer\x31";
    /// let document = Document::new(image)?;
    /// assert_eq!(document.get("role")?.map(|role| role.as_str()).transpose()?.flatten(), Some("Developer"));
    /// assert!(document.get("age")?.is_none());
    /// # Ok::<(), boson_document::DecodeError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Header::read`](crate::Header::read).
    #[inline]
    pub fn new(bytes: &'a [u8]) -> Result<Self, DecodeError> {
        Self::open(bytes)
    }

    /// The image itself.
    pub const fn as_bytes(&self) -> &'a [u8] {
        self.source
    }

    /// The name with this id.
    ///
    /// # Errors
    ///
    /// `FieldIdOutOfRange` for an id of another image, `NameOutsideHeap`, `InvalidUtf8`.
    #[inline]
    pub fn name(&self, id: NameId) -> Result<&'a str, DecodeError> {
        let bytes = self.name_bytes(id)?;
        as_text(bytes).ok_or_else(|| {
            let span = self.header.name_span(self.source, crate::width::widen(id.0.saturating_sub(1)));
            fault::invalid_utf8(span.ok().flatten().map_or(0, |span| span.offset), bytes)
        })
    }

    /// Every name of the dictionary, in the order of their ids.
    pub fn names(&self) -> impl Iterator<Item = Result<&'a str, DecodeError>> + use<'a> {
        let document = *self;
        (0..self.header.name_count()).filter_map(NameId::from_index).map(move |id| document.name(id))
    }
}

impl<'a> Value<'a> {
    /// The leaf; `None` of a container.
    ///
    /// # Errors
    ///
    /// What is wrong with its bytes: not UTF-8, not a NUMBER, no date …
    #[inline]
    pub fn scalar(&self) -> Result<Option<Scalar<'a>>, DecodeError> {
        match &self.node {
            node::Node::Leaf(leaf) => {
                let payload: &'a [u8] = self.image.source.bytes(leaf.payload_at..leaf.end)?;
                // What most leaves are, without a call.
                if leaf.class == Class::String {
                    return text(payload, leaf.payload_at).map(|text| Some(Scalar::String(text)));
                }
                leaf.class.decode(payload, leaf.payload_at).map(Some)
            }
            node::Node::Container(_) => Ok(None),
        }
    }

    /// The text, where this is a string.
    ///
    /// # Errors
    ///
    /// As [`scalar`](Self::scalar).
    pub fn as_str(&self) -> Result<Option<&'a str>, DecodeError> {
        Ok(match self.scalar()? {
            Some(Scalar::String(text)) => Some(text),
            _ => None,
        })
    }

    /// The document this is a value of.
    pub const fn document(&self) -> Document<'a> {
        self.image
    }

    /// The members of an object with their names, in stored order: of an object of more than 10 fields that is the order
    /// of the ids, see [`fields_in_order`](Self::fields_in_order). None of anything else.
    pub fn fields(&self) -> Fields<'a> {
        Fields(self.members())
    }
}

/// The members of an object with their names. After an error it goes on with the next one.
#[derive(Clone, Debug)]
pub struct Fields<'a>(Members<&'a [u8]>);

impl<'a> Iterator for Fields<'a> {
    type Item = Result<(&'a str, Value<'a>), DecodeError>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let member = self.0.next()?;
        Some(member.and_then(|(id, value)| Ok((value.image.name(id)?, value))))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl ExactSizeIterator for Fields<'_> {}
