//! Updates that only take place where the old value still stands.
//!
//! A filter must match exactly the documents that hold the old value where it was: the server's equality alone does not say
//! that. It looks into arrays, takes numbers of all types for the same, and `null` for what is missing. So each condition
//! also names the type and excludes arrays on the whole path. What is a document or an array is compared by an expression,
//! which does not look into arrays, with the types of the numbers in it beside it, for they compare by value there too.
//!
//! Names that a dotted path cannot say, those with dots and dollars, are reached by `$getField` and set by `$setField`.

use boson_bson::Tag;

use super::change::Change;
use super::port::{Modification, Update};
use super::raw::{Build, RawValue, array, object, text};

/// Whether a document is left where the first matching condition fails: `$type`'s number of a type.
const fn type_number(tag: Tag) -> i32 {
    match tag {
        Tag::MinKey => -1,
        tag => tag.byte() as i32,
    }
}

/// The name that the operator `$type` answers.
const fn type_name(tag: Tag) -> &'static str {
    match tag {
        Tag::Double => "double",
        Tag::String => "string",
        Tag::Document => "object",
        Tag::Array => "array",
        Tag::Binary => "binData",
        Tag::Undefined => "undefined",
        Tag::ObjectId => "objectId",
        Tag::Bool => "bool",
        Tag::DateTime => "date",
        Tag::Null => "null",
        Tag::Regex => "regex",
        Tag::DbPointer => "dbPointer",
        Tag::Code => "javascript",
        Tag::Symbol => "symbol",
        Tag::CodeWithScope => "javascriptWithScope",
        Tag::Int32 => "int",
        Tag::Timestamp => "timestamp",
        Tag::Int64 => "long",
        Tag::Decimal128 => "decimal",
        Tag::MinKey => "minKey",
        Tag::MaxKey => "maxKey",
    }
}

/// The update that makes all `changes` in the document with this `_id`, or none where one of them finds something else.
pub(crate) fn update(id: &RawValue, changes: &[Change]) -> Update {
    let change = if changes.iter().all(|change| is_dotted(&change.path)) {
        Modification::Operators(operators(changes))
    } else {
        Modification::Pipeline(pipeline(changes))
    };
    Update { filter: filter(id, changes), change }
}

/// Whether a dotted path can say these names.
pub(crate) fn is_dotted(path: &[String]) -> bool {
    path.iter().all(|name| !name.is_empty() && !name.starts_with('$') && !name.contains('.'))
}

fn filter(id: &RawValue, changes: &[Change]) -> Vec<u8> {
    let mut out = Build::new();
    put_id(&mut out, id);
    let mut ways: Vec<String> = Vec::new();
    let mut expressions = Vec::new();
    for change in changes {
        if is_dotted(&change.path) {
            dotted_condition(&mut out, change, &mut ways, &mut expressions);
        } else {
            by_expression(change, &mut expressions);
        }
    }
    if !expressions.is_empty() {
        out.value("$expr", &operator("$and", array(&expressions)));
    }
    out.finish()
}

/// `_id` is never an array, so equality is exact but for numbers, of which only one of a value can be there.
pub(crate) fn put_id(out: &mut Build, id: &RawValue) {
    if matches!(id.tag(), Tag::Document | Tag::Regex | Tag::Null | Tag::Undefined) {
        let open = out.open("_id", Tag::Document);
        out.value("$eq", id);
        out.close(&open);
    } else {
        out.value("_id", id);
    }
}

fn dotted_condition(out: &mut Build, change: &Change, ways: &mut Vec<String>, expressions: &mut Vec<RawValue>) {
    let whole = change.path.join(".");
    let mut len = 0;
    for name in change.path.iter().take(change.path.len().saturating_sub(1)) {
        len += name.len();
        let way = whole.get(..len).unwrap_or_default();
        if !ways.iter().any(|known| known == way) {
            put_is_object(out, way);
            ways.push(way.to_owned());
        }
        len += 1;
    }
    match &change.from {
        None => {
            let open = out.open(&whole, Tag::Document);
            out.bool("$exists", false);
            out.close(&open);
        }
        Some(from) if matches!(from.tag(), Tag::Document | Tag::Array) => {
            expressions.push(is_container(&text(&format!("${whole}")), from));
        }
        Some(from) => {
            let open = out.open(&whole, Tag::Document);
            out.value("$eq", from);
            out.int("$type", type_number(from.tag()));
            put_no_array(out);
            out.close(&open);
        }
    }
}

