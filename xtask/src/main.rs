//! `cargo xtask`: the one entry point for everything a developer of Boson runs.

mod bench;
mod bless;
mod browser;
mod check;
mod fuzz;
mod instructions;
mod kills;
mod peers;
mod peers_check;
mod peers_compare;
mod python;
mod storage;
mod test;
mod tidy;
mod workspace;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, ensure};
use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(name = "cargo xtask", about)]
struct Arguments {
    #[command(subcommand)]
    command: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Run the tests, after installing the other implementations they compare with
    Test {
        /// Passed on to `cargo test`
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// Run the slower checks; without a name, all of them
    Check {
        #[arg(value_enum)]
        steps: Vec<check::Step>,
    },
    /// Fuzz: run random and mutated inputs until one breaks a law or the time is over
    Fuzz(fuzz::Arguments),
    /// Measure Boson and the other implementations by turns, and write docs/performance/ratios.md; takes some minutes
    Bench(bench::Arguments),
    /// Rewrite the golden files that tests compare with
    Bless {
        /// Only this package's
        package: Option<String>,
    },
    /// The other implementations of BSON and OSON
    #[command(subcommand)]
    Peers(PeersTask),
}

#[derive(Subcommand)]
enum PeersTask {
    /// Install them into .peers (needs Python 3, Node.js and npm)
    Install,
    /// Check that they behave as docs/format/peers.md says
    Check {
        /// Folder of the *.ndjson files with the rows [default: xtask/peers/rows]
        dir: Option<PathBuf>,
    },
    /// Compare Boson with them on random documents of every type
    Compare(peers_compare::Arguments),
}

fn main() -> ExitCode {
    let Err(error) = perform(Arguments::parse().command) else { return ExitCode::SUCCESS };
    eprintln!("error: {error:#}");
    ExitCode::FAILURE
}

fn perform(task: Task) -> Result<()> {
    match task {
        Task::Test { arguments } => test::run(&arguments),
        Task::Check { steps } => check::run(&steps),
        Task::Fuzz(arguments) => fuzz::run(&arguments),
        Task::Bench(arguments) => bench::run(&arguments),
        Task::Bless { package } => bless::run(package.as_deref()),
        Task::Peers(PeersTask::Install) => all_peers().map(|_| ()),
        Task::Peers(PeersTask::Compare(arguments)) => peers_compare::run(&arguments, &all_peers()?),
        Task::Peers(PeersTask::Check { dir }) => {
            peers_check::run(&dir.map_or_else(peers_check::rows_folder, Ok)?, &all_peers()?)
        }
    }
}

/// Installs the peers, for those who asked for them by name.
fn all_peers() -> Result<peers::Peers> {
    let installed = peers::install()?;
    let missing: Vec<_> = installed.missing().collect();
    ensure!(missing.is_empty(), "{}", missing.join("\n"));
    Ok(installed)
}
