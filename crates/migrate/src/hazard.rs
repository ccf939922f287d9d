//! What can go wrong when fields change their types, and what may be answered.

use boson_document::Value;
use boson_profile::{Path, Step};
use boson_store::{IndexSpec, Metadata};

use crate::metadata::schema_verdict;
use crate::plan::{CollectionPlan, FieldPlan, HazardNote, To};

/// The hazards of the fields that `plan` converts, for a collection with `metadata`: a function of both, so that taking a
/// hazard out of a plan does not make it go away.
pub fn hazards(plan: &CollectionPlan, metadata: Option<&Metadata>) -> Vec<HazardNote> {
    let mut found = Vec::new();
    for field in plan.converted() {
        let Ok(path) = field.path.parse::<Path>() else { continue };
        shard_key(plan, field, &path, &mut found);
        if let Some(metadata) = metadata {
            for index in metadata.indexes() {
                of_index(field, &path, index, &mut found);
            }
            found.extend(validator(field, &path, metadata));
        }
    }
    if metadata.is_some_and(Metadata::is_capped) && plan.converted().next().is_some() {
        found.push(note(
            "capped",
            "",
            "",
            "a capped collection is filled anew up to its size when it is restored: documents that became \
             larger push out the oldest",
            &["restore"],
        ));
    }
    found
}

/// The hazards that stop `plan`: those without an answer.
pub fn open_hazards(plan: &CollectionPlan, metadata: Option<&Metadata>) -> Vec<HazardNote> {
    open_of(plan, &hazards(plan, metadata))
}

/// Those of `computed` and of the plan's own that have no answer.
pub(crate) fn open_of(plan: &CollectionPlan, computed: &[HazardNote]) -> Vec<HazardNote> {
    let is_answered = |hazard: &HazardNote| {
        let same =
            |noted: &&HazardNote| noted.kind == hazard.kind && noted.path == hazard.path && noted.index == hazard.index;
        let answer = plan.hazards.iter().find(same).map_or("", |noted| noted.answer.as_str());
        hazard.answers.is_empty() || hazard.answers.iter().any(|known| known == answer)
    };
    let noted = plan.hazards.iter().filter(|noted| {
        !computed
            .iter()
            .any(|hazard| hazard.kind == noted.kind && hazard.path == noted.path && hazard.index == noted.index)
    });
    let open = computed.iter().chain(noted).filter(|hazard| !is_answered(hazard));
    if plan.converted().next().is_none() { Vec::new() } else { open.cloned().collect() }
}

/// What was answered to the hazard of this kind about this index or path.
pub(crate) fn answer<'a>(plan: &'a CollectionPlan, kind: &str, path: &str, index: &str) -> Option<&'a str> {
    let found = plan.hazards.iter().find(|hazard| hazard.kind == kind && hazard.path == path && hazard.index == index);
    found.map(|hazard| hazard.answer.as_str())
}

pub(crate) fn note(kind: &str, path: &str, index: &str, what: impl Into<String>, answers: &[&str]) -> HazardNote {
    HazardNote {
        kind: kind.to_owned(),
        path: path.to_owned(),
        index: index.to_owned(),
        what: what.into(),
        answers: answers.iter().map(|&answer| answer.to_owned()).collect(),
        answer: String::new(),
    }
}

/// The path as indexes have it: names with dots between; arrays do not show.
pub(crate) fn dotted(path: &Path) -> String {
    let names = path.steps().iter().filter_map(|step| match step {
        Step::Field(name) => Some(name.as_str()),
        Step::Any => Some("*"),
        Step::Elements => None,
    });
    names.collect::<Vec<_>>().join(".")
}

/// Whether an index on `key` holds values at `path`.
pub(crate) fn covers(key: &str, path: &str) -> bool {
    key == path || path.strip_prefix(key).is_some_and(|rest| rest.starts_with('.'))
}

fn shard_key(plan: &CollectionPlan, field: &FieldPlan, path: &Path, found: &mut Vec<HazardNote>) {
    let own = dotted(path);
    let in_key = plan.shard_key.iter().any(|key| key.parse::<Path>().is_ok_and(|key| covers(&dotted(&key), &own)));
    if in_key {
        found.push(note(
            "shard-key",
            &field.path,
            "",
            "the field is in the shard key: chunk ranges and zones are about the old values, and a hashed key \
             of another type lies elsewhere. Restore into a collection that is sharded anew",
            &["reshard"],
        ));
    }
}

fn of_index(field: &FieldPlan, path: &Path, index: &IndexSpec, found: &mut Vec<HazardNote>) {
    let own = dotted(path);
    let covered = index.keys.iter().any(|(key, _)| covers(key, &own));
    if !covered {
        return;
    }
    if let Some(seconds) = index.expire_after_seconds
        && field.to == To::Date
        && index.keys.len() == 1
    {
        let what = format!(
            "the index {} deletes documents {seconds} seconds after the date in this field. Strings it does not look at; once \
             they are dates, it deletes all that are older, within a minute of the restore",
            index.name
        );
        found.push(note("ttl", &field.path, &index.name, what, &["drop-index", "drop-ttl", "let-them-expire"]));
    }
    if index.is_unique {
        let what = format!(
            "the index {} is unique, and different texts may be one value (\"1\", \"01\"). Before anything is written all \
             documents are looked at; a collision stops the run",
            index.name
        );
        found.push(note("unique", &field.path, &index.name, what, &[]));
    }
    let kind = index.keys.iter().find(|(key, _)| covers(key, &own)).map(|(_, kind)| kind);
    if let Some(Value::String(kind)) = kind
        && kind == "text"
    {
        let what = format!("the text index {} finds words in strings; what is none is no longer found", index.name);
        found.push(note("text-index", &field.path, &index.name, what, &[]));
    }
}

fn validator(field: &FieldPlan, path: &Path, metadata: &Metadata) -> Option<HazardNote> {
    let validator = metadata.validator()?;
    let (what, answers): (_, &[&str]) = if schema_verdict(validator, path, field.to)? {
        ("the collection's validator refuses the new type: a restore fails", &["adjust", "drop", "keep"])
    } else {
        let what =
            "the collection's validator mentions the field in a way that is not adjusted by itself: a restore may fail";
        (what, &["drop", "keep"])
    };
    Some(note("validator", &field.path, "", what, answers))
}
