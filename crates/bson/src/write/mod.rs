//! Writing BSON: a sink that lays elements out one after another and fills in lengths when their ends are known.

mod buffer;
mod counter;
mod scalar;
mod value;

use boson_document::{Container, Descend, Kind, Limits, PathBuf, Scalar, Sink, Source, Span, find_byte};

use crate::error::{EncodeError, EncodeErrorKind};
use crate::tag::Tag;
use crate::view::{Document, Value};
use buffer::{Buffer, Put};
pub(crate) use counter::Counter;
pub(crate) use scalar::put_scalar;

/// How documents are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WriteOptions {
    /// How large and how deep documents may become; `nodes` is not looked at.
    pub limits: Limits,
    /// Moves the first `_id` of a document's root to its front, as `PyMongo` does when it encodes a mapping. It is for
    /// whoever encodes a map of the language's own; what was BSON before keeps its order. Off unless asked for.
    pub id_first: bool,
}

impl Default for WriteOptions {
    /// 200 levels, any size that BSON's lengths can say, order kept.
    fn default() -> Self {
        Self { limits: Limits::BSON.with_bytes(BYTES_MAX), id_first: false }
    }
}

/// The largest length that a document can have: 31 bits.
pub(crate) const BYTES_MAX: usize = 0x7FFF_FFFF;

/// Writes what it is pushed as BSON, documents one after another in one buffer.
///
/// What is written: numbers of BSON's own types as they are; `Float` as a double, which holds it exactly; `Number` and
/// `DecimalText` as a double where that prints as the same number ([`Decimal::to_f64_exact`]), else as a Decimal128
/// where that holds it, else not at all. A regular expression's options are sorted, as the specification asks for. What
/// only Oracle has (DATE, TIMESTAMP, intervals, IDs of other lengths, VECTOR) is refused: converting decides what becomes
/// of it before it gets here.
///
/// After an error the document that was being written is incomplete: [`rollback`](Self::rollback) takes it away.
///
/// [`Decimal::to_f64_exact`]: boson_document::Decimal::to_f64_exact
#[derive(Clone, Debug, Default)]
pub struct Writer {
    out: Buffer,
    /// The containers that have begun and not ended, the root first.
    open: Vec<Frame>,
    /// What has to come next.
    next: Next,
    /// The offset of the type byte whose value comes next; 0 when its key did not come yet.
    tag_at: usize,
    /// How many bytes of `out` are whole documents.
    whole: usize,
    options: WriteOptions,
    id: IdPlace,
}

/// What has to come next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Next {
    /// The beginning of a document.
    #[default]
    Root,
    /// A name, or the end of the object.
    Name,
    /// The value whose name has come.
    Value,
    /// An element, or the end of the array.
    Element,
}

/// A container that has begun.
#[derive(Clone, Debug)]
struct Frame {
    tag: Tag,
    /// The offset of the element's type byte in the container around it.
    element_at: usize,
    /// The offset of the length that covers the whole value.
    start: usize,
    /// The offset of the length of the document: of code with scope the scope's, else the same as `start`.
    document_start: usize,
    /// The name of the next element of an array.
    counter: Counter,
}

/// Where the first `_id` of the root lies; zeros where that is not known (yet).
#[derive(Clone, Copy, Debug, Default)]
struct IdPlace {
    start: usize,
    end: usize,
}

impl Writer {
    /// A writer with an empty buffer.
    pub fn new() -> Self {
        Self::default()
    }

    /// A writer that appends to `buffer`, whose memory is used again.
    pub fn append_to(buffer: Vec<u8>) -> Self {
        Self { whole: buffer.len(), out: Buffer::of(buffer), ..Self::default() }
    }

    /// The same writer with other options.
    #[must_use]
    pub fn with_options(self, options: WriteOptions) -> Self {
        Self { options, ..self }
    }

    /// The documents that are whole, one after another.
    pub fn as_bytes(&self) -> &[u8] {
        self.out.as_slice().get(..self.whole).unwrap_or_default()
    }

    /// The documents that are whole, one after another, after what was in the buffer to begin with.
    pub fn into_bytes(mut self) -> Vec<u8> {
        self.rollback();
        self.out.into_vec()
    }

    /// Forgets everything but the memory.
    pub fn clear(&mut self) {
        self.whole = 0;
        self.rollback();
    }

    /// Takes an unfinished document away again.
    pub fn rollback(&mut self) {
        self.out.truncate(self.whole);
        self.open.clear();
        (self.next, self.tag_at) = (Next::Root, 0);
        self.id = IdPlace::default();
    }

    /// Writes the whole of `source`, or nothing of it.
    ///
    /// # Errors
    ///
    /// The source's fault, or what cannot be BSON.
    pub fn write(&mut self, source: &impl Source) -> Result<(), EncodeError> {
        self.rollback();
        source.drive(self).map_err(|error| {
            let error = error.at(self.path_of_next());
            self.rollback();
            error
        })
    }

