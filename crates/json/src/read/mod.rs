//! Reading JSON text.

mod fault;
mod split;

pub use split::{Piece, Splitter, Values};

use boson_document::{
    Container, DecodeError, DecodeErrorKind, Descend, Discard, Limit, Limits, Rule, Scalar, Sink, Source, Span,
};
use jiter::{Jiter, Peek};

use crate::number::scalar_of_number;

/// The UTF-8 form of the byte order mark, which RFC 8259 lets a parser ignore.
pub(crate) const BYTE_ORDER_MARK: [u8; 3] = [0xEF, 0xBB, 0xBF];

/// One JSON text.
///
/// Driving it parses it, by the grammar of RFC 8259 and nothing beyond: half a surrogate pair, a control character in a
/// string, bytes after the value or a depth beyond the limits are errors. A byte order mark in front is skipped. Names
/// that occur twice in an object are delivered twice: what that means is the receiver's to say.
///
/// An integer arrives as `Int32` or `Int64`, whichever is the smallest that holds it; every other number, `-0` among
/// them, as `DecimalText` with the text of its source, for [`Resolve`](crate::Resolve) to give it a type. A number of
/// more than 4300 digits before its point is refused.
///
/// Spans are those of names between their quotes, of the tokens of scalars with their quotes, and of a container's opening
/// bracket.
#[derive(Clone, Copy, Debug)]
pub struct Text<'a> {
    bytes: &'a [u8],
    limits: Limits,
    offset: usize,
}

impl<'a> Text<'a> {
    /// The text in `bytes`, under [`Limits::JSON`].
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, limits: Limits::JSON, offset: 0 }
    }

    /// The same text under other limits.
    #[must_use]
    pub const fn with_limits(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    /// The same text where its first byte stands `offset` bytes into something larger: spans and errors count from there.
    #[must_use]
    pub const fn at_offset(self, offset: usize) -> Self {
        Self { offset, ..self }
    }

    /// The bytes of the text.
    pub const fn as_bytes(&self) -> &'a [u8] {
        self.bytes
    }
}

impl Source for Text<'_> {
    fn drive<S: Sink>(&self, sink: &mut S) -> Result<(), S::Error> {
        if self.bytes.len() > self.limits.bytes {
            return Err(DecodeError::new(self.offset, DecodeErrorKind::LimitExceeded(Limit::Bytes)).into());
        }
        let (text, mark_len) = match self.bytes.strip_prefix(&BYTE_ORDER_MARK) {
            Some(text) => (text, BYTE_ORDER_MARK.len()),
            None => (self.bytes, 0),
        };
        let mut reader = Reader {
            text,
            jiter: Jiter::new(text),
            base: self.offset.saturating_add(mark_len),
            open: Vec::new(),
            depth_max: usize::try_from(self.limits.depth).unwrap_or(usize::MAX),
            nodes_left: self.limits.nodes,
        };
        reader.document(sink)
    }
}

/// A container whose end has not come yet.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    Object,
    Array,
}

/// The walk over one text. Its stack is a vector: nothing here recurses with the depth of the input.
struct Reader<'a> {
    text: &'a [u8],
    jiter: Jiter<'a>,
    /// What is added to an index in `text` to make it an offset.
    base: usize,
    open: Vec<Open>,
    depth_max: usize,
    nodes_left: u64,
}

