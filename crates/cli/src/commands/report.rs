//! `boson report`: an analysis, a plan and a proof as one page.

use std::fs;
use std::path::PathBuf;

use anyhow::Context;
use boson_migrate::{CollectionPlan, Plan, open_hazards};
use boson_report::{Analysis, Outcome, Page, Part, Proof, collection_words};
use boson_store::{Location, OutputFile};
use clap::Args;

use super::analyze::{self, ReadingArgs};
use super::prove::{self, ProvingArgs};
use crate::documents::check_standard;
use crate::exit::{Exit, UsageError};
use crate::output::{counted, tell};

/// The arguments of `boson report`.
#[derive(Debug, Args)]
#[command(after_help = "\
The page needs nothing else: no network, no server. It shows where the bytes go as a treemap one can walk, types per path,
findings, hazards and the plan: the one that is named, else what `boson analyze --plan` would write. --before and --after add what
`boson prove` finds, --proof what it has saved. Every figure says whether it was measured or estimated, and on how much. Exit
code 3 says that some documents could not be read; the rest is reported nevertheless.

Examples:
  boson report readings.bson -o report.html
  boson report readings.bson --plan plan.toml --before readings.bson --after typed.bson -o report.html
  boson report dump --plan plan.toml --proof proof.json -o report.html
  boson report monday.profile --mask -o report.html")]
pub(crate) struct ReportArgs {
    #[command(flatten)]
    reading: ReadingArgs,

    /// The plan to show, as `boson analyze --plan` writes it
    #[arg(long, value_name = "FILE")]
    plan: Option<PathBuf>,

    /// The documents as they were, to be compared with those of --after
    #[arg(long, value_name = "FILE", requires = "after")]
    before: Option<Location>,

    /// The documents as they are now
    #[arg(long, value_name = "FILE", requires = "before")]
    after: Option<Location>,

    /// What `boson prove --save-proof` found
    #[arg(long, value_name = "FILE", conflicts_with_all = ["before", "after"])]
    proof: Option<Location>,

    #[command(flatten)]
    proving: ProvingArgs,

    /// The file to write, `-` for standard output; it appears when it is complete
    #[arg(long, short, value_name = "FILE")]
    output: Location,

    /// Replace a file that is there already
    #[arg(long)]
    overwrite: bool,
}

/// Writes the page.
pub(crate) fn run(args: &ReportArgs) -> anyhow::Result<Exit> {
    check_standard(args.reading.files.iter().chain(&args.before).chain(&args.after))?;
    let mut out = OutputFile::create(&args.output, args.overwrite)?;
    let plan = args.plan.as_ref().map(read_plan).transpose()?;
    let proofs = proofs(args)?;
    let outcomes = analyze::read(&args.reading.request())?;
    let plans = plans(&outcomes, plan.as_ref(), args.plan.as_ref())?;
    let analyses: Vec<_> = outcomes.iter().map(|outcome| Analysis::new(outcome, args.reading.mask)).collect();
    let parts: Vec<_> = outcomes.iter().zip(&analyses).zip(&plans).map(part).collect();
    let page = Page::new(&title(args), &parts, plan.is_none(), &proofs);
    page.write(&mut out)?;
    out.finish()?;
    if args.output.path().is_some() {
        let documents = analyses.iter().map(|analysis| analysis.measured.documents).sum();
        tell!("report {}: {}", args.output, counted(documents, "document"));
    }
    Ok(if analyses.iter().any(Analysis::has_faults) { Exit::Input } else { Exit::Done })
}

fn read_plan(file: &PathBuf) -> anyhow::Result<Plan> {
    let name = file.display().to_string();
    let text = fs::read_to_string(file).with_context(|| name.clone())?;
    Plan::parse(&text).with_context(|| name)
}

fn proofs(args: &ReportArgs) -> anyhow::Result<Vec<(String, Proof)>> {
    match (&args.proof, &args.before, &args.after) {
        (Some(saved), ..) => prove::read_saved(saved),
        (None, Some(before), Some(after)) => prove::proofs(before, after, &args.proving, &args.reading.form),
        _ => Ok(Vec::new()),
    }
}

/// What is to be done with each of `outcomes`: what `plan` says, else what would be drafted.
fn plans(
    outcomes: &[Outcome],
    plan: Option<&Plan>,
    file: Option<&PathBuf>,
) -> anyhow::Result<Vec<Option<CollectionPlan>>> {
    let Some(plan) = plan else {
        return Ok(outcomes.iter().map(|outcome| Some(analyze::drafted(outcome).plan)).collect());
    };
    let found: Vec<_> = outcomes.iter().map(|outcome| plan.collection(&name(outcome)).cloned()).collect();
    if found.iter().all(Option::is_none) && !outcomes.is_empty() {
        let file = file.map_or_else(String::new, |file| file.display().to_string());
        let what = format!("{file}: a plan for other collections: {}", names(plan));
        return Err(UsageError(what).into());
    }
    Ok(found)
}

fn names(plan: &Plan) -> String {
    let named =
        |plan: &CollectionPlan| if plan.name.is_empty() { "files of documents".to_owned() } else { plan.name.clone() };
    plan.collections.iter().map(named).collect::<Vec<_>>().join(", ")
}

/// The name of a collection in plans; empty for files of documents.
fn name(outcome: &Outcome) -> String {
    outcome.collection.as_ref().map(|collection| collection.namespace.to_string()).unwrap_or_default()
}

fn part<'a>(((outcome, analysis), plan): ((&'a Outcome, &'a Analysis<'a>), &'a Option<CollectionPlan>)) -> Part<'a> {
    let collection = outcome.collection.as_ref();
    let metadata = collection.and_then(|collection| collection.metadata.as_ref());
    let name = name(outcome);
    Part {
        name: if name.is_empty() { "files of documents".to_owned() } else { name },
        kind: collection.map(|collection| collection_words(collection.kind)),
        analysis,
        plan: plan.as_ref(),
        open: plan.as_ref().map(|plan| open_hazards(plan, metadata)).unwrap_or_default(),
    }
}

fn title(args: &ReportArgs) -> String {
    let names: Vec<String> = args.reading.files.iter().map(ToString::to_string).collect();
    names.join(", ")
}
