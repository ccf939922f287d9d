//! The sink that takes documents in.

use boson_document::{Container, DecodeError, Descend, Kind, Scalar, Sink, Source, Span};

use crate::distinct::{hash, hash_bits};
use crate::node::{Keys, Node};
use crate::options::{Framing, Options, Spans};
use crate::profile::{Profile, Totals};
use crate::shape::{self, Shape};
use crate::trie::{ROOT, Trie};

/// Takes documents in, one after the other, and becomes their [`Profile`].
///
/// One pass, and nothing is allocated for a field once its path and its kind of value have been met. Memory stays bounded
/// whatever the documents hold: see [`Bounds`](crate::Bounds).
#[derive(Debug)]
pub struct Profiler {
    trie: Trie,
    options: Options,
    framing: Framing,
    totals: Totals,
    /// The container whose members come now.
    top: Frame,
    /// The containers around it.
    outer: Vec<Frame>,
    /// The path of the member whose key came last.
    pending: u32,
    /// The bytes of that key.
    name_bytes: usize,
    /// A number for each container, growing.
    containers: u64,
    /// The number that this document itself has among them.
    document_start: u64,
    /// Bytes of this document that have a path.
    accounted: u64,
}

/// A container that is open.
#[derive(Clone, Copy, Debug)]
struct Frame {
    node: u32,
    members: Members,
    /// Whether it is itself a value of its node, not something inside of one that is too deep.
    counts: bool,
    /// Its number.
    number: u64,
    /// Where what has not been accounted for begins.
    at: usize,
    /// Where the container ends.
    end: usize,
    /// The member that came last; the root, which is no member, before the first.
    previous: u32,
    /// How many members came.
    len: u64,
}

/// Where the members of a container go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Members {
    /// It is no container: the document itself is what comes.
    Document,
    /// Each to the path of its key.
    Apart,
    /// All to one path.
    Folded(u32),
    /// All to the path of the elements.
    Elements,
    /// Nowhere: too deep.
    Closed,
}

impl Frame {
    const DOCUMENT: Self =
        Self { node: ROOT, members: Members::Document, counts: true, number: 0, at: 0, end: 0, previous: ROOT, len: 0 };
}

impl Profiler {
    /// A profiler of documents whose spans are framed as `framing` says.
    pub fn new(options: Options, framing: Framing) -> Self {
        Self {
            trie: Trie::new(options.bounds),
            options,
            framing,
            totals: Totals::default(),
            top: Frame::DOCUMENT,
            outer: Vec::new(),
            pending: ROOT,
            name_bytes: 0,
            containers: 0,
            document_start: 0,
            accounted: 0,
        }
    }

    /// Takes in one document of `bytes` bytes.
    ///
    /// # Errors
    ///
    /// The document's first fault. What came before it is in the profile, the document is counted as broken, and its
    /// other bytes as bytes without a path; the next document may follow.
    pub fn document(&mut self, source: &impl Source, bytes: u64) -> Result<(), DecodeError> {
        self.begin();
        let outcome = source.drive(self);
        self.end(bytes, outcome.is_ok());
        outcome
    }

    fn begin(&mut self) {
        self.outer.clear();
        self.top = Frame::DOCUMENT;
        self.pending = ROOT;
        self.accounted = 0;
        self.containers += 1;
        self.document_start = self.containers;
    }

    fn end(&mut self, bytes: u64, whole: bool) {
        self.totals.documents.add(bytes);
        self.totals.broken += u64::from(!whole);
        let mut rest = bytes.saturating_sub(self.accounted);
        if whole && self.framing.spans == Spans::Opening {
            let root = self.trie.node_mut(ROOT);
            root.stats.bytes.containers = root.stats.bytes.containers.saturating_add(std::mem::take(&mut rest));
        }
        self.totals.other_bytes = self.totals.other_bytes.saturating_add(rest);
    }

    /// The profile of the documents so far.
    pub fn finish(mut self) -> Profile {
        self.trie.fold();
        self.trie.nodes.iter_mut().for_each(|node| node.seen = 0);
        Profile { options: self.options, totals: self.totals, nodes: self.trie.nodes }
    }

