//! `boson analyze`: where a collection's bytes go, and what its fields really hold; `boson merge`: profiles of parts.

mod faults;
mod merge;
mod pass;
mod plan;
mod print;
mod saved;
mod sizes;
mod worker;

use std::num::NonZeroUsize;

use boson_report::{Analysis, Collections, Outcome};
use boson_store::Location;
use boson_transcode::{OutOfRange, Policy};
use clap::Args;

use crate::args::{DialectArgs, FormArgs, Report};
use crate::exit::{self, Exit, UsageError};
use crate::output;
use crate::text_file;

pub(crate) use merge::{MergeArgs, run as merge};
pub(super) use pass::{Planned, Request, read};
pub(super) use plan::drafted;

/// The arguments of `boson analyze`.
#[derive(Debug, Args)]
#[command(after_help = "\
Documents are measured as BSON, one pass, in bounded memory; JSON and OSON are converted on the way. A file that
--save-profile wrote is read like the documents it was made from. A folder or an archive of mongodump is taken apart into
its collections. Nothing is changed. Exit code 3 says that some
documents could not be read; the rest is reported nevertheless.

Examples:
  boson analyze readings.bson.gz
  boson analyze dump --plan plan.toml
  boson analyze dump/shop/*.bson --no-sizes --save-profile monday.profile
  mongoexport … | boson analyze - --format json --mask > analysis.json
  boson analyze monday.profile")]
pub(crate) struct AnalyzeArgs {
    #[command(flatten)]
    reading: ReadingArgs,

    /// Name this many paths, those with the most bytes; JSON names all
    #[arg(long, value_name = "COUNT", default_value_t = 20)]
    top: usize,

    /// Save what was found, to be merged and looked at later
    #[arg(long, value_name = "FILE")]
    save_profile: Option<Location>,

    /// Write a plan for `boson migrate`, to be read and edited
    #[arg(long, value_name = "FILE")]
    plan: Option<Location>,

    /// Replace a saved profile or a plan that is there already
    #[arg(long)]
    overwrite: bool,

    /// How to print the result
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: Report,
}

/// What is read, and how.
#[derive(Debug, Args)]
pub(crate) struct ReadingArgs {
    /// Files to read, `-` for standard input; folders and archives of mongodump, saved profiles, too
    #[arg(value_name = "SRC", default_value = "-")]
    pub(crate) files: Vec<Location>,

    #[command(flatten)]
    pub(crate) form: FormArgs,

    #[command(flatten)]
    dialect: DialectArgs,

    /// Read the first documents only, this many
    #[arg(long, value_name = "COUNT")]
    sample: Option<NonZeroUsize>,

    /// Do not measure the documents as JSON and OSON, which takes most of the time
    #[arg(long)]
    no_sizes: bool,

    /// Show values with their letters and digits replaced
    #[arg(long)]
    pub(crate) mask: bool,

    /// How many threads work [default: as many as there are cores]
    #[arg(long, value_name = "COUNT")]
    threads: Option<NonZeroUsize>,
}

impl ReadingArgs {
    fn policy(&self) -> Policy {
        let mut policy = self.dialect.policy(self.form.limits);
        // As many documents are to be read and measured as can be.
        policy.dialects = policy.dialects.lenient();
        policy.dates = OutOfRange::Wrap;
        policy
    }

    /// The same for [`read`](fn@read).
    pub(super) fn request(&self) -> Request<'_> {
        Request {
            files: &self.files,
            read: self.form.read_options(),
            policy: self.policy(),
            sample: self.sample.map(NonZeroUsize::get),
            sizes: !self.no_sizes,
            threads: threads(self.threads),
            planned: &[],
        }
    }
}

/// As many threads as were asked for, or as there are cores.
pub(super) fn threads(asked: Option<NonZeroUsize>) -> usize {
    let cores = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    asked.unwrap_or_else(cores).get()
}

/// Reads, saves, prints.
pub(crate) fn run(args: &AnalyzeArgs) -> anyhow::Result<Exit> {
    exit::told(args.format, analyze(args))
}

fn analyze(args: &AnalyzeArgs) -> anyhow::Result<Exit> {
    if let Some(to) = &args.save_profile {
        saved::check(to, args.overwrite)?;
    }
    if let Some(to) = &args.plan {
        text_file::check(to, args.overwrite)?;
    }
    let outcomes = read(&args.reading.request())?;
    if let Some(to) = &args.save_profile {
        let [outcome] = &*outcomes else {
            let what = "--save-profile is for one collection, and there are several; name the file of one";
            return Err(UsageError(what.to_owned()).into());
        };
        saved::write(&outcome.profile, to, args.overwrite)?;
    }
    if let Some(to) = &args.plan {
        plan::write(args, &outcomes, to)?;
    }
    let analyses: Vec<_> = outcomes.iter().map(|outcome| Analysis::new(outcome, args.reading.mask)).collect();
    print_all(args, &outcomes, &analyses)?;
    let broken = analyses.iter().any(Analysis::has_faults);
    Ok(if broken { Exit::Input } else { Exit::Done })
}

/// Prints one analysis as it is, those of a dump each under its collection.
fn print_all(args: &AnalyzeArgs, outcomes: &[Outcome], analyses: &[Analysis<'_>]) -> anyhow::Result<()> {
    let is_dump = outcomes.iter().any(|outcome| outcome.collection.is_some());
    match (args.format, analyses) {
        (Report::Json, [only]) if !is_dump => output::print_json(only)?,
        (Report::Json, _) => output::print_json(&Collections::new(outcomes, analyses))?,
        (Report::Text, analyses) => {
            for (outcome, analysis) in outcomes.iter().zip(analyses) {
                if let Some(collection) = &outcome.collection {
                    print::heading(collection)?;
                }
                print::print(analysis, args.top)?;
            }
        }
    }
    Ok(())
}
