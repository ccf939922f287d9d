//! Explanations: every byte is told once, what is told is right, and hostile input is told in little.
#![expect(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, reason = "tests")]

mod broken;
mod dump;
mod goldens;
mod hostile;
mod images;
mod meanings;
mod pages;
mod selections;
mod vectors;

use boson_document::Limits;
use boson_explain::{Explained, Explanation, Selection, text};
use boson_transcode::Format;

/// The limits of a format.
fn limits(format: Format) -> Limits {
    if format == Format::Bson { Limits::BSON } else { Limits::OSON }
}

fn explain(format: Format, bytes: &[u8]) -> Explanation<'_> {
    Explanation::new(format, bytes, &limits(format)).expect("binary")
}

/// The dump of all of a document or of a part.
fn dump_of(explanation: &Explanation<'_>, selection: Option<&Selection>) -> String {
    let mut dump = Vec::new();
    text::write(explanation, selection, false, &mut dump).unwrap();
    String::from_utf8(dump).unwrap()
}

/// What programs get.
fn json_of(explanation: &Explanation<'_>, selection: Option<&Selection>) -> serde_json::Value {
    serde_json::to_value(Explained { explanation, selection }).unwrap()
}
