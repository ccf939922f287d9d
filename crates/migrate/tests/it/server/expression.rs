//! Expressions of aggregations, as MongoDB's manual describes them. `None` is what is missing.

use std::cmp::Ordering;

use bson::{Bson, Document};

use super::order::compare;
use super::query::{is_true, type_name};

/// The value of `expression` for `document`.
pub(crate) fn evaluate(expression: &Bson, document: &Document) -> Option<Bson> {
    match expression {
        Bson::String(text) if text == "$$ROOT" => Some(Bson::Document(document.clone())),
        Bson::String(text) if text == "$$REMOVE" => None,
        Bson::String(text) if text.starts_with("$$") => panic!("unknown variable {text}"),
        Bson::String(text) if text.starts_with('$') => field_path(&Bson::Document(document.clone()), &text[1..]),
        Bson::Document(operators) if operators.keys().next().is_some_and(|name| name.starts_with('$')) => {
            assert_eq!(operators.len(), 1, "{operators}");
            let (name, operand) = operators.iter().next().unwrap();
            operator(name, operand, document)
        }
        Bson::Document(members) => {
            let value = |(name, value): (&String, &Bson)| Some((name.clone(), evaluate(value, document)?));
            Some(Bson::Document(members.iter().filter_map(value).collect()))
        }
        Bson::Array(items) => {
            Some(Bson::Array(items.iter().map(|item| evaluate(item, document).unwrap_or(Bson::Null)).collect()))
        }
        value => Some(value.clone()),
    }
}

/// A dotted path: of an array, the values of its items; a number is a name and no place.
fn field_path(value: &Bson, path: &str) -> Option<Bson> {
    let (name, rest) = path.split_once('.').map_or((path, None), |(name, rest)| (name, Some(rest)));
    match value {
        Bson::Document(document) => {
            let inner = document.get(name)?;
            rest.map_or_else(|| Some(inner.clone()), |rest| field_path(inner, rest))
        }
        Bson::Array(items) => Some(Bson::Array(items.iter().filter_map(|item| field_path(item, path)).collect())),
        _ => None,
    }
}

fn operator(name: &str, operand: &Bson, document: &Document) -> Option<Bson> {
    let value = |expression: &Bson| evaluate(expression, document);
    let items = || operand.as_array().unwrap().iter();
    Some(match name {
        "$literal" => operand.clone(),
        "$and" => Bson::Boolean(items().all(|item| value(item).is_some_and(|value| is_true(&value)))),
        "$not" => Bson::Boolean(!items().next().and_then(value).is_some_and(|value| is_true(&value))),
        "$eq" => Bson::Boolean(match (value(&operand.as_array()?[0]), value(&operand.as_array()?[1])) {
            (Some(one), Some(other)) => compare(&one, &other) == Ordering::Equal,
            (one, other) => one.is_none() && other.is_none(),
        }),
        "$cond" => {
            let branches = operand.as_array().unwrap();
            let holds = value(&branches[0]).is_some_and(|value| is_true(&value));
            return value(&branches[if holds { 1 } else { 2 }]);
        }
        "$type" => Bson::String(value(operand).map_or("missing", |value| type_name(&value)).to_owned()),
        "$arrayElemAt" => {
            let [array, place] = &**operand.as_array().unwrap() else { panic!("{operand}") };
            let array = value(array)?;
            let items = array.as_array().expect("$arrayElemAt's first argument must be an array");
            return items.get(usize::try_from(place.as_i32().unwrap()).unwrap()).cloned();
        }
        "$getField" => {
            let (field, input) = field_and_input(operand, document);
            return input?.as_document()?.get(field).cloned();
        }
        "$setField" => {
            let (field, input) = field_and_input(operand, document);
            let Some(Bson::Document(mut input)) = input else { panic!("$setField of no object") };
            match value(operand.as_document().unwrap().get("value").unwrap()) {
                Some(new) => input.insert(field, new),
                None => input.remove(field),
            };
            Bson::Document(input)
        }
        _ => return super::convert::operator(name, operand, document),
    })
}

fn field_and_input(operand: &Bson, document: &Document) -> (String, Option<Bson>) {
    let operand = operand.as_document().unwrap();
    let field = evaluate(operand.get("field").unwrap(), document);
    let Some(Bson::String(field)) = field else { panic!("a field's name must be a string") };
    (field, evaluate(operand.get("input").unwrap(), document))
}

/// What the stages of a pipeline make of a document.
pub(crate) fn pipeline(stages: &[Bson], document: &Document) -> Document {
    stages.iter().fold(document.clone(), |document, stage| {
        let (name, operand) = stage.as_document().unwrap().iter().next().unwrap();
        match name.as_str() {
            "$replaceWith" => match evaluate(operand, &document) {
                Some(Bson::Document(new)) => new,
                other => panic!("$replaceWith made {other:?}"),
            },
            "$set" => {
                let values: Vec<(String, Option<Bson>)> = operand
                    .as_document()
                    .unwrap()
                    .iter()
                    .map(|(path, expression)| (path.clone(), evaluate(expression, &document)))
                    .collect();
                values.into_iter().fold(document, |mut document, (path, value)| {
                    set(&mut document, &path, value);
                    document
                })
            }
            other => panic!("unknown stage {other}"),
        }
    })
}

/// `$set` of a pipeline: it makes what is missing on the way, and sets the field in each item of an array.
fn set(document: &mut Document, path: &str, value: Option<Bson>) {
    let Some((name, rest)) = path.split_once('.') else {
        match value {
            Some(value) => document.insert(path, value),
            None => document.remove(path),
        };
        return;
    };
    if !document.contains_key(name) {
        document.insert(name, Document::new());
    }
    match document.get_mut(name) {
        Some(Bson::Document(inner)) => set(inner, rest, value),
        Some(Bson::Array(items)) => {
            for item in items {
                if let Bson::Document(inner) = item {
                    set(inner, rest, value.clone());
                }
            }
        }
        Some(other) => {
            let mut inner = Document::new();
            set(&mut inner, rest, value);
            *other = Bson::Document(inner);
        }
        None => {}
    }
}
