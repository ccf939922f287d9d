//! Values of the official `bson` crate, made part by part: the conversion that boson-bson offers goes through bytes, and the
//! bytes are what is compared here.

use boson_document::{Decimal128, ObjectId, Value};
use bson::spec::BinarySubtype;
use bson::{Binary, Bson, Document, JavaScriptCodeWithScope, Regex, Timestamp};

/// The version that is compared with, by the text of the lock file.
pub(super) fn version(lock: &str) -> &str {
    let entry = lock.split("[[package]]").find(|entry| entry.contains("name = \"bson\"\n"));
    let version = entry.and_then(|entry| entry.split("version = \"").nth(1));
    version.and_then(|version| version.split('"').next()).unwrap_or("?")
}

/// The crate's value; `None` for what BSON does not have.
pub(super) fn from_value(value: &Value) -> Option<Bson> {
    Some(match value {
        Value::Object(members) => Bson::Document(document(members)?),
        Value::Array(elements) => Bson::Array(elements.iter().map(from_value).collect::<Option<_>>()?),
        Value::CodeWithScope { code, scope } => {
            Bson::JavaScriptCodeWithScope(JavaScriptCodeWithScope { code: code.clone(), scope: document(scope)? })
        }
        Value::Null => Bson::Null,
        Value::Bool(value) => Bson::Boolean(*value),
        Value::Int32(value) => Bson::Int32(*value),
        Value::Int64(value) => Bson::Int64(*value),
        Value::Double(value) => Bson::Double(*value),
        Value::Decimal128(value) => Bson::Decimal128(bson::Decimal128::from_bytes(value.to_bytes())),
        Value::String(text) => Bson::String(text.clone()),
        Value::Binary { subtype, bytes } => {
            Bson::Binary(Binary { subtype: BinarySubtype::from(*subtype), bytes: bytes.clone() })
        }
        Value::ObjectId(id) => Bson::ObjectId(bson::oid::ObjectId::from_bytes(id.0)),
        Value::DateTime(ms) => Bson::DateTime(bson::DateTime::from_millis(*ms)),
        Value::Timestamp { time, increment } => Bson::Timestamp(Timestamp { time: *time, increment: *increment }),
        other => return from_rare(other),
    })
}

fn from_rare(value: &Value) -> Option<Bson> {
    Some(match value {
        Value::Regex { pattern, options } => Bson::RegularExpression(Regex {
            pattern: pattern.as_str().try_into().ok()?,
            options: options.as_str().try_into().ok()?,
        }),
        Value::Code(code) => Bson::JavaScriptCode(code.clone()),
        Value::Symbol(text) => Bson::Symbol(text.clone()),
        Value::DbPointer { namespace, id } => {
            // The crate's type has no constructor.
            let extended = serde_json::json!({"$dbPointer": {"$ref": namespace, "$id": {"$oid": id.to_string()}}});
            Bson::try_from(extended).ok()?
        }
        Value::Undefined => Bson::Undefined,
        Value::MinKey => Bson::MinKey,
        Value::MaxKey => Bson::MaxKey,
        _ => return None,
    })
}

/// The crate's document of these members.
pub(super) fn document(members: &[(String, Value)]) -> Option<Document> {
    let mut document = Document::new();
    for (name, value) in members {
        document.insert(name.clone(), from_value(value)?);
    }
    Some(document)
}

/// Our value of the crate's.
pub(super) fn to_value(value: Bson) -> Value {
    match value {
        Bson::Document(document) => Value::Object(members(document)),
        Bson::Array(elements) => Value::Array(elements.into_iter().map(to_value).collect()),
        Bson::JavaScriptCodeWithScope(code) => Value::CodeWithScope { code: code.code, scope: members(code.scope) },
        Bson::Null => Value::Null,
        Bson::Boolean(value) => Value::Bool(value),
        Bson::Int32(value) => Value::Int32(value),
        Bson::Int64(value) => Value::Int64(value),
        Bson::Double(value) => Value::Double(value),
        Bson::Decimal128(value) => Value::Decimal128(Decimal128::from_bytes(value.bytes())),
        Bson::String(text) => Value::String(text),
        Bson::Binary(Binary { subtype, bytes }) => Value::Binary { subtype: subtype.into(), bytes },
        Bson::ObjectId(id) => Value::ObjectId(ObjectId(id.bytes())),
        Bson::DateTime(time) => Value::DateTime(time.timestamp_millis()),
        Bson::Timestamp(Timestamp { time, increment }) => Value::Timestamp { time, increment },
        Bson::RegularExpression(Regex { pattern, options }) => {
            Value::Regex { pattern: pattern.into(), options: options.into() }
        }
        Bson::JavaScriptCode(code) => Value::Code(code),
        Bson::Symbol(text) => Value::Symbol(text),
        Bson::DbPointer(_) => pointer(value),
        Bson::Undefined => Value::Undefined,
        Bson::MinKey => Value::MinKey,
        Bson::MaxKey => Value::MaxKey,
    }
}

/// The members of the crate's document.
pub(super) fn members(document: Document) -> Vec<(String, Value)> {
    document.into_iter().map(|(name, value)| (name, to_value(value))).collect()
}

/// The crate shows the parts of a pointer in its text only.
fn pointer(value: Bson) -> Value {
    let extended = value.into_canonical_extjson();
    let part = |pointer| extended.pointer(pointer).and_then(serde_json::Value::as_str).unwrap_or_default();
    let id = part("/$dbPointer/$id/$oid").parse().unwrap_or(ObjectId([0; 12]));
    Value::DbPointer { namespace: part("/$dbPointer/$ref").to_owned(), id }
}
