//! `cargo xtask fuzz`: the targets of `fuzz/`, run by libFuzzer through cargo-fuzz.
//!
//! Without a sanitizer, since no crate of ours has unsafe code: so the stable compiler does, and more inputs are run in
//! the same time. Overflow checks and debug assertions are on.

mod record;
mod stats;

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};

use self::stats::Stats;
use crate::workspace;

/// One input that takes longer fails the target.
const INPUT_SECONDS_MAX: u32 = 10;

/// In bytes: more teaches little for its time.
const INPUT_LEN_MAX: u32 = 2048;

/// How many inputs a smoke run tries, the seeds among them.
const SMOKE_RUNS: u32 = 20_000;

/// A target that takes more memory fails.
const MEMORY_MIB_MAX: u32 = 1024;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// A target, which is a file of `fuzz/fuzz_targets`, or `all`
    target: String,
    /// For each target
    #[arg(long, default_value_t = 60)]
    seconds: u32,
    /// Write what was run into docs/fuzzing.md
    #[arg(long)]
    record: bool,
}

/// Runs the target, or all of them in turn.
///
/// # Errors
///
/// When an input breaks a law; libFuzzer's output says where it is kept.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    install()?;
    let known = targets()?;
    let chosen: Vec<_> =
        known.iter().filter(|target| arguments.target == "all" || arguments.target == **target).collect();
    ensure!(!chosen.is_empty(), "no target {}: there are {}", arguments.target, known.join(", "));
    let commit = workspace::commit()?.to_string();
    build()?;
    write_seeds()?;
    for target in chosen {
        let stats = fuzz(target, arguments.seconds, &[])?;
        println!("{target}: {stats}");
        if arguments.record {
            record::write(target, &commit, arguments.seconds, &stats)?;
        }
    }
    Ok(())
}

/// A short run of every target. A user without cargo-fuzz is told what is left out.
///
/// # Errors
///
/// As [`run`]; with `CI` set, cargo-fuzz is installed.
pub(crate) fn smoke(seconds: u32) -> Result<()> {
    if !workspace::is_ci() && !is_installed()? {
        return workspace::skip("cargo-fuzz is not installed: `cargo xtask fuzz all` installs it");
    }
    install()?;
    build()?;
    write_seeds()?;
    for target in targets()? {
        // The same inputs each time: a gate must answer twice alike.
        let stats = fuzz(&target, seconds, &["-seed=1".to_owned(), format!("-runs={SMOKE_RUNS}")])?;
        println!("{target}: {stats}");
    }
    Ok(())
}

fn folder() -> Result<PathBuf> {
    Ok(workspace::root()?.join("fuzz"))
}

/// The targets' names, in order.
fn targets() -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder()?.join("fuzz_targets"))? {
        let path = entry?.path();
        names.extend(path.file_stem().and_then(|stem| stem.to_str()).map(str::to_owned));
    }
    names.sort();
    Ok(names)
}

fn is_installed() -> Result<bool> {
    Ok(workspace::succeeds(workspace::cargo()?.args(["fuzz", "--version"])))
}

fn install() -> Result<()> {
    if is_installed()? {
        return Ok(());
    }
    println!("cargo-fuzz is not here, installing it");
    workspace::run(workspace::cargo()?.args(["install", "--locked", "cargo-fuzz"]))
}

fn cargo_fuzz(command: &str) -> Result<Command> {
    let mut cargo = workspace::cargo()?;
    cargo.args(["fuzz", command, "--sanitizer", "none"]);
    Ok(cargo)
}

fn build() -> Result<()> {
    workspace::run(&mut cargo_fuzz("build")?)
}

/// Puts what fuzzing begins with beside what earlier runs found.
fn write_seeds() -> Result<()> {
    let mut command = workspace::cargo()?;
    command.args(["run", "--quiet", "--package", "boson-fuzz-bodies", "--example", "seeds", "--"]);
    command.arg(corpora()?).arg(workspace::root()?.join("testdata"));
    command.args(workspace::shared()?.map(|shared| shared.join("vectors")));
    workspace::run(&mut command)
}

/// The inputs that libFuzzer keeps, in a folder for each target.
fn corpora() -> Result<PathBuf> {
    Ok(folder()?.join("corpus"))
}

/// Runs one target, beginning with what is in its corpus and with what once broke a law.
fn fuzz(target: &str, seconds: u32, more: &[String]) -> Result<Stats> {
    let folder = folder()?;
    let kept = folder.join("seeds").join(target);
    let mut command = cargo_fuzz("run")?;
    command.arg(target).arg(corpora()?.join(target)).args(kept.is_dir().then_some(kept));
    command.args(["--", "-print_final_stats=1"]);
    command.args(more).arg(format!("-max_total_time={seconds}"));
    command.arg(format!("-timeout={INPUT_SECONDS_MAX}"));
    command.arg(format!("-max_len={INPUT_LEN_MAX}"));
    command.arg(format!("-rss_limit_mb={MEMORY_MIB_MAX}"));
    command.arg(format!("-dict={}", dictionary(target)?.display()));
    observed(&mut command).with_context(|| format!("the fuzz target {target}"))
}

/// Writes the words that inputs of this target are likely to hold, as libFuzzer reads them: those of its format, or of all.
fn dictionary(target: &str) -> Result<PathBuf> {
    let folder = folder()?.join("dictionaries");
    let formats = target.strip_prefix("read_").map_or(vec!["bson", "json", "oson"], |format| vec![format]);
    let mut words = String::new();
    for format in formats {
        let path = folder.join(format!("{format}.dict"));
        words += &fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    }
    let path = corpora()?.join(format!("{target}.dict"));
    fs::write(&path, words)?;
    Ok(path)
}

/// Runs `command`, keeping libFuzzer's figures for itself and passing on what else it prints.
fn observed(command: &mut Command) -> Result<Stats> {
    let mut child = command.stderr(Stdio::piped()).spawn().context("cannot start cargo fuzz")?;
    let mut stats = Stats::default();
    for line in BufReader::new(child.stderr.take().context("no stderr")?).split(b'\n') {
        let line = line?;
        let line = String::from_utf8_lossy(&line);
        if !stats.add(&line) {
            eprintln!("{line}");
        }
    }
    let exit = child.wait()?;
    ensure!(exit.success(), "an input broke a law ({exit})");
    ensure!(stats.executions > 0, "no input was run");
    Ok(stats)
}
