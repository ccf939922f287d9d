//! `cargo xtask bless`: the golden files become what the code writes today.

use anyhow::Result;

use crate::workspace;

/// Runs the tests with `BLESS=1`, at which those that compare with a golden file rewrite it, then shows what changed.
///
/// # Errors
///
/// When a test fails all the same.
pub(crate) fn run(package: Option<&str>) -> Result<()> {
    let mut command = workspace::cargo()?;
    command.args(["test", "--all-features", "--no-fail-fast"]);
    match package {
        Some(package) => command.args(["--package", package]),
        None => command.arg("--workspace"),
    };
    let outcome = workspace::run(command.env("BLESS", "1").env("INSTA_UPDATE", "always"));
    println!("What differs from the last commit, to be read before it is committed:");
    workspace::run(workspace::program("git")?.args(["status", "--short"]))?;
    outcome
}
