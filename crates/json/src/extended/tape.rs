//! Events that are held back until it is known what they mean.

use boson_document::{Container, DbPointer, Descend, NumberBuf, Regex, Scalar, Sink, Span};

use super::name::Name;

/// A leaf that borrows nothing but the tape it is on.
#[derive(Clone, Copy, Debug)]
pub(super) enum Leaf {
    Fixed(Scalar<'static>),
    Number(NumberBuf),
    Text(TextKind, Span),
    Bytes(BytesKind, Span),
}

/// What a text on the tape is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TextKind {
    DecimalText,
    String,
    Code,
    Symbol,
    Regex,
}

/// What bytes on the tape are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BytesKind {
    Binary(u8),
    Id,
    Vector,
    DbPointer,
}

/// The wrapper that a leaf came out of.
#[derive(Clone, Copy, Debug)]
pub(super) struct Origin {
    pub(super) name: Name,
    pub(super) rounded: bool,
}

/// One call of a sink.
#[derive(Clone, Copy, Debug)]
pub(super) enum Event {
    Object(Container),
    EndObject,
    Array(Container),
    EndArray,
    /// The text is the code.
    Code(Span, Container),
    EndCode,
    /// The name's text, and where it stood.
    Key(Span, Span),
    /// Also which wrapper it came out of.
    Leaf(Leaf, Span, Option<Origin>),
    /// Part of what has become something else.
    Taken,
}

/// Events in order, with what they borrow beside them; emptied when nothing is held back any more, so that its memory
/// serves again.
#[derive(Clone, Debug, Default)]
pub(super) struct Tape {
    pub(super) events: Vec<Event>,
    texts: String,
    bytes: Vec<u8>,
}

impl Tape {
    pub(super) fn clear(&mut self) {
        self.events.clear();
        self.texts.clear();
        self.bytes.clear();
    }

    pub(super) fn text(&self, at: Span) -> &str {
        self.texts.get(at.range()).unwrap_or_default()
    }

    fn bytes(&self, at: Span) -> &[u8] {
        self.bytes.get(at.range()).unwrap_or_default()
    }

    pub(super) fn keep_text(&mut self, text: &str) -> Span {
        let at = Span::new(self.texts.len(), text.len());
        self.texts.push_str(text);
        at
    }

    pub(super) fn keep_bytes(&mut self, bytes: &[u8]) -> Span {
        let at = Span::new(self.bytes.len(), bytes.len());
        self.bytes.extend_from_slice(bytes);
        at
    }

    /// Keeps the bytes that `make` adds to a buffer from a text on this tape; `None` when it answers false.
    pub(super) fn make_bytes(&mut self, text: Span, make: impl FnOnce(&[u8], &mut Vec<u8>) -> bool) -> Option<Span> {
        let start = self.bytes.len();
        let text = self.texts.get(text.range()).unwrap_or_default();
        make(text.as_bytes(), &mut self.bytes).then(|| Span::between(start, self.bytes.len()))
    }

    /// Keeps the two parts of a regular expression as one text; `None` when one of them holds a NUL.
    pub(super) fn make_regex(&mut self, pattern: Span, options: Span) -> Option<Span> {
        let start = self.texts.len();
        for part in [pattern, options] {
            if self.text(part).contains('\0') {
                return None;
            }
            self.texts.extend_from_within(part.range());
            self.texts.push('\0');
        }
        Some(Span::between(start, self.texts.len()))
    }

    pub(super) fn push_key(&mut self, name: &str, span: Span) {
        let text = self.keep_text(name);
        self.events.push(Event::Key(text, span));
    }

    pub(super) fn push_scalar(&mut self, scalar: Scalar<'_>, span: Span) {
        let leaf = self.keep(scalar);
        self.events.push(Event::Leaf(leaf, span, None));
    }

    fn keep(&mut self, scalar: Scalar<'_>) -> Leaf {
        match scalar {
            Scalar::DecimalText(text) => Leaf::Text(TextKind::DecimalText, self.keep_text(text)),
            Scalar::String(text) => Leaf::Text(TextKind::String, self.keep_text(text)),
            Scalar::Code(text) => Leaf::Text(TextKind::Code, self.keep_text(text)),
            Scalar::Symbol(text) => Leaf::Text(TextKind::Symbol, self.keep_text(text)),
            Scalar::Regex(regex) => {
                let (pattern, options) = (self.keep_text(regex.pattern()), self.keep_text(regex.options()));
                let text = self.make_regex(pattern, options).unwrap_or_default();
                Leaf::Text(TextKind::Regex, text)
            }
            Scalar::Binary { subtype, bytes } => Leaf::Bytes(BytesKind::Binary(subtype), self.keep_bytes(bytes)),
            Scalar::Id(bytes) => Leaf::Bytes(BytesKind::Id, self.keep_bytes(bytes)),
            Scalar::OracleVector(bytes) => Leaf::Bytes(BytesKind::Vector, self.keep_bytes(bytes)),
            Scalar::DbPointer(pointer) => Leaf::Bytes(BytesKind::DbPointer, self.keep_bytes(pointer.as_bytes())),
            Scalar::Number(number) => Leaf::Number(number.to_buf()),
            other => Leaf::Fixed(fixed(other)),
        }
    }

