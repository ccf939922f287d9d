//! Wrapper objects into scalars.

use boson_document::{Container, DecodeError, DecodeErrorKind, Descend, Rule, Scalar, Sink, Span};

use super::Dialects;
use super::decode::{Decoded, decode};
use super::name::{Holds, Name};
use super::tape::{Event, Origin, Tape};

/// Turns wrapper objects into the scalars they mean, on the way from any source to any sink: `{"$oid": "56e1…"}` arrives
/// as an ObjectId, `{"$code": …, "$scope": {…}}` as code with scope.
///
/// An object whose first key is no wrapper's passes through at once. One whose first key is, is held back until its end,
/// or until something in it shows that it is none; then it is delivered unchanged, or refused. Keys of a wrapper may come in
/// any order. What is held back is kept once, however deeply wrappers stand in wrappers.
///
/// Errors carry the offset of the object. Whoever wants to know which scalars came out of wrappers asks with
/// [`noticing`](Self::noticing).
#[derive(Clone, Debug)]
pub struct Unwrap<S, F = fn(&mut S, Unwrapped)> {
    inner: S,
    notice: F,
    dialects: Dialects,
    /// An object that has begun, and whose first key has not come.
    pending: Option<Container>,
    /// The sink does not want the object that is being delivered.
    skipping: bool,
    tape: Tape,
    /// The objects on the tape that may be wrappers, each inside the one before.
    frames: Vec<Frame>,
    /// Containers open on the tape.
    depth: usize,
    /// The innermost container on the tape is an object whose first key has not come.
    fresh: bool,
    malformed: u64,
}

/// What became of a wrapper object's content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unwrapped {
    /// The scalar is what the object said.
    Exact,
    /// A float that is near what the object said, but has not all its digits.
    Rounded,
}

impl From<Origin> for Unwrapped {
    fn from(origin: Origin) -> Self {
        if origin.rounded { Self::Rounded } else { Self::Exact }
    }
}

/// An object on the tape that may be a wrapper.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    /// Its place on the tape.
    pub(super) start: usize,
    /// Containers open on the tape inside it, itself among them.
    depth: usize,
    /// Where it stands in the source.
    pub(super) span: Span,
    pub(super) first: Member,
    pub(super) second: Option<Member>,
}

/// A key of a wrapper, and the place of its value on the tape.
#[derive(Clone, Copy, Debug)]
pub(super) struct Member {
    pub(super) name: Name,
    pub(super) value: usize,
}

impl Frame {
    fn is_binding(&self) -> bool {
        self.first.name.is_binding() || self.second.is_some_and(|member| member.name.is_binding())
    }

    fn last(&self) -> Name {
        self.second.unwrap_or(self.first).name
    }

    /// Takes one more key; false when no wrapper has it beside those that were there.
    fn add(&mut self, member: Member) -> bool {
        let added = self.second.is_none() && member.name != self.first.name;
        self.second = self.second.or(Some(member));
        added
    }
}

impl<S: Sink> Unwrap<S> {
    /// Unwraps what `dialects` have.
    pub fn new(inner: S, dialects: Dialects) -> Self {
        Self::noticing(inner, dialects, |_, _| {})
    }
}

impl<S: Sink, F: FnMut(&mut S, Unwrapped)> Unwrap<S, F> {
    /// The same, and calls `notice` after each scalar that came out of a wrapper, when the sink has it. Code with scope is
    /// no scalar.
    pub fn noticing(inner: S, dialects: Dialects, notice: F) -> Self {
        Self {
            inner,
            notice,
            dialects,
            pending: None,
            skipping: false,
            tape: Tape::default(),
            frames: Vec::new(),
            depth: 0,
            fresh: false,
            malformed: 0,
        }
    }

    /// How many malformed wrappers were left as plain objects, which lenient dialects do.
    pub const fn malformed(&self) -> u64 {
        self.malformed
    }

    /// The sink behind.
    pub fn into_inner(self) -> S {
        self.inner
    }

    /// The sink behind.
    pub const fn get_mut(&mut self) -> &mut S {
        &mut self.inner
    }

    const fn holds_back(&self) -> bool {
        !self.frames.is_empty()
    }

    /// Whether what comes next is a key or a value of the innermost object that may be a wrapper itself, not of something
    /// in it.
    fn in_frame(&self) -> bool {
        self.frames.last().is_some_and(|frame| frame.depth == self.depth)
    }

