//! `cargo xtask check`: what has to hold beside the tests, and takes longer.

use std::path::Path;

use anyhow::{Result, ensure};
use clap::{Parser, ValueEnum};

use crate::{fuzz, instructions, kills, peers, peers_compare, python, storage, tidy, workspace};

/// One thing that is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Step {
    /// The code is formatted
    Fmt,
    /// The house's own rules: lengths, links, edges between crates
    Tidy,
    /// Clippy finds nothing, in any target and with every feature
    Clippy,
    /// The documentation builds without a warning
    Docs,
    /// Boson and the other implementations agree on random documents of every type
    Peers,
    /// The Python package: its wheel installed and tested, alone and beside pymongo and python-oracledb; its types
    Python,
    /// Migrations that are killed at random moments end in the same bytes
    Kills,
    /// The model of the storage engine against files that the real one wrote, of up to a million documents
    Storage,
    /// The kernels execute no more instructions than was recorded
    Instructions,
    /// A short run of every fuzz target
    Fuzz,
}

/// Seconds for each fuzz target: enough to notice a broken target, not a record.
const FUZZ_SECONDS: u32 = 20;

/// Runs `steps`, all of them when none is named. A step that fails does not keep the others from running.
///
/// # Errors
///
/// When one of them failed.
pub(crate) fn run(steps: &[Step]) -> Result<()> {
    let steps = if steps.is_empty() { Step::value_variants() } else { steps };
    let failed: Vec<_> = steps.iter().filter(|&&step| !passes(step)).collect();
    println!("check: {} passed, {} failed", steps.len() - failed.len(), failed.len());
    ensure!(failed.is_empty(), "failed: {failed:?}");
    Ok(())
}

fn passes(step: Step) -> bool {
    println!("== {step:?}");
    let outcome = perform(step);
    if let Err(error) = &outcome {
        eprintln!("{step:?} failed: {error:#}");
    }
    outcome.is_ok()
}

fn perform(step: Step) -> Result<()> {
    match step {
        Step::Fmt => fmt(),
        Step::Tidy => tidy::run(),
        Step::Clippy => clippy(),
        Step::Docs => docs(),
        Step::Peers => peers(),
        Step::Python => python::check(),
        Step::Kills => kills::run(),
        Step::Storage => storage::run(),
        Step::Instructions => instructions::check(),
        Step::Fuzz => fuzz::smoke(FUZZ_SECONDS),
    }
}

fn fmt() -> Result<()> {
    workspace::run(workspace::cargo()?.args(["fmt", "--all", "--check"]))?;
    // Workspaces of their own.
    ["fuzz/Cargo.toml", "ratios/Cargo.toml"].iter().try_for_each(|manifest| {
        workspace::run(workspace::cargo()?.args(["fmt", "--check", "--manifest-path"]).arg(Path::new(manifest)))
    })
}

fn clippy() -> Result<()> {
    let mut command = workspace::cargo()?;
    command.args(["clippy", "--workspace", "--all-targets", "--all-features", "--", "--deny", "warnings"]);
    workspace::run(&mut command)
}

fn docs() -> Result<()> {
    let mut command = workspace::cargo()?;
    // The binary `boson` would be documented over the library `boson`.
    command.args(["doc", "--workspace", "--lib", "--no-deps", "--all-features"]);
    workspace::run(command.env("RUSTDOCFLAGS", "--deny warnings"))
}

/// A user who lacks one of the peers is told what is left out.
fn peers() -> Result<()> {
    let installed = peers::install()?;
    let missing: Vec<_> = installed.missing().collect();
    if missing.is_empty() {
        return peers_compare::run(&peers_compare::Arguments::parse_from(["compare"]), &installed);
    }
    workspace::skip(&missing.join("\n"))
}
