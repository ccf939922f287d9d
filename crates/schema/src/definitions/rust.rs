//! Rust: structs for serde and the official `bson` crate.

use std::fmt::Write as _;

use super::model::{Alternative, Field, Model, Object, Shape};
use super::names::{Names, remark, snake_case};
use crate::kind::BsonType;

const KEYWORDS: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn", "else", "enum",
    "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro", "match", "mod", "move",
    "mut", "override", "priv", "pub", "ref", "return", "static", "struct", "trait", "true", "try", "type", "typeof",
    "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

/// Keywords that cannot be written as `r#name`.
const NEVER_RAW: &[&str] = &["self", "super", "crate"];

pub(super) fn write(model: &Model, basis: &str) -> String {
    let mut out = format!("// Written by `boson schema`, {basis}.\n\nuse serde::{{Deserialize, Serialize}};\n");
    for object in &model.objects {
        object_type(&mut out, model, object);
    }
    for shape in model.shapes().into_iter().filter(|shape| shape.alternatives.len() > 1) {
        union_type(&mut out, model, shape);
    }
    out
}

// Writing to a string does not fail.
fn object_type(out: &mut String, model: &Model, object: &Object) {
    let _ = write!(
        out,
        "\n/// `{}`\n#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]\npub struct {} {{\n",
        remark(&object.path.to_string()),
        object.name
    );
    let mut names = Names::default();
    for field in &object.fields {
        field_line(out, model, field, &names.claim(&snake_case(&field.name)));
    }
    out.push_str("}\n");
}

fn field_line(out: &mut String, model: &Model, field: &Field, name: &str) {
    let (ident, serialized) = match name {
        name if NEVER_RAW.contains(&name) => (format!("{name}_"), format!("{name}_")),
        name if KEYWORDS.contains(&name) => (format!("r#{name}"), name.to_owned()),
        name => (name.to_owned(), name.to_owned()),
    };
    let mut attributes = Vec::new();
    if serialized != field.name {
        attributes.push(format!("rename = {:?}", field.name));
    }
    if field.is_optional {
        attributes.push("default, skip_serializing_if = \"Option::is_none\"".to_owned());
    }
    if field.is_optional && field.shape.is_nullable {
        out.push_str("    /// Null, or not there.\n");
    }
    if !attributes.is_empty() {
        let _ = writeln!(out, "    #[serde({})]", attributes.join(", "));
    }
    let inner = without_null(model, &field.shape);
    let is_option = field.is_optional || field.shape.is_nullable;
    let of = if is_option { format!("Option<{inner}>") } else { inner };
    let _ = writeln!(out, "    pub {ident}: {of},");
}

fn of_shape(model: &Model, shape: &Shape) -> String {
    let inner = without_null(model, shape);
    if shape.is_nullable { format!("Option<{inner}>") } else { inner }
}

fn without_null(model: &Model, shape: &Shape) -> String {
    match (&*shape.alternatives, shape.only()) {
        ([], _) => "bson::Bson".to_owned(),
        (_, Some(only)) => of_alternative(model, only),
        _ => shape.name.clone(),
    }
}

fn of_alternative(model: &Model, alternative: &Alternative) -> String {
    match alternative {
        Alternative::Leaf(leaf) => leaf_type(*leaf).to_owned(),
        Alternative::Object(place) => model.name(*place).to_owned(),
        Alternative::AnyObject => "bson::Document".to_owned(),
        Alternative::Map(value) => format!("std::collections::BTreeMap<String, {}>", of_shape(model, value)),
        Alternative::List(item) => format!("Vec<{}>", of_shape(model, item)),
    }
}

const fn leaf_type(leaf: BsonType) -> &'static str {
    match leaf {
        BsonType::Bool => "bool",
        BsonType::Int32 => "i32",
        BsonType::Int64 => "i64",
        BsonType::Double => "f64",
        BsonType::Decimal128 => "bson::Decimal128",
        BsonType::String => "String",
        BsonType::ObjectId => "bson::oid::ObjectId",
        BsonType::Uuid => "bson::Uuid",
        BsonType::Binary => "bson::Binary",
        BsonType::Date => "bson::DateTime",
        BsonType::Timestamp => "bson::Timestamp",
        BsonType::Regex => "bson::Regex",
        BsonType::CodeWithScope => "bson::JavaScriptCodeWithScope",
        BsonType::DbPointer => "bson::DbPointer",
        // The crate has no types of their own for these.
        _ => "bson::Bson",
    }
}

