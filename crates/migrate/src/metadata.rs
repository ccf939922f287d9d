//! A collection's indexes and validator, brought in line with what the plan answers.

use boson_document::{Builder, Source, Value};
use boson_json::{Resolve, Style, Text, Writer};
use boson_profile::{Path, Step};
use boson_store::Metadata;

use crate::hazard::{answer, hazards};
use crate::plan::{CollectionPlan, To};

/// The metadata as it is to be; `None` when it is to stay as it is.
pub(crate) fn adjusted(metadata: &Metadata, plan: &CollectionPlan) -> Option<Vec<u8>> {
    // As plain JSON: what is not changed keeps its wrappers.
    let mut sink = Resolve::new(Builder::new());
    Text::new(metadata.raw()).drive(&mut sink).ok()?;
    let mut value = sink.into_inner().finish()?;
    let mut changed = false;
    for hazard in hazards(plan, Some(metadata)) {
        let given = answer(plan, &hazard.kind, &hazard.path, &hazard.index).unwrap_or_default();
        changed |= match (hazard.kind.as_str(), given) {
            ("ttl" | "unique", "drop-index") => drop_index(&mut value, &hazard.index),
            ("ttl", "drop-ttl") => edit_index(&mut value, &hazard.index, "expireAfterSeconds"),
            ("validator", "drop") => option_mut(&mut value).is_some_and(|options| remove(options, "validator")),
            ("validator", "adjust") => {
                let path = hazard.path.parse::<Path>().ok();
                let to = plan.converted().find(|field| field.path == hazard.path).map(|field| field.to);
                path.zip(to).is_some_and(|(path, to)| adjust_validator(&mut value, &path, to))
            }
            _ => false,
        };
    }
    if !changed {
        return None;
    }
    let mut writer = Writer::new(Vec::new(), Style::Plain);
    value.drive(&mut writer).ok()?;
    Some(writer.into_inner())
}

fn member_mut<'a>(value: &'a mut Value, name: &str) -> Option<&'a mut Value> {
    let Value::Object(members) = value else { return None };
    members.iter_mut().find(|(key, _)| key == name).map(|(_, value)| value)
}

fn remove(value: &mut Value, name: &str) -> bool {
    let Value::Object(members) = value else { return false };
    let len = members.len();
    members.retain(|(key, _)| key != name);
    members.len() < len
}

fn option_mut(value: &mut Value) -> Option<&mut Value> {
    member_mut(value, "options")
}

fn is_named(index: &Value, name: &str) -> bool {
    matches!(index.get("name"), Some(Value::String(own)) if own == name)
}

fn drop_index(value: &mut Value, name: &str) -> bool {
    let Some(Value::Array(indexes)) = member_mut(value, "indexes") else { return false };
    let len = indexes.len();
    indexes.retain(|index| !is_named(index, name));
    indexes.len() < len
}

fn edit_index(value: &mut Value, name: &str, option: &str) -> bool {
    let Some(Value::Array(indexes)) = member_mut(value, "indexes") else { return false };
    indexes.iter_mut().filter(|index| is_named(index, name)).any(|index| remove(index, option))
}

/// Whether `validator` stands in the way of values of type `to` at `path`, and whether that can be adjusted; `None` when it
/// does not mention the path.
pub(crate) fn schema_verdict(validator: &Value, path: &Path, to: To) -> Option<bool> {
    let by_schema = validator.get("$jsonSchema").and_then(|schema| property(schema, path.steps()));
    let elsewhere = mentions(validator, path);
    match by_schema {
        Some(schema) => {
            let types = schema.get("bsonType").or_else(|| schema.get("type"));
            let allowed = types.is_none_or(|types| allows(types, to));
            let is_listed = schema.get("enum").is_some();
            if allowed && !is_listed { elsewhere.then_some(false) } else { Some(!is_listed && !elsewhere) }
        }
        None => elsewhere.then_some(false),
    }
}

/// The schema of the values at the end of `steps`.
fn property<'a>(schema: &'a Value, steps: &[Step]) -> Option<&'a Value> {
    steps.iter().try_fold(schema, |schema, step| match step {
        Step::Field(name) => schema.get("properties")?.get(name),
        Step::Elements => schema.get("items"),
        Step::Any => schema.get("additionalProperties"),
    })
}

fn allows(types: &Value, to: To) -> bool {
    let is = |value: &Value| matches!(value, Value::String(name) if name == to.alias() || (name == "number" && is_number(to)));
    match types {
        Value::Array(types) => types.iter().any(is),
        one => is(one),
    }
}

const fn is_number(to: To) -> bool {
    matches!(to, To::Int32 | To::Int64 | To::Double | To::Decimal128)
}

/// Whether a validator speaks of the path outside of its schema, as a query does.
fn mentions(validator: &Value, path: &Path) -> bool {
    let wanted = crate::hazard::dotted(path);
    let mut open = vec![validator];
    while let Some(value) = open.pop() {
        match value {
            Value::Object(members) => {
                if members.iter().any(|(key, _)| *key == wanted) {
                    return true;
                }
                open.extend(members.iter().filter(|(key, _)| key != "$jsonSchema").map(|(_, value)| value));
            }
            Value::Array(items) => open.extend(items),
            Value::String(text) if text.strip_prefix('$').is_some_and(|text| text == wanted) => return true,
            _ => {}
        }
    }
    false
}

fn adjust_validator(value: &mut Value, path: &Path, to: To) -> bool {
    let schema = option_mut(value).and_then(|options| member_mut(options, "validator"));
    let mut schema = schema.and_then(|validator| member_mut(validator, "$jsonSchema"));
    for step in path.steps() {
        schema = schema.and_then(|schema| match step {
            Step::Field(name) => member_mut(schema, "properties").and_then(|schema| member_mut(schema, name)),
            Step::Elements => member_mut(schema, "items"),
            Step::Any => member_mut(schema, "additionalProperties"),
        });
    }
    let Some(Value::Object(members)) = schema else { return false };
    let types = members.iter_mut().find(|(key, _)| key == "bsonType" || key == "type");
    let Some((key, types)) = types else { return false };
    let mut all = match std::mem::replace(types, Value::Null) {
        Value::Array(types) => types,
        one => vec![one],
    };
    all.push(Value::String(to.alias().to_owned()));
    *types = Value::Array(all);
    // `type` knows only JSON's types; `bsonType` knows those and BSON's.
    "bsonType".clone_into(key);
    true
}

/// Whether the plan takes the index called `name` away.
pub(crate) fn is_dropped(plan: &CollectionPlan, name: &str) -> bool {
    plan.hazards.iter().any(|hazard| hazard.index == name && hazard.answer == "drop-index")
}
