//! Writing a document with its changes: what was not touched is copied in whole runs.

use boson_document::Span;

use super::super::error::Fault;
use super::super::rename::renamed;
use super::overlay::{Becomes, Node, Overlay};
use crate::error::EncodeErrorKind;
use crate::tag::Tag;
use crate::view::place::Places;
use crate::write::{BYTES_MAX, Counter};

/// The bytes of `document` with its changes.
pub(super) fn write(overlay: &Overlay, document: &[u8]) -> Result<Vec<u8>, Fault> {
    let out = Vec::with_capacity(document.len().saturating_add(overlay.growth_max()));
    let mut writing = Writing { overlay, document, out, open: Vec::new() };
    writing.begin(Overlay::ROOT);
    while let Some(frame) = writing.open.pop() {
        writing.go_on(frame)?;
    }
    Ok(writing.out)
}

struct Writing<'o> {
    overlay: &'o Overlay,
    document: &'o [u8],
    out: Vec<u8>,
    /// The containers that have begun and not ended, the innermost last.
    open: Vec<Frame<'o>>,
}

/// A container that is being written.
struct Frame<'o> {
    node: &'o Node,
    text: &'o [u8],
    /// Where the value begins in what is written, and where its members' length stands.
    start: usize,
    members_start: usize,
    /// The offset in `text` of what comes next.
    at: usize,
    /// Which change and which added member come next.
    change: usize,
    added: usize,
    /// The name of the next element, in an array whose elements have moved.
    counter: Option<Counter>,
}

impl<'o> Writing<'o> {
    /// Begins the container `node`, or copies it when it is a leaf.
    fn begin(&mut self, node: usize) {
        let Some(node) = self.overlay.node(node) else { return };
        let text = self.overlay.text(self.document, node);
        let start = self.out.len();
        if node.members.is_empty() {
            self.copy(text, node.value);
            return;
        }
        // The lengths are filled in at the end; of code with scope the code is copied as well.
        let at = node.members.offset.saturating_add(4);
        self.copy(text, Span::between(node.value.offset, at));
        let members_start = self.out.len().saturating_sub(4);
        self.open.push(Frame { node, text, start, members_start, at, change: 0, added: 0, counter: None });
    }

    /// Writes the members of the container up to and including the next one that was touched, or up to its end.
    fn go_on(&mut self, mut frame: Frame<'o>) -> Result<(), Fault> {
        let node = frame.node;
        let nul = node.members.end().saturating_sub(1);
        let change = node.changes.get(frame.change);
        self.copy_upto(&mut frame, change.map_or(nul, |change| change.element.span().offset))?;
        if let Some(change) = change {
            frame.change = frame.change.saturating_add(1);
            if node.tag == Tag::Array && (change.is_before || matches!(change.becomes, Becomes::Nothing)) {
                frame.counter.get_or_insert_with(|| Counter::starting_at(change.index));
            }
            if !change.is_before {
                frame.at = change.element.span().end();
            }
            let name = frame.text.get(change.element.name.range()).unwrap_or_default();
            self.member(frame, name, change.becomes);
        } else if let Some(added) = node.added.get(frame.added) {
            frame.added = frame.added.saturating_add(1);
            if node.tag == Tag::Array {
                frame.counter.get_or_insert_with(|| Counter::starting_at(node.count));
            }
            let name = self.overlay.aside(added.name);
            self.member(frame, name, added.becomes);
        } else {
            self.end(&frame)?;
        }
        Ok(())
    }

    /// Copies the elements up to `end`, named anew where they have moved.
    fn copy_upto(&mut self, frame: &mut Frame<'o>, end: usize) -> Result<(), Fault> {
        match &mut frame.counter {
            Some(counter) => renamed(frame.text, Places::between(frame.text, frame.at, end), counter, &mut self.out)?,
            None => self.copy(frame.text, Span::between(frame.at, end)),
        }
        frame.at = frame.at.max(end);
        Ok(())
    }

    /// Writes a member called `name`, or as its array counts, and leaves the container open.
    fn member(&mut self, mut frame: Frame<'o>, name: &[u8], becomes: Becomes) {
        let tag = match becomes {
            Becomes::Nothing => return self.open.push(frame),
            Becomes::Value { tag, .. } => tag,
            Becomes::Node(node) => self.overlay.tag(node),
        };
        self.out.push(tag.byte());
        match &mut frame.counter {
            Some(counter) => {
                self.out.extend_from_slice(counter.digits());
                counter.advance();
            }
            None => self.out.extend_from_slice(name),
        }
        self.out.push(0);
        self.open.push(frame);
        match becomes {
            Becomes::Value { bytes, .. } => self.out.extend_from_slice(self.overlay.aside(bytes)),
            Becomes::Node(node) => self.begin(node),
            Becomes::Nothing => {}
        }
    }

    fn end(&mut self, frame: &Frame<'_>) -> Result<(), Fault> {
        self.out.push(0);
        self.fill_in(frame.members_start)?;
        if frame.start != frame.members_start {
            self.fill_in(frame.start)?;
        }
        Ok(())
    }

    /// Fills in the length at `start` of what ends here.
    fn fill_in(&mut self, start: usize) -> Result<(), Fault> {
        let len = i32::try_from(self.out.len().saturating_sub(start));
        let slot = self.out.get_mut(start..).and_then(<[u8]>::first_chunk_mut);
        if let (Ok(len), Some(slot)) = (len, slot) {
            *slot = len.to_le_bytes();
            return Ok(());
        }
        Err(Fault::Encode(EncodeErrorKind::TooLarge { bytes_max: BYTES_MAX }))
    }

    fn copy(&mut self, text: &[u8], span: Span) {
        self.out.extend_from_slice(text.get(span.range()).unwrap_or_default());
    }
}
