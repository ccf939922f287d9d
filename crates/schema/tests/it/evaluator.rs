//! `$jsonSchema` as the crate `jsonschema` evaluates it, draft 4, documents as the official `bson` crate reads them. What
//! is MongoDB's own, `bsonType`, is added here: the aliases are those of MongoDB's manual.

use bson::Bson;
use jsonschema::paths::Location;
use jsonschema::{Draft, Keyword, ValidationError, Validator};
use serde_json::{Map, Value, json};

pub(crate) struct Evaluator(Validator);

impl Evaluator {
    /// For a validator `{"$jsonSchema": …}`.
    pub(crate) fn new(validator: &Value) -> Self {
        let options = jsonschema::options().with_draft(Draft::Draft4);
        let options = options.with_keyword("bsonType", BsonType::keyword);
        Self(options.build(&validator["$jsonSchema"]).unwrap())
    }

    pub(crate) fn accepts(&self, document: &[u8]) -> bool {
        self.0.is_valid(&instance(document))
    }

    /// What is wrong with a document, in words.
    pub(crate) fn complaints(&self, document: &[u8]) -> String {
        let instance = instance(document);
        self.0.iter_errors(&instance).map(|error| error.to_string()).collect()
    }

    /// The places of a document that do not pass, sorted.
    pub(crate) fn faults(&self, document: &[u8]) -> Vec<String> {
        let instance = instance(document);
        let mut faults: Vec<String> =
            self.0.iter_errors(&instance).map(|error| error.instance_path().to_string()).collect();
        faults.sort();
        faults
    }
}

/// The document as JSON, in which what is neither object nor array is the alias of its type.
fn instance(document: &[u8]) -> Value {
    let document = bson::Document::from_reader(document).unwrap();
    of(&Bson::Document(document))
}

fn of(value: &Bson) -> Value {
    let alias = match value {
        Bson::Document(document) => {
            return Value::Object(
                document.iter().map(|(name, value)| (name.clone(), of(value))).collect::<Map<_, _>>(),
            );
        }
        Bson::Array(items) => return items.iter().map(of).collect(),
        Bson::Double(_) => "double",
        Bson::String(_) => "string",
        Bson::Boolean(_) => "bool",
        Bson::Null => "null",
        Bson::RegularExpression(_) => "regex",
        Bson::JavaScriptCode(_) => "javascript",
        Bson::JavaScriptCodeWithScope(_) => "javascriptWithScope",
        Bson::Int32(_) => "int",
        Bson::Int64(_) => "long",
        Bson::Timestamp(_) => "timestamp",
        Bson::Binary(_) => "binData",
        Bson::ObjectId(_) => "objectId",
        Bson::DateTime(_) => "date",
        Bson::Symbol(_) => "symbol",
        Bson::Decimal128(_) => "decimal",
        Bson::Undefined => "undefined",
        Bson::MaxKey => "maxKey",
        Bson::MinKey => "minKey",
        Bson::DbPointer(_) => "dbPointer",
    };
    json!(alias)
}

/// The types that a value may have.
struct BsonType(Vec<String>);

impl BsonType {
    #[expect(clippy::unnecessary_wraps, reason = "as the evaluator asks for it")]
    fn keyword<'a>(
        _: &'a Map<String, Value>,
        value: &'a Value,
        _: Location,
    ) -> Result<Box<dyn for<'i> Keyword<'i>>, ValidationError<'a>> {
        let names = match value {
            Value::Array(names) => names.iter().map(|name| name.as_str().unwrap().to_owned()).collect(),
            name => vec![name.as_str().unwrap().to_owned()],
        };
        Ok(Box::new(Self(names)))
    }

    fn allows(&self, alias: &str) -> bool {
        let is_number = matches!(alias, "int" | "long" | "double" | "decimal");
        self.0.iter().any(|name| name == alias || (name == "number" && is_number))
    }
}

impl<'i> Keyword<'i> for BsonType {
    fn validate(&self, instance: &'i Value) -> Result<(), ValidationError<'i>> {
        if self.is_valid(instance) { Ok(()) } else { Err(ValidationError::custom("another type")) }
    }

    fn is_valid(&self, instance: &'i Value) -> bool {
        match instance {
            Value::Object(_) => self.allows("object"),
            Value::Array(_) => self.allows("array"),
            alias => self.allows(alias.as_str().unwrap()),
        }
    }
}
