//! The walk over a whole document.

use std::mem;

use boson_document::{
    Container as Begun, DecodeError, DecodeErrorKind, Descend, Limit, Limits, Rule, Scalar, Sink, Source, Span, as_text,
};

use crate::budget::Budget;
use crate::fault;
use crate::marks::Marks;
use crate::node::{Container, Node};
use crate::scalar::{Class, Leaf, text};
use crate::tag::container;
use crate::update::{Resolved, SortedMap};
use crate::view::{Document, FieldOrder};
use crate::width::Width;

/// A document to be walked within bounds of the caller's choice.
#[derive(Clone, Copy, Debug)]
pub struct Limited<'a> {
    document: Document<'a>,
    limits: Limits,
}

impl<'a> Document<'a> {
    /// The same document as a source that keeps to `limits` instead of [`Limits::OSON`].
    ///
    /// Values that are shared are delivered at each of their places, so a small image could unfold into all that any
    /// limits allow. Whatever they are, therefore, no more is delivered than
    /// - 65536 values and 1024 more per byte of the image;
    /// - 64 MiB of names and leaves or, where that is more, 256 times the bytes of the image; and never more than 8 times
    ///   the limit of bytes, which is for the image itself.
    pub const fn limited(&self, limits: Limits) -> Limited<'a> {
        Limited { document: *self, limits }
    }

    /// Delivers an image that this crate has written itself, whatever it unfolds into.
    pub(crate) fn drive_unbounded<S: Sink>(&self, sink: &mut S) -> Result<(), S::Error> {
        let limits = Limits { depth: u32::MAX, nodes: u64::MAX, bytes: usize::MAX };
        Walk::new(self, limits, Budget::UNBOUNDED)?.run(sink)
    }
}

impl Source for Document<'_> {
    /// Delivers the whole document within [`Limits::OSON`] and the bounds that the size of the image sets; see
    /// [`limited`](Self::limited) for both.
    ///
    /// Every scalar, name and field id that is delivered is checked, so are forwardings; a name that occurs twice in an
    /// object is refused. What a sink skips is not checked. A container's span is its own node.
    ///
    /// **Order.** Objects of up to 10 fields, and those whose ids are not sorted, are delivered in their stored order,
    /// which is that of the input. Fields of larger objects are delivered by the places of their values, if these all
    /// differ, which restores the order of the input for images written by this crate; else in stored order. That is the
    /// order of [`fields_in_order`](crate::Value::fields_in_order).
    fn drive<S: Sink>(&self, sink: &mut S) -> Result<(), S::Error> {
        self.limited(Limits::OSON).drive(sink)
    }
}

impl Source for Limited<'_> {
    fn drive<S: Sink>(&self, sink: &mut S) -> Result<(), S::Error> {
        let budget = Budget::new(&self.limits, self.document.source.len());
        Walk::new(&self.document, self.limits, budget)?.run(sink)
    }
}

/// A name of the dictionary, checked once.
#[derive(Clone, Copy, Debug)]
struct Name<'a> {
    text: &'a str,
    offset: usize,
}

/// A container that is being walked.
#[derive(Clone, Copy, Debug)]
struct Frame {
    container: Container,
    /// How many children were delivered.
    next: usize,
    /// Where the order of its fields begins, unless that is the stored one.
    order: Option<usize>,
    /// The highest place of it and of those around it: what stands behind that is none of them.
    highest: usize,
}

/// The containers that are being walked, outermost first.
///
/// The innermost stays where it is while its children are delivered: to move it costs more than to look at it.
#[derive(Default)]
struct Open {
    frames: Vec<Frame>,
    /// Where those stand that are too deep to be looked through one by one.
    deep: Marks,
}

impl Open {
    /// How many levels are looked through one by one.
    const SHALLOW: usize = 16;