fn put_is_object(out: &mut Build, path: &str) {
    let open = out.open(path, Tag::Document);
    out.int("$type", type_number(Tag::Document));
    put_no_array(out);
    out.close(&open);
}

fn put_no_array(out: &mut Build) {
    let open = out.open("$not", Tag::Document);
    out.int("$type", type_number(Tag::Array));
    out.close(&open);
}

fn by_expression(change: &Change, expressions: &mut Vec<RawValue>) {
    let values = values_on(&change.path);
    let Some((value, way)) = values.split_last() else { return };
    match &change.from {
        None => {
            // The first of the way is the document itself.
            if let Some(around) = way.last().filter(|_| way.len() > 1) {
                expressions.push(has_type(around, "object"));
            }
            expressions.push(has_type(value, "missing"));
        }
        Some(from) if matches!(from.tag(), Tag::Document | Tag::Array) => {
            expressions.push(is_container(value, from));
        }
        Some(from) => {
            expressions.push(has_type(value, type_name(from.tag())));
            expressions.push(equals(value, from));
        }
    }
}

/// The expressions for the document itself and for what each name leads to. A step from anything but an object leads to
/// nothing, from an array too.
fn values_on(path: &[String]) -> Vec<RawValue> {
    let mut values = vec![text("$$ROOT")];
    for name in path {
        let inner = get_field(name, values.last().cloned().unwrap_or_else(|| text("$$ROOT")));
        values.push(inner);
    }
    values
}

pub(crate) fn operator(name: &str, operand: RawValue) -> RawValue {
    object(&[(name, operand)])
}

pub(crate) fn literal(value: &RawValue) -> RawValue {
    operator("$literal", value.clone())
}

fn get_field(name: &str, input: RawValue) -> RawValue {
    operator("$getField", object(&[("field", literal(&text(name))), ("input", input)]))
}

fn equals(expression: &RawValue, value: &RawValue) -> RawValue {
    operator("$eq", array(&[expression.clone(), literal(value)]))
}

fn has_type(expression: &RawValue, name: &str) -> RawValue {
    let found = operator("$type", expression.clone());
    operator("$eq", array(&[found, text(name)]))
}

/// Whether an expression is this document or array, the types of the numbers in it included. They are only looked at where
/// the values are equal, so that every step of the way to them is there.
fn is_container(expression: &RawValue, value: &RawValue) -> RawValue {
    let types = number_types(expression, value);
    let same = operator("$and", array(&[has_type(expression, type_name(value.tag())), equals(expression, value)]));
    if types.is_empty() {
        return same;
    }
    operator("$cond", array(&[same, operator("$and", array(&types)), super::raw::bool(false)]))
}

/// For each value within `container` that could be equal to one of another type, what its type is to be.
fn number_types(expression: &RawValue, container: &RawValue) -> Vec<RawValue> {
    let mut found = Vec::new();
    let mut open = vec![(expression.clone(), container.clone())];
    while let Some((around, container)) = open.pop() {
        let Some(document) = container.as_document() else { continue };
        for (place, element) in document.elements().filter_map(Result::ok).enumerate() {
            let value = element.value();
            let is_container = matches!(value.tag(), Tag::Document | Tag::Array);
            if !is_container && !compares_with_others(value.tag()) {
                continue;
            }
            let inner = if container.tag() == Tag::Array {
                let place = i32::try_from(place).unwrap_or(i32::MAX);
                operator("$arrayElemAt", array(&[around.clone(), super::raw::int(place)]))
            } else {
                get_field(&element.name_lossy(), around.clone())
            };
            if is_container {
                open.push((inner, RawValue::of(&value)));
            } else {
                found.push(has_type(&inner, type_name(value.tag())));
            }
        }
    }
    found
}

/// Whether values of this type can be equal to values of another.
const fn compares_with_others(tag: Tag) -> bool {
    matches!(tag, Tag::Double | Tag::Int32 | Tag::Int64 | Tag::Decimal128 | Tag::Symbol)
}

