//! `boson bench file`.

use anyhow::Context;
use boson_bench::benchmarks::file::{self, Input, Options};
use boson_document::{Discard, PathBuf, Source};
use boson_store::{Location, Reader};
use clap::Args;

use super::{MeasureArgs, PeersArgs};
use crate::args::FormArgs;
use crate::documents::{Item, next, open, report_cut};
use crate::exit::{Exit, UsageError};
use crate::interrupt;
use crate::output::{counted, grouped};

/// The arguments of `boson bench file`.
#[derive(Debug, Args)]
#[command(after_help = "\
The documents are kept in memory, so at most so many as --max-documents and --max-memory allow are measured; the report
says when there were more.

Examples:
  boson bench file orders.bson
  boson bench file export.json.gz --path address --format markdown")]
pub(super) struct FileArgs {
    /// Files to read, `-` for standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<Location>,

    #[command(flatten)]
    form: FormArgs,

    /// Measure at most this many documents
    #[arg(long, value_name = "NUMBER", default_value_t = 10_000)]
    max_documents: usize,

    /// Measure at most this many bytes of documents, but one document at least
    #[arg(long, value_name = "BYTES", default_value_t = 64 << 20)]
    max_memory: usize,

    /// The field that is read, as `a.b` [default: the middle field of each document]
    #[arg(long, value_name = "PATH")]
    path: Option<PathBuf>,

    #[command(flatten)]
    peers: PeersArgs,

    #[command(flatten)]
    measure: MeasureArgs,
}

pub(super) fn run(args: &FileArgs) -> anyhow::Result<Exit> {
    let (inputs, sample) = read(args)?;
    if inputs.iter().all(Input::is_empty) {
        return Err(UsageError("there are no documents to measure".to_owned()).into());
    }
    let options = Options { path: args.path.clone(), sample };
    let mut peers = args.peers.start()?;
    args.measure.report(|plan, watch| file::run(&inputs, &options, plan, peers.as_mut(), watch))?;
    Ok(Exit::Done)
}

/// The documents that are measured, and what is to be said when there are more.
fn read(args: &FileArgs) -> anyhow::Result<(Vec<Input>, Option<String>)> {
    let (mut inputs, mut documents, mut bytes) = (Vec::new(), 0, 0);
    for file in &args.files {
        let (mut reader, name) = (open(file, &args.form)?, file.to_string());
        let Some(format) = reader.format() else { continue };
        let mut input = Input::new(format);
        while let Some(item) = next(&mut reader, &name)? {
            interrupt::check()?;
            if documents == args.max_documents || (documents > 0 && bytes + item.bytes.len() > args.max_memory) {
                inputs.push(input);
                return Ok((inputs, Some(sample(documents, bytes))));
            }
            check(&item)?;
            input.push(item.bytes);
            documents += 1;
            bytes += item.bytes.len();
        }
        report_cut(&reader);
        inputs.push(input);
    }
    Ok((inputs, None))
}

/// Reads the whole document, so that a broken one is named with its place.
fn check(item: &Item<'_>) -> anyhow::Result<()> {
    let document = item.document()?;
    document.drive(&mut Discard).map_err(|error| document.locate(error)).with_context(|| item.place())
}

fn sample(documents: usize, bytes: usize) -> String {
    let of = format!("{} ({} bytes)", counted(documents as u64, "document"), grouped(bytes as u64));
    format!("A sample: the first {of}; there are more, see --max-documents and --max-memory.")
}
