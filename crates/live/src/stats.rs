//! A collection's figures, as far as the server has any.

use boson_document::Value;
use mongodb::bson::rawdoc;

use crate::collection::Collection;
use crate::error::LiveError;
use crate::read::{Documents, ReadSettings};
use crate::server::{value, whole};

/// A figure that the server gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Figure {
    /// So much.
    Is(u64),
    /// None, or one that cannot be true, and why.
    Not(&'static str),
}

/// What a server says that a collection takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stats {
    /// How many documents.
    pub count: Figure,
    /// Their bytes.
    pub size_bytes: Figure,
    /// Bytes of the file of the documents.
    pub storage_bytes: Figure,
    /// Bytes of the files of all indexes.
    pub index_bytes: Figure,
    /// Bytes of each index, by name.
    pub indexes: Vec<(String, Figure)>,
}

const NONE: &str = "the server does not say";
const ZERO: &str = "the server says 0, which cannot be";
const AS_LARGE: &str = "the server gives the documents' bytes instead, so it measures no file";
const OTHERS: &str = "the server measures no files";

impl Figure {
    /// The figure.
    pub const fn known(&self) -> Option<u64> {
        match self {
            Self::Is(number) => Some(*number),
            Self::Not(_) => None,
        }
    }
}

/// Asks by the stage `$collStats`, and by the command where that gives nothing.
pub(crate) fn stats(collection: &Collection) -> Result<Stats, LiveError> {
    let by_stage = by_stage(collection);
    if let Ok(parts) = &by_stage
        && parts.iter().any(|part| number(part, "size").is_some_and(|size| size > 0))
    {
        return Ok(of(parts));
    }
    let name = collection.namespace().collection.as_str();
    match collection.server().command(&collection.namespace().database, rawdoc! { "collStats": name }) {
        Ok(answer) => Ok(of(&[answer])),
        // Views, and servers without either, have no figures.
        Err(error) if error.is_transient() => Err(error),
        Err(_) => Ok(of(&by_stage.unwrap_or_default())),
    }
}

/// The figures of each shard.
fn by_stage(collection: &Collection) -> Result<Vec<Value>, LiveError> {
    let namespace = collection.namespace();
    let command = rawdoc! {
        "aggregate": namespace.collection.as_str(),
        "pipeline": [{ "$collStats": { "storageStats": {} } }],
        "cursor": {},
    };
    let documents = Documents::of(collection.server(), &namespace.database, command, &ReadSettings::default())?;
    let stats = |bytes: &Vec<u8>| value(bytes)?.get("storageStats").cloned();
    Ok(documents.collect()?.iter().filter_map(stats).collect())
}

/// The figures of all `parts` together.
fn of(parts: &[Value]) -> Stats {
    let sum = |name: &str| parts.iter().filter_map(|part| number(part, name)).reduce(u64::saturating_add);
    let (count, size, storage) = (sum("count"), sum("size"), sum("storageSize"));
    let is_filled = size.is_some_and(|size| size > 0) || count.is_some_and(|count| count > 0);
    let figure = |number: Option<u64>| match number {
        Some(0) if is_filled => Figure::Not(ZERO),
        Some(number) => Figure::Is(number),
        None => Figure::Not(NONE),
    };
    // A file has pages and headers, and is compressed: it is never just as large as the documents.
    let measures_files = !(is_filled && storage == size);
    let file = |number: Option<u64>, why| match figure(number) {
        Figure::Is(_) if !measures_files => Figure::Not(why),
        figure => figure,
    };
    Stats {
        count: figure(count),
        size_bytes: figure(size),
        storage_bytes: file(storage, AS_LARGE),
        index_bytes: file(sum("totalIndexSize"), OTHERS),
        indexes: index_names(parts)
            .into_iter()
            .map(|name| (name.clone(), file(index_size(parts, &name), OTHERS)))
            .collect(),
    }
}

/// The names of the indexes, each once, in the order of the first part.
fn index_names(parts: &[Value]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for part in parts {
        if let Some(Value::Object(sizes)) = part.get("indexSizes") {
            for (name, _) in sizes {
                if !names.iter().any(|known| **known == **name) {
                    names.push(name.clone());
                }
            }
        }
    }
    names
}

fn index_size(parts: &[Value], name: &str) -> Option<u64> {
    let sizes = parts.iter().filter_map(|part| number(part.get("indexSizes")?, name));
    sizes.reduce(u64::saturating_add)
}

fn number(value: &Value, name: &str) -> Option<u64> {
    u64::try_from(whole(value.get(name)?)?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(size: i32, storage: i32, index: i32) -> Value {
        let sizes = Value::Object(vec![("_id_".into(), Value::Int32(index))]);
        let numbers = [("count", 10), ("size", size), ("storageSize", storage), ("totalIndexSize", index)];
        let numbers = numbers.map(|(name, number)| (name.into(), Value::Int32(number)));
        Value::Object(numbers.into_iter().chain([("indexSizes".into(), sizes)]).collect())
    }

    #[test]
    fn shards_are_added_up() {
        let stats = of(&[part(1000, 400, 100), part(2000, 500, 200)]);
        assert_eq!(stats.count, Figure::Is(20));
        assert_eq!(stats.size_bytes, Figure::Is(3000));
        assert_eq!(stats.storage_bytes, Figure::Is(900));
        assert_eq!(stats.indexes, [("_id_".to_owned(), Figure::Is(300))]);
    }

    #[test]
    fn figures_that_cannot_be_are_none() {
        let zeros = of(&[part(0, 0, 0)]);
        assert_eq!(zeros.size_bytes, Figure::Not(ZERO));
        assert_eq!(zeros.storage_bytes, Figure::Not(ZERO));
        let equal = of(&[part(1000, 1000, 100)]);
        assert_eq!(equal.size_bytes, Figure::Is(1000));
        assert_eq!(equal.storage_bytes, Figure::Not(AS_LARGE));
        assert_eq!(equal.indexes, [("_id_".to_owned(), Figure::Not(OTHERS))]);
        assert_eq!(of(&[]).count, Figure::Not(NONE));
    }
}
