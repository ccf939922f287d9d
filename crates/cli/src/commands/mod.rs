//! What `boson` can do, a module for each command.

mod analyze;
mod bench;
mod completions;
mod convert;
mod demo;
mod diff;
mod edit;
mod explain;
mod generate;
mod get;
mod migrate;
mod prove;
mod report;
mod schema;
mod undo;
mod validate;

pub(crate) use edit::{Nowhere, Unfit};
pub(crate) use prove::NotAProof;

use clap::Subcommand;

use crate::exit::Exit;

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Find badly typed fields in generated readings, fix them, check that, undo it: a minute's tour
    Demo(demo::DemoArgs),
    /// Convert documents from any format to any other
    Convert(Box<convert::ConvertArgs>),
    /// Read one field of each document without decoding the rest
    Get(get::GetArgs),
    /// Set a value, or add a field, in the bytes of a document
    Set(Box<edit::SetArgs>),
    /// Remove a value from a document
    Unset(edit::UnsetArgs),
    /// Add an element to an array of a document
    Push(Box<edit::PushArgs>),
    /// Check every rule of the format in every document
    Validate(validate::ValidateArgs),
    /// Compare two files document by document, types included
    Diff(diff::DiffArgs),
    /// Say what every byte of a BSON or OSON document means
    Explain(explain::ExplainArgs),
    /// Show where the bytes go, what fields really hold, and what better types would save
    Analyze(Box<analyze::AnalyzeArgs>),
    /// Merge saved profiles of parts into the profile of the whole
    Merge(analyze::MergeArgs),
    /// Change the types of fields in a dump by a plan: tried first, then written
    Migrate(Box<migrate::MigrateArgs>),
    /// Have the original of what `boson migrate` made back, to the byte
    Undo(undo::UndoArgs),
    /// Prove what better types are worth: documents, disk, indexes, network, decoding, before and after
    Prove(Box<prove::ProveArgs>),
    /// Make one page of it all, for a browser: where the bytes go, findings, hazards, the plan, before and after
    Report(Box<report::ReportArgs>),
    /// Make what keeps new documents right: a validator for the server, types for programs
    Schema(Box<schema::SchemaArgs>),
    /// Generate documents from a seed
    Gen(generate::GenArgs),
    /// Compare the formats on this machine: published benchmarks, and your own documents
    Bench(bench::BenchArgs),
    /// Print completions for a shell, or the manual page
    Completions(completions::CompletionsArgs),
}

/// Does what was asked for.
pub(crate) fn run(command: Command) -> anyhow::Result<Exit> {
    match command {
        Command::Demo(args) => demo::run(&args),
        Command::Convert(args) => convert::run(&args),
        Command::Get(args) => get::run(&args),
        Command::Set(args) => edit::set(&args),
        Command::Unset(args) => edit::unset(&args),
        Command::Push(args) => edit::push(&args),
        Command::Validate(args) => validate::run(&args),
        Command::Diff(args) => diff::run(&args),
        Command::Explain(args) => explain::run(&args),
        Command::Analyze(args) => analyze::run(&args),
        Command::Merge(args) => analyze::merge(&args),
        Command::Migrate(args) => migrate::run(&args),
        Command::Undo(args) => undo::run(&args),
        Command::Prove(args) => prove::run(&args),
        Command::Report(args) => report::run(&args),
        Command::Schema(args) => schema::run(&args),
        Command::Gen(args) => generate::run(&args),
        Command::Bench(args) => bench::run(&args),
        Command::Completions(args) => completions::run(&args),
    }
}
