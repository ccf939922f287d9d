//! `boson bench access`.

use boson_bench::benchmarks::access;
use clap::Args;

use super::MeasureArgs;
use crate::exit::Exit;

/// The arguments of `boson bench access`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  boson bench access
  boson bench access --rounds 15 --format csv > access.csv")]
pub(super) struct AccessArgs {
    #[command(flatten)]
    measure: MeasureArgs,
}

pub(super) fn run(args: &AccessArgs) -> anyhow::Result<Exit> {
    args.measure.report(access::run)?;
    Ok(Exit::Done)
}
