//! Going through the documents of the files on the command line.

use std::fs;

use anyhow::Context;
use boson_store::{DocumentReader, Location, Reader};
use boson_transcode::{AnyDocument, Format};

use crate::args::FormArgs;
use crate::interrupt;
use crate::progress::Progress;

/// A document and how to speak of it.
#[derive(Clone, Copy)]
pub(crate) struct Item<'a> {
    /// The file's name as the user wrote it.
    pub(crate) file: &'a str,
    /// Which document of the file, counted from 1 as people count.
    pub(crate) number: u64,
    /// Where it begins in the file, after decompression.
    pub(crate) offset: u64,
    pub(crate) format: Format,
    pub(crate) bytes: &'a [u8],
}

impl<'a> Item<'a> {
    /// The document, its header checked.
    pub(crate) fn document(&self) -> anyhow::Result<AnyDocument<'a>> {
        AnyDocument::new(self.format, self.bytes).with_context(|| self.place())
    }

    /// `people.bson: document 3 at byte 120`.
    pub(crate) fn place(&self) -> String {
        let Self { file, number, offset, .. } = self;
        format!("{file}: document {number} at byte {offset}")
    }
}

/// Hands each document of each file to `visit`, with a progress bar.
pub(crate) fn for_each(
    files: &[Location],
    form: &FormArgs,
    mut visit: impl FnMut(&Item<'_>) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    files.iter().try_for_each(|file| for_each_of(file, form, &mut visit))
}

fn for_each_of(
    file: &Location,
    form: &FormArgs,
    visit: &mut impl FnMut(&Item<'_>) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let mut reader = open(file, form)?;
    let progress = Progress::of(file);
    let name = file.to_string();
    while let Some(item) = next(&mut reader, &name)? {
        interrupt::check()?;
        visit(&item)?;
        progress.set(item.offset.saturating_add(item.bytes.len() as u64), item.number);
    }
    report_cut(&reader);
    Ok(())
}

/// The documents of one file.
pub(crate) fn open(file: &Location, form: &FormArgs) -> anyhow::Result<DocumentReader> {
    Ok(DocumentReader::open(file, &form.read_options())?)
}

/// The next document of `reader`, which people call `name`.
pub(crate) fn next<'a>(reader: &'a mut DocumentReader, name: &'a str) -> anyhow::Result<Option<Item<'a>>> {
    let Some(format) = reader.format() else { return Ok(None) };
    let document = reader.next_document()?;
    Ok(document.map(|document| Item {
        file: name,
        number: document.index.saturating_add(1),
        offset: document.offset,
        format,
        bytes: document.bytes,
    }))
}

/// Says what `--recover` left out.
pub(crate) fn report_cut(reader: &DocumentReader) {
    if let Some(cut) = reader.cut() {
        let style = crate::output::WARNING;
        anstream::eprintln!(
            "{style}warning:{style:#} {}: cut short: {} whole, {} bytes of the next one at byte {} left out",
            reader.name(),
            crate::output::counted(cut.whole, "document"),
            cut.bytes,
            cut.offset
        );
    }
}

/// How many bytes a regular file has.
pub(crate) fn file_len(file: &Location) -> Option<u64> {
    let metadata = fs::metadata(file.path()?).ok()?;
    metadata.is_file().then_some(metadata.len())
}
