//! `boson convert`: any format to any other, with a list of what could not be carried over.

use boson_document::Limits;
use boson_store::{DocumentWriter, ReadError, Writer};
use boson_transcode::{ConvertError, Converter, Format, Grade, Report as Losses};
use clap::Args;
use serde::Serialize;

use crate::args::{InputArgs, OutputArgs, PolicyArgs, Report};
use crate::documents::{Item, for_each_result};
use crate::exit::{self, Exit, Refused};
use crate::output::{NAME, WARNING, counted, tell};

/// The arguments of `boson convert`.
#[derive(Debug, Args)]
#[command(after_help = "\
What could not be carried over is listed on standard error, by path and reason: `lost` where part of a value is gone, `note`
where it is the same in another form. Several files become one.

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

    /// Write nothing if a value would be changed: what is listed as lost. A note is no loss: the value is the same, in another
    /// type or notation
    #[arg(long)]
    lossless: bool,

    /// Leave out documents that cannot be read or converted, and list them (with --format json the first 1,000 of them, and
    /// the number of all); where a fault hides the next document, the rest of the file is not read, which is said
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
    /// Files that could not be read to their end: nobody knows how many documents follow.
    unread: Vec<Unread>,
    losses: Vec<Lost>,
    /// What a database server will say to images that are in order.
    servers: Vec<ServerNote>,
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
    let mut job = Job::new(args)?;
    let done = for_each_result(&args.input.files, &args.input.form, |item| job.convert_or_skip(item));
    match done {
        Ok(()) => job.finish(),
        Err(error) => job.fail(error),
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

/// Levels that Oracle Database takes.
const SERVER_DEPTH_MAX: usize = 1000;

/// The version of images whose names may have 256 bytes and more; it stands behind the three bytes of magic.
const LONG_NAMES_VERSION: u8 = 3;

/// Something that not every server takes.
#[derive(Debug, Serialize)]
struct ServerNote {
    explanation: &'static str,
    documents: u64,
    first_document: u64,
}

impl Summary {
    /// Notes what servers will say to the OSON image of document `number`, which has `depth` levels.
    fn note_servers(&mut self, number: u64, depth: usize, image: &[u8]) {
        if image.get(3) == Some(&LONG_NAMES_VERSION) {
            self.note_server(number, "a name of 256 bytes or more: reading it needs Oracle Database 23ai");
        }
        if image.len() > Limits::OSON.bytes || depth > SERVER_DEPTH_MAX {
            self.note_server(number, "beyond what Oracle Database stores: 32 MB and 1,000 levels");
        }
    }

    fn note_server(&mut self, number: u64, explanation: &'static str) {
        match self.servers.iter_mut().find(|note| note.explanation == explanation) {
            Some(note) => note.documents += 1,
            None => self.servers.push(ServerNote { explanation, documents: 1, first_document: number }),
        }
    }
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
        if self.args.lossless {
            self.refuse_losses(item)?;
        }
        self.summary.documents += 1;
        self.summary.bytes_in += item.bytes.len() as u64;
        self.summary.bytes_out += self.bytes.len() as u64;
        if self.out.format() == Format::Oson {
            self.summary.note_servers(self.summary.documents, self.converter.depth(), &self.bytes);
        }
        Ok(self.out.write_document(&self.bytes)?)
    }

    fn skip(&mut self, error: &anyhow::Error) {
        self.summary.skipped += 1;
        if self.args.format == Report::Text {
            tell!("{WARNING}left out{WARNING:#} {error:#}");
        } else if self.summary.left_out.len() < LEFT_OUT_MAX {
            self.summary.left_out.push(format!("{error:#}"));
        }
        if let Some(error) = error.downcast_ref::<ReadError>().filter(|error| error.ends_stream()) {
            self.summary.unread.push(Unread { file: error.name().to_owned(), offset: error.offset() });
        }
    }

    fn try_convert(&mut self, item: &Item<'_>) -> anyhow::Result<()> {
        self.bytes.clear();
        let document = item.document()?;
        let converted = self.converter.convert(&document, &mut self.losses, &mut self.bytes);
        converted.map_err(|error: ConvertError| anyhow::Error::new(error).context(item.place()))
    }

    fn refuse_losses(&self, item: &Item<'_>) -> Result<(), Refused> {
        let lost = self.losses.iter().find(|lost| lost.loss.grade() == Grade::Value);
        lost.map_or(Ok(()), |lost| {
            let (place, path) = (item.place(), lost.path.unwrap_or("somewhere"));
            Err(Refused(format!("{place}: {path}: {}; {}", lost.loss.explanation(), self.nothing_more())))
        })
    }

    /// What became of the output when a document was refused.
    fn nothing_more(&self) -> &'static str {
        if self.args.output.is_standard() { "neither it nor what follows was written" } else { "nothing was written" }
    }

    fn finish(mut self) -> anyhow::Result<Exit> {
        self.summary.losses = self.losses.iter().map(Lost::from).collect();
        self.out.finish()?;
        match self.args.format {
            Report::Json => tell!("{}", serde_json::to_string_pretty(&self.summary)?),
            Report::Text => print(&self.summary),
        }
        Ok(if self.summary.skipped == 0 { Exit::Done } else { Exit::Input })
    }
}

impl Job<'_> {
    /// Nothing is written. A program finds the error in the summary.
    fn fail(mut self, error: anyhow::Error) -> anyhow::Result<Exit> {
        if self.args.format == Report::Text {
            return Err(error);
        }
        self.summary.losses = self.losses.iter().map(Lost::from).collect();
        self.summary.error = Some(format!("{error:#}"));
        if !self.args.output.is_standard() {
            (self.summary.documents, self.summary.bytes_out) = (0, 0);
        }
        tell!("{}", serde_json::to_string_pretty(&self.summary)?);
        Ok(exit::category(&error))
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
    for ServerNote { explanation, documents, first_document } in &summary.servers {
        let documents = counted(*documents, "document");
        tell!("{NAME}note{NAME:#} {explanation} ({documents}, the first is number {first_document})");
    }
    for Unread { file, offset } in &summary.unread {
        tell!(
            "{WARNING}not read{WARNING:#} {file}: all from byte {offset} on, where the next document begins is not known"
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
