//! Notes one after the other, and what is between them.

use std::fmt::{self, Write as _};

use boson_document::{Note, Region, Role, Scalar, Span};

use super::found::Found;
use super::{Explanation, Selection};

/// How many bytes are shown of those that could not be read.
const UNREAD_SHOWN_MAX: usize = 64;

/// Tells regions next to each other. Of two that overlap the later one is cut; what is between two is slack.
pub(super) struct Teller<'a, 'e, F> {
    pub(super) bytes: &'a [u8],
    pub(super) found: &'e Found,
    selection: Option<&'e Selection>,
    fault_at: Option<usize>,
    /// Where the header is at fault: nothing is known of what follows.
    header_fault_at: Option<usize>,
    tell: F,
    /// The meaning of the region at hand.
    text: String,
    pub(super) section: &'static str,
    pub(super) depth: u32,
    /// The node or entry at hand.
    pub(super) whole: Span,
    /// Where the next region begins.
    pub(super) at: usize,
    /// Where the last one that was told ended.
    end: usize,
}

/// What is particular about a region.
#[derive(Clone, Copy, Default)]
pub(super) struct Extra<'a> {
    pub(super) value: Option<Scalar<'a>>,
    pub(super) points_to: Option<usize>,
    pub(super) is_hidden: bool,
}

impl Extra<'_> {
    pub(super) const NONE: Self = Self { value: None, points_to: None, is_hidden: false };

    pub(super) const fn to(at: Option<usize>) -> Self {
        Self { value: None, points_to: at, is_hidden: false }
    }
}

impl<'a, 'e, E, F: FnMut(&Note<'_>) -> Result<(), E>> Teller<'a, 'e, F> {
    pub(super) fn new(explanation: &'e Explanation<'a>, selection: Option<&'e Selection>, tell: F) -> Self {
        Self {
            bytes: explanation.bytes,
            found: &explanation.found,
            selection,
            fault_at: explanation.fault.as_ref().map(|fault| fault.error.offset),
            header_fault_at: explanation.front.as_ref().err().map(|error| error.offset),
            tell,
            text: String::new(),
            section: "header",
            depth: 0,
            whole: Span::default(),
            at: 0,
            end: 0,
        }
    }

    /// Begins a part of the image at `start`.
    pub(super) fn section(&mut self, name: &'static str, start: usize) {
        (self.section, self.depth, self.at) = (name, 0, start);
    }

    /// Where the last region that was told ended.
    pub(super) const fn told_to(&self) -> usize {
        self.end
    }

    /// Whether everything from here on is beyond the end, or hidden by a fault of the header.
    pub(super) fn is_over(&self) -> bool {
        self.at >= self.bytes.len() || self.header_fault_at.is_some_and(|at| self.at > at)
    }

    /// The next `len` bytes.
    pub(super) fn region(
        &mut self,
        len: usize,
        role: Role,
        extra: Extra<'_>,
        meaning: fmt::Arguments<'_>,
    ) -> Result<(), E> {
        if self.is_over() {
            return Ok(());
        }
        let (start, end) = (self.at, self.at.saturating_add(len));
        self.at = end;
        let span = Span::between(start.max(self.end), end.min(self.bytes.len()));
        if span.is_empty() {
            return Ok(());
        }
        self.end = span.end();
        let shown = if extra.is_hidden { 0 } else { span.len };
        let is_cut = span.offset > start;
        self.note(Region { span, role, depth: self.depth }, extra, shown, |text| {
            if is_cut {
                text.push_str("(begins within what is above) ");
            }
            // Writing to a string cannot fail.
            let _ = text.write_fmt(meaning);
        })
    }

    /// What was not told before `end`: bytes that nothing refers to, or that a fault hides.
    pub(super) fn gap(&mut self, end: usize, reason: &str) -> Result<(), E> {
        let span = Span::between(self.end, end.min(self.bytes.len()));
        if span.is_empty() {
            return Ok(());
        }
        self.end = span.end();
        self.at = self.at.max(self.end);
        let whole = std::mem::replace(&mut self.whole, span);
        let is_hidden = self.found.fault.is_some() || self.header_fault_at.is_some();
        let told = if is_hidden {
            let region = Region { span, role: Role::Unread, depth: self.depth };
            let meaning = "not read, because of a fault";
            self.note(region, Extra::NONE, self.shown(span.len.min(UNREAD_SHOWN_MAX)), |text| text.push_str(meaning))
        } else {
            let region = Region { span, role: Role::Slack, depth: self.depth };
            self.note(region, Extra::NONE, self.shown(span.len), |text| text.push_str(reason))
        };
        self.whole = whole;
        told
    }

    /// How many of `len` bytes that nothing refers to may be shown.
    const fn shown(&self, len: usize) -> usize {
        if self.found.may_be_sensitive { 0 } else { len }
    }

    fn note(
        &mut self,
        region: Region,
        extra: Extra<'_>,
        shown: usize,
        meaning: impl FnOnce(&mut String),
    ) -> Result<(), E> {
        if self.selection.is_some_and(|selection| !selection.contains(region.span.offset)) {
            return Ok(());
        }
        self.text.clear();
        meaning(&mut self.text);
        (self.tell)(&Note {
            region,
            section: self.section,
            meaning: &self.text,
            value: extra.value,
            whole: self.whole,
            points_to: extra.points_to,
            shown,
            is_fault: self.fault_at.is_some_and(|at| region.span.range().contains(&at)),
        })
    }

    /// What is left at the end.
    pub(super) fn finish(mut self) -> Result<(), E> {
        let is_faulty = self.header_fault_at.is_some();
        self.section(if is_faulty { "after the fault" } else { "after the image" }, self.end);
        let rest = Span::between(self.end, self.bytes.len());
        if rest.is_empty() {
            return Ok(());
        }
        self.whole = rest;
        let region = Region { span: rest, role: Role::Unread, depth: 0 };
        let meaning =
            if self.header_fault_at.is_some() { "not read, because of a fault" } else { "no part of the image" };
        self.note(region, Extra::NONE, self.shown(rest.len.min(UNREAD_SHOWN_MAX)), |text| text.push_str(meaning))
    }

    /// The big-endian number of `len` bytes at `at`, as far as they are there.
    pub(super) fn number(&self, at: usize, len: usize) -> u64 {
        let bytes = self.bytes.get(at..at.saturating_add(len)).unwrap_or_default();
        bytes.iter().fold(0, |number: u64, &byte| number.wrapping_shl(8) | u64::from(byte))
    }
}
