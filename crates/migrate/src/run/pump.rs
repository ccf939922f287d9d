//! Documents through threads and out again in their order.

use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;

use boson_store::{Batch, DocumentReader, ReadOptions, Reader, Start};

use super::{Job, RunError, RunOptions, StreamJob, io_error};
use crate::checks::{Checks, Found};
use crate::chunk::Chunk;
use crate::convert::Converter;
use crate::tally::Tally;
use crate::undo::{Frame, encode};

/// Bytes, and documents, that are converted at once. Blocks of the undo log and members of compressed files follow them,
/// so a change of these numbers changes what is written.
const BATCH_BYTES: usize = 1 << 20;
const BATCH_DOCUMENTS: usize = 10_000;

/// What became of a batch.
#[derive(Default)]
pub(super) struct Done {
    pub(super) chunk: Chunk,
    /// What is written to the destination.
    pub(super) packed: Vec<u8>,
    /// What is written to the undo log.
    pub(super) undo: Vec<u8>,
    /// What comes next in the stream.
    pub(super) next: Start,
    pub(super) found: Found,
}

struct Work {
    sequence: u64,
    batch: Batch,
    next: Start,
}

/// Converts the documents of `stream` from `start` on and hands what became of them to `take`, in their order. With
/// `write`, that is what is to be written; without it, what [`Checks`] found.
pub(super) fn pump(
    job: &Job,
    stream: &StreamJob,
    start: Start,
    options: &RunOptions,
    write: bool,
    mut take: impl FnMut(&Done) -> Result<(), RunError>,
) -> Result<(), RunError> {
    let read_options = ReadOptions { recover: options.recover, ..ReadOptions::default() };
    let mut reader = DocumentReader::resume(&job.path(&stream.path), &read_options, start)?;
    let checks = if write { Checks::default() } else { Checks::new(&stream.plan, stream.metadata.as_ref()) };
    let worker =
        || Worker { job, stream, write, checks: &checks, converter: Converter::new(&stream.rules, stream.damaged) };
    if options.threads <= 1 {
        return alone(&mut reader, worker(), start, take);
    }
    let (work_in, work_out) = sync_channel::<Work>(options.threads * 2);
    let (done_in, done_out) = sync_channel(options.threads * 4);
    let work_out = Mutex::new(work_out);
    thread::scope(|scope| {
        for _ in 0..options.threads {
            let (work_out, done_in, worker) = (&work_out, done_in.clone(), worker());
            scope.spawn(move || work(worker, work_out, &done_in));
        }
        drop(done_in);
        let feeder = Feeder { reader: &mut reader, next: start, work: work_in, spare: Vec::new(), waiting: 0, sent: 0 };
        feeder.run(&done_out, options.threads * 2, &mut take)
    })
}

type Outcome = (u64, Batch, Result<Done, RunError>);

fn work(mut worker: Worker<'_>, work: &Mutex<Receiver<Work>>, done: &SyncSender<Outcome>) {
    loop {
        let received = work.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(work) = received else { return };
        let mut made = Done::default();
        let outcome = worker.batch(&work.batch, work.next, &mut made).map(|()| made);
        if done.send((work.sequence, work.batch, outcome)).is_err() {
            return;
        }
    }
}

fn alone(
    reader: &mut DocumentReader,
    mut worker: Worker<'_>,
    mut next: Start,
    mut take: impl FnMut(&Done) -> Result<(), RunError>,
) -> Result<(), RunError> {
    let mut batch = Batch::with_size(BATCH_BYTES, BATCH_DOCUMENTS);
    let mut done = Done::default();
    while reader.read_batch(&mut batch)? > 0 {
        next = behind(&batch, next);
        worker.batch(&batch, next, &mut done)?;
        take(&done)?;
    }
    Ok(())
}

/// Where the stream goes on behind `batch`.
fn behind(batch: &Batch, start: Start) -> Start {
    Start { offset: start.offset + batch.bytes().len() as u64, index: start.index + batch.len() as u64 }
}

/// Reads, hands out and takes in, all in one thread.
struct Feeder<'a> {
    reader: &'a mut DocumentReader,
    next: Start,
    work: SyncSender<Work>,
    spare: Vec<Batch>,
    /// Batches that are handed out and not taken in.
    waiting: usize,
    sent: u64,
}

impl Feeder<'_> {
    fn run(
        mut self,
        done: &Receiver<Outcome>,
        waiting_max: usize,
        take: &mut impl FnMut(&Done) -> Result<(), RunError>,
    ) -> Result<(), RunError> {
        let mut ready: BTreeMap<u64, Result<Done, RunError>> = BTreeMap::new();
        let (mut taken, mut more) = (0, true);
        loop {
            while more && self.waiting < waiting_max {
                more = self.feed()?;
            }
            if self.waiting == 0 {
                return Ok(());
            }
            let ended = || RunError::Refused("a thread has failed".to_owned());
            let (sequence, batch, outcome) = done.recv().map_err(|_| ended())?;
            self.spare.push(batch);
            ready.insert(sequence, outcome);
            while let Some(outcome) = ready.remove(&taken) {
                take(&outcome?)?;
                taken += 1;
                self.waiting -= 1;
            }
        }
    }

    /// Reads the next batch and hands it out; false at the end.
    fn feed(&mut self) -> Result<bool, RunError> {
        let mut batch = self.spare.pop().unwrap_or_else(|| Batch::with_size(BATCH_BYTES, BATCH_DOCUMENTS));
        if self.reader.read_batch(&mut batch)? == 0 {
            return Ok(false);
        }
        self.next = behind(&batch, self.next);
        let work = Work { sequence: self.sent, batch, next: self.next };
        self.work.send(work).map_err(|_| RunError::Refused("a thread has ended".to_owned()))?;
        self.sent += 1;
        self.waiting += 1;
        Ok(true)
    }
}

/// What one thread does.
struct Worker<'a> {
    job: &'a Job,
    stream: &'a StreamJob,
    write: bool,
    checks: &'a Checks,
    converter: Converter<'a>,
}

impl Worker<'_> {
    fn batch(&mut self, batch: &Batch, next: Start, done: &mut Done) -> Result<(), RunError> {
        let name = || self.job.path(&self.stream.path).display().to_string();
        done.next = next;
        done.found = Found::default();
        let (checks, found) = (self.checks, &mut done.found);
        let tally = Tally::new(&self.stream.rules);
        let look = |index: u64, before: &[u8], after: &[u8]| checks.look(index, before, after, found);
        let converted = done.chunk.convert(batch, &mut self.converter, tally, look);
        converted.map_err(|fault| RunError::Document { name: name(), fault })?;
        if self.write {
            self.pack(batch, done).map_err(io_error(&self.job.path(&self.stream.path)))?;
        }
        Ok(())
    }

    fn pack(&self, batch: &Batch, done: &mut Done) -> std::io::Result<()> {
        let mut block = Vec::new();
        encode(batch.bytes(), &done.chunk.after, &done.chunk.patches, &mut block)?;
        done.undo.clear();
        Frame::Block(block).write(&mut done.undo)?;
        let mut packed = std::mem::take(&mut done.packed);
        packed.clear();
        done.packed = if done.chunk.after.is_empty() {
            packed
        } else {
            self.stream.compression.append(&done.chunk.after, packed)?
        };
        Ok(())
    }
}
