//! A document laid out flat, so that two can be compared side by side.

use std::ops::Range;

use boson_document::{Container, DbPointer, DecodeError, Descend, Kind, Number, Regex, Scalar, Sink, Span};

/// A document as a list of nodes in the order of its walk, texts and bytes in one buffer: three allocations whatever its
/// size, kept from document to document.
#[derive(Debug, Default)]
pub(super) struct Tape {
    nodes: Vec<Node>,
    bytes: Vec<u8>,
    /// The containers whose end has not come yet, as places in `nodes`.
    open: Vec<usize>,
    /// The name of the next member, in `bytes`.
    key: Range<usize>,
}

/// A place in the list of nodes.
pub(super) type NodeId = usize;

#[derive(Debug)]
struct Node {
    /// The name of this member, in `bytes`; empty in arrays and at the root.
    key: Range<usize>,
    held: Held,
    /// The place of the node after everything inside this one.
    end: NodeId,
}

/// A value, with what it borrowed moved into the tape.
#[derive(Debug)]
enum Held {
    Container { kind: Kind, len: usize, code: Range<usize> },
    Plain(Scalar<'static>),
    Borrowed { kind: Kind, subtype: u8, bytes: Range<usize> },
}

/// A value as it is compared and shown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Operand<'a> {
    /// A leaf.
    Scalar(Scalar<'a>),
    /// An object, an array or code with scope, of which only the surface is compared here.
    Container {
        /// Which of them it is.
        kind: Kind,
        /// How many members or elements it has.
        len: usize,
        /// The code of code with scope, else empty.
        code: &'a str,
    },
}

impl Operand<'_> {
    /// What the value is.
    pub const fn kind(&self) -> Kind {
        match self {
            Self::Scalar(scalar) => scalar.kind(),
            Self::Container { kind, .. } => *kind,
        }
    }
}

impl Tape {
    /// Forgets the document and keeps the memory.
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.bytes.clear();
        self.open.clear();
        self.key = 0..0;
    }

    /// The root; `None` when no document was recorded.
    pub(super) fn root(&self) -> Option<NodeId> {
        if self.nodes.is_empty() { None } else { Some(0) }
    }

    /// The value at `node`.
    pub(super) fn operand(&self, node: NodeId) -> Operand<'_> {
        match self.nodes.get(node).map(|node| &node.held) {
            Some(Held::Container { kind, len, code }) => {
                Operand::Container { kind: *kind, len: *len, code: self.text(code) }
            }
            Some(Held::Plain(scalar)) => Operand::Scalar(*scalar),
            Some(Held::Borrowed { kind, subtype, bytes }) => {
                Operand::Scalar(self.borrowed(*kind, *subtype, bytes).unwrap_or(Scalar::Undefined))
            }
            None => Operand::Scalar(Scalar::Undefined),
        }
    }

    /// The name under which the value at `node` stands in its object.
    pub(super) fn key(&self, node: NodeId) -> &str {
        self.nodes.get(node).map(|node| self.text(&node.key)).unwrap_or_default()
    }

    /// The members or elements of the container at `node`.
    pub(super) fn children(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        let end = self.end(node);
        let mut next = node.saturating_add(1);
        std::iter::from_fn(move || {
            let child = next;
            next = self.end(child);
            (child < end).then_some(child)
        })
    }

    /// The place after everything inside `node`.
    pub(super) fn end(&self, node: NodeId) -> NodeId {
        self.nodes.get(node).map_or(node, |node| node.end)
    }

    fn text(&self, range: &Range<usize>) -> &str {
        self.bytes.get(range.clone()).and_then(|bytes| std::str::from_utf8(bytes).ok()).unwrap_or_default()
    }

    fn borrowed(&self, kind: Kind, subtype: u8, range: &Range<usize>) -> Option<Scalar<'_>> {
        let bytes = self.bytes.get(range.clone())?;
        Some(match kind {
            Kind::String => Scalar::String(self.text(range)),
            Kind::DecimalText => Scalar::DecimalText(self.text(range)),
            Kind::Code => Scalar::Code(self.text(range)),
            Kind::Symbol => Scalar::Symbol(self.text(range)),
            Kind::Regex => Scalar::Regex(Regex::new(self.text(range))?),
            Kind::Number => Scalar::Number(Number::new(bytes).ok()?),
            Kind::DbPointer => Scalar::DbPointer(DbPointer::new(bytes)?),
            Kind::Id => Scalar::Id(bytes),
            Kind::OracleVector => Scalar::OracleVector(bytes),
            _ => Scalar::Binary { subtype, bytes },
        })
    }

    fn store(&mut self, parts: &[&[u8]]) -> Range<usize> {
        let start = self.bytes.len();
        for part in parts {
            self.bytes.extend_from_slice(part);
        }
        start..self.bytes.len()
    }

    fn hold(&mut self, scalar: Scalar<'_>) -> Held {
        let parts: [&[u8]; 4] = match &scalar {
            Scalar::String(text) | Scalar::DecimalText(text) | Scalar::Code(text) | Scalar::Symbol(text) => {
                [text.as_bytes(), b"", b"", b""]
            }
            Scalar::Regex(regex) => [regex.pattern().as_bytes(), b"\0", regex.options().as_bytes(), b"\0"],
            Scalar::Number(number) => [number.as_bytes(), b"", b"", b""],
            Scalar::DbPointer(pointer) => [pointer.as_bytes(), b"", b"", b""],
            Scalar::Binary { bytes, .. } | Scalar::Id(bytes) | Scalar::OracleVector(bytes) => [bytes, b"", b"", b""],
            other => return Held::Plain(plain(*other)),
        };
        let subtype = if let Scalar::Binary { subtype, .. } = scalar { subtype } else { 0 };
        Held::Borrowed { kind: scalar.kind(), subtype, bytes: self.store(&parts) }
    }

    fn push(&mut self, held: Held) {
        if let Some(Node { held: Held::Container { len, .. }, .. }) =
            self.open.last().and_then(|&node| self.nodes.get_mut(node))
        {
            *len = len.saturating_add(1);
        }
        let end = self.nodes.len().saturating_add(1);
        self.nodes.push(Node { key: std::mem::take(&mut self.key), held, end });
    }

    fn begin(&mut self, kind: Kind, code: &str) -> Descend {
        let code = self.store(&[code.as_bytes()]);
        let node = self.nodes.len();
        self.push(Held::Container { kind, len: 0, code });
        self.open.push(node);
        Descend::Into
    }

    fn finish(&mut self) {
        let end = self.nodes.len();
        if let Some(node) = self.open.pop().and_then(|node| self.nodes.get_mut(node)) {
            node.end = end;
        }
    }
}

