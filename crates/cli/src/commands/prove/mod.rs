//! `boson prove`: what better types are worth, in figures that can be checked.

mod decode;
mod print;
mod row;
mod side;

use boson_prove::{IndexSpec, Options};
use boson_store::Location;
use clap::Args;

use crate::args::{FormArgs, Report};
use crate::documents::check_standard;
use crate::exit::{self, Exit};
use crate::output;

use row::Proof;

/// The arguments of `boson prove`.
#[derive(Debug, Args)]
#[command(after_help = "\
Both files are BSON (plain, gzip or zstd) and hold the same documents, as they were and as they are now. Sizes of documents and of
replies are exact. Tables and indexes are put together by a model of MongoDB's storage engine, as if the documents had been
inserted in their order, with one checkpoint at the end; docs/storage-model.md says how far it is from the engine. Where a change
is not larger than its error, it is none.

Examples:
  boson prove before.bson after.bson
  boson prove before.bson.gz after.bson.gz --index timestamp --index sensorId,timestamp
  boson prove before.bson after.bson --no-decode --format json")]
pub(crate) struct ProveArgs {
    /// The documents as they were
    #[arg(value_name = "BEFORE")]
    before: Location,

    /// The documents as they are now
    #[arg(value_name = "AFTER")]
    after: Location,

    /// An index beside that on _id: the paths of its fields, separated by commas; may be given several times
    #[arg(long = "index", value_name = "FIELD[,FIELD]")]
    indexes: Vec<String>,

    /// The collection as replies name it
    #[arg(long, value_name = "DATABASE.COLLECTION", default_value = "test.documents")]
    namespace: String,

    /// Do not measure decoding
    #[arg(long)]
    no_decode: bool,

    /// How to print the result
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: Report,

    #[command(flatten)]
    form: FormArgs,
}

impl ProveArgs {
    fn options(&self) -> Options {
        let indexes = self.indexes.iter().map(|fields| IndexSpec::on(fields.split(',').map(str::to_owned).collect()));
        Options { namespace: self.namespace.clone(), indexes: indexes.collect(), ..Options::default() }
    }
}

/// Measures both sides and prints what changed.
pub(crate) fn run(args: &ProveArgs) -> anyhow::Result<Exit> {
    exit::told(args.format, prove(args))
}

fn prove(args: &ProveArgs) -> anyhow::Result<Exit> {
    check_standard([&args.before, &args.after])?;
    let options = args.options();
    let before = side::read(&args.before, &args.form, &options)?;
    let after = side::read(&args.after, &args.form, &options)?;
    let mut proof = Proof::new(&before.measured, &after.measured);
    if !args.no_decode {
        proof.rows.extend(decode::rows(&before.sample, &after.sample)?);
    }
    match args.format {
        Report::Json => output::print_json(&proof)?,
        Report::Text => print::print(&proof)?,
    }
    Ok(Exit::Done)
}
