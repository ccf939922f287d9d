//! The parts of values.

use boson_document::{Note, Role, Scalar, Span};

use super::walk::{Piece, UNREAD_SHOWN_MAX, Walk, i32_at, scope};
use crate::cursor::{Cursor, OLD_BINARY};
use crate::tag::Tag;

/// The subtype whose bytes must not be shown, by the BSON specification.
const SENSITIVE: u8 = 8;

/// The subtype of UUIDs.
const UUID: u8 = 4;

/// The subtype of vectors.
const VECTOR: u8 = 9;

impl<'a, E, F: FnMut(&Note<'_>) -> Result<(), E>> Walk<'a, F> {
    /// The value at `span`, whose lengths were checked against the document around it.
    pub(super) fn value(&mut self, tag: Tag, span: Span) -> Result<(), E> {
        match tag {
            Tag::Document | Tag::Array => self.document(span, tag),
            Tag::CodeWithScope => self.code_with_scope(span),
            Tag::String => self.text(span.len, Scalar::String),
            Tag::Code => self.text(span.len, Scalar::Code),
            Tag::Symbol => self.text(span.len, Scalar::Symbol),
            Tag::DbPointer => self.db_pointer(span),
            Tag::Regex => self.regex(span),
            Tag::Binary => self.binary(span),
            _ => self.leaf(tag, span),
        }
    }

    /// What cannot be read is told to be no such value.
    fn leaf(&mut self, tag: Tag, span: Span) -> Result<(), E> {
        let scalar = self.scalar(tag, span);
        let piece = Piece { value: scalar, ..Piece::new(span.len, Role::Value) };
        match scalar {
            Some(_) => self.piece(piece, format_args!("value")),
            None => self.piece(piece, format_args!("no {}", tag.kind())),
        }
    }

    fn scalar(&self, tag: Tag, span: Span) -> Option<Scalar<'a>> {
        let bytes = self.bytes.get(..span.end()).unwrap_or_default();
        Cursor::new(bytes, span.offset).scalar(tag).ok()
    }

    /// A length, the text and its NUL, together `len` bytes; `scalar` makes a value of the text.
    fn text(&mut self, len: usize, scalar: impl FnOnce(&'a str) -> Scalar<'a>) -> Result<(), E> {
        let text_len = len.saturating_sub(5);
        self.region(4, Role::Length, format_args!("string: {} bytes with its NUL", text_len.saturating_add(1)))?;
        let text = self.bytes.get(self.at..self.at.saturating_add(text_len)).unwrap_or_default();
        self.utf8(text, "value", scalar)?;
        self.terminator(format_args!("string"))
    }

    /// The next bytes, which are `text`.
    fn utf8(&mut self, text: &'a [u8], what: &str, scalar: impl FnOnce(&'a str) -> Scalar<'a>) -> Result<(), E> {
        let value = str::from_utf8(text).ok().map(scalar);
        let piece = Piece { value, ..Piece::new(text.len(), Role::Value) };
        match value {
            Some(_) => self.piece(piece, format_args!("{what}")),
            None => self.piece(piece, format_args!("{what}, no UTF-8 text")),
        }
    }

    fn db_pointer(&mut self, span: Span) -> Result<(), E> {
        self.text(span.len.saturating_sub(12), Scalar::String)?;
        let id = self.bytes.get(self.at..).and_then(<[u8]>::first_chunk).map(|id| boson_document::ObjectId(*id));
        let piece = Piece { value: id.map(Scalar::ObjectId), ..Piece::new(12, Role::Value) };
        self.piece(piece, format_args!("the document pointed at"))
    }

    /// Pattern and options, each ended by a NUL.
    fn regex(&mut self, span: Span) -> Result<(), E> {
        let bytes = self.bytes.get(..span.end()).unwrap_or_default();
        for what in ["pattern", "options"] {
            let part = Cursor::new(bytes, self.at).cstring().unwrap_or_default();
            self.utf8(part, what, Scalar::String)?;
            self.terminator(format_args!("{what}"))?;
        }
        Ok(())
    }

    fn code_with_scope(&mut self, span: Span) -> Result<(), E> {
        let Some(scope) = scope(self.bytes, span) else {
            self.region(4, Role::Length, format_args!("code with scope of {} bytes", span.len))?;
            let piece =
                Piece { shown_max: UNREAD_SHOWN_MAX, ..Piece::new(span.end().saturating_sub(self.at), Role::Unread) };
            return self.piece(piece, format_args!("the lengths of code and scope do not add up"));
        };
        self.region(4, Role::Length, format_args!("code with scope of {} bytes", span.len))?;
        let code = Span::between(self.at, scope.offset);
        self.text(code.len, Scalar::Code)?;
        self.document(scope, Tag::Document)
    }

    fn binary(&mut self, span: Span) -> Result<(), E> {
        let value = self.scalar(Tag::Binary, span);
        let subtype = self.bytes.get(span.offset.saturating_add(4)).copied().unwrap_or_default();
        let len = span.len.saturating_sub(5);
        self.region(4, Role::Length, format_args!("binary: {len} bytes"))?;
        self.region(1, Role::Subtype, format_args!("subtype {subtype}: {}", subtype_name(subtype)))?;
        match subtype {
            OLD_BINARY if len >= 4 => {
                let inner = i32_at(self.bytes, self.at).unwrap_or_default();
                self.region(4, Role::Length, format_args!("the same length once more: {inner} bytes"))?;
            }
            VECTOR if len >= 2 => return self.vector(span.end()),
            _ => {}
        }
        let shown_max = if subtype == SENSITIVE { 0 } else { usize::MAX };
        let piece = Piece { value, shown_max, ..Piece::new(span.end().saturating_sub(self.at), Role::Value) };
        match crate::uuid(self.bytes.get(self.at..span.end()).unwrap_or_default()) {
            Ok(uuid) if subtype == UUID => self.piece(piece, format_args!("UUID {uuid}")),
            _ if value.is_none() => self.piece(piece, format_args!("not the bytes that the lengths say")),
            _ => self.piece(piece, format_args!("value")),
        }
    }

    /// Element type, padding and elements of a vector that ends at `end`.
    fn vector(&mut self, end: usize) -> Result<(), E> {
        let payload = self.bytes.get(self.at..end).unwrap_or_default();
        let (elements, padding) = (payload.first().copied(), payload.get(1).copied().unwrap_or_default());
        let name = match elements {
            Some(0x03) => "int8",
            Some(0x27) => "float32",
            Some(0x10) => "single bits",
            _ => "not known",
        };
        self.region(1, Role::Type, format_args!("vector elements: {name}"))?;
        self.region(1, Role::Value, format_args!("padding at the end, in bits: {padding}"))?;
        let len = end.saturating_sub(self.at);
        match crate::Vector::new(payload) {
            Ok(vector) => self.region(len, Role::Value, format_args!("elements: {}", vector.len())),
            Err(_) => self.region(len, Role::Value, format_args!("not the elements of such a vector")),
        }
    }
}

/// What binary of a subtype is, by the BSON specification.
const fn subtype_name(subtype: u8) -> &'static str {
    match subtype {
        0 => "any bytes",
        1 => "function",
        2 => "any bytes, the old form",
        3 => "UUID, the old form",
        4 => "UUID",
        5 => "MD5",
        6 => "encrypted",
        7 => "compressed column",
        8 => "sensitive, not shown",
        9 => "vector",
        128.. => "of the user's own",
        _ => "not defined",
    }
}
