//! The schema as types of a programming language.

mod java;
mod model;
mod names;
mod python;
mod rust;
mod typescript;

use crate::schema::Schema;
use model::Model;

/// A language that types are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// Structs for serde and the official `bson` crate, version 3.
    Rust,
    /// Interfaces with the types of the official driver `mongodb`.
    TypeScript,
    /// `TypedDict` with the types of PyMongo, for Python 3.11.
    Python,
    /// A record with the types of `org.bson`, for the official driver, on Java 16.
    Java,
}

/// The types of the documents as source text of `language`; the documents themselves are called `name`, and what is in
/// them by their names behind it.
///
/// Where several types occur the type is their union. A member that some objects do not have, and one that may be null, is
/// optional in the language's way.
pub fn definitions(schema: &Schema, language: Language, name: &str) -> String {
    let model = Model::new(schema, name);
    let basis = schema.basis();
    match language {
        Language::Rust => rust::write(&model, &basis),
        Language::TypeScript => typescript::write(&model, &basis),
        Language::Python => python::write(&model, &basis),
        Language::Java => java::write(&model, &basis),
    }
}