/// An enum for several types, which goes by the types of BSON and not by what happens to fit.
fn union_type(out: &mut String, model: &Model, shape: &Shape) {
    let name = &shape.name;
    let variants: Vec<(&str, String, &Alternative)> = shape
        .alternatives
        .iter()
        .map(|alternative| (variant(alternative), of_alternative(model, alternative), alternative))
        .collect();
    let _ = write!(
        out,
        "\n/// One of several types.\n#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]\n\
         #[serde(try_from = \"bson::Bson\", into = \"bson::Bson\")]\npub enum {name} {{\n"
    );
    for (variant, of, _) in &variants {
        let _ = writeln!(out, "    {variant}({of}),");
    }
    let _ = write!(
        out,
        "}}\n\nimpl TryFrom<bson::Bson> for {name} {{\n    type Error = String;\n\n    \
         fn try_from(value: bson::Bson) -> Result<Self, String> {{\n        match value {{\n"
    );
    // UUIDs are binary, so they come before it.
    for (variant, _, alternative) in &variants {
        let (pattern, value) = read_arm(alternative);
        let value = match value {
            Some(parsed) => format!("{parsed}.map(Self::{variant})"),
            None => format!("Ok(Self::{variant}(value))"),
        };
        let _ = writeln!(out, "            {pattern} => {value},");
    }
    let _ = write!(
        out,
        "            other => Err(format!(\"expected another type, found {{:?}}\", other.element_type())),\n        }}\n    }}\n}}\n\n\
         impl From<{name}> for bson::Bson {{\n    fn from(value: {name}) -> Self {{\n        match value {{\n"
    );
    for (variant, _, alternative) in &variants {
        let _ = writeln!(out, "            {name}::{variant}(value) => {},", write_arm(alternative));
    }
    out.push_str("        }\n    }\n}\n");
}

const fn variant(alternative: &Alternative) -> &'static str {
    match alternative {
        Alternative::Object(_) | Alternative::AnyObject | Alternative::Map(_) => "Document",
        Alternative::List(_) => "Array",
        Alternative::Leaf(leaf) => match leaf {
            BsonType::Bool => "Boolean",
            BsonType::Int32 => "Int32",
            BsonType::Int64 => "Int64",
            BsonType::Double => "Double",
            BsonType::Decimal128 => "Decimal128",
            BsonType::String => "String",
            BsonType::ObjectId => "ObjectId",
            BsonType::Uuid => "Uuid",
            BsonType::Binary => "Binary",
            BsonType::Date => "DateTime",
            BsonType::Timestamp => "Timestamp",
            BsonType::Regex => "RegularExpression",
            BsonType::Code => "JavaScriptCode",
            BsonType::CodeWithScope => "JavaScriptCodeWithScope",
            BsonType::Symbol => "Symbol",
            BsonType::DbPointer => "DbPointer",
            BsonType::Undefined => "Undefined",
            BsonType::MinKey => "MinKey",
            BsonType::MaxKey => "MaxKey",
            BsonType::Object | BsonType::Array | BsonType::Null => "Other",
        },
    }
}

/// The pattern of a value, and the `Result` that it becomes, where it is not taken as it is.
fn read_arm(alternative: &Alternative) -> (String, Option<&'static str>) {
    let parsed = Some("bson::deserialize_from_bson(value).map_err(|error| error.to_string())");
    match alternative {
        Alternative::Object(_) | Alternative::Map(_) => ("value @ bson::Bson::Document(_)".to_owned(), parsed),
        Alternative::AnyObject => ("bson::Bson::Document(value)".to_owned(), None),
        Alternative::List(_) => ("value @ bson::Bson::Array(_)".to_owned(), parsed),
        Alternative::Leaf(BsonType::Uuid) => (
            "bson::Bson::Binary(value) if value.subtype == bson::spec::BinarySubtype::Uuid && value.bytes.len() == 16"
                .to_owned(),
            Some("value.to_uuid().map_err(|error| error.to_string())"),
        ),
        Alternative::Leaf(leaf @ (BsonType::Undefined | BsonType::MinKey | BsonType::MaxKey)) => {
            (format!("value @ bson::Bson::{}", variant(&Alternative::Leaf(*leaf))), None)
        }
        Alternative::Leaf(leaf @ (BsonType::Code | BsonType::Symbol)) => {
            (format!("value @ bson::Bson::{}(_)", variant(&Alternative::Leaf(*leaf))), None)
        }
        leaf @ Alternative::Leaf(_) => (format!("bson::Bson::{}(value)", variant(leaf)), None),
    }
}

const fn write_arm(alternative: &Alternative) -> &'static str {
    match alternative {
        Alternative::Object(_) | Alternative::Map(_) | Alternative::List(_) => {
            "bson::serialize_to_bson(&value).unwrap_or(bson::Bson::Null)"
        }
        Alternative::AnyObject => "Self::Document(value)",
        Alternative::Leaf(leaf) => match leaf {
            BsonType::Bool => "Self::Boolean(value)",
            BsonType::Int32 => "Self::Int32(value)",
            BsonType::Int64 => "Self::Int64(value)",
            BsonType::Double => "Self::Double(value)",
            BsonType::Decimal128 => "Self::Decimal128(value)",
            BsonType::String => "Self::String(value)",
            BsonType::ObjectId => "Self::ObjectId(value)",
            BsonType::Uuid => "Self::Binary(value.into())",
            BsonType::Binary => "Self::Binary(value)",
            BsonType::Date => "Self::DateTime(value)",
            BsonType::Timestamp => "Self::Timestamp(value)",
            BsonType::Regex => "Self::RegularExpression(value)",
            BsonType::CodeWithScope => "Self::JavaScriptCodeWithScope(value)",
            BsonType::DbPointer => "Self::DbPointer(value)",
            _ => "value",
        },
    }
}
