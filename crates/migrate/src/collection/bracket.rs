//! The order of `_id`s, and where in it a run is.
//!
//! A server orders values of all types, but `$gt` only finds those that compare with its operand: numbers with numbers,
//! strings with strings. So documents are read bracket by bracket, in the order of the brackets
//! (<https://www.mongodb.com/docs/manual/reference/bson-type-comparison-order/>), and a place is a bracket and the last `_id`.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use boson_bson::Tag;
use serde::{Deserialize, Serialize};

use super::raw::{Build, RawValue};

/// Types whose values compare with one another, in their order. Arrays cannot be `_id`s.
const BRACKETS: [&[Tag]; 16] = [
    &[Tag::MinKey],
    &[Tag::Undefined],
    &[Tag::Null],
    &[Tag::Double, Tag::Int32, Tag::Int64, Tag::Decimal128],
    &[Tag::String, Tag::Symbol],
    &[Tag::Document],
    &[Tag::Binary],
    &[Tag::ObjectId],
    &[Tag::Bool],
    &[Tag::DateTime],
    &[Tag::Timestamp],
    &[Tag::Regex],
    &[Tag::DbPointer],
    &[Tag::Code],
    &[Tag::CodeWithScope],
    &[Tag::MaxKey],
];

/// A place in the order of `_id`s.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resume {
    bracket: usize,
    /// The last `_id` before it within the bracket: its type and its bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    after: Option<Last>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Last {
    tag: u8,
    bytes: String,
}

impl Resume {
    /// The place behind the document with the `_id` that is given.
    pub(crate) fn behind(&self, id: &RawValue) -> Self {
        let bracket = BRACKETS.iter().position(|tags| tags.contains(&id.tag())).unwrap_or(self.bracket);
        let after = Last { tag: id.tag().byte(), bytes: STANDARD.encode(id.bytes()) };
        Self { bracket, after: Some(after) }
    }

    /// The place behind all documents.
    pub(crate) const fn end() -> Self {
        Self { bracket: BRACKETS.len(), after: None }
    }

    /// Whether there is nothing behind it.
    pub(crate) const fn is_end(&self) -> bool {
        self.bracket >= BRACKETS.len()
    }

    /// The place before the bracket that follows; `None` behind the last.
    pub(crate) fn next_bracket(&self) -> Option<Self> {
        let bracket = self.bracket.saturating_add(1);
        (bracket < BRACKETS.len()).then_some(Self { bracket, after: None })
    }

    fn last(&self) -> Option<RawValue> {
        let last = self.after.as_ref()?;
        Some(RawValue::new(Tag::from_byte(last.tag)?, STANDARD.decode(&last.bytes).ok()?))
    }

    /// Adds the condition for the rest of the bracket to a filter, up to the `_id` that is given; false where there is no more
    /// to be had in it.
    pub(crate) fn put_condition(&self, up_to: Option<&RawValue>, out: &mut Build) -> bool {
        let last = self.last();
        // There is one of each of these.
        if last
            .as_ref()
            .is_some_and(|last| matches!(last.tag(), Tag::MinKey | Tag::MaxKey | Tag::Null | Tag::Undefined))
        {
            return false;
        }
        let open = out.open("_id", Tag::Document);
        match &last {
            // NaN comes before all numbers, and compares with none.
            Some(last) if is_nan(last) => out.value("$gte", &double(f64::NEG_INFINITY)),
            // No server compares regular expressions; none takes them for an `_id` either.
            Some(last) if last.tag() != Tag::Regex => out.value("$gt", last),
            _ => self.put_types(out),
        }
        if let Some(up_to) = up_to {
            out.value("$lte", up_to);
        }
        out.close(&open);
        true
    }

    fn put_types(&self, out: &mut Build) {
        let tags = BRACKETS.get(self.bracket).copied().unwrap_or_default();
        let types = out.open("$type", Tag::Array);
        for (place, tag) in tags.iter().enumerate() {
            let number = if *tag == Tag::MinKey { -1 } else { i32::from(tag.byte()) };
            out.int(&place.to_string(), number);
        }
        out.close(&types);
    }
}

fn double(number: f64) -> RawValue {
    RawValue::new(Tag::Double, number.to_le_bytes().to_vec())
}

fn is_nan(value: &RawValue) -> bool {
    let decimal = || value.bytes().last().is_some_and(|high| high & 0x7C == 0x7C);
    value.as_f64().is_some_and(f64::is_nan) || (value.tag() == Tag::Decimal128 && decimal())
}
