//! `boson validate`: is this what it says it is?

use std::io::Write;

use boson_document::{Limits, Located};
use boson_store::Location;
use boson_transcode::Format;
use clap::Args;
use serde::Serialize;

use crate::args::{InputArgs, LimitArgs, Report};
use crate::documents::{Item, check_standard, for_each_result};
use crate::exit::{self, Exit};
use crate::hint;
use crate::output::{self, ERROR, GOOD, NAME, counted};

/// The arguments of `boson validate`.
#[derive(Debug, Args)]
#[command(after_help = "\
Every rule of the format is checked: lengths at every level, UTF-8, types, terminators, OSON's dictionary, offsets and
forwarding. Every file is looked at. Exit code 1 says that a document is invalid, 3 that a file cannot be taken apart into
documents, 5 that one cannot be opened; the highest counts.

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

/// What was found.
#[derive(Debug, Serialize)]
struct Summary<'a> {
    valid: bool,
    files: &'a [Checked],
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
    /// Why not all of the file could be read.
    error: Option<String>,
    #[serde(skip)]
    hint: Option<&'static str>,
    #[serde(skip)]
    exit: Exit,
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
    check_standard(&args.input.files)?;
    let mut all = Vec::new();
    for file in &args.input.files {
        let checked = check(file, args)?;
        if args.format == Report::Text {
            print(&checked)?;
        }
        all.push(checked);
    }
    let exit = all.iter().map(|file| file.exit).max().unwrap_or(Exit::Done);
    if args.format == Report::Json {
        output::print_json(&Summary { valid: exit == Exit::Done, files: &all })?;
    }
    Ok(exit)
}

fn check(file: &Location, args: &ValidateArgs) -> anyhow::Result<Checked> {
    let mut checked = Checked::new(file);
    for_each_result(std::slice::from_ref(file), &args.input.form, |item| {
        match item {
            Ok(item) => checked.add(&item, args),
            Err(error) => checked.fail(&error),
        }
        Ok(())
    })?;
    Ok(checked)
}

impl Checked {
    fn new(file: &Location) -> Self {
        Self {
            file: file.to_string(),
            format: None,
            documents: 0,
            bytes: 0,
            invalid: 0,
            faults: Vec::new(),
            error: None,
            hint: None,
            exit: Exit::Done,
        }
    }

    fn add(&mut self, item: &Item<'_>, args: &ValidateArgs) {
        self.format = Some(item.format.name());
        self.documents += 1;
        self.bytes += item.bytes.len() as u64;
        if let Err(fault) = validate(item, args.input.form.limits) {
            self.invalid += 1;
            self.exit = self.exit.max(Exit::No);
            if self.faults.len() < args.max {
                self.faults.push(Fault::new(item, &fault));
            }
        }
    }

    /// The file cannot be read, or not to its end. Of several faults the first is told.
    fn fail(&mut self, error: &anyhow::Error) {
        self.exit = self.exit.max(exit::category(error));
        if self.error.is_none() {
            (self.error, self.hint) = (Some(format!("{error:#}")), hint::of(error));
        }
    }
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
    let Checked { file, format, documents, bytes, invalid, faults, error, hint, .. } = checked;
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
    for (style, word, text) in [(ERROR, "error:", error.as_deref()), (NAME, "hint:", *hint)] {
        if let Some(text) = text {
            writeln!(out, "{style}{word}{style:#} {text}")?;
        }
    }
    let (style, verdict) = match (error, invalid) {
        (Some(_), _) => (ERROR, "unreadable"),
        (None, 0) => (GOOD, "valid"),
        (None, _) => (ERROR, "invalid"),
    };
    let of = format.map_or(String::new(), |format| format!(" of {format}"));
    let (documents, bytes) = (counted(*documents, "document"), counted(*bytes, "byte"));
    writeln!(out, "{style}{verdict}{style:#} {file}: {documents}{of}, {bytes}, {invalid} invalid")?;
    Ok(out.flush()?)
}
