//! The commands that put a validator in force.

use std::fmt::Write as _;

use serde_json::{Value, json};

/// Which collection a command is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The database; `None` for the one that the shell uses.
    pub database: Option<String>,
    /// The collection.
    pub collection: String,
}

/// Which writes are checked: `validationLevel`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Level {
    /// All of them.
    #[default]
    Strict,
    /// Not updates of documents that do not pass already.
    Moderate,
}

/// What becomes of a write that does not pass: `validationAction`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Action {
    /// It is done, and logged.
    #[default]
    Warn,
    /// It is refused.
    Error,
}

impl Level {
    /// The word in the command.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Strict => "strict",
            Self::Moderate => "moderate",
        }
    }
}

impl Action {
    /// The word in the command.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Warn => "warn",
            Self::Error => "error",
        }
    }
}

/// The command `collMod` as a document. It takes the place of a validator that the collection has.
pub fn coll_mod(target: &Target, validator: &Value, level: Level, action: Action) -> Value {
    json!({
        "collMod": target.collection,
        "validator": validator,
        "validationLevel": level.name(),
        "validationAction": action.name(),
    })
}

/// A script for `mongosh`: puts the validator in force, counts the documents that do not pass it, and says how to go on.
pub fn mongosh(target: &Target, validator: &Value, level: Level, action: Action) -> String {
    let database = match &target.database {
        Some(database) => format!("db.getSiblingDB({})", Value::from(database.as_str())),
        None => "db".to_owned(),
    };
    let name = Value::from(target.collection.as_str());
    let mut text = String::new();
    // Writing to a string does not fail.
    let _ = write!(
        text,
        "const validator = {validator:#};\n\n\
         // Takes the place of a validator that is there. What does not pass is {}.\n\
         printjson({database}.runCommand({{collMod: {name}, validator, validationLevel: \"{}\", validationAction: \"{}\"}}));\n\n\
         // Documents that are there and do not pass:\n\
         print({database}.getCollection({name}).countDocuments({{$nor: [validator]}}));\n",
        if action == Action::Warn { "logged and written nevertheless" } else { "refused" },
        level.name(),
        action.name()
    );
    if action == Action::Warn {
        let _ = write!(
            text,
            "\n// When there are none, and none are logged (message id 20294) while all writers are at work:\n\
             // {database}.runCommand({{collMod: {name}, validationAction: \"error\"}});\n"
        );
    }
    text
}