    /// Accounts for what stands before a value at `start`, and finds where the value goes. `None` when that is nowhere.
    #[inline]
    fn arrive(&mut self, start: usize) -> Option<u32> {
        let head = self.before(start);
        self.top.len += 1;
        let (id, name) = match self.top.members {
            Members::Document => (ROOT, head),
            Members::Apart | Members::Folded(_) => (self.pending, self.name_bytes.min(head)),
            Members::Elements => (self.trie.element(self.top.node), self.element_name(head)),
            Members::Closed => {
                self.add_inside(head);
                return None;
            }
        };
        if self.top.members == Members::Document {
            return Some(self.visit(id, 0, 0));
        }
        Some(self.visit(id, name, head.saturating_sub(name)))
    }

    /// Bytes between what was accounted for last and `start`.
    #[inline]
    fn before(&self, start: usize) -> usize {
        if self.framing.spans == Spans::Node { 0 } else { start.saturating_sub(self.top.at) }
    }

    #[inline]
    fn element_name(&self, head: usize) -> usize {
        self.framing.element_head_bytes.map_or(0, |own| head.saturating_sub(own))
    }

    #[inline]
    fn visit(&mut self, id: u32, name: usize, framing: usize) -> u32 {
        let (number, start) = (self.top.number, self.document_start);
        let is_member = self.top.members == Members::Apart;
        self.accounted += wide(name) + wide(framing);
        let node = self.trie.node_mut(id);
        if node.seen < start {
            node.stats.documents += 1;
        } else if node.seen == number && is_member {
            node.stats.repeated += 1;
        }
        // The document itself stands in no container.
        node.seen = number.max(start);
        node.stats.bytes.names += wide(name);
        node.stats.bytes.framing += wide(framing);
        id
    }

    fn add_inside(&mut self, bytes: usize) {
        self.accounted += wide(bytes);
        self.trie.node_mut(self.top.node).stats.bytes.inside += wide(bytes);
    }

    fn begin_container(&mut self, kind: Kind, span: Span) {
        let id = self.arrive(span.offset);
        self.open(id, kind, span);
    }

    /// Code with a scope: the code and its lengths stand between the name and the scope.
    fn begin_scope(&mut self, code: &str, scope: Span) {
        let before = self.before(scope.offset);
        let head = match (self.top.members, self.framing.element_head_bytes) {
            (Members::Elements, Some(own)) => own + decimal_digits(self.top.len),
            (Members::Elements, None) => 0,
            _ => self.name_bytes,
        };
        let head = head.min(before);
        let id = self.arrive(self.top.at.saturating_add(head));
        let (between, code) = (before - head, code.len().min(before - head));
        match id {
            Some(id) => {
                self.accounted += wide(between);
                let bytes = &mut self.trie.node_mut(id).stats.bytes;
                bytes.values += wide(code);
                bytes.framing += wide(between - code);
            }
            None => self.add_inside(between),
        }
        self.open(id, Kind::CodeWithScope, scope);
    }

    fn open(&mut self, id: Option<u32>, kind: Kind, span: Span) {
        let own = match self.framing.spans {
            Spans::Whole => self.framing.container_head_bytes.min(span.len),
            Spans::Opening | Spans::Node => span.len,
        };
        self.containers += 1;
        let node = id.unwrap_or(self.top.node);
        let frame = Frame {
            node,
            members: self.members_of(id, kind),
            counts: id.is_some(),
            number: self.containers,
            at: span.offset.saturating_add(own),
            end: span.end(),
            previous: ROOT,
            len: 0,
        };
        self.outer.push(std::mem::replace(&mut self.top, frame));
        if id.is_some() {
            self.trie.node_mut(node).stats.add_kind(kind, wide(span.len));
        }
        self.add_container(own);
    }

    /// Where the members of a container at `id` go.
    fn members_of(&self, id: Option<u32>, kind: Kind) -> Members {
        let Some(below) = id.map(|id| &self.trie.node(id).below) else { return Members::Closed };
        match (&below.keys, kind) {
            (Keys::Closed, _) => Members::Closed,
            (_, Kind::Array) => Members::Elements,
            (Keys::Folded(_), _) => Members::Folded(below.members.first().copied().unwrap_or(ROOT)),
            (Keys::Apart, _) => Members::Apart,
        }
    }

    /// Accounts for bytes that the innermost container spends on itself.
    fn add_container(&mut self, bytes: usize) {
        if self.top.members == Members::Closed {
            return self.add_inside(bytes);
        }
        self.accounted += wide(bytes);
        self.trie.node_mut(self.top.node).stats.bytes.containers += wide(bytes);
    }

