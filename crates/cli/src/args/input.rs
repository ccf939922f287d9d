//! What is read, and within which bounds.

use boson_document::Limits;
use boson_store::{Framing, Location, ReadOptions};
use boson_transcode::Format;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};

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
    /// The form of the input, when its first bytes do not tell; json is any of the forms of JSON
    #[arg(long, value_name = "FORM", value_parser = forms())]
    pub(crate) from: Option<Form>,

    /// Use the whole documents of a file that was cut short
    #[arg(long)]
    pub(crate) recover: bool,

    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

impl FormArgs {
    /// The options for the readers of [`boson_store`].
    pub(crate) fn read_options(&self) -> ReadOptions {
        ReadOptions {
            framing: self.from.and_then(Form::framing),
            format: self.from.map(Form::format),
            bytes_max: self.limits.max_bytes,
            recover: self.recover,
        }
    }
}

/// A form on the command line.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Form {
    /// `json`: any form of JSON where it is read, the usual one where it is written.
    Json,
    /// One of those that [`boson_store`] has.
    Exactly(Framing),
}

impl Form {
    /// The form; `None` when it is to be found out.
    pub(crate) const fn framing(self) -> Option<Framing> {
        match self {
            Self::Json => None,
            Self::Exactly(framing) => Some(framing),
        }
    }

    const fn format(self) -> Format {
        match self {
            Self::Json => Format::Json,
            Self::Exactly(framing) => framing.format(),
        }
    }
}

/// The parser of forms, which shells can complete.
pub(crate) fn forms() -> impl TypedValueParser<Value = Form> {
    let names = Framing::names().into_iter().chain(["json"]);
    PossibleValuesParser::new(names).try_map(|name| match name.as_str() {
        "json" => Ok(Form::Json),
        name => name.parse().map(Form::Exactly),
    })
}

/// Bounds that differ from those of the formats.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct LimitArgs {
    /// Read documents of up to this many bytes [default: BSON 16 MiB + 16 KiB, OSON 32 MiB, JSON 256 MiB]
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
