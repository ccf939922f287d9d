//! Where the workspace is, and running programs in it.

use std::env;
use std::ffi::OsStr;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};

/// The folder that holds the workspace's `Cargo.toml`.
pub(crate) fn root() -> Result<PathBuf> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().map(Path::to_path_buf).context("xtask has no parent folder")
}

/// The folder of the specifications' vectors, `BOSON_SHARED` or else `../shared`, where it is there.
pub(crate) fn shared() -> Result<Option<PathBuf>> {
    let folder = env::var_os("BOSON_SHARED").map_or(root()?.join("../shared"), PathBuf::from);
    Ok(folder.is_dir().then_some(folder))
}

/// Whether this is CI's run, which must not pass by leaving something out.
pub(crate) fn is_ci() -> bool {
    env::var_os("CI").is_some()
}

/// Says that `reason` keeps something from being done.
///
/// # Errors
///
/// When `CI` is set: there everything has to be done.
pub(crate) fn skip(reason: &str) -> Result<()> {
    ensure!(!is_ci(), "CI is set and something would be left out: {reason}");
    eprintln!("skipped: {reason}");
    Ok(())
}

/// The cargo that runs this program, in the workspace's folder.
pub(crate) fn cargo() -> Result<Command> {
    program(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// `name`, in the workspace's folder.
pub(crate) fn program(name: impl AsRef<OsStr>) -> Result<Command> {
    let mut command = Command::new(name);
    command.current_dir(root()?);
    Ok(command)
}

/// The commit that is checked out.
pub(crate) struct Commit {
    name: String,
    /// Whether the checkout differs from it in documents alone.
    pub(crate) is_clean: bool,
}

impl fmt::Display for Commit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.name, if self.is_clean { "" } else { " and changes" })
    }
}

/// The commit that is checked out.
///
/// # Errors
///
/// When git cannot say.
pub(crate) fn commit() -> Result<Commit> {
    let name = output(program("git")?.args(["rev-parse", "--short", "HEAD"]))?;
    let differs = output(program("git")?.args(["status", "--porcelain", "--", ".", ":!docs"]))?;
    Ok(Commit { name: name.trim().to_owned(), is_clean: differs.trim().is_empty() })
}

/// Runs `command` to its end.
///
/// # Errors
///
/// When it cannot be started or does not succeed.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let shown = show(command);
    let status = command.status().with_context(|| format!("cannot start {shown}"))?;
    ensure!(status.success(), "{shown} failed ({status})");
    Ok(())
}

/// What `command` prints on standard output.
///
/// # Errors
///
/// As [`run`].
pub(crate) fn output(command: &mut Command) -> Result<String> {
    let shown = show(command);
    let output = command.stderr(Stdio::inherit()).output().with_context(|| format!("cannot start {shown}"))?;
    if !output.status.success() {
        bail!("{shown} failed ({})", output.status);
    }
    String::from_utf8(output.stdout).with_context(|| format!("{shown} printed something that is not UTF-8"))
}

/// Whether `command` starts and succeeds; what it prints is thrown away.
pub(crate) fn succeeds(command: &mut Command) -> bool {
    let status = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

/// The command as a person would type it, without the variables and the folder.
fn show(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}
