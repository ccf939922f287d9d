//! `boson migrate`: a plan, tried or done.

mod print;
mod view;

use std::fs;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;
use boson_migrate::{
    Job, Plan, RunError, RunOptions, Server, Unpacked, estimate, is_archive, open_hazards, run as run_job, scan,
    unpack, verify,
};
use boson_store::Location;
use clap::Args;

use crate::args::Report;
use crate::exit::{Exit, Interrupted, Refused, UsageError};
use crate::output::{self, WARNING, tell};
use crate::progress::Progress;
use view::MigrationView;

/// The arguments of `boson migrate`.
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
#[command(after_help = "\
Without --apply everything is gone through and converted, and nothing is written. With it, the destination appears when it is
complete, beside it DESTINATION.undo, by which `boson undo` has the original back to the byte, and DESTINATION.quarantine
if the plan puts documents aside. A run that was stopped, however, goes on from its last checkpoint when it is called
again, and what it makes is the same. An archive is first unpacked into a
hidden folder beside the destination, which is gone when the run is done; what comes of it, and what undo has back, is a folder.
Bytes outside of the converted values stay as they are, metadata.json but for what the
plan answers.

Examples:
  boson analyze dump --plan plan.toml
  boson migrate dump --plan plan.toml --to converted
  boson migrate dump --plan plan.toml --to converted --apply --verify
  boson undo converted --to dump-again")]
pub(crate) struct MigrateArgs {
    /// A file of BSON documents, compressed or not, or a folder or an archive of mongodump
    #[arg(value_name = "SRC")]
    source: Location,

    /// The plan, as `boson analyze --plan` writes it
    #[arg(long, value_name = "FILE")]
    plan: PathBuf,

    /// What to write: a file or a folder, as the source is one; for an archive a folder
    #[arg(long, value_name = "DESTINATION")]
    to: PathBuf,

    /// Write; otherwise it is only tried
    #[arg(long)]
    apply: bool,

    /// Check every new value against its original: what is written, or, without --apply, what is there
    #[arg(long)]
    verify: bool,

    /// Use the whole documents of files that were cut short
    #[arg(long)]
    recover: bool,

    /// Begin anew where an earlier run was stopped
    #[arg(long)]
    restart: bool,

    /// How many threads work [default: as many as there are cores]
    #[arg(long, value_name = "COUNT")]
    threads: Option<NonZeroUsize>,

    /// After how many documents a checkpoint is made
    #[arg(long, value_name = "DOCUMENTS", default_value_t = 200_000, value_parser = clap::value_parser!(u64).range(1..))]
    checkpoint: u64,

    /// Of a server, for comparison: documents in a batch
    #[arg(long, value_name = "DOCUMENTS", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..))]
    batch_size: u64,

    /// Of a server, for comparison: milliseconds that a batch takes
    #[arg(long, value_name = "MILLISECONDS", default_value_t = 200)]
    latency: u64,

    /// How to print the result
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: Report,
}

impl MigrateArgs {
    fn options(&self) -> RunOptions {
        let cores = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        RunOptions {
            threads: self.threads.unwrap_or_else(cores).get(),
            checkpoint_documents: self.checkpoint,
            recover: self.recover,
            restart: self.restart,
        }
    }

    fn source(&self) -> Result<&Path, UsageError> {
        self.source.path().ok_or_else(|| {
            let what = "standard input cannot be read again, so a run that was stopped could not go on, and nothing could \
                        be checked: save it to a file first";
            UsageError(what.to_owned())
        })
    }

    /// The archive as a folder, if the source is one.
    fn unpacked(&self) -> anyhow::Result<Option<Unpacked>> {
        let source = self.source()?;
        if !is_archive(source)? {
            return Ok(None);
        }
        let bar = Progress::new(None);
        let mut watch = watch(&bar);
        let unpacked = unpack(source, &self.to, self.recover, &mut watch).map_err(stopped)?;
        if let Some((offset, incomplete)) = &unpacked.cut {
            let name = source.display();
            let incomplete = incomplete.join(", ");
            tell!("{WARNING}warning:{WARNING:#} {name}: cut short at byte {offset}; not whole: {incomplete}");
        }
        Ok(Some(unpacked))
    }

    fn job(&self, source: &Path) -> anyhow::Result<(Job, Plan)> {
        let name = self.plan.display().to_string();
        let text = fs::read_to_string(&self.plan).with_context(|| name.clone())?;
        let plan = Plan::parse(&text).with_context(|| name.clone())?;
        let job = Job::new(source, &self.to, &plan, &text, self.recover).context(name)?;
        Ok((job, plan))
    }
}

