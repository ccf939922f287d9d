//! What one thread does with documents.

use anyhow::Context;
use boson_document::{Limits, Sink};
use boson_migrate::{Became, Tally};
use boson_profile::{Framing, Options, Profile, Profiler};
use boson_report::FormatSizes;
use boson_store::{Batch, Document};
use boson_transcode::{AnyDocument, Converter, Format, Policy, Report};

use super::faults::Faults;
use super::pass::Planned;
use super::sizes::Meter;

/// Some documents of one file.
pub(super) struct Work {
    pub(super) batch: Batch,
    /// What they are profiled with.
    pub(super) group: usize,
    /// What is done to them before, as a place in the request.
    pub(super) planned: Option<usize>,
    /// Which file, from 0.
    pub(super) file: usize,
    pub(super) name: String,
    pub(super) format: Format,
}

/// Takes documents in.
pub(super) struct Worker<'a> {
    profiler: Profiler,
    planned: Option<Planning<'a>>,
    /// From other formats.
    to_bson: Converter,
    bson: Vec<u8>,
    limits: Limits,
    meter: Option<Meter>,
    faults: Faults,
}

/// What a worker found.
pub(super) struct Found {
    pub(super) profile: Profile,
    pub(super) sizes: Option<FormatSizes>,
    pub(super) faults: Faults,
}

/// What is done to documents before they are looked at.
struct Planning<'a> {
    converter: boson_migrate::Converter<'a>,
    tally: Tally,
    after: Vec<u8>,
}

impl<'a> Planning<'a> {
    fn new(planned: &'a Planned) -> Self {
        let converter = boson_migrate::Converter::new(&planned.rules, planned.damaged);
        Self { converter, tally: Tally::new(&planned.rules), after: Vec::new() }
    }

    /// `document` as it will be; `None` when it is put aside.
    fn convert(&mut self, document: &[u8]) -> anyhow::Result<Option<&[u8]>> {
        self.after.clear();
        let became = self.converter.convert(document, &mut self.after, &mut self.tally)?;
        Ok((became != Became::Quarantined).then_some(&*self.after))
    }
}

impl<'a> Worker<'a> {
    pub(super) fn new(policy: &Policy, sizes: bool, planned: Option<&'a Planned>) -> Self {
        Self {
            profiler: Profiler::new(Options::default(), Framing::BSON),
            planned: planned.map(Planning::new),
            to_bson: Converter::new(Format::Bson, policy.clone()),
            bson: Vec::new(),
            limits: policy.bson_limits,
            meter: sizes.then(|| Meter::new(policy)),
            faults: Faults::default(),
        }
    }

    /// Takes in all documents of `work`. One that cannot be read is counted.
    pub(super) fn take(&mut self, work: &Work) {
        // What a conversion loses is no concern here; a report of all documents would grow without need.
        let mut report = Report::new();
        for document in work.batch.iter() {
            if let Err(error) = self.document(work.format, &document, &mut report) {
                let Document { index, offset, .. } = document;
                let number = index.saturating_add(1);
                let describe = || format!("{}: document {number} at byte {offset}: {error:#}", work.name);
                self.faults.offer((work.file, index), describe);
            }
        }
    }

    fn document(&mut self, format: Format, document: &Document<'_>, report: &mut Report) -> anyhow::Result<()> {
        let mut bson = std::mem::take(&mut self.bson);
        let taken = match self.as_bson(format, document.bytes, &mut bson, report) {
            Ok(bytes) => self.take_in(bytes, report),
            Err(error) => {
                self.faults.unread += 1;
                Err(error)
            }
        };
        self.bson = bson;
        taken
    }

    /// `bytes` in BSON, in `buffer` when they are of another format.
    fn as_bson<'d>(
        &mut self,
        format: Format,
        bytes: &'d [u8],
        buffer: &'d mut Vec<u8>,
        report: &mut Report,
    ) -> anyhow::Result<&'d [u8]> {
        if format == Format::Bson {
            return Ok(bytes);
        }
        buffer.clear();
        self.to_bson.convert(&AnyDocument::new(format, bytes)?, report, buffer)?;
        Ok(buffer)
    }

    /// Takes in a document, or what a plan makes of it.
    fn take_in(&mut self, bytes: &[u8], report: &mut Report) -> anyhow::Result<()> {
        let Some(mut planned) = self.planned.take() else { return self.bson(bytes, report) };
        let taken = match planned.convert(bytes) {
            Ok(Some(after)) => self.bson(after, report),
            Ok(None) => Ok(()),
            Err(error) => {
                self.faults.unread += 1;
                Err(error)
            }
        };
        self.planned = Some(planned);
        taken
    }

    fn bson(&mut self, bytes: &[u8], report: &mut Report) -> anyhow::Result<()> {
        let document = AnyDocument::new(Format::Bson, bytes).inspect_err(|_| self.faults.unread += 1)?;
        let source = Within { document: &document, limits: self.limits };
        let profiled = self.profiler.document(&source, bytes.len() as u64);
        if let Some(meter) = &mut self.meter {
            meter.add(&document, report);
        }
        profiled.map_err(|error| document.locate(error)).context("only what comes before the fault is in the figures")
    }

    pub(super) fn finish(self) -> Found {
        let sizes = self.meter.map(|meter| meter.sizes);
        Found { profile: self.profiler.finish(), sizes, faults: self.faults }
    }
}

/// A document that is read within limits.
struct Within<'d, 'a> {
    document: &'d AnyDocument<'a>,
    limits: Limits,
}

impl boson_document::Source for Within<'_, '_> {
    fn drive<S: Sink>(&self, sink: &mut S) -> Result<(), S::Error> {
        self.document.drive_within(self.limits, sink)
    }
}
