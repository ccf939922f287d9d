//! Reading whole documents: one strict walk that pushes what it finds into a sink.

use boson_document::{
    Container, DbPointer, DecodeError, DecodeErrorKind, Descend, Limit, Limits, Regex, Rule, Scalar, Sink, Source,
    Span, as_text,
};
use smallvec::SmallVec;

use crate::cursor::{Cursor, ends_early, invalid_utf8, not_a_scalar, utf8};
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
        Walk::run(self, sink)
    }
}

/// A container whose members are being delivered, or were before one inside it began.
#[derive(Clone, Copy, Debug)]
struct Frame<'a> {
    /// Its elements that are still to come; it ends before the container's NUL.
    cursor: Cursor<'a>,
    tag: Tag,
    /// The offset of its length.
    start: usize,
}

/// How many levels lie in the walk itself; deeper ones are allocated.
const FRAMES_INLINE: usize = 12;

struct Walk<'a> {
    /// The containers around the one at hand, the root first.
    outer: SmallVec<[Frame<'a>; FRAMES_INLINE]>,
    nodes_left: u64,
    options: ReadOptions,
}

impl<'a> Walk<'a> {
    fn run<S: Sink>(reader: &Reader<'a>, sink: &mut S) -> Result<(), S::Error> {
        let (span, limits) = (reader.document.span(), reader.options.limits);
        if span.len > limits.bytes {
            return Err(limit(span.offset, Limit::Bytes).into());
        }
        let mut walk = Self { outer: SmallVec::new(), nodes_left: limits.nodes, options: reader.options };
        walk.count_node(span.offset)?;
        if limits.depth == 0 {
            return Err(limit(span.offset, Limit::Depth(0)).into());
        }
        let source = reader.document.source().get(..span.end()).unwrap_or_default();
        let cursor = Cursor::new(source, span.offset).document()?;
        match sink.begin_object(Container { span, len: None })? {
            Descend::Into => walk.members(Frame { cursor, tag: Tag::Document, start: span.offset }, sink),
            Descend::Skip => Ok(()),
        }
    }

    /// Delivers everything up to the end of the root, which is `frame`.
    fn members<S: Sink>(&mut self, mut frame: Frame<'a>, sink: &mut S) -> Result<(), S::Error> {
        loop {
            let (rest, next) = self.leaves(frame, sink)?;
            frame.cursor.rest = rest;
            if let Some(tag) = next {
                if let Some(inner) = self.begin(&mut frame.cursor, tag, sink)? {
                    self.outer.push(std::mem::replace(&mut frame, inner));
                }
                continue;
            }
            match frame.tag {
                Tag::Array => sink.end_array()?,
                Tag::CodeWithScope => sink.end_code_with_scope()?,
                _ => sink.end_object()?,
            }
            match self.outer.pop() {
                Some(parent) => frame = parent,
                None => return Ok(()),
            }
        }
    }

    /// Delivers the leaves of `frame` up to its end or up to a container in it, whose name is delivered; returns what is
    /// left and the type of that. Nothing in this loop is passed on by reference, so that it stays in registers.
    #[expect(clippy::inline_always, reason = "part of one loop")]
    #[inline(always)]
    fn leaves<S: Sink>(&mut self, frame: Frame<'a>, sink: &mut S) -> Result<(&'a [u8], Option<Tag>), S::Error> {
        let (mut cursor, in_array) = (frame.cursor, frame.tag == Tag::Array);
        while let Some((&byte, rest)) = cursor.rest.split_first() {
            let at = cursor.at();
            let Some(tag) = Tag::from_byte(byte) else { return Err(unknown_tag(&frame, at, byte).into()) };
            cursor.rest = rest;
            let name = cursor.cstring()?;
            if !in_array {
                let span = Span::new(at.wrapping_add(1), name.len());
                match as_text(name) {
                    Some(name) => sink.key(name, span)?,
                    None => self.lossy_key(sink, name, span)?,
                }
            }
            self.count_node(at)?;
            if matches!(tag, Tag::Document | Tag::Array | Tag::CodeWithScope) {
                return Ok((cursor.rest, Some(tag)));
            }
            let before = cursor;
            match cursor.scalar(tag) {
                Ok(scalar) => sink.scalar(scalar, Span::between(before.at(), cursor.at()))?,
                Err(error) => cursor.rest = self.lossy_leaf(sink, tag, before, error)?,
            }
        }
        Ok((cursor.rest, None))
    }

    /// Delivers a name that is not UTF-8, if that is to be tolerated.
    #[cold]
    fn lossy_key<S: Sink>(&self, sink: &mut S, name: &[u8], span: Span) -> Result<(), S::Error> {
        let name = self.lossy(name, invalid_utf8(name, span.offset))?;
        sink.key(&name, span)
    }

