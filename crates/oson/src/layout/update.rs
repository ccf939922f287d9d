//! What stands after the tree of images that are updated in place.

use boson_document::{Note, Role, Span};

use super::found::Owner;
use super::place::{Flags, counted, kind_at};
use super::teller::{Extra, Teller};
use crate::tag;
use crate::update::Update;
use crate::view::Document;
use crate::width::narrow;

const FLAGS: [(u16, &str); 1] = [(tag::MAP_UB2, "entries of the overflow map are pairs of UB2")];

impl<'a, E, F: FnMut(&Note<'_>) -> Result<(), E>> Teller<'a, '_, F> {
    pub(super) fn update(&mut self, document: &Document<'a>) -> Result<(), E> {
        let header = &document.header;
        let may_be_there = matches!(header.version, tag::VERSION_UPDATED | tag::VERSION_LONG_NAMES_UPDATED);
        if header.has_scalar_root() || !may_be_there {
            return Ok(());
        }
        self.section("update header", header.tree.end);
        self.update_header()?;
        let update = header.update;
        if !update.is_some() {
            // There is none, or it is at fault.
            return Ok(());
        }
        self.section("overflow map", update.map_at);
        for index in 0..update.entries {
            self.entry(document, &update, index)?;
        }
        self.gap(update.extended.start, "room to spare in the overflow map")?;
        self.section("extended tree segment", update.extended.start);
        let parts = &self.found.parts;
        let start = parts.partition_point(|part| part.at() < update.extended.start);
        self.parts(document, parts.get(start..).unwrap_or_default(), update.extended.end)
    }

    fn update_header(&mut self) -> Result<(), E> {
        let role = Role::UpdateHeader;
        self.field(2, role, |number| Flags::new("flags", number, &FLAGS).to_string())?;
        self.field(2, role, |number| {
            if number == 1 {
                "1 entry of the overflow map".to_owned()
            } else {
                format!("{number} entries of the overflow map")
            }
        })?;
        self.field(4, role, |number| format!("reserved, {number}"))?;
        self.field(4, role, |number| format!("overflow map of {}", counted(number, "byte")))?;
        self.field(4, role, |number| format!("extended tree segment of {}", counted(number, "byte")))
    }

    /// An offset in the primary tree and one in the extended tree.
    fn entry(&mut self, document: &Document<'a>, update: &Update, index: usize) -> Result<(), E> {
        let width = update.entry_width.bytes();
        self.whole = Span::new(update.entry_at(index), update.entry_len());
        let Ok((from, to)) = update.entry(document.source, index) else { return Ok(()) };
        let from_at = document.header.tree.start.saturating_add(from);
        let to_at = update.extended.start.saturating_add(to);
        let path = self
            .owner_of(from_at)
            .map_or_else(|| "nothing that is in use".to_owned(), |owner| self.found.path(document, owner));
        let meaning = format_args!("what was at offset {from}: {path}");
        self.region(width, Role::MapEntry, Extra::to(Some(from_at)), meaning)?;
        let meaning = format_args!("is at {to} in the extended tree: {}", kind_at(document, to_at));
        self.region(width, Role::MapEntry, Extra::to(Some(to_at)), meaning)
    }

    /// What refers to the part at `at`.
    fn owner_of(&self, at: usize) -> Option<Owner> {
        let at = narrow(at);
        let start = self.found.parts.partition_point(|part| part.at < at);
        self.found.parts.get(start).filter(|part| part.at == at).map(|part| part.owner)
    }
}
