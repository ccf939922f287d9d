//! A change made in a document while it passes from its source to the writer.

use boson_document::edit::Change;
use boson_document::{Container, Descend, Scalar, Segment, Sink, Source, Span};

use crate::write::{EncodeError, Writer};

/// Hands a document on to a writer, with the change made in it, whose path is known to lead to a place for it.
///
/// The containers on the way to that place are counted: the root, the one at the first step, and so on. While all that are
/// open are on the way, the next child may be the next step.
pub(super) struct Rewrite<'a> {
    writer: &'a mut Writer,
    steps: &'a [Segment],
    change: &'a Change<'a>,
    /// Containers that are open.
    depth: usize,
    /// How many of those are on the way.
    on_the_way: usize,
    /// Of the innermost of them: whether the last key was that of the next step.
    is_next: bool,
    /// Of the innermost of them: how many children have come.
    children: usize,
    /// Whether the change was made, or its place has passed.
    done: bool,
}

/// What becomes of the value that comes next.
enum Next {
    Pass,
    Enter,
    Replace,
    Precede,
    Drop,
}

impl<'a> Rewrite<'a> {
    pub(super) const fn new(writer: &'a mut Writer, steps: &'a [Segment], change: &'a Change<'a>) -> Self {
        Self { writer, steps, change, depth: 0, on_the_way: 0, is_next: false, children: 0, done: false }
    }

    fn is_on_the_way(&self) -> bool {
        !self.done && self.depth == self.on_the_way
    }

    /// What becomes of the value that comes next.
    fn next(&mut self) -> Next {
        if !self.is_on_the_way() {
            return Next::Pass;
        }
        let Some(number) = self.on_the_way.checked_sub(1) else { return Next::Enter };
        let is_next = match self.steps.get(number) {
            Some(Segment::Field(_)) => self.is_next,
            Some(Segment::Index(index)) => self.children == *index,
            None => false,
        };
        self.children = self.children.wrapping_add(1);
        match self.change {
            _ if !is_next => Next::Pass,
            _ if self.on_the_way < self.steps.len() => Next::Enter,
            Change::Push(_) => Next::Enter,
            Change::Set(_) => Next::Replace,
            Change::Insert(_) => Next::Precede,
            Change::Remove => Next::Drop,
        }
    }

    fn put_new(&mut self) -> Result<(), EncodeError> {
        self.done = true;
        match self.change {
            Change::Set(new) | Change::Insert(new) | Change::Push(new) => new.drive(self.writer),
            Change::Remove => Ok(()),
        }
    }

    fn begin(
        &mut self,
        pass: impl FnOnce(&mut Writer) -> Result<Descend, EncodeError>,
    ) -> Result<Descend, EncodeError> {
        match self.next() {
            Next::Pass => {}
            Next::Enter => {
                self.on_the_way = self.on_the_way.wrapping_add(1);
                self.children = 0;
            }
            Next::Precede => self.put_new()?,
            Next::Replace | Next::Drop => {
                self.put_new()?;
                return Ok(Descend::Skip);
            }
        }
        self.depth = self.depth.wrapping_add(1);
        pass(self.writer)
    }

    /// Before a container ends, what is to be its last child comes.
    fn end(&mut self) -> Result<(), EncodeError> {
        if self.is_on_the_way() {
            match (self.change, self.steps.last()) {
                (Change::Push(_), _) if self.on_the_way > self.steps.len() => self.put_new()?,
                (Change::Set(_), Some(Segment::Field(name))) => {
                    self.writer.key(name, Span::default())?;
                    self.put_new()?;
                }
                (Change::Insert(_), Some(Segment::Index(_))) => self.put_new()?,
                _ => {}
            }
            self.done = true;
        }
        self.depth = self.depth.wrapping_sub(1);
        Ok(())
    }
}

impl Sink for Rewrite<'_> {
    type Error = EncodeError;

    fn begin_object(&mut self, container: Container) -> Result<Descend, EncodeError> {
        self.begin(|writer| writer.begin_object(container))
    }

    fn end_object(&mut self) -> Result<(), EncodeError> {
        self.end()?;
        self.writer.end_object()
    }

    fn begin_array(&mut self, container: Container) -> Result<Descend, EncodeError> {
        self.begin(|writer| writer.begin_array(container))
    }

    fn end_array(&mut self) -> Result<(), EncodeError> {
        self.end()?;
        self.writer.end_array()
    }

    fn begin_code_with_scope(&mut self, code: &str, container: Container) -> Result<Descend, EncodeError> {
        self.writer.begin_code_with_scope(code, container)
    }

    fn end_code_with_scope(&mut self) -> Result<(), EncodeError> {
        self.writer.end_code_with_scope()
    }

    fn key(&mut self, name: &str, span: Span) -> Result<(), EncodeError> {
        if self.is_on_the_way() {
            let step = self.on_the_way.checked_sub(1).and_then(|number| self.steps.get(number));
            self.is_next = matches!(step, Some(Segment::Field(next)) if next == name);
            let is_target = self.is_next && self.on_the_way == self.steps.len();
            if is_target && matches!(self.change, Change::Remove) {
                return Ok(());
            }
        }
        self.writer.key(name, span)
    }

    fn scalar(&mut self, scalar: Scalar<'_>, span: Span) -> Result<(), EncodeError> {
        match self.next() {
            Next::Replace | Next::Drop => return self.put_new(),
            Next::Precede => self.put_new()?,
            Next::Pass | Next::Enter => {}
        }
        self.writer.scalar(scalar, span)
    }
}
