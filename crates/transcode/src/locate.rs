//! Walks that look for one value.

use boson_document::{
    Container, DecodeError, DecodeErrorKind, Descend, Kind, PathBuf, Rule, Scalar, Segment, Sink, Span, Value,
};

use crate::place::Place;

/// Passes on the one value at a path and skips all others; containers off the path are not walked.
#[derive(Debug)]
pub(crate) struct Select<'p, S> {
    inner: S,
    path: &'p [Segment],
    /// How many containers on the path have been entered.
    depth: usize,
    /// Whether the value that comes next is on the path, by its name; elements are counted.
    on_path: bool,
    /// The place in its array of the next element, on the level at hand.
    next_index: usize,
    state: State,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Searching,
    /// Inside the value, this many containers deep.
    Inside(usize),
    Done,
}

impl<'p, S: Sink> Select<'p, S> {
    pub(crate) fn new(path: &'p PathBuf, inner: S) -> Self {
        Self { inner, path: path.segments(), depth: 0, on_path: true, next_index: 0, state: State::Searching }
    }

    pub(crate) fn into_inner(self) -> S {
        self.inner
    }

    /// Whether the value that begins here is the one, or leads to it.
    fn step(&mut self) -> Step {
        if self.state == State::Done {
            return Step::Past;
        }
        if let Some(Segment::Index(wanted)) = self.depth.checked_sub(1).and_then(|above| self.path.get(above)) {
            self.on_path = *wanted == self.next_index;
            self.next_index = self.next_index.saturating_add(1);
        }
        match std::mem::take(&mut self.on_path) {
            false => Step::Past,
            true if self.depth == self.path.len() => Step::Here,
            true => Step::Through,
        }
    }

    /// Answers the beginning of a container that is entered only on the way to the value.
    fn begin(
        &mut self,
        is_array: bool,
        forward: impl FnOnce(&mut S) -> Result<Descend, S::Error>,
    ) -> Result<Descend, S::Error> {
        if let State::Inside(depth) = &mut self.state {
            let descend = forward(&mut self.inner)?;
            *depth = depth.saturating_add(usize::from(descend == Descend::Into));
            return Ok(descend);
        }
        match self.step() {
            Step::Past => Ok(Descend::Skip),
            Step::Here => {
                let descend = forward(&mut self.inner)?;
                self.state = if descend == Descend::Into { State::Inside(1) } else { State::Done };
                Ok(descend)
            }
            Step::Through => {
                let leads = matches!(self.path.get(self.depth), Some(Segment::Index(_))) == is_array;
                if !leads {
                    return Ok(Descend::Skip);
                }
                self.depth = self.depth.saturating_add(1);
                self.next_index = 0;
                Ok(Descend::Into)
            }
        }
    }

    fn end(&mut self, forward: impl FnOnce(&mut S) -> Result<(), S::Error>) -> Result<(), S::Error> {
        match self.state {
            State::Inside(depth) => {
                self.state = if depth > 1 { State::Inside(depth.saturating_sub(1)) } else { State::Done };
                forward(&mut self.inner)
            }
            State::Searching => {
                // The container led nowhere; only the first of a name is looked into.
                self.state = State::Done;
                Ok(())
            }
            State::Done => Ok(()),
        }
    }
}

enum Step {
    Past,
    Through,
    Here,
}

impl<S: Sink> Sink for Select<'_, S> {
    type Error = S::Error;

    fn begin_object(&mut self, container: Container) -> Result<Descend, S::Error> {
        self.begin(false, |inner| inner.begin_object(container))
    }

    fn end_object(&mut self) -> Result<(), S::Error> {
        self.end(S::end_object)
    }

    fn begin_array(&mut self, container: Container) -> Result<Descend, S::Error> {
        self.begin(true, |inner| inner.begin_array(container))
    }

    fn end_array(&mut self) -> Result<(), S::Error> {
        self.end(S::end_array)
    }

    fn begin_code_with_scope(&mut self, code: &str, container: Container) -> Result<Descend, S::Error> {
        self.begin(false, |inner| inner.begin_code_with_scope(code, container))
    }

    fn end_code_with_scope(&mut self) -> Result<(), S::Error> {
        self.end(S::end_code_with_scope)
    }

    fn key(&mut self, name: &str, span: Span) -> Result<(), S::Error> {
        if let State::Inside(_) = self.state {
            return self.inner.key(name, span);
        }
        let wanted = self.depth.checked_sub(1).and_then(|above| self.path.get(above));
        self.on_path = matches!(wanted, Some(Segment::Field(wanted)) if wanted == name);
        Ok(())
    }

    fn scalar(&mut self, scalar: Scalar<'_>, span: Span) -> Result<(), S::Error> {
        if let State::Inside(_) = self.state {
            return self.inner.scalar(scalar, span);
        }
        match self.step() {
            Step::Past => Ok(()),
            Step::Through => {
                self.state = State::Done;
                Ok(())
            }
            Step::Here => {
                self.state = State::Done;
                self.inner.scalar(scalar, span)
            }
        }
    }
}

/// What comes first: a leaf, or a container, which is not walked.
#[derive(Debug, Default)]
pub(crate) enum First {
    #[default]
    Nothing,
    Leaf(Value),
    Container(Kind),
}

impl First {
    fn begin(&mut self, kind: Kind) -> Descend {
        *self = Self::Container(kind);
        Descend::Skip
    }
}

impl Sink for First {
    type Error = DecodeError;

    fn begin_object(&mut self, _: Container) -> Result<Descend, DecodeError> {
        Ok(self.begin(Kind::Object))
    }

    fn end_object(&mut self) -> Result<(), DecodeError> {
        Ok(())
    }

