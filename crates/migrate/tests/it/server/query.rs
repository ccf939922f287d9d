//! Filters, as MongoDB's manual describes them: conditions look into arrays, numbers of all types are equal, null is equal to
//! what is missing. Only the operators are known that a run sends; any other is an error.

use std::cmp::Ordering;

use bson::{Bson, Document};

use super::expression::evaluate;
use super::order::{bracket, compare, number};

/// Whether `document` is what `filter` asks for.
pub(crate) fn matches(filter: &Document, document: &Document) -> bool {
    filter.iter().all(|(name, condition)| match (name.as_str(), condition) {
        ("$or", Bson::Array(any)) => any.iter().any(|filter| matches(filter.as_document().unwrap(), document)),
        ("$and", Bson::Array(all)) => all.iter().all(|filter| matches(filter.as_document().unwrap(), document)),
        ("$expr", expression) => evaluate(expression, document).is_some_and(|value| is_true(&value)),
        (name, _) if name.starts_with('$') => panic!("unknown operator {name}"),
        (path, condition) => at_path(&leaves(document, path), condition),
    })
}

pub(crate) fn is_true(value: &Bson) -> bool {
    !matches!(value, Bson::Boolean(false) | Bson::Null | Bson::Undefined | Bson::Int32(0) | Bson::Int64(0))
}

/// The values at a dotted path: `None` where it ends before. Arrays on the way are gone into, and a number is a place in one.
fn leaves(document: &Document, path: &str) -> Vec<Option<Bson>> {
    let (name, rest) = path.split_once('.').map_or((path, None), |(name, rest)| (name, Some(rest)));
    let Some(value) = document.get(name) else { return vec![None] };
    let Some(rest) = rest else { return vec![Some(value.clone())] };
    inside(value, rest)
}

fn inside(value: &Bson, path: &str) -> Vec<Option<Bson>> {
    match value {
        Bson::Document(inner) => leaves(inner, path),
        Bson::Array(items) => {
            let mut found: Vec<Option<Bson>> =
                items.iter().filter_map(Bson::as_document).flat_map(|item| leaves(item, path)).collect();
            let (place, rest) = path.split_once('.').map_or((path, None), |(place, rest)| (place, Some(rest)));
            if let Some(item) = place.parse::<usize>().ok().and_then(|place| items.get(place)) {
                found.extend(rest.map_or_else(|| vec![Some(item.clone())], |rest| inside(item, rest)));
            }
            found
        }
        _ => vec![None],
    }
}

fn at_path(leaves: &[Option<Bson>], condition: &Bson) -> bool {
    match condition {
        Bson::Document(operators) if operators.keys().next().is_some_and(|name| name.starts_with('$')) => {
            operators.iter().all(|(name, operand)| operator(leaves, name, operand))
        }
        value => operator(leaves, "$eq", value),
    }
}

/// The values themselves and what is in those that are arrays.
fn with_items(leaves: &[Option<Bson>]) -> Vec<Option<Bson>> {
    let items = leaves.iter().flatten().filter_map(Bson::as_array).flatten().cloned().map(Some);
    leaves.iter().cloned().chain(items).collect()
}

fn operator(leaves: &[Option<Bson>], name: &str, operand: &Bson) -> bool {
    let any = |test: &dyn Fn(&Bson) -> bool| with_items(leaves).iter().flatten().any(test);
    match name {
        "$eq" => {
            let is_nothing = matches!(operand, Bson::Null) && leaves.iter().any(Option::is_none);
            is_nothing || any(&|value| compare(value, operand) == Ordering::Equal)
        }
        "$in" => operand.as_array().unwrap().iter().any(|one| operator(leaves, "$eq", one)),
        "$gt" | "$gte" | "$lt" | "$lte" => any(&|value| orders(name, value, operand)),
        "$exists" => leaves.iter().any(Option::is_some) == operand.as_bool().unwrap(),
        "$not" => !at_path(leaves, operand),
        "$type" => match operand {
            Bson::Array(types) => types.iter().any(|one| operator(leaves, "$type", one)),
            // That the field is an array, not that there is one in it.
            Bson::Int32(4) => leaves.iter().flatten().any(|value| value.as_array().is_some()),
            Bson::Int32(wanted) => any(&|value| type_number(value) == *wanted),
            other => panic!("$type {other}"),
        },
        "$regex" => {
            let regex = regex::Regex::new(operand.as_str().unwrap()).unwrap();
            any(&|value| value.as_str().is_some_and(|text| regex.is_match(text)))
        }
        _ => panic!("unknown operator {name}"),
    }
}

/// Only values of one bracket are ordered, and NaN is no larger than anything but as large as itself.
fn orders(name: &str, value: &Bson, operand: &Bson) -> bool {
    if bracket(value) != bracket(operand) {
        return false;
    }
    let nan = |value: &Bson| number(value).is_some_and(f64::is_nan);
    if nan(value) || nan(operand) {
        return nan(value) && nan(operand) && name.ends_with('e');
    }
    let order = compare(value, operand);
    match name {
        "$gt" => order == Ordering::Greater,
        "$gte" => order != Ordering::Less,
        "$lt" => order == Ordering::Less,
        _ => order != Ordering::Greater,
    }
}

/// The numbers of the types, from the table of `$type`.
pub(crate) fn type_number(value: &Bson) -> i32 {
    TYPES[place(value)].0
}

/// Their names.
pub(crate) fn type_name(value: &Bson) -> &'static str {
    TYPES[place(value)].1
}

const TYPES: [(i32, &str); 21] = [
    (1, "double"),
    (2, "string"),
    (3, "object"),
    (4, "array"),
    (5, "binData"),
    (6, "undefined"),
    (7, "objectId"),
    (8, "bool"),
    (9, "date"),
    (10, "null"),
    (11, "regex"),
    (12, "dbPointer"),
    (13, "javascript"),
    (14, "symbol"),
    (15, "javascriptWithScope"),
    (16, "int"),
    (17, "timestamp"),
    (18, "long"),
    (19, "decimal"),
    (-1, "minKey"),
    (127, "maxKey"),
];

fn place(value: &Bson) -> usize {
    match value {
        Bson::Double(_) => 0,
        Bson::String(_) => 1,
        Bson::Document(_) => 2,
        Bson::Array(_) => 3,
        Bson::Binary(_) => 4,
        Bson::Undefined => 5,
        Bson::ObjectId(_) => 6,
        Bson::Boolean(_) => 7,
        Bson::DateTime(_) => 8,
        Bson::Null => 9,
        Bson::RegularExpression(_) => 10,
        Bson::DbPointer(_) => 11,
        Bson::JavaScriptCode(_) => 12,
        Bson::Symbol(_) => 13,
        Bson::JavaScriptCodeWithScope(_) => 14,
        Bson::Int32(_) => 15,
        Bson::Timestamp(_) => 16,
        Bson::Int64(_) => 17,
        Bson::Decimal128(_) => 18,
        Bson::MinKey => 19,
        Bson::MaxKey => 20,
    }
}
