//! TypeScript: interfaces with the types that the official driver reads values as, unless told otherwise.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::model::{Alternative, Field, Model, Object, Shape};
use super::names::{is_identifier, remark};
use crate::kind::BsonType;

pub(super) fn write(model: &Model, basis: &str) -> String {
    let mut out = format!("// Written by `boson schema`, {basis}.\n");
    let imports = imports(model);
    if !imports.is_empty() {
        let _ = write!(
            out,
            "\nimport type {{ {} }} from \"mongodb\";\n",
            imports.into_iter().collect::<Vec<_>>().join(", ")
        );
    }
    for object in &model.objects {
        object_type(&mut out, model, object);
    }
    out
}

fn imports(model: &Model) -> BTreeSet<&'static str> {
    let alternatives = model.shapes().into_iter().flat_map(|shape| &shape.alternatives);
    alternatives
        .filter_map(|alternative| match alternative {
            Alternative::Leaf(leaf) => imported(*leaf),
            Alternative::AnyObject => Some("Document"),
            _ => None,
        })
        .collect()
}

const fn imported(leaf: BsonType) -> Option<&'static str> {
    Some(match leaf {
        BsonType::Int64 => "Long",
        BsonType::Decimal128 => "Decimal128",
        BsonType::ObjectId => "ObjectId",
        BsonType::Uuid => "UUID",
        BsonType::Binary => "Binary",
        BsonType::Timestamp => "Timestamp",
        BsonType::Code | BsonType::CodeWithScope => "Code",
        BsonType::DbPointer => "DBRef",
        BsonType::MinKey => "MinKey",
        BsonType::MaxKey => "MaxKey",
        _ => return None,
    })
}

fn object_type(out: &mut String, model: &Model, object: &Object) {
    let _ = write!(out, "\n/** `{}` */\nexport interface {} {{\n", remark(&object.path.to_string()), object.name);
    object.fields.iter().for_each(|field| field_line(out, model, field));
    out.push_str("}\n");
}

fn field_line(out: &mut String, model: &Model, field: &Field) {
    // What is no identifier is a name in quotes; keywords are names as any.
    let name = if is_identifier(&field.name) {
        field.name.clone()
    } else {
        serde_json::Value::from(field.name.as_str()).to_string()
    };
    let optional = if field.is_optional { "?" } else { "" };
    let _ = writeln!(out, "  {name}{optional}: {};", of_shape(model, &field.shape).join(" | "));
}

/// The types that a value may have.
fn of_shape(model: &Model, shape: &Shape) -> Vec<String> {
    let mut types: Vec<String> = Vec::new();
    let mut add = |own: &str| {
        if !types.iter().any(|known| known == own) {
            types.push(own.to_owned());
        }
    };
    if shape.alternatives.is_empty() {
        return vec!["unknown".to_owned()];
    }
    for alternative in &shape.alternatives {
        match alternative {
            Alternative::Leaf(leaf) => leaf_types(*leaf).iter().for_each(|leaf| add(leaf)),
            Alternative::Object(place) => add(model.name(*place)),
            Alternative::AnyObject => add("Document"),
            Alternative::Map(value) => add(&format!("Record<string, {}>", of_shape(model, value).join(" | "))),
            Alternative::List(item) => match &*of_shape(model, item) {
                [one] => add(&format!("{one}[]")),
                several => add(&format!("({})[]", several.join(" | "))),
            },
        }
    }
    if shape.is_nullable {
        add("null");
    }
    types
}

const fn leaf_types(leaf: BsonType) -> &'static [&'static str] {
    match leaf {
        BsonType::Bool => &["boolean"],
        BsonType::Int32 | BsonType::Double => &["number"],
        // One that a number does not hold exactly is read as a Long.
        BsonType::Int64 => &["number", "Long"],
        BsonType::Decimal128 => &["Decimal128"],
        BsonType::String | BsonType::Symbol => &["string"],
        BsonType::ObjectId => &["ObjectId"],
        BsonType::Uuid => &["UUID"],
        BsonType::Binary => &["Binary"],
        BsonType::Date => &["Date"],
        BsonType::Timestamp => &["Timestamp"],
        BsonType::Regex => &["RegExp"],
        BsonType::Code | BsonType::CodeWithScope => &["Code"],
        BsonType::DbPointer => &["DBRef"],
        BsonType::MinKey => &["MinKey"],
        BsonType::MaxKey => &["MaxKey"],
        BsonType::Undefined => &["undefined"],
        BsonType::Object | BsonType::Array | BsonType::Null => &["unknown"],
    }
}
