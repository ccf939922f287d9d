//! The walk that tiles a document, whether or not it is sound.

use std::fmt::{self, Write as _};

use boson_document::{Note, Region, Role, Scalar, Span, find_byte};

use crate::tag::Tag;
use crate::view::place::{Place, Places};

/// How many bytes are shown of those that could not be read.
pub(super) const UNREAD_SHOWN_MAX: usize = 64;

/// How much of a name is told.
const NAME_SHOWN_MAX: usize = 64;

/// How a document is called: nothing in BSON has parts.
const SECTION: &str = "document";

/// Lays notes next to each other.
pub(super) struct Walk<'a, F> {
    pub(super) bytes: &'a [u8],
    span: Span,
    selection: Option<Span>,
    fault_at: Option<usize>,
    tell: F,
    /// The meaning of the region at hand.
    text: String,
    /// The documents around the next element, the root first.
    open: Vec<Level<'a>>,
    /// Where the next region begins.
    pub(super) at: usize,
    /// The element at hand.
    whole: Span,
}

struct Level<'a> {
    places: Places<&'a [u8]>,
    tag: Tag,
    /// The element that the document is.
    whole: Span,
    /// Whether its NUL is there; not when the document is cut.
    is_closed: bool,
}

/// What is particular about a region.
#[derive(Clone, Copy)]
pub(super) struct Piece<'a> {
    pub(super) len: usize,
    pub(super) role: Role,
    pub(super) value: Option<Scalar<'a>>,
    pub(super) shown_max: usize,
}

impl Piece<'_> {
    pub(super) const fn new(len: usize, role: Role) -> Self {
        Self { len, role, value: None, shown_max: usize::MAX }
    }
}

impl<'a, E, F: FnMut(&Note<'_>) -> Result<(), E>> Walk<'a, F> {
    /// Over the document at `span`, which reaches to the end of `bytes`.
    pub(super) fn new(bytes: &'a [u8], span: Span, selection: Option<Span>, fault_at: Option<usize>, tell: F) -> Self {
        let text = String::new();
        Self { bytes, span, selection, fault_at, tell, text, open: Vec::new(), at: span.offset, whole: span }
    }

    pub(super) fn run(mut self) -> Result<(), E> {
        self.root()?;
        while let Some(level) = self.open.last_mut() {
            let end = level.places.end();
            match level.places.next() {
                Ok(Some(place)) => self.element(place)?,
                Ok(None) => self.close(end)?,
                Err(_) => self.broken(end)?,
            }
        }
        self.unread(self.bytes.len(), UNREAD_SHOWN_MAX)
    }

    /// The next region.
    pub(super) fn piece(&mut self, piece: Piece<'_>, meaning: fmt::Arguments<'_>) -> Result<(), E> {
        let span = Span::between(self.at, self.at.saturating_add(piece.len).min(self.bytes.len()));
        if span.is_empty() {
            return Ok(());
        }
        self.at = span.end();
        if self.selection.is_some_and(|selected| span.offset < selected.offset || span.end() > selected.end()) {
            return Ok(());
        }
        self.text.clear();
        // Writing to a string cannot fail.
        let _ = self.text.write_fmt(meaning);
        let depth = u32::try_from(self.open.len()).unwrap_or(u32::MAX);
        (self.tell)(&Note {
            region: Region { span, role: piece.role, depth },
            section: SECTION,
            meaning: &self.text,
            value: piece.value,
            whole: self.whole,
            points_to: None,
            shown: span.len.min(piece.shown_max),
            is_fault: self.fault_at.is_some_and(|at| span.range().contains(&at)),
        })
    }

    /// The next `len` bytes.
    pub(super) fn region(&mut self, len: usize, role: Role, meaning: fmt::Arguments<'_>) -> Result<(), E> {
        self.piece(Piece::new(len, role), meaning)
    }

    /// The bytes up to `end`, which a fault keeps from being read.
    fn unread(&mut self, end: usize, shown_max: usize) -> Result<(), E> {
        let piece = Piece { shown_max, ..Piece::new(end.saturating_sub(self.at), Role::Unread) };
        self.piece(piece, format_args!("not read, because of the fault"))
    }

    /// Begins the outermost document. If it claims to be longer than the input its elements go on to the end.
    fn root(&mut self) -> Result<(), E> {
        let Some(declared) = i32_at(self.bytes, self.at) else { return Ok(()) };
        let available = self.span.len;
        match usize::try_from(declared).ok().filter(|&len| len >= 5) {
            None => self.region(4, Role::Length, format_args!("length {declared}: no document is that long")),
            Some(len) if len > available => self.cut(len, self.span.end(), Tag::Document),
            Some(len) => self.document(Span::new(self.span.offset, len), Tag::Document),
        }
    }

    /// Begins the document at `span`.
    pub(super) fn document(&mut self, span: Span, tag: Tag) -> Result<(), E> {
        self.region(4, Role::Length, format_args!("{} of {} bytes", noun(tag), span.len))?;
        self.begin(span, tag, true);
        Ok(())
    }

    /// Begins a document that claims to have `len` bytes, of which there are those up to `end`.
    fn cut(&mut self, len: usize, end: usize, tag: Tag) -> Result<(), E> {
        let available = end.saturating_sub(self.at);
        // Its elements may take all of them: there is no NUL.
        let span = Span::between(self.at, end.saturating_add(1));
        let meaning = format_args!("{} of {len} bytes, of which {available} are there", noun(tag));
        self.region(4, Role::Length, meaning)?;
        self.begin(span, tag, false);
        Ok(())
    }

    fn begin(&mut self, span: Span, tag: Tag, is_closed: bool) {
        self.open.push(Level { places: Places::new(self.bytes, span), tag, whole: self.whole, is_closed });
    }

    /// Ends the innermost document, whose NUL should stand at `end`.
    fn close(&mut self, end: usize) -> Result<(), E> {
        self.unread(end, UNREAD_SHOWN_MAX)?;
        let Some(level) = self.open.pop() else { return Ok(()) };
        self.whole = level.whole;
        if level.is_closed { self.terminator(format_args!("{}", noun(level.tag))) } else { Ok(()) }
    }

    /// The NUL that should end `what`.
    pub(super) fn terminator(&mut self, what: fmt::Arguments<'_>) -> Result<(), E> {
        match self.bytes.get(self.at) {
            Some(0) | None => self.region(1, Role::Terminator, format_args!("end of {what}")),
            Some(byte) => self.region(1, Role::Terminator, format_args!("0x{byte:02x}, no NUL to end the {what}")),
        }
    }

    fn element(&mut self, place: Place) -> Result<(), E> {
        self.whole = place.span();
        self.tag(place.tag)?;
        self.name(place.name.len)?;
        self.value(place.tag, place.value)
    }

    fn tag(&mut self, tag: Tag) -> Result<(), E> {
        self.region(1, Role::Type, format_args!("type {}", tag.kind()))
    }

    /// The name of `len` bytes and its NUL.
    fn name(&mut self, len: usize) -> Result<(), E> {
        let name = self.bytes.get(self.at..self.at.saturating_add(len)).unwrap_or_default();
        let is_array = self.open.last().is_some_and(|level| level.tag == Tag::Array);
        let word = if is_array { "index" } else { "name" };
        self.region(len, Role::Name, format_args!("{word} {}", Name(name)))?;
        self.terminator(format_args!("{word}"))
    }

    /// The element that begins here, in which there is a fault, and the rest of its document, which ends at `end`.
    fn broken(&mut self, end: usize) -> Result<(), E> {
        self.whole = Span::between(self.at, end);
        let end = end.min(self.bytes.len());
        let rest = self.bytes.get(self.at..end).unwrap_or_default();
        let Some((tag, rest)) = rest.split_first().and_then(|(&byte, rest)| Some((Tag::from_byte(byte)?, rest))) else {
            return self.unread(end, UNREAD_SHOWN_MAX);
        };
        self.tag(tag)?;
        let Some(name_len) = find_byte(0, rest) else { return self.unread(end, UNREAD_SHOWN_MAX) };
        self.name(name_len)?;
        self.broken_value(tag, end)
    }

    /// The length of the value that begins here, which cannot be, and the rest. A document that is cut goes on to the end.
    fn broken_value(&mut self, tag: Tag, end: usize) -> Result<(), E> {
        if let Some(declared) = i32_at(self.bytes.get(..end).unwrap_or_default(), self.at).filter(|_| has_length(tag)) {
            let len = usize::try_from(declared).ok().filter(|&len| len > end.saturating_sub(self.at));
            if let (Some(len), Tag::Document | Tag::Array) = (len, tag) {
                return self.cut(len, end, tag);
            }
            let left = end.saturating_sub(self.at).saturating_sub(4);
            self.region(4, Role::Length, format_args!("length {declared}, with {left} bytes left in the document"))?;
        }
        // Whatever its subtype: it may be what must not be shown.
        self.unread(end, if tag == Tag::Binary { 0 } else { UNREAD_SHOWN_MAX })
    }
}

