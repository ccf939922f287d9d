//! The documents that lie in blocks, and the fields that are looked for.

use boson_document::{PathBuf, Segment, Value};

/// How a document is made up.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    pub(super) name: &'static str,
    /// Fields of the flat documents, and leaves of the nested one.
    fields: usize,
    /// Bytes of the text in each field.
    text_len: usize,
    is_nested: bool,
}

/// A field that is looked for.
#[derive(Clone, Debug)]
pub(super) struct Wanted {
    pub(super) name: &'static str,
    pub(super) path: PathBuf,
    /// What it holds; `None` when there is none.
    pub(super) value: Option<i64>,
}

/// Leaves of the nested document: 10 by 10 by 10. The flat one has as many fields.
const FIELDS: usize = 1000;
/// Bytes of the text of the short fields.
const SHORT: usize = 100;
/// Bytes of a field beside its text: a type, a name, a length and two NULs.
const OVERHEAD: usize = 19;

/// The shapes of documents of about `size` bytes in BSON.
pub(super) fn shapes(size: usize) -> [Shape; 3] {
    let text_len = (size / FIELDS).saturating_sub(OVERHEAD);
    let flat = Shape { name: "flat", fields: FIELDS, text_len, is_nested: false };
    let many = Shape { name: "many", fields: size / (SHORT + OVERHEAD), text_len: SHORT, is_nested: false };
    // Names are 5 letters shorter, and ten fields share a container and its name.
    let nested = Shape { name: "nested", is_nested: true, text_len: text_len + 4, ..flat };
    [flat, many, nested]
}

impl Shape {
    pub(super) fn document(&self) -> Value {
        let numbers = 0..self.fields;
        if !self.is_nested {
            return object(numbers.map(|number| (field(number), self.value(number))));
        }
        let leaf = |number: usize| (format!("field_{}", number % 10), self.value(number));
        let inner = |tens: usize| (format!("part_{}", tens % 10), object((0..10).map(|ones| leaf(tens * 10 + ones))));
        let outer =
            |hundreds: usize| (format!("part_{hundreds}"), object((0..10).map(|tens| inner(hundreds * 10 + tens))));
        object((0..10).map(outer))
    }

    /// The first, the middle and the last field, and one that is not there.
    pub(super) fn wanted(&self) -> Vec<Wanted> {
        let there = |name, number| Wanted { name, path: self.path(number), value: Some(held(number)) };
        let absent = if self.is_nested { path(&["part_9", "field_9"]) } else { path(&["nothing"]) };
        let last = self.fields.saturating_sub(1);
        vec![
            there("first", 0),
            there("middle", last / 2),
            there("last", last),
            Wanted { name: "absent", path: absent, value: None },
        ]
    }

    /// A number where it will be looked for, else text.
    fn value(&self, number: usize) -> Value {
        let last = self.fields.saturating_sub(1);
        if [0, last / 2, last].contains(&number) {
            return Value::Int64(held(number));
        }
        // Each text is another, or OSON would keep one of them for all.
        Value::String(format!("{number:0>width$}", width = self.text_len))
    }

    fn path(&self, number: usize) -> PathBuf {
        if !self.is_nested {
            return path(&[&field(number)]);
        }
        let (hundreds, tens, ones) = (number / 100, number / 10 % 10, number % 10);
        path(&[&format!("part_{hundreds}"), &format!("part_{tens}"), &format!("field_{ones}")])
    }
}

fn object(members: impl Iterator<Item = (String, Value)>) -> Value {
    Value::Object(members.collect())
}

fn field(number: usize) -> String {
    format!("field_{number:06}")
}

fn path(names: &[&str]) -> PathBuf {
    names.iter().map(|&name| Segment::Field(name.to_owned())).collect()
}

/// More than 32 bits, so that it is an int64 in every format.
fn held(number: usize) -> i64 {
    (1 << 40) + i64::try_from(number).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_have_the_size_and_the_fields_that_they_are_said_to_have() {
        for size in [64 << 10, 1 << 20] {
            for shape in shapes(size) {
                let document = shape.document();
                let len = boson_bson::encode(&document).map_or(0, |bytes| bytes.len());
                assert!(len.abs_diff(size) < size / 20, "{}: {len} for {size}", shape.name);
                for wanted in shape.wanted() {
                    let found = wanted.path.segments().iter().try_fold(&document, |value, segment| match segment {
                        Segment::Field(name) => value.get(name),
                        Segment::Index(_) => None,
                    });
                    assert_eq!(found, wanted.value.map(Value::Int64).as_ref(), "{} {}", shape.name, wanted.name);
                }
            }
        }
    }
}
