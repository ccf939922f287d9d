//! `boson convert`: any format to any other, with a list of what could not be carried over.

use boson_store::{DocumentWriter, Writer};
use boson_transcode::{ConvertError, Converter, Grade, Report as Losses};
use clap::Args;
use serde::Serialize;

use crate::args::{InputArgs, OutputArgs, PolicyArgs, Report};
use crate::documents::{Item, for_each};
use crate::exit::{Exit, Refused};
use crate::output::{NAME, WARNING, counted};

/// The arguments of `boson convert`.
#[derive(Debug, Args)]
#[command(after_help = "\
What could not be carried over is listed on standard error, by path and reason. Several files become one.

Examples:
  boson convert dump.bson -o dump.ndjson.gz
  boson convert orders.json --to oson-hex > orders.hex
  boson convert users.ndjson -o users.bson --inexact error --lossless
  mongoexport … | boson convert --to bson -o users.bson")]
pub(crate) struct ConvertArgs {
    #[command(flatten)]
    input: InputArgs,

    #[command(flatten)]
    output: OutputArgs,

    #[command(flatten)]
    policy: PolicyArgs,

    /// Write nothing if anything would be lost
    #[arg(long)]
    lossless: bool,

    /// Leave out documents that cannot be read or converted, and list them
    #[arg(long)]
    skip_invalid: bool,

    /// How to print the summary; it goes to standard error
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: Report,
}

/// What was done.
#[derive(Debug, Default, Serialize)]
struct Summary {
    documents: u64,
    bytes_in: u64,
    bytes_out: u64,
    skipped: u64,
    losses: Vec<Lost>,
}

/// One reason at one path.
#[derive(Debug, Serialize)]
struct Lost {
    reason: &'static str,
    explanation: &'static str,
    value_changed: bool,
    path: Option<String>,
    count: u64,
    first_document: u64,
}

/// Converts the files into one.
pub(crate) fn run(args: &ConvertArgs) -> anyhow::Result<Exit> {
    let mut job = Job::new(args)?;
    for_each(&args.input.files, &args.input.form, |item| job.convert(item))?;
    job.finish()
}

struct Job<'a> {
    args: &'a ConvertArgs,
    converter: Converter,
    losses: Losses,
    out: DocumentWriter,
    bytes: Vec<u8>,
    summary: Summary,
}

impl<'a> Job<'a> {
    fn new(args: &'a ConvertArgs) -> anyhow::Result<Self> {
        let out = args.output.create(None)?;
        let converter = Converter::new(out.format(), args.policy.policy(args.input.form.limits));
        Ok(Self { args, converter, losses: Losses::new(), out, bytes: Vec::new(), summary: Summary::default() })
    }

    fn convert(&mut self, item: &Item<'_>) -> anyhow::Result<()> {
        self.bytes.clear();
        match self.try_convert(item) {
            Ok(()) => {}
            Err(error) if self.args.skip_invalid => {
                self.summary.skipped += 1;
                anstream::eprintln!("{WARNING}left out{WARNING:#} {error:#}");
                return Ok(());
            }
            Err(error) => return Err(error),
        }
        if self.args.lossless {
            self.refuse_losses(item)?;
        }
        self.summary.documents += 1;
        self.summary.bytes_in += item.bytes.len() as u64;
        self.summary.bytes_out += self.bytes.len() as u64;
        Ok(self.out.write_document(&self.bytes)?)
    }

    fn try_convert(&mut self, item: &Item<'_>) -> anyhow::Result<()> {
        let document = item.document()?;
        let converted = self.converter.convert(&document, &mut self.losses, &mut self.bytes);
        converted.map_err(|error: ConvertError| anyhow::Error::new(error).context(item.place()))
    }

    fn refuse_losses(&self, item: &Item<'_>) -> Result<(), Refused> {
        let lost = self.losses.iter().find(|lost| lost.loss.grade() == Grade::Value);
        lost.map_or(Ok(()), |lost| {
            let (place, path) = (item.place(), lost.path.unwrap_or("somewhere"));
            Err(Refused(format!("{place}: {path}: {}; nothing was written", lost.loss.explanation())))
        })
    }

    fn finish(mut self) -> anyhow::Result<Exit> {
        self.summary.losses = self.losses.iter().map(Lost::from).collect();
        self.out.finish()?;
        match self.args.format {
            Report::Json => eprintln!("{}", serde_json::to_string_pretty(&self.summary)?),
            Report::Text => print(&self.summary),
        }
        Ok(if self.summary.skipped == 0 { Exit::Done } else { Exit::Input })
    }
}

impl From<boson_transcode::Occurrences<'_>> for Lost {
    fn from(lost: boson_transcode::Occurrences<'_>) -> Self {
        Self {
            reason: lost.loss.name(),
            explanation: lost.loss.explanation(),
            value_changed: lost.loss.grade() == Grade::Value,
            path: lost.path.map(str::to_owned),
            count: lost.count,
            first_document: lost.first_document.saturating_add(1),
        }
    }
}

fn print(summary: &Summary) {
    for Lost { explanation, value_changed, path, count, first_document, .. } in &summary.losses {
        let (style, word) = if *value_changed { (WARNING, "lost") } else { (NAME, "note") };
        let path = path.as_deref().unwrap_or("other paths");
        anstream::eprintln!(
            "{style}{word}{style:#} {path}: {explanation} ({}, first in document {first_document})",
            counted(*count, "value")
        );
    }
    let Summary { documents, bytes_in, bytes_out, skipped, .. } = summary;
    let skipped = if *skipped > 0 { format!(", {} left out", counted(*skipped, "document")) } else { String::new() };
    anstream::eprintln!(
        "{} converted, {} in, {} out{skipped}",
        counted(*documents, "document"),
        counted(*bytes_in, "byte"),
        counted(*bytes_out, "byte")
    );
}
