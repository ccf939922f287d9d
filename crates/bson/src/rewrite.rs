//! Changing some values of a document while every other byte stays as it is.
//!
//! One pass hops over the elements like any lookup does, copies the runs between changes whole and sets the lengths of the
//! containers around a change right. What is neither changed nor descended into is not looked at, so text that is not
//! UTF-8 does not matter there.

use std::ops::Range;

use boson_document::{DecodeError, DecodeErrorKind, Limit, Scalar, Span};

use crate::error::EncodeErrorKind;
use crate::tag::Tag;
use crate::view::place::Places;
use crate::view::{Document, Element};
use crate::write::{BYTES_MAX, put_scalar};

/// Says what becomes of the elements of documents.
pub trait Rewrite {
    /// What is known of a container's place in the structure.
    type Place: Copy;

    /// What becomes of `element`, before which there are `ordinal` others in the container at `place`.
    ///
    /// What takes its place is put into `instead`, and only counts when the answer is [`Step::Replace`]; nothing put there
    /// means that the element goes away.
    ///
    /// # Errors
    ///
    /// What is to stop the walk.
    fn element(
        &mut self,
        place: Self::Place,
        ordinal: usize,
        element: &Element<'_>,
        instead: &mut Instead<'_>,
    ) -> Result<Step<Self::Place>, DecodeError>;
}

/// What becomes of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step<P> {
    /// It stays, to its last byte.
    Leave,
    /// It is a document or an array: go on inside of it, which is at this place. Anything else is left.
    Into(P),
    /// What was put into [`Instead`] takes its place.
    Replace,
}

/// Bytes that took the place of others: everything outside of such ranges is the same before and after.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Patch {
    /// Where they stand in the document as it was.
    pub before: Range<usize>,
    /// Where they stand in the document as it is now.
    pub after: Range<usize>,
}

/// What takes the place of an element.
#[derive(Debug)]
pub struct Instead<'a> {
    out: &'a mut Vec<u8>,
    /// The bytes since the last change, which are copied before anything is put.
    unchanged: &'a [u8],
    /// Where in `out` that which is put begins, once something was put.
    start: Option<usize>,
}

impl Instead<'_> {
    fn begin(&mut self) {
        if self.start.is_none() {
            self.out.extend_from_slice(self.unchanged);
            self.start = Some(self.out.len());
        }
    }

    /// Puts a leaf.
    ///
    /// # Errors
    ///
    /// What BSON has no form for.
    pub fn put(&mut self, name: &[u8], scalar: Scalar<'_>) -> Result<(), EncodeErrorKind> {
        let tag_at = self.put_name(name)?;
        let tag = put_scalar(self.out, scalar)?;
        self.set_tag(tag_at, tag);
        Ok(())
    }

    /// Puts a value whose bytes are known, with its length where its type has one.
    ///
    /// # Errors
    ///
    /// `NulInName`.
    pub fn put_raw(&mut self, name: &[u8], tag: Tag, value: &[u8]) -> Result<(), EncodeErrorKind> {
        let tag_at = self.put_name(name)?;
        self.out.extend_from_slice(value);
        self.set_tag(tag_at, tag);
        Ok(())
    }

    fn put_name(&mut self, name: &[u8]) -> Result<usize, EncodeErrorKind> {
        if name.contains(&0) {
            return Err(EncodeErrorKind::NulInName);
        }
        self.begin();
        let tag_at = self.out.len();
        self.out.push(0);
        self.out.extend_from_slice(name);
        self.out.push(0);
        Ok(tag_at)
    }

    fn set_tag(&mut self, at: usize, tag: Tag) {
        if let Some(byte) = self.out.get_mut(at) {
            *byte = tag.byte();
        }
    }
}

/// A container that is being rewritten.
#[derive(Debug)]
struct Frame<P> {
    place: P,
    /// How many elements came.
    ordinal: usize,
    /// Where it stands in the document as it was.
    span: Span,
    /// Where the next element begins there.
    at: usize,
    /// Where its length stands in the output.
    out_at: usize,
    /// Where among the patches that of its length goes.
    patch: usize,
}

/// Rewrites documents, one after another, and keeps its memory between them.
#[derive(Debug)]
pub struct Rewriter<P> {
    open: Vec<Frame<P>>,
    patches: Vec<Patch>,
}

impl<P> Default for Rewriter<P> {
    fn default() -> Self {
        Self { open: Vec::new(), patches: Vec::new() }
    }
}

/// The walk over one document.
struct Walk<'a, P> {
    source: &'a [u8],
    out: &'a mut Vec<u8>,
    /// Where this document begins in `out`.
    out_start: usize,
    /// How much of `source` is in `out`, or was replaced.
    done: usize,
    rewriter: &'a mut Rewriter<P>,
}

