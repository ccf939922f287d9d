//! Reading one side.

use anyhow::Context;
use boson_bson::Document;
use boson_prove::{Measured, Options, Side};
use boson_store::{Batch, Location, Opened};
use boson_transcode::AnyDocument;

use super::sources::{From, Sources};
use crate::args::FormArgs;
use crate::documents::{Item, for_each};
use crate::exit::UsageError;
use crate::interrupt;
use crate::progress::Progress;

/// What decoding is measured on: the first documents, as far as they fit into so many bytes.
const SAMPLE_BYTES_MAX: usize = 16 << 20;
const SAMPLE_DOCUMENTS_MAX: usize = 10_000;

pub(super) struct Read {
    pub(super) measured: Measured,
    pub(super) sample: Vec<Vec<u8>>,
}

/// Reads the collections of one side that are wanted, each by its place among them; `None` for one without documents.
pub(super) fn read(
    file: &Location,
    form: &FormArgs,
    sources: &Sources,
    wanted: &[(usize, &Options)],
) -> anyhow::Result<Vec<Option<Read>>> {
    let mut reading: Vec<Reading> = wanted.iter().map(|(place, options)| Reading::new(*place, options)).collect();
    if matches!(sources.from, From::Archive) {
        read_archive(file, form, sources, &mut reading)?;
        return Ok(reading.into_iter().map(Reading::finish).collect());
    }
    let mut all = Vec::new();
    for mut reading in reading {
        let own = sources.collections.get(reading.place);
        let data = own.and_then(|own| own.file(&sources.from));
        read_file(data.as_ref().unwrap_or(file), form, &mut reading)?;
        all.push(reading.finish());
    }
    Ok(all)
}

fn read_file(file: &Location, form: &FormArgs, reading: &mut Reading) -> anyhow::Result<()> {
    for_each(std::slice::from_ref(file), form, |item| {
        let AnyDocument::Bson(document) = item.document()? else { return Err(not_bson(item).into()) };
        reading.add(document).with_context(|| item.place())
    })
}

/// The documents of an archive come as they were dumped: those of all collections in turns.
fn read_archive(file: &Location, form: &FormArgs, sources: &Sources, reading: &mut [Reading]) -> anyhow::Result<()> {
    let Opened::Archive(mut archive) = Opened::open(file, &form.read_options())? else { return Ok(()) };
    let progress = Progress::of(file);
    let mut batch = Batch::with_size(1 << 20, 1024);
    let mut documents = 0;
    while let Some(part) = archive.next_part(&mut batch)? {
        interrupt::check()?;
        let name = archive.collections().get(part.collection).map(|own| own.namespace.to_string()).unwrap_or_default();
        let is_own =
            |reading: &&mut Reading| sources.collections.get(reading.place).is_some_and(|own| own.name == name);
        let Some(reading) = reading.iter_mut().find(is_own) else { continue };
        for item in batch.iter() {
            let document = Document::new(item.bytes)?;
            reading
                .add(document)
                .with_context(|| format!("{file}: {name}: document {}", item.index.saturating_add(1)))?;
            documents += 1;
            progress.set(item.offset.saturating_add(item.bytes.len() as u64), documents);
        }
    }
    Ok(())
}

/// A collection that is being read.
struct Reading {
    place: usize,
    side: Side,
    sample: Sample,
    documents: u64,
}

impl Reading {
    fn new(place: usize, options: &Options) -> Self {
        Self { place, side: Side::new(options), sample: Sample::default(), documents: 0 }
    }

    fn add(&mut self, document: Document<'_>) -> anyhow::Result<()> {
        self.side.add(&document).map_err(|error| document.locate(error))?;
        self.sample.add(document.bytes());
        self.documents += 1;
        Ok(())
    }

    fn finish(self) -> Option<Read> {
        (self.documents > 0).then(|| Read { measured: self.side.finish(), sample: self.sample.documents })
    }
}

fn not_bson(item: &Item<'_>) -> UsageError {
    UsageError(format!("{} is {}: prove compares BSON; boson convert makes it", item.file, item.format))
}

#[derive(Default)]
struct Sample {
    documents: Vec<Vec<u8>>,
    bytes: usize,
}

impl Sample {
    fn add(&mut self, document: &[u8]) {
        if self.documents.len() < SAMPLE_DOCUMENTS_MAX && self.bytes + document.len() <= SAMPLE_BYTES_MAX {
            self.bytes += document.len();
            self.documents.push(document.to_vec());
        }
    }
}
