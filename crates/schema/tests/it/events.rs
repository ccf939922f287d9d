//! Written by `BLESS=1 cargo test -p boson-schema`.
#![expect(unreachable_pub, reason = "for others")]

// Written by `boson schema`, read off all 603 documents.

use serde::{Deserialize, Serialize};

/// `$`
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Event {
    #[serde(rename = "")]
    pub field: i32,
    #[serde(rename = "2nd")]
    pub _2nd: i64,
    #[serde(rename = "_id")]
    pub id: bson::oid::ObjectId,
    #[serde(rename = "a.b")]
    pub a_b: i32,
    pub at: bson::DateTime,
    pub by: std::collections::BTreeMap<String, EventBy>,
    pub class: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<bson::Bson>,
    pub deep: EventDeep,
    #[serde(rename = "device-id")]
    pub device_id: bson::Uuid,
    pub empty: bson::Document,
    pub extra: Option<EventExtraOneOf>,
    pub items: Vec<EventItems>,
    /// Null, or not there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub maybe: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min: Option<bson::Bson>,
    pub none: Vec<bson::Bson>,
    /// Null, or not there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    pub nothing: Option<bson::Bson>,
    #[serde(rename = "quote\"\\\n*/")]
    pub quote: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub raw: Option<bson::Binary>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub re: Option<bson::Regex>,
    #[serde(rename = "self")]
    pub self_: bool,
    pub tags: Vec<Option<EventTagsOneOf>>,
    pub r#type: i32,
    pub value: EventValueOneOf,
}

/// `$.by.*`
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EventBy {
    pub n: i32,
}

/// `$.deep`
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EventDeep {
    pub deeper: EventDeepDeeper,
}

/// `$.deep.deeper`
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EventDeepDeeper {
    pub deepest: bson::DateTime,
}

/// `$.extra`
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EventExtra {
    pub at: bson::Timestamp,
    pub kind: String,
}

/// `$.items[]`
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EventItems {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gift: Option<bool>,
    pub qty: i32,
    pub sku: String,
}

/// One of several types.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "bson::Bson", into = "bson::Bson")]
pub enum EventExtraOneOf {
    Decimal128(bson::Decimal128),
    Document(EventExtra),
    Array(Vec<EventExtraOneOf2>),
}

impl TryFrom<bson::Bson> for EventExtraOneOf {
    type Error = String;

    fn try_from(value: bson::Bson) -> Result<Self, String> {
        match value {
            bson::Bson::Decimal128(value) => Ok(Self::Decimal128(value)),
            value @ bson::Bson::Document(_) => bson::deserialize_from_bson(value).map_err(|error| error.to_string()).map(Self::Document),
            value @ bson::Bson::Array(_) => bson::deserialize_from_bson(value).map_err(|error| error.to_string()).map(Self::Array),
            other => Err(format!("expected another type, found {:?}", other.element_type())),
        }
    }
}

impl From<EventExtraOneOf> for bson::Bson {
    fn from(value: EventExtraOneOf) -> Self {
        match value {
            EventExtraOneOf::Decimal128(value) => Self::Decimal128(value),
            EventExtraOneOf::Document(value) => bson::serialize_to_bson(&value).unwrap_or(bson::Bson::Null),
            EventExtraOneOf::Array(value) => bson::serialize_to_bson(&value).unwrap_or(bson::Bson::Null),
        }
    }
}

/// One of several types.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "bson::Bson", into = "bson::Bson")]
pub enum EventExtraOneOf2 {
    Int32(i32),
    Uuid(bson::Uuid),
}

impl TryFrom<bson::Bson> for EventExtraOneOf2 {
    type Error = String;

    fn try_from(value: bson::Bson) -> Result<Self, String> {
        match value {
            bson::Bson::Int32(value) => Ok(Self::Int32(value)),
            bson::Bson::Binary(value) if value.subtype == bson::spec::BinarySubtype::Uuid && value.bytes.len() == 16 => value.to_uuid().map_err(|error| error.to_string()).map(Self::Uuid),
            other => Err(format!("expected another type, found {:?}", other.element_type())),
        }
    }
}

impl From<EventExtraOneOf2> for bson::Bson {
    fn from(value: EventExtraOneOf2) -> Self {
        match value {
            EventExtraOneOf2::Int32(value) => Self::Int32(value),
            EventExtraOneOf2::Uuid(value) => Self::Binary(value.into()),
        }
    }
}

/// One of several types.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "bson::Bson", into = "bson::Bson")]
pub enum EventTagsOneOf {
    Int32(i32),
    String(String),
}

impl TryFrom<bson::Bson> for EventTagsOneOf {
    type Error = String;

    fn try_from(value: bson::Bson) -> Result<Self, String> {
        match value {
            bson::Bson::Int32(value) => Ok(Self::Int32(value)),
            bson::Bson::String(value) => Ok(Self::String(value)),
            other => Err(format!("expected another type, found {:?}", other.element_type())),
        }
    }
}

impl From<EventTagsOneOf> for bson::Bson {
    fn from(value: EventTagsOneOf) -> Self {
        match value {
            EventTagsOneOf::Int32(value) => Self::Int32(value),
            EventTagsOneOf::String(value) => Self::String(value),
        }
    }
}

/// One of several types.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "bson::Bson", into = "bson::Bson")]
pub enum EventValueOneOf {
    Int32(i32),
    Double(f64),
    String(String),
}

impl TryFrom<bson::Bson> for EventValueOneOf {
    type Error = String;

    fn try_from(value: bson::Bson) -> Result<Self, String> {
        match value {
            bson::Bson::Int32(value) => Ok(Self::Int32(value)),
            bson::Bson::Double(value) => Ok(Self::Double(value)),
            bson::Bson::String(value) => Ok(Self::String(value)),
            other => Err(format!("expected another type, found {:?}", other.element_type())),
        }
    }
}

impl From<EventValueOneOf> for bson::Bson {
    fn from(value: EventValueOneOf) -> Self {
        match value {
            EventValueOneOf::Int32(value) => Self::Int32(value),
            EventValueOneOf::Double(value) => Self::Double(value),
            EventValueOneOf::String(value) => Self::String(value),
        }
    }
}
