//! `boson convert`: any format to any other, with a list of what could not be carried over.

use std::mem;

use boson_store::{DocumentWriter, Location, ReadError, Writer};
use boson_transcode::{ConvertError, Converter, Grade, Report as Losses};
use clap::Args;
use serde::Serialize;

use crate::args::{InputArgs, OutputArgs, PolicyArgs, Report};
use crate::documents::{Item, for_each_result, plain_len};
use crate::exit::{self, Exit, Refused};
use crate::output::{NAME, WARNING, counted, tell};

/// The arguments of `boson convert`.
#[derive(Debug, Args)]
#[command(after_help = "\
What could not be carried over is listed on standard error, by path and reason: `lost` where part of a value is gone, `note`
where it is the same in another form, or where a database server is picky. Several files become one.

With --format json the summary is an object on standard error, also when something failed: `error` then says what. In
`losses` a `path` of null stands for all paths beyond the first 100 of that reason; `left_out` lists the first 1,000
documents that were left out, and `left_out_unlisted` counts the others; `unread` lists files that could not be read to
their end, with `offset`, where what was not read begins, and `bytes`, how much that is, null where it is not known.

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

    /// Stop if a value would be changed: what is listed as lost. No file is written then; on standard output stands what came
    /// before. A note is no loss: the value is the same, in another type or notation
    #[arg(long)]
    lossless: bool,

    /// Leave out documents that cannot be read or converted, with --lossless also those that would be changed, and list
    /// them; where a fault hides the next document, the rest of the file is not read, which is said. Exit code 3 says that
    /// something was left out
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
    /// Why documents were left out, as far as `LEFT_OUT_MAX` of them; `skipped` counts all.
    left_out: Vec<String>,
    /// How many more there are.
    left_out_unlisted: u64,
    /// Files that could not be read to their end: nobody knows how many documents follow.
    unread: Vec<Unread>,
    losses: Vec<Lost>,
    /// What stopped the conversion, after which nothing is written.
    error: Option<String>,
}

/// How many reasons are kept for a program to read; people see all of them as they come.
const LEFT_OUT_MAX: usize = 1000;

/// The rest of a file, behind a fault that hides where the next document begins.
#[derive(Debug, Serialize)]
struct Unread {
    file: String,
    /// The first byte of it, after decompression.
    offset: u64,
    /// How many bytes it has, of a file that is not compressed.
    bytes: Option<u64>,
}