    fn end_container(&mut self, kind: Kind) {
        if self.framing.spans == Spans::Whole {
            self.add_container(self.top.end.saturating_sub(self.top.at));
        }
        if kind == Kind::Array && self.top.counts {
            let node = self.trie.node_mut(self.top.node);
            node.stats.lengths.get_or_insert_default().add(self.top.len);
        }
        self.note_alone();
        let end = if self.framing.spans == Spans::Whole { self.top.end } else { self.top.at };
        self.top = self.outer.pop().unwrap_or(Frame::DOCUMENT);
        self.top.at = end;
        if self.trie.is_full() {
            self.fold();
        }
    }

    /// Counts a member that stands alone in its object and begins with `$`: Extended JSON that was never decoded.
    #[inline]
    fn note_alone(&mut self) {
        if self.top.members == Members::Apart && self.top.len == 1 && self.top.previous != ROOT {
            let node = self.trie.node_mut(self.top.previous);
            node.stats.alone += u64::from(node.key.starts_with('$'));
        }
    }

    /// Folds what has become too wide, and finds the open containers again.
    #[cold]
    fn fold(&mut self) {
        let moved = self.trie.fold();
        let to = |id: u32| usize::try_from(id).ok().and_then(|place| moved.get(place)).copied().unwrap_or(ROOT);
        let mut closed = false;
        for frame in self.outer.iter_mut().chain([&mut self.top]) {
            (frame.node, frame.previous) = (to(frame.node), to(frame.previous));
            frame.counts &= !closed;
            let below = &self.trie.node(frame.node).below;
            frame.members = match (frame.members, &below.keys) {
                (Members::Document, _) => Members::Document,
                (_, Keys::Closed) => Members::Closed,
                (Members::Elements, _) => Members::Elements,
                (_, Keys::Folded(_)) => Members::Folded(below.members.first().copied().unwrap_or(ROOT)),
                (members, Keys::Apart) => members,
            };
            closed = frame.members == Members::Closed;
        }
        self.pending = to(self.pending);
    }

    #[inline]
    fn leaf(&mut self, id: u32, scalar: Scalar<'_>, span: Span) {
        let kind = scalar.kind();
        let until_seconds = self.options.until_seconds;
        self.accounted += wide(span.len);
        let node = self.trie.node_mut(id);
        let value = payload(&scalar).unwrap_or(span.len).min(span.len);
        node.stats.bytes.values += wide(value);
        node.stats.bytes.framing += wide(span.len.saturating_sub(value));
        node.stats.add_kind(kind, wide(span.len));
        match scalar {
            Scalar::String(text) => add_string(node, text, until_seconds),
            other => add_other(node, &other),
        }
    }
}

#[inline]
fn wide(bytes: usize) -> u64 {
    u64::try_from(bytes).unwrap_or(u64::MAX)
}

/// The bytes of a value that is more than a number of them with its length: the rest of its span is framing.
#[inline]
fn payload(scalar: &Scalar<'_>) -> Option<usize> {
    match scalar {
        Scalar::String(text) | Scalar::Code(text) | Scalar::Symbol(text) => Some(text.len()),
        Scalar::Binary { bytes, .. } | Scalar::Id(bytes) | Scalar::OracleVector(bytes) => Some(bytes.len()),
        _ => None,
    }
}

#[inline]
fn add_string(node: &mut Node, text: &str, until_seconds: u32) {
    let hash = hash(text.as_bytes());
    node.stats.distinct.add(hash);
    let (shape, value) = shape::classify(text, until_seconds);
    let strings = node.stats.strings.get_or_insert_default();
    if let Some(stats) = strings.of(shape) {
        stats.add(wide(text.len()), value);
        stats.examples.offer(hash, text);
    }
    match shape {
        Shape::Money { .. } => strings.affixes.add(&shape::affix(text)),
        Shape::DateTime(layout) if layout.zone.is_offset() => {
            if let Some(minutes) = shape::offset_minutes(text) {
                strings.offsets.add(&minutes);
            }
        }
        _ => {}
    }
}

