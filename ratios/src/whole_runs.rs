//! Whole runs of the command line on files: what a second core brings, and how much memory is taken.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use tempfile::TempDir;
use wait4::Wait4 as _;

use crate::alternate::Contender;
use crate::comparison::Comparison;
use crate::goal::Goal;

const ANALYZE_CORES: Goal = Goal::as_long("analyze in two threads, by the clock", "in one thread", 0.6);
const MIGRATE_CORES: Goal = Goal::as_long("migrate in two threads, by the clock", "in one thread", 0.6);

/// The set that is timed, 362 MB, and how many documents of it there are.
const TIMED: [&str; 2] = ["telemetry-strings", "1000000"];

/// How much memory a run may take.
pub const PEAK_BYTES_MAX: u64 = 300_000_000;

/// The runs whose memory is measured, on 2 GB.
const LARGE: [&[&str]; 4] = [
    &["gen", "telemetry-strings", "-n", "5700000", "-o", "large.bson"],
    &["analyze", "large.bson", "--plan", "large.toml"],
    &["migrate", "large.bson", "--plan", "large.toml", "--to", "typed.bson", "--apply", "--verify"],
    &["undo", "typed.bson", "--to", "again.bson"],
];

/// What a run took.
#[derive(Clone, Debug)]
pub struct Usage {
    /// The command.
    pub command: String,
    /// Bytes of memory that were resident at most.
    pub peak_bytes: u64,
    /// How long it took by the clock.
    pub elapsed: Duration,
}

/// The program, and a folder that it works in and that goes with this.
pub struct Boson {
    program: PathBuf,
    folder: TempDir,
}

impl Boson {
    /// Runs `program` in a folder in memory, where the system has a place for that.
    ///
    /// # Errors
    ///
    /// When no folder can be made.
    pub fn in_memory(program: &Path) -> Result<Self> {
        let memory = Path::new("/dev/shm");
        let folder = if memory.is_dir() { TempDir::new_in(memory)? } else { TempDir::new()? };
        Ok(Self { program: program.canonicalize()?, folder })
    }

    /// Runs `program` in a folder beside it: there is room for gigabytes where programs are built.
    ///
    /// # Errors
    ///
    /// When no folder can be made.
    pub fn on_disk(program: &Path) -> Result<Self> {
        let program = program.canonicalize()?;
        let folder = TempDir::new_in(program.parent().context("a program in no folder")?)?;
        Ok(Self { program, folder })
    }

    /// Two threads against one.
    ///
    /// # Errors
    ///
    /// When the files for it cannot be made.
    pub fn cores(&self) -> Result<[Comparison<'_>; 2]> {
        self.run(&["gen", TIMED[0], "-n", TIMED[1], "-o", "timed.bson"])?;
        self.run(&["analyze", "timed.bson", "--no-sizes", "--plan", "timed.toml"])?;
        let analyze = self.threads(ANALYZE_CORES, "whole run of analyze", &["analyze", "timed.bson", "--no-sizes"]);
        let words = &["migrate", "timed.bson", "--plan", "timed.toml", "--to", "typed.bson", "--apply"];
        Ok([analyze, self.threads(MIGRATE_CORES, "whole run of migrate", words)])
    }

    fn threads(&self, goal: Goal, subject: &str, words: &'static [&'static str]) -> Comparison<'_> {
        let mut comparison = Comparison::new(subject, TIMED.join(" "), true);
        let [one, two] = [("1 thread", "1"), ("2 threads", "2")].map(|(name, threads)| {
            let words = [words, &["--threads", threads]].concat();
            comparison.push(Contender::timed(name, move |iterations| self.turn(&words, iterations)))
        });
        comparison.judge(goal, two, &[one]);
        comparison
    }

    fn turn(&self, words: &[&str], iterations: u64) -> Result<Duration> {
        let mut elapsed = Duration::ZERO;
        for _ in 0..iterations {
            elapsed += self.run(words)?.elapsed;
            for made in ["typed.bson", "typed.bson.undo"].map(|name| self.folder.path().join(name)) {
                if made.exists() {
                    fs::remove_file(made)?;
                }
            }
        }
        Ok(elapsed)
    }

    /// What runs on 2 GB took.
    ///
    /// # Errors
    ///
    /// When one of them failed.
    pub fn peaks(&self) -> Result<Vec<Usage>> {
        LARGE.iter().map(|words| self.run(words)).collect()
    }

    fn run(&self, words: &[&str]) -> Result<Usage> {
        let command = format!("boson {}", words.join(" "));
        let start = Instant::now();
        let child = Command::new(&self.program)
            .args(words)
            .current_dir(&self.folder)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .with_context(|| format!("cannot start {command}"))?;
        let used = child.wait4()?;
        ensure!(used.status.success(), "{command} failed: {}", used.status);
        Ok(Usage { command, peak_bytes: used.rusage.maxrss, elapsed: start.elapsed() })
    }
}
