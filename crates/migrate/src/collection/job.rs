//! What is to be done with a collection.

use boson_bson::Tag;
use boson_profile::{Path, Step};

use super::guard::is_dotted;
use super::hazard::{open_live_hazards, refusal};
use super::port::Description;
use super::raw::{RawValue, array, int, object};
use crate::chunk::hash;
use crate::plan::{CollectionPlan, From, Misfits, Plan};
use crate::run::RunError;
use crate::tree::Rules;

/// A run of a plan on a collection.
#[derive(Debug)]
pub struct CollectionJob {
    /// `database.collection`.
    pub namespace: String,
    /// What the plan says.
    pub plan: CollectionPlan,
    /// What is done.
    pub rules: Rules,
    /// What the server said of the collection.
    pub description: Description,
    pub(crate) plan_hash: u64,
}

impl CollectionJob {
    /// The run of `plan`, whose text is `text`, on the collection called `namespace`. What the plan says of that name counts,
    /// or, where it was made of a file of documents, what it says of that.
    ///
    /// # Errors
    ///
    /// What in the plan cannot be done; a collection that is not converted in place; a hazard without an answer.
    pub fn new(plan: &Plan, text: &str, namespace: &str, description: Description) -> Result<Self, RunError> {
        let own = plan.collection(namespace).or_else(|| plan.collection("")).cloned();
        let mut own = own.ok_or_else(|| RunError::Refused(format!("the plan says nothing of {namespace}")))?;
        if let Some(why) = refusal(&description) {
            return Err(RunError::Refused(format!("{namespace}: {why}")));
        }
        if !description.shard_key.is_empty() {
            own.shard_key.clone_from(&description.shard_key);
        }
        let rules = Rules::new(&own)?;
        let job =
            Self { namespace: namespace.to_owned(), plan: own, rules, description, plan_hash: hash(text.as_bytes()) };
        job.refuse_open_hazards()?;
        Ok(job)
    }

    fn refuse_open_hazards(&self) -> Result<(), RunError> {
        let open = open_live_hazards(&self.plan, &self.namespace, &self.description);
        let Some(first) = open.first() else { return Ok(()) };
        let more = if open.len() > 1 { format!(" (and {} more)", open.len() - 1) } else { String::new() };
        let what = format!("{}{more}: {}", first.kind, first.what);
        Err(RunError::Refused(format!("{}: {} {what}", self.namespace, first.path)))
    }

    /// Whether the run stops at an update that the server refuses, for one of the fields whose names these are.
    pub(crate) fn stops_at(&self, mut concerns: impl FnMut(&Path) -> bool) -> bool {
        let mut fields = self.plan.converted().filter(|field| field.misfits == Misfits::Fail);
        fields.any(|field| field.path.parse::<Path>().is_ok_and(|path| concerns(&path)))
    }

    /// A filter, as the operand of `$or`, that finds at least all documents in which a value is of a type that is converted;
    /// `None` where no filter says that: keys that are data, arrays within arrays, names with dots.
    pub(crate) fn left(&self) -> Option<RawValue> {
        let conditions: Option<Vec<RawValue>> = self
            .plan
            .converted()
            .map(|field| {
                let path: Path = field.path.parse().ok()?;
                Some(object(&[(&dotted(&path)?, object(&[("$type", types(field.from))]))]))
            })
            .collect();
        Some(array(&conditions?))
    }
}

fn dotted(path: &Path) -> Option<String> {
    let mut names: Vec<String> = Vec::new();
    let mut in_array = false;
    for step in path.steps() {
        match step {
            Step::Field(name) => names.push(name.clone()),
            Step::Elements if !in_array => {}
            _ => return None,
        }
        in_array = *step == Step::Elements;
    }
    is_dotted(&names).then(|| names.join("."))
}

fn types(from: From) -> RawValue {
    let tags: &[Tag] = match from {
        From::String => &[Tag::String],
        From::Object => &[Tag::Document],
        From::Double => &[Tag::Double],
        From::Int64 => &[Tag::Int64],
        From::Number => &[Tag::Double, Tag::Int32, Tag::Int64],
    };
    array(&tags.iter().map(|tag| int(i32::from(tag.byte()))).collect::<Vec<_>>())
}
