//! Migrations that are killed at random moments: what comes of going on is the same to the byte, and can be undone.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result, bail, ensure};

use crate::workspace;

/// How often a run is killed, and how many of those kills must fall between the first checkpoint and the end.
const KILLS: u32 = 50;
const KILLS_INSIDE_MIN: u32 = 40;

/// How many documents there are: enough for a run to last.
const DOCUMENTS: &str = "100000";

/// Kills runs of `boson migrate` and goes on with them.
///
/// # Errors
///
/// When a run ends in other bytes than one that was left alone, or the original does not come back.
pub(crate) fn run() -> Result<()> {
    workspace::run(workspace::cargo()?.args(["build", "-p", "boson-cli"]))?;
    let folder = std::env::temp_dir().join(format!("boson-kills-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let outcome = Kills::new(&folder).and_then(|mut kills| kills.all());
    fs::remove_dir_all(&folder)?;
    outcome
}

struct Kills {
    folder: PathBuf,
    boson: PathBuf,
    /// How long a run lasts that is left alone.
    whole: Duration,
    random: u64,
    inside: u32,
    before: u32,
    after: u32,
}

impl Kills {
    fn new(folder: &Path) -> Result<Self> {
        let boson = std::env::current_exe()?.with_file_name("boson");
        let seed = SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |time| time.as_secs()) | 1;
        println!("kills: seed {seed}");
        let whole = Duration::ZERO;
        let mut kills = Self { folder: folder.to_owned(), boson, whole, random: seed, inside: 0, before: 0, after: 0 };
        kills.must(&["gen", "telemetry-strings", "-n", DOCUMENTS, "-o", "in.bson"])?;
        kills.must(&["analyze", "in.bson", "--no-sizes", "--plan", "plan.toml"])?;
        let began = Instant::now();
        kills.must(&MIGRATE.map(|word| if word == "killed.bson" { "alone.bson" } else { word }))?;
        kills.whole = began.elapsed();
        Ok(kills)
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(&self.boson);
        command.args(words).current_dir(&self.folder).stdout(Stdio::null()).stderr(Stdio::null());
        command
    }

    fn must(&self, words: &[&str]) -> Result<()> {
        let status = self.command(words).status().context("boson cannot be run")?;
        ensure!(status.success(), "boson {} failed: {status}", words.join(" "));
        Ok(())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    fn all(&mut self) -> Result<()> {
        for number in 1..=KILLS {
            self.kill().with_context(|| format!("kill {number}"))?;
            self.must(&MIGRATE)?;
            for (killed, alone) in [("killed.bson", "alone.bson"), ("killed.bson.undo", "alone.bson.undo")] {
                let same = fs::read(self.path(killed))? == fs::read(self.path(alone))?;
                ensure!(same, "kill {number}: {killed} differs from {alone}");
            }
            self.must(&["undo", "killed.bson", "--to", "back.bson"])?;
            ensure!(fs::read(self.path("back.bson"))? == fs::read(self.path("in.bson"))?, "kill {number}: not undone");
            for name in ["killed.bson", "killed.bson.undo", "back.bson"] {
                fs::remove_file(self.path(name))?;
            }
        }
        println!(
            "kills: {KILLS}, of them {} between the first checkpoint and the end, {} before, {} after; the same bytes each time",
            self.inside, self.before, self.after
        );
        ensure!(
            self.inside >= KILLS_INSIDE_MIN,
            "at least {KILLS_INSIDE_MIN} must be between the first checkpoint and the end"
        );
        Ok(())
    }

    /// Begins a run and kills it at some moment, most often when there is a checkpoint.
    fn kill(&mut self) -> Result<()> {
        let mut child = self.command(&MIGRATE).spawn()?;
        // One in ten at any moment, the others after the first checkpoint.
        if !self.next().is_multiple_of(10) {
            let deadline = Instant::now() + Duration::from_mins(1);
            while !self.path(CHECKPOINT).exists() && child.try_wait()?.is_none() {
                ensure!(Instant::now() < deadline, "there is no checkpoint");
                sleep(Duration::from_micros(200));
            }
        }
        let share = f64::from(u32::try_from(self.next() % 1000)?) / 1500.0;
        sleep(self.whole.mul_f64(share * 0.6));
        self.end(&mut child)
    }

    /// Kills `child`, and counts when that was.
    fn end(&mut self, child: &mut Child) -> Result<()> {
        let ended = child.try_wait()?;
        child.kill()?;
        let status = child.wait()?;
        if let Some(status) = ended.filter(|status| !status.success()) {
            bail!("the run failed before it was killed: {status}");
        }
        let is_there = self.path("killed.bson").exists();
        ensure!(!is_there || self.path("killed.bson.undo").exists(), "a destination without its undo log");
        if ended.is_some() || is_there || status.success() {
            self.after += 1;
            if ended.is_some() || !self.path(CHECKPOINT).exists() {
                // It was complete: it is done once more, from nothing.
                for name in ["killed.bson", "killed.bson.undo"] {
                    fs::remove_file(self.path(name))?;
                }
            }
        } else if self.path(CHECKPOINT).exists() {
            self.inside += 1;
        } else {
            self.before += 1;
        }
        Ok(())
    }

    /// Xorshift.
    fn next(&mut self) -> u64 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        self.random >> 8
    }
}

const CHECKPOINT: &str = ".killed.bson.boson-migrate/checkpoint.json";

const MIGRATE: [&str; 9] =
    ["migrate", "in.bson", "--plan", "plan.toml", "--to", "killed.bson", "--apply", "--checkpoint", "1"];
