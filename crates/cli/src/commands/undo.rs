//! `boson undo`: the original of what `boson migrate` made.

use std::path::PathBuf;

use boson_migrate::restore;
use clap::Args;

use crate::exit::Exit;
use crate::output::{counted, tell};

/// The arguments of `boson undo`.
#[derive(Debug, Args)]
#[command(after_help = "\
Every byte of every document is as it was before `boson migrate`, which is checked by a hash of each part. A converted file
that was changed since is refused. What was compressed is compressed anew. The result appears when it is complete.

Examples:
  boson undo converted.bson --to original.bson
  boson undo converted --log converted.undo --to original")]
pub(crate) struct UndoArgs {
    /// What `boson migrate` made: a file or a folder
    #[arg(value_name = "CONVERTED")]
    converted: PathBuf,

    /// The undo log [default: CONVERTED.undo]
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,

    /// What to write
    #[arg(long, value_name = "ORIGINAL")]
    to: PathBuf,
}

/// Restores.
pub(crate) fn run(args: &UndoArgs) -> anyhow::Result<Exit> {
    let log = args.log.clone().unwrap_or_else(|| {
        let mut name = args.converted.file_name().unwrap_or_default().to_owned();
        name.push(".undo");
        args.converted.with_file_name(name)
    });
    let restored = restore(&args.converted, &log, &args.to)?;
    tell!(
        "{} restored: {} in {}, {}; all as they were",
        args.to.display(),
        counted(restored.bytes, "byte"),
        counted(restored.streams, "data file"),
        counted(restored.files, "other file"),
    );
    Ok(Exit::Done)
}
