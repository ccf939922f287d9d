//! Making a change in a document of any format.

use anyhow::anyhow;
use boson_document::edit::{Buffer, Change, Edit, EditError, Reason, Recorded, Touch};
use boson_document::{Builder, PathBuf, Source, Span};
use boson_json::{Style, Text, Writer};
use boson_oson::edit::{Editor, Policy as CompactPolicy};
use boson_oson::write::Options;
use boson_transcode::{Format, Policy};

/// A document that was changed.
pub(super) struct Changed {
    /// Its bytes, and what was done to them.
    pub(super) buffer: Recorded<Vec<u8>>,
    /// How many bytes it had before.
    pub(super) len_before: usize,
    pub(super) edit: Edit,
    /// Whether an image was written anew afterwards, because so much of it was of no use any more.
    pub(super) compacted: bool,
}

impl Changed {
    /// The bytes that were overwritten and were there before; what stands behind them is in any case new.
    pub(super) fn overwritten(&self) -> impl Iterator<Item = Span> {
        let spans = self.buffer.touches().iter().filter_map(|touch| match touch {
            Touch::Written(span) | Touch::Spliced { added: span, .. } => Some(*span),
            Touch::Appended(_) | Touch::Truncated(_) => None,
        });
        let clipped = spans.map(|span| Span::between(span.offset, span.end().min(self.len_before)));
        clipped.filter(|span| !span.is_empty())
    }

    /// How many bytes it has more than before.
    pub(super) fn grown(&self) -> usize {
        self.buffer.as_bytes().len().saturating_sub(self.len_before)
    }

    /// How many bytes were overwritten or inserted, and how many were put behind the last one.
    pub(super) fn written(&self) -> (usize, usize) {
        match self.edit {
            // Text has no buffer, and of a new image it does not matter where the old one ended.
            Edit::Rebuilt { .. } => (self.buffer.as_bytes().len(), 0),
            Edit::Appended { .. } if !self.compacted => (self.overwritten().map(|span| span.len).sum(), self.grown()),
            _ => (self.buffer.written(), self.buffer.appended()),
        }
    }
}

/// The path leads to no place for the change.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Nowhere(pub(super) boson_document::edit::PathError);

/// What a document is not changed for.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Unfit(String);

/// Makes `change` at `path` in the document that `bytes` are. With `in_place` an image stays as large as it got.
pub(super) fn apply(
    format: Format,
    bytes: &[u8],
    path: &PathBuf,
    change: &Change<'_>,
    policy: &Policy,
    in_place: bool,
) -> anyhow::Result<Changed> {
    let mut buffer = Recorded::new(bytes.to_vec());
    match format {
        Format::Bson => {
            let mut editor = boson_bson::edit::Editor::open(&mut buffer)?.with_limits(policy.bson_limits);
            let edit = editor.change(path, change).map_err(refused)?;
            Ok(Changed { buffer, len_before: bytes.len(), edit, compacted: false })
        }
        Format::Oson => {
            let options = Options { style: policy.oson_style, limits: policy.oson_limits, ..Options::default() };
            let mut editor = Editor::open(&mut buffer)?.with_options(&options);
            let edit = editor.change(path, change).map_err(refused)?;
            let compacted = !in_place && editor.compact_by(&CompactPolicy::default()).map_err(refused)?.is_some();
            Ok(Changed { buffer, len_before: bytes.len(), edit, compacted })
        }
        Format::Json => json(bytes, path, change, policy),
    }
}

fn json(bytes: &[u8], path: &PathBuf, change: &Change<'_>, policy: &Policy) -> anyhow::Result<Changed> {
    let mut builder = Builder::new();
    let text = Text::new(bytes).with_limits(policy.json_limits);
    text.drive(&mut builder).map_err(|error| boson_transcode::AnyDocument::Json(text).locate(error))?;
    let mut tree = builder.finish().ok_or_else(|| anyhow!("there is no document"))?;
    tree.change(path, change).map_err(Nowhere)?;
    let mut writer = Writer::new(Vec::new(), Style::Plain);
    tree.drive(&mut writer)?;
    let text = writer.into_inner();
    let edit = Edit::Rebuilt { written: text.len(), reason: Reason::Text };
    Ok(Changed { buffer: Recorded::new(text), len_before: bytes.len(), edit, compacted: false })
}

fn refused<E: std::fmt::Display>(error: EditError<E>) -> anyhow::Error {
    match error {
        EditError::Path(error) => Nowhere(error).into(),
        EditError::Decode(error) => error.into(),
        EditError::Encode(error) => Unfit(error.to_string()).into(),
    }
}
