//! Running a plan: from a dump to a dump.

mod checkpoint;
mod files;
mod job;
mod pump;
mod scan;
mod unpack;

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use boson_store::{ReadError, Start};

pub(crate) use files::Growing;
pub use job::{Job, StreamJob};
pub(crate) use scan::Keys;
pub use scan::{Collisions, Scanned, StreamScan, scan};
pub use unpack::{Unpacked, is_archive, unpack};

use crate::chunk::{DocumentFault, hash};
use crate::plan::PlanError;
use crate::tally::Tally;
use crate::undo::{FileNote, Frame, LogHeader, MAGIC, StreamHeader};
use checkpoint::{Checkpoint, Work};
use pump::Done;

/// How a plan is run.
#[derive(Clone, Copy, Debug)]
pub struct RunOptions {
    /// How many threads convert.
    pub threads: usize,
    /// After how many documents a checkpoint is made.
    pub checkpoint_documents: u64,
    /// Use what is whole of files that were cut.
    pub recover: bool,
    /// Begin anew where an earlier run was stopped.
    pub restart: bool,
}

/// How far a run is.
#[derive(Clone, Copy, Debug, Default)]
pub struct Progress {
    /// Documents that were read.
    pub documents: u64,
    /// Their bytes.
    pub bytes: u64,
}

/// Told of the progress between two batches; `Break` stops the run, which can be resumed.
pub type Watch<'a> = &'a mut dyn FnMut(Progress) -> ControlFlow<()>;

/// What a run did.
#[derive(Debug)]
pub struct Report {
    /// What became of the documents, for each stream of the job.
    pub tallies: Vec<Tally>,
    /// How many documents an earlier run had done that was resumed.
    pub resumed: u64,
    /// The undo log.
    pub log: PathBuf,
    /// Where documents were put aside, if any were.
    pub quarantine: Option<PathBuf>,
}

/// Why a plan could not be run.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The source could not be read.
    #[error("{0}")]
    Read(#[from] ReadError),
    /// A document stops the run.
    #[error("{name}: {fault}")]
    Document {
        /// The file.
        name: String,
        /// Which, and why.
        fault: DocumentFault,
    },
    /// Writing failed.
    #[error("{name}: {error}")]
    Io {
        /// The file.
        name: String,
        /// Why.
        error: io::Error,
    },
    /// There is something already where something is to be written.
    #[error("{0}: is there already; it is never overwritten")]
    Exists(String),
    /// Another run that was stopped is in the way.
    #[error("{0}")]
    OtherRun(String),
    /// The plan cannot be run.
    #[error("{0}")]
    Plan(#[from] PlanError),
    /// A document of a collection stops the run.
    #[error("the document with the _id {id}: {fault}")]
    DocumentOf {
        /// Its `_id`.
        id: String,
        /// Why.
        fault: crate::convert::ConvertFault,
    },
    /// The server does not do what it is asked, or cannot be reached.
    #[error("{0}")]
    Server(#[from] crate::collection::PortError),
    /// The plan, or what it is run on, is refused.
    #[error("{0}")]
    Refused(String),
    /// It was asked to stop.
    #[error("stopped; the same call goes on from the last checkpoint")]
    Stopped,
}

pub(crate) fn io_error(path: &Path) -> impl FnOnce(io::Error) -> RunError + '_ {
    move |error| RunError::Io { name: path.display().to_string(), error }
}

/// Runs `job`, going on where an earlier run of it was stopped. The destination appears whole, and its undo log before it.
///
/// # Errors
///
/// [`RunError`]. Whatever it is, the destination is not there; what was done so far is kept to go on from.
pub fn run(job: &Job, options: &RunOptions, watch: Watch<'_>) -> Result<Report, RunError> {
    let work = Work::open(job, options.restart)?;
    let mut checkpoint = work.checkpoint()?;
    if !checkpoint.complete {
        for place in [&job.destination, &job.log_path(), &job.quarantine_path()] {
            if fs::symlink_metadata(place).is_ok() {
                return Err(RunError::Exists(place.display().to_string()));
            }
        }
    }
    let resumed = checkpoint.documents();
    let mut running = Running { job, options, work: &work, log: work.log(&checkpoint)?, unsaved: 0, watch };
    if !checkpoint.complete {
        running.streams(&mut checkpoint)?;
        running.files(&mut checkpoint)?;
    }
    drop(running);
    finish(job, work, checkpoint, resumed)
}

/// Gives everything its name. Each step may have been done by an earlier run already.
fn finish(job: &Job, work: Work, checkpoint: Checkpoint, resumed: u64) -> Result<Report, RunError> {
    let quarantined = checkpoint.tallies.iter().any(|tally| tally.quarantined > 0);
    let quarantine = quarantined.then(|| job.quarantine_path());
    if let Some(place) = &quarantine {
        work.hand_over("quarantine", place)?;
    }
    work.hand_over("undo", &job.log_path())?;
    work.hand_over("out", &job.destination)?;
    work.remove()?;
    Ok(Report { tallies: checkpoint.tallies, resumed, log: job.log_path(), quarantine })
}

struct Running<'a> {
    job: &'a Job,
    options: &'a RunOptions,
    work: &'a Work,
    log: Growing,
    /// Documents since the last checkpoint.
    unsaved: u64,
    watch: Watch<'a>,
}

