//! `cargo xtask`: the one entry point for everything a developer of Boson runs.

mod peers;
mod peers_check;

use std::path::PathBuf;

use anyhow::Result;
use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(name = "cargo xtask", about)]
struct Arguments {
    #[command(subcommand)]
    command: Task,
}

#[derive(Subcommand)]
enum Task {
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
}

fn main() -> Result<()> {
    match Arguments::parse().command {
        Task::Peers(PeersTask::Install) => peers::install().map(|_| ()),
        Task::Peers(PeersTask::Check { dir: Some(dir) }) => peers_check::run(&dir),
        Task::Peers(PeersTask::Check { dir: None }) => {
            peers_check::run(&peers::workspace_root()?.join("xtask/peers/rows"))
        }
    }
}