    /// Adds one, at the beginning of its children; `len` is that of the image.
    #[inline]
    fn push(&mut self, container: &Container, order: Option<usize>, len: usize) {
        if self.frames.len() >= Self::SHALLOW {
            if self.deep.is_empty() {
                self.deep = Marks::with_len(len);
            }
            self.deep.insert(container.at);
        }
        let highest = self.frames.last().map_or(0, |frame| frame.highest).max(container.at);
        self.frames.push(Frame { container: *container, next: 0, order, highest });
    }

    #[inline]
    fn pop(&mut self) {
        if let Some(frame) = self.frames.pop()
            && self.frames.len() >= Self::SHALLOW
        {
            self.deep.remove(frame.container.at);
        }
    }

    /// Checks that the container at `at` may be walked inside of these.
    #[inline]
    fn check(&self, at: usize, depth_max: u32) -> Result<(), DecodeError> {
        let Some(outer) = self.frames.last() else { return Ok(()) };
        let depth = self.frames.len().saturating_add(1);
        if u32::try_from(depth).map_or(true, |depth| depth > depth_max) {
            return Err(fault::limit(at, Limit::Depth(depth_max)));
        }
        if at <= outer.highest && self.contains(at) {
            let slot = outer.container.slot(outer.next.saturating_sub(1));
            return Err(fault::broken(slot, Rule::Cycle));
        }
        Ok(())
    }

    /// Whether one stands at `at`.
    fn contains(&self, at: usize) -> bool {
        self.frames.iter().take(Self::SHALLOW).any(|frame| frame.container.at == at) || self.deep.contains(at)
    }
}

/// The state of a walk. Nothing in it grows with a number that the image merely claims: there are as many names as the
/// header has found room for, and every child is paid for from the budget of nodes before room for it is made.
struct Walk<'a> {
    document: Document<'a>,
    names: Vec<Name<'a>>,
    map: SortedMap,
    limits: Limits,
    budget: Budget,
    open: Open,
    order: FieldOrder,
    seen: SeenIds,
}

impl<'a> Walk<'a> {
    fn new(document: &Document<'a>, limits: Limits, budget: Budget) -> Result<Self, DecodeError> {
        if document.source.len() > limits.bytes {
            return Err(fault::limit(0, Limit::Bytes));
        }
        Ok(Self {
            document: *document,
            names: names(document)?,
            map: SortedMap::of(document)?,
            limits,
            budget,
            open: Open::default(),
            order: FieldOrder::new(),
            seen: SeenIds::default(),
        })
    }

    fn run<S: Sink>(&mut self, sink: &mut S) -> Result<(), S::Error> {
        let (root, hops) = self.document.root_node(&self.map)?;
        self.budget.pay_nodes(self.document.header.tree.start, u64::from(hops).saturating_add(1))?;
        match root {
            Node::Leaf(leaf) => return deliver(&self.document, &mut self.budget, leaf, sink),
            Node::Container(container) => self.begin(&container, sink)?,
        }
        while let Some(frame) = self.open.frames.last() {
            let is_array = frame.container.is_array();
            match self.advance(is_array, sink)? {
                Some(inner) => {
                    let inner = self.document.container(inner.at, inner.opcode)?;
                    self.begin(&inner, sink)?;
                }
                None => self.end(sink)?,
            }
        }
        Ok(())
    }

