//! One pass over all sources: documents go in batches to threads, each of which makes a profile; merged, they are the
//! same as if one had made it.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;

use boson_migrate::{Damaged, Rules};
use boson_profile::{Framing, Options, Profile, Profiler};
use boson_report::{FormatSizes, Outcome, Source};
use boson_store::{
    ArchiveReader, Batch, Collection, CollectionKind, DocumentReader, DumpFolder, Location, Opened, ReadOptions, Reader,
};
use boson_transcode::{Format, Policy};

use super::faults::Faults;
use super::saved;
use super::worker::{Found, Work, Worker};
use crate::documents::report_cut;
use crate::exit::UsageError;
use crate::interrupt;
use crate::output::{WARNING, tell};
use crate::progress::Progress;

/// Bytes, and documents, that are handed on at once.
const BATCH_BYTES: usize = 1 << 20;
const BATCH_DOCUMENTS: usize = 1024;

/// What is to be read, and how.
pub(in crate::commands) struct Request<'a> {
    /// Documents, dumps, saved profiles.
    pub(in crate::commands) files: &'a [Location],
    pub(in crate::commands) read: ReadOptions,
    pub(in crate::commands) policy: Policy,
    /// How many documents are wanted, when that is not all.
    pub(in crate::commands) sample: Option<usize>,
    /// Whether the documents are measured as JSON and OSON as well.
    pub(in crate::commands) sizes: bool,
    pub(in crate::commands) threads: usize,
    /// What is converted before it is looked at, by collection.
    pub(in crate::commands) planned: &'a [Planned],
}

/// What becomes of a collection's documents by a plan.
pub(in crate::commands) struct Planned {
    /// The collection's name in the plan.
    pub(in crate::commands) name: String,
    pub(in crate::commands) rules: Rules,
    pub(in crate::commands) damaged: Damaged,
}

impl Request<'_> {
    /// What is done to the documents of `collection`, as a place in the list.
    fn planned(&self, collection: Option<&Collection>) -> Option<usize> {
        let name = collection.map(|collection| collection.namespace.to_string()).unwrap_or_default();
        self.planned.iter().position(|planned| planned.name == name)
    }
}

/// Reads all sources: an outcome for the files of documents together, and one for each collection of a dump.
pub(in crate::commands) fn read(request: &Request<'_>) -> anyhow::Result<Vec<Outcome>> {
    let threads = request.threads;
    let (fed, found) = if threads == 1 { alone(request)? } else { together(request, threads)? };
    let mut outcomes = Vec::new();
    let mut found: Vec<_> = found.into_iter().flatten().collect();
    for (number, group) in fed.groups.into_iter().enumerate() {
        let (own, others) = found.into_iter().partition(|(place, _)| *place == number);
        found = others;
        if group.collection.is_some() || !group.sources.is_empty() {
            outcomes.push(outcome(group, own, fed.is_sample)?);
        }
    }
    Ok(outcomes)
}

fn outcome(group: Group, found: Parts, is_sample: bool) -> anyhow::Result<Outcome> {
    let nothing = || Profiler::new(Options::default(), Framing::BSON).finish();
    let mut profile = group.saved.unwrap_or_else(nothing);
    let mut sizes: Option<FormatSizes> = None;
    let mut faults = Faults::default();
    for (_, part) in found {
        profile = profile.merge(part.profile)?;
        faults.merge(part.faults);
        if let Some(part) = part.sizes {
            sizes.get_or_insert_default().merge(part);
        }
    }
    let profile = if is_sample { profile.as_sample() } else { profile };
    let sizes = sizes.filter(|_| group.sources.iter().any(|source| source.format != Some(PROFILE)));
    let (unread, first_fault) = (faults.unread, faults.into_first());
    Ok(Outcome { collection: group.collection, profile, sources: group.sources, sizes, unread, first_fault })
}

/// What one thread found of each group that it met.
type Parts = Vec<(usize, Found)>;

/// What one thread does, for each group of documents.
struct Workers<'a> {
    request: &'a Request<'a>,
    groups: BTreeMap<usize, Worker<'a>>,
}

impl<'a> Workers<'a> {
    const fn new(request: &'a Request<'a>) -> Self {
        Self { request, groups: BTreeMap::new() }
    }

    fn take(&mut self, work: &Work) {
        let planned = || work.planned.and_then(|place| self.request.planned.get(place));
        let new = || Worker::new(&self.request.policy, self.request.sizes, planned());
        self.groups.entry(work.group).or_insert_with(new).take(work);
    }