    /// Begins to hold back an object of which `name` is the first key.
    fn open_frame(&mut self, name: Name, span: Span) {
        let start = self.tape.events.len().saturating_sub(1);
        // The name's own event comes between the object and the value.
        let first = Member { name, value: start.saturating_add(2) };
        self.frames.push(Frame { start, depth: self.depth, span, first, second: None });
    }

    fn lookup(&self, name: &str) -> Option<Name> {
        if name.starts_with('$') { Name::of(name, self.dialects) } else { None }
    }

    /// Takes a key on the tape; false when nothing is held back any more, and the key is still to be delivered.
    fn tape_key(&mut self, name: &str, span: Span) -> Result<bool, S::Error> {
        let known = self.lookup(name);
        let fresh = std::mem::take(&mut self.fresh);
        if self.in_frame() {
            let value = self.tape.events.len().saturating_add(1);
            let added = match (known, self.frames.last_mut()) {
                (Some(name), Some(frame)) => frame.add(Member { name, value }),
                _ => false,
            };
            if !added {
                self.mismatch(known)?;
            }
        } else if let (Some(name), true, Some(Event::Object(object))) = (known, fresh, self.tape.events.last()) {
            let span = object.span;
            self.open_frame(name, span);
        } else {
            self.check_late(known, span)?;
        }
        if self.holds_back() {
            self.tape.push_key(name, span);
        }
        Ok(self.holds_back())
    }

    /// Refuses a wrapper's key after the first one of an object that has others.
    #[inline]
    fn check_late(&self, known: Option<Name>, span: Span) -> Result<(), S::Error> {
        match known {
            Some(name) if name.is_binding() && !self.dialects.lenient => {
                Err(broken(span.offset, Rule::ExtendedShape).into())
            }
            _ => Ok(()),
        }
    }

    /// Takes a container on the tape as the value of a key; the sink gets it when nothing is held back any more.
    fn tape_container(&mut self, holds: Holds) -> Result<(), S::Error> {
        let fits = self.frames.last().is_none_or(|frame| frame.last().may_hold(holds));
        if self.in_frame() && !fits { self.mismatch(None) } else { Ok(()) }
    }

    /// The innermost object that might have been a wrapper is none, as `extra` or a value in it shows.
    fn mismatch(&mut self, extra: Option<Name>) -> Result<(), S::Error> {
        let Some(frame) = self.frames.pop() else { return Ok(()) };
        if frame.is_binding() || extra.is_some_and(Name::is_binding) {
            self.tolerate(frame.span, Rule::ExtendedShape)?;
        }
        if self.frames.is_empty() { self.release() } else { Ok(()) }
    }

    /// Counts a malformed wrapper, or refuses it.
    fn tolerate(&mut self, span: Span, rule: Rule) -> Result<(), S::Error> {
        if !self.dialects.lenient {
            return Err(broken(span.offset, rule).into());
        }
        self.malformed = self.malformed.saturating_add(1);
        Ok(())
    }

    /// Delivers all that was held back.
    fn release(&mut self) -> Result<(), S::Error> {
        let notice = &mut self.notice;
        self.skipping = self.tape.replay(&mut self.inner, |sink, origin| notice(sink, origin.into()))?;
        self.tape.clear();
        Ok(())
    }

    /// The innermost object that may be a wrapper has ended.
    fn close_frame(&mut self) -> Result<(), S::Error> {
        let Some(frame) = self.frames.pop() else { return Ok(()) };
        self.depth = self.depth.saturating_sub(1);
        match decode(&frame, &mut self.tape, self.dialects) {
            Decoded::Leaf { leaf, rounded } if self.frames.is_empty() => {
                self.inner.scalar(self.tape.scalar(&leaf), frame.span)?;
                (self.notice)(&mut self.inner, Origin { name: frame.first.name, rounded }.into());
                self.tape.clear();
                return Ok(());
            }
            Decoded::Leaf { leaf, rounded } => {
                let origin = Origin { name: frame.first.name, rounded };
                self.tape.events.truncate(frame.start);
                self.tape.events.push(Event::Leaf(leaf, frame.span, Some(origin)));
            }
            Decoded::CodeWithScope => {}
            Decoded::Malformed(rule) => {
                self.tolerate(frame.span, rule)?;
                self.tape.events.push(Event::EndObject);
            }
            Decoded::Plain => self.tape.events.push(Event::EndObject),
        }
        if self.frames.is_empty() { self.release() } else { Ok(()) }
    }

