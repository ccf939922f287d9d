//! The dictionary: hashes, offsets, names.

use boson_document::{Note, Role, Span};

use super::place::Shown;
use super::teller::{Extra, Teller};
use crate::dictionary::{Tier, short_hash};
use crate::view::Document;
use crate::width::Width;

/// Where one name stands in its heap.
struct Entry {
    /// The text.
    name: Span,
    /// Its number in the tier, from 0.
    index: usize,
}

impl<'a, E, F: FnMut(&Note<'_>) -> Result<(), E>> Teller<'a, '_, F> {
    pub(super) fn names(&mut self, document: &Document<'a>) -> Result<(), E> {
        let header = &document.header;
        for (tier, ids_before, name) in
            [(&header.short, 0, "short names"), (&header.long, header.short.count, "long names")]
        {
            if tier.count > 0 {
                self.section(name, tier.start);
                self.tier(document, tier, ids_before)?;
            }
        }
        Ok(())
    }

    /// One tier, the ids of which follow the first `ids_before`.
    fn tier(&mut self, document: &Document<'a>, tier: &Tier, ids_before: usize) -> Result<(), E> {
        let id = |index: usize| index.saturating_add(ids_before).saturating_add(1);
        // As many as there can be, whatever their number claims to be.
        let count = tier.count.min(self.bytes.len());
        for index in 0..count {
            self.hash(document, tier, index, id(index))?;
        }
        self.at = tier.offsets_at;
        for index in 0..count {
            self.name_offset(document, tier, index, id(index))?;
        }
        self.heap(document, tier, count, id)
    }

    fn hash(&mut self, document: &Document<'a>, tier: &Tier, index: usize, id: usize) -> Result<(), E> {
        if self.is_over() {
            return Ok(());
        }
        let len = tier.entry_width.bytes();
        self.whole = Span::new(self.at, len);
        let span = tier.name_span(document.source, index).ok();
        let name = span.and_then(|span| self.bytes.get(span.range()));
        let stored = self.number(self.at, len);
        let points_to = Extra::to(span.map(|span| span.offset.saturating_sub(len)));
        let expected = name.map(short_hash).filter(|&hash| tier.entry_width == Width::Ub1 && u64::from(hash) != stored);
        let shown = Shown(name.unwrap_or_default());
        match expected {
            Some(hash) => {
                self.region(len, Role::Hash, points_to, format_args!("hash of id {id} {shown}, not 0x{hash:02x}"))
            }
            None => self.region(len, Role::Hash, points_to, format_args!("hash of id {id} {shown}")),
        }
    }

    fn name_offset(&mut self, document: &Document<'a>, tier: &Tier, index: usize, id: usize) -> Result<(), E> {
        if self.is_over() {
            return Ok(());
        }
        let len = tier.offset_width.bytes();
        self.whole = Span::new(self.at, len);
        let offset = self.number(self.at, len);
        if let Ok(span) = tier.name_span(document.source, index) {
            let name = Shown(self.bytes.get(span.range()).unwrap_or_default());
            let to = Extra::to(Some(span.offset.saturating_sub(tier.entry_width.bytes())));
            self.region(len, Role::NameOffset, to, format_args!("heap offset {offset} of id {id} {name}"))
        } else {
            let meaning = format_args!("heap offset {offset} of id {id}, outside of the heap");
            self.region(len, Role::NameOffset, Extra::NONE, meaning)
        }
    }

    /// The names in the order of the heap.
    fn heap(
        &mut self,
        document: &Document<'a>,
        tier: &Tier,
        count: usize,
        id: impl Fn(usize) -> usize,
    ) -> Result<(), E> {
        let place = |index| Some(Entry { name: tier.name_span(document.source, index).ok()?, index });
        let mut entries: Vec<Entry> = (0..count)
            .map_while(|index| {
                // Beyond the end nothing can be read, however many names are claimed.
                let slot = tier.offset_width.place(tier.offsets_at, index);
                (slot < document.source.len()).then(|| place(index))
            })
            .flatten()
            .collect();
        entries.sort_unstable_by_key(|entry| (entry.name.offset, entry.index));
        for entry in entries {
            self.name(tier, &entry, id(entry.index))?;
        }
        self.gap(tier.heap.end, "in the heap, but no name")
    }

    fn name(&mut self, tier: &Tier, entry: &Entry, id: usize) -> Result<(), E> {
        let width = tier.entry_width.bytes();
        let start = entry.name.offset.saturating_sub(width);
        self.gap(start, "in the heap, but no name")?;
        self.at = start;
        self.whole = Span::between(start, entry.name.end());
        let len = entry.name.len;
        self.region(width, Role::NameLength, Extra::NONE, format_args!("length {len} of a name"))?;
        let name = Shown(self.bytes.get(entry.name.range()).unwrap_or_default());
        self.region(len, Role::Name, Extra::NONE, format_args!("id {id} {name}"))
    }
}
