//! Converting a collection in place while others read and write it.
//!
//! A pass goes through all documents by `_id`. One thread reads batches and hands them out; others convert them, write the
//! old values to the undo log, send the updates and read again what was not as it had been. The thread that reads takes the
//! outcomes in, in the order of the batches, and saves up to where all is done. Passes follow until one finds nothing to do.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use boson_store::Batch;
use serde::{Deserialize, Serialize};

use super::bracket::Resume;
use super::job::CollectionJob;
use super::log::{Log, LogHeader};
use super::port::Collection;
use super::session::{Retries, Session, Walk};
use super::throttle::{Limits, Throttle};
use super::worker::{Outcome, Shared, Worker};
use crate::run::{Growing, RunError};
use crate::tally::Tally;
use crate::work::Folder;

/// How a collection is converted.
#[derive(Clone, Debug)]
pub struct CollectionOptions {
    /// Where the run keeps its checkpoint, its undo log and its lists: beside the plan.
    pub folder: PathBuf,
    /// Documents in a batch, at most.
    pub batch_documents: usize,
    /// Batches that are being converted and sent at the same time.
    pub in_flight: usize,
    /// After how many documents a checkpoint is saved.
    pub checkpoint_documents: u64,
    /// What the run keeps to.
    pub limits: Limits,
    /// How calls are made again that are interrupted.
    pub retries: Retries,
    /// How often a document is read again at once that others keep changing; what is left then is for the next pass.
    pub rounds_max: u32,
    /// How often the collection is gone through at most.
    pub passes_max: u32,
    /// Begin anew where an earlier run was stopped, and forget its undo log.
    pub restart: bool,
}

impl CollectionOptions {
    /// What is usual, with `folder` to keep things in.
    pub fn new(folder: PathBuf) -> Self {
        Self {
            folder,
            batch_documents: 10_000,
            in_flight: 4,
            checkpoint_documents: 50_000,
            limits: Limits::default(),
            retries: Retries::default(),
            rounds_max: 20,
            passes_max: 20,
            restart: false,
        }
    }
}

/// What was done in a collection, in numbers. After a crash, what was done since the last checkpoint is not counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Documents that were read, in all passes.
    pub read: u64,
    /// Documents that were updated.
    pub updated: u64,
    /// Updates that found another value than was read: the document was read again.
    pub conflicts: u64,
    /// Updates whose document was gone.
    pub vanished: u64,
    /// Updates that had taken place before, as an answer that was lost would have said.
    pub already: u64,
    /// Updates that the server refused: each is listed.
    pub refused: u64,
    /// Documents that no update can be made for: each is listed.
    pub left: u64,
    /// Documents that others changed as often as they were read; the next pass comes to them again.
    pub contended: u64,
}

impl Counts {
    pub(crate) fn add(&mut self, other: &Self) {
        self.read += other.read;
        self.updated += other.updated;
        self.conflicts += other.conflicts;
        self.vanished += other.vanished;
        self.already += other.already;
        self.refused += other.refused;
        self.left += other.left;
        self.contended += other.contended;
    }
}

/// How far a run is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CollectionProgress {
    /// Which pass, from 1.
    pub pass: u32,
    /// Documents that are done in this pass; those of an earlier run that is resumed are among them.
    pub documents: u64,
    /// How many documents there were at the beginning: estimated by the server. Passes but the first read fewer.
    pub documents_total: u64,
    /// All that was done.
    pub counts: Counts,
    /// Documents of this pass that this run did.
    pub own_documents: u64,
    /// How long this run has been at this pass.
    pub elapsed: Duration,
}

impl CollectionProgress {
    /// Documents in a second, of this pass by this run; `None` before there is anything to tell.
    pub fn documents_per_second(&self) -> Option<f64> {
        let seconds = self.elapsed.as_secs_f64();
        #[expect(clippy::cast_precision_loss, reason = "an estimate for people")]
        (self.own_documents > 0 && seconds > 0.0).then(|| self.own_documents as f64 / seconds)
    }

    /// How long the rest of the first pass takes at this rate: estimated.
    pub fn time_left(&self) -> Option<Duration> {
        let rate = self.documents_per_second().filter(|_| self.pass == 1)?;
        #[expect(clippy::cast_precision_loss, reason = "an estimate for people")]
        let rest = self.documents_total.saturating_sub(self.documents) as f64;
        Duration::try_from_secs_f64(rest / rate).ok()
    }
}

