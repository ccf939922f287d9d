//! What commands have in common on the command line.

mod choice;
mod input;
mod output;
mod policy;

pub(crate) use choice::{Colour, Report};
pub(crate) use input::{FormArgs, InputArgs, LimitArgs};
pub(crate) use output::OutputArgs;
pub(crate) use policy::{DialectArgs, JsonStyle, PolicyArgs};

use clap::Parser;

use crate::commands::Command;

/// BSON, OSON and JSON documents: convert, look up, check, compare.
#[derive(Debug, Parser)]
#[command(name = "boson", version, propagate_version = true, after_help = AFTER_HELP)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,

    /// When to use colours
    #[arg(long, alias = "color", global = true, value_enum, default_value_t, value_name = "WHEN")]
    pub(crate) colour: Colour,
}

const AFTER_HELP: &str = "\
Files are recognised by their content; `-` is standard input or output; gzip and zstd are unpacked.

Exit codes:
  0    done
  1    the answer is no: documents differ, a document is invalid, a path is nowhere
  2    the call cannot be understood
  3    the input is not what it should be
  4    refused: something would be lost or overwritten, and that was not asked for
  5    reading or writing failed
  130  interrupted

Examples:
  boson demo
  boson convert dump.bson -o dump.oson
  boson get address.city users.bson.gz
  boson diff before.bson after.bson";