/// The scalar when it borrows nothing; what borrows was dealt with before.
fn plain(scalar: Scalar<'_>) -> Scalar<'static> {
    match scalar {
        Scalar::Null => Scalar::Null,
        Scalar::Bool(value) => Scalar::Bool(value),
        Scalar::Int32(value) => Scalar::Int32(value),
        Scalar::Int64(value) => Scalar::Int64(value),
        Scalar::Float(value) => Scalar::Float(value),
        Scalar::Double(value) => Scalar::Double(value),
        Scalar::Decimal128(value) => Scalar::Decimal128(value),
        Scalar::ObjectId(value) => Scalar::ObjectId(value),
        Scalar::DateTime(value) => Scalar::DateTime(value),
        Scalar::OracleDate(value) => Scalar::OracleDate(value),
        Scalar::OracleTimestamp(value) => Scalar::OracleTimestamp(value),
        Scalar::OracleTimestampTz(value) => Scalar::OracleTimestampTz(value),
        Scalar::IntervalYearMonth(value) => Scalar::IntervalYearMonth(value),
        Scalar::IntervalDaySecond(value) => Scalar::IntervalDaySecond(value),
        Scalar::Timestamp { time, increment } => Scalar::Timestamp { time, increment },
        Scalar::MinKey => Scalar::MinKey,
        Scalar::MaxKey => Scalar::MaxKey,
        _ => Scalar::Undefined,
    }
}

impl Sink for Tape {
    type Error = DecodeError;

    fn begin_object(&mut self, _: Container) -> Result<Descend, DecodeError> {
        Ok(self.begin(Kind::Object, ""))
    }

    fn end_object(&mut self) -> Result<(), DecodeError> {
        self.finish();
        Ok(())
    }

    fn begin_array(&mut self, _: Container) -> Result<Descend, DecodeError> {
        Ok(self.begin(Kind::Array, ""))
    }

    fn end_array(&mut self) -> Result<(), DecodeError> {
        self.finish();
        Ok(())
    }

    fn begin_code_with_scope(&mut self, code: &str, _: Container) -> Result<Descend, DecodeError> {
        Ok(self.begin(Kind::CodeWithScope, code))
    }

    fn end_code_with_scope(&mut self) -> Result<(), DecodeError> {
        self.finish();
        Ok(())
    }

    fn key(&mut self, name: &str, _: Span) -> Result<(), DecodeError> {
        self.key = self.store(&[name.as_bytes()]);
        Ok(())
    }

    fn scalar(&mut self, scalar: Scalar<'_>, _: Span) -> Result<(), DecodeError> {
        let held = self.hold(scalar);
        self.push(held);
        Ok(())
    }
}
