//! What each byte of an image is for.

use boson_document::{DecodeError, Layout, Region, Role, Span};

use crate::dictionary::Tier;
use crate::header::Header;
use crate::node::{Container, Node};
use crate::scalar::Leaf;
use crate::tag::{self, flag};
use crate::tour::{Tour, Visit};
use crate::update::SortedMap;
use crate::view::Document;

impl Layout for Document<'_> {
    /// The regions of an image: header, dictionary, every node once however often it is shared, the overflow map and the
    /// extended tree. Bytes that nothing refers to, such as the rest of a value that was moved and the room to spare in
    /// the map, are [`Role::Slack`].
    ///
    /// The payloads of values are not checked. Where two nodes overlap, which no writer lets happen, the one that begins
    /// first has the bytes they share.
    fn regions(&self) -> Result<Vec<Region>, DecodeError> {
        let mut regions = Regions::default();
        regions.header(&self.header);
        for tier in [&self.header.short, &self.header.long] {
            regions.tier(self, tier)?;
        }
        regions.tree(self)?;
        regions.update(&self.header);
        Ok(regions.tiled(self.source.len()))
    }
}

/// Regions in no order.
#[derive(Default)]
struct Regions {
    found: Vec<Region>,
    depth: u32,
    /// Where the next one begins.
    at: usize,
}

impl Regions {
    /// The next `len` bytes have this role.
    fn take(&mut self, len: usize, role: Role) {
        if len > 0 {
            self.found.push(Region { span: Span::new(self.at, len), role, depth: self.depth });
        }
        self.at = self.at.saturating_add(len);
    }

    /// The next bytes up to `end` have this role.
    fn take_until(&mut self, end: usize, role: Role) {
        self.take(end.saturating_sub(self.at), role);
    }

    fn header(&mut self, header: &Header) {
        self.take(tag::MAGIC.len(), Role::Magic);
        self.take(1, Role::Version);
        self.take(2, Role::Flags);
        if !header.has_scalar_root() {
            self.take(header.id_width.bytes(), Role::HeaderSize);
            self.take(header.short.offset_width.bytes(), Role::HeaderSize);
            if header.version >= tag::VERSION_LONG_NAMES {
                self.take(2, Role::Flags);
                self.take(4, Role::HeaderSize);
                self.take(4, Role::HeaderSize);
            }
        }
        self.take(if header.has(flag::TREE_UB4) { 4 } else { 2 }, Role::HeaderSize);
        if !header.has_scalar_root() {
            self.take(2, Role::HeaderSize);
        }
    }

    fn tier(&mut self, document: &Document<'_>, tier: &Tier) -> Result<(), DecodeError> {
        self.at = tier.start;
        self.take_until(tier.offsets_at, Role::Hash);
        for _ in 0..tier.count {
            self.take(tier.offset_width.bytes(), Role::NameOffset);
        }
        for index in 0..tier.count {
            let name = tier.name_span(document.source, index)?;
            let length = tier.entry_width.bytes();
            self.at = name.offset.saturating_sub(length);
            self.take(length, Role::NameLength);
            self.take(name.len, Role::Name);
        }
        Ok(())
    }

    fn tree(&mut self, document: &Document<'_>) -> Result<(), DecodeError> {
        let mut tour = Tour::new(document, SortedMap::of(document)?);
        while let Some(visit) = tour.next() {
            self.depth = tour.depth(&visit);
            match visit {
                Visit::Fault(error) => return Err(error),
                Visit::Forwarding { at, len } => {
                    self.at = at;
                    self.take(1, Role::Type);
                    self.take(len.saturating_sub(1), Role::Forward);
                }
                Visit::Node(Node::Leaf(leaf)) => self.leaf(&leaf),
                Visit::Node(Node::Container(container)) => self.container(document, &container),
            }
        }
        self.depth = 0;
        Ok(())
    }

    fn leaf(&mut self, leaf: &Leaf) {
        self.at = leaf.at;
        self.take(leaf.opcode_len(), Role::Type);
        self.take_until(leaf.payload_at, Role::Length);
        self.take_until(leaf.end, Role::Value);
    }

    fn container(&mut self, document: &Document<'_>, container: &Container) {
        self.at = container.at;
        self.take(1, Role::Type);
        if container.is_shared() {
            self.take_until(container.offsets_at, Role::OwnerOffset);
            self.take_until(container.end(), Role::ChildOffset);
            // The owner's own value may have moved, and then only its count and ids are still in use.
            self.ids(document, container);
            return;
        }
        self.take_until(container.ids_at, Role::Count);
        self.take_until(container.offsets_at, Role::FieldId);
        self.take_until(container.end(), Role::ChildOffset);
    }

    /// The count and the ids that an object has from another.
    fn ids(&mut self, document: &Document<'_>, object: &Container) {
        self.at = object.ids_at.saturating_sub(object.count_width.bytes());
        self.take_until(object.ids_at, Role::Count);
        self.take_until(document.id_slot(object, object.count), Role::FieldId);
    }

    fn update(&mut self, header: &Header) {
        let update = &header.update;
        if !update.is_some() {
            return;
        }
        self.at = header.tree.end;
        self.take(tag::UPDATE_HEADER_LEN, Role::UpdateHeader);
        for _ in 0..update.entries {
            self.take(update.entry_len(), Role::MapEntry);
        }
    }

    /// The regions in the order of their bytes: what is between two of them is slack, and of two that overlap the later
    /// one is cut.
    fn tiled(mut self, len: usize) -> Vec<Region> {
        self.found.sort_unstable_by_key(|region| (region.span.offset, region.depth, region.role));
        let mut tiles = Vec::with_capacity(self.found.len());
        let mut end = 0;
        for region in self.found {
            if region.span.offset > end {
                tiles.push(slack(end, region.span.offset));
            }
            let span = Span::between(region.span.offset.max(end), region.span.end());
            if !span.is_empty() {
                tiles.push(Region { span, ..region });
                end = span.end();
            }
        }
        if end < len {
            tiles.push(slack(end, len));
        }
        tiles
    }
}

const fn slack(start: usize, end: usize) -> Region {
    Region { span: Span::between(start, end), role: Role::Slack, depth: 0 }
}