fn add_other(node: &mut Node, scalar: &Scalar<'_>) {
    if let Some(hash) = scalar_hash(scalar) {
        node.stats.distinct.add(hash);
    }
    node.stats.uuids += u64::from(matches!(*scalar, Scalar::Binary { subtype: 4, bytes } if bytes.len() == 16));
    let whole = match *scalar {
        Scalar::Int32(value) => Some(i64::from(value)),
        Scalar::Int64(value) => Some(value),
        Scalar::Double(value) => whole_number(value),
        _ => None,
    };
    if let Some(whole) = whole {
        node.stats.numbers.get_or_insert_default().add(scalar.kind(), whole);
    }
}

/// The hash by which different values are counted; `None` for kinds of one value.
fn scalar_hash(scalar: &Scalar<'_>) -> Option<u64> {
    Some(match *scalar {
        Scalar::Bool(value) => hash_bits(u64::from(value)),
        Scalar::Int32(value) => hash_bits(i64::from(value).cast_unsigned()),
        Scalar::Int64(value) | Scalar::DateTime(value) => hash_bits(value.cast_unsigned()),
        Scalar::Double(value) => hash_bits(value.to_bits()),
        Scalar::Float(value) => hash_bits(u64::from(value.to_bits())),
        Scalar::Decimal128(value) => hash(&value.to_bytes()),
        Scalar::Number(value) => hash(value.as_bytes()),
        Scalar::ObjectId(id) => hash(&id.0),
        Scalar::Timestamp { time, increment } => hash_bits((u64::from(time) << 32) | u64::from(increment)),
        Scalar::DecimalText(text) | Scalar::Code(text) | Scalar::Symbol(text) => hash(text.as_bytes()),
        Scalar::Binary { bytes, .. } | Scalar::Id(bytes) | Scalar::OracleVector(bytes) => hash(bytes),
        _ => return None,
    })
}

/// How many digits `number` has.
fn decimal_digits(number: u64) -> usize {
    usize::try_from(number.checked_ilog10().unwrap_or_default()).unwrap_or_default() + 1
}

/// The integer that a double is, if it is one and not a negative zero, up to 2^53, below which doubles hold all of them.
#[inline]
#[expect(clippy::cast_possible_truncation, clippy::float_cmp, reason = "whole, and within 2^53")]
fn whole_number(value: f64) -> Option<i64> {
    const EXACT_MAX: f64 = 9_007_199_254_740_992.0;
    let whole = value.trunc() == value && value.abs() <= EXACT_MAX && !(value == 0.0 && value.is_sign_negative());
    whole.then_some(value as i64)
}

impl Sink for Profiler {
    type Error = DecodeError;

    fn begin_object(&mut self, container: Container) -> Result<Descend, DecodeError> {
        self.begin_container(Kind::Object, container.span);
        Ok(Descend::Into)
    }

    fn end_object(&mut self) -> Result<(), DecodeError> {
        self.end_container(Kind::Object);
        Ok(())
    }

    fn begin_array(&mut self, container: Container) -> Result<Descend, DecodeError> {
        self.begin_container(Kind::Array, container.span);
        Ok(Descend::Into)
    }

    fn end_array(&mut self) -> Result<(), DecodeError> {
        self.end_container(Kind::Array);
        Ok(())
    }

    fn begin_code_with_scope(&mut self, code: &str, container: Container) -> Result<Descend, DecodeError> {
        self.begin_scope(code, container.span);
        Ok(Descend::Into)
    }

    fn end_code_with_scope(&mut self) -> Result<(), DecodeError> {
        self.end_container(Kind::CodeWithScope);
        Ok(())
    }

    #[inline]
    fn key(&mut self, name: &str, span: Span) -> Result<(), DecodeError> {
        self.name_bytes = span.len;
        self.pending = match self.top.members {
            Members::Apart => self.trie.member(self.top.node, self.top.previous, name),
            Members::Folded(id) => {
                self.trie.folded_key(self.top.node, name);
                id
            }
            _ => self.top.node,
        };
        self.top.previous = self.pending;
        if self.trie.is_full() {
            self.fold();
        }
        Ok(())
    }

    #[inline]
    fn scalar(&mut self, scalar: Scalar<'_>, span: Span) -> Result<(), DecodeError> {
        match self.arrive(span.offset) {
            Some(id) => self.leaf(id, scalar, span),
            None => self.add_inside(span.len),
        }
        self.top.at = span.end();
        Ok(())
    }
}
