//! The document that is updated, and the updates.

use boson_document::edit::{Change, New};
use boson_document::{PathBuf, Segment, Value};

use crate::error::BenchError;

/// An order of about `size` bytes in BSON.
pub(super) fn order(size: usize) -> Result<Value, BenchError> {
    let len = |items| boson_bson::encode(&with_items(items)).map(|bytes| bytes.len());
    let (few, more) = (len(10)?, len(110)?);
    let items = size.saturating_sub(few) * 100 / (more - few).max(1) + 10;
    Ok(with_items(items))
}

fn with_items(items: usize) -> Value {
    object([
        ("_id", Value::Int64(4711)),
        ("status", text("open")),
        ("version", Value::Int32(1)),
        ("items", Value::Array((0..items).map(item).collect())),
        ("log", Value::Array((0..4).map(entry).collect())),
        ("total", Value::Double(99.5)),
    ])
}

fn item(number: usize) -> Value {
    // From 1 to 49: each takes two bytes as a NUMBER.
    let quantity = i32::try_from(number % 49).unwrap_or_default() + 1;
    let mut members = vec![
        ("sku", text(format!("SKU-{number:08}"))),
        ("name", text(format!("Part number {number} of the machine"))),
        ("quantity", Value::Int32(quantity)),
        ("price", Value::Double(f64::from(quantity) * 1.25 + 0.5)),
        ("added", Value::Int64(1_700_000_000_000)),
        ("note", text(note(number))),
        ("tags", Value::Array(vec![text("metal"), text("heavy")])),
    ];
    // A few items have one more field, so that its name is in OSON's dictionary.
    members.extend((number % 64 == 1).then_some(("discount", Value::Double(0.1))));
    Value::Object(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

fn note(number: usize) -> String {
    format!("to be packed with the other parts of lot {number:06}")
}

fn entry(number: i32) -> Value {
    object([("at", Value::Int64(1_700_000_000_000)), ("what", text("checked")), ("by", Value::Int32(number))])
}

fn object<const N: usize>(members: [(&str, Value); N]) -> Value {
    Value::Object(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

fn text(text: impl Into<String>) -> Value {
    Value::String(text.into())
}

/// Changes that belong together.
pub(super) struct Update {
    pub(super) name: &'static str,
    pub(super) steps: Vec<Step>,
}

/// One change.
pub(super) struct Step {
    pub(super) path: PathBuf,
    pub(super) new: Value,
    pub(super) is_push: bool,
}

impl Step {
    pub(super) fn change(&self) -> Change<'_> {
        let new = New::from(&self.new);
        if self.is_push { Change::Push(new) } else { Change::Set(new) }
    }

    fn set(path: PathBuf, new: Value) -> Self {
        Self { path, new, is_push: false }
    }
}

/// Every update of `document`.
pub(super) fn updates(document: &Value) -> Vec<Update> {
    let Some(Value::Array(items)) = document.get("items") else { return Vec::new() };
    let (count, middle) = (items.len(), items.len() / 2);
    let quantity = |index| Step::set(member(index, "quantity"), Value::Int32(77));
    let note = |extra: usize| {
        let text = note(middle).replace("other", "small") + &"!".repeat(extra);
        Step::set(member(middle, "note"), Value::String(text))
    };
    let field = |name: &str| Step::set(member(middle, name), Value::Double(0.25));
    let log = |number| Step { path: named("log"), new: entry(number), is_push: true };
    let spread = (0..10).map(|tenth| quantity(tenth * count / 10));
    vec![
        Update { name: "one field", steps: vec![quantity(middle)] },
        Update { name: "several fields", steps: spread.collect() },
        Update { name: "a string of equal length", steps: vec![note(0)] },
        Update { name: "a string 50 bytes longer", steps: vec![note(50)] },
        Update { name: "inserted field", steps: vec![field("discount")] },
        Update { name: "inserted field of a new name", steps: vec![field("rebate")] },
        Update { name: "an array push", steps: vec![log(4)] },
        Update { name: "ten array pushes", steps: (4..14).map(log).collect() },
    ]
}

fn named(name: &str) -> PathBuf {
    PathBuf::from_iter([Segment::Field(name.to_owned())])
}

/// `items[index].name`.
fn member(index: usize, name: &str) -> PathBuf {
    let mut path = named("items");
    path.push_index(index);
    path.push_field(name);
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_has_the_size_that_was_asked_for() {
        for size in [10_000, 100_000, 1_000_000] {
            let len = boson_bson::encode(&order(size).unwrap_or(Value::Null)).map_or(0, |bytes| bytes.len());
            assert!(len.abs_diff(size) < size / 20, "{len} for {size}");
        }
    }

    #[test]
    fn every_update_changes_something_and_names_are_new_where_it_says_so() {
        let Ok(document) = order(50_000) else { panic!("no document") };
        for update in updates(&document) {
            let mut changed = document.clone();
            for step in &update.steps {
                assert_eq!(changed.change(&step.path, &step.change()), Ok(()), "{}", update.name);
            }
            assert!(changed != document, "{}", update.name);
        }
        let text = format!("{document:?}");
        assert!(text.contains("discount") && !text.contains("rebate"));
    }
}
