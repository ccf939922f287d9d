//! One value and what leads to it.

use boson_document::{DecodeError, PathBuf, Segment, Span};

use super::found::owner_of_ids;
use super::place::name_at;
use crate::dictionary::NameId;
use crate::node::{Container, Node};
use crate::tour::{Tour, Visit};
use crate::update::SortedMap;
use crate::view::Document;

/// A value of an image, for an explanation of it alone: its nodes, what an update left of it where it stood before, and,
/// where it is a field or an element, the offset that leads to it, its id and its name.
#[derive(Clone, Debug)]
pub struct Selection {
    /// In order, with something between any two.
    spans: Vec<Span>,
}

impl Selection {
    /// Whether the byte at `at` belongs to it.
    pub(super) fn contains(&self, at: usize) -> bool {
        let after = self.spans.partition_point(|span| span.offset <= at);
        let last = after.checked_sub(1).and_then(|index| self.spans.get(index));
        last.is_some_and(|span| at < span.end())
    }

    pub(super) fn of(document: &Document<'_>, path: &PathBuf) -> Result<Option<Self>, DecodeError> {
        let mut selection = Self { spans: Vec::new() };
        let mut at = document.header.tree.start;
        let mut last = None;
        for segment in path.segments() {
            let resolved = document.resolve(at, document)?;
            let Node::Container(container) = document.node(resolved)? else { return Ok(None) };
            let Some(index) = index_of(document, &container, segment)? else { return Ok(None) };
            at = document.child(&container, index)?;
            last = Some((container, index));
        }
        match last {
            Some((container, index)) => selection.mark_place(document, &container, index),
            None => selection.mark(Span::new(0, document.source.len())),
        }
        selection.mark_value(document, at)?;
        selection.merge();
        Ok(Some(selection))
    }

    fn mark(&mut self, span: Span) {
        self.spans.push(span);
    }

    fn merge(&mut self) {
        self.spans.sort_unstable_by_key(|span| span.offset);
        self.spans.dedup_by(|later, earlier| {
            let touches = later.offset <= earlier.end();
            if touches {
                *earlier = Span::between(earlier.offset, earlier.end().max(later.end()));
            }
            touches
        });
    }

    /// The offset of child `index` of `container`, its id and its name.
    fn mark_place(&mut self, document: &Document<'_>, container: &Container, index: usize) {
        self.mark(Span::new(container.slot(index), container.offset_width().bytes()));
        if container.is_array() {
            return;
        }
        self.mark(Span::new(document.id_slot(container, index), document.header.id_width.bytes()));
        if let Ok(id) = document.field_id(container, index) {
            self.mark_name(document, id);
        }
    }

    /// The name with this id, its hash and its offset.
    fn mark_name(&mut self, document: &Document<'_>, id: usize) {
        let Some(name) = name_at(document, id) else { return };
        let header = &document.header;
        let in_long = id.checked_sub(header.short.count).filter(|&id| id > 0);
        let (tier, id) = in_long.map_or((&header.short, id), |id| (&header.long, id));
        let (index, width) = (id.saturating_sub(1), tier.entry_width);
        self.mark(Span::new(width.place(tier.start, index), width.bytes()));
        self.mark(Span::new(tier.offset_width.place(tier.offsets_at, index), tier.offset_width.bytes()));
        self.mark(Span::between(name.offset.saturating_sub(width.bytes()), name.end()));
    }

    /// The node at `at` and all in it, as far as it can be read.
    fn mark_value(&mut self, document: &Document<'_>, at: usize) -> Result<(), DecodeError> {
        let tour = Tour::of(document, SortedMap::of(document)?, at);
        let mut moved = Vec::new();
        for visit in tour {
            match visit {
                Visit::Node(node) => self.mark_node(document, &node),
                Visit::Forwarding { at, len } => {
                    self.mark(Span::new(at, len));
                    moved.push(at);
                }
                Visit::Again { .. } | Visit::Fault(_) => {}
            }
        }
        moved.sort_unstable();
        self.mark_entries(document, &moved);
        Ok(())
    }

    fn mark_node(&mut self, document: &Document<'_>, node: &Node) {
        self.mark(node.span());
        if let Node::Container(object) = node
            && object.is_shared()
        {
            let count_at = owner_of_ids(object).saturating_add(1);
            self.mark(Span::between(count_at, document.id_slot(object, object.count)));
        }
    }

    /// The entries of the overflow map for what stood at the places `moved`.
    fn mark_entries(&mut self, document: &Document<'_>, moved: &[usize]) {
        let update = &document.header.update;
        for index in 0..update.entries {
            let Ok((from, _)) = update.entry(document.source, index) else { return };
            if moved.binary_search(&document.header.tree.start.saturating_add(from)).is_ok() {
                self.mark(Span::new(update.entry_at(index), update.entry_len()));
            }
        }
    }
}

/// Which child of `container` the step leads to.
fn index_of(document: &Document<'_>, container: &Container, segment: &Segment) -> Result<Option<usize>, DecodeError> {
    match segment {
        Segment::Index(index) => Ok(Some(*index).filter(|&index| container.is_array() && index < container.count)),
        Segment::Field(_) if container.is_array() => Ok(None),
        Segment::Field(name) => match document.name_id(name)? {
            Some(NameId(id)) => document.find_field(container, id),
            None => Ok(None),
        },
    }
}
