//! `cargo xtask bench`: Boson and the others measured by turns, and the page that is made of it.

use std::fs;

use anyhow::{Result, ensure};

use crate::{instructions, peers, workspace};

/// The page.
const PAGE: &str = "docs/performance/ratios.md";

/// How to measure.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Count the instructions of the kernels instead, and write them into the file that `check instructions` compares with
    #[arg(long, exclusive = true)]
    record_instructions: bool,
    /// Print the page instead of writing it to docs/performance/ratios.md
    #[arg(long)]
    print: bool,
    /// Measure also when something is changed and not committed; the page says so
    #[arg(long)]
    dirty: bool,
    /// Passed on: `-- --only tweets` measures that set alone, `-- --help` says what else there is
    #[arg(last = true)]
    more: Vec<String>,
}

/// Measures, and records what came of it with machine and commit.
///
/// # Errors
///
/// When what is checked out is not a commit, when something cannot be built, or a contender fails.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    if arguments.record_instructions {
        return instructions::record();
    }
    let commit = workspace::commit()?;
    ensure!(
        commit.is_clean || arguments.dirty || arguments.print,
        "something besides docs differs from the last commit, so nobody could measure it again: commit it, or ask for --dirty"
    );
    ensure!(
        arguments.more.is_empty() || arguments.print,
        "the page is of everything, measured the usual way: what is behind `--` goes with --print"
    );
    let installed = peers::install()?;
    installed.missing().for_each(|missing| eprintln!("left out: {missing}"));
    let manifest = workspace::root()?.join("ratios/Cargo.toml");
    let mut cargo = workspace::cargo()?;
    workspace::run(cargo.args(["build", "--release", "--manifest-path"]).arg(&manifest))?;
    workspace::run(workspace::cargo()?.args(["build", "--release", "--bin", "boson"]))?;
    let mut cargo = workspace::cargo()?;
    cargo.args(["run", "--quiet", "--release", "--manifest-path"]).arg(&manifest).arg("--");
    cargo.args(["--commit", &commit.to_string()]);
    if installed.interpreter().exists() {
        cargo.arg("--peers").arg(installed.venv());
    }
    if installed.node_modules().exists() {
        cargo.arg("--node-modules").arg(installed.node_modules());
    }
    cargo.arg("--boson").arg(workspace::root()?.join("target/release/boson"));
    let page = workspace::output(cargo.args(&arguments.more))?;
    if arguments.print {
        print!("{page}");
        return Ok(());
    }
    fs::write(workspace::root()?.join(PAGE), page)?;
    println!("{PAGE} is written");
    Ok(())
}
