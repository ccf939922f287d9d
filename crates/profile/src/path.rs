//! Paths of many documents at once.

use std::fmt;
use std::str::FromStr;

use boson_document::{FieldName, PathBuf, Segment};

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

impl FromIterator<Step> for Path {
    fn from_iter<I: IntoIterator<Item = Step>>(steps: I) -> Self {
        Self(steps.into_iter().collect())
    }
}

impl FromStr for Path {
    type Err = ParsePathError;

    /// Reads what [`Display`](fmt::Display) writes; the `$` may be left out.
    fn from_str(text: &str) -> Result<Self, ParsePathError> {
        let mut steps = Vec::new();
        let mut rest = text.strip_prefix('$').unwrap_or(text);
        while !rest.is_empty() {
            let len = step_len(rest);
            let (step, behind) = rest.split_at_checked(len).unwrap_or((rest, ""));
            steps.push(match step {
                "[]" => Step::Elements,
                ".*" | "*" => Step::Any,
                name => field(name).ok_or_else(|| ParsePathError { text: text.to_owned() })?,
            });
            rest = behind;
        }
        Ok(Self(steps))
    }
}

/// The bytes of the first step of `text`.
fn step_len(text: &str) -> usize {
    if let Some(quoted) = text.strip_prefix("[\"") {
        let mut escaped = false;
        let end = quoted.bytes().position(|byte| {
            let closes = byte == b'"' && !escaped;
            escaped = byte == b'\\' && !escaped;
            closes
        });
        return end.map_or(text.len(), |end| (end + 4).min(text.len()));
    }
    if text.starts_with('[') {
        return text.find(']').map_or(text.len(), |end| end + 1);
    }
    let own = text.len() - text.trim_start_matches('.').len();
    text.get(own..).and_then(|name| name.find(['.', '['])).map_or(text.len(), |end| own + end)
}

/// The one member that `step` leads to; `None` when it is no name.
fn field(step: &str) -> Option<Step> {
    let dot = if step.starts_with(['.', '[']) { "" } else { "." };
    let path: PathBuf = format!("${dot}{step}").parse().ok()?;
    match path.segments() {
        [Segment::Field(name)] => Some(Step::Field(name.clone())),
        _ => None,
    }
}

/// The text is not the path of values in many documents.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is no path, as `$.a.b`, `$.list[].price`, `$.users.*.name` or `$[\"odd.name\"]` are")]
pub struct ParsePathError {
    text: String,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_read_as_they_are_written() {
        for text in
            ["$", "$.a", "$.a.b[].c", "$.users.*.tags[]", "$[\"a.b\"].c", "$[\"*\"]", "$[\"q\\\"]\\\\\"].x", "$[][]"]
        {
            assert_eq!(text.parse::<Path>().unwrap().to_string(), text);
        }
        assert_eq!("a.b".parse::<Path>().unwrap().to_string(), "$.a.b");
        assert_eq!("$.*".parse::<Path>().unwrap().steps(), [Step::Any]);
        assert_eq!("$[\"*\"]".parse::<Path>().unwrap().steps(), [Step::Field("*".to_owned())]);
    }

    #[test]
    fn what_is_no_path_is_refused() {
        for text in ["$.", "$..a", "$.a[0]", "$[", "$[\"a", "$.a."] {
            assert!(text.parse::<Path>().is_err(), "{text}");
        }
    }
}