    fn open_on_tape(&mut self, event: Event) -> Descend {
        self.fresh = matches!(event, Event::Object(_));
        self.tape.events.push(event);
        self.depth = self.depth.saturating_add(1);
        Descend::Into
    }

    fn close_on_tape(&mut self, event: Event) {
        self.fresh = false;
        self.tape.events.push(event);
        self.depth = self.depth.saturating_sub(1);
    }

    /// Delivers the object that was waiting for its first key; false when the sink does not want it.
    fn deliver_pending(&mut self, container: Container) -> Result<bool, S::Error> {
        Ok(self.inner.begin_object(container)? == Descend::Into)
    }

    fn first_key(&mut self, container: Container, name: &str, span: Span) -> Result<(), S::Error> {
        if let Some(known) = self.lookup(name) {
            self.depth = 0;
            self.open_on_tape(Event::Object(container));
            self.fresh = false;
            self.open_frame(known, container.span);
            self.tape.push_key(name, span);
            return Ok(());
        }
        if self.deliver_pending(container)? {
            return self.inner.key(name, span);
        }
        self.skipping = true;
        Ok(())
    }
}

#[cold]
fn broken(offset: usize, rule: Rule) -> DecodeError {
    DecodeError::new(offset, DecodeErrorKind::Broken(rule))
}

impl<S: Sink, F: FnMut(&mut S, Unwrapped)> Sink for Unwrap<S, F> {
    type Error = S::Error;

    #[inline]
    fn begin_object(&mut self, container: Container) -> Result<Descend, S::Error> {
        if self.skipping {
            return Ok(Descend::Skip);
        }
        if self.holds_back() {
            self.tape_container(Holds::Object)?;
        }
        if self.skipping {
            return Ok(Descend::Skip);
        }
        if self.holds_back() {
            return Ok(self.open_on_tape(Event::Object(container)));
        }
        self.pending = Some(container);
        Ok(Descend::Into)
    }

    #[inline]
    fn end_object(&mut self) -> Result<(), S::Error> {
        if self.skipping {
            // What is inside a skipped object was skipped too, so this is its own end.
            self.skipping = false;
            return Ok(());
        }
        if let Some(container) = self.pending.take() {
            return if self.deliver_pending(container)? { self.inner.end_object() } else { Ok(()) };
        }
        if !self.holds_back() {
            return self.inner.end_object();
        }
        if self.in_frame() {
            return self.close_frame();
        }
        self.close_on_tape(Event::EndObject);
        Ok(())
    }

    #[inline]
    fn begin_array(&mut self, container: Container) -> Result<Descend, S::Error> {
        if self.holds_back() {
            self.tape_container(Holds::Array)?;
        }
        if self.skipping {
            return Ok(Descend::Skip);
        }
        if self.holds_back() {
            return Ok(self.open_on_tape(Event::Array(container)));
        }
        self.inner.begin_array(container)
    }

    #[inline]
    fn end_array(&mut self) -> Result<(), S::Error> {
        if !self.holds_back() {
            return self.inner.end_array();
        }
        self.close_on_tape(Event::EndArray);
        Ok(())
    }

    fn begin_code_with_scope(&mut self, code: &str, container: Container) -> Result<Descend, S::Error> {
        if self.holds_back() {
            self.tape_container(Holds::Leaf)?;
        }
        if self.skipping {
            return Ok(Descend::Skip);
        }
        if self.holds_back() {
            let code = self.tape.keep_text(code);
            return Ok(self.open_on_tape(Event::Code(code, container)));
        }
        self.inner.begin_code_with_scope(code, container)
    }

    fn end_code_with_scope(&mut self) -> Result<(), S::Error> {
        if !self.holds_back() {
            return self.inner.end_code_with_scope();
        }
        self.close_on_tape(Event::EndCode);
        Ok(())
    }

    #[inline]
    fn key(&mut self, name: &str, span: Span) -> Result<(), S::Error> {
        if let Some(container) = self.pending.take() {
            return self.first_key(container, name, span);
        }
        if self.holds_back() && self.tape_key(name, span)? {
            return Ok(());
        }
        if self.skipping {
            return Ok(());
        }
        self.check_late(self.lookup(name), span)?;
        self.inner.key(name, span)
    }

    #[inline]
    fn scalar(&mut self, scalar: Scalar<'_>, span: Span) -> Result<(), S::Error> {
        if self.holds_back() {
            self.tape.push_scalar(scalar, span);
            return Ok(());
        }
        if self.skipping {
            return Ok(());
        }
        self.inner.scalar(scalar, span)
    }
}
