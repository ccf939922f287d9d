//! `boson prove`: what better types are worth, in figures that can be checked.

mod decode;
mod print;
mod saved;
mod side;
mod sources;

use anyhow::ensure;
use boson_prove::{IndexSpec, Options};
use boson_report::{Missing, Proof, Proofs};
use boson_store::Location;
use clap::Args;

use crate::args::{FormArgs, Report};
use crate::documents::check_standard;
use crate::exit::{self, Exit, UsageError};
use crate::output::{self, WARNING, tell};

use sources::{Own, Sources};

pub(crate) use saved::{NotAProof, read as read_saved};

/// The arguments of `boson prove`.
#[derive(Debug, Args)]
#[command(after_help = "\
Both files are BSON (plain, gzip or zstd) and hold the same documents, as they were and as they are now; or both are folders or
archives of mongodump, which are compared collection by collection, with the indexes that their metadata names. Sizes of documents and of
replies are exact. Tables and indexes are put together by a model of MongoDB's storage engine, as if the documents had been
inserted in their order, with one checkpoint at the end; docs/storage-model.md says how far it is from the engine. Where a change
is not larger than its error, it is none.

Examples:
  boson prove before.bson after.bson
  boson prove before.bson.gz after.bson.gz --index timestamp --index sensorId,timestamp
  boson prove dump converted --collection shop.orders
  boson prove before.bson after.bson --save-proof proof.json
  boson prove before.bson after.bson --no-decode --format json")]
pub(crate) struct ProveArgs {
    /// The documents as they were
    #[arg(value_name = "BEFORE")]
    before: Location,

    /// The documents as they are now
    #[arg(value_name = "AFTER")]
    after: Location,

    #[command(flatten)]
    proving: ProvingArgs,

    /// Save the figures, for `boson report --proof`
    #[arg(long, value_name = "FILE")]
    save_proof: Option<Location>,

    /// Replace a saved proof that is there already
    #[arg(long)]
    overwrite: bool,

    /// How to print the result
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: Report,

    #[command(flatten)]
    form: FormArgs,
}

/// What is compared.
#[derive(Debug, Args)]
#[command(next_help_heading = "Proving")]
pub(crate) struct ProvingArgs {
    /// An index beside that on _id: the paths of its fields, separated by commas; may be given several times
    #[arg(long = "index", value_name = "FIELD[,FIELD]")]
    indexes: Vec<String>,

    /// Of a dump, this collection alone
    #[arg(long, value_name = "DATABASE.COLLECTION")]
    collection: Option<String>,

    /// The collection as replies name it [default: its name in the dump, else test.documents]
    #[arg(long, value_name = "DATABASE.COLLECTION")]
    namespace: Option<String>,

    /// Do not measure decoding
    #[arg(long)]
    no_decode: bool,
}

/// A collection on both sides.
struct Pair {
    name: String,
    before: usize,
    after: usize,
    options: Options,
    /// The names of indexes that only the other side has.
    missing: Missing,
    notes: Vec<String>,
}

impl ProvingArgs {
    /// What is compared with what.
    fn pairs(&self, before: &Sources, after: &Sources) -> anyhow::Result<Vec<Pair>> {
        let mut pairs = Vec::new();
        let mut names = Vec::new();
        for (place, own) in before.collections.iter().enumerate() {
            names.push(own.name.clone());
            if self.collection.as_ref().is_some_and(|name| *name != own.name) {
                continue;
            }
            if let Some(other) = after.find(&own.name) {
                pairs.extend(after.collections.get(other).map(|b| self.pair((place, own), (other, b))));
            } else {
                tell!("{WARNING}warning:{WARNING:#} {} is missing after", own.name);
            }
        }
        if pairs.is_empty() {
            let what = format!("no collection to compare: the first side holds {}", names.join(", "));
            return Err(UsageError(what).into());
        }
        Ok(pairs)
    }

