//! What each byte of a BSON document is for.

use boson_document::{DecodeError, Discard, Layout, Region, Role, Source, Span};

use crate::cursor::{Cursor, OLD_BINARY};
use crate::tag::Tag;
use crate::view::Document;
use crate::view::place::{Place, Places};

impl Layout for Document<'_> {
    fn regions(&self) -> Result<Vec<Region>, DecodeError> {
        self.drive(&mut Discard)?;
        let mut tiles = Tiles { bytes: self.source(), open: Vec::new(), regions: Vec::new() };
        tiles.open(self.span());
        tiles.run()?;
        Ok(tiles.regions)
    }
}

/// Lays regions next to each other, over a document that was checked.
struct Tiles<'a> {
    bytes: &'a [u8],
    open: Vec<Places<&'a [u8]>>,
    regions: Vec<Region>,
}

impl Tiles<'_> {
    fn run(&mut self) -> Result<(), DecodeError> {
        while let Some(elements) = self.open.last_mut() {
            match elements.next()? {
                Some(place) => self.element(place)?,
                None => self.close(),
            }
        }
        Ok(())
    }

    /// Begins the document at `span`.
    fn open(&mut self, span: Span) {
        self.push(span.offset, 4, Role::Length);
        self.open.push(Places::new(self.bytes, span));
    }

    fn close(&mut self) {
        if let Some(elements) = self.open.pop() {
            self.push(elements.end(), 1, Role::Terminator);
        }
    }

    fn element(&mut self, place: Place) -> Result<(), DecodeError> {
        self.push(place.name.offset.saturating_sub(1), 1, Role::Type);
        self.name(place.name);
        let at = place.value.offset;
        match place.tag {
            Tag::Document | Tag::Array => self.open(place.value),
            Tag::CodeWithScope => {
                self.push(at, 4, Role::Length);
                let scope_at = self.string(at.saturating_add(4))?;
                self.open(Span::between(scope_at, place.value.end()));
            }
            Tag::String | Tag::Code | Tag::Symbol => {
                self.string(at)?;
            }
            Tag::DbPointer => {
                let id_at = self.string(at)?;
                self.push(id_at, 12, Role::Value);
            }
            Tag::Regex => self.regex(place.value)?,
            Tag::Binary => self.binary(place.value)?,
            _ => self.push(at, place.value.len, Role::Value),
        }
        Ok(())
    }

    fn name(&mut self, name: Span) {
        self.push(name.offset, name.len, Role::Name);
        self.push(name.end(), 1, Role::Terminator);
    }

    /// The string at `at`; returns the offset after its NUL.
    fn string(&mut self, at: usize) -> Result<usize, DecodeError> {
        let mut cursor = Cursor::new(self.bytes, at);
        let len = cursor.string(0)?.len();
        self.push(at, 4, Role::Length);
        self.push(at.saturating_add(4), len, Role::Value);
        self.push(at.saturating_add(4).saturating_add(len), 1, Role::Terminator);
        Ok(cursor.at())
    }

    fn regex(&mut self, value: Span) -> Result<(), DecodeError> {
        let mut cursor = Cursor::new(self.bytes, value.offset);
        for _ in 0..2 {
            let at = cursor.at();
            let len = cursor.cstring()?.len();
            self.push(at, len, Role::Value);
            self.push(at.saturating_add(len), 1, Role::Terminator);
        }
        Ok(())
    }

    fn binary(&mut self, value: Span) -> Result<(), DecodeError> {
        let mut cursor = Cursor::new(self.bytes, value.offset.saturating_add(4));
        let [subtype] = cursor.array()?;
        self.push(value.offset, 4, Role::Length);
        self.push(value.offset.saturating_add(4), 1, Role::Subtype);
        if subtype == OLD_BINARY {
            self.push(cursor.at(), 4, Role::Length);
            cursor.array::<4>()?;
        }
        self.push(cursor.at(), value.end().saturating_sub(cursor.at()), Role::Value);
        Ok(())
    }

    /// Adds a region; none when it has no bytes.
    fn push(&mut self, offset: usize, len: usize, role: Role) {
        if len > 0 {
            let depth = u32::try_from(self.open.len()).unwrap_or(u32::MAX);
            self.regions.push(Region { span: Span::new(offset, len), role, depth });
        }
    }
}
