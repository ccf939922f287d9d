//! Java: records for the official driver's codecs, with the types of `org.bson`.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::model::{Alternative, Field, Model, Object, Shape};
use super::names::{Names, camel_case, is_identifier, remark};
use crate::kind::BsonType;

/// Keywords, and names that the component of a record may not have.
const KEYWORDS: &[&str] = &[
    "abstract",
    "assert",
    "boolean",
    "break",
    "byte",
    "case",
    "catch",
    "char",
    "class",
    "clone",
    "const",
    "continue",
    "default",
    "do",
    "double",
    "else",
    "enum",
    "extends",
    "false",
    "final",
    "finalize",
    "finally",
    "float",
    "for",
    "getClass",
    "goto",
    "hashCode",
    "if",
    "implements",
    "import",
    "instanceof",
    "int",
    "interface",
    "long",
    "native",
    "new",
    "notify",
    "notifyAll",
    "null",
    "package",
    "private",
    "protected",
    "public",
    "return",
    "short",
    "static",
    "strictfp",
    "super",
    "switch",
    "synchronized",
    "this",
    "throw",
    "throws",
    "toString",
    "transient",
    "true",
    "try",
    "void",
    "volatile",
    "wait",
    "while",
    "_",
];

/// A method takes 255 parameters, a `long` and a `double` counting twice, and one is `this`.
const SLOTS_MAX: usize = 254;

pub(super) fn write(model: &Model, basis: &str) -> String {
    let mut imports = BTreeSet::new();
    let mut body = String::new();
    for (place, object) in model.objects.iter().enumerate() {
        object_type(&mut body, &mut imports, model, object, place == 0);
    }
    body.push_str("}\n");
    let mut out = format!("// Written by `boson schema`, {basis}.\n\n");
    for import in &imports {
        let _ = writeln!(out, "import {import};");
    }
    out + &body
}

type Imports = BTreeSet<&'static str>;

/// A record; the first one holds the others. One with more fields than a constructor takes is a class.
fn object_type(out: &mut String, imports: &mut Imports, model: &Model, object: &Object, is_first: bool) {
    let mut names = Names::default();
    let mut lines = Vec::new();
    let mut slots = 0;
    for field in &object.fields {
        let of = of_field(model, imports, field);
        slots += if matches!(&*of, "long" | "double") { 2 } else { 1 };
        let name = names.claim(&camel_case(&field.name));
        let (annotation, name) = component(imports, field, &name);
        lines.push((annotation, format!("{of} {name}")));
    }
    let indent = if is_first { "" } else { "    " };
    let path = remark(&object.path.to_string());
    let name = &object.name;
    let _ = write!(out, "\n{indent}/** {{@code {path}}} */\n");
    if slots <= SLOTS_MAX {
        let lines: Vec<String> =
            lines.iter().map(|(annotation, line)| format!("\n{indent}    {annotation}{line}")).collect();
        let _ = write!(out, "{indent}public record {name}({}\n{indent}) {{\n", lines.join(","));
    } else {
        let kind = if is_first { "public final class" } else { "public static final class" };
        let _ = writeln!(out, "{indent}{kind} {name} {{");
        for (annotation, line) in lines {
            let _ = writeln!(out, "{indent}    {annotation}public {line};");
        }
    }
    if !is_first {
        let _ = writeln!(out, "{indent}}}");
    }
}

/// The annotation of a field with a space behind it, if it needs one, and what it is called.
fn component(imports: &mut Imports, field: &Field, name: &str) -> (String, String) {
    if field.name == "_id" {
        imports.insert("org.bson.codecs.pojo.annotations.BsonId");
        return ("@BsonId ".to_owned(), "id".to_owned());
    }
    // That of `_id`.
    let is_free = is_identifier(name) && !KEYWORDS.contains(&name) && name != "id";
    if is_free && name == field.name {
        return (String::new(), name.to_owned());
    }
    imports.insert("org.bson.codecs.pojo.annotations.BsonProperty");
    let name = if is_free { name.to_owned() } else { format!("{name}_") };
    (format!("@BsonProperty({}) ", literal(&field.name)), name)
}

/// A string of Java: `\u` is read before anything else there, so it is not used.
fn literal(text: &str) -> String {
    let mut out = "\"".to_owned();
    for letter in text.chars() {
        match letter {
            '"' | '\\' => out.extend(['\\', letter]),
            letter if letter.is_ascii_control() => {
                let _ = write!(out, "\\{:03o}", u32::from(letter));
            }
            letter => out.push(letter),
        }
    }
    out + "\""
}

fn of_field(model: &Model, imports: &mut Imports, field: &Field) -> String {
    let primitive = match field.shape.only() {
        Some(Alternative::Leaf(leaf)) if !field.is_optional && !field.shape.is_nullable => primitive(*leaf),
        _ => None,
    };
    primitive.map_or_else(|| of_shape(model, imports, &field.shape), str::to_owned)
}

const fn primitive(leaf: BsonType) -> Option<&'static str> {
    Some(match leaf {
        BsonType::Bool => "boolean",
        BsonType::Int32 => "int",
        BsonType::Int64 => "long",
        BsonType::Double => "double",
        _ => return None,
    })
}

fn of_shape(model: &Model, imports: &mut Imports, shape: &Shape) -> String {
    match shape.only() {
        // Several types, or none that is known.
        None => import(imports, "org.bson.BsonValue"),
        Some(Alternative::Leaf(leaf)) => import(imports, leaf_type(*leaf)),
        Some(Alternative::Object(place)) => model.name(*place).to_owned(),
        Some(Alternative::AnyObject) => import(imports, "org.bson.Document"),
        Some(Alternative::Map(value)) => {
            let value = of_shape(model, imports, value);
            format!("{}<String, {value}>", import(imports, "java.util.Map"))
        }
        Some(Alternative::List(item)) => {
            let item = of_shape(model, imports, item);
            format!("{}<{item}>", import(imports, "java.util.List"))
        }
    }
}

/// The last name of `class`, which is imported unless it needs not be.
fn import(imports: &mut Imports, class: &'static str) -> String {
    if class.contains('.') {
        imports.insert(class);
    }
    class.rsplit('.').next().unwrap_or(class).to_owned()
}

const fn leaf_type(leaf: BsonType) -> &'static str {
    match leaf {
        BsonType::Bool => "Boolean",
        BsonType::Int32 => "Integer",
        BsonType::Int64 => "Long",
        BsonType::Double => "Double",
        BsonType::Decimal128 => "org.bson.types.Decimal128",
        BsonType::String => "String",
        BsonType::ObjectId => "org.bson.types.ObjectId",
        BsonType::Uuid => "java.util.UUID",
        BsonType::Binary => "org.bson.types.Binary",
        BsonType::Date => "java.util.Date",
        BsonType::Timestamp => "org.bson.BsonTimestamp",
        BsonType::Regex => "org.bson.BsonRegularExpression",
        BsonType::Code => "org.bson.types.Code",
        BsonType::CodeWithScope => "org.bson.types.CodeWithScope",
        BsonType::Symbol => "org.bson.types.Symbol",
        BsonType::MinKey => "org.bson.types.MinKey",
        BsonType::MaxKey => "org.bson.types.MaxKey",
        _ => "org.bson.BsonValue",
    }
}