    fn finish(self) -> Parts {
        self.groups.into_iter().map(|(group, worker)| (group, worker.finish())).collect()
    }
}

/// In this thread.
fn alone(request: &Request<'_>) -> anyhow::Result<(Fed, Vec<Parts>)> {
    let mut workers = Workers::new(request);
    let fed = Feed::new(request).run(|work| {
        workers.take(&work);
        Ok(Some(work.batch))
    })?;
    Ok((fed, vec![workers.finish()]))
}

/// In `threads` threads, which this one feeds.
fn together(request: &Request<'_>, threads: usize) -> anyhow::Result<(Fed, Vec<Parts>)> {
    let (work_in, work_out) = sync_channel::<Work>(threads);
    let (spare_in, spare_out) = sync_channel::<Batch>(threads * 3);
    let work_out = Mutex::new(work_out);
    thread::scope(|scope| {
        let start = |_| scope.spawn(|| work(Workers::new(request), &work_out, &spare_in));
        let workers: Vec<_> = (0..threads).map(start).collect();
        let fed = Feed::new(request).run(|work| {
            work_in.send(work).map_err(|_| anyhow::anyhow!("a thread has ended"))?;
            match spare_out.try_recv() {
                Ok(batch) => Ok(Some(batch)),
                Err(TryRecvError::Empty | TryRecvError::Disconnected) => Ok(None),
            }
        });
        drop(work_in);
        let found: Result<Vec<_>, _> = workers.into_iter().map(thread::ScopedJoinHandle::join).collect();
        Ok((fed?, found.map_err(|_| anyhow::anyhow!("a thread has failed"))?))
    })
}

/// Takes in what comes until nothing more can come.
fn work(mut workers: Workers<'_>, work: &Mutex<Receiver<Work>>, spare: &SyncSender<Batch>) -> Parts {
    loop {
        let received = work.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(work) = received else { return workers.finish() };
        workers.take(&work);
        // Where nobody takes it the memory is let go.
        let _ = spare.try_send(work.batch);
    }
}

/// What was read, apart from what became of the documents.
struct Fed {
    /// The files of documents, and after them each collection of a dump.
    groups: Vec<Group>,
    is_sample: bool,
}

/// What is profiled together.
#[derive(Default)]
struct Group {
    collection: Option<Collection>,
    sources: Vec<Source>,
    /// The profiles among the sources, merged.
    saved: Option<Profile>,
}

/// The name of the format of a saved profile.
const PROFILE: &str = "profile";

/// Takes documents over; gives back a batch that is no longer needed.
type HandOn<'a> = &'a mut dyn FnMut(Work) -> anyhow::Result<Option<Batch>>;

/// Reads the sources one after the other.
struct Feed<'a> {
    request: &'a Request<'a>,
    /// How many documents are still wanted.
    wanted: Option<usize>,
    spare: Option<Batch>,
    fed: Fed,
    /// How many files were begun.
    files: usize,
}

impl<'a> Feed<'a> {
    fn new(request: &'a Request<'a>) -> Self {
        let fed = Fed { groups: vec![Group::default()], is_sample: false };
        Self { request, wanted: request.sample, spare: None, fed, files: 0 }
    }

    /// Hands all documents to `hand_on`.
    fn run(mut self, mut hand_on: impl FnMut(Work) -> anyhow::Result<Option<Batch>>) -> anyhow::Result<Fed> {
        for file in self.request.files {
            if self.fed.is_sample {
                break;
            }
            match file.path().filter(|path| path.is_dir()) {
                Some(folder) => self.folder(folder, &mut hand_on)?,
                None if saved::is_profile(file) => self.profile(file)?,
                None => self.file(file, 0, &mut hand_on)?,
            }
        }
        Ok(self.fed)
    }

    fn profile(&mut self, file: &Location) -> anyhow::Result<()> {
        if !self.request.planned.is_empty() {
            let what = "a saved profile holds no documents to convert by a plan: name what it was made from";
            return Err(UsageError(format!("{file}: {what}")).into());
        }
        let profile = saved::read(file)?;
        let documents = profile.documents();
        let (documents, bytes) = (documents.count(), documents.total());
        let source = Source { name: file.to_string(), format: Some(PROFILE), documents, bytes };
        if let Some(group) = self.fed.groups.first_mut() {
            group.sources.push(source);
            group.saved = Some(match group.saved.take() {
                None => profile,
                Some(saved) => saved.merge(profile)?,
            });
        }
        Ok(())
    }

