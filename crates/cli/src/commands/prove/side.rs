//! Reading one side.

use anyhow::{Context, ensure};
use boson_prove::{Measured, Options, Side};
use boson_store::Location;
use boson_transcode::AnyDocument;

use crate::args::FormArgs;
use crate::documents::{Item, for_each};
use crate::exit::UsageError;

/// What decoding is measured on: the first documents, as far as they fit into so many bytes.
const SAMPLE_BYTES_MAX: usize = 16 << 20;
const SAMPLE_DOCUMENTS_MAX: usize = 10_000;

pub(super) struct Read {
    pub(super) measured: Measured,
    pub(super) sample: Vec<Vec<u8>>,
}

pub(super) fn read(file: &Location, form: &FormArgs, options: &Options) -> anyhow::Result<Read> {
    let mut side = Side::new(options);
    let mut sample = Sample::default();
    for_each(std::slice::from_ref(file), form, |item| {
        let AnyDocument::Bson(document) = item.document()? else { return Err(not_bson(item).into()) };
        side.add(&document).map_err(|error| document.locate(error)).with_context(|| item.place())?;
        sample.add(item.bytes);
        Ok(())
    })?;
    let measured = side.finish();
    ensure!(measured.documents > 0, UsageError(format!("{file} holds no documents, so nothing can be proved")));
    Ok(Read { measured, sample: sample.documents })
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
