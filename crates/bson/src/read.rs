//! Reading whole documents: one strict walk that pushes what it finds into a sink.

use boson_document::{
    Container, DbPointer, DecodeError, DecodeErrorKind, Descend, Limit, Limits, Regex, Rule, Scalar, Sink, Source, Span,
};
use smallvec::SmallVec;

use crate::cursor::{Cursor, ends_early, not_a_scalar, utf8};
use crate::tag::Tag;
use crate::view::Document;

/// What is done about text that is not UTF-8.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Utf8 {
    /// It is a fault.
    #[default]
    Strict,
    /// Each invalid sequence is delivered as U+FFFD. What is written from that is another document.
    Lossy,
}

/// How a document is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadOptions {
    /// How far the walk goes.
    pub limits: Limits,
    /// What is done about text that is not UTF-8.
    pub utf8: Utf8,
}

impl Default for ReadOptions {
    /// [`Limits::BSON`], strict.
    fn default() -> Self {
        Self { limits: Limits::BSON, utf8: Utf8::Strict }
    }
}

/// A document and how to read it: [`Document::with`](crate::view::DocumentIn::with) makes one.
#[derive(Clone, Copy, Debug)]
pub struct Reader<'a> {
    document: Document<'a>,
    options: ReadOptions,
}

impl<'a> Document<'a> {
    /// This document as a source that is read by `options`.
    pub const fn with(self, options: ReadOptions) -> Reader<'a> {
        Reader { document: self, options }
    }
}

impl Source for Document<'_> {
    /// Delivers the document by the default [`ReadOptions`].
    ///
    /// Every rule of the BSON specification is checked in the same pass, but for the names in arrays, which nothing
    /// that reads BSON looks at and which are not delivered. What a sink skips is not checked.
    fn drive<S: Sink>(&self, sink: &mut S) -> Result<(), S::Error> {
        self.with(ReadOptions::default()).drive(sink)
    }
}

impl Source for Reader<'_> {
    fn drive<S: Sink>(&self, sink: &mut S) -> Result<(), S::Error> {
        Walk::new(self)?.run(sink)
    }
}

/// A container whose members are being delivered, or were before one inside it began.
#[derive(Clone, Copy, Debug)]
struct Frame {
    tag: Tag,
    /// The offset of its length.
    start: usize,
    /// The offset after its NUL.
    end: usize,
}

/// How many levels lie in the walk itself; deeper ones are allocated.
const FRAMES_INLINE: usize = 12;

struct Walk<'a> {
    /// The input up to the end of the root.
    root: &'a [u8],
    /// It reads the elements of `frame`: its bytes end before that container's NUL.
    cursor: Cursor<'a>,
    frame: Frame,
    /// The containers around `frame`, the root first.
    outer: SmallVec<[Frame; FRAMES_INLINE]>,
    nodes_left: u64,
    options: ReadOptions,
    scratch: Vec<u8>,
}

impl<'a> Walk<'a> {
    fn new(reader: &Reader<'a>) -> Result<Self, DecodeError> {
        let span = reader.document.span();
        let root = reader.document.source().get(..span.end()).unwrap_or_default();
        let frame = Frame { tag: Tag::Document, start: span.offset, end: span.end() };
        let walk = Self {
            root,
            cursor: Cursor::new(root, span.offset),
            frame,
            outer: SmallVec::new(),
            nodes_left: reader.options.limits.nodes,
            options: reader.options,
            scratch: Vec::new(),
        };
        if span.len > walk.options.limits.bytes {
            return Err(limit(span.offset, Limit::Bytes));
        }
        Ok(walk)
    }

    fn run<S: Sink>(mut self, sink: &mut S) -> Result<(), S::Error> {
        let start = self.frame.start;
        self.count_node(start)?;
        if self.options.limits.depth == 0 {
            return Err(limit(start, Limit::Depth(0)).into());
        }
        let end = self.cursor.document_end()?;
        let container = Container { span: Span::between(start, end), len: None };
        if sink.begin_object(container)? == Descend::Skip {
            return Ok(());
        }
        self.enter(Frame { tag: Tag::Document, start, end });
        self.members(sink)
    }

    /// Delivers everything up to the end of the root.
    fn members<S: Sink>(&mut self, sink: &mut S) -> Result<(), S::Error> {
        loop {
            while self.cursor.at < self.cursor.bytes.len() {
                self.element(sink)?;
            }
            match self.frame.tag {
                Tag::Array => sink.end_array()?,
                Tag::CodeWithScope => sink.end_code_with_scope()?,
                _ => sink.end_object()?,
            }
            let Some(parent) = self.outer.pop() else { return Ok(()) };
            self.cursor.at = self.frame.end;
            self.enter(parent);
        }
    }

    /// Goes on reading in `frame`.
    #[inline]
    fn enter(&mut self, frame: Frame) {
        self.frame = frame;
        self.cursor.bytes = self.root.get(..frame.end.wrapping_sub(1)).unwrap_or_default();
    }

    #[inline]
    fn element<S: Sink>(&mut self, sink: &mut S) -> Result<(), S::Error> {
        let start = self.cursor.at;
        let [byte] = self.cursor.array()?;
        let Some(tag) = Tag::from_byte(byte) else { return Err(self.unknown_tag(byte, start).into()) };
        let name = self.cursor.cstring()?;
        if self.frame.tag != Tag::Array {
            self.key(sink, name, start.wrapping_add(1))?;
        }
        self.count_node(start)?;
        match tag {
            Tag::Document | Tag::Array => self.container(sink, tag),
            Tag::CodeWithScope => self.code_with_scope(sink),
            _ => self.leaf(sink, tag),
        }
    }

