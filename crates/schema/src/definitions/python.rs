//! Python: `TypedDict`, which is what a document is there, with the types that PyMongo reads values as.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::model::{Alternative, Field, Model, Object, Shape};
use super::names::{is_identifier, remark};
use crate::kind::BsonType;

const KEYWORDS: &[&str] = &[
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del",
    "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal",
    "not", "or", "pass", "raise", "return", "try", "while", "with", "yield",
];

pub(super) fn write(model: &Model, basis: &str) -> String {
    let mut out = format!("# Written by `boson schema`, {basis}.\n");
    let leaves = leaves(model);
    if leaves.contains(&BsonType::Uuid) {
        out.push_str("# UUIDs are read as such with MongoClient(…, uuidRepresentation=\"standard\").\n");
    }
    out.push('\n');
    imports(&mut out, model, &leaves);
    // Those within come first: the names must be known.
    for object in model.objects.iter().rev() {
        object_type(&mut out, model, object);
    }
    out
}

fn leaves(model: &Model) -> BTreeSet<BsonType> {
    let alternatives = model.shapes().into_iter().flat_map(|shape| &shape.alternatives);
    alternatives.filter_map(|own| if let Alternative::Leaf(leaf) = own { Some(*leaf) } else { None }).collect()
}

fn imports(out: &mut String, model: &Model, leaves: &BTreeSet<BsonType>) {
    if leaves.contains(&BsonType::Date) {
        out.push_str("import datetime\n");
    }
    if leaves.contains(&BsonType::Uuid) {
        out.push_str("import uuid\n");
    }
    let shapes = model.shapes();
    let is_any = |shape: &&Shape| {
        shape.alternatives.is_empty() || shape.alternatives.iter().any(|own| matches!(own, Alternative::AnyObject))
    };
    let mut typing = Vec::new();
    typing.extend(shapes.iter().any(is_any).then_some("Any"));
    typing.extend(
        model.objects.iter().flat_map(|object| &object.fields).any(|field| field.is_optional).then_some("NotRequired"),
    );
    typing.push("TypedDict");
    let _ = writeln!(out, "from typing import {}", typing.join(", "));
    let imports: Vec<String> = leaves.iter().filter_map(|&leaf| import(leaf)).collect();
    if !imports.is_empty() {
        let mut imports = imports;
        imports.sort_unstable();
        imports.dedup();
        let _ = write!(out, "\n{}\n", imports.join("\n"));
    }
}

fn import(leaf: BsonType) -> Option<String> {
    let (module, name) = match leaf {
        BsonType::Int64 => ("int64", "Int64"),
        BsonType::Decimal128 => ("decimal128", "Decimal128"),
        BsonType::ObjectId => ("objectid", "ObjectId"),
        BsonType::Binary => ("binary", "Binary"),
        BsonType::Timestamp => ("timestamp", "Timestamp"),
        BsonType::Regex => ("regex", "Regex"),
        BsonType::Code | BsonType::CodeWithScope => ("code", "Code"),
        BsonType::DbPointer => ("dbref", "DBRef"),
        BsonType::MinKey => ("min_key", "MinKey"),
        BsonType::MaxKey => ("max_key", "MaxKey"),
        _ => return None,
    };
    Some(format!("from bson.{module} import {name}"))
}

fn object_type(out: &mut String, model: &Model, object: &Object) {
    let (name, path) = (&object.name, remark(&object.path.to_string()));
    let is_plain =
        |field: &Field| is_identifier(&field.name) && !KEYWORDS.contains(&&*field.name) && !is_mangled(&field.name);
    if object.fields.iter().all(is_plain) && !object.fields.is_empty() {
        let _ = write!(out, "\n\nclass {name}(TypedDict):\n    # {path}\n");
        for field in &object.fields {
            let _ = writeln!(out, "    {}: {}", field.name, of_field(model, field));
        }
        return;
    }
    // Names that are no identifiers can be given in this form only.
    let _ = write!(out, "\n\n# {path}\n{name} = TypedDict(\n    \"{name}\",\n    {{\n");
    for field in &object.fields {
        let key = serde_json::Value::from(field.name.as_str());
        let _ = writeln!(out, "        {key}: {},", of_field(model, field));
    }
    out.push_str("    },\n)\n");
}

/// Whether a class takes a name for one of its own.
fn is_mangled(name: &str) -> bool {
    name.starts_with("__")
}

fn of_field(model: &Model, field: &Field) -> String {
    let of = of_shape(model, &field.shape);
    if field.is_optional { format!("NotRequired[{of}]") } else { of }
}

fn of_shape(model: &Model, shape: &Shape) -> String {
    if shape.alternatives.is_empty() {
        return "Any".to_owned();
    }
    let mut types: Vec<String> = Vec::new();
    for alternative in &shape.alternatives {
        let own = match alternative {
            Alternative::Leaf(BsonType::Binary) => "bytes | Binary".to_owned(),
            Alternative::Leaf(leaf) => leaf_type(*leaf).to_owned(),
            Alternative::Object(place) => model.name(*place).to_owned(),
            Alternative::AnyObject => "dict[str, Any]".to_owned(),
            Alternative::Map(value) => format!("dict[str, {}]", of_shape(model, value)),
            Alternative::List(item) => format!("list[{}]", of_shape(model, item)),
        };
        if !types.contains(&own) {
            types.push(own);
        }
    }
    if shape.is_nullable && !types.iter().any(|own| own == "None") {
        types.push("None".to_owned());
    }
    types.join(" | ")
}

const fn leaf_type(leaf: BsonType) -> &'static str {
    match leaf {
        BsonType::Bool => "bool",
        BsonType::Int32 => "int",
        BsonType::Int64 => "Int64",
        BsonType::Double => "float",
        BsonType::Decimal128 => "Decimal128",
        // Symbols are read as strings, undefined as None.
        BsonType::String | BsonType::Symbol => "str",
        BsonType::ObjectId => "ObjectId",
        BsonType::Uuid => "uuid.UUID",
        BsonType::Binary => "Binary",
        BsonType::Date => "datetime.datetime",
        BsonType::Timestamp => "Timestamp",
        BsonType::Regex => "Regex",
        BsonType::Code | BsonType::CodeWithScope => "Code",
        BsonType::DbPointer => "DBRef",
        BsonType::MinKey => "MinKey",
        BsonType::MaxKey => "MaxKey",
        BsonType::Undefined | BsonType::Object | BsonType::Array | BsonType::Null => "None",
    }
}