const fn noun(tag: Tag) -> &'static str {
    if matches!(tag, Tag::Array) { "array" } else { "document" }
}

/// Whether values of this type begin with their length.
const fn has_length(tag: Tag) -> bool {
    matches!(
        tag,
        Tag::String
            | Tag::Document
            | Tag::Array
            | Tag::Binary
            | Tag::DbPointer
            | Tag::Code
            | Tag::Symbol
            | Tag::CodeWithScope
    )
}

/// The scope within code with scope at `value`, where the lengths add up.
pub(super) fn scope(bytes: &[u8], value: Span) -> Option<Span> {
    let string_at = value.offset.saturating_add(4);
    let string_len = usize::try_from(i32_at(bytes, string_at)?).ok().filter(|&len| len > 0)?;
    let scope_at = string_at.saturating_add(4).saturating_add(string_len);
    let scope_len = usize::try_from(i32_at(bytes, scope_at)?).ok().filter(|&len| len >= 5)?;
    (scope_at.checked_add(scope_len)? == value.end()).then(|| Span::between(scope_at, value.end()))
}

pub(super) fn i32_at(bytes: &[u8], at: usize) -> Option<i32> {
    bytes.get(at..).and_then(<[u8]>::first_chunk).map(|bytes| i32::from_le_bytes(*bytes))
}

/// A name in quotes, cut when it is long.
struct Name<'a>(&'a [u8]);

impl fmt::Display for Name<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A letter cut in two becomes U+FFFD.
        write!(f, "{:?}", String::from_utf8_lossy(self.0.get(..NAME_SHOWN_MAX).unwrap_or(self.0)))?;
        if self.0.len() > NAME_SHOWN_MAX { write!(f, "… ({} bytes)", self.0.len()) } else { Ok(()) }
    }
}