    fn pair(&self, (before, b): (usize, &Own), (after, a): (usize, &Own)) -> Pair {
        let (of_before, mut notes) = b.indexes();
        let (of_after, more) = a.indexes();
        notes.extend(more.into_iter().filter(|note| !notes.contains(note)).collect::<Vec<_>>());
        let lacks = |own: &[IndexSpec], other: &[IndexSpec]| -> Vec<String> {
            let missing = other.iter().filter(|index| !own.contains(index));
            missing.map(|index| index.name.clone()).collect()
        };
        // Files alone have no indexes that could be missing.
        let missing = if b.has_metadata() && a.has_metadata() {
            Missing { before: lacks(&of_before, &of_after), after: lacks(&of_after, &of_before) }
        } else {
            Missing::default()
        };
        let asked = self.indexes.iter().map(|fields| IndexSpec::on(fields.split(',').map(str::to_owned).collect()));
        let mut indexes: Vec<IndexSpec> = Vec::new();
        for index in of_before.into_iter().chain(of_after).chain(asked) {
            if !indexes.contains(&index) {
                indexes.push(index);
            }
        }
        let name = if b.name.is_empty() { a.name.clone() } else { b.name.clone() };
        let mut options = Options { indexes, ..Options::default() };
        if let Some(namespace) = self.namespace.as_ref().or_else(|| Some(&name).filter(|name| !name.is_empty())) {
            options.namespace.clone_from(namespace);
        }
        Pair { name, before, after, options, missing, notes }
    }
}

/// Measures both sides and prints what changed.
pub(crate) fn run(args: &ProveArgs) -> anyhow::Result<Exit> {
    exit::told(args.format, prove(args))
}

fn prove(args: &ProveArgs) -> anyhow::Result<Exit> {
    check_standard([&args.before, &args.after])?;
    if let Some(to) = &args.save_proof {
        saved::check(to, args.overwrite)?;
    }
    let proofs = proofs(&args.before, &args.after, &args.proving, &args.form)?;
    if let Some(to) = &args.save_proof {
        saved::write(&proofs, to, args.overwrite)?;
    }
    show(args, &proofs)?;
    Ok(Exit::Done)
}

/// Measures both sides: a proof of each collection, with its name.
pub(crate) fn proofs(
    file_before: &Location,
    file_after: &Location,
    args: &ProvingArgs,
    form: &FormArgs,
) -> anyhow::Result<Vec<(String, Proof)>> {
    let before = Sources::open(file_before, form)?;
    let after = Sources::open(file_after, form)?;
    let pairs = args.pairs(&before, &after)?;
    let side = |file, sources, place: fn(&Pair) -> usize| {
        let wanted: Vec<_> = pairs.iter().map(|pair| (place(pair), &pair.options)).collect();
        side::read(file, form, sources, &wanted)
    };
    let of_before = side(file_before, &before, |pair| pair.before)?;
    let of_after = side(file_after, &after, |pair| pair.after)?;
    let mut proofs = Vec::new();
    for (pair, (b, a)) in pairs.into_iter().zip(of_before.iter().zip(&of_after)) {
        let (Some(b), Some(a)) = (b, a) else {
            tell!("{WARNING}warning:{WARNING:#} {} has no documents on one side, so nothing can be proved", pair.name);
            continue;
        };
        let mut proof = Proof::new(&b.measured, &a.measured, &pair.missing);
        proof.notes = pair.notes;
        if !args.no_decode {
            proof.rows.extend(decode::rows(&b.sample, &a.sample)?);
        }
        proofs.push((pair.name, proof));
    }
    ensure!(
        !proofs.is_empty(),
        UsageError("there are no documents on both sides, so nothing can be proved".to_owned())
    );
    Ok(proofs)
}

fn show(args: &ProveArgs, proofs: &[(String, Proof)]) -> anyhow::Result<()> {
    match (args.format, proofs) {
        (Report::Json, [(name, only)]) if name.is_empty() => output::print_json(only),
        (Report::Json, proofs) => output::print_json(&Proofs::new(proofs)),
        (Report::Text, proofs) => proofs.iter().try_for_each(|(name, proof)| print::print(name, proof)),
    }
}
