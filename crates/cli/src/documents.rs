//! Going through the documents of the files on the command line.

use std::fs;
use std::io::Read;

use anyhow::Context;
use boson_store::{Compression, DocumentReader, Location, Reader};
use boson_transcode::{AnyDocument, Format};

use crate::args::FormArgs;
use crate::exit::UsageError;
use crate::interrupt;
use crate::output::{WARNING, counted, tell};
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

/// Hands each document of each file to `visit`, with a progress bar; ends at the first fault.
pub(crate) fn for_each(
    files: &[Location],
    form: &FormArgs,
    mut visit: impl FnMut(&Item<'_>) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    for_each_result(files, form, |item| visit(&item?))
}

/// The same with the faults of the files, after which comes what can be read nevertheless.
pub(crate) fn for_each_result(
    files: &[Location],
    form: &FormArgs,
    mut visit: impl FnMut(anyhow::Result<Item<'_>>) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    check_standard(files)?;
    files.iter().try_for_each(|file| for_each_of(file, form, &mut visit))
}

/// Standard input can be read once.
pub(crate) fn check_standard<'a>(files: impl IntoIterator<Item = &'a Location>) -> Result<(), UsageError> {
    let count = files.into_iter().filter(|file| **file == Location::Standard).count();
    if count > 1 { Err(UsageError("standard input, `-`, can be read only once".to_owned())) } else { Ok(()) }
}

fn for_each_of(
    file: &Location,
    form: &FormArgs,
    visit: &mut impl FnMut(anyhow::Result<Item<'_>>) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let mut reader = match open(file, form) {
        Ok(reader) => reader,
        Err(error) => return visit(Err(error)),
    };
    let progress = Progress::of(file);
    let name = file.to_string();
    while let Some(item) = next(&mut reader, &name).transpose() {
        interrupt::check()?;
        let place = item.as_ref().ok().map(|item| (item.offset.saturating_add(item.bytes.len() as u64), item.number));
        visit(item)?;
        if let Some((offset, number)) = place {
            progress.set(offset, number);
        }
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
        tell!(
            "{WARNING}warning:{WARNING:#} {}: cut short: {} whole, {} of the next one at byte {} left out",
            reader.name(),
            counted(cut.whole, "document"),
            counted(cut.bytes, "byte"),
            cut.offset
        );
    }
}

/// How many bytes a regular file has.
pub(crate) fn file_len(file: &Location) -> Option<u64> {
    let metadata = fs::metadata(file.path()?).ok()?;
    metadata.is_file().then_some(metadata.len())
}

/// The same of one that is not compressed, as far as its first bytes tell.
pub(crate) fn plain_len(file: &Location) -> Option<u64> {
    let mut head = Vec::new();
    fs::File::open(file.path()?).ok()?.take(64 << 10).read_to_end(&mut head).ok()?;
    file_len(file).filter(|_| Compression::detect(&head) == Compression::None)
}
