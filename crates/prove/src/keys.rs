//! Which keys an index has of a document.

use boson_bson::{Document, Value};
use boson_document::{DecodeError, Kind};

use crate::keystring::KeyString;
use crate::wiredtiger::Index;

/// What an index is on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexSpec {
    /// Its name, for people.
    pub name: String,
    /// Paths of fields, dots between the names.
    pub fields: Vec<String>,
    /// Whether documents without any of the fields have no key.
    pub is_sparse: bool,
}

/// A model of one index of a collection, filled document by document.
#[derive(Debug)]
pub(crate) struct CollectionIndex {
    /// What it is on.
    pub(crate) spec: IndexSpec,
    is_of_ids: bool,
    paths: Vec<Vec<String>>,
    key: KeyString,
    index: Index,
}

impl IndexSpec {
    /// The index every collection has.
    pub fn of_ids() -> Self {
        Self { name: "_id_".to_owned(), fields: vec!["_id".to_owned()], is_sparse: false }
    }

    /// An index on fields, named as the server names it.
    pub fn on(fields: Vec<String>) -> Self {
        let name = fields.iter().map(|field| format!("{field}_1")).collect::<Vec<_>>().join("_");
        Self { name, fields, is_sparse: false }
    }
}

impl CollectionIndex {
    /// An empty index.
    pub(crate) fn new(spec: IndexSpec) -> Self {
        let paths = spec.fields.iter().map(|field| field.split('.').map(str::to_owned).collect()).collect();
        Self { is_of_ids: spec.fields == ["_id"], spec, paths, key: KeyString::default(), index: Index::default() }
    }

    /// Adds the keys of a document: one, or one for each element of an array on its way.
    pub(crate) fn add(&mut self, document: &Document<'_>, record_id: u64) -> Result<(), DecodeError> {
        let columns: Vec<_> = self.paths.iter().map(|path| values(document, path)).collect::<Result<_, _>>()?;
        if self.spec.is_sparse && columns.iter().flatten().all(Option::is_none) {
            return Ok(());
        }
        let keys = columns.iter().map(Vec::len).product();
        for number in 0..keys {
            self.put_together(&columns, number)?;
            self.insert(record_id);
        }
        Ok(())
    }

    /// The model of what it takes on disk.
    pub(crate) fn finish(self) -> crate::wiredtiger::IndexSize {
        self.index.finish()
    }

    /// The values of the `number`th combination.
    fn put_together(&mut self, columns: &[Vec<Option<Value<'_>>>], mut number: usize) -> Result<(), DecodeError> {
        self.key.clear();
        for column in columns {
            let value = column.get(number % column.len().max(1)).and_then(Option::as_ref);
            number /= column.len().max(1);
            self.key.append(value)?;
        }
        self.key.end();
        Ok(())
    }

    /// The index on `_id` keeps the record id beside the key, all others at its end.
    fn insert(&mut self, record_id: u64) {
        let key_len = self.key.bytes().len();
        self.key.append_record_id(record_id);
        let bytes = self.key.bytes();
        let types_len = self.key.type_bits_len();
        if self.is_of_ids {
            let id_len = (bytes.len() - key_len) as u64;
            self.index.insert(bytes.get(..key_len).unwrap_or(bytes), id_len + types_len);
        } else {
            self.index.insert(bytes, types_len);
        }
    }
}

/// The values at a path; `None` for a document without one. Arrays stand for their elements.
fn values<'a>(document: &Document<'a>, path: &[String]) -> Result<Vec<Option<Value<'a>>>, DecodeError> {
    let Some((first, rest)) = path.split_first() else { return Ok(vec![None]) };
    let mut here = Vec::new();
    spread(document.get(first)?, &mut here)?;
    for name in rest {
        let mut next = Vec::with_capacity(here.len());
        for value in here {
            spread(member(value, name)?, &mut next)?;
        }
        here = next;
    }
    Ok(here)
}

fn member<'a>(value: Option<Value<'a>>, name: &str) -> Result<Option<Value<'a>>, DecodeError> {
    match value {
        Some(value) if value.kind() == Kind::Object => value.as_document()?.get(name),
        _ => Ok(None),
    }
}

fn spread<'a>(value: Option<Value<'a>>, values: &mut Vec<Option<Value<'a>>>) -> Result<(), DecodeError> {
    let Some(array) = value.filter(|value| value.kind() == Kind::Array) else {
        values.push(value);
        return Ok(());
    };
    let start = values.len();
    for item in array.as_array()?.items() {
        values.push(Some(item?));
    }
    if values.len() == start {
        values.push(None);
    }
    Ok(())
}
