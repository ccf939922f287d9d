//! `boson bench blocks`.

use std::path::PathBuf;

use boson_bench::benchmarks::blocks::{self, Options};
use clap::Args;

use super::MeasureArgs;
use crate::exit::{Exit, UsageError};

/// The arguments of `boson bench blocks`.
#[derive(Debug, Args)]
#[command(after_help = "\
Documents of 64 KiB to 16 MiB are stored in files that are read in blocks, as databases keep them, and the first, the middle, the
last and an absent field are looked up, flat and nested. Blocks and bytes are counted where the file is read.

Examples:
  boson bench blocks
  boson bench blocks --sizes 16777216 --block-size 4096 --format csv
  boson bench blocks --folder /mnt/slow-disk")]
pub(super) struct BlocksArgs {
    /// The sizes of the documents, in bytes of BSON
    #[arg(long, value_name = "BYTES", value_delimiter = ',', default_values_t = blocks::SIZES)]
    sizes: Vec<usize>,

    /// The size of a block
    #[arg(long, value_name = "BYTES", default_value_t = 8192)]
    block_size: usize,

    /// Where to store the documents while they are measured [default: where temporary files go]
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,

    #[command(flatten)]
    measure: MeasureArgs,
}

pub(super) fn run(args: &BlocksArgs) -> anyhow::Result<Exit> {
    let (sizes, blocks) = (blocks::SIZES_POSSIBLE, blocks::BLOCK_LENS_POSSIBLE);
    if let Some(size) = args.sizes.iter().find(|size| !sizes.contains(size)) {
        let (least, most) = (sizes.start(), sizes.end());
        return Err(UsageError(format!("documents of {least} to {most} bytes can be measured, not of {size}")).into());
    }
    if !blocks.contains(&args.block_size) {
        let (least, most) = (blocks.start(), blocks.end());
        return Err(UsageError(format!("a block has {least} to {most} bytes, not {}", args.block_size)).into());
    }
    let options = Options { sizes: args.sizes.clone(), block_len: args.block_size, folder: args.folder.clone() };
    args.measure.report(|plan, watch| blocks::run(&options, plan, watch))?;
    Ok(Exit::Done)
}
