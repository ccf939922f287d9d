//! What keeps new documents right, once the old ones are: read off a profile, a [`Schema`] becomes a validator that a
//! server checks documents by ([`validator`], [`coll_mod`], [`mongosh`]), and types that programs are checked by
//! ([`definitions`]).
//!
//! ```
//! use boson_document::Value;
//! use boson_profile::{Framing, Options, Profiler};
//! use boson_schema::{Schema, Strictness, validator};
//!
//! let mut profiler = Profiler::new(Options::default(), Framing::BSON);
//! for celsius in [21.5, 19.0] {
//!     profiler.document(&Value::Object(vec![("celsius".to_owned(), Value::Double(celsius))]), 0)?;
//! }
//! let schema = Schema::of(&profiler.finish());
//! let validator = validator(&schema, Strictness::default());
//! assert_eq!(validator["$jsonSchema"]["properties"]["celsius"]["bsonType"], "double");
//! assert_eq!(validator["$jsonSchema"]["required"][0], "celsius");
//! # Ok::<(), boson_document::DecodeError>(())
//! ```

mod command;
mod definitions;
mod kind;
mod schema;
mod validator;

pub use command::{Action, Level, Target, coll_mod, mongosh};
pub use definitions::{Language, definitions};
pub use kind::BsonType;
pub use schema::Schema;
pub use validator::{Strictness, validator};
