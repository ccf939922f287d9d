//! `cargo xtask peers check`: do the peers still behave as `docs/format/peers.md` says?
//!
//! Every row of the `*.ndjson` files holds a question and each peer's answer to it. A row with a `limit`, which says what
//! is lost, must also have a line in a table of the document.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use crate::peers::{Peer, Peers};
use crate::workspace;

/// The folder of the rows.
pub(crate) fn rows_folder() -> Result<PathBuf> {
    Ok(workspace::root()?.join("xtask/peers/rows"))
}

/// Asks every row of every file in `dir`, and fails if an answer differs or a limit is not documented. A peer that is not
/// installed is not asked.
pub(crate) fn run(dir: &Path, installed: &Peers) -> Result<()> {
    let mut peers = installed.start()?;
    for peer in &mut peers {
        let versions = peer.ask(&serde_json::json!({"op": "versions"}))?;
        println!("{}: {versions}", peer.name());
    }
    let document = fs::read_to_string(workspace::root()?.join("docs/format/peers.md"))?;
    let mut tally = Tally::default();
    for row in rows(dir)? {
        for peer in &mut peers {
            tally.count(check(&row, peer)?);
        }
        tally.count(documented(&row, &document));
    }
    ensure!(tally.passed > 0, "no rows in {}", dir.display());
    println!("peers: {} passed, {} failed", tally.passed, tally.failures.len());
    ensure!(tally.failures.is_empty(), "{}", tally.failures.join("\n"));
    Ok(())
}

#[derive(Default)]
struct Tally {
    passed: usize,
    failures: Vec<String>,
}

impl Tally {
    fn count(&mut self, outcome: Option<std::result::Result<(), String>>) {
        match outcome {
            Some(Ok(())) => self.passed += 1,
            Some(Err(failure)) => self.failures.push(failure),
            None => {}
        }
    }
}

fn rows(dir: &Path) -> Result<Vec<Value>> {
    let entries = fs::read_dir(dir).with_context(|| format!("cannot read {}", dir.display()))?;
    let mut paths: Vec<_> = entries.map(|entry| entry.map(|e| e.path())).collect::<std::io::Result<_>>()?;
    paths.retain(|path| path.extension().is_some_and(|e| e == "ndjson"));
    paths.sort();
    let mut rows = Vec::new();
    for path in paths {
        for (number, line) in fs::read_to_string(&path)?.lines().enumerate() {
            let row = serde_json::from_str(line);
            rows.push(row.with_context(|| format!("{}, line {}", path.display(), number + 1))?);
        }
    }
    Ok(rows)
}

fn name(row: &Value) -> &str {
    row.get("row").and_then(Value::as_str).unwrap_or("(no name)")
}

fn check(row: &Value, peer: &mut Peer) -> Result<Option<std::result::Result<(), String>>> {
    let Some(expected) = row.get(peer.name()) else {
        return Ok(None);
    };
    let answer = peer.ask(row)?;
    if answers(expected, &answer) {
        return Ok(Some(Ok(())));
    }
    let (who, row) = (peer.name(), name(row));
    Ok(Some(Err(format!("{who}, {row}: expected {expected}, got {answer}"))))
}

/// Values must be equal; of an error only the code or the class is compared, its words change between versions.
fn answers(expected: &Value, answer: &Value) -> bool {
    expected.as_object().is_some_and(|fields| {
        fields.iter().all(|(key, value)| match (key.as_str(), value, answer.get(key)) {
            ("refused" | "inexpressible", Value::String(part), Some(Value::String(said))) => said.contains(part),
            (_, _, got) => got == Some(value),
        })
    })
}

fn documented(row: &Value, document: &str) -> Option<std::result::Result<(), String>> {
    row.get("limit")?;
    let start = format!("| `{}` |", name(row));
    if document.lines().any(|line| line.starts_with(&start)) {
        return Some(Ok(()));
    }
    Some(Err(format!("docs/format/peers.md has no row for {}", name(row))))
}
