//! `boson validate`: is this what it says it is?

use std::io::Write;

use boson_document::{Limits, Located};
use boson_store::Location;
use boson_transcode::Format;
use clap::Args;
use serde::Serialize;

use crate::args::{InputArgs, LimitArgs, Report};
use crate::documents::{Item, for_each};
use crate::exit::Exit;
use crate::output::{self, ERROR, GOOD, counted};

/// The arguments of `boson validate`.
#[derive(Debug, Args)]
#[command(after_help = "\
Every rule of the format is checked: lengths at every level, UTF-8, types, terminators, OSON's dictionary, offsets and
forwarding. Exit code 1 says that a document is invalid, 3 that a file cannot be taken apart into documents.

Examples:
  boson validate dump/*.bson
  boson validate --format json images.hex
  mongodump --archive=- … | boson validate -")]
pub(crate) struct ValidateArgs {
    #[command(flatten)]
    input: InputArgs,

    /// Name at most this many invalid documents a file
    #[arg(long, value_name = "COUNT", default_value_t = 10)]
    max: usize,

    /// How to print the result
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: Report,
}

/// What was found in one file.
#[derive(Debug, Serialize)]
struct Checked {
    file: String,
    format: Option<&'static str>,
    documents: u64,
    bytes: u64,
    invalid: u64,
    faults: Vec<Fault>,
}

/// One invalid document.
#[derive(Debug, Serialize)]
struct Fault {
    document: u64,
    at: u64,
    offset: usize,
    path: String,
    error: String,
}

/// Checks each file.
pub(crate) fn run(args: &ValidateArgs) -> anyhow::Result<Exit> {
    let mut all = Vec::new();
    for file in &args.input.files {
        let checked = check(file, args)?;
        if args.format == Report::Text {
            print(&checked)?;
        }
        all.push(checked);
    }
    if args.format == Report::Json {
        output::print_json(&all)?;
    }
    Ok(Exit::answer(all.iter().all(|file| file.invalid == 0)))
}

fn check(file: &Location, args: &ValidateArgs) -> anyhow::Result<Checked> {
    let mut checked =
        Checked { file: file.to_string(), format: None, documents: 0, bytes: 0, invalid: 0, faults: Vec::new() };
    for_each(std::slice::from_ref(file), &args.input.form, |item| {
        checked.format = Some(item.format.name());
        checked.documents += 1;
        checked.bytes += item.bytes.len() as u64;
        if let Err(fault) = validate(item, args.input.form.limits) {
            checked.invalid += 1;
            if checked.faults.len() < args.max {
                checked.faults.push(Fault::new(item, &fault));
            }
        }
        Ok(())
    })?;
    Ok(checked)
}

fn validate(item: &Item<'_>, limits: LimitArgs) -> Result<(), Located> {
    let of_format = match item.format {
        Format::Bson => Limits::BSON,
        Format::Oson => Limits::OSON,
        Format::Json => Limits::JSON,
    };
    let document = boson_transcode::AnyDocument::new(item.format, item.bytes);
    let document = document.map_err(|error| error.at(boson_document::PathBuf::new()))?;
    document.validate(&limits.apply(of_format))
}

impl Fault {
    fn new(item: &Item<'_>, fault: &Located) -> Self {
        Self {
            document: item.number,
            at: item.offset,
            offset: fault.error.offset,
            path: fault.path.to_string(),
            error: fault.error.kind.to_string(),
        }
    }
}

fn print(checked: &Checked) -> anyhow::Result<()> {
    let Checked { file, format, documents, bytes, invalid, faults } = checked;
    let mut out = output::stdout();
    for Fault { document, at, offset, path, error } in faults {
        writeln!(
            out,
            "{ERROR}invalid{ERROR:#} {file}: document {document} at byte {at}: offset {offset}, {path}: {error}"
        )?;
    }
    let unnamed = invalid - faults.len() as u64;
    if unnamed > 0 {
        writeln!(out, "{ERROR}invalid{ERROR:#} {file}: {} more", counted(unnamed, "document"))?;
    }
    let (style, verdict) = if *invalid == 0 { (GOOD, "valid") } else { (ERROR, "invalid") };
    let of = format.map_or(String::new(), |format| format!(" of {format}"));
    let (documents, bytes) = (counted(*documents, "document"), counted(*bytes, "byte"));
    writeln!(out, "{style}{verdict}{style:#} {file}: {documents}{of}, {bytes}, {invalid} invalid")?;
    Ok(out.flush()?)
}
