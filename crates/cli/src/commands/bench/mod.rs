//! `boson bench`: the formats compared on this machine.

mod access;
mod blocks;
mod file;
mod matrix;
mod people;
mod types;
mod update;

use std::io::{IsTerminal, Write, stderr};
use std::path::PathBuf;
use std::time::Duration;

use boson_bench::{BenchError, Format, Iterations, Peers, Plan, Report};
use clap::{Args, Subcommand};

use crate::exit::{Exit, Interrupted};
use crate::{interrupt, output};

/// The arguments of `boson bench`.
#[derive(Debug, Args)]
#[command(after_help = "\
Every figure is measured when it is asked for. Close what else runs: spread tells how quiet the machine was.

Examples:
  boson bench matrix --cells 10x1000,100x1000
  boson bench people --rows 100,1000 --results results.txt
  boson bench file orders.bson --format markdown")]
pub(crate) struct BenchArgs {
    #[command(subcommand)]
    benchmark: Benchmark,
}

/// The benchmarks.
#[derive(Debug, Subcommand)]
enum Benchmark {
    /// Documents of 10 to 1000 fields of 1000 to 100000 letters: encode, decode, access, size
    Matrix(matrix::MatrixArgs),
    /// The showdown of JSON against BSON: make, read and size of an object of many records
    People(people::PeopleArgs),
    /// One field, near and far, shallow and deep, in each form of a document; changing one field
    Access(access::AccessArgs),
    /// Decoding seven fields that are strings, and the same in native types
    Types(types::TypesArgs),
    /// Changing fields of documents of 10 KB to 4 MB: editing the bytes, and decoding, changing and encoding
    Update(update::UpdateArgs),
    /// Reading one field of a document that lies in a file of blocks: how many blocks it takes, near and far, flat and nested
    Blocks(blocks::BlocksArgs),
    /// All of it on your own documents
    File(file::FileArgs),
}

/// Measures what was asked for.
pub(crate) fn run(args: &BenchArgs) -> anyhow::Result<Exit> {
    match &args.benchmark {
        Benchmark::Matrix(args) => matrix::run(args),
        Benchmark::People(args) => people::run(args),
        Benchmark::Access(args) => access::run(args),
        Benchmark::Types(args) => types::run(args),
        Benchmark::Update(args) => update::run(args),
        Benchmark::Blocks(args) => blocks::run(args),
        Benchmark::File(args) => file::run(args),
    }
}

/// How it is measured and printed.
#[derive(Debug, Args)]
struct MeasureArgs {
    /// How to print the result: table, markdown, csv or json
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    format: Format,

    /// Rounds that count; figures are those of the median round
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..), default_value_t = 5)]
    rounds: u32,

    /// Rounds before those that count
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    warmup: u32,

    /// Operations in each round [default: as many as take --round-time]
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u64).range(1..))]
    iterations: Option<u64>,

    /// How long a round is at least, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 20, conflicts_with = "iterations")]
    round_time: u64,
}

/// Whom to measure beside Boson.
#[derive(Debug, Args)]
struct PeersArgs {
    /// Measure pymongo, python-oracledb and orjson as well, in the virtual environment of this folder, which is made if it is
    /// not there (Python 3 needed)
    #[arg(long, value_name = "FOLDER", num_args = 0..=1, require_equals = true, default_missing_value = ".peers/venv")]
    peers: Option<PathBuf>,
}

impl PeersArgs {
    fn start(&self) -> anyhow::Result<Option<Peers>> {
        Ok(self.peers.as_deref().map(Peers::start).transpose()?)
    }
}

impl MeasureArgs {
    const fn plan(&self) -> Plan {
        let iterations = match self.iterations {
            Some(count) => Iterations::Exactly(count),
            None => Iterations::For(Duration::from_millis(self.round_time)),
        };
        Plan { warmup: self.warmup, rounds: self.rounds, iterations }
    }

    /// Runs `benchmark` and prints its report, which is handed back.
    fn report(
        &self,
        benchmark: impl FnOnce(&Plan, &mut boson_bench::Watch<'_>) -> Result<Report, BenchError>,
    ) -> anyhow::Result<Report> {
        let report = benchmark(&self.plan(), &mut watch).map_err(|error| match error {
            BenchError::Stopped => Interrupted.into(),
            error => anyhow::Error::from(error),
        })?;
        let mut out = output::stdout();
        out.write_all(report.render(self.format).as_bytes())?;
        out.flush()?;
        Ok(report)
    }
}

/// Says on a terminal what is measured next; false once the user has asked to stop.
fn watch(what: &str) -> bool {
    if stderr().is_terminal() {
        anstream::eprintln!("measuring {what}");
    }
    interrupt::check().is_ok()
}
