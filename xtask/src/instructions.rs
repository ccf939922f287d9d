//! `cargo xtask check instructions`: how many instructions the codecs' kernels execute, against the committed counts.
//!
//! A count does not depend on what else the machine does, so a change of a few percent is seen, which a clock would hide.
//! `crates/bench/src/bin/boson-kernels.rs` has the kernels, callgrind counts what happens inside one function of it.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use crate::workspace;

/// A kernel that executes so much more than was recorded fails the gate.
const SLOWER_PERCENT_MAX: f64 = 2.0;

/// The function that is counted, with all that it calls.
const COUNTED: &str = "*counted_instructions*";

/// The committed counts.
const RECORD: &str = "crates/bench/instructions.txt";

/// What stands before the counts.
const INTRODUCTION: &str = "\
# Instructions of the kernels in crates/bench/src/bin/boson-kernels.rs, counted by callgrind.
# `cargo xtask bench --record-instructions` writes this file; `cargo xtask check instructions` compares with it.
";

/// Counts, and what they depend on besides the code.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Counts {
    /// The compiler, its target and what the processor offers.
    environment: String,
    instructions: BTreeMap<String, u64>,
}

/// Counts anew and compares. Then one kernel works a twentieth longer, which has to be noticed.
///
/// # Errors
///
/// When a kernel executes more than it may, when there is no count of it, or when the longer work goes unnoticed.
pub(crate) fn check() -> Result<()> {
    let Some(kernels) = Kernels::build()? else { return Ok(()) };
    let text = fs::read_to_string(record_path()?).with_context(|| format!("cannot read {RECORD}"))?;
    let recorded = Counts::parse(&text).with_context(|| format!("{RECORD} cannot be read"))?;
    let environment = environment()?;
    if recorded.environment != environment {
        return workspace::skip(&format!(
            "instructions were counted with {}, this is {environment}: the counts do not compare; \
             `cargo xtask bench --record-instructions` counts anew",
            recorded.environment
        ));
    }
    let counted = kernels.count()?;
    let failures = compare(&recorded.instructions, &counted);
    kernels.prove_the_gate(&recorded.instructions)?;
    ensure!(failures.is_empty(), "{}", failures.join("\n"));
    println!("{} kernels execute what was recorded, within {SLOWER_PERCENT_MAX} %", counted.len());
    Ok(())
}

/// Counts and writes the counts into the committed file.
///
/// # Errors
///
/// When valgrind is missing or a kernel fails.
pub(crate) fn record() -> Result<()> {
    let kernels = Kernels::build()?.context("valgrind is needed to count")?;
    let counts = Counts { environment: environment()?, instructions: kernels.count()? };
    fs::write(record_path()?, counts.render())?;
    println!("{RECORD} is written: {} kernels", counts.instructions.len());
    Ok(())
}

fn record_path() -> Result<PathBuf> {
    Ok(workspace::root()?.join(RECORD))
}

/// The program with the kernels.
struct Kernels {
    program: PathBuf,
    /// What callgrind writes.
    out: PathBuf,
}

impl Kernels {
    /// Builds the program as it is shipped; `None` where valgrind is missing, which is said.
    fn build() -> Result<Option<Self>> {
        if !workspace::succeeds(Command::new("valgrind").arg("--version")) {
            workspace::skip("valgrind is not installed, which counts instructions")?;
            return Ok(None);
        }
        let mut cargo = workspace::cargo()?;
        cargo.args(["build", "--quiet", "--release", "--package", "boson-bench", "--bin", "boson-kernels"]);
        workspace::run(cargo.args(["--target-dir", "target"]))?;
        let target = workspace::root()?.join("target");
        let program = target.join("release").join(format!("boson-kernels{}", std::env::consts::EXE_SUFFIX));
        Ok(Some(Self { program, out: target.join("callgrind.out") }))
    }

    /// The instructions of each kernel.
    fn count(&self) -> Result<BTreeMap<String, u64>> {
        let names = workspace::output(&mut Command::new(&self.program))?;
        let counted = names.lines().map(|name| Ok((name.to_owned(), self.count_one(&[name])?)));
        counted.collect()
    }

    fn count_one(&self, arguments: &[&str]) -> Result<u64> {
        let mut valgrind = workspace::program("valgrind")?;
        valgrind.args(["--quiet", "--tool=callgrind", "--collect-atstart=no"]);
        valgrind.arg(format!("--toggle-collect={COUNTED}"));
        valgrind.arg(format!("--callgrind-out-file={}", self.out.display()));
        workspace::run(valgrind.arg(&self.program).args(arguments))?;
        let counted = total(&fs::read_to_string(&self.out)?).context("callgrind wrote no total")?;
        ensure!(counted > 0, "nothing was counted: {arguments:?} has no function {COUNTED}");
        Ok(counted)
    }

    /// Has the first kernel run 21 times where 20 were recorded.
    fn prove_the_gate(&self, recorded: &BTreeMap<String, u64>) -> Result<()> {
        let (name, &before) = recorded.first_key_value().context("nothing is recorded")?;
        let slower = self.count_one(&[name, "slower"])?;
        match judge(before, slower) {
            Verdict::Slower(percent) => {
                println!("made slower on purpose, {name} is noticed: +{percent:.1} %");
                Ok(())
            }
            _ => bail!("{name} works a twentieth longer and the gate does not notice: {before} and {slower}"),
        }
    }
}