/// Tries or does it.
pub(crate) fn run(args: &MigrateArgs) -> anyhow::Result<Exit> {
    let unpacked = args.unpacked()?;
    let outcome = migrate(args, unpacked.as_ref());
    // What a run that was stopped goes on from stays.
    if let Some(unpacked) = unpacked.filter(|_| outcome.is_ok() || !args.apply) {
        unpacked.remove()?;
    }
    outcome
}

fn migrate(args: &MigrateArgs, unpacked: Option<&Unpacked>) -> anyhow::Result<Exit> {
    let (job, plan) = args.job(unpacked.map_or(args.source()?, |unpacked| &unpacked.folder))?;
    let options = args.options();
    check_hazards(&job, args)?;
    if args.verify && !args.apply {
        return verify_only(args, &job);
    }
    let server = Server { batch_documents: args.batch_size, latency: Duration::from_millis(args.latency) };
    let estimated = estimate(&job, options.threads)?;
    if args.format == Report::Text {
        print::estimate(&estimated, server, &options, args.apply)?;
    }
    let mut view = MigrationView::new(&job, &estimated, server, args.apply);
    if args.apply {
        if plan.source.sample {
            let what = "the plan was made from a sample, so nobody has seen the rest: make it from all documents \
                        (boson analyze without --sample); without --apply it can be tried";
            return Err(Refused(what.to_owned()).into());
        }
        if job.streams.iter().any(|stream| stream.metadata.as_ref().is_some_and(needs_scan)) {
            view.scan(&job, &scan_with_progress(&job, &options)?);
            view.refuse_collisions()?;
        }
        let report = with_progress(&job, |watch| run_job(&job, &options, watch))?;
        view.report(&job, &report);
    } else {
        view.scan(&job, &scan_with_progress(&job, &options)?);
    }
    let quarantine = job.quarantine_path();
    if args.verify {
        view.verified = Some(verify(&job, &job.destination, quarantine.exists().then_some(&*quarantine))?.into());
    }
    match args.format {
        Report::Json => output::print_json(&view)?,
        Report::Text => print::result(&view)?,
    }
    view.refuse_collisions()?;
    Ok(Exit::Done)
}

fn needs_scan(metadata: &boson_store::Metadata) -> bool {
    metadata.indexes().iter().any(|index| index.is_unique)
}

fn verify_only(args: &MigrateArgs, job: &Job) -> anyhow::Result<Exit> {
    let quarantine = job.quarantine_path();
    let verified = verify(job, &job.destination, quarantine.exists().then_some(&*quarantine))?.into();
    match args.format {
        Report::Json => output::print_json(&verified)?,
        Report::Text => print::verified(&verified)?,
    }
    Ok(Exit::Done)
}

fn scan_with_progress(job: &Job, options: &RunOptions) -> anyhow::Result<boson_migrate::Scanned> {
    with_progress(job, |watch| scan(job, options, watch))
}

/// Does `work` with a bar, and stops it when the user asks to.
fn with_progress<T>(
    job: &Job,
    work: impl FnOnce(boson_migrate::Watch<'_>) -> Result<T, boson_migrate::RunError>,
) -> anyhow::Result<T> {
    let compressed = job.streams.iter().any(boson_migrate::StreamJob::is_compressed);
    let bar = Progress::new((!compressed).then(|| job.bytes()));
    let mut watch = watch(&bar);
    work(&mut watch).map_err(stopped)
}

/// Shows how far it is, and stops when the user asks to.
fn watch(bar: &Progress) -> impl FnMut(boson_migrate::Progress) -> ControlFlow<()> {
    |progress| {
        bar.set(progress.bytes, progress.documents - progress.documents % 256);
        if crate::interrupt::check().is_err() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

fn stopped(error: RunError) -> anyhow::Error {
    match error {
        RunError::Stopped => Interrupted.into(),
        error => error.into(),
    }
}

/// A hazard that can lose data stops the plan until it is answered in the file.
fn check_hazards(job: &Job, args: &MigrateArgs) -> anyhow::Result<()> {
    let mut open = Vec::new();
    for stream in &job.streams {
        for hazard in open_hazards(&stream.plan, stream.metadata.as_ref()) {
            open.push((stream.name.clone(), hazard));
        }
    }
    if open.is_empty() {
        return Ok(());
    }
    print::hazards(&open, &args.plan)?;
    let count = output::counted(open.len() as u64, "question");
    Err(Refused(format!("{}: {count} to be answered before anything is done", args.plan.display())).into())
}