impl Reader<'_> {
    fn document<S: Sink>(&mut self, sink: &mut S) -> Result<(), S::Error> {
        let first = self.peek()?;
        self.values(first, sink)?;
        self.jiter.finish().map_err(|error| self.fault(&error))?;
        Ok(())
    }

    /// Delivers the value that begins with `first`, and all that follows it up to the end of the containers that are
    /// opened from here on.
    fn values<S: Sink>(&mut self, first: Peek, sink: &mut S) -> Result<(), S::Error> {
        let floor = self.open.len();
        let mut next = self.value(first, sink)?;
        loop {
            next = match next {
                Some(peek) => self.value(peek, sink)?,
                None if self.open.len() > floor => self.step(sink)?,
                None => return Ok(()),
            }
        }
    }

    /// Delivers one leaf, or the beginning of one container; returns the first value inside it.
    #[inline]
    fn value<S: Sink>(&mut self, peek: Peek, sink: &mut S) -> Result<Option<Peek>, S::Error> {
        self.count_node()?;
        let start = self.jiter.current_index();
        match peek {
            Peek::String => self.string(start, sink)?,
            Peek::Object => return self.object(start, sink),
            Peek::Array => return self.array(start, sink),
            Peek::True | Peek::False => {
                let value = self.jiter.known_bool(peek).map_err(|error| self.fault(&error))?;
                sink.scalar(Scalar::Bool(value), self.span_from(start))?;
            }
            Peek::Null => {
                self.jiter.known_null().map_err(|error| self.fault(&error))?;
                sink.scalar(Scalar::Null, self.span_from(start))?;
            }
            _ => self.number(peek, start, sink)?,
        }
        Ok(None)
    }

    #[inline]
    fn string<S: Sink>(&mut self, start: usize, sink: &mut S) -> Result<(), S::Error> {
        match self.jiter.known_str() {
            Ok(string) => {
                let len = raw_len(self.text, start.saturating_add(1), string).saturating_add(2);
                sink.scalar(Scalar::String(string), Span::new(self.base.saturating_add(start), len))
            }
            Err(error) => Err(self.fault(&error).into()),
        }
    }

    #[inline]
    fn number<S: Sink>(&mut self, peek: Peek, start: usize, sink: &mut S) -> Result<(), S::Error> {
        if !matches!(peek.into_inner(), b'-' | b'0'..=b'9') {
            return Err(self.broken(start, Rule::JsonValue).into());
        }
        let number = match self.jiter.known_number_bytes(peek) {
            Ok(number) => number,
            Err(error) => return Err(self.fault(&error).into()),
        };
        let span = Span::new(self.base.saturating_add(start), number.len());
        match scalar_of_number(number) {
            Some(scalar) => sink.scalar(scalar, span),
            None => Err(self.broken(start, Rule::JsonNumber).into()),
        }
    }

    #[inline]
    fn object<S: Sink>(&mut self, start: usize, sink: &mut S) -> Result<Option<Peek>, S::Error> {
        let container = self.container(start)?;
        self.open.push(Open::Object);
        match sink.begin_object(container)? {
            Descend::Into => self.member(true, sink),
            Descend::Skip => {
                let first = self.member(true, &mut Discard)?;
                self.skip(first).map_err(S::Error::from).map(|()| None)
            }
        }
    }

    #[inline]
    fn array<S: Sink>(&mut self, start: usize, sink: &mut S) -> Result<Option<Peek>, S::Error> {
        let container = self.container(start)?;
        self.open.push(Open::Array);
        match sink.begin_array(container)? {
            Descend::Into => self.element(true, sink),
            Descend::Skip => {
                let first = self.element(true, &mut Discard)?;
                self.skip(first).map_err(S::Error::from).map(|()| None)
            }
        }
    }

    /// Checks what is left of the container that was opened last, delivering nothing.
    fn skip(&mut self, first: Option<Peek>) -> Result<(), DecodeError> {
        let Some(first) = first else { return Ok(()) };
        let floor = self.open.len().saturating_sub(1);
        self.values(first, &mut Discard)?;
        while self.open.len() > floor {
            if let Some(peek) = self.step(&mut Discard)? {
                self.values(peek, &mut Discard)?;
            }
        }
        Ok(())
    }

    /// Goes on in the innermost container: to its next value, or past its end.
    #[inline]
    fn step<S: Sink>(&mut self, sink: &mut S) -> Result<Option<Peek>, S::Error> {
        match self.open.last() {
            Some(Open::Object) => self.member(false, sink),
            Some(Open::Array) => self.element(false, sink),
            None => Ok(None),
        }
    }

    /// Delivers the next name of the innermost object and returns what its value begins with, or delivers the end.
    #[inline]
    fn member<S: Sink>(&mut self, first: bool, sink: &mut S) -> Result<Option<Peek>, S::Error> {
        let before = self.jiter.current_index().saturating_add(usize::from(first));
        let name = if first { self.jiter.known_object() } else { self.jiter.next_key() };
        match name {
            Ok(Some(name)) => {
                let start = after_quote(self.text, before);
                let len = raw_len(self.text, start, name);
                sink.key(name, Span::new(self.base.saturating_add(start), len))?;
            }
            Ok(None) => {
                self.open.pop();
                return sink.end_object().map(|()| None);
            }
            Err(error) => return Err(self.fault(&error).into()),
        }
        Ok(Some(self.peek()?))
    }

    /// Returns what the next element of the innermost array begins with, or delivers the end.
    #[inline]
    fn element<S: Sink>(&mut self, first: bool, sink: &mut S) -> Result<Option<Peek>, S::Error> {
        let element = if first { self.jiter.known_array() } else { self.jiter.array_step() };
        match element {
            Ok(Some(peek)) => Ok(Some(peek)),
            Ok(None) => {
                self.open.pop();
                sink.end_array().map(|()| None)
            }
            Err(error) => Err(self.fault(&error).into()),
        }
    }

    #[inline]
    fn peek(&mut self) -> Result<Peek, DecodeError> {
        self.jiter.peek().map_err(|error| self.fault(&error))
    }

    #[inline]
    fn count_node(&mut self) -> Result<(), DecodeError> {
        match self.nodes_left.checked_sub(1) {
            Some(left) => {
                self.nodes_left = left;
                Ok(())
            }
            None => Err(self.exceeded(Limit::Nodes)),
        }
    }

    #[inline]
    fn container(&self, start: usize) -> Result<Container, DecodeError> {
        if self.open.len() >= self.depth_max {
            return Err(self.exceeded(Limit::Depth(u32::try_from(self.depth_max).unwrap_or(u32::MAX))));
        }
        Ok(Container { span: Span::new(self.base.saturating_add(start), 1), len: None })
    }

    /// The token from `start` to where the parser stands.
    #[inline]
    fn span_from(&self, start: usize) -> Span {
        let len = self.jiter.current_index().saturating_sub(start);
        Span::new(self.base.saturating_add(start), len)
    }

    #[cold]
    fn exceeded(&self, limit: Limit) -> DecodeError {
        let offset = self.base.saturating_add(self.jiter.current_index());
        DecodeError::new(offset, DecodeErrorKind::LimitExceeded(limit))
    }

    #[cold]
    fn broken(&self, index: usize, rule: Rule) -> DecodeError {
        DecodeError::new(self.base.saturating_add(index), DecodeErrorKind::Broken(rule))
    }
}

/// The index after the first quote from `from` on.
#[inline]
fn after_quote(text: &[u8], from: usize) -> usize {
    let quote = text.get(from..).and_then(|rest| rest.iter().position(|&byte| byte == b'"'));
    from.saturating_add(quote.unwrap_or(0)).saturating_add(1)
}

/// How many bytes of `text` the string takes that begins at `start` and was decoded to `decoded`.
#[inline]
fn raw_len(text: &[u8], start: usize, decoded: &str) -> usize {
    match text.get(start..) {
        // With no escape in it the parser hands out the text itself.
        Some(rest) if std::ptr::eq(rest.as_ptr(), decoded.as_ptr()) => decoded.len(),
        Some(rest) => len_to_quote(rest),
        None => 0,
    }
}

/// How many bytes stand before the quote that ends a string.
fn len_to_quote(rest: &[u8]) -> usize {
    let mut at = 0_usize;
    while let Some(found) = rest.get(at..).and_then(|tail| memchr::memchr2(b'"', b'\\', tail)) {
        at = at.saturating_add(found);
        if rest.get(at) == Some(&b'"') {
            return at;
        }
        at = at.saturating_add(2);
    }
    rest.len()
}
