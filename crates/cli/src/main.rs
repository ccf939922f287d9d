//! The command line `boson`: a thin room over the libraries. Each command is a module of [`commands`] with its arguments,
//! its help and what it does; what ends the process is decided in [`exit`].

mod args;
mod commands;
mod documents;
mod exit;
mod hint;
mod interrupt;
mod output;
mod progress;
mod text_file;

use std::process::ExitCode;

use clap::Parser;

use args::Cli;

/// Counts what each thread allocates, for `boson bench`.
#[global_allocator]
static ALLOCATOR: boson_bench::Allocator = boson_bench::Allocator::system();

fn main() -> ExitCode {
    let cli = Cli::parse();
    cli.colour.apply();
    let outcome = interrupt::listen().map_err(anyhow::Error::from).and_then(|()| commands::run(cli.command));
    exit::finish(outcome).into()
}
