//! `cargo xtask peers compare`: thousands of random documents of every type, through Boson and through each peer, in both
//! directions, bytes and values.
//!
//! What a peer cannot represent is predicted document by document from the rows of `docs/format/peers.md`: a refusal or a
//! difference that no row predicts fails the run, and so does a row that predicts one which does not come.

mod bson;
mod expect;
mod neutral;
mod official;
mod oson;
mod sample;
mod tally;
mod writing;

use std::fs;

use anyhow::{Result, ensure};

use crate::peers::Peers;
use crate::workspace;
use tally::Tally;

/// What to compare.
#[derive(Debug, Clone, clap::Parser)]
pub(crate) struct Arguments {
    /// Documents of each type alone
    #[arg(long, default_value_t = 200)]
    each: usize,
    /// Documents of all types together
    #[arg(long, default_value_t = 1500)]
    mixed: usize,
    /// What the documents are made from
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Write the table to docs/peers.md
    #[arg(long)]
    record: bool,
}

/// Compares with every peer, prints the table, and fails on any difference that is not documented.
pub(crate) fn run(arguments: &Arguments, installed: &Peers) -> Result<()> {
    let (mut python, mut node) = (installed.python()?, installed.node()?);
    let versions = serde_json::json!({"op": "versions"});
    let versions = [python.ask(&versions)?, node.ask(&versions)?];
    let mut tally = Tally::new(fs::read_to_string(workspace::root()?.join("docs/format/peers.md"))?);
    let samples = sample::bson(arguments.seed, arguments.each, arguments.mixed);
    bson::compare_official(&samples, &mut tally);
    bson::compare_pymongo(&samples, &mut python, &mut tally)?;
    let samples = sample::oson(arguments.seed, arguments.each, arguments.mixed);
    oson::compare(expect::Driver::Python, &samples, &mut python, &mut tally)?;
    oson::compare(expect::Driver::Node, &samples, &mut node, &mut tally)?;
    let lock = fs::read_to_string(workspace::root()?.join("Cargo.lock"))?;
    let report = tally.report(arguments.seed, &versions, official::version(&lock));
    println!("{report}");
    if arguments.record {
        fs::write(workspace::root()?.join("docs/peers.md"), &report)?;
    }
    ensure!(tally.failures().is_empty(), "{}", tally.failures().join("\n"));
    Ok(())
}