fn operators(changes: &[Change]) -> Vec<u8> {
    let mut out = Build::new();
    if changes.iter().any(|change| change.to.is_some()) {
        let open = out.open("$set", Tag::Document);
        for change in changes {
            if let Some(to) = &change.to {
                out.value(&change.path.join("."), to);
            }
        }
        out.close(&open);
    }
    if changes.iter().any(|change| change.to.is_none()) {
        let open = out.open("$unset", Tag::Document);
        for change in changes.iter().filter(|change| change.to.is_none()) {
            out.text(&change.path.join("."), "");
        }
        out.close(&open);
    }
    out.finish()
}

/// A stage for each change, each on what the one before it made.
fn pipeline(changes: &[Change]) -> Vec<u8> {
    let stages: Vec<RawValue> = changes.iter().map(|change| operator("$replaceWith", with_field(change))).collect();
    array(&stages).bytes().to_vec()
}

/// The document with the change in it, from the inside out.
fn with_field(change: &Change) -> RawValue {
    let inputs = values_on(&change.path);
    let value = change.to.as_ref().map_or_else(|| text("$$REMOVE"), literal);
    change.path.iter().zip(inputs).rev().fold(value, |value, (name, input)| {
        operator("$setField", object(&[("field", literal(&text(name))), ("input", input), ("value", value)]))
    })
}

#[cfg(test)]
mod tests {
    use boson_bson::Document;
    use boson_document::Source;
    use boson_json::{Style, Writer};

    use super::super::raw::int;
    use super::*;

    fn json(bytes: &[u8]) -> String {
        let mut writer = Writer::new(Vec::new(), Style::ExtendedRelaxed);
        Document::new(bytes).unwrap().drive(&mut writer).unwrap();
        String::from_utf8(writer.into_inner()).unwrap()
    }

    fn change(path: &[&str], from: Option<RawValue>, to: Option<RawValue>) -> Change {
        Change { path: path.iter().map(|&name| name.to_owned()).collect(), from, to }
    }

    #[test]
    fn a_string_is_guarded_by_value_and_type_and_against_arrays_on_the_way() {
        let made = update(&int(7), &[change(&["a", "b"], Some(text("5")), Some(int(5)))]);
        assert_eq!(
            json(&made.filter),
            r#"{"_id":7,"a":{"$type":3,"$not":{"$type":4}},"a.b":{"$eq":"5","$type":2,"$not":{"$type":4}}}"#
        );
        assert_eq!(json(made.change.bytes()), r#"{"$set":{"a.b":5}}"#);
    }

    #[test]
    fn an_array_is_guarded_whole_with_the_types_of_its_numbers() {
        let from = array(&[text("5"), int(6)]);
        let made = update(&int(7), &[change(&["a"], Some(from), Some(array(&[int(5), int(6)])))]);
        assert_eq!(
            json(&made.filter),
            r#"{"_id":7,"$expr":{"$and":[{"$cond":[{"$and":[{"$eq":[{"$type":"$a"},"array"]},{"$eq":["$a",{"$literal":["5",6]}]}]},{"$and":[{"$eq":[{"$type":{"$arrayElemAt":["$a",1]}},"int"]}]},false]}]}}"#
        );
    }

    #[test]
    fn names_that_a_path_cannot_say_are_got_and_set_by_their_own_operators() {
        let made = update(&int(7), &[change(&["x.y", "$z"], Some(text("$5")), None)]);
        let inner = r#"{"$getField":{"field":{"$literal":"x.y"},"input":"$$ROOT"}}"#;
        let value = format!(r#"{{"$getField":{{"field":{{"$literal":"$z"}},"input":{inner}}}}}"#);
        assert_eq!(
            json(&made.filter),
            format!(
                r#"{{"_id":7,"$expr":{{"$and":[{{"$eq":[{{"$type":{value}}},"string"]}},{{"$eq":[{value},{{"$literal":"$5"}}]}}]}}}}"#
            )
        );
        let Modification::Pipeline(stages) = made.change else { panic!("a path says no dots") };
        let set = format!(
            r#"{{"$setField":{{"field":{{"$literal":"x.y"}},"input":"$$ROOT","value":{{"$setField":{{"field":{{"$literal":"$z"}},"input":{inner},"value":"$$REMOVE"}}}}}}}}"#
        );
        assert_eq!(json(&stages), format!(r#"{{"0":{{"$replaceWith":{set}}}}}"#));
    }
}
