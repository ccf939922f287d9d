//! What was compared, as a table of type and peer.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use boson_document::Kind;
use serde_json::Value as Json;

use super::sample::Sample;

/// How one comparison of one document ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Outcome {
    /// The same bytes, or the same value.
    Equal,
    /// Another result, or a refusal, which these rows of docs/format/peers.md predict.
    Documented(BTreeSet<&'static str>),
    /// The peer's language has no value that could be asked for.
    NoSuchValue,
    /// Neither.
    Mismatch(String),
}

/// One of the peers' columns, and what is compared in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Column {
    pub(super) peer: &'static str,
    pub(super) compared: &'static str,
}

/// One cell of the table.
#[derive(Debug, Clone, Copy, Default)]
struct Cell {
    equal: usize,
    documented: usize,
    no_such_value: usize,
    mismatch: usize,
}

/// All that was compared.
#[derive(Debug)]
pub(super) struct Tally {
    cells: BTreeMap<(Option<Kind>, Column), Cell>,
    /// How often each row of docs/format/peers.md predicted what came.
    rows: BTreeMap<(&'static str, &'static str), usize>,
    documents: BTreeMap<&'static str, usize>,
    failures: Vec<String>,
    /// docs/format/peers.md.
    limits: String,
}

/// More differences are counted and not shown.
const FAILURES_SHOWN: usize = 60;

impl Tally {
    pub(super) fn new(limits: String) -> Self {
        Self { cells: BTreeMap::new(), rows: BTreeMap::new(), documents: BTreeMap::new(), failures: Vec::new(), limits }
    }

    /// Counts the documents that are compared with `peer`.
    pub(super) fn documents(&mut self, peer: &'static str, count: usize) {
        *self.documents.entry(peer).or_default() += count;
    }

    pub(super) fn count(&mut self, sample: &Sample, column: Column, outcome: Outcome) {
        let cell = self.cells.entry((sample.kind, column)).or_default();
        match outcome {
            Outcome::Equal => cell.equal += 1,
            Outcome::NoSuchValue => cell.no_such_value += 1,
            Outcome::Documented(rows) => {
                cell.documented += 1;
                for row in rows {
                    self.count_row(column.peer, row);
                }
            }
            Outcome::Mismatch(what) => {
                cell.mismatch += 1;
                let kind = sample.kind.map_or("all types", Kind::name);
                self.fail(&format!("{} {}, {kind}: {what}", column.peer, column.compared));
            }
        }
    }

    fn count_row(&mut self, peer: &'static str, row: &'static str) {
        let count = self.rows.entry((peer, row)).or_default();
        *count += 1;
        if *count == 1 && !self.limits.lines().any(|line| line.starts_with(&format!("| `{row}` |"))) {
            self.fail(&format!("docs/format/peers.md has no row `{row}`"));
        }
    }

    fn fail(&mut self, failure: &str) {
        if self.failures.len() < FAILURES_SHOWN {
            self.failures.push(failure.chars().take(1500).collect());
        }
    }

    pub(super) fn failures(&self) -> &[String] {
        &self.failures
    }

    /// The page docs/peers.md.
    pub(super) fn report(&self, seed: u64, versions: &[Json], official: &str) -> String {
        let mut page = String::from(INTRODUCTION);
        let [python, node] = versions else { return page };
        let of = |answer: &Json, name: &str| answer.get(name).and_then(Json::as_str).unwrap_or("?").to_owned();
        let list = [
            ("pymongo", of(python, "pymongo")),
            ("bson crate", official.to_owned()),
            ("python-oracledb", of(python, "oracledb")),
            ("node-oracledb", of(node, "oracledb")),
        ];
        let _ = writeln!(page, "Seed {seed}.\n\n| peer | version | documents |\n|---|---|---|");
        for (peer, version) in list {
            let _ = writeln!(page, "| {peer} | {version} | {} |", self.documents.get(peer).unwrap_or(&0));
        }
        for peer in self.documents.keys() {
            self.table(&mut page, peer);
        }
        self.rows_table(&mut page);
        page
    }

    fn table(&self, page: &mut String, peer: &str) {
        let columns: BTreeSet<Column> =
            self.cells.keys().map(|key| key.1).filter(|column| column.peer == peer).collect();
        let kinds: BTreeSet<Option<Kind>> =
            self.cells.keys().filter(|key| key.1.peer == peer).map(|key| key.0).collect();
        let heads: Vec<&str> = columns.iter().map(|column| column.compared).collect();
        let _ = writeln!(page, "\n## {peer}\n\n| type | {} |", heads.join(" | "));
        let _ = writeln!(page, "|---|{}", "---|".repeat(columns.len()));
        // All types together come last.
        let rows = kinds.iter().filter(|kind| kind.is_some()).chain(kinds.iter().filter(|kind| kind.is_none()));
        for kind in rows {
            let cells =
                columns.iter().map(|column| self.cells.get(&(*kind, *column)).map_or_else(String::new, Cell::text));
            let cells: Vec<String> = cells.collect();
            let _ = writeln!(page, "| {} | {} |", kind.map_or("all types together", Kind::name), cells.join(" | "));
        }
    }

    fn rows_table(&self, page: &mut String) {
        page.push_str("\n## Rows of format/peers.md that predicted a difference or a refusal\n\n");
        page.push_str("| row | peer | documents |\n|---|---|---|\n");
        for ((peer, row), count) in &self.rows {
            let _ = writeln!(page, "| `{row}` | {peer} | {count} |");
        }
    }
}

impl Cell {
    fn text(&self) -> String {
        let mut parts = vec![format!("{} equal", self.equal)];
        let more =
            [(self.documented, "documented"), (self.no_such_value, "no such value"), (self.mismatch, "DIFFERENT")];
        parts.extend(more.into_iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")));
        parts.join(", ")
    }
}

const INTRODUCTION: &str = "\
# Compared with the other implementations

Random documents of every type, made from a seed, in both directions. `cargo xtask peers compare --record` writes this page;
without `--record` it prints it. Each document is compared as bytes and as a value:

- *equal*: the same bytes, or the same value, bit by bit;
- *documented*: the peer refuses the document or changes it, just as a row of [format/peers.md](format/peers.md) says it would;
- *no such value*: the peer's language has no value that its user could pass for the one in the document.

Anything else fails the run.

";
