//! One pass over all sources: documents go in batches to threads, each of which makes a profile; merged, they are the
//! same as if one had made it.

use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;

use boson_profile::{Framing, Options, Profile, Profiler};
use boson_store::{Batch, DocumentReader, Location, Reader};

use super::faults::Faults;
use super::sizes::Sizes;
use super::worker::{Found, Work, Worker};
use super::{AnalyzeArgs, Outcome, Source, saved};
use crate::documents::{open, report_cut};
use crate::interrupt;
use crate::progress::Progress;

/// Bytes, and documents, that are handed on at once.
const BATCH_BYTES: usize = 1 << 20;
const BATCH_DOCUMENTS: usize = 1024;

/// Reads all sources.
pub(super) fn read(args: &AnalyzeArgs) -> anyhow::Result<Outcome> {
    let threads = args.threads();
    let (fed, found) = if threads == 1 { alone(args)? } else { together(args, threads)? };
    let nothing = || Profiler::new(Options::default(), Framing::BSON).finish();
    let mut profile = fed.saved.unwrap_or_else(nothing);
    let mut sizes: Option<Sizes> = None;
    let mut faults = Faults::default();
    for part in found {
        profile = profile.merge(part.profile)?;
        faults.merge(part.faults);
        if let Some(part) = part.sizes {
            sizes.get_or_insert_default().merge(part);
        }
    }
    let profile = if fed.is_sample { profile.as_sample() } else { profile };
    let sizes = sizes.filter(|_| fed.sources.iter().any(|source| source.format != Some(PROFILE)));
    Ok(Outcome { profile, sources: fed.sources, sizes, faults })
}

fn new_worker(args: &AnalyzeArgs) -> Worker {
    Worker::new(&args.policy(), !args.no_sizes)
}

/// In this thread.
fn alone(args: &AnalyzeArgs) -> anyhow::Result<(Fed, Vec<Found>)> {
    let mut worker = new_worker(args);
    let fed = Feed::new(args).run(|work| {
        worker.take(&work);
        Ok(Some(work.batch))
    })?;
    Ok((fed, vec![worker.finish()]))
}

/// In `threads` threads, which this one feeds.
fn together(args: &AnalyzeArgs, threads: usize) -> anyhow::Result<(Fed, Vec<Found>)> {
    let (work_in, work_out) = sync_channel::<Work>(threads);
    let (spare_in, spare_out) = sync_channel::<Batch>(threads * 3);
    let work_out = Mutex::new(work_out);
    thread::scope(|scope| {
        let start = |_| scope.spawn(|| work(new_worker(args), &work_out, &spare_in));
        let workers: Vec<_> = (0..threads).map(start).collect();
        let fed = Feed::new(args).run(|work| {
            work_in.send(work).map_err(|_| anyhow::anyhow!("a thread has ended"))?;
            match spare_out.try_recv() {
                Ok(batch) => Ok(Some(batch)),
                Err(TryRecvError::Empty | TryRecvError::Disconnected) => Ok(None),
            }
        });
        drop(work_in);
        let found: Result<Vec<Found>, _> = workers.into_iter().map(thread::ScopedJoinHandle::join).collect();
        Ok((fed?, found.map_err(|_| anyhow::anyhow!("a thread has failed"))?))
    })
}

/// Takes in what comes until nothing more can come.
fn work(mut worker: Worker, work: &Mutex<Receiver<Work>>, spare: &SyncSender<Batch>) -> Found {
    loop {
        let received = work.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(work) = received else { return worker.finish() };
        worker.take(&work);
        // Where nobody takes it the memory is let go.
        let _ = spare.try_send(work.batch);
    }
}

/// What was read, apart from what became of the documents.
struct Fed {
    sources: Vec<Source>,
    /// The profiles among the sources, merged.
    saved: Option<Profile>,
    is_sample: bool,
}

/// The name of the format of a saved profile.
const PROFILE: &str = "profile";

/// Reads the sources one after the other.
struct Feed<'a> {
    args: &'a AnalyzeArgs,
    /// How many documents are still wanted.
    wanted: Option<usize>,
    spare: Option<Batch>,
    fed: Fed,
}

impl<'a> Feed<'a> {
    fn new(args: &'a AnalyzeArgs) -> Self {
        let fed = Fed { sources: Vec::new(), saved: None, is_sample: false };
        Self { args, wanted: args.sample.map(Into::into), spare: None, fed }
    }

    /// Hands all documents to `hand_on`, which gives back a batch that is no longer needed.
    fn run(mut self, mut hand_on: impl FnMut(Work) -> anyhow::Result<Option<Batch>>) -> anyhow::Result<Fed> {
        for (number, file) in self.args.files.iter().enumerate() {
            if self.fed.is_sample {
                break;
            }
            let source =
                if saved::is_profile(file) { self.profile(file)? } else { self.file(number, file, &mut hand_on)? };
            self.fed.sources.push(source);
        }
        Ok(self.fed)
    }

    fn profile(&mut self, file: &Location) -> anyhow::Result<Source> {
        let profile = saved::read(file)?;
        let documents = profile.documents();
        let (documents, bytes) = (documents.count(), documents.total());
        self.fed.saved = Some(match self.fed.saved.take() {
            None => profile,
            Some(saved) => saved.merge(profile)?,
        });
        Ok(Source { name: file.to_string(), format: Some(PROFILE), documents, bytes })
    }

    fn file(
        &mut self,
        number: usize,
        file: &Location,
        hand_on: &mut impl FnMut(Work) -> anyhow::Result<Option<Batch>>,
    ) -> anyhow::Result<Source> {
        let mut reader = open(file, &self.args.form)?;
        let progress = Progress::of(file);
        let name = file.to_string();
        let mut source = Source { name, format: None, documents: 0, bytes: 0 };
        let Some(format) = reader.format() else { return Ok(source) };
        source.format = Some(format.name());
        while let Some(batch) = self.next(&mut reader)? {
            let end = note(&mut source, &batch);
            let work = Work { batch, file: number, name: source.name.clone(), format };
            self.spare = hand_on(work)?;
            // The bar looks at every 256th document only.
            progress.set(end, source.documents - source.documents % 256);
            interrupt::check()?;
        }
        report_cut(&reader);
        Ok(source)
    }

    /// The next documents that are wanted.
    fn next(&mut self, reader: &mut DocumentReader) -> anyhow::Result<Option<Batch>> {
        let wanted = self.wanted.unwrap_or(BATCH_DOCUMENTS);
        if wanted == 0 {
            self.fed.is_sample = reader.next_document()?.is_some();
            return Ok(None);
        }
        let spare = self.spare.take().filter(|_| wanted >= BATCH_DOCUMENTS);
        let new = || Batch::with_size(BATCH_BYTES, wanted.min(BATCH_DOCUMENTS));
        let mut batch = spare.unwrap_or_else(new);
        let read = reader.read_batch(&mut batch)?;
        self.wanted = self.wanted.map(|wanted| wanted.saturating_sub(read));
        Ok((read > 0).then_some(batch))
    }
}

/// Adds the documents to `source`; returns where the last one ends.
fn note(source: &mut Source, batch: &Batch) -> u64 {
    let mut end = 0;
    for document in batch.iter() {
        source.documents += 1;
        source.bytes += document.bytes.len() as u64;
        end = document.offset + document.bytes.len() as u64;
    }
    end
}