impl Running<'_> {
    fn frame(&mut self, frame: &Frame) -> Result<(), RunError> {
        let mut bytes = Vec::new();
        frame.write(&mut bytes).map_err(io_error(&self.log.path))?;
        self.log.append(&bytes)
    }

    /// Converts all streams from where `checkpoint` is.
    fn streams(&mut self, checkpoint: &mut Checkpoint) -> Result<(), RunError> {
        if checkpoint.log_len == 0 {
            self.log.append(MAGIC)?;
            let (source, is_folder) = (self.job.source.display().to_string(), self.job.is_folder);
            self.frame(&Frame::Header(LogHeader { source, is_folder }))?;
        }
        while let Some(stream) = self.job.streams.get(checkpoint.stream) {
            self.stream(stream, checkpoint)?;
            checkpoint.next_stream();
            self.save(checkpoint, &mut [])?;
        }
        Ok(())
    }

    fn stream(&mut self, stream: &StreamJob, checkpoint: &mut Checkpoint) -> Result<(), RunError> {
        let mut out = Growing::open(&self.work.out(&stream.path), checkpoint.out_len)?;
        let mut aside = Growing::open(&self.work.quarantine(&stream.path), checkpoint.quarantine_len)?;
        if checkpoint.is_at_start() {
            let compression = stream.compression.name().to_owned();
            self.frame(&Frame::Stream(StreamHeader { path: stream.path.clone(), compression }))?;
        }
        let (job, options) = (self.job, self.options);
        let start = checkpoint.start;
        pump::pump(job, stream, start, options, true, |done| self.take(done, &mut out, &mut aside, checkpoint))?;
        if out.len == 0 {
            // Compressed, nothing is something.
            out.append(&stream.compression.append(&[], Vec::new()).map_err(io_error(&out.path))?)?;
        }
        out.sync()?;
        aside.sync()
    }

    /// Writes what became of a batch, and saves how far it is from time to time.
    fn take(
        &mut self,
        done: &Done,
        out: &mut Growing,
        aside: &mut Growing,
        checkpoint: &mut Checkpoint,
    ) -> Result<(), RunError> {
        out.append(&done.packed)?;
        self.log.append(&done.undo)?;
        if !done.chunk.quarantine.is_empty() {
            aside.append(&done.chunk.quarantine)?;
        }
        checkpoint.add(&done.chunk.tally, done.next, out.len, aside.len);
        self.unsaved += done.chunk.tally.documents;
        if self.unsaved >= self.options.checkpoint_documents {
            self.save(checkpoint, &mut [out, aside])?;
        }
        let progress = Progress { documents: checkpoint.documents(), bytes: checkpoint.bytes() };
        match (self.watch)(progress) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => {
                self.save(checkpoint, &mut [out, aside])?;
                Err(RunError::Stopped)
            }
        }
    }

    fn save(&mut self, checkpoint: &mut Checkpoint, files: &mut [&mut Growing]) -> Result<(), RunError> {
        for file in files {
            file.sync()?;
        }
        self.log.sync()?;
        checkpoint.log_len = self.log.len;
        self.unsaved = 0;
        self.work.save(checkpoint)
    }

    /// Copies the other files and ends the log.
    fn files(&mut self, checkpoint: &mut Checkpoint) -> Result<(), RunError> {
        for file in &self.job.files {
            let from = self.job.source.join(&file.path);
            let before = fs::read(&from).map_err(io_error(&from))?;
            let after = file.new.as_deref().unwrap_or(&before);
            let to = self.work.out(&file.path);
            write(&to, after)?;
            let kept = file.new.as_ref().map(|_| {
                use base64::Engine;
                base64::engine::general_purpose::STANDARD.encode(&before)
            });
            self.frame(&Frame::File(FileNote { path: file.path.clone(), hash: hash(after), before: kept }))?;
        }
        self.frame(&Frame::End)?;
        checkpoint.complete = true;
        self.save(checkpoint, &mut [])
    }
}

/// The name of `path` with something before and behind it.
fn beside(path: &Path, before: &str, behind: &str) -> PathBuf {
    let mut name = OsString::from(before);
    name.push(path.file_name().unwrap_or_default());
    name.push(behind);
    path.with_file_name(name)
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), RunError> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).map_err(io_error(parent))?;
    }
    let mut file = File::create(path).map_err(io_error(path))?;
    file.write_all(bytes).and_then(|()| file.sync_all()).map_err(io_error(path))
}

impl Checkpoint {
    fn is_at_start(&self) -> bool {
        self.start == Start::default()
    }
}
