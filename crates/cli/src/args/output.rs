//! Where documents are written, and in which form.

use std::io::{IsTerminal, stdout};

use boson_store::{Compression, DocumentWriter, Framing, Location, WriteOptions};
use clap::{Args, ValueEnum};

use crate::exit::UsageError;

/// Where documents go.
#[derive(Debug, Args)]
#[command(next_help_heading = "Writing")]
pub(crate) struct OutputArgs {
    /// The file to write, `-` for standard output; it appears when it is complete
    #[arg(long, short, value_name = "FILE", default_value = "-")]
    output: Location,

    /// The form of the output: bson, json (a line for each document), json-values, json-array, oson (one image), oson-images,
    /// oson-hex, oson-base64 [default: by the extension of the file]
    #[arg(long, value_name = "FORM", value_parser = parse_framing)]
    to: Option<Framing>,

    /// How to compress [default: by the extension of the file]
    #[arg(long, value_enum, value_name = "METHOD")]
    compress: Option<CompressChoice>,

    /// Replace a file that is there already
    #[arg(long)]
    overwrite: bool,
}

fn parse_framing(text: &str) -> Result<Framing, String> {
    if text == "json" { Ok(Framing::JsonLines) } else { text.parse() }
}

impl OutputArgs {
    /// Begins the output; `usual` is its form where neither the call nor the name of the file says one.
    pub(crate) fn create(&self, usual: Option<Framing>) -> anyhow::Result<DocumentWriter> {
        let framing = self.to.or_else(|| self.output.path().and_then(Framing::of_path)).or(usual);
        let framing = framing.ok_or_else(|| {
            UsageError("which form is to be written? Say --to bson, json or oson, or name a file with -o".to_owned())
        })?;
        self.check_terminal(framing)?;
        let options = WriteOptions { compression: self.compress.map(Compression::from), overwrite: self.overwrite };
        Ok(DocumentWriter::create(&self.output, framing, &options)?)
    }

    /// Binary data does a terminal no good.
    fn check_terminal(&self, framing: Framing) -> Result<(), UsageError> {
        let binary = matches!(framing, Framing::Bson | Framing::Oson | Framing::OsonImages)
            || matches!(self.compress, Some(CompressChoice::Gzip | CompressChoice::Zstd));
        if binary && self.output == Location::Standard && stdout().is_terminal() {
            let message = "binary data would be printed on the terminal; name a file with -o, or pipe it on";
            return Err(UsageError(message.to_owned()));
        }
        Ok(())
    }
}

/// How to compress.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum CompressChoice {
    None,
    Gzip,
    Zstd,
}

impl From<CompressChoice> for Compression {
    fn from(choice: CompressChoice) -> Self {
        match choice {
            CompressChoice::None => Self::None,
            CompressChoice::Gzip => Self::Gzip,
            CompressChoice::Zstd => Self::Zstd,
        }
    }
}
