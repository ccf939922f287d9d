//! `boson bench update`.

use boson_bench::benchmarks::update;
use clap::Args;

use super::MeasureArgs;
use crate::exit::{Exit, UsageError};

/// The arguments of `boson bench update`.
#[derive(Debug, Args)]
#[command(after_help = "\
One field, several, longer strings, new fields, array pushes: BSON spliced and as a mutable document, OSON in place, and what
decoding, changing and encoding takes, also with the official bson crate. Beside the time stands how many bytes were written.

Examples:
  boson bench update
  boson bench update --sizes 10000,16000000 --format markdown")]
pub(super) struct UpdateArgs {
    /// The sizes of the documents, in bytes of BSON
    #[arg(long, value_name = "BYTES", value_delimiter = ',', default_values_t = update::SIZES)]
    sizes: Vec<usize>,

    #[command(flatten)]
    measure: MeasureArgs,
}

pub(super) fn run(args: &UpdateArgs) -> anyhow::Result<Exit> {
    let possible = update::SIZES_POSSIBLE;
    if let Some(size) = args.sizes.iter().find(|size| !possible.contains(size)) {
        let (least, most) = (possible.start(), possible.end());
        return Err(UsageError(format!("documents of {least} to {most} bytes can be measured, not of {size}")).into());
    }
    args.measure.report(|plan, watch| update::run(&args.sizes, plan, watch))?;
    Ok(Exit::Done)
}
