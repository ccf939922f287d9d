//! What can go wrong when fields change their types under the eyes of a server, and what must be done before.
//!
//! A dump's hazards are met when it is restored; those of a collection at once. So nothing is put off: an index that would
//! delete must be gone, a validator must take the new type, before the first document is changed.

use boson_document::{Source, Value};
use boson_json::{Style, Writer};

use super::port::Description;
use crate::hazard::{hazards, note, open_of};
use crate::metadata::adjusted;
use crate::plan::{CollectionPlan, HazardNote};

/// Something that is to be done on the server before a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Preparation {
    /// What it is for.
    pub what: String,
    /// As a line for mongosh.
    pub mongosh: String,
    /// As a database command in Extended JSON.
    pub command: String,
}

/// Why the collection, as the server describes it, is not converted in place at all.
pub(crate) fn refusal(description: &Description) -> Option<String> {
    let metadata = &description.metadata;
    if metadata.is_view() {
        return Some("a view holds no documents: convert the collection that it shows".to_owned());
    }
    if metadata.is_time_series() {
        let what = "of a time-series collection only the metaField can be updated: copy it into a new collection with \
                    $out, its measurements converted on the way, or convert a dump";
        return Some(what.to_owned());
    }
    let resizes = description.version.is_some_and(|version| version >= [5, 0, 0]);
    if metadata.is_capped() && !resizes {
        let what = "a server before version 5 refuses updates in a capped collection that change the size of a document: \
                    convert a dump and restore it";
        return Some(what.to_owned());
    }
    None
}

/// The hazards of the fields that `plan` converts in a collection that is in use.
pub fn live_hazards(plan: &CollectionPlan, namespace: &str, description: &Description) -> Vec<HazardNote> {
    let mut plan = plan.clone();
    if !description.shard_key.is_empty() {
        plan.shard_key.clone_from(&description.shard_key);
    }
    let found = hazards(&plan, Some(&description.metadata));
    let steps = preparations(&plan, namespace, description);
    let step = |hazard: &HazardNote| {
        let found = steps.iter().find(|step| step.what == step_name(&hazard.kind, &hazard.index));
        found.map_or(String::new(), |step| format!(". First: {}", step.mongosh))
    };
    found.iter().map(|hazard| of_server(hazard, &step(hazard), description)).collect()
}

/// The hazards that stop a run in a collection that is in use.
pub fn open_live_hazards(plan: &CollectionPlan, namespace: &str, description: &Description) -> Vec<HazardNote> {
    let computed = live_hazards(plan, namespace, description);
    // What the plan answered for a dump is no answer here; what it noted and is no longer there is.
    let own = CollectionPlan {
        hazards: plan
            .hazards
            .iter()
            .filter(|noted| computed.iter().any(|hazard| is_same(hazard, noted)))
            .cloned()
            .collect(),
        ..plan.clone()
    };
    let mut open = open_of(&own, &computed);
    // There is no answer that would let it pass.
    open.extend(computed.into_iter().filter(|hazard| hazard.kind == "shard-key"));
    open
}

fn is_same(one: &HazardNote, other: &HazardNote) -> bool {
    one.kind == other.kind && one.path == other.path && one.index == other.index
}

/// A hazard of a dump as it is for a collection that is in use.
fn of_server(hazard: &HazardNote, step: &str, description: &Description) -> HazardNote {
    let (what, answers): (String, &[&str]) = match hazard.kind.as_str() {
        "ttl" => {
            let what = format!(
                "the index {} deletes documents by the date in this field. Strings it does not look at; once they are \
                 dates, the server deletes all that are older, within a minute{step}",
                hazard.index
            );
            (what, &["let-them-expire"])
        }
        "shard-key" => {
            let what = "the field is in the shard key: a new value can move the document to another shard, each in a \
                        transaction of its own, and a hashed key of another type lies elsewhere. Reshard on a key without \
                        it first (reshardCollection), or convert a dump";
            (what.to_owned(), &[])
        }
        "validator" if is_warning(description) => {
            let what = "the collection's validator does not take the new type; it only warns, so each update is logged \
                        by the server";
            (format!("{what}{step}"), &[])
        }
        "validator" => {
            let what = "the collection's validator refuses the new type: every update would fail";
            (format!("{what}{step}"), &["keep"])
        }
        "capped" => {
            let what = "in a capped collection documents that become larger push out the oldest";
            (what.to_owned(), &["in-place"])
        }
        _ => return hazard.clone(),
    };
    note(&hazard.kind, &hazard.path, &hazard.index, what, answers)
}

fn is_warning(description: &Description) -> bool {
    matches!(description.metadata.option("validationAction"), Some(Value::String(action)) if action == "warn")
}

fn step_name(kind: &str, index: &str) -> String {
    match kind {
        "ttl" => format!("the index {index} no longer deletes"),
        _ => "the validator takes old and new types".to_owned(),
    }
}

/// What is to be done before a run, as commands: indexes that delete stop doing so, the validator takes both types.
pub fn preparations(plan: &CollectionPlan, namespace: &str, description: &Description) -> Vec<Preparation> {
    let mut steps = Vec::new();
    for hazard in hazards(plan, Some(&description.metadata)) {
        let name = step_name(&hazard.kind, &hazard.index);
        if steps.iter().any(|step: &Preparation| step.what == name) {
            continue;
        }
        let member = match hazard.kind.as_str() {
            // An index keeps its documents for as long as can be said: 68 years.
            "ttl" => {
                let index = vec![
                    ("name".to_owned(), Value::String(hazard.index.clone())),
                    ("expireAfterSeconds".to_owned(), Value::Int32(i32::MAX)),
                ];
                Some(("index", Value::Object(index)))
            }
            "validator" if hazard.answers.iter().any(|answer| answer == "adjust") => {
                wider_validator(plan, description).map(|validator| ("validator", validator))
            }
            _ => None,
        };
        if let Some((member, value)) = member {
            steps.push(collection_command(name, namespace, member, value));
        }
    }
    steps
}

/// The validator with the new types beside the old.
fn wider_validator(plan: &CollectionPlan, description: &Description) -> Option<Value> {
    let mut answered = plan.clone();
    answered.hazards = hazards(plan, Some(&description.metadata))
        .into_iter()
        .filter(|hazard| hazard.kind == "validator")
        .map(|hazard| HazardNote { answer: "adjust".to_owned(), ..hazard })
        .collect();
    let metadata = boson_store::Metadata::parse(adjusted(&description.metadata, &answered)?).ok()?;
    metadata.validator().cloned()
}

fn collection_command(what: String, namespace: &str, member: &str, value: Value) -> Preparation {
    let (database, name) = namespace.split_once('.').unwrap_or(("", namespace));
    let command =
        Value::Object(vec![("collMod".to_owned(), Value::String(name.to_owned())), (member.to_owned(), value)]);
    let text = |style| {
        let mut writer = Writer::new(Vec::new(), style);
        let written = command.drive(&mut writer);
        written.map(|()| String::from_utf8_lossy(&writer.into_inner()).into_owned()).unwrap_or_default()
    };
    let database = serde_json::Value::from(database);
    let relaxed = text(Style::ExtendedRelaxed);
    Preparation {
        what,
        mongosh: format!("db.getSiblingDB({database}).runCommand(EJSON.parse({}))", serde_json::Value::from(relaxed)),
        command: text(Style::ExtendedCanonical),
    }
}