    /// The scalar of a leaf on this tape.
    pub(super) fn scalar<'t>(&'t self, leaf: &'t Leaf) -> Scalar<'t> {
        match *leaf {
            Leaf::Fixed(scalar) => scalar,
            Leaf::Number(ref number) => Scalar::Number(number.as_number()),
            Leaf::Text(kind, at) => text_scalar(kind, self.text(at)),
            Leaf::Bytes(kind, at) => bytes_scalar(kind, self.bytes(at)),
        }
    }

    /// Delivers every event; answers true when the sink skips a container whose end is not on the tape.
    /// `unwrapped` is called after each leaf that came out of a wrapper.
    pub(super) fn replay<S: Sink>(
        &self,
        sink: &mut S,
        mut unwrapped: impl FnMut(&mut S, Origin),
    ) -> Result<bool, S::Error> {
        let mut skipped = 0_usize;
        for event in &self.events {
            let (begins, ends) = event.nesting();
            if skipped > 0 {
                skipped = skipped.saturating_add(begins).saturating_sub(ends);
            } else if self.deliver(event, sink)? == Descend::Skip {
                skipped = 1;
            } else if let Event::Leaf(_, _, Some(origin)) = event {
                unwrapped(sink, *origin);
            }
        }
        Ok(skipped > 0)
    }

    fn deliver<S: Sink>(&self, event: &Event, sink: &mut S) -> Result<Descend, S::Error> {
        match *event {
            Event::Object(container) => return sink.begin_object(container),
            Event::Array(container) => return sink.begin_array(container),
            Event::Code(code, container) => return sink.begin_code_with_scope(self.text(code), container),
            Event::EndObject => sink.end_object()?,
            Event::EndArray => sink.end_array()?,
            Event::EndCode => sink.end_code_with_scope()?,
            Event::Key(text, span) => sink.key(self.text(text), span)?,
            Event::Leaf(ref leaf, span, _) => sink.scalar(self.scalar(leaf), span)?,
            Event::Taken => {}
        }
        Ok(Descend::Into)
    }
}

impl Event {
    /// How many containers it begins and ends.
    const fn nesting(&self) -> (usize, usize) {
        match self {
            Self::Object(_) | Self::Array(_) | Self::Code(..) => (1, 0),
            Self::EndObject | Self::EndArray | Self::EndCode => (0, 1),
            Self::Key(..) | Self::Leaf(..) | Self::Taken => (0, 0),
        }
    }
}

fn text_scalar(kind: TextKind, text: &str) -> Scalar<'_> {
    match kind {
        TextKind::DecimalText => Scalar::DecimalText(text),
        TextKind::String => Scalar::String(text),
        TextKind::Code => Scalar::Code(text),
        TextKind::Symbol => Scalar::Symbol(text),
        TextKind::Regex => Regex::new(text).map_or(Scalar::Undefined, Scalar::Regex),
    }
}

fn bytes_scalar(kind: BytesKind, bytes: &[u8]) -> Scalar<'_> {
    match kind {
        BytesKind::Binary(subtype) => Scalar::Binary { subtype, bytes },
        BytesKind::Id => Scalar::Id(bytes),
        BytesKind::Vector => Scalar::OracleVector(bytes),
        BytesKind::DbPointer => DbPointer::new(bytes).map_or(Scalar::Undefined, Scalar::DbPointer),
    }
}

/// The same scalar, when it borrows nothing. All that do are taken care of before.
fn fixed(scalar: Scalar<'_>) -> Scalar<'static> {
    match scalar {
        Scalar::Null => Scalar::Null,
        Scalar::Bool(value) => Scalar::Bool(value),
        Scalar::Int32(value) => Scalar::Int32(value),
        Scalar::Int64(value) => Scalar::Int64(value),
        Scalar::Float(value) => Scalar::Float(value),
        Scalar::Double(value) => Scalar::Double(value),
        Scalar::Decimal128(value) => Scalar::Decimal128(value),
        Scalar::ObjectId(value) => Scalar::ObjectId(value),
        Scalar::DateTime(value) => Scalar::DateTime(value),
        Scalar::OracleDate(value) => Scalar::OracleDate(value),
        Scalar::OracleTimestamp(value) => Scalar::OracleTimestamp(value),
        Scalar::OracleTimestampTz(value) => Scalar::OracleTimestampTz(value),
        Scalar::IntervalYearMonth(value) => Scalar::IntervalYearMonth(value),
        Scalar::IntervalDaySecond(value) => Scalar::IntervalDaySecond(value),
        Scalar::Timestamp { time, increment } => Scalar::Timestamp { time, increment },
        Scalar::MinKey => Scalar::MinKey,
        Scalar::MaxKey => Scalar::MaxKey,
        _ => Scalar::Undefined,
    }
}
