//! The record in `docs/fuzzing.md`: one row for each target, its last recorded run.

use std::fs;
use std::time::SystemTime;

use anyhow::{Context, Result};
use boson_document::CivilTime;

use super::stats::Stats;
use crate::workspace;

/// The line before the rows.
const HEAD_END: &str = "|---|---|---|---:|---:|---:|---:|---:|---|";

/// Puts the run into the record, over the row that the target had.
///
/// # Errors
///
/// When the document or its table is not there.
pub(super) fn write(target: &str, commit: &str, seconds: u32, stats: &Stats) -> Result<()> {
    let path = workspace::root()?.join("docs/fuzzing.md");
    let document = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let row = row(target, commit, seconds, stats)?;
    let recorded = with_row(&document, target, &row).context("docs/fuzzing.md has no table of runs")?;
    Ok(fs::write(&path, recorded)?)
}

fn row(target: &str, commit: &str, seconds: u32, stats: &Stats) -> Result<String> {
    let Stats { executions, edges, features, corpus } = stats;
    let (date, machine) = (date()?, machine());
    Ok(format!(
        "| `{target}` | {date} | {commit} | {seconds} | {executions} | {edges} | {features} | {corpus} | {machine} |"
    ))
}

/// `document` with `row` in place of the row of `target`, rows in order.
fn with_row(document: &str, target: &str, row: &str) -> Option<String> {
    let (head, rest) = document.split_once(HEAD_END)?;
    let end = rest.find("\n\n").unwrap_or(rest.trim_end().len());
    let (rows, tail) = rest.split_at(end);
    let others = rows.lines().filter(|line| !line.is_empty() && !line.starts_with(&format!("| `{target}` |")));
    let mut rows: Vec<_> = others.chain([row]).collect();
    rows.sort_unstable();
    Some(format!("{head}{HEAD_END}\n{}{tail}", rows.join("\n")))
}

fn date() -> Result<String> {
    let elapsed = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH)?;
    let today = CivilTime::from_unix_ms(elapsed.as_millis().try_into()?).context("a date")?;
    Ok(format!("{}-{:02}-{:02}", today.year, today.month, today.day))
}

/// The processor: what the figures depend on.
fn machine() -> String {
    let described = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = described.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    model.map_or(std::env::consts::ARCH, |(_, model)| model).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_replaces_that_of_its_target() {
        let document = format!("# Runs\n\n| a |\n{HEAD_END}\n| `x` | 1 |\n| `z` | 1 |\n\nThe end.\n");
        let once = with_row(&document, "y", "| `y` | 2 |").unwrap();
        let twice = with_row(&once, "x", "| `x` | 2 |").unwrap();
        assert_eq!(twice, format!("# Runs\n\n| a |\n{HEAD_END}\n| `x` | 2 |\n| `y` | 2 |\n| `z` | 1 |\n\nThe end.\n"));
    }

    #[test]
    fn a_table_at_the_end_gets_its_first_row() {
        let document = format!("{HEAD_END}\n");
        assert_eq!(with_row(&document, "y", "| `y` |").unwrap(), format!("{HEAD_END}\n| `y` |\n"));
        assert_eq!(with_row("no table", "y", "row"), None);
    }
}
