//! Where documents are written, and in which form.

use std::io::{IsTerminal, stdout};

use boson_store::{Compression, DocumentWriter, Framing, Location, WriteOptions};
use boson_transcode::Format;
use clap::{Args, ValueEnum};

use super::input::{Form, forms};
use crate::exit::UsageError;

/// Where documents go.
#[derive(Debug, Args)]
#[command(next_help_heading = "Writing")]
pub(crate) struct OutputArgs {
    /// The file to write, `-` for standard output; it appears when it is complete
    #[arg(long, short, value_name = "FILE", default_value = "-")]
    output: Location,

    /// The form of the output; json is a line for each document, oson one image [default: by the extension of the file]
    #[arg(long, value_name = "FORM", value_parser = forms())]
    to: Option<Form>,

    /// How to compress [default: by the extension of the file]
    #[arg(long, value_enum, value_name = "METHOD")]
    compress: Option<CompressChoice>,

    /// Replace a file that is there already
    #[arg(long)]
    overwrite: bool,
}

impl OutputArgs {
    /// Begins the output; `usual` is its form where neither the call nor the name of the file says one.
    pub(crate) fn create(&self, usual: Option<Framing>) -> anyhow::Result<DocumentWriter> {
        let asked = self.to.map(|form| form.framing().unwrap_or(Framing::usual(Format::Json)));
        let framing = asked.or_else(|| self.output.path().and_then(Framing::of_path)).or(usual);
        let framing = framing.ok_or_else(|| self.which_form())?;
        self.check_terminal(framing)?;
        let options = WriteOptions { compression: self.compress.map(Compression::from), overwrite: self.overwrite };
        Ok(DocumentWriter::create(&self.output, framing, &options)?)
    }

    /// Whether what is written is seen at once, and not when it is complete.
    pub(crate) fn is_standard(&self) -> bool {
        self.output == Location::Standard
    }

    fn which_form(&self) -> UsageError {
        UsageError(match &self.output {
            Location::Standard => {
                "which form is to be written? Say --to bson, json or oson, or name a file with -o".to_owned()
            }
            file @ Location::File(_) => format!(
                "the extension of {file} says no form; say --to bson, json or oson, \
                 or name the file .bson, .json, .ndjson, .jsonl, .oson, .hex or .b64"
            ),
        })
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