    /// Delivers the children of the innermost container up to the next that is one itself, which is returned.
    #[inline]
    fn advance<S: Sink>(&mut self, is_array: bool, sink: &mut S) -> Result<Option<Resolved>, S::Error> {
        let Self { document, names, map, budget, open, order, .. } = self;
        let Some(frame) = open.frames.last_mut() else { return Ok(None) };
        while frame.next < frame.container.count {
            let index = frame.order.map_or(frame.next, |start| order.index(start, frame.next));
            frame.next = frame.next.wrapping_add(1);
            if !is_array {
                let id = document.field_id(&frame.container, index)?;
                let name = names.get(id.wrapping_sub(1));
                let Name { text, offset } = *name.ok_or_else(|| unknown_id(document, &frame.container, index, id))?;
                budget.pay_bytes(offset, text.len())?;
                sink.numbered_key(id, text, Span::new(offset, text.len()))?;
            }
            let at = document.child(&frame.container, index)?;
            let resolved = document.resolve(at, map)?;
            if resolved.hops > 0 {
                budget.pay_nodes(at, u64::from(resolved.hops))?;
            }
            if resolved.opcode & container::CONTAINER != 0 {
                return Ok(Some(resolved));
            }
            let leaf = match document.common_leaf(resolved.at) {
                Some(leaf) => leaf,
                None => document.leaf(resolved.at, resolved.opcode)?,
            };
            deliver(document, budget, leaf, sink)?;
        }
        Ok(None)
    }

    /// Delivers the beginning of a container, whose children are then to be walked unless the sink skips them.
    #[inline]
    fn begin<S: Sink>(&mut self, container: &Container, sink: &mut S) -> Result<(), S::Error> {
        let begun = Begun { span: container.span(), len: Some(container.count) };
        let descend = if container.is_array() { sink.begin_array(begun)? } else { sink.begin_object(begun)? };
        if descend == Descend::Into {
            self.enter(container)?;
        }
        Ok(())
    }

    /// Checks and pays for the children of `container`, and finds their order.
    #[inline]
    fn enter(&mut self, container: &Container) -> Result<(), DecodeError> {
        self.budget.pay_nodes(container.at, u64::try_from(container.count).unwrap_or(u64::MAX))?;
        let mut order = None;
        if !container.is_array() {
            self.seen.check(&self.document, container)?;
            order = self.order.push(&self.document, container)?;
            // The children of containers inside each other have places of their own: with more than fit the image, the
            // same bytes are being read as many containers.
            if self.order.len() > self.document.source.len() {
                return Err(fault::limit(container.at, Limit::Nodes));
            }
        }
        self.open.check(container.at, self.limits.depth)?;
        self.open.push(container, order, self.document.source.len());
        Ok(())
    }

    /// Delivers the end of the innermost container.
    #[inline]
    fn end<S: Sink>(&mut self, sink: &mut S) -> Result<(), S::Error> {
        let Some(frame) = self.open.frames.last() else { return Ok(()) };
        if let Some(start) = frame.order {
            self.order.pop(start);
        }
        if frame.container.is_array() {
            sink.end_array()?;
        } else {
            sink.end_object()?;
        }
        self.open.pop();
        Ok(())
    }
}

/// Delivers a leaf.
#[inline]
fn deliver<S: Sink>(document: &Document<'_>, budget: &mut Budget, leaf: Leaf, sink: &mut S) -> Result<(), S::Error> {
    let payload = document.payload(&leaf)?;
    budget.pay_bytes(leaf.at, payload.len())?;
    let span = Span::between(leaf.at.wrapping_add(1), leaf.end);
    match leaf.class {
        // The most frequent of all; what it is does not pass through memory.
        Class::String => sink.scalar(Scalar::String(text(payload, leaf.payload_at)?), span),
        class => sink.scalar(class.decode(payload, leaf.payload_at)?, span),
    }
}

#[cold]
fn unknown_id(document: &Document<'_>, object: &Container, index: usize, id: usize) -> DecodeError {
    fault::unknown_id(document.id_slot(object, index), id)
}