impl<P: Copy> Rewriter<P> {
    /// Appends `document` to `out` as `rewrite` wants it; the root is at `place`. Returns whether anything changed.
    ///
    /// # Errors
    ///
    /// A fault in an element that was hopped over or asked for, what `rewrite` answered, or `LimitExceeded` when the
    /// document would be larger than BSON's lengths can say. `out` is then as it was.
    pub fn rewrite<R: Rewrite<Place = P>>(
        &mut self,
        document: Document<'_>,
        place: P,
        rewrite: &mut R,
        out: &mut Vec<u8>,
    ) -> Result<bool, DecodeError> {
        self.open.clear();
        self.patches.clear();
        let out_start = out.len();
        let mut walk = Walk { source: document.bytes(), out, out_start, done: 0, rewriter: self };
        let outcome = walk.run(place, rewrite);
        if outcome.is_err() {
            out.truncate(out_start);
        }
        outcome
    }

    /// What changed in the document that was rewritten last, ascending; places count from the document's first byte.
    pub fn patches(&self) -> &[Patch] {
        &self.patches
    }
}

impl<P: Copy> Walk<'_, P> {
    fn run<R: Rewrite<Place = P>>(&mut self, place: P, rewrite: &mut R) -> Result<bool, DecodeError> {
        let mut frame = self.frame(place, Span::new(0, self.source.len()));
        loop {
            let mut places = Places::between(self.source, frame.at, frame.span.end().saturating_sub(1));
            let mut inner = None;
            while let Some(found) = places.next()? {
                let element = Element::new(self.source, found);
                let step = self.step(&frame, &element, rewrite)?;
                frame.ordinal = frame.ordinal.saturating_add(1);
                if let Step::Into(place) = step
                    && let Some(document) = container(&element)?
                {
                    frame.at = places.at();
                    inner = Some(self.frame(place, document));
                    break;
                }
            }
            if let Some(inner) = inner {
                self.rewriter.open.push(std::mem::replace(&mut frame, inner));
                continue;
            }
            self.close(&frame)?;
            match self.rewriter.open.pop() {
                Some(outer) => frame = outer,
                None => break,
            }
        }
        self.copy_to(self.source.len());
        Ok(!self.rewriter.patches.is_empty())
    }

    fn frame(&self, place: P, span: Span) -> Frame<P> {
        let out_at = self.out_place(span.offset);
        let patch = self.rewriter.patches.len();
        Frame { place, ordinal: 0, span, at: span.offset.saturating_add(4), out_at, patch }
    }

    /// Where in the output the byte will stand that is at `at` in the source, if nothing changes up to there.
    fn out_place(&self, at: usize) -> usize {
        self.out.len().saturating_sub(self.out_start).saturating_add(at.saturating_sub(self.done))
    }

    #[inline]
    fn step<R: Rewrite<Place = P>>(
        &mut self,
        frame: &Frame<P>,
        element: &Element<'_>,
        rewrite: &mut R,
    ) -> Result<Step<P>, DecodeError> {
        let span = element.span();
        let unchanged = self.source.get(self.done..span.offset).unwrap_or_default();
        let out_len = self.out.len();
        let mut instead = Instead { out: &mut *self.out, unchanged, start: None };
        let step = rewrite.element(frame.place, frame.ordinal, element, &mut instead)?;
        match (step, instead.start) {
            (Step::Replace, start) => {
                if start.is_none() {
                    instead.begin();
                }
                let start = instead.start.unwrap_or(out_len).saturating_sub(self.out_start);
                let after = start..self.out.len().saturating_sub(self.out_start);
                self.rewriter.patches.push(Patch { before: span.range(), after });
                self.done = span.end();
            }
            // What was put does not count.
            (_, Some(_)) => self.out.truncate(out_len),
            (_, None) => {}
        }
        Ok(step)
    }

    fn copy_to(&mut self, end: usize) {
        self.out.extend_from_slice(self.source.get(self.done..end).unwrap_or_default());
        self.done = self.done.max(end);
    }

    /// Sets the length of a container right whose end was reached.
    fn close(&mut self, frame: &Frame<P>) -> Result<(), DecodeError> {
        let len = self.out_place(frame.span.end()).saturating_sub(frame.out_at);
        if len == frame.span.len {
            return Ok(());
        }
        self.copy_to(frame.span.end());
        let too_large = DecodeError::new(frame.span.offset, DecodeErrorKind::LimitExceeded(Limit::Bytes));
        let written = i32::try_from(len).ok().filter(|_| len <= BYTES_MAX).ok_or(too_large)?;
        let at = self.out_start.saturating_add(frame.out_at);
        let slot = self.out.get_mut(at..).and_then(<[u8]>::first_chunk_mut::<4>);
        if let Some(slot) = slot {
            *slot = written.to_le_bytes();
        }
        let before = frame.span.offset..frame.span.offset.saturating_add(4);
        let after = frame.out_at..frame.out_at.saturating_add(4);
        self.rewriter.patches.insert(frame.patch.min(self.rewriter.patches.len()), Patch { before, after });
        Ok(())
    }
}

/// The bytes of the document or array that `element` is, if it is one.
fn container(element: &Element<'_>) -> Result<Option<Span>, DecodeError> {
    let value = element.value();
    match value.tag() {
        Tag::Document => Ok(Some(value.as_document()?.span())),
        Tag::Array => Ok(Some(value.as_array()?.span())),
        _ => Ok(None),
    }
}
