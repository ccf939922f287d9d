//! When a write counts as done.

use std::convert::Infallible;
use std::str::FromStr;

use boson_bson::Tag;

use crate::command::Command;

/// How many members of a replica set must have a write before the server acknowledges it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum WriteConcern {
    /// Most of them: what is acknowledged survives a failover.
    #[default]
    Majority,
    /// So many. With 1 the primary alone: faster, and a failover may lose what was acknowledged.
    Members(u32),
    /// As a rule of the replica set's configuration says that has this name.
    Rule(String),
}

impl FromStr for WriteConcern {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(match (text, text.parse()) {
            ("majority", _) => Self::Majority,
            (_, Ok(count)) => Self::Members(count),
            (rule, Err(_)) => Self::Rule(rule.to_owned()),
        })
    }
}

impl WriteConcern {
    /// Adds it to a command.
    pub(crate) fn put(&self, command: &mut Command) {
        command.open("writeConcern", Tag::Document);
        match self {
            Self::Majority => command.text("w", "majority"),
            // Nothing is known of a write that is not acknowledged at all.
            Self::Members(count) => command.int("w", i32::try_from(*count).unwrap_or(i32::MAX).max(1)),
            Self::Rule(name) => command.text("w", name),
        }
        command.close();
    }
}
