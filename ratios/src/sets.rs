//! The sets of documents, in every form that is measured.

use anyhow::{Context, Result, ensure};
use boson_bench::contenders::{Bson, Contender, Json, Oson};
use boson_bench::{Dataset, Matrix};
use boson_document::Value;
use boson_oson::write::Style;

/// The seed of every set.
const SEED: u64 = 1;

/// A set of documents.
pub struct Set {
    /// The set's name and size.
    pub name: String,
    /// Whether the goals on structured documents are for it.
    pub is_structured: bool,
    /// One operation goes through all of them.
    pub documents: Vec<Document>,
}

/// A document in every form.
pub struct Document {
    /// As a tree.
    pub tree: Value,
    /// As BSON.
    pub bson: Vec<u8>,
    /// As OSON, compact.
    pub oson: Vec<u8>,
    /// As plain JSON text.
    pub json: Vec<u8>,
    /// As a tree of the `bson` crate.
    pub official: bson::Document,
    /// The names that lead to a leaf in the middle.
    pub middle: Vec<String>,
}

/// The sets that are measured.
const SETS: [(Dataset, usize, bool); 9] = [
    (Dataset::People, 1000, true),
    (Dataset::People, 10_000, true),
    (Dataset::TelemetryStrings, 1000, true),
    (Dataset::TelemetryTyped, 1000, true),
    (Dataset::Flat, 1, true),
    (Dataset::Deep, 1, true),
    (Dataset::Tweets, 100, true),
    (Dataset::Catalog, 1000, true),
    (Dataset::Matrix(Matrix::new(100, 1000)), 1, false),
];

/// How many sets there are.
pub const COUNT: u64 = SETS.len() as u64;

/// Makes every set, one after the other.
pub fn sets() -> impl Iterator<Item = Result<Set>> {
    SETS.into_iter().map(|(set, count, is_structured)| Set::new(set, count, is_structured))
}

/// The set that stands for a collection of badly typed documents.
///
/// # Errors
///
/// As [`sets`] has them.
pub fn collection() -> Result<Set> {
    Set::new(Dataset::TelemetryStrings, 10_000, true)
}

impl Set {
    fn new(set: Dataset, count: usize, is_structured: bool) -> Result<Self> {
        let documents = set.documents(SEED, count).map(Document::new).collect::<Result<_>>()?;
        Ok(Self { name: format!("{set} {count}"), is_structured, documents })
    }

    /// Runs `operation` on each document.
    pub fn each(&self, mut operation: impl FnMut(&Document) -> Result<()>) -> Result<()> {
        self.documents.iter().try_for_each(&mut operation)
    }
}

impl Document {
    /// `tree` in every form.
    pub fn new(tree: Value) -> Result<Self> {
        let bson = Bson::default().encode(&tree)?;
        let (oson, json) = (Oson::new(Style::Compact).encode(&tree)?, Json::default().encode(&tree)?);
        let official = bson::Document::from_reader(bson.as_slice())?;
        ensure!(official.to_vec()? == bson, "the bson crate writes other bytes than Boson");
        let middle = middle(&tree).context("no leaf in the middle")?;
        Ok(Self { tree, bson, oson, json, official, middle })
    }
}

/// The names that lead from object to object, each time by the middle member or the next one that is no array.
fn middle(tree: &Value) -> Option<Vec<String>> {
    let mut names = Vec::new();
    let mut value = tree;
    while let Value::Object(members) = value {
        let from_middle = members.iter().cycle().skip(members.len() / 2).take(members.len());
        let (name, member) = from_middle.into_iter().find(|(_, member)| !matches!(member, Value::Array(_)))?;
        names.push(name.clone());
        value = member;
    }
    Some(names)
}
