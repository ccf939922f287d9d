//! Looking up a field, in each format.

use boson_document::{ByteSource, Limits, PathBuf, Scalar, Value};
use boson_json::Text;

use super::document::Wanted;
use super::stop::{Stop, find_in_text};
use super::stored::FileBlocks;
use crate::contenders::{self, Contender};
use crate::error::BenchError;

/// A format in which a document lies in blocks.
pub(super) trait Format {
    /// What is known before the clock runs.
    type Query;

    fn name(&self) -> &'static str;

    fn encode(&self, document: &Value) -> Result<Vec<u8>, BenchError>;

    /// Prepares looking for `wanted` in the document that `bytes` are.
    fn query(&self, bytes: &[u8], wanted: &Wanted) -> Result<Self::Query, BenchError>;

    /// The int64 that is looked for; `None` when there is none.
    fn find(&self, blocks: &FileBlocks<'_>, query: &Self::Query) -> Result<Option<i64>, BenchError>;
}

/// Hopping over elements by their lengths.
pub(super) struct Bson;

impl Format for Bson {
    type Query = PathBuf;

    fn name(&self) -> &'static str {
        "BSON"
    }

    fn encode(&self, document: &Value) -> Result<Vec<u8>, BenchError> {
        contenders::Bson::default().encode(document)
    }

    fn query(&self, _: &[u8], wanted: &Wanted) -> Result<PathBuf, BenchError> {
        Ok(wanted.path.clone())
    }

    fn find(&self, blocks: &FileBlocks<'_>, path: &PathBuf) -> Result<Option<i64>, BenchError> {
        let found = boson_bson::BlockDocument::new(blocks)?.get_path(path)?;
        found.map(|value| int64(value.fetch()?.scalar()?)).transpose()
    }
}

/// Through the dictionary and the sorted field ids of objects.
pub(super) struct Oson;

impl Format for Oson {
    type Query = PathBuf;

    fn name(&self) -> &'static str {
        "OSON"
    }

    fn encode(&self, document: &Value) -> Result<Vec<u8>, BenchError> {
        contenders::Oson::new(boson_oson::write::Style::Compact).encode(document)
    }

    fn query(&self, _: &[u8], wanted: &Wanted) -> Result<PathBuf, BenchError> {
        Ok(wanted.path.clone())
    }

    fn find(&self, blocks: &FileBlocks<'_>, path: &PathBuf) -> Result<Option<i64>, BenchError> {
        let Some(node) = boson_oson::Image::open(blocks)?.get_path(path)? else { return Ok(None) };
        let held = node.held()?.ok_or_else(|| BenchError::Missing("leaf".to_owned()))?;
        int64(held.scalar()?).map(Some)
    }
}

/// Reading the text from its beginning, until the field is found.
pub(super) struct Json;

/// What is looked for in a text, and how much of that has to be read.
pub(super) struct JsonQuery {
    path: PathBuf,
    upto: usize,
}

impl Format for Json {
    type Query = JsonQuery;

    fn name(&self) -> &'static str {
        "JSON"
    }

    fn encode(&self, document: &Value) -> Result<Vec<u8>, BenchError> {
        contenders::Json::default().encode(document)
    }

    /// A reader that goes on block by block stops where the value has ended, which is looked up here.
    fn query(&self, bytes: &[u8], wanted: &Wanted) -> Result<JsonQuery, BenchError> {
        let found = find_in_text(Text::new(bytes).with_limits(unlimited()), &wanted.path)?;
        // A number ends where something else begins.
        let upto = found.map_or(bytes.len(), |found| found.end.saturating_add(1).min(bytes.len()));
        Ok(JsonQuery { path: wanted.path.clone(), upto })
    }

    fn find(&self, blocks: &FileBlocks<'_>, query: &JsonQuery) -> Result<Option<i64>, BenchError> {
        let bytes = blocks.bytes(0..query.upto)?;
        let found: Option<Stop> = find_in_text(Text::new(&bytes).with_limits(unlimited()), &query.path)?;
        found.map(|found| found.value.ok_or_else(not_an_int64)).transpose()
    }
}

fn unlimited() -> Limits {
    Limits::JSON.with_bytes(usize::MAX)
}

/// The number that a field holds, in the type that its format has for it.
fn int64(scalar: Scalar<'_>) -> Result<i64, BenchError> {
    match scalar {
        Scalar::Int64(value) => Ok(value),
        Scalar::Number(number) => number.to_i64().ok_or_else(not_an_int64),
        _ => Err(not_an_int64()),
    }
}

fn not_an_int64() -> BenchError {
    BenchError::Missing("int64 where it was looked for".to_owned())
}
