//! The house's own rules, which no other tool checks. What Clippy can see (functions too long, `todo!`, `unwrap`) is in
//! the workspace's lint table and in clippy.toml.

mod crates;
mod files;
mod links;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::workspace;

/// The files that are the project's: those that git knows or would add.
struct Repository {
    root: PathBuf,
    /// Relative to the root, in order.
    paths: Vec<String>,
}

/// What breaks a rule: `path:line: what`, with the line left out where there is none.
type Faults = Vec<String>;

/// Checks every rule.
///
/// # Errors
///
/// When one is broken, with a line for each place.
pub(crate) fn run() -> Result<()> {
    let repository = Repository::open()?;
    let mut faults = Faults::new();
    files::check(&repository, &mut faults)?;
    links::check(&repository, &mut faults)?;
    crates::check(&repository, &mut faults)?;
    changelog(&repository, &mut faults);
    if !faults.is_empty() {
        bail!("{} places break the house's rules:\n{}", faults.len(), faults.join("\n"));
    }
    println!("{} files are tidy", repository.paths.len());
    Ok(())
}

impl Repository {
    fn open() -> Result<Self> {
        let root = workspace::root()?;
        let mut git = workspace::program("git")?;
        git.args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
        let listed = workspace::output(&mut git)?;
        // What is deleted but not yet committed is still listed.
        let paths = listed.split_terminator('\0').filter(|path| root.join(path).is_file()).map(str::to_owned);
        let mut paths: Vec<_> = paths.collect();
        paths.sort();
        paths.dedup();
        Ok(Self { root, paths })
    }

    fn paths_ending<'a>(&'a self, endings: &'a [&str]) -> impl Iterator<Item = &'a str> {
        let paths = self.paths.iter().map(String::as_str);
        paths.filter(|path| endings.iter().any(|ending| path.ends_with(ending)))
    }

    fn read(&self, path: impl AsRef<Path>) -> Result<String> {
        let path = path.as_ref();
        fs::read_to_string(self.root.join(path)).with_context(|| format!("cannot read {}", path.display()))
    }
}

fn changelog(repository: &Repository, faults: &mut Faults) {
    const NAME: &str = "CHANGELOG.md";
    let text = repository.read(NAME).unwrap_or_default();
    if !text.lines().any(|line| line == "## Unreleased") {
        faults.push(format!("{NAME}: expected a section `## Unreleased`"));
    }
}
