//! Ids, truth values, bytes and documents that hide in texts and objects.

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE};
use boson_bson::{Document, ReadOptions};
use boson_document::{Builder, Kind, ObjectId, Scalar, Source, Value};
use boson_json::{Dialects, Resolve, Text, Unwrap};
use boson_profile::{Alphabet, Case, Shape};

use super::{DOCUMENT_LIMITS, Leaf, Lost, New, Read, Reading, Rule, Scratch, lost_if};
use crate::plan::To;

/// The subtype of UUIDs.
pub(crate) const UUID_SUBTYPE: u8 = 4;

impl Rule {
    pub(super) fn id(&self, text: &str, shape: Shape) -> Leaf<'static> {
        match (&self.reading, shape) {
            (Reading::ObjectId { spelling, case }, Shape::ObjectId { spelling: found, case: found_case, .. }) => {
                let start = if text.len() == 24 { 0 } else { text.find(['"', '\''])?.checked_add(1)? };
                let id: ObjectId = text.get(start..start.checked_add(24)?)?.parse().ok()?;
                Some((Scalar::ObjectId(id), lost_if(found != *spelling || !same_case(found_case, *case))))
            }
            _ => None,
        }
    }

    /// UUIDs become binary, so their bytes need a place.
    fn uuid<'s>(&self, text: &str, shape: Shape, scratch: &'s mut Scratch) -> Option<Read<'s>> {
        let Reading::Uuid { spelling, case } = &self.reading else { return None };
        let Shape::Uuid { spelling: found, case: found_case, .. } = shape else { return None };
        uuid_bytes(text, &mut scratch.bytes)?;
        let leaf = Scalar::Binary { subtype: UUID_SUBTYPE, bytes: &scratch.bytes };
        Some(Read::Fits(New::Leaf(leaf), lost_if(found != *spelling || !same_case(found_case, *case))))
    }

    pub(super) fn truth(&self, shape: Shape, value: Option<i64>) -> Leaf<'static> {
        match (&self.reading, shape) {
            (Reading::Words(words), Shape::Bool { words: found, value }) => {
                Some((Scalar::Bool(value), lost_if(found != *words)))
            }
            (Reading::ZeroOrOne, Shape::Integer(_)) => match value? {
                0 => Some((Scalar::Bool(false), None)),
                1 => Some((Scalar::Bool(true), None)),
                _ => None,
            },
            _ => None,
        }
    }

    pub(super) fn binary<'s>(&self, text: &str, shape: Shape, scratch: &'s mut Scratch) -> Option<Read<'s>> {
        let (subtype, lost) = match (&self.reading, shape) {
            (Reading::Uuid { .. }, _) => return self.uuid(text, shape, scratch),
            (Reading::Hexadecimal { case, subtype }, _) => {
                scratch.bytes.clear();
                scratch.bytes.resize(text.len() / 2, 0);
                hex::decode_to_slice(text, &mut scratch.bytes).ok()?;
                let found = case_of(text);
                (*subtype, !same_case(found, *case))
            }
            (Reading::Base64 { alphabet, subtype }, Shape::Base64 { alphabet: found, .. }) => {
                scratch.bytes.clear();
                let engine = if found == Alphabet::Url { &URL_SAFE } else { &STANDARD };
                engine.decode_vec(text, &mut scratch.bytes).ok()?;
                (*subtype, found != Alphabet::Either && found != *alphabet)
            }
            _ => return None,
        };
        let leaf = Scalar::Binary { subtype, bytes: &scratch.bytes };
        Some(Read::Fits(New::Leaf(leaf), lost_if(lost)))
    }
}

fn case_of(text: &str) -> Case {
    let has = |wanted: fn(&u8) -> bool| text.bytes().any(|byte| wanted(&byte));
    match (has(u8::is_ascii_lowercase), has(u8::is_ascii_uppercase)) {
        (false, false) => Case::Neither,
        (true, false) => Case::Lower,
        (false, true) => Case::Upper,
        (true, true) => Case::Mixed,
    }
}

/// Whether digits in the case `found` come back when they are written in the case `wanted`.
fn same_case(found: Case, wanted: Case) -> bool {
    found == Case::Neither || found == wanted
}

/// Puts the 16 bytes of the UUID that `text` is into `out`.
fn uuid_bytes(text: &str, out: &mut Vec<u8>) -> Option<()> {
    let inner = [("{", "}"), ("(", ")"), ("urn:uuid:", ""), ("UUID(\"", "\")")]
        .iter()
        .find_map(|(before, after)| text.strip_prefix(before)?.strip_suffix(after))
        .unwrap_or(text);
    out.clear();
    let mut high = None;
    for digit in inner.bytes().filter(|&byte| byte != b'-') {
        let value = u8::try_from(char::from(digit).to_digit(16)?).ok()?;
        match high.take() {
            None => high = Some(value << 4),
            Some(high) => out.push(high | value),
        }
    }
    (out.len() == 16 && high.is_none()).then_some(())
}

/// The document or the array that `text` describes.
pub(super) fn json<'s>(text: &str, shape: Shape, scratch: &'s mut Scratch) -> Option<Read<'s>> {
    (shape == Shape::Json).then_some(())?;
    let mut sink = Resolve::new(Builder::new());
    Text::new(text.as_bytes()).with_limits(DOCUMENT_LIMITS).drive(&mut sink).ok()?;
    let value = sink.into_inner().finish()?;
    let is_array = matches!(value, Value::Array(_));
    // An array is no document, so it gets one around it.
    let wrapped = Value::Object(vec![("a".to_owned(), value)]);
    let encoded = boson_bson::encode(&wrapped).ok()?;
    let inner = Document::new(&encoded).ok()?.get("a").ok()??.bytes();
    scratch.bytes.clear();
    scratch.bytes.extend_from_slice(inner);
    Some(Read::Fits(New::Document { bytes: &scratch.bytes, is_array }, Some(Lost::Spelling)))
}

/// The value that the wrapper `bytes` holds, if it is one of the type `to`.
pub(super) fn unwrapped<'s>(bytes: &[u8], to: To, scratch: &'s mut Scratch) -> Option<Scalar<'s>> {
    let document = Document::new(bytes).ok()?;
    let mut sink = Unwrap::new(Builder::new(), Dialects::MONGODB);
    document.with(ReadOptions { limits: DOCUMENT_LIMITS, ..ReadOptions::default() }).drive(&mut sink).ok()?;
    let value = sink.into_inner().finish()?;
    let scalar = match value {
        Value::ObjectId(id) => Scalar::ObjectId(id),
        Value::DateTime(ms) => Scalar::DateTime(ms),
        Value::Int32(number) => Scalar::Int32(number),
        Value::Int64(number) => Scalar::Int64(number),
        Value::Double(number) => Scalar::Double(number),
        Value::Decimal128(number) => Scalar::Decimal128(number),
        Value::Binary { subtype, bytes } => {
            scratch.bytes = bytes;
            Scalar::Binary { subtype, bytes: &scratch.bytes }
        }
        _ => return None,
    };
    (scalar.kind() == kind_of(to)?).then_some(scalar)
}

const fn kind_of(to: To) -> Option<Kind> {
    Some(match to {
        To::ObjectId => Kind::ObjectId,
        To::Date => Kind::DateTime,
        To::Int32 => Kind::Int32,
        To::Int64 => Kind::Int64,
        To::Double => Kind::Double,
        To::Decimal128 => Kind::Decimal128,
        To::Uuid | To::Binary => Kind::Binary,
        _ => return None,
    })
}