/// Told of the progress; `Break` stops the run after the batches in flight.
pub type CollectionWatch<'a> = &'a mut dyn FnMut(&CollectionProgress) -> ControlFlow<()>;

/// What a run did.
#[derive(Debug)]
pub struct CollectionReport {
    /// What was done, by this run and those before it that it resumed.
    pub counts: Counts,
    /// What became of the values of the documents as they were first read, in all passes.
    pub tally: Tally,
    /// How often the collection was gone through.
    pub passes: u32,
    /// Whether the last pass found nothing that could be converted. If not, others write old values faster than they are
    /// converted, or `passes_max` is too low.
    pub is_settled: bool,
    /// How often a call was made again.
    pub interruptions: u64,
    /// The undo log.
    pub log: PathBuf,
    /// Of the last pass, what does not fit, was refused or cannot be updated: a line of JSON for each.
    pub list: PathBuf,
    /// Of the last pass, documents that the plan puts aside: they stay in the collection, unchanged, and are copied here.
    pub quarantine: PathBuf,
    /// Whether an earlier run was resumed.
    pub is_resumed: bool,
}

/// Up to where all is done.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Checkpoint {
    pass: u32,
    /// Documents of this pass.
    documents: u64,
    place: Resume,
    log_len: u64,
    list_len: u64,
    quarantine_len: u64,
    counts: Counts,
    tally: Tally,
    /// What this pass has done that makes another necessary.
    unsettled: u64,
    is_settled: bool,
}

/// What must be the same when a run is resumed.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct State {
    version: u32,
    namespace: String,
    plan: u64,
}

/// Converts the collection of `job`, going on where an earlier run was stopped or killed. A run after one that was complete
/// goes through the collection once more.
///
/// # Errors
///
/// [`RunError`]. What was done is kept, and the same call goes on from there.
pub fn run_collection(
    job: &CollectionJob,
    collection: &dyn Collection,
    options: &CollectionOptions,
    watch: CollectionWatch<'_>,
) -> Result<CollectionReport, RunError> {
    let folder = open_folder(job, options)?;
    let mut checkpoint: Checkpoint = folder.saved("checkpoint.json")?;
    let is_resumed = checkpoint.pass > 0;
    if !is_resumed || checkpoint.is_settled {
        checkpoint.next_pass();
    }
    let header = LogHeader { namespace: job.namespace.clone() };
    let log = Mutex::new(Log::open(&folder.file("undo"), &header, checkpoint.log_len)?);
    let session = Session::new(collection, options.retries);
    let throttle = Mutex::new(Throttle::new(options.limits));
    let mut running = Running {
        job,
        options,
        shared: Shared { job, session: &session, log: &log, throttle: &throttle, options },
        list: Growing::open(&folder.file("left.ndjson"), checkpoint.list_len)?,
        quarantine: Growing::open(&folder.file("quarantine.bson"), checkpoint.quarantine_len)?,
        folder: &folder,
        checkpoint,
        unsaved: 0,
        watch,
        began: Instant::now(),
        own_documents: 0,
    };
    running.passes()?;
    let Checkpoint { counts, tally, pass, is_settled, .. } = running.checkpoint;
    Ok(CollectionReport {
        counts,
        tally,
        passes: pass,
        is_settled,
        interruptions: session.interruptions.into_inner(),
        log: folder.file("undo"),
        list: folder.file("left.ndjson"),
        quarantine: folder.file("quarantine.bson"),
        is_resumed,
    })
}

/// The folder of runs of `job`.
pub(super) fn open_folder(job: &CollectionJob, options: &CollectionOptions) -> Result<Folder, RunError> {
    let state = State { version: 1, namespace: job.namespace.clone(), plan: job.plan_hash };
    Folder::open(&options.folder, options.restart, &state)
}

impl Checkpoint {
    fn next_pass(&mut self) {
        self.pass += 1;
        (self.documents, self.unsettled, self.is_settled) = (0, 0, false);
        (self.list_len, self.quarantine_len) = (0, 0);
        self.place = Resume::default();
    }
}

/// Some documents to be converted.
struct Task {
    sequence: u64,
    batch: Batch,
    /// Where the pass goes on behind them.
    next: Resume,
    pass: u32,
}

