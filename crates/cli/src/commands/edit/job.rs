//! Going through the documents of the file, changing what was asked for, and saying what it cost.

use boson_document::Value;
use boson_document::edit::{Edit, New};
use boson_store::{Compression, DocumentReader, DocumentWriter, Framing, Location, WriteOptions, Writer};
use boson_transcode::Policy;
use serde::Serialize;

use super::apply::{Changed, Nowhere, apply};
use super::in_place::Patches;
use super::{EditArgs, PlaceArgs, Verb};
use crate::args::Report;
use crate::documents::{Item, next, open};
use crate::exit::{self, Exit, UsageError};
use crate::interrupt;
use crate::output::{counted, tell};

/// What was done, as `--format json` prints it.
#[derive(Debug, Default, Serialize)]
struct Summary {
    /// The file that was written.
    file: String,
    /// Whether bytes were written into the file, rather than a new file in its place.
    in_place: bool,
    documents: u64,
    changed: u64,
    /// How many documents the path leads nowhere in.
    nowhere: u64,
    /// How many documents were changed in which way.
    overwritten: u64,
    appended: u64,
    spliced: u64,
    rebuilt: u64,
    compacted: u64,
    /// What the changes wrote in the documents, as counted by the buffers they were made in.
    bytes_written: u64,
    bytes_appended: u64,
    bytes_moved: u64,
    /// What was written into the file or stream, before compression.
    file_bytes_written: u64,
    /// What stopped it, after which nothing is written.
    error: Option<String>,
}

pub(super) fn run(place: &PlaceArgs, args: &EditArgs, verb: Verb<'_>) -> anyhow::Result<Exit> {
    let mut summary = Summary { in_place: args.in_place, ..Summary::default() };
    let done = go_through(place, args, verb, &mut summary);
    match (done, args.format) {
        (Ok(exit), Report::Text) => {
            print(&summary);
            Ok(exit)
        }
        (Ok(exit), Report::Json) => {
            tell!("{}", serde_json::to_string_pretty(&summary)?);
            Ok(exit)
        }
        (Err(error), Report::Text) => Err(error),
        (Err(error), Report::Json) => {
            summary.error = Some(format!("{error:#}"));
            tell!("{}", serde_json::to_string_pretty(&summary)?);
            Ok(exit::category(&error))
        }
    }
}

struct Job<'a> {
    place: &'a PlaceArgs,
    args: &'a EditArgs,
    verb: Verb<'a>,
    policy: Policy,
    value: Option<Value>,
    summary: &'a mut Summary,
    out: Out,
    /// Why the first document was left as it is.
    first_fault: Option<anyhow::Error>,
}

/// Where the changes go.
enum Out {
    /// A file or stream that is written as a whole.
    Whole(Box<DocumentWriter>),
    /// The file that is read.
    InPlace(Patches),
}

/// Goes through the documents of the file.
fn go_through(place: &PlaceArgs, args: &EditArgs, verb: Verb<'_>, summary: &mut Summary) -> anyhow::Result<Exit> {
    let mut reader = open(&place.file, &args.form)?;
    let mut job = Job::begin(place, args, verb, summary, &reader)?;
    let name = place.file.to_string();
    while let Some(item) = next(&mut reader, &name)? {
        interrupt::check()?;
        job.visit(&item)?;
    }
    job.finish()
}

impl<'a> Job<'a> {
    fn begin(
        place: &'a PlaceArgs,
        args: &'a EditArgs,
        verb: Verb<'a>,
        summary: &'a mut Summary,
        reader: &DocumentReader,
    ) -> anyhow::Result<Self> {
        let Some(framing) = reader.framing() else {
            return Err(UsageError(format!("{}: there is no document to change", place.file)).into());
        };
        if args.form.recover {
            let message = "a file that was cut short is not changed; convert it with --recover first";
            return Err(UsageError(message.to_owned()).into());
        }
        let policy = args.dialect.policy(args.form.limits);
        let value = place.new_value(verb, framing.format(), &policy)?;
        let target = args.output.as_ref().unwrap_or(&place.file);
        summary.file = target.to_string();
        let out = if args.in_place {
            Out::InPlace(Patches::new(&place.file, framing, reader.compression())?)
        } else {
            Out::Whole(Box::new(writer(args, target, framing, reader.compression())?))
        };
        Ok(Self { place, args, verb, policy, value, summary, out, first_fault: None })
    }

    fn visit(&mut self, item: &Item<'_>) -> anyhow::Result<()> {
        self.summary.documents = item.number;
        let written = if self.is_selected(item)? { self.change(item)? } else { self.out.unchanged(item)? };
        self.summary.file_bytes_written += written;
        Ok(())
    }

    /// Whether this document is meant. Nobody changes the first of many by mistake.
    fn is_selected(&self, item: &Item<'_>) -> Result<bool, UsageError> {
        match self.args.number {
            _ if self.args.all => Ok(true),
            Some(number) => Ok(number == item.number),
            None if item.number == 1 => Ok(true),
            None => Err(UsageError(format!(
                "{} holds several documents; say --doc NUMBER for one of them, or --all",
                item.file
            ))),
        }
    }

