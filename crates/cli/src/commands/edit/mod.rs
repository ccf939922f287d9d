//! `boson set`, `unset` and `push`: one value of a document changed in its bytes.

mod apply;
mod in_place;
mod job;
mod value;

use boson_document::PathBuf;
use boson_document::edit::{Change, New};
use boson_store::Location;
use boson_transcode::{Format, Policy};
use clap::Args;

use crate::args::{DialectArgs, FormArgs, Report};
use crate::exit::{Exit, UsageError};
pub(crate) use apply::{Nowhere, Unfit};
use value::ValueArgs;

/// The arguments of `boson set`.
#[derive(Debug, Args)]
#[command(after_help = "\
A field that is not there is added; what the path leads through must be there. `$` is the document itself. Where several
members have one name, the first is meant, as `boson get` finds it.

Without -o the file itself is replaced, by a file that is complete when it gets the name. --in-place writes the changed bytes
into the file instead: a few bytes of a large document, but a crash in between may leave some of them unwritten. BSON can do
that where the new value takes as many bytes as the old one; an OSON image grows at its end instead. JSON is written anew.
What it cost is printed on standard error.

Examples:
  boson set user.bson address.city Lyon
  boson set orders.bson total '{\"$numberDecimal\": \"12.50\"}' --doc 3
  boson set big.oson status '\"shipped\"' --in-place
  boson set config.json 'servers[0].port' 8080 -o new.json
  boson set user.bson visits 7 --type long")]
pub(crate) struct SetArgs {
    #[command(flatten)]
    place: PlaceArgs,

    #[command(flatten)]
    value: ValueArgs,

    #[command(flatten)]
    edit: EditArgs,
}

/// The arguments of `boson unset`.
#[derive(Debug, Args)]
#[command(after_help = "\
Elements of an array after the one that goes move up. Where several members have one name, the first goes, as `boson get`
finds it. How the file is written: see `boson set --help`.

Examples:
  boson unset user.bson password
  boson unset users.bson password --all
  boson unset orders.oson 'items[2]' -o without.oson")]
pub(crate) struct UnsetArgs {
    #[command(flatten)]
    place: PlaceArgs,

    #[command(flatten)]
    edit: EditArgs,
}

/// The arguments of `boson push`.
#[derive(Debug, Args)]
#[command(after_help = "\
The path is that of an array, and the value becomes its last element; with an index, as in `tags[0]`, the value is inserted
there. How the file is written: see `boson set --help`.

Examples:
  boson push user.bson tags new
  boson push user.bson 'tags[0]' first
  boson push orders.oson items '{\"sku\": \"A1\", \"qty\": 2}'
  boson push log.json entries - < entry.json")]
pub(crate) struct PushArgs {
    #[command(flatten)]
    place: PlaceArgs,

    #[command(flatten)]
    value: ValueArgs,

    #[command(flatten)]
    edit: EditArgs,
}

/// Where something is changed.
#[derive(Debug, Args)]
struct PlaceArgs {
    /// The file to change; `-` reads standard input and writes standard output
    #[arg(value_name = "FILE")]
    file: Location,

    /// The path of the value
    path: PathBuf,
}

/// How the file is read and written.
#[derive(Debug, Args)]
struct EditArgs {
    /// Which document of a file of several, counted from 1
    #[arg(long = "doc", value_name = "NUMBER", value_parser = clap::value_parser!(u64).range(1..))]
    number: Option<u64>,

    /// All documents of the file; those in which the path leads nowhere stay as they are
    #[arg(long, conflicts_with = "number")]
    all: bool,

    /// The file to write instead, `-` for standard output; it appears when it is complete
    #[arg(long, short, value_name = "FILE")]
    output: Option<Location>,

    /// Replace the file of -o if it is there already
    #[arg(long, requires = "output")]
    overwrite: bool,

    /// Write only the changed bytes into the file; refused where that is not all there is to it
    #[arg(long, conflicts_with = "output")]
    in_place: bool,

    #[command(flatten)]
    dialect: DialectArgs,

    /// How to print what it cost; it goes to standard error
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: Report,

    #[command(flatten)]
    form: FormArgs,
}

/// What is to be done.
#[derive(Clone, Copy)]
enum Verb<'a> {
    Set(&'a ValueArgs),
    Unset,
    Push(&'a ValueArgs),
}

impl<'a> Verb<'a> {
    const fn value(self) -> Option<&'a ValueArgs> {
        match self {
            Self::Set(value) | Self::Push(value) => Some(value),
            Self::Unset => None,
        }
    }

    /// The change that brings `new`; a path that ends in an index is where to insert.
    fn change<'v>(self, new: Option<New<'v>>, path: &PathBuf) -> Change<'v> {
        let to_element = matches!(path.segments().last(), Some(boson_document::Segment::Index(_)));
        match (self, new) {
            (Self::Set(_), Some(new)) => Change::Set(new),
            (Self::Push(_), Some(new)) if to_element => Change::Insert(new),
            (Self::Push(_), Some(new)) => Change::Push(new),
            _ => Change::Remove,
        }
    }
}

impl PlaceArgs {
    /// The value as documents of `format` hold it; `None` where the change brings none.
    fn new_value(
        &self,
        verb: Verb<'_>,
        format: Format,
        policy: &Policy,
    ) -> anyhow::Result<Option<boson_document::Value>> {
        let Some(value) = verb.value() else { return Ok(None) };
        if value.is_standard() && self.file == Location::Standard {
            return Err(UsageError("standard input, `-`, cannot be both the file and the value".to_owned()).into());
        }
        value.to_tree(format, policy, &self.path.to_string()).map(Some)
    }
}

/// Sets a value.
pub(crate) fn set(args: &SetArgs) -> anyhow::Result<Exit> {
    job::run(&args.place, &args.edit, Verb::Set(&args.value))
}

/// Removes a value.
pub(crate) fn unset(args: &UnsetArgs) -> anyhow::Result<Exit> {
    job::run(&args.place, &args.edit, Verb::Unset)
}

/// Adds an element.
pub(crate) fn push(args: &PushArgs) -> anyhow::Result<Exit> {
    job::run(&args.place, &args.edit, Verb::Push(&args.value))
}