    /// Copies `document` as the root or the next value; nothing of it is read.
    ///
    /// # Errors
    ///
    /// `Misplaced` without a key, `TooLarge`.
    pub fn raw_document(&mut self, document: &Document<'_>) -> Result<(), EncodeError> {
        if self.open.is_empty() {
            self.out.bytes(document.bytes());
            return self.end_root(self.whole);
        }
        self.raw(Tag::Document, document.bytes())
    }

    /// Copies `value` as the next value; nothing of it is read.
    ///
    /// # Errors
    ///
    /// `RootNotDocument` when no document has begun, `Misplaced` without a key.
    pub fn raw_value(&mut self, value: &Value<'_>) -> Result<(), EncodeError> {
        self.raw(value.tag(), value.bytes())
    }

    fn raw(&mut self, tag: Tag, bytes: &[u8]) -> Result<(), EncodeError> {
        let tag_at = self.element(tag.kind())?;
        self.out.bytes(bytes);
        self.patch_tag(tag_at, tag);
        Ok(())
    }

    /// The offset of the type byte of the value, of `kind`, that comes next; in an array its name is written.
    #[inline]
    fn element(&mut self, kind: Kind) -> Result<usize, EncodeError> {
        // Before the next value is copied, and not only at the end: a small source may deliver one value again and again.
        if self.out.len().saturating_sub(self.whole) > self.bytes_max() {
            return Err(self.too_large());
        }
        match self.next {
            Next::Value => {
                self.next = Next::Name;
                Ok(std::mem::take(&mut self.tag_at))
            }
            Next::Element => Ok(self.array_element()),
            Next::Name => Err(self.error(EncodeErrorKind::Misplaced)),
            Next::Root => Err(self.error(EncodeErrorKind::RootNotDocument(kind))),
        }
    }

    /// Writes the name of an array's next element; returns the offset of its type byte.
    #[inline]
    fn array_element(&mut self) -> usize {
        let tag_at = self.out.len();
        if let Some(frame) = self.open.last_mut() {
            // Digits are no NUL.
            self.out.name(frame.counter.digits());
            frame.counter.advance();
        }
        tag_at
    }

    #[inline]
    fn patch_tag(&mut self, at: usize, tag: Tag) {
        if let Some(byte) = self.out.as_mut_slice().get_mut(at) {
            *byte = tag.byte();
        }
    }

    fn begin(&mut self, tag: Tag, code: Option<&str>) -> Result<Descend, EncodeError> {
        let root = self.open.is_empty();
        if root && tag != Tag::Document {
            return Err(self.error(EncodeErrorKind::RootNotDocument(tag.kind())));
        }
        let depth_max = self.options.limits.depth;
        if u32::try_from(self.open.len()).is_ok_and(|depth| depth >= depth_max) {
            return Err(EncodeError::new(EncodeErrorKind::TooDeep { depth_max }, self.path_of_next()));
        }
        let element_at = if root { self.whole } else { self.element(tag.kind())? };
        if !root {
            self.patch_tag(element_at, tag);
        }
        let start = self.out.len();
        if let Some(code) = code {
            self.out.fixed([0; 4]);
            self.out.text(code.as_bytes()).map_err(|kind| self.error(kind))?;
        }
        let document_start = self.out.len();
        self.out.fixed([0; 4]);
        self.open.push(Frame { tag, element_at, start, document_start, counter: Counter::default() });
        self.next = if tag == Tag::Array { Next::Element } else { Next::Name };
        Ok(Descend::Into)
    }

    fn end(&mut self) -> Result<(), EncodeError> {
        let Some(frame) = self.open.last() else { return Err(self.error(EncodeErrorKind::Misplaced)) };
        let (tag, start, document_start) = (frame.tag, frame.start, frame.document_start);
        if self.next == Next::Value {
            return Err(self.error(EncodeErrorKind::Misplaced));
        }
        if self.id.start != 0 && self.open.len() == 1 {
            self.move_id(start.saturating_add(4));
        }
        self.out.fixed([0]);
        self.patch_len(document_start)?;
        if tag == Tag::CodeWithScope {
            self.patch_len(start)?;
        }
        self.open.pop();
        let Some(outer) = self.open.last() else { return self.end_root(start) };
        self.next = if outer.tag == Tag::Array { Next::Element } else { Next::Name };
        Ok(())
    }

    fn end_root(&mut self, start: usize) -> Result<(), EncodeError> {
        if self.out.len().saturating_sub(start) > self.bytes_max() {
            return Err(self.too_large());
        }
        self.whole = self.out.len();
        self.next = Next::Root;
        self.id = IdPlace::default();
        Ok(())
    }

    fn bytes_max(&self) -> usize {
        self.options.limits.bytes.min(BYTES_MAX)
    }

    #[cold]
    fn too_large(&self) -> EncodeError {
        EncodeError::new(EncodeErrorKind::TooLarge { bytes_max: self.bytes_max() }, self.path_of_next())
    }

    /// Moves the root's `_id` to `front`, the place of its first element.
    fn move_id(&mut self, front: usize) {
        let end = if self.id.end == 0 { self.out.len() } else { self.id.end };
        let len = end.saturating_sub(self.id.start);
        if let Some(elements) = self.out.as_mut_slice().get_mut(front..end) {
            elements.rotate_right(len);
        }
    }

