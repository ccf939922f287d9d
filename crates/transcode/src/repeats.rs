//! Which members are left out when a name occurs more than once in an object and one of them is to be kept.
//!
//! Nobody knows that a member is not the last of its name before the object has ended, so the document is walked twice: once
//! to find the members that go, once to carry the others over. This happens only where the policy asks for it.

use boson_document::{Container, DecodeError, Descend, Scalar, Sink, Span};
use boson_json::Unwrapped;

use crate::carry::{Carry, Target, Writer};
use crate::error::ConvertError;
use crate::names::{Names, Twins};

/// Finds the members that go, on the first walk.
#[derive(Debug, Default)]
pub(crate) struct Repeats {
    names: Names,
    /// Which member of the document each open name of `names` is, counted from 0 in the order of the walk.
    members: Vec<usize>,
    seen: usize,
    keep_last: bool,
    dropped: Vec<usize>,
}

impl Repeats {
    /// Ready for the next document, to keep the last of each name or the first.
    pub(crate) fn start(&mut self, keep_last: bool) {
        self.names.clear();
        self.members.clear();
        self.dropped.clear();
        self.seen = 0;
        self.keep_last = keep_last;
    }

    /// The members that go, in the order of the walk.
    pub(crate) fn dropped(&mut self) -> &[usize] {
        self.dropped.sort_unstable();
        &self.dropped
    }

    fn enter(&mut self) -> Descend {
        self.names.enter();
        Descend::Into
    }

    fn leave(&mut self) -> Result<(), DecodeError> {
        let Self { names, members, dropped, keep_last, .. } = self;
        names.leave(|_, Twins { earlier, later }| {
            let place = if *keep_last { earlier } else { later };
            dropped.extend(members.get(place));
            Ok::<_, DecodeError>(())
        })?;
        self.members.truncate(self.names.len());
        Ok(())
    }
}

impl Sink for Repeats {
    type Error = DecodeError;

    fn begin_object(&mut self, _: Container) -> Result<Descend, DecodeError> {
        Ok(self.enter())
    }

    fn end_object(&mut self) -> Result<(), DecodeError> {
        self.leave()
    }

    fn begin_array(&mut self, _: Container) -> Result<Descend, DecodeError> {
        Ok(Descend::Into)
    }

    fn end_array(&mut self) -> Result<(), DecodeError> {
        Ok(())
    }

    fn begin_code_with_scope(&mut self, _: &str, _: Container) -> Result<Descend, DecodeError> {
        Ok(self.enter())
    }

    fn end_code_with_scope(&mut self) -> Result<(), DecodeError> {
        self.leave()
    }

    fn key(&mut self, name: &str, _: Span) -> Result<(), DecodeError> {
        self.names.key(name);
        self.members.push(self.seen);
        self.seen = self.seen.saturating_add(1);
        Ok(())
    }

    fn scalar(&mut self, _: Scalar<'_>, _: Span) -> Result<(), DecodeError> {
        Ok(())
    }
}

/// Leaves out the members that go, on the second walk, and reports each.
pub(crate) struct Prune<'p, 'r, W, T> {
    carry: Carry<'r, W, T>,
    dropped: &'p [usize],
    seen: usize,
    /// Containers open in the member that is being left out; `None` outside of one.
    depth: Option<usize>,
    /// The leaf before was left out.
    leaf_left_out: bool,
}

impl<'p, 'r, W: Writer, T: Target> Prune<'p, 'r, W, T> {
    /// Leaves out of what goes to `carry` the members that `dropped` counts.
    pub(crate) const fn new(carry: Carry<'r, W, T>, dropped: &'p [usize]) -> Self {
        Self { carry, dropped, seen: 0, depth: None, leaf_left_out: false }
    }

    /// The leaf that came last was the content of a wrapper object.
    pub(crate) fn unwrapped(&mut self, unwrapped: Unwrapped) {
        if !self.leaf_left_out {
            self.carry.unwrapped(unwrapped);
        }
    }

    const fn is_silent(&self) -> bool {
        self.depth.is_some()
    }

    /// Whether the next member goes.
    fn next_goes(&mut self) -> bool {
        let this = self.seen;
        self.seen = self.seen.saturating_add(1);
        while self.dropped.first().is_some_and(|&member| member < this) {
            self.dropped = self.dropped.get(1..).unwrap_or_default();
        }
        self.dropped.first() == Some(&this)
    }

    /// A container begins; true when it is left out.
    fn goes_in(&mut self) -> bool {
        self.depth = self.depth.map(|depth| depth.saturating_add(1));
        self.is_silent()
    }

    /// A container ends; true when it is left out.
    fn goes_out(&mut self) -> bool {
        let silent = self.is_silent();
        self.depth = self.depth.and_then(|depth| depth.checked_sub(1)).filter(|&depth| depth > 0);
        silent
    }
}

impl<W: Writer, T: Target> Sink for Prune<'_, '_, W, T> {
    type Error = ConvertError;

    fn begin_object(&mut self, container: Container) -> Result<Descend, ConvertError> {
        if self.goes_in() { Ok(Descend::Into) } else { self.carry.begin_object(container) }
    }

    fn end_object(&mut self) -> Result<(), ConvertError> {
        if self.goes_out() { Ok(()) } else { self.carry.end_object() }
    }

    fn begin_array(&mut self, container: Container) -> Result<Descend, ConvertError> {
        if self.goes_in() { Ok(Descend::Into) } else { self.carry.begin_array(container) }
    }

    fn end_array(&mut self) -> Result<(), ConvertError> {
        if self.goes_out() { Ok(()) } else { self.carry.end_array() }
    }

    fn begin_code_with_scope(&mut self, code: &str, container: Container) -> Result<Descend, ConvertError> {
        if self.goes_in() { Ok(Descend::Into) } else { self.carry.begin_code_with_scope(code, container) }
    }

    fn end_code_with_scope(&mut self) -> Result<(), ConvertError> {
        if self.goes_out() { Ok(()) } else { self.carry.end_code_with_scope() }
    }

    fn key(&mut self, name: &str, span: Span) -> Result<(), ConvertError> {
        let goes = self.next_goes();
        if self.is_silent() {
            return Ok(());
        }
        if goes {
            self.carry.leave_out(name);
            self.depth = Some(0);
            return Ok(());
        }
        self.carry.key(name, span)
    }

    fn scalar(&mut self, scalar: Scalar<'_>, span: Span) -> Result<(), ConvertError> {
        self.leaf_left_out = self.is_silent();
        match self.depth {
            Some(0) => self.depth = None,
            Some(_) => {}
            None => return self.carry.scalar(scalar, span),
        }
        Ok(())
    }
}