/// One reason at one path; the path is none for all those beyond the number of paths that are kept.
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
    let mut job = match Job::new(args) {
        Ok(job) => job,
        Err(error) => return fail(args, Summary::default(), error),
    };
    let done = for_each_result(&args.input.files, &args.input.form, |item| job.convert_or_skip(item));
    match done {
        Ok(()) => job.finish(),
        Err(error) => fail(args, job.summary(), error),
    }
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

    fn convert_or_skip(&mut self, item: anyhow::Result<Item<'_>>) -> anyhow::Result<()> {
        let converted = item.and_then(|item| self.try_convert(&item).map(|()| item));
        match converted {
            Ok(item) => self.write(&item),
            // What cannot be opened is no document.
            Err(error) if self.args.skip_invalid && exit::category(&error) != Exit::Io => {
                self.skip(&error);
                Ok(())
            }
            Err(error) => Err(error),
        }
    }

    fn write(&mut self, item: &Item<'_>) -> anyhow::Result<()> {
        self.summary.documents += 1;
        self.summary.bytes_in += item.bytes.len() as u64;
        self.summary.bytes_out += self.bytes.len() as u64;
        Ok(self.out.write_document(&self.bytes)?)
    }

    fn skip(&mut self, error: &anyhow::Error) {
        self.summary.skipped += 1;
        // It counts where documents are counted, and nothing of it was lost.
        self.losses.begin_document();
        if self.args.format == Report::Text {
            tell!("{WARNING}left out{WARNING:#} {error:#}");
        } else if self.summary.left_out.len() < LEFT_OUT_MAX {
            self.summary.left_out.push(format!("{error:#}"));
        } else {
            self.summary.left_out_unlisted += 1;
        }
        if let Some(error) = error.downcast_ref::<ReadError>().filter(|error| error.ends_stream()) {
            self.summary.unread.push(Unread::behind(error, &self.args.input.files));
        }
    }

    /// Converts a document. Of one that is left out no loss is kept, so each has a report of its own where that may be.
    fn try_convert(&mut self, item: &Item<'_>) -> anyhow::Result<()> {
        if !self.args.skip_invalid {
            let mut losses = mem::take(&mut self.losses);
            let converted = self.convert(item, &mut losses);
            self.losses = losses;
            return converted;
        }
        let mut losses = Losses::new();
        self.convert(item, &mut losses)?;
        self.losses.merge(&losses);
        Ok(())
    }

    fn convert(&mut self, item: &Item<'_>, losses: &mut Losses) -> anyhow::Result<()> {
        self.bytes.clear();
        let document = item.document()?;
        let converted = self.converter.convert(&document, losses, &mut self.bytes);
        converted.map_err(|error: ConvertError| anyhow::Error::new(error).context(item.place()))?;
        if self.args.lossless {
            self.refuse_losses(item, losses)?;
        }
        Ok(())
    }

    fn refuse_losses(&self, item: &Item<'_>, losses: &Losses) -> Result<(), Refused> {
        let lost = losses.iter().find(|lost| lost.loss.grade() == Grade::Value);
        lost.map_or(Ok(()), |lost| {
            let (place, path) = (item.place(), lost.path.unwrap_or("somewhere"));
            Err(Refused(format!("{place}: {path}: {}{}", lost.loss.explanation(), self.nothing_more())))
        })
    }

    /// What became of the output when a document was refused.
    fn nothing_more(&self) -> &'static str {
        match (self.args.skip_invalid, self.args.output.is_standard()) {
            (true, _) => "",
            (false, true) => "; neither it nor what follows was written",
            (false, false) => "; nothing was written",
        }
    }

    /// What was done so far.
    fn summary(mut self) -> Summary {
        self.summary.losses = self.losses.iter().map(Lost::from).collect();
        self.summary
    }

    fn finish(mut self) -> anyhow::Result<Exit> {
        self.summary.losses = self.losses.iter().map(Lost::from).collect();
        let Self { args, out, summary, .. } = self;
        if let Err(error) = out.finish() {
            return fail(args, summary, error.into());
        }
        match args.format {
            Report::Json => tell!("{}", serde_json::to_string_pretty(&summary)?),
            Report::Text => print(&summary),
        }
        Ok(if summary.skipped == 0 { Exit::Done } else { Exit::Input })
    }
}

/// No file is written. A program finds the error in the summary.
fn fail(args: &ConvertArgs, mut summary: Summary, error: anyhow::Error) -> anyhow::Result<Exit> {
    if args.format == Report::Text || exit::is_broken_pipe(&error) {
        return Err(error);
    }
    summary.error = Some(format!("{error:#}"));
    if !args.output.is_standard() {
        (summary.documents, summary.bytes_out) = (0, 0);
    }
    tell!("{}", serde_json::to_string_pretty(&summary)?);
    Ok(exit::category(&error))
}

impl Unread {
    /// What stands behind the fault in one of `files`.
    fn behind(fault: &ReadError, files: &[Location]) -> Self {
        let (file, offset) = (fault.name().to_owned(), fault.offset());
        let location = files.iter().find(|location| location.to_string() == file);
        let bytes = location.and_then(plain_len).map(|len| len.saturating_sub(offset));
        Self { file, offset, bytes }
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
        tell!(
            "{style}{word}{style:#} {path}: {explanation} ({}, first in document {first_document})",
            counted(*count, "value")
        );
    }
    for Unread { file, offset, bytes } in &summary.unread {
        let bytes = bytes.map_or_else(String::new, |bytes| format!(", {}", counted(bytes, "byte")));
        tell!(
            "{WARNING}not read{WARNING:#} {file}: all from byte {offset} on{bytes}: where the next document begins is not known"
        );
    }
    let Summary { documents, bytes_in, bytes_out, skipped, .. } = summary;
    let skipped = if *skipped > 0 { format!(", {} left out", counted(*skipped, "document")) } else { String::new() };
    tell!(
        "{} converted, {} in, {} out{skipped}",
        counted(*documents, "document"),
        counted(*bytes_in, "byte"),
        counted(*bytes_out, "byte")
    );
}