/// All names of the dictionary. That two are the same is only found here where they stand next to each other, as equal
/// names do in sorted order.
///
/// Together they must not take more bytes than the heaps have: if names could lie on top of each other, a small image
/// could have gigabytes of them.
fn names<'a>(document: &Document<'a>) -> Result<Vec<Name<'a>>, DecodeError> {
    let header = &document.header;
    let mut names = Vec::with_capacity(header.name_count());
    let mut heap_left = header.short.heap.len().saturating_add(header.long.heap.len());
    for span in header.name_spans(document.source) {
        let span = span?;
        // Each has a length of one byte at least in front of it.
        let left = heap_left.checked_sub(span.len.saturating_add(1));
        heap_left = left.ok_or_else(|| fault::broken(span.offset, Rule::NameOutsideHeap))?;
        let bytes = document.source.get(span.range()).unwrap_or_default();
        let text = as_text(bytes).ok_or_else(|| fault::invalid_utf8(span.offset, bytes))?;
        if names.last().is_some_and(|last: &Name<'_>| last.text == text) {
            return Err(fault::broken(span.offset, Rule::DictionaryOrder));
        }
        names.push(Name { text, offset: span.offset });
    }
    Ok(names)
}

/// Finds field ids that occur twice in an object.
#[derive(Debug, Default)]
struct SeenIds {
    /// For each id, by its value, the object it was seen in last. Empty until an object with wide, unsorted ids comes.
    seen_in: Vec<u32>,
    /// The number of the object at hand, from 1.
    object: u32,
    /// Where the ids of the object stood that was checked last: objects that share ids need no second look.
    checked_at: Option<(usize, bool)>,
}

impl SeenIds {
    /// # Errors
    ///
    /// `DuplicateName`; `FieldIdOrder` where the ids should be sorted; `FieldIdOutOfRange`.
    #[inline]
    fn check(&mut self, document: &Document<'_>, object: &Container) -> Result<(), DecodeError> {
        let sorted = document.has_sorted_ids(object);
        if object.count < 2 || self.checked_at == Some((object.ids_at, sorted)) {
            return Ok(());
        }
        match document.header.id_width {
            _ if sorted => check_ascending(document, object)?,
            Width::Ub1 => check_bytes(document, object)?,
            Width::Ub2 | Width::Ub4 => self.check_wide(document, object)?,
        }
        self.checked_at = Some((object.ids_at, sorted));
        Ok(())
    }

    fn check_wide(&mut self, document: &Document<'_>, object: &Container) -> Result<(), DecodeError> {
        self.seen_in.resize(document.header.name_count().saturating_add(1), 0);
        self.object = self.object.wrapping_add(1);
        if self.object == 0 {
            self.seen_in.fill(0);
            self.object = 1;
        }
        for index in 0..object.count {
            let id = document.field_id(object, index)?;
            let slot = document.id_slot(object, index);
            let seen_in = self.seen_in.get_mut(id).ok_or_else(|| fault::unknown_id(slot, id))?;
            if mem::replace(seen_in, self.object) == self.object {
                return Err(DecodeError::new(slot, DecodeErrorKind::DuplicateName));
            }
        }
        Ok(())
    }
}

fn check_ascending(document: &Document<'_>, object: &Container) -> Result<(), DecodeError> {
    let mut last = 0;
    for index in 0..object.count {
        let id = document.field_id(object, index)?;
        if id <= last && index > 0 {
            let slot = document.id_slot(object, index);
            let fault =
                if id == last { DecodeErrorKind::DuplicateName } else { DecodeErrorKind::Broken(Rule::FieldIdOrder) };
            return Err(DecodeError::new(slot, fault));
        }
        last = id;
    }
    Ok(())
}

/// One bit for each of the 256 ids there can be.
fn check_bytes(document: &Document<'_>, object: &Container) -> Result<(), DecodeError> {
    let ids = document.source.get(object.ids_at..object.ids_at.saturating_add(object.count)).unwrap_or_default();
    let mut seen = [0_u64; 4];
    for (index, &id) in ids.iter().enumerate() {
        let bit = 1_u64 << (id & 63);
        if let Some(word) = seen.get_mut(usize::from(id >> 6)) {
            if *word & bit != 0 {
                return Err(DecodeError::new(document.id_slot(object, index), DecodeErrorKind::DuplicateName));
            }
            *word |= bit;
        }
    }
    Ok(())
}