    /// Delivers the beginning of the container of type `tag` at `cursor`, which then stands behind it. Returns what is in it,
    /// unless the sink skips that.
    #[expect(clippy::inline_always, reason = "part of one loop")]
    #[inline(always)]
    fn begin<S: Sink>(
        &mut self,
        cursor: &mut Cursor<'a>,
        tag: Tag,
        sink: &mut S,
    ) -> Result<Option<Frame<'a>>, S::Error> {
        if tag == Tag::CodeWithScope {
            return self.begin_code_with_scope(cursor, sink);
        }
        let start = cursor.at();
        let inner = cursor.document()?;
        let container = Container { span: Span::between(start, cursor.at()), len: None };
        self.check_depth(start)?;
        let descend = if tag == Tag::Array { sink.begin_array(container) } else { sink.begin_object(container) }?;
        Ok((descend == Descend::Into).then_some(Frame { cursor: inner, tag, start }))
    }

    #[cold]
    fn begin_code_with_scope<S: Sink>(
        &mut self,
        cursor: &mut Cursor<'a>,
        sink: &mut S,
    ) -> Result<Option<Frame<'a>>, S::Error> {
        let start = cursor.at();
        let end = cursor.whole_end(14)?;
        cursor.take(4)?;
        let code_at = cursor.at().wrapping_add(4);
        let code = cursor.string(0)?;
        let scope_start = cursor.at();
        let inner = cursor.document()?;
        if cursor.at() != end {
            return Err(DecodeError::new(start, DecodeErrorKind::Broken(Rule::CodeWithScopeLength)).into());
        }
        self.check_depth(start)?;
        let scope = Container { span: Span::between(scope_start, end), len: None };
        let descend = match utf8(code, || code_at) {
            Ok(code) => sink.begin_code_with_scope(code, scope)?,
            Err(error) => sink.begin_code_with_scope(&self.lossy(code, error)?, scope)?,
        };
        Ok((descend == Descend::Into).then_some(Frame { cursor: inner, tag: Tag::CodeWithScope, start: scope_start }))
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

    /// The text in `bytes`, which are not UTF-8, if that is to be tolerated.
    #[cold]
    fn lossy(&self, bytes: &[u8], error: DecodeError) -> Result<String, DecodeError> {
        match self.options.utf8 {
            Utf8::Strict => Err(error),
            Utf8::Lossy => Ok(String::from_utf8_lossy(bytes).into_owned()),
        }
    }

    /// Delivers the value at `cursor` whose text is not UTF-8, if that is to be tolerated. Returns what follows it.
    #[cold]
    fn lossy_leaf<S: Sink>(
        &mut self,
        sink: &mut S,
        tag: Tag,
        mut cursor: Cursor<'a>,
        error: DecodeError,
    ) -> Result<&'a [u8], S::Error> {
        if error.kind != DecodeErrorKind::InvalidUtf8 {
            return Err(error.into());
        }
        let (at, mut scratch) = (cursor.at(), Vec::new());
        let text = match tag {
            Tag::Regex => cursor.regex_bytes()?,
            Tag::DbPointer => cursor.string(12)?,
            _ => cursor.string(0)?,
        };
        let text = self.lossy(text, error)?;
        let scalar = match tag {
            Tag::String => Scalar::String(&text),
            Tag::Code => Scalar::Code(&text),
            Tag::Symbol => Scalar::Symbol(&text),
            Tag::Regex => Scalar::Regex(Regex::new(&text).ok_or(error)?),
            Tag::DbPointer => {
                let id = boson_document::ObjectId(cursor.array()?);
                Scalar::DbPointer(DbPointer::join(&text, id, &mut scratch).ok_or(error)?)
            }
            _ => return Err(not_a_scalar(tag, at).into()),
        };
        sink.scalar(scalar, Span::between(at, cursor.at()))?;
        Ok(cursor.rest)
    }
}

/// A type byte of 0 means that the container ends before its length says so.
#[cold]
fn unknown_tag(frame: &Frame<'_>, at: usize, byte: u8) -> DecodeError {
    if byte == 0 {
        let end = frame.cursor.at().saturating_add(frame.cursor.rest.len()).saturating_add(1);
        return ends_early(frame.start, end, at.saturating_add(1));
    }
    DecodeError::new(at, DecodeErrorKind::UnknownTag(byte))
}

#[cold]
fn limit(at: usize, limit: Limit) -> DecodeError {
    DecodeError::new(at, DecodeErrorKind::LimitExceeded(limit))
}
