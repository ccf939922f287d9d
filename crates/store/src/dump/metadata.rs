//! A collection's indexes and options, as `mongodump` writes them: one Extended JSON object,
//! `{"options": …, "indexes": […], "uuid": …, "collectionName": …, "type": …}`.

use boson_document::{Builder, DecodeError, Source, Value};
use boson_json::{Dialects, Resolve, Text, Unwrap};

/// The metadata of a collection.
#[derive(Clone, Debug)]
pub struct Metadata {
    raw: Vec<u8>,
    value: Value,
    indexes: Vec<IndexSpec>,
}

/// An index.
#[derive(Clone, Debug, PartialEq)]
pub struct IndexSpec {
    /// Its name.
    pub name: String,
    /// Its fields in their order, as dotted paths, each with its direction (1, -1) or kind (`"hashed"`, `"text"`, …).
    pub keys: Vec<(String, Value)>,
    /// Whether no two documents may have the same key.
    pub is_unique: bool,
    /// Whether documents without the fields are left out.
    pub is_sparse: bool,
    /// After how many seconds from the date in its field a document is deleted.
    pub expire_after_seconds: Option<i64>,
    /// Which documents it is about, where that is not all.
    pub partial_filter: Option<Value>,
}

impl Metadata {
    /// Reads metadata.
    ///
    /// # Errors
    ///
    /// What is wrong with the text; what is not there or of another type is taken as not said.
    pub fn parse(raw: Vec<u8>) -> Result<Self, DecodeError> {
        let mut sink = Unwrap::new(Resolve::new(Builder::new()), Dialects::MONGODB.lenient());
        Text::new(&raw).drive(&mut sink)?;
        let value = sink.into_inner().into_inner().finish().unwrap_or(Value::Null);
        let indexes = match value.get("indexes") {
            Some(Value::Array(indexes)) => indexes.iter().map(IndexSpec::of).collect(),
            _ => Vec::new(),
        };
        Ok(Self { raw, value, indexes })
    }

    /// The text.
    pub fn raw(&self) -> &[u8] {
        &self.raw
    }

    /// All that it says.
    pub const fn value(&self) -> &Value {
        &self.value
    }

    /// The indexes, that on `_id` among them.
    pub fn indexes(&self) -> &[IndexSpec] {
        &self.indexes
    }

    /// An option of the collection, such as `capped`.
    pub fn option(&self, name: &str) -> Option<&Value> {
        self.value.get("options")?.get(name)
    }

    /// What documents must be like to be accepted.
    pub fn validator(&self) -> Option<&Value> {
        self.option("validator").filter(|validator| !matches!(validator, Value::Object(members) if members.is_empty()))
    }

    /// Whether the collection has a size that it never exceeds: the oldest documents go.
    pub fn is_capped(&self) -> bool {
        self.option("capped").is_some_and(is_true)
    }

    /// The collection's name, where it is said.
    pub fn collection_name(&self) -> Option<&str> {
        text(self.value.get("collectionName")?)
    }

    /// The collection's UUID, where it is said.
    pub fn uuid(&self) -> Option<&str> {
        text(self.value.get("uuid")?)
    }

    fn kind(&self) -> Option<&str> {
        text(self.value.get("type")?)
    }

    /// Whether it is a view.
    pub fn is_view(&self) -> bool {
        self.kind() == Some("view") || self.option("viewOn").is_some()
    }

    /// Whether it is a time-series collection.
    pub fn is_time_series(&self) -> bool {
        self.kind() == Some("timeseries") || self.option("timeseries").is_some()
    }
}

impl IndexSpec {
    fn of(value: &Value) -> Self {
        let keys = match value.get("key") {
            Some(Value::Object(keys)) => keys.clone(),
            _ => Vec::new(),
        };
        Self {
            name: value.get("name").and_then(text).unwrap_or_default().to_owned(),
            keys,
            is_unique: value.get("unique").is_some_and(is_true),
            is_sparse: value.get("sparse").is_some_and(is_true),
            expire_after_seconds: value.get("expireAfterSeconds").and_then(whole),
            partial_filter: value.get("partialFilterExpression").cloned(),
        }
    }
}

fn text(value: &Value) -> Option<&str> {
    match value {
        Value::String(text) => Some(text),
        _ => None,
    }
}

/// What the server takes for true: the boolean, or any number but zero.
fn is_true(value: &Value) -> bool {
    match value {
        Value::Bool(value) => *value,
        value => whole(value).is_some_and(|number| number != 0),
    }
}

fn whole(value: &Value) -> Option<i64> {
    match value {
        Value::Int32(number) => Some(i64::from(*number)),
        Value::Int64(number) => Some(*number),
        Value::Double(number) if number.is_finite() => format!("{:.0}", number.trunc()).parse().ok(),
        _ => None,
    }
}