    fn begin_array(&mut self, _: Container) -> Result<Descend, DecodeError> {
        Ok(self.begin(Kind::Array))
    }

    fn end_array(&mut self) -> Result<(), DecodeError> {
        Ok(())
    }

    fn begin_code_with_scope(&mut self, _: &str, _: Container) -> Result<Descend, DecodeError> {
        Ok(self.begin(Kind::CodeWithScope))
    }

    fn end_code_with_scope(&mut self) -> Result<(), DecodeError> {
        Ok(())
    }

    fn key(&mut self, _: &str, _: Span) -> Result<(), DecodeError> {
        Ok(())
    }

    fn scalar(&mut self, scalar: Scalar<'_>, _: Span) -> Result<(), DecodeError> {
        *self = Self::Leaf(scalar.into());
        Ok(())
    }
}

/// Finds the path of the value at an offset, in a source whose spans follow each other.
#[derive(Debug)]
pub(crate) struct Locate {
    place: Place,
    offset: usize,
    root: Option<Kind>,
    last: Last,
    /// The open containers, the outermost first.
    open: Vec<Inside>,
}

/// What has come of a container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Inside {
    /// Nothing.
    Fresh,
    /// Of an object, a member called `$code` and no other: with a `$scope` this is code with scope, whose fields have the
    /// path in text that they have in BSON.
    Code,
    /// Anything else.
    Other,
}

/// What was delivered last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Last {
    /// The beginning of a container, or a name.
    Opening,
    /// A leaf that ends here.
    Leaf(usize),
    /// The end of a container.
    End,
}

impl Inside {
    /// What has come when a member called `name` comes after `before`.
    fn of_next(before: Self, name: &str) -> Self {
        if before == Self::Fresh && name == "$code" { Self::Code } else { Self::Other }
    }
}

/// Stands for no fault: what was looked for has been passed.
const PASSED: DecodeErrorKind = DecodeErrorKind::UnexpectedEnd { missing: 0 };

impl Locate {
    pub(crate) fn new(offset: usize) -> Self {
        Self { place: Place::default(), offset, root: None, last: Last::Opening, open: Vec::new() }
    }

    /// The walk over `text` ended with `error`. A fault within an element that was not delivered is in that element, not
    /// in the one before.
    pub(crate) fn stopped_by(&mut self, error: DecodeError, text: &[u8]) {
        let is_in_element = match error.kind {
            PASSED | DecodeErrorKind::Broken(Rule::JsonComma) | DecodeErrorKind::TrailingBytes(_) => false,
            DecodeErrorKind::UnexpectedEnd { .. } => self.has_more(text),
            _ => true,
        };
        if is_in_element {
            self.place.value();
        }
    }

    /// Whether a text that was cut short has anything behind what was delivered last.
    fn has_more(&self, text: &[u8]) -> bool {
        let text = text.trim_ascii_end();
        match self.last {
            Last::Opening => !text.ends_with(b"["),
            Last::Leaf(end) => text.len() > end,
            Last::End => !text.ends_with(b"]") && !text.ends_with(b"}"),
        }
    }

    /// One that is asked for the kind of the root only.
    pub(crate) fn root_only() -> Self {
        Self::new(usize::MAX)
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.place.path()
    }

    pub(crate) fn root_kind(&self) -> Kind {
        self.root.unwrap_or(Kind::Undefined)
    }

    /// Ends the walk when what begins at `span` lies behind the offset.
    fn check(&self, span: Span) -> Result<(), DecodeError> {
        if span.offset > self.offset {
            return Err(DecodeError::new(span.offset, PASSED));
        }
        Ok(())
    }

    fn end(&mut self) {
        self.last = Last::End;
        self.open.pop();
        self.place.leave();
    }

    fn begin(&mut self, kind: Kind, span: Span) -> Result<Descend, DecodeError> {
        self.check(span)?;
        self.root.get_or_insert(kind);
        self.place.value();
        self.last = Last::Opening;
        self.open.push(Inside::Fresh);
        if kind == Kind::Array {
            self.place.enter_array();
        } else {
            self.place.enter_object();
        }
        Ok(Descend::Into)
    }
}

impl Sink for Locate {
    type Error = DecodeError;

    fn begin_object(&mut self, container: Container) -> Result<Descend, DecodeError> {
        self.begin(Kind::Object, container.span)
    }

    fn end_object(&mut self) -> Result<(), DecodeError> {
        self.end();
        Ok(())
    }

    fn begin_array(&mut self, container: Container) -> Result<Descend, DecodeError> {
        self.begin(Kind::Array, container.span)
    }

    fn end_array(&mut self) -> Result<(), DecodeError> {
        self.end();
        Ok(())
    }

    fn begin_code_with_scope(&mut self, _: &str, container: Container) -> Result<Descend, DecodeError> {
        self.begin(Kind::CodeWithScope, container.span)
    }

    fn end_code_with_scope(&mut self) -> Result<(), DecodeError> {
        self.end();
        Ok(())
    }

    fn key(&mut self, name: &str, span: Span) -> Result<(), DecodeError> {
        self.check(span)?;
        self.last = Last::Opening;
        let inside = self.open.last_mut().map(|inside| std::mem::replace(inside, Inside::of_next(*inside, name)));
        if name == "$scope" && inside == Some(Inside::Code) {
            self.place.no_member();
        } else {
            self.place.key(name);
        }
        Ok(())
    }

    fn scalar(&mut self, scalar: Scalar<'_>, span: Span) -> Result<(), DecodeError> {
        self.check(span)?;
        self.root.get_or_insert(scalar.kind());
        self.last = Last::Leaf(span.offset.saturating_add(span.len));
        self.place.value();
        Ok(())
    }
}
