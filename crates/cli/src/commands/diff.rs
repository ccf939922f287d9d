//! `boson diff`: what differs between two files, types included.

use std::io::Write;
use std::ops::ControlFlow;

use boson_store::Location;
use boson_transcode::diff::{Change, DiffOptions, Differ, Difference};
use boson_transcode::{Meaning, Policy};
use clap::Args;
use serde::Serialize;

use crate::args::{DialectArgs, FormArgs, Report};
use crate::documents::{Item, check_standard, next, open, report_cut};
use crate::exit::Exit;
use crate::interrupt;
use crate::output::{self, NAME, counted};
use crate::progress::Progress;

/// The arguments of `boson diff`.
#[derive(Debug, Args)]
#[command(after_help = "\
The first document of one file is compared with the first of the other, and so on; the files may be of different formats:
Extended JSON objects in JSON and OSON count as the values that they stand for. Exit
code 1 says that something differs.

Examples:
  boson diff before.bson after.bson
  boson diff people.json people.oson --ignore-types")]
pub(crate) struct DiffArgs {
    /// The file on the left
    #[arg(value_name = "LEFT")]
    left: Location,

    /// The file on the right
    #[arg(value_name = "RIGHT")]
    right: Location,

    /// Let the members of objects come in any order
    #[arg(long)]
    ignore_order: bool,

    /// Numbers are equal when their values are, dates and times when they are the same moment
    #[arg(long)]
    ignore_types: bool,

    /// Name at most this many differences
    #[arg(long, value_name = "COUNT", default_value_t = 1000)]
    max: u64,

    /// How to print the result
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: Report,

    #[command(flatten)]
    form: FormArgs,

    #[command(flatten)]
    dialect: DialectArgs,
}

/// What was found.
#[derive(Debug, Default, Serialize)]
struct Summary {
    documents: u64,
    differing: u64,
    differences: u64,
    only_left: u64,
    only_right: u64,
    named: Vec<Named>,
    /// What ended the comparison before its end.
    error: Option<String>,
}

/// One difference, as text.
#[derive(Debug, Serialize)]
struct Named {
    document: u64,
    path: String,
    left: Option<String>,
    right: Option<String>,
    order: bool,
}

/// Compares the two files.
pub(crate) fn run(args: &DiffArgs) -> anyhow::Result<Exit> {
    check_standard([&args.left, &args.right])?;
    let mut summary = Summary::default();
    if let Err(error) = compare(args, &mut summary) {
        if args.format == Report::Json {
            summary.error = Some(format!("{error:#}"));
            output::print_json(&summary)?;
        }
        return Err(error);
    }
    let same = summary.differing == 0 && summary.only_left == 0 && summary.only_right == 0;
    match args.format {
        Report::Json => output::print_json(&summary)?,
        Report::Text => print(&summary)?,
    }
    Ok(Exit::answer(same))
}

fn compare(args: &DiffArgs, summary: &mut Summary) -> anyhow::Result<()> {
    let (left_name, right_name) = (args.left.to_string(), args.right.to_string());
    let (mut lefts, mut rights) = (open(&args.left, &args.form)?, open(&args.right, &args.form)?);
    let progress = Progress::of(&args.left);
    let options = DiffOptions { ignore_order: args.ignore_order, ignore_types: args.ignore_types };
    let mut differ = Differ::new(options);
    let policy = args.dialect.policy(args.form.limits);
    loop {
        interrupt::check()?;
        match (next(&mut lefts, &left_name)?, next(&mut rights, &right_name)?) {
            (Some(left), Some(right)) => {
                progress.set(left.offset, left.number);
                summary.add(&mut differ, &left, &right, args, &policy)?;
            }
            (Some(_), None) => summary.only_left += 1,
            (None, Some(_)) => summary.only_right += 1,
            (None, None) => break,
        }
    }
    report_cut(&lefts);
    report_cut(&rights);
    Ok(())
}

impl Summary {
    fn add(
        &mut self,
        differ: &mut Differ,
        left: &Item<'_>,
        right: &Item<'_>,
        args: &DiffArgs,
        policy: &Policy,
    ) -> anyhow::Result<()> {
        let named = &mut self.named;
        let (a, b) = (left.document()?, right.document()?);
        let count = differ.compare(&Meaning::new(&a, policy), &Meaning::new(&b, policy), |difference| {
            if (named.len() as u64) < args.max {
                named.push(Named::new(left.number, difference));
            }
            ControlFlow::Continue(())
        });
        let count = count.map_err(|error| place(error, left, right))?;
        self.documents += 1;
        self.differing += u64::from(count > 0);
        self.differences += count;
        Ok(())
    }
}

/// The fault of whichever document could not be read, with its file and path.
fn place(error: boson_transcode::diff::DiffError, left: &Item<'_>, right: &Item<'_>) -> anyhow::Error {
    use boson_transcode::diff::DiffError;
    let (item, error) = match error {
        DiffError::Left(error) => (left, error),
        DiffError::Right(error) => (right, error),
    };
    match item.document() {
        Ok(document) => anyhow::Error::new(document.locate(error)).context(item.place()),
        Err(error) => error,
    }
}

impl Named {
    fn new(document: u64, difference: &Difference<'_>) -> Self {
        let (left, right) = match &difference.change {
            Change::Value { left, right } => (Some(left.to_string()), Some(right.to_string())),
            Change::OnlyLeft(left) => (Some(left.to_string()), None),
            Change::OnlyRight(right) => (None, Some(right.to_string())),
            Change::Order => (None, None),
        };
        let order = matches!(difference.change, Change::Order);
        Self { document, path: difference.path.to_string(), left, right, order }
    }

    fn change(&self) -> String {
        if self.order {
            return "the members come in another order".to_owned();
        }
        let side = |text: &Option<String>| text.clone().unwrap_or_else(|| "missing".to_owned());
        format!("{} | {}", side(&self.left), side(&self.right))
    }
}

fn print(summary: &Summary) -> anyhow::Result<()> {
    let mut out = output::stdout();
    for named in &summary.named {
        writeln!(out, "document {}: {NAME}{}{NAME:#}: {}", named.document, named.path, named.change())?;
    }
    let unnamed = summary.differences - summary.named.len() as u64;
    if unnamed > 0 {
        writeln!(out, "… and {}", counted(unnamed, "more difference"))?;
    }
    for (count, side) in [(summary.only_left, "left"), (summary.only_right, "right")] {
        if count > 0 {
            writeln!(out, "{} only on the {side}", counted(count, "document"))?;
        }
    }
    let (documents, differing) = (counted(summary.documents, "document"), summary.differing);
    writeln!(out, "{documents} compared, {differing} differ, {}", counted(summary.differences, "difference"))?;
    Ok(out.flush()?)
}
