//! The plan: what is converted, how, and what somebody who knows the data has answered. A file that people read and edit.

mod draft;
mod text;

use boson_profile::Case;
use serde::Deserialize;

pub use draft::{Drafted, draft};
pub use text::write;

/// The version of the form of plans.
pub const PLAN_VERSION: u32 = 1;

/// A plan.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// The version of its form.
    pub version: u32,
    /// What it was made from.
    pub source: SourceNote,
    /// Its collections; those that are not named are copied as they are.
    #[serde(default, rename = "collection")]
    pub collections: Vec<CollectionPlan>,
}

/// What a plan was made from.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct SourceNote {
    /// The names of the files or folders.
    pub name: String,
    /// How many documents were looked at.
    pub documents: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Whether there are more that were not looked at.
    #[serde(default)]
    pub sample: bool,
}

/// What becomes of a collection.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct CollectionPlan {
    /// `database.collection`; empty for a file of documents.
    #[serde(default)]
    pub name: String,
    /// How many documents it had.
    #[serde(default)]
    pub documents: u64,
    /// Why it is copied as it is, if it is.
    #[serde(default)]
    pub skip: Option<String>,
    /// The paths of the shard key, which a dump does not say.
    #[serde(default)]
    pub shard_key: Vec<String>,
    /// What to do with documents that are damaged.
    #[serde(default)]
    pub damaged: Damaged,
    /// What can go wrong.
    #[serde(default, rename = "hazard")]
    pub hazards: Vec<HazardNote>,
    /// The fields.
    #[serde(default, rename = "field")]
    pub fields: Vec<FieldPlan>,
}

/// What to do with documents that are damaged.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Damaged {
    /// Stop.
    #[default]
    Fail,
    /// Copy them as they are.
    Keep,
}

/// A hazard, and what was answered.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct HazardNote {
    /// What kind it is: `ttl`, `unique`, …
    pub kind: String,
    /// The field it is about.
    #[serde(default)]
    pub path: String,
    /// The index it is about.
    #[serde(default)]
    pub index: String,
    /// What can go wrong.
    #[serde(default)]
    pub what: String,
    /// What may be answered; none where nothing is asked.
    #[serde(default)]
    pub answers: Vec<String>,
    /// What was answered.
    #[serde(default)]
    pub answer: String,
}

/// What becomes of the values of one path.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct FieldPlan {
    /// The path, `$.list[].price`.
    pub path: String,
    /// Whether anything is done.
    #[serde(default = "yes")]
    pub convert: bool,
    /// What the values are stored as.
    #[serde(default)]
    pub from: From,
    /// What they become.
    pub to: To,
    /// The subtype, where they become binary.
    #[serde(default)]
    pub subtype: Option<u8>,
    /// How the values are written.
    #[serde(default)]
    pub spelling: Option<String>,
    /// In which case hexadecimal digits are written.
    #[serde(default)]
    pub case: Option<Case>,
    /// The words for true and for false.
    #[serde(default)]
    pub words: Option<[String; 2]>,
    /// How many digits stand behind the point.
    #[serde(default)]
    pub scale: Option<u8>,
    /// What stands around the number, with `_` in its place.
    #[serde(default)]
    pub affix: Option<String>,
    /// The distance from UTC that the texts name, `+05:45`.
    #[serde(default)]
    pub offset: Option<String>,
    /// The zone of dates that name none: `UTC`, `+02:00` or `Europe/Berlin`.
    #[serde(default)]
    pub zone: Option<String>,
    /// What to do with values that do not fit.
    #[serde(default)]
    pub misfits: Misfits,
    /// What to do with values that would lose something.
    #[serde(default)]
    pub lossy: Lossy,
    /// The field beside it that keeps what would be lost.
    #[serde(default)]
    pub companion: Option<String>,
    /// What to do with empty strings and words for nothing.
    #[serde(default)]
    pub nothing: Nothing,
    /// On what it rests; not read.
    #[serde(default)]
    pub evidence: toml::Table,
}

const fn yes() -> bool {
    true
}

