//! What is read, and within which bounds.

use boson_document::Limits;
use boson_store::{Framing, Location, ReadOptions};
use clap::Args;

/// Where documents come from.
#[derive(Debug, Args)]
pub(crate) struct InputArgs {
    /// Files to read, `-` for standard input
    #[arg(value_name = "FILE", default_value = "-")]
    pub(crate) files: Vec<Location>,

    #[command(flatten)]
    pub(crate) form: FormArgs,
}

/// How what is read is to be understood.
#[derive(Debug, Args)]
#[command(next_help_heading = "Reading")]
pub(crate) struct FormArgs {
    /// The form of the input, when its first bytes do not tell: bson, json-lines, json-values, json-array, oson,
    /// oson-images, oson-hex, oson-base64
    #[arg(long, value_name = "FORM")]
    pub(crate) from: Option<Framing>,

    /// Use the whole documents of a file that was cut short
    #[arg(long)]
    pub(crate) recover: bool,

    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

impl FormArgs {
    /// The options for the readers of [`boson_store`].
    pub(crate) fn read_options(&self) -> ReadOptions {
        ReadOptions { framing: self.from, bytes_max: self.limits.max_bytes, recover: self.recover }
    }
}

/// Bounds that differ from those of the formats.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct LimitArgs {
    /// Read documents of up to this many bytes [default: BSON 16 MiB + 16 KiB, OSON 32 MiB, JSON any]
    #[arg(long, value_name = "BYTES")]
    pub(crate) max_bytes: Option<usize>,

    /// Follow containers this deep [default: BSON 200, OSON and JSON 1024]
    #[arg(long, value_name = "LEVELS")]
    pub(crate) max_depth: Option<u32>,
}

impl LimitArgs {
    /// `limits` with what was asked for.
    pub(crate) fn apply(self, limits: Limits) -> Limits {
        let limits = self.max_bytes.map_or(limits, |bytes| limits.with_bytes(bytes));
        self.max_depth.map_or(limits, |depth| limits.with_depth(depth))
    }
}