    /// Reads a folder that `mongodump` wrote. The operations during the dump are no collection's documents.
    fn folder(&mut self, folder: &Path, hand_on: HandOn<'_>) -> anyhow::Result<()> {
        let dump = DumpFolder::open(folder)?;
        if dump.is_empty() {
            return Err(UsageError(format!("{}: a folder that holds no dump", folder.display())).into());
        }
        for entry in dump.entries {
            let is_profiled = entry.collection.kind != CollectionKind::Oplog;
            let group = self.fed.groups.len();
            self.fed.groups.push(Group { collection: Some(entry.collection), ..Group::default() });
            if let Some(data) = entry.data.filter(|_| is_profiled) {
                self.file(&Location::from(&*folder.join(data)), group, hand_on)?;
            }
        }
        Ok(())
    }

    fn file(&mut self, file: &Location, group: usize, hand_on: HandOn<'_>) -> anyhow::Result<()> {
        let progress = Progress::of(file);
        match Opened::open(file, &self.request.read)? {
            Opened::Archive(reader) => self.archive(*reader, &progress, hand_on),
            Opened::Documents(reader) => self.documents(reader, file, group, &progress, hand_on),
        }
    }

    fn documents(
        &mut self,
        mut reader: DocumentReader,
        file: &Location,
        group: usize,
        progress: &Progress,
        hand_on: HandOn<'_>,
    ) -> anyhow::Result<()> {
        let mut source = Source { name: file.to_string(), format: None, documents: 0, bytes: 0 };
        let number = self.next_file();
        let collection = self.fed.groups.get(group).and_then(|group| group.collection.as_ref());
        let planned = self.request.planned(collection);
        if let Some(format) = reader.format() {
            source.format = Some(format.name());
            while let Some(batch) = self.next(&mut reader)? {
                let end = note(&mut source, &batch);
                self.spare = hand_on(Work { batch, group, planned, file: number, name: source.name.clone(), format })?;
                // The bar looks at every 256th document only.
                progress.set(end, source.documents - source.documents % 256);
                interrupt::check()?;
            }
            report_cut(&reader);
        }
        self.note_source(group, source);
        Ok(())
    }

    fn note_source(&mut self, group: usize, source: Source) {
        if let Some(group) = self.fed.groups.get_mut(group) {
            group.sources.push(source);
        }
    }

    fn next_file(&mut self) -> usize {
        self.files += 1;
        self.files
    }

    /// Reads an archive: the documents of its collections as they come.
    fn archive(&mut self, mut reader: ArchiveReader, progress: &Progress, hand_on: HandOn<'_>) -> anyhow::Result<()> {
        let first = self.fed.groups.len();
        let file = self.next_file();
        let mut documents = 0;
        loop {
            let mut batch = self.spare.take().unwrap_or_else(|| Batch::with_size(BATCH_BYTES, BATCH_DOCUMENTS));
            let part = reader.next_part(&mut batch)?;
            for collection in reader.collections().iter().skip(self.fed.groups.len() - first) {
                let name = format!("{}: {}", reader.name(), collection.namespace);
                let source = Source { name, format: Some("bson"), documents: 0, bytes: 0 };
                let collection = Some(collection.clone());
                self.fed.groups.push(Group { collection, sources: vec![source], saved: None });
            }
            let Some(part) = part else { break };
            let group = first + part.collection;
            let Some(own) = self.fed.groups.get_mut(group) else { continue };
            let planned = self.request.planned(own.collection.as_ref());
            let is_oplog = own.collection.as_ref().is_some_and(|own| own.kind == CollectionKind::Oplog);
            let Some(source) = own.sources.first_mut() else { continue };
            let end = note(source, &batch);
            documents += batch.len() as u64;
            progress.set(end, documents - documents % 256);
            if self.wanted.is_some_and(|wanted| documents >= wanted as u64) {
                self.fed.is_sample = true;
            }
            if batch.is_empty() || is_oplog {
                self.spare = Some(batch);
            } else {
                let name = source.name.clone();
                self.spare = hand_on(Work { batch, group, planned, file, name, format: Format::Bson })?;
            }
            interrupt::check()?;
            if self.fed.is_sample {
                return Ok(());
            }
        }
        if let Some(offset) = reader.cut() {
            let incomplete = reader.incomplete().join(", ");
            tell!(
                "{WARNING}warning:{WARNING:#} {}: cut short at byte {offset}; not whole: {incomplete}",
                reader.name()
            );
        }
        Ok(())
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
