//! Paths of many documents at once.

use std::fmt;

use boson_document::FieldName;

/// One step down.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Step {
    /// To the member with this name.
    Field(String),
    /// To any member: the names are data.
    Any,
    /// To the elements of an array.
    Elements,
}

/// The way from the root of documents to values: as [`boson_document::PathBuf`], with `[]` for the elements of an array
/// and `.*` for members whose names are data. `$.users.*.tags[]`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Path(pub(crate) Vec<Step>);

impl Path {
    /// The steps from the root.
    pub fn steps(&self) -> &[Step] {
        &self.0
    }

    /// The name that the values go by: the last field of the path, also of what stands in arrays.
    pub fn name(&self) -> &str {
        let fields = self.0.iter().rev().find_map(|step| match step {
            Step::Field(name) => Some(&**name),
            Step::Any | Step::Elements => None,
        });
        fields.unwrap_or_default()
    }

    /// Whether this is `_id`, or in it.
    pub fn is_id(&self) -> bool {
        matches!(self.0.first(), Some(Step::Field(name)) if name == "_id")
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("$")?;
        self.0.iter().try_for_each(|step| match step {
            Step::Field(name) => FieldName(name).fmt(f),
            Step::Any => f.write_str(".*"),
            Step::Elements => f.write_str("[]"),
        })
    }
}