/// The number behind `totals:` in callgrind's file.
fn total(written: &str) -> Option<u64> {
    written.lines().find_map(|line| line.strip_prefix("totals: "))?.trim().parse().ok()
}

/// How a count compares with the recorded one.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Verdict {
    /// About as many.
    Same,
    /// So many percent fewer.
    Faster(f64),
    /// So many percent more.
    Slower(f64),
}

fn judge(recorded: u64, counted: u64) -> Verdict {
    let percent = 100.0 * (real(counted) / real(recorded) - 1.0);
    match percent {
        _ if percent > SLOWER_PERCENT_MAX => Verdict::Slower(percent),
        _ if percent < -SLOWER_PERCENT_MAX => Verdict::Faster(-percent),
        _ => Verdict::Same,
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
const fn real(count: u64) -> f64 {
    count as f64
}

/// Says what each kernel executes; returns what fails the gate.
fn compare(recorded: &BTreeMap<String, u64>, counted: &BTreeMap<String, u64>) -> Vec<String> {
    let mut failures = Vec::new();
    for (name, &count) in counted {
        let Some(&before) = recorded.get(name) else {
            failures.push(format!("{name} has no recorded count: `cargo xtask bench --record-instructions`"));
            continue;
        };
        let said = match judge(before, count) {
            Verdict::Same => String::new(),
            Verdict::Faster(percent) => {
                format!(", {percent:.1} % fewer: record it with `cargo xtask bench --record-instructions`")
            }
            Verdict::Slower(percent) => {
                failures.push(format!("{name} executes {percent:.1} % more: {count}, recorded {before}"));
                format!(", {percent:.1} % MORE")
            }
        };
        println!("{name}: {count}{said}");
    }
    let gone = recorded.keys().filter(|name| !counted.contains_key(*name));
    failures.extend(gone.map(|name| format!("{name} is recorded and there is no such kernel")));
    failures
}

/// What a count depends on besides the code.
fn environment() -> Result<String> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let described = workspace::output(Command::new(rustc).arg("-vV"))?;
    let value = |key: &str| described.lines().find_map(|line| line.strip_prefix(key)).unwrap_or("?").trim().to_owned();
    // The library functions that copy and compare memory choose their code by this.
    #[cfg(target_arch = "x86_64")]
    let processor = if std::is_x86_feature_detected!("avx2") { "with AVX2" } else { "without AVX2" };
    #[cfg(not(target_arch = "x86_64"))]
    let processor = std::env::consts::ARCH;
    Ok(format!("rustc {}, {}, {processor}", value("release:"), value("host:")))
}

impl Counts {
    fn render(&self) -> String {
        let mut text = format!("{INTRODUCTION}environment: {}\n", self.environment);
        for (name, count) in &self.instructions {
            let _ = writeln!(text, "{name} {count}");
        }
        text
    }

    fn parse(text: &str) -> Option<Self> {
        let mut lines = text.lines().filter(|line| !line.starts_with('#'));
        let environment = lines.next()?.strip_prefix("environment: ")?.to_owned();
        let count = |line: &str| {
            let (name, count) = line.split_once(' ')?;
            Some((name.to_owned(), count.parse().ok()?))
        };
        Some(Self { environment, instructions: lines.map(count).collect::<Option<_>>()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(counts: &[(&str, u64)]) -> BTreeMap<String, u64> {
        counts.iter().map(|(name, count)| ((*name).to_owned(), *count)).collect()
    }

    #[test]
    fn a_kernel_that_works_longer_fails_the_gate() {
        let recorded = counts(&[("read", 20_000), ("write", 20_000)]);
        // 21 runs instead of 20.
        let failures = compare(&recorded, &counts(&[("read", 21_000), ("write", 20_000)]));
        assert_eq!(failures, ["read executes 5.0 % more: 21000, recorded 20000"]);
        assert_eq!(judge(20_000, 20_390), Verdict::Same);
        assert!(matches!(judge(20_000, 20_410), Verdict::Slower(percent) if (percent - 2.05).abs() < 1e-9));
    }

    #[test]
    fn a_faster_kernel_passes_and_is_to_be_recorded() {
        assert!(compare(&counts(&[("read", 100)]), &counts(&[("read", 50)])).is_empty());
        assert_eq!(judge(100, 50), Verdict::Faster(50.0));
        assert_eq!(judge(100, 99), Verdict::Same);
    }

    #[test]
    fn no_kernel_comes_or_goes_unnoticed() {
        assert_eq!(compare(&counts(&[("gone", 1)]), &counts(&[("new", 1)])).len(), 2);
    }

    #[test]
    fn counts_are_read_as_they_were_written() {
        let written = Counts { environment: "rustc 1".to_owned(), instructions: counts(&[("a-b", 1), ("c", 23)]) };
        assert_eq!(Counts::parse(&written.render()), Some(written));
        assert_eq!(Counts::parse("environment: x\na b\n"), None);
        assert_eq!(total("events: Ir\nsummary: 12\n\ntotals: 12\n"), Some(12));
    }
}