/// What became of a task.
type Done = (Task, Result<Outcome, RunError>);

struct Running<'a> {
    job: &'a CollectionJob,
    options: &'a CollectionOptions,
    shared: Shared<'a>,
    folder: &'a Folder,
    list: Growing,
    quarantine: Growing,
    checkpoint: Checkpoint,
    /// Documents since the last checkpoint.
    unsaved: u64,
    watch: CollectionWatch<'a>,
    /// When this pass began, and how many of its documents this run did.
    began: Instant,
    own_documents: u64,
}

/// Documents of this many bytes are read and held for each batch in flight.
const BATCH_BYTES: usize = 16 << 20;

/// How long the run waits for a batch before it tells of the progress.
const LOOK: Duration = Duration::from_millis(500);

/// How long the run sleeps at most before it looks whether it is to stop.
const NAP: Duration = Duration::from_millis(50);

impl Running<'_> {
    fn passes(&mut self) -> Result<(), RunError> {
        loop {
            let outcome = self.pass();
            // What was done counts also where the run ends in an error.
            let saved = self.save();
            outcome?;
            saved?;
            if self.checkpoint.unsettled == 0 {
                self.checkpoint.is_settled = true;
                return self.save();
            }
            if self.checkpoint.pass >= self.options.passes_max {
                return Ok(());
            }
            self.checkpoint.next_pass();
            self.list.cut()?;
            self.quarantine.cut()?;
            (self.began, self.own_documents) = (Instant::now(), 0);
        }
    }

    fn pass(&mut self) -> Result<(), RunError> {
        if self.job.rules.is_empty() {
            return Ok(());
        }
        let any_of = if self.checkpoint.pass > 1 { self.job.left() } else { None };
        let start = self.checkpoint.place.clone();
        let mut walk = Walk::new(self.shared.session, any_of, start, self.options.batch_documents);
        let threads = self.options.in_flight.max(1);
        let (tasks_in, tasks_out) = sync_channel::<Task>(threads * 2);
        let (done_in, done_out) = channel();
        let (tasks_out, shared) = (Mutex::new(tasks_out), self.shared);
        thread::scope(|scope| {
            for _ in 0..threads {
                let (tasks, done) = (&tasks_out, done_in.clone());
                scope.spawn(move || work(Worker::new(shared), tasks, &done));
            }
            drop(done_in);
            // One batch more than there are threads for is read ahead for each of them.
            let outcome = self.feed(&mut walk, &tasks_in, &done_out, threads * 2);
            // Nobody waits for more.
            drop(tasks_in);
            outcome
        })
    }

    /// Hands batches out and takes their outcomes in, until there are no more or the run is to stop. Then those in flight
    /// end.
    fn feed(
        &mut self,
        walk: &mut Walk<'_>,
        tasks: &SyncSender<Task>,
        done: &Receiver<Done>,
        waiting_max: usize,
    ) -> Result<(), RunError> {
        let mut ready: BTreeMap<u64, Done> = BTreeMap::new();
        let mut spare = Vec::new();
        let (mut sent, mut taken, mut more) = (0_u64, 0_u64, true);
        let mut problem = None;
        loop {
            while more && problem.is_none() && sent - taken < waiting_max as u64 {
                let batch = spare.pop().unwrap_or_else(|| Batch::with_size(BATCH_BYTES, self.options.batch_documents));
                match self.task(walk, batch, sent) {
                    Ok(Some(task)) => {
                        more = tasks.send(task).is_ok();
                        sent += u64::from(more);
                    }
                    Ok(None) => more = false,
                    Err(error) => problem = Some(error),
                }
            }
            if sent == taken {
                return problem.map_or(Ok(()), Err);
            }
            let outcome = match done.recv_timeout(LOOK) {
                Ok(outcome) => outcome,
                // The server may be away for long: whether to stop is asked nevertheless.
                Err(RecvTimeoutError::Timeout) => {
                    problem = problem.or_else(|| self.stopped());
                    continue;
                }
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(RunError::Refused("a thread has failed".to_owned()));
                }
            };
            ready.insert(outcome.0.sequence, outcome);
            while let Some((task, outcome)) = ready.remove(&taken) {
                taken += 1;
                // What lies behind an error is done again.
                if problem.is_some() && !matches!(problem, Some(RunError::Stopped)) {
                    continue;
                }
                match outcome.and_then(|outcome| self.take(&task, &outcome)) {
                    Ok(()) => spare.push(task.batch),
                    Err(error) => problem = Some(error),
                }
                if problem.is_none() {
                    problem = self.stopped();
                }
            }
        }
    }

    /// The next batch, once the throttle lets it go.
    fn task(&mut self, walk: &mut Walk<'_>, mut batch: Batch, sequence: u64) -> Result<Option<Task>, RunError> {
        if !walk.next(&mut batch)? {
            return Ok(None);
        }
        self.throttle(batch.len() as u64)?;
        let next = walk.place().unwrap_or_else(Resume::end);
        Ok(Some(Task { sequence, batch, next, pass: self.checkpoint.pass }))
    }

    fn throttle(&mut self, documents: u64) -> Result<(), RunError> {
        while self.lock_throttle().wants_lag() {
            let session = self.shared.session;
            let lag = session.again(|| session.collection.lag())?;
            let Some(wait) = self.lock_throttle().lags(lag) else { break };
            self.sleep(wait)?;
        }
        let wait = self.lock_throttle().send(self.began.elapsed(), documents);
        self.sleep(wait)
    }

    fn lock_throttle(&self) -> std::sync::MutexGuard<'_, Throttle> {
        self.shared.throttle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn sleep(&mut self, mut rest: Duration) -> Result<(), RunError> {
        while !rest.is_zero() {
            let nap = rest.min(NAP);
            thread::sleep(nap);
            rest -= nap;
            if let Some(stopped) = self.stopped() {
                return Err(stopped);
            }
        }
        Ok(())
    }

    /// Tells of the progress; whether the run is to stop.
    fn stopped(&mut self) -> Option<RunError> {
        let progress = CollectionProgress {
            pass: self.checkpoint.pass,
            documents: self.checkpoint.documents,
            documents_total: self.job.description.documents,
            counts: self.checkpoint.counts,
            own_documents: self.own_documents,
            elapsed: self.began.elapsed(),
        };
        (self.watch)(&progress).is_break().then(|| {
            self.shared.session.stop.store(true, std::sync::atomic::Ordering::Relaxed);
            RunError::Stopped
        })
    }

    /// Takes in what became of a batch, all before which are taken in.
    fn take(&mut self, task: &Task, outcome: &Outcome) -> Result<(), RunError> {
        self.list.append(&outcome.list)?;
        self.quarantine.append(&outcome.quarantine)?;
        let checkpoint = &mut self.checkpoint;
        checkpoint.counts.add(&outcome.counts);
        checkpoint.tally.add(&outcome.tally);
        checkpoint.unsettled += outcome.counts.updated + outcome.counts.conflicts + outcome.counts.contended;
        let documents = task.batch.len() as u64;
        checkpoint.documents += documents;
        checkpoint.place = task.next.clone();
        (checkpoint.list_len, checkpoint.quarantine_len) = (self.list.len, self.quarantine.len);
        self.own_documents += documents;
        self.unsaved += documents;
        if self.unsaved >= self.options.checkpoint_documents { self.save() } else { Ok(()) }
    }

    fn save(&mut self) -> Result<(), RunError> {
        self.list.sync()?;
        self.quarantine.sync()?;
        let mut log = self.shared.log.lock().unwrap_or_else(PoisonError::into_inner);
        log.sync()?;
        self.checkpoint.log_len = log.len();
        self.unsaved = 0;
        self.folder.save("checkpoint.json", &self.checkpoint)
    }
}

fn work(mut worker: Worker<'_>, tasks: &Mutex<Receiver<Task>>, done: &Sender<Done>) {
    loop {
        let received = tasks.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(task) = received else { return };
        let outcome = catch_unwind(AssertUnwindSafe(|| worker.batch(&task.batch, task.pass > 1)));
        let failed = || Err(RunError::Refused("a thread has failed".to_owned()));
        let (outcome, panic) = match outcome {
            Ok(outcome) => (outcome, None),
            // Whoever waits for the outcome must not wait for ever.
            Err(panic) => (failed(), Some(panic)),
        };
        let is_over = done.send((task, outcome)).is_err();
        if let Some(panic) = panic {
            resume_unwind(panic);
        }
        if is_over {
            return;
        }
    }
}
