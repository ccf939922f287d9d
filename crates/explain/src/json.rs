//! The explanation for programs.

use std::fmt::Write as _;

use boson_document::{Located, Note};
use boson_transcode::diff::Operand;
use serde::ser::{Serialize, SerializeSeq, SerializeStruct, Serializer};

use crate::{Explanation, Selection};

/// An explanation that serde writes as an object: `format`, `bytes`, `fault` (`null`, or its `offset`, `path` and `error`), and
/// `regions`, each with `offset`, `length`, `role`, `section`, `depth`, `meaning` and, where there are any, `details`, `value`,
/// `points_to`, `hex` and `hidden`, the number of bytes that are not in `hex`.
///
/// Regions are written as the document is walked.
#[derive(Clone, Copy, Debug)]
pub struct Explained<'e, 'a> {
    /// What is explained.
    pub explanation: &'e Explanation<'a>,
    /// The one value to tell of.
    pub selection: Option<&'e Selection>,
}

impl Serialize for Explained<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("Explained", 4)?;
        object.serialize_field("format", self.explanation.format().name())?;
        object.serialize_field("bytes", &self.explanation.bytes().len())?;
        object.serialize_field("fault", &self.explanation.fault().map(Fault::new))?;
        object.serialize_field("regions", &Regions(*self))?;
        object.end()
    }
}

#[derive(serde::Serialize)]
struct Fault {
    offset: usize,
    path: String,
    error: String,
}

impl Fault {
    fn new(fault: &Located) -> Self {
        Self { offset: fault.error.offset, path: fault.path.to_string(), error: fault.error.kind.to_string() }
    }
}

struct Regions<'e, 'a>(Explained<'e, 'a>);

impl Serialize for Regions<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Explained { explanation, selection } = self.0;
        let mut regions = serializer.serialize_seq(None)?;
        explanation.notes(selection, |note| regions.serialize_element(&Region::new(note, explanation.bytes())))?;
        regions.end()
    }
}

#[derive(serde::Serialize)]
struct Region<'n> {
    offset: usize,
    length: usize,
    role: &'static str,
    section: &'static str,
    depth: u32,
    meaning: &'n str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    details: Vec<&'n str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    points_to: Option<usize>,
    hex: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    hidden: Option<usize>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    is_fault: bool,
}

impl<'n> Region<'n> {
    fn new(note: &'n Note<'_>, bytes: &[u8]) -> Self {
        let span = note.region.span;
        let shown = bytes.get(span.offset..span.offset.saturating_add(note.shown)).unwrap_or_default();
        let mut hex = String::with_capacity(shown.len().saturating_mul(2));
        for byte in shown {
            // Writing to a string cannot fail.
            let _ = write!(hex, "{byte:02x}");
        }
        let mut lines = note.meaning.lines();
        Self {
            offset: span.offset,
            length: span.len,
            role: note.region.role.name(),
            section: note.section,
            depth: note.region.depth,
            meaning: lines.next().unwrap_or_default(),
            details: lines.collect(),
            value: note.value.map(|value| Operand::Scalar(value).to_string()),
            points_to: note.points_to,
            hex,
            hidden: span.len.checked_sub(note.shown).filter(|&hidden| hidden > 0),
            is_fault: note.is_fault,
        }
    }
}
