//! `boson gen`: documents from a seed.

use boson_bench::Dataset;
use boson_store::{Framing, Writer};
use boson_transcode::{Converter, Format, Report};
use clap::Args;

use crate::args::{OutputArgs, PolicyArgs};
use crate::exit::{Exit, UsageError};
use crate::interrupt;

/// The arguments of `boson gen`.
#[derive(Debug, Args)]
#[command(after_help = after_help())]
pub(crate) struct GenArgs {
    /// The data set
    #[arg(value_name = "DATASET")]
    dataset: Dataset,

    /// Where the random numbers begin; the same seed makes the same documents on every machine
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,

    /// How many documents, or how many rows in the one document of people, tweets and catalog
    #[arg(long, short = 'n', value_name = "NUMBER")]
    count: Option<usize>,

    #[command(flatten)]
    output: OutputArgs,

    #[command(flatten)]
    policy: PolicyArgs,
}

fn after_help() -> String {
    let sets = Dataset::ALL.map(|set| format!("  {:18} {}\n", set.to_string(), set.description()));
    format!("Data sets:\n{}", sets.concat())
        + "\nExamples:\n  boson gen people -n 1000 --to json\n  boson gen telemetry-strings -n 100000 -o readings.bson.gz"
}

/// Writes the documents.
pub(crate) fn run(args: &GenArgs) -> anyhow::Result<Exit> {
    let count = args.count.unwrap_or(args.dataset.default_count());
    check_size(args.dataset, count)?;
    let mut out = args.output.create(Some(Framing::JsonLines))?;
    let limits = crate::args::LimitArgs { max_bytes: Some(usize::MAX), max_depth: None };
    let mut converter = Converter::new(out.format(), args.policy.policy(limits));
    let (mut report, mut bytes) = (Report::new(), Vec::new());
    for document in args.dataset.documents(args.seed, count) {
        interrupt::check()?;
        bytes.clear();
        // The documents are made of the types that BSON has.
        converter.convert_source(&document, Format::Bson, &mut report, &mut bytes)?;
        out.write_document(&bytes)?;
    }
    out.finish()?;
    Ok(Exit::Done)
}

/// A document is made in memory, which has an end.
const DOCUMENT_LEN_MAX: usize = 1 << 30;

/// Refuses documents of more than a gigabyte.
fn check_size(dataset: Dataset, count: usize) -> Result<(), UsageError> {
    // What one field or row takes at least as BSON, and a field of the matrix beside its text.
    const FIELD_LEN: usize = 16;
    const ROW_LEN: usize = 128;
    let len = match dataset {
        Dataset::Matrix(matrix) => matrix.fields.saturating_mul(matrix.len.saturating_add(FIELD_LEN)),
        Dataset::People | Dataset::Tweets | Dataset::Catalog => count.saturating_mul(ROW_LEN),
        _ => 0,
    };
    if len <= DOCUMENT_LEN_MAX {
        return Ok(());
    }
    Err(UsageError(format!("{dataset} would be one document of {len} bytes or more, the most is {DOCUMENT_LEN_MAX}")))
}
