//! `cargo xtask test`: the tests of the whole workspace, with what they compare with installed first.

use std::io::{BufRead, BufReader};
use std::process::{Command, ExitStatus, Stdio};

use anyhow::{Context, Result, ensure};

use crate::peers::{self, Peers};
use crate::{browser, peers_check, workspace};

/// How many tests ended how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counts {
    passed: u64,
    failed: u64,
    skipped: u64,
}

/// Installs the peers, runs every test, then checks the peers. A user who lacks Node.js or `../shared` is told so.
///
/// # Errors
///
/// When a test fails; with `CI` set also when something is missing or a test is ignored.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let installed = peers::install()?;
    let left_out = left_out(&installed)?;
    left_out.iter().try_for_each(|reason| workspace::skip(reason))?;
    let tests = cargo_test(arguments)?;
    let rows = peers_check::run(&peers_check::rows_folder()?, &installed);
    // Said again where it is seen.
    left_out.iter().try_for_each(|reason| workspace::skip(reason))?;
    println!("test: {} passed, {} failed, {} skipped", tests.passed, tests.failed, tests.skipped);
    ensure!(tests.failed == 0, "{} tests failed", tests.failed);
    ensure!(tests.passed > 0, "no test was run");
    ensure!(tests.skipped == 0 || !workspace::is_ci(), "CI is set and {} tests are ignored", tests.skipped);
    rows
}

/// What keeps tests from being run: each names what is missing.
fn left_out(installed: &Peers) -> Result<Vec<String>> {
    let mut reasons: Vec<_> = installed.missing().map(str::to_owned).collect();
    reasons.extend(browser::install().err());
    if workspace::shared()?.is_none() {
        reasons.push("../shared is not here: the tests of the specifications' vectors are left out".to_owned());
    }
    Ok(reasons)
}

/// Runs `cargo test`, passing its output on, and counts.
fn cargo_test(arguments: &[String]) -> Result<Counts> {
    let mut command = workspace::cargo()?;
    command.args(["test", "--all-features", "--no-fail-fast"]);
    if !arguments.iter().any(|argument| argument.starts_with("-p") || argument.starts_with("--package")) {
        command.arg("--workspace");
    }
    command.args(arguments);
    let (counts, exit) = counted(&mut command)?;
    ensure!(exit.success() || counts.failed > 0, "cargo test ended before all tests were run ({exit})");
    Ok(counts)
}

fn counted(command: &mut Command) -> Result<(Counts, ExitStatus)> {
    let mut child = command.stdout(Stdio::piped()).spawn().context("cannot start cargo")?;
    let mut counts = Counts::default();
    for line in BufReader::new(child.stdout.take().context("no stdout")?).split(b'\n') {
        let line = line?;
        let line = String::from_utf8_lossy(&line);
        println!("{line}");
        counts.add(&line);
    }
    Ok((counts, child.wait()?))
}

impl Counts {
    /// Adds what a closing line of libtest says: `test result: ok. 12 passed; 0 failed; 1 ignored; …`.
    fn add(&mut self, line: &str) {
        let Some((_, results)) = line.strip_prefix("test result: ").and_then(|rest| rest.split_once(". ")) else {
            return;
        };
        for (number, what) in results.split("; ").filter_map(|part| part.split_once(' ')) {
            let number: u64 = number.parse().unwrap_or_default();
            match what {
                "passed" => self.passed += number,
                "failed" => self.failed += number,
                "ignored" => self.skipped += number,
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closing_lines_are_counted_and_nothing_else() {
        let mut counts = Counts::default();
        counts.add("test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 3 filtered out; finished in 0.01s");
        counts.add("test result: FAILED. 1 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 1.00s");
        counts.add("7 passed; 7 failed");
        assert_eq!(counts, Counts { passed: 13, failed: 2, skipped: 1 });
    }
}
