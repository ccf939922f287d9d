//! Values as BSON has them, byte for byte, and documents put together of them.

use std::fmt;

use boson_bson::{Document, Tag, Value};
use boson_document::Source;
use boson_json::{Style, Writer};

/// A value as BSON has it. It keeps what no decoded value keeps: the payload of a NaN, text that is not UTF-8.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RawValue {
    tag: Tag,
    bytes: Vec<u8>,
}

impl RawValue {
    /// A copy of `value`.
    pub fn of(value: &Value<'_>) -> Self {
        Self { tag: value.tag(), bytes: value.bytes().to_vec() }
    }

    /// The value of type `tag` whose bytes these are, with its length where its type has one.
    pub const fn new(tag: Tag, bytes: Vec<u8>) -> Self {
        Self { tag, bytes }
    }

    /// Its type.
    pub const fn tag(&self) -> Tag {
        self.tag
    }

    /// Its bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Whether `value` is the same, to the last byte.
    pub fn is(&self, value: &Value<'_>) -> bool {
        self.tag == value.tag() && self.bytes == value.bytes()
    }

    /// The number that it is, if it is a double.
    pub(crate) fn as_f64(&self) -> Option<f64> {
        let bytes = self.bytes.first_chunk().filter(|_| self.tag == Tag::Double)?;
        Some(f64::from_le_bytes(*bytes))
    }

    /// A document in which it is the only member, called `name`.
    pub(crate) fn within(&self, name: &str) -> Vec<u8> {
        let mut out = Build::new();
        out.put(name.as_bytes(), self.tag, &self.bytes);
        out.finish()
    }

    /// The document, or the array as a document, that it is.
    pub(crate) fn as_document(&self) -> Option<Document<'_>> {
        matches!(self.tag, Tag::Document | Tag::Array).then(|| Document::new(&self.bytes).ok()).flatten()
    }
}

/// How ids are shown to people: as Extended JSON.
impl fmt::Display for RawValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&extended_json(self).unwrap_or_else(|| format!("{:?}", self.tag)))
    }
}

fn extended_json(value: &RawValue) -> Option<String> {
    let whole = value.within("");
    let mut writer = Writer::new(Vec::new(), Style::ExtendedRelaxed);
    Document::new(&whole).ok()?.drive(&mut writer).ok()?;
    let text = String::from_utf8(writer.into_inner()).ok()?;
    Some(text.strip_prefix("{\"\":")?.strip_suffix('}')?.to_owned())
}

/// A document of BSON that grows at its end.
#[derive(Debug)]
pub(crate) struct Build(Vec<u8>);

/// A container that is not closed yet.
#[must_use]
pub(crate) struct Open(usize);

impl Build {
    pub(crate) fn new() -> Self {
        Self(vec![0; 4])
    }

    /// Adds a value whose bytes are known.
    pub(crate) fn put(&mut self, name: &[u8], tag: Tag, bytes: &[u8]) {
        self.name(name, tag);
        self.0.extend_from_slice(bytes);
    }

    pub(crate) fn value(&mut self, name: &str, value: &RawValue) {
        self.put(name.as_bytes(), value.tag, &value.bytes);
    }

    pub(crate) fn int(&mut self, name: &str, number: i32) {
        self.put(name.as_bytes(), Tag::Int32, &number.to_le_bytes());
    }

    pub(crate) fn bool(&mut self, name: &str, value: bool) {
        self.put(name.as_bytes(), Tag::Bool, &[u8::from(value)]);
    }

    pub(crate) fn text(&mut self, name: &str, text: &str) {
        self.name(name.as_bytes(), Tag::String);
        self.0.extend_from_slice(&length(text.len().saturating_add(1)));
        self.0.extend_from_slice(text.as_bytes());
        self.0.push(0);
    }

    /// Begins a document or an array.
    pub(crate) fn open(&mut self, name: &str, tag: Tag) -> Open {
        self.name(name.as_bytes(), tag);
        let start = self.0.len();
        self.0.extend_from_slice(&[0; 4]);
        Open(start)
    }

    /// Ends the container that was opened last.
    pub(crate) fn close(&mut self, open: &Open) {
        self.end(open.0);
    }

    fn name(&mut self, name: &[u8], tag: Tag) {
        self.0.push(tag.byte());
        self.0.extend_from_slice(name);
        self.0.push(0);
    }

    fn end(&mut self, start: usize) {
        self.0.push(0);
        let len = length(self.0.len().saturating_sub(start));
        if let Some(slot) = self.0.get_mut(start..).and_then(<[u8]>::first_chunk_mut) {
            *slot = len;
        }
    }

    /// The bytes of the document.
    pub(crate) fn finish(mut self) -> Vec<u8> {
        self.end(0);
        self.0
    }
}

/// A document that is longer than this can say is far too large for any server, which refuses it.
fn length(len: usize) -> [u8; 4] {
    i32::try_from(len).unwrap_or(i32::MAX).to_le_bytes()
}

/// A document with these members.
pub(crate) fn object(members: &[(&str, RawValue)]) -> RawValue {
    let mut out = Build::new();
    for (name, value) in members {
        out.value(name, value);
    }
    RawValue::new(Tag::Document, out.finish())
}

/// An array of these items.
pub(crate) fn array(items: &[RawValue]) -> RawValue {
    let mut out = Build::new();
    for (place, value) in items.iter().enumerate() {
        out.value(&place.to_string(), value);
    }
    RawValue::new(Tag::Array, out.finish())
}

pub(crate) fn text(text: &str) -> RawValue {
    let mut bytes = length(text.len().saturating_add(1)).to_vec();
    bytes.extend_from_slice(text.as_bytes());
    bytes.push(0);
    RawValue::new(Tag::String, bytes)
}

pub(crate) fn int(number: i32) -> RawValue {
    RawValue::new(Tag::Int32, number.to_le_bytes().to_vec())
}

pub(crate) fn bool(value: bool) -> RawValue {
    RawValue::new(Tag::Bool, vec![u8::from(value)])
}
