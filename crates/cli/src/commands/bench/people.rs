//! `boson bench people`.

use std::path::PathBuf;

use boson_bench::benchmarks::people;
use clap::Args;

use super::{MeasureArgs, PeersArgs};
use crate::exit::Exit;

/// The arguments of `boson bench people`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  boson bench people
  boson bench people --rows 100,1000 --results results.txt")]
pub(super) struct PeopleArgs {
    /// How many records the document has; several numbers make several documents
    #[arg(long, value_name = "NUMBER", value_delimiter = ',', num_args = 1.., default_values_t = people::ROWS)]
    rows: Vec<usize>,

    /// The file that a summary is added to; what is in it stays
    #[arg(long, value_name = "FILE", default_value = "results.txt")]
    results: PathBuf,

    #[command(flatten)]
    peers: PeersArgs,

    #[command(flatten)]
    measure: MeasureArgs,
}

pub(super) fn run(args: &PeopleArgs) -> anyhow::Result<Exit> {
    let mut peers = args.peers.start()?;
    let report = args.measure.report(|plan, watch| people::run(&args.rows, plan, peers.as_mut(), watch))?;
    people::append_summary(&report, &args.results)?;
    Ok(Exit::Done)
}