    /// Changes a document; returns how many bytes the file is written for it.
    fn change(&mut self, item: &Item<'_>) -> anyhow::Result<u64> {
        let (path, value) = (&self.place.path, self.value.as_ref());
        let change = self.verb.change(value.map(New::from), path);
        let changed = apply(item.format, item.bytes, path, &change, &self.policy, self.args.in_place);
        match changed.map_err(|error| error.context(item.place())) {
            Ok(changed) => {
                self.summary.count(&changed);
                self.out.changed(item, &changed)
            }
            Err(error) if self.args.all && error.downcast_ref::<Nowhere>().is_some() => {
                self.summary.nowhere += 1;
                self.first_fault.get_or_insert(error);
                self.out.unchanged(item)
            }
            Err(error) => Err(error),
        }
    }

    fn finish(self) -> anyhow::Result<Exit> {
        if let Some(number) = self.args.number.filter(|&number| number > self.summary.documents) {
            let count = counted(self.summary.documents, "document");
            return Err(UsageError(format!("{} has {count}, there is no document {number}", self.place.file)).into());
        }
        if let (0, Some(error)) = (self.summary.changed, self.first_fault) {
            return Err(error);
        }
        match self.out {
            Out::Whole(writer) => writer.finish()?,
            Out::InPlace(patches) => patches.write()?,
        }
        Ok(Exit::Done)
    }
}

/// Begins the file that is written as a whole, in the form of the one that is read.
fn writer(
    args: &EditArgs,
    target: &Location,
    framing: Framing,
    compression: Compression,
) -> anyhow::Result<DocumentWriter> {
    let same = args.output.is_none();
    let options = WriteOptions {
        compression: same.then_some(compression).filter(|_| *target != Location::Standard),
        overwrite: same || args.overwrite,
    };
    Ok(DocumentWriter::create(target, framing, &options)?)
}

impl Out {
    /// Takes a document that was changed; returns how many bytes the file will be written for it.
    fn changed(&mut self, item: &Item<'_>, changed: &Changed) -> anyhow::Result<u64> {
        match self {
            Self::Whole(writer) => {
                let bytes = boson_document::edit::Buffer::as_bytes(&changed.buffer);
                writer.write_document(bytes)?;
                Ok(bytes.len() as u64)
            }
            Self::InPlace(patches) => Ok(patches.add(item, changed)?),
        }
    }

    fn unchanged(&mut self, item: &Item<'_>) -> anyhow::Result<u64> {
        match self {
            Self::Whole(writer) => {
                writer.write_document(item.bytes)?;
                Ok(item.bytes.len() as u64)
            }
            Self::InPlace(_) => Ok(0),
        }
    }
}

impl Summary {
    fn count(&mut self, changed: &Changed) {
        self.changed += 1;
        self.compacted += u64::from(changed.compacted);
        let way = match changed.edit {
            Edit::InPlace { .. } => &mut self.overwritten,
            Edit::Appended { .. } => &mut self.appended,
            Edit::Spliced { .. } => &mut self.spliced,
            Edit::Rebuilt { .. } => &mut self.rebuilt,
        };
        *way += 1;
        let (written, appended) = changed.written();
        self.bytes_written += written as u64;
        self.bytes_appended += appended as u64;
        self.bytes_moved += changed.buffer.moved() as u64;
    }

    /// The ways in which documents were changed, in words.
    fn ways(&self) -> String {
        let ways = [
            (self.overwritten, "overwritten"),
            (self.appended, "appended"),
            (self.spliced, "spliced"),
            (self.rebuilt, "written anew"),
            (self.compacted, "compacted"),
        ];
        let told = ways.iter().filter(|(count, _)| *count > 0);
        let told =
            told.map(|(count, way)| if self.changed == 1 { (*way).to_owned() } else { format!("{count} {way}") });
        told.collect::<Vec<_>>().join(", ")
    }
}

fn print(summary: &Summary) {
    let Summary { file, in_place, changed, nowhere, bytes_written, bytes_appended, bytes_moved, .. } = summary;
    let mut cost = format!("{} written", counted(*bytes_written, "byte"));
    for (bytes, what) in [(bytes_appended, "appended"), (bytes_moved, "moved")] {
        if *bytes > 0 {
            cost = format!("{cost}, {} {what}", counted(*bytes, "byte"));
        }
    }
    let of_file = counted(summary.file_bytes_written, "byte");
    let file = if *in_place {
        format!("{of_file} written into {file}")
    } else {
        format!("{of_file} written to {}", if file == "-" { "standard output" } else { file })
    };
    let nowhere = if *nowhere > 0 { format!(", {} unchanged", counted(*nowhere, "document")) } else { String::new() };
    tell!("{} changed{nowhere}: {}, {cost}; {file}", counted(*changed, "document"), summary.ways());
}