    #[inline]
    fn leaf<S: Sink>(&mut self, sink: &mut S, tag: Tag) -> Result<(), S::Error> {
        let at = self.cursor.at;
        match self.cursor.scalar(tag) {
            Ok(scalar) => sink.scalar(scalar, Span::between(at, self.cursor.at)),
            Err(error) => self.lossy_leaf(sink, tag, at, error),
        }
    }

    #[inline]
    fn key<S: Sink>(&mut self, sink: &mut S, name: &'a [u8], at: usize) -> Result<(), S::Error> {
        let span = Span::new(at, name.len());
        match utf8(name, at) {
            Ok(name) => sink.key(name, span),
            Err(error) => sink.key(&self.lossy(name, error)?, span),
        }
    }

    fn container<S: Sink>(&mut self, sink: &mut S, tag: Tag) -> Result<(), S::Error> {
        let start = self.cursor.at;
        let end = self.cursor.document_end()?;
        let container = Container { span: Span::between(start, end), len: None };
        self.check_depth(start)?;
        let descend = if tag == Tag::Array { sink.begin_array(container) } else { sink.begin_object(container) }?;
        self.descend(descend, Frame { tag, start, end });
        Ok(())
    }

    fn code_with_scope<S: Sink>(&mut self, sink: &mut S) -> Result<(), S::Error> {
        let start = self.cursor.at;
        let end = self.cursor.end(14)?;
        let code_at = self.cursor.at.wrapping_add(4);
        let code = self.cursor.string(0)?;
        let scope_start = self.cursor.at;
        let scope_end = self.cursor.document_end()?;
        if scope_end != end {
            return Err(DecodeError::new(start, DecodeErrorKind::Broken(Rule::CodeWithScopeLength)).into());
        }
        self.check_depth(start)?;
        let scope = Container { span: Span::between(scope_start, scope_end), len: None };
        let descend = match utf8(code, code_at) {
            Ok(code) => sink.begin_code_with_scope(code, scope)?,
            Err(error) => sink.begin_code_with_scope(&self.lossy(code, error)?, scope)?,
        };
        self.descend(descend, Frame { tag: Tag::CodeWithScope, start: scope_start, end });
        Ok(())
    }

    #[inline]
    fn descend(&mut self, descend: Descend, frame: Frame) {
        if descend == Descend::Into {
            self.outer.push(self.frame);
            self.enter(frame);
        } else {
            self.cursor.at = frame.end;
        }
    }

    #[inline]
    fn count_node(&mut self, at: usize) -> Result<(), DecodeError> {
        self.nodes_left = self.nodes_left.checked_sub(1).ok_or_else(|| limit(at, Limit::Nodes))?;
        Ok(())
    }

    /// Whether one more container may begin at `at`.
    #[inline]
    fn check_depth(&self, at: usize) -> Result<(), DecodeError> {
        let depth_max = self.options.limits.depth;
        // The root and the containers around it, and the one that begins.
        let depth = self.outer.len().saturating_add(2);
        if u32::try_from(depth).is_ok_and(|depth| depth <= depth_max) {
            return Ok(());
        }
        Err(limit(at, Limit::Depth(depth_max)))
    }

    /// A type byte of 0 means that the container ends before its length says so.
    #[cold]
    fn unknown_tag(&self, byte: u8, at: usize) -> DecodeError {
        if byte == 0 {
            return ends_early(self.frame.start, self.frame.end, at.saturating_add(1));
        }
        DecodeError::new(at, DecodeErrorKind::UnknownTag(byte))
    }

    /// The text in `bytes`, which are not UTF-8, if that is to be tolerated.
    #[cold]
    fn lossy(&self, bytes: &[u8], error: DecodeError) -> Result<String, DecodeError> {
        match self.options.utf8 {
            Utf8::Strict => Err(error),
            Utf8::Lossy => Ok(String::from_utf8_lossy(bytes).into_owned()),
        }
    }

    /// Delivers the value at `at` whose text is not UTF-8, if that is to be tolerated.
    #[cold]
    fn lossy_leaf<S: Sink>(&mut self, sink: &mut S, tag: Tag, at: usize, error: DecodeError) -> Result<(), S::Error> {
        if error.kind != DecodeErrorKind::InvalidUtf8 {
            return Err(error.into());
        }
        self.cursor.at = at;
        let text = match tag {
            Tag::Regex => self.cursor.regex_bytes()?,
            Tag::DbPointer => self.cursor.string(12)?,
            _ => self.cursor.string(0)?,
        };
        let text = self.lossy(text, error)?;
        let scalar = match tag {
            Tag::String => Scalar::String(&text),
            Tag::Code => Scalar::Code(&text),
            Tag::Symbol => Scalar::Symbol(&text),
            Tag::Regex => Scalar::Regex(Regex::new(&text).ok_or(error)?),
            Tag::DbPointer => {
                let id = boson_document::ObjectId(self.cursor.array()?);
                Scalar::DbPointer(DbPointer::join(&text, id, &mut self.scratch).ok_or(error)?)
            }
            _ => return Err(not_a_scalar(tag, at).into()),
        };
        sink.scalar(scalar, Span::between(at, self.cursor.at))
    }
}

#[cold]
fn limit(at: usize, limit: Limit) -> DecodeError {
    DecodeError::new(at, DecodeErrorKind::LimitExceeded(limit))
}