/// What values are stored as.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq, Hash)]
#[serde(rename_all = "kebab-case")]
pub enum From {
    /// Strings.
    #[default]
    String,
    /// Int32, Int64 or Double.
    Number,
    /// Double.
    Double,
    /// Int64.
    Int64,
    /// Objects.
    Object,
}

impl From {
    /// The word in plans.
    pub const fn name(self) -> &'static str {
        match self {
            Self::String => "string",
            Self::Number => "number",
            Self::Double => "double",
            Self::Int64 => "int64",
            Self::Object => "object",
        }
    }
}

/// What values become.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Hash)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "named after the types of BSON")]
pub enum To {
    Uuid,
    ObjectId,
    Date,
    Int32,
    Int64,
    Double,
    Decimal128,
    Bool,
    Null,
    Binary,
    /// An object or an array.
    Document,
}

impl To {
    /// The word in plans.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Uuid => "uuid",
            Self::ObjectId => "object-id",
            Self::Date => "date",
            Self::Int32 => "int32",
            Self::Int64 => "int64",
            Self::Double => "double",
            Self::Decimal128 => "decimal128",
            Self::Bool => "bool",
            Self::Null => "null",
            Self::Binary => "binary",
            Self::Document => "document",
        }
    }

    /// The type's alias in `$type` and in `bsonType`.
    pub const fn alias(self) -> &'static str {
        match self {
            Self::Uuid | Self::Binary => "binData",
            Self::ObjectId => "objectId",
            Self::Date => "date",
            Self::Int32 => "int",
            Self::Int64 => "long",
            Self::Double => "double",
            Self::Decimal128 => "decimal",
            Self::Bool => "bool",
            Self::Null => "null",
            Self::Document => "object",
        }
    }
}

/// What to do with values that do not fit.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Misfits {
    /// They stay as they are.
    #[default]
    Keep,
    /// They become null.
    Null,
    /// The first one stops the run.
    Fail,
    /// The document is put aside, whole and unchanged.
    Quarantine,
}

/// What to do with values that would lose something.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Lossy {
    /// They stay as they are.
    #[default]
    Keep,
    /// They are converted nevertheless.
    Accept,
    /// They are converted, and a field beside them keeps what would be lost.
    Companion,
}

/// What to do with empty strings and words for nothing.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Nothing {
    /// They are values that do not fit, like others.
    #[default]
    Misfit,
    /// They become null.
    Null,
}

/// A plan that cannot be run as it is.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// The file is no plan.
    #[error("not a plan: {0}")]
    Syntax(String),
    /// The plan is of another version.
    #[error("a plan of version {0}, expected version {PLAN_VERSION}")]
    Version(u32),
    /// A field cannot be converted as the plan says.
    #[error("{collection}{path}: {what}")]
    Field {
        /// The collection and a colon, empty for a file of documents.
        collection: String,
        /// The path.
        path: String,
        /// What is wrong, and what to do.
        what: String,
    },
}

impl Plan {
    /// Reads a plan.
    ///
    /// # Errors
    ///
    /// `Syntax`, with line and column; `Version`.
    pub fn parse(text: &str) -> Result<Self, PlanError> {
        let plan: Self = toml::from_str(text).map_err(|error| PlanError::Syntax(error.to_string()))?;
        if plan.version == PLAN_VERSION { Ok(plan) } else { Err(PlanError::Version(plan.version)) }
    }

    /// What the plan says of the collection called `name`.
    pub fn collection(&self, name: &str) -> Option<&CollectionPlan> {
        self.collections.iter().find(|collection| collection.name == name)
    }
}

impl CollectionPlan {
    /// The error of one field.
    #[cold]
    pub(crate) fn error(&self, path: &str, what: impl Into<String>) -> PlanError {
        let collection = if self.name.is_empty() { String::new() } else { format!("{}: ", self.name) };
        PlanError::Field { collection, path: path.to_owned(), what: what.into() }
    }

    /// The fields that are converted.
    pub fn converted(&self) -> impl Iterator<Item = &FieldPlan> {
        let runs = self.skip.is_none();
        self.fields.iter().filter(move |field| field.convert && runs)
    }
}
