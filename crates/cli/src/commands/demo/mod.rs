//! `boson demo`: readings of sensors whose types are strings, found, fixed and checked; or what the formats make of the same
//! documents.

mod formats;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use clap::{Args, Parser};

use crate::args::Cli;
use crate::exit::{Exit, Refused};
use crate::output::{self, GOOD, NAME};

/// The arguments of `boson demo`.
#[derive(Debug, Args)]
#[command(after_help = "\
Runs these commands, and shows each before what it prints:
  boson gen telemetry-strings -n 100000 -o readings.bson
  boson analyze readings.bson --no-sizes --plan plan.toml
  boson migrate readings.bson --plan plan.toml --to typed.bson --apply --verify
  boson undo typed.bson --to original.bson
  boson prove readings.bson typed.bson --index timestamp --save-proof proof.json
  boson schema typed.bson --as rust --name reading
  boson report readings.bson --plan plan.toml --proof proof.json --no-sizes -o report.html

Examples:
  boson demo
  boson demo --keep tour
  boson demo --formats")]
pub(crate) struct DemoArgs {
    /// How many documents [default: 100000, with --formats 2000]
    #[arg(long, short = 'n', value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    count: Option<u32>,

    /// Show instead what each format makes of the same documents
    #[arg(long)]
    formats: bool,

    /// Work in this new folder and leave everything there to look at
    #[arg(long, value_name = "FOLDER", conflicts_with = "formats")]
    keep: Option<PathBuf>,
}

/// Shows what can be done.
pub(crate) fn run(args: &DemoArgs) -> anyhow::Result<Exit> {
    if args.formats {
        return formats::run(args.count.unwrap_or(2000));
    }
    let count = args.count.unwrap_or(100_000).to_string();
    let Some(folder) = &args.keep else {
        let folder = tempfile::tempdir()?;
        tour(folder.path(), &count)?;
        // It cannot be removed while it is worked in.
        std::env::set_current_dir(std::env::temp_dir())?;
        return Ok(Exit::Done);
    };
    if folder.exists() {
        return Err(Refused(format!("{}: is there already; name a new folder", folder.display())).into());
    }
    fs::create_dir(folder).with_context(|| folder.display().to_string())?;
    tour(folder, &count)?;
    Ok(Exit::Done)
}

fn tour(folder: &Path, count: &str) -> anyhow::Result<()> {
    std::env::set_current_dir(folder)?;
    say("Readings of sensors, in the shape of a published case: timestamps, numbers and truth values are strings.")?;
    step(&["gen", "telemetry-strings", "-n", count, "-o", "readings.bson"])?;
    say("What do the fields really hold, and what would better types save? The answer becomes a plan to be reviewed.")?;
    step(&["analyze", "readings.bson", "--no-sizes", "--top", "5", "--plan", "plan.toml"])?;
    say(
        "The plan is run: everything else stays as it is to the byte, and each new value is checked against its original.",
    )?;
    step(&["migrate", "readings.bson", "--plan", "plan.toml", "--to", "typed.bson", "--apply", "--verify"])?;
    say("And back, by the undo log.")?;
    step(&["undo", "typed.bson", "--to", "original.bson"])?;
    say("What is that worth: on disk, in an index, on the wire, for who decodes it?")?;
    step(&["prove", "readings.bson", "typed.bson", "--index", "timestamp", "--save-proof", "proof.json"])?;
    say(
        "What keeps new documents right: a validator for the server (boson schema typed.bson), and types for programs.",
    )?;
    step(&["schema", "typed.bson", "--as", "rust", "--name", "reading"])?;
    say("All of it as one page for a browser; boson demo --keep tour leaves it in tour/report.html.")?;
    let made = ["--plan", "plan.toml", "--proof", "proof.json", "--no-sizes", "-o", "report.html"];
    step(&[&["report", "readings.bson"][..], &made].concat())?;
    result()
}

fn say(text: &str) -> anyhow::Result<()> {
    let mut out = output::stdout();
    writeln!(out, "\n{NAME}==={NAME:#} {text}")?;
    Ok(out.flush()?)
}

/// Shows a command and runs it.
fn step(words: &[&str]) -> anyhow::Result<()> {
    let mut out = output::stdout();
    writeln!(out, "$ boson {}", words.join(" "))?;
    out.flush()?;
    let cli = Cli::try_parse_from(["boson"].iter().chain(words))?;
    let exit = super::run(cli.command)?;
    ensure!(exit == Exit::Done, "boson {} ended with {}", words.join(" "), exit.code());
    Ok(())
}

/// Compares what there is now.
fn result() -> anyhow::Result<()> {
    let (before, after) = (fs::read("readings.bson")?, fs::read("typed.bson")?);
    let same = before == fs::read("original.bson")?;
    ensure!(same, "the original did not come back");
    let documents = count(&after)?;
    let mut out = output::stdout();
    writeln!(
        out,
        "\n{GOOD}result{GOOD:#} {:.1} -> {:.1} bytes of a document on average, _id kept (measured); the original came back byte for byte",
        each(before.len(), documents),
        each(after.len(), documents)
    )?;
    Ok(out.flush()?)
}

fn count(bytes: &[u8]) -> anyhow::Result<usize> {
    let (mut rest, mut count) = (bytes, 0);
    while !rest.is_empty() {
        rest = boson_bson::Document::split_first(rest)?.1;
        count += 1;
    }
    Ok(count)
}

#[expect(clippy::cast_precision_loss, reason = "for people to read; 53 bits are enough")]
fn each(bytes: usize, documents: usize) -> f64 {
    bytes as f64 / documents as f64
}