    /// Fills in the length at `start` of what ends here.
    #[inline]
    fn patch_len(&mut self, start: usize) -> Result<(), EncodeError> {
        let len = i32::try_from(self.out.len().saturating_sub(start));
        let slot = self.out.as_mut_slice().get_mut(start..).and_then(<[u8]>::first_chunk_mut);
        if let (Ok(len), Some(slot)) = (len, slot) {
            *slot = len.to_le_bytes();
            return Ok(());
        }
        Err(self.error(EncodeErrorKind::TooLarge { bytes_max: BYTES_MAX }))
    }

    /// Remembers where the root's first `_id` lies.
    #[inline]
    fn note_id(&mut self, name: &str, tag_at: usize) {
        if self.id.start == 0 {
            self.id.start = if name == "_id" { tag_at } else { 0 };
        } else if self.id.end == 0 {
            self.id.end = tag_at;
        }
    }

    #[cold]
    fn error(&self, kind: EncodeErrorKind) -> EncodeError {
        EncodeError::new(kind, self.path(Counter::last_index))
    }

    /// The path of the value that would come next: what a source failed to deliver.
    pub fn path_of_next(&self) -> PathBuf {
        self.path(Counter::next_index)
    }

    /// The path of the value that is being written; `index` picks the one of the innermost array.
    fn path(&self, index: impl Fn(&Counter) -> usize) -> PathBuf {
        let mut path = PathBuf::new();
        let mut frames = self.open.iter().peekable();
        while let Some(frame) = frames.next() {
            let inner = frames.peek();
            let element_at = inner.map_or(self.tag_at, |inner| inner.element_at);
            if frame.tag == Tag::Array {
                path.push_index(if inner.is_some() { frame.counter.last_index() } else { index(&frame.counter) });
            } else if element_at != 0 {
                path.push_field(self.name_at(element_at));
            }
        }
        path
    }

    /// The name of the element whose type byte stands at `element_at`.
    fn name_at(&self, element_at: usize) -> String {
        let name = self.out.as_slice().get(element_at.saturating_add(1)..).unwrap_or_default();
        let len = find_byte(0, name).unwrap_or(name.len());
        String::from_utf8_lossy(name.get(..len).unwrap_or_default()).into_owned()
    }
}

impl Sink for Writer {
    type Error = EncodeError;

    fn begin_object(&mut self, _: Container) -> Result<Descend, EncodeError> {
        self.begin(Tag::Document, None)
    }

    fn end_object(&mut self) -> Result<(), EncodeError> {
        self.end()
    }

    fn begin_array(&mut self, _: Container) -> Result<Descend, EncodeError> {
        self.begin(Tag::Array, None)
    }

    fn end_array(&mut self) -> Result<(), EncodeError> {
        self.end()
    }

    fn begin_code_with_scope(&mut self, code: &str, _: Container) -> Result<Descend, EncodeError> {
        self.begin(Tag::CodeWithScope, Some(code))
    }

    fn end_code_with_scope(&mut self) -> Result<(), EncodeError> {
        self.end()
    }

    #[inline]
    fn key(&mut self, name: &str, _: Span) -> Result<(), EncodeError> {
        let tag_at = self.out.len();
        if self.options.id_first && self.open.len() == 1 {
            self.note_id(name, tag_at);
        }
        if self.next != Next::Name {
            return Err(self.error(EncodeErrorKind::Misplaced));
        }
        if !self.out.name(name.as_bytes()) {
            return Err(self.nul_in_name(name));
        }
        (self.next, self.tag_at) = (Next::Value, tag_at);
        Ok(())
    }

    #[inline]
    fn scalar(&mut self, scalar: Scalar<'_>, _: Span) -> Result<(), EncodeError> {
        let tag_at = self.element(scalar.kind())?;
        match put_scalar(&mut self.out, scalar) {
            Ok(tag) => {
                self.patch_tag(tag_at, tag);
                Ok(())
            }
            Err(kind) => Err(self.refused(kind, tag_at)),
        }
    }
}

impl Writer {
    /// The path is that of the container with the name behind it, which is no element yet.
    #[cold]
    fn nul_in_name(&self, name: &str) -> EncodeError {
        let mut path = self.path(Counter::last_index);
        path.push_field(name);
        EncodeError::new(EncodeErrorKind::NulInName, path)
    }

    /// The error of a value whose type byte stands at `tag_at` and is no longer awaited.
    #[cold]
    fn refused(&self, kind: EncodeErrorKind, tag_at: usize) -> EncodeError {
        let mut path = self.path(Counter::last_index);
        if self.open.last().is_some_and(|frame| frame.tag != Tag::Array) {
            path.push_field(self.name_at(tag_at));
        }
        EncodeError::new(kind, path)
    }
}

/// The BSON of `source`.
///
/// # Errors
///
/// The source's fault, or what cannot be BSON.
pub fn encode(source: &impl Source) -> Result<Vec<u8>, EncodeError> {
    let mut writer = Writer::new();
    writer.write(source)?;
    Ok(writer.into_bytes())
}
