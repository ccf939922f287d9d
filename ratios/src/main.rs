//! Boson and the other implementations, measured alternately in one process: are the goals met?

mod alternate;
mod bson_goals;
mod collection_goals;
mod comparison;
mod goal;
mod json_goals;
mod matrix;
mod mongodb_schema;
mod oson_goals;
mod report;
mod sets;
mod whole_runs;

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Result;
use boson_bench::{Matrix, Peers};
use clap::Parser;
use indicatif::{ProgressBar, ProgressStyle};

use alternate::Plan;
use comparison::{Comparison, Outcome};
use mongodb_schema::MongodbSchema;
use whole_runs::{Boson, Usage};

/// Measures Boson and the other implementations alternately, and prints a page in Markdown.
#[derive(Debug, Parser)]
struct Arguments {
    /// Rounds, five at least; in each, every contender has its turn
    #[arg(long, value_name = "NUMBER", default_value_t = 15)]
    rounds: usize,
    /// How long a turn is at least, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 5)]
    turn: u64,
    /// After how many milliseconds a comparison has no more than five rounds
    #[arg(long, value_name = "MS", default_value_t = 2000)]
    time: u64,
    /// The virtual environment with the peers in Python; without it they are left out
    #[arg(long, value_name = "FOLDER")]
    peers: Option<PathBuf>,
    /// The folder with mongodb-schema; without it, it is left out
    #[arg(long, value_name = "FOLDER")]
    node_modules: Option<PathBuf>,
    /// The built command line, whose whole runs are measured; without it they are left out
    #[arg(long, value_name = "FILE")]
    boson: Option<PathBuf>,
    /// Only comparisons whose title has this in it
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// Which commit was built, for the page
    #[arg(long, value_name = "COMMIT", default_value = "unknown")]
    commit: String,
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let [turn, time] = [arguments.turn, arguments.time].map(Duration::from_millis);
    let plan = Plan { rounds: arguments.rounds, turn, time };
    let python = arguments.peers.as_deref().map(Peers::start).transpose()?.map(RefCell::new);
    let mut recorder = Recorder::new(plan, arguments.only);
    measure(&python, &mut recorder)?;
    measure_collections(arguments.node_modules.as_deref(), &mut recorder)?;
    let peaks = arguments.boson.as_deref().map(|boson| measure_runs(boson, &mut recorder)).transpose()?;
    recorder.progress.finish_and_clear();
    print!("{}", report::page(&recorder.outcomes, &plan, &arguments.commit, python.is_some()));
    print!("{}", report::peaks(&peaks.unwrap_or_default()));
    Ok(())
}

/// What is measured of collections: in memory, two whole runs, the memory of runs.
const COLLECTION_STEPS: u64 = 4;

/// Comparisons on each set.
const ON_EACH_SET: u64 = 9;

fn measure(python: &matrix::Python, recorder: &mut Recorder) -> Result<()> {
    for set in sets::sets() {
        let set = set?;
        recorder.run(bson_goals::walk(&set))?;
        recorder.run(bson_goals::get(&set))?;
        recorder.run(bson_goals::encode(&set))?;
        recorder.run(bson_goals::decode(&set))?;
        recorder.run(json_goals::to_bson(&set)?)?;
        recorder.run(json_goals::to_oson(&set))?;
        recorder.run(oson_goals::from_bson(&set))?;
        recorder.run(oson_goals::encode(&set))?;
        recorder.run(oson_goals::decode(&set))?;
    }
    for comparison in oson_goals::Fields::new()?.comparisons()? {
        recorder.run(comparison)?;
    }
    matrix::run(python, recorder)
}

fn measure_collections(node_modules: Option<&Path>, recorder: &mut Recorder) -> Result<()> {
    let set = sets::collection()?;
    let mut peer = node_modules.map(|folder| MongodbSchema::start(folder, &set)).transpose()?;
    recorder.run(collection_goals::analyze_and_migrate(&set, peer.as_mut())?)
}

fn measure_runs(boson: &Path, recorder: &mut Recorder) -> Result<Vec<Usage>> {
    let in_memory = Boson::in_memory(boson)?;
    for comparison in in_memory.cores()? {
        recorder.run(comparison)?;
    }
    recorder.progress.set_message("memory that runs on 2 GB take");
    let peaks = Boson::on_disk(boson)?.peaks()?;
    recorder.progress.inc(1);
    Ok(peaks)
}

/// Runs one comparison after the other, shows how far it is and keeps what came of them.
pub struct Recorder {
    plan: Plan,
    only: Option<String>,
    progress: ProgressBar,
    outcomes: Vec<Outcome>,
}

impl Recorder {
    fn new(plan: Plan, only: Option<String>) -> Self {
        let sets = sets::COUNT * ON_EACH_SET + oson_goals::POSITIONS_COUNT + COLLECTION_STEPS;
        let cells = Matrix::TABLE.len() as u64 * matrix::COMPARISONS;
        let progress = ProgressBar::new(sets + cells);
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos} of {len}, {elapsed} of {duration}: {msg}") {
            progress.set_style(style);
        }
        Self { plan, only, progress, outcomes: Vec::new() }
    }

    /// Measures `comparison`.
    ///
    /// # Errors
    ///
    /// What a contender returned.
    pub fn run(&mut self, comparison: Comparison<'_>) -> Result<()> {
        let title = comparison.title();
        if self.only.as_ref().is_none_or(|only| title.contains(only.as_str())) {
            self.progress.set_message(title);
            self.outcomes.push(comparison.measure(&self.plan)?);
        }
        self.progress.inc(1);
        Ok(())
    }
}
