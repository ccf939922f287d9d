//! The schema as `$jsonSchema`: JSON Schema draft 4 as MongoDB has it, with `bsonType`.

use serde_json::{Map, Value, json};

use crate::kind::BsonType;
use crate::schema::{Node, ROOT, Schema};

/// How much a validator allows beyond what the documents hold today.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Strictness {
    /// Whether a number may be of any numeric type: drivers for JavaScript, PHP and the shell write `20.0` as an int.
    pub any_number: bool,
    /// Whether objects may hold only the names that they hold today.
    pub closed: bool,
}

/// The validator: `{"$jsonSchema": …}`. Every document that the schema was read off passes it.
///
/// Names that a path cannot lead to (`a.b`, `$x`, the empty one) stand in `patternProperties`, which a server compares with
/// names as they are; that they must be there cannot be said of them.
pub fn validator(schema: &Schema, strictness: Strictness) -> Value {
    let mut root = of_node(schema, schema.node(ROOT), strictness);
    if let Value::Object(root) = &mut root {
        root.insert("bsonType".to_owned(), "object".into());
        root.insert("title".to_owned(), schema.basis().into());
    }
    json!({ "$jsonSchema": root })
}

/// Goes down as deep as schemas are, which is limited.
fn of_node(schema: &Schema, node: &Node, strictness: Strictness) -> Value {
    let mut out = Map::new();
    if let Some(types) = types(node, strictness) {
        out.insert("bsonType".to_owned(), types);
    }
    if node.is(BsonType::Object) {
        object(schema, node, strictness, &mut out);
    }
    if let Some(elements) = node.elements.filter(|_| node.is(BsonType::Array)) {
        let items = of_node(schema, schema.node(elements), strictness);
        if items != json!({}) {
            out.insert("items".to_owned(), items);
        }
    }
    Value::Object(out)
}

fn types(node: &Node, strictness: Strictness) -> Option<Value> {
    let mut names: Vec<&str> = Vec::new();
    for known in node.known_types() {
        let name = if strictness.any_number && known.is_number() { "number" } else { known.alias() };
        if !names.contains(&name) {
            names.push(name);
        }
    }
    match &*names {
        [] => None,
        [one] => Some((*one).into()),
        several => Some(several.to_vec().into()),
    }
}

fn object(schema: &Schema, node: &Node, strictness: Strictness, out: &mut Map<String, Value>) {
    let (mut properties, mut patterns, mut required) = (Map::new(), Map::new(), Vec::new());
    for member in &node.members {
        let value = of_node(schema, schema.node(member.node), strictness);
        if is_reachable(&member.name) {
            properties.insert(member.name.clone(), value);
            required.extend(member.is_required.then(|| Value::from(member.name.as_str())));
        } else {
            patterns.insert(pattern(&member.name), value);
        }
    }
    for (keyword, schemas) in [("properties", properties), ("patternProperties", patterns)] {
        if !schemas.is_empty() {
            out.insert(keyword.to_owned(), schemas.into());
        }
    }
    // An empty list is not allowed.
    if !required.is_empty() {
        out.insert("required".to_owned(), required.into());
    }
    if let Some(others) = node.others {
        out.insert("additionalProperties".to_owned(), of_node(schema, schema.node(others), strictness));
    } else if strictness.closed && !node.is_open {
        out.insert("additionalProperties".to_owned(), false.into());
    }
}

/// Whether a server takes `name` for that of one member, and not for a path or an operator.
fn is_reachable(name: &str) -> bool {
    !(name.is_empty() || name.contains('.') || name.starts_with('$'))
}

/// The regular expression that only `name` matches.
fn pattern(name: &str) -> String {
    let mut pattern = "^".to_owned();
    for letter in name.chars() {
        if letter.is_ascii_punctuation() && letter != '_' {
            pattern.push('\\');
        }
        pattern.push(letter);
    }
    pattern.push('$');
    pattern
}
