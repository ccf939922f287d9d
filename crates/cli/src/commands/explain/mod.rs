//! `boson explain`: what every byte of a document means.

mod output;

use boson_document::{Limits, PathBuf};
use boson_explain::{Explanation, Selection};
use boson_store::{Location, Reader};
use boson_transcode::Format;
use clap::{Args, ValueEnum};

use crate::args::InputArgs;
use crate::documents::{Item, check_standard, next, open, report_cut};
use crate::exit::{self, Exit, UsageError};
use crate::interrupt;
use output::Pages;

/// The arguments of `boson explain`.
#[derive(Debug, Args)]
#[command(after_help = "\
Each line of the dump is one region: its offset, its bytes, what they mean, and after `->` where they point to. Every byte of a
document is in exactly one region; slack says where it came from. Binary of subtype 8 (sensitive) is not shown.

A document that is broken, or cut short, is explained as far as it can be followed; `!` marks the place of the fault, and the
last line says what was expected there. Exit code 3 says that a document is broken, 1 that no document has a value at the path.

Examples:
  boson explain people.oson
  boson explain orders.bson --path 'items[0].price'
  boson explain dump.bson.gz --document 3 --format json
  boson explain people.oson --format html -o people.html
  boson explain --colour always - < people.oson | less -R")]
pub(crate) struct ExplainArgs {
    #[command(flatten)]
    input: InputArgs,

    /// Explain only the value at this path, with what leads to it
    #[arg(long, value_name = "PATH")]
    path: Option<PathBuf>,

    /// Explain only this document of each file, counted from 1
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u64).range(1..))]
    document: Option<u64>,

    /// How to print the explanation
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: View,

    /// The file to write, `-` for standard output; it appears when it is complete
    #[arg(long, short, value_name = "FILE", default_value = "-")]
    output: Location,

    /// Replace a file that is there already
    #[arg(long)]
    overwrite: bool,
}

/// How an explanation looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum View {
    /// An annotated dump for people
    #[default]
    Text,
    /// One JSON object for programs
    Json,
    /// One page, for a browser: pointing at a field lights its bytes and what its offsets point to
    Html,
}

/// Explains each document.
pub(crate) fn run(args: &ExplainArgs) -> anyhow::Result<Exit> {
    check_standard(&args.input.files)?;
    let pages = Pages::create(args)?;
    let mut job = Job { args, pages, found_any: false, exit: Exit::Done };
    for file in &args.input.files {
        job.file(file)?;
    }
    job.pages.finish()?;
    Ok(if job.found_any { job.exit } else { job.exit.max(Exit::No) })
}

/// What is to be explained of a document.
enum Wanted {
    All,
    One(Selection),
    /// The document has no such value.
    Nowhere,
}

struct Job<'a> {
    args: &'a ExplainArgs,
    pages: Pages,
    found_any: bool,
    exit: Exit,
}

impl Job<'_> {
    fn file(&mut self, file: &Location) -> anyhow::Result<()> {
        let name = file.to_string();
        let mut reader = open(file, &self.args.input.form)?;
        loop {
            interrupt::check()?;
            match next(&mut reader, &name) {
                Ok(Some(item)) => self.item(&item)?,
                Ok(None) => break,
                Err(error) => {
                    let (Some(format), Some(broken)) = (reader.format(), reader.broken()) else { return Err(error) };
                    let number = broken.index.saturating_add(1);
                    let bytes = broken.bytes;
                    return self.item(&Item { file: &name, number, offset: broken.offset, format, bytes });
                }
            }
        }
        report_cut(&reader);
        Ok(())
    }

    fn item(&mut self, item: &Item<'_>) -> anyhow::Result<()> {
        if self.args.document.is_some_and(|number| number != item.number) {
            return Ok(());
        }
        let explanation = Explanation::new(item.format, item.bytes, &self.limits(item.format));
        let explanation = explanation.ok_or_else(|| no_json(item))?;
        let selection = match self.select(&explanation, item) {
            Ok(Wanted::All) => None,
            Ok(Wanted::One(selection)) => Some(selection),
            Ok(Wanted::Nowhere) => return Ok(()),
            Err(error) => {
                self.exit = Exit::Input;
                exit::complain(&error);
                return Ok(());
            }
        };
        self.found_any = true;
        if explanation.fault().is_some() {
            self.exit = Exit::Input;
        }
        self.pages.add(item, &explanation, selection.as_ref())
    }

    /// What is to be explained of the document.
    fn select(&self, explanation: &Explanation<'_>, item: &Item<'_>) -> anyhow::Result<Wanted> {
        let Some(path) = &self.args.path else { return Ok(Wanted::All) };
        let selected = explanation.select(path);
        let selected = selected.map_err(|error| anyhow::Error::new(error.at(path.clone())).context(item.place()))?;
        Ok(selected.map_or(Wanted::Nowhere, Wanted::One))
    }

    fn limits(&self, format: Format) -> Limits {
        let of_format = match format {
            Format::Bson => Limits::BSON,
            Format::Oson => Limits::OSON,
            Format::Json => Limits::JSON,
        };
        self.args.input.form.limits.apply(of_format)
    }
}

fn no_json(item: &Item<'_>) -> UsageError {
    UsageError(format!(
        "{}: JSON text speaks for itself; `boson convert --to bson` or `--to oson` makes of it what can be explained",
        item.file
    ))
}
