//! `boson bench types`.

use boson_bench::benchmarks::types;
use clap::Args;

use super::MeasureArgs;
use crate::exit::Exit;

/// The arguments of `boson bench types`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  boson bench types
  boson bench types --warmup 5 --rounds 20 --iterations 100000")]
pub(super) struct TypesArgs {
    #[command(flatten)]
    measure: MeasureArgs,
}

pub(super) fn run(args: &TypesArgs) -> anyhow::Result<Exit> {
    args.measure.report(types::run)?;
    Ok(Exit::Done)
}
