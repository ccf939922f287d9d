//! The showdown of JSON against BSON, and OSON beside them: making, reading and the size of one object of many records.
//!
//! A test is a file in `tests/`: its name is the test's, and its function `run` measures.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;

use boson_document::Value;

use crate::contenders::Contender;
use crate::datasets::Dataset;
use crate::error::{BenchError, Watch, next};
use crate::numbers::{four_digits, grouped};
use crate::result::{Cell, Column, Report, Unit};
use crate::runner::{Measurement, Plan, measure};

include!(concat!(env!("OUT_DIR"), "/people_tests.rs"));

/// The rows of the published runs.
pub const ROWS: [usize; 3] = [100, 1000, 10_000];

/// What a test is run on.
struct People {
    records: Value,
    plan: Plan,
}

/// What came of a test.
enum Outcome {
    Time(Measurement),
    Bytes(usize),
}

/// A test.
type Run = fn(&People) -> Result<Outcome, BenchError>;

impl People {
    fn make(&self, mut contender: impl Contender) -> Result<Outcome, BenchError> {
        measure(&self.plan, || contender.encode(&self.records)).map(Outcome::Time)
    }

    fn read(&self, mut contender: impl Contender) -> Result<Outcome, BenchError> {
        let bytes = contender.encode(&self.records)?;
        measure(&self.plan, || contender.decode(&bytes)).map(Outcome::Time)
    }

    fn size(&self, mut contender: impl Contender) -> Result<Outcome, BenchError> {
        Ok(Outcome::Bytes(contender.encode(&self.records)?.len()))
    }
}

/// The names of the tests, sorted.
pub fn tests() -> Vec<&'static str> {
    TESTS.iter().map(|(name, _)| *name).collect()
}

/// Runs every test on documents of each number of `rows`.
///
/// # Errors
///
/// What the formats refuse, or `Stopped`.
pub fn run(rows: &[usize], plan: &Plan, watch: &mut Watch<'_>) -> Result<Report, BenchError> {
    let columns =
        [("Test", Unit::Plain), ("Rows", Unit::Plain), ("Time(ms)", Unit::Milliseconds), ("Size(bytes)", Unit::Plain)];
    let mut report = Report::new("people", columns.map(|(name, unit)| Column::new(name, unit)).to_vec());
    report.bars = report.column("Time(ms)");
    report.note(format!("{}; each operation is one document of that number of records.", plan.describe()));
    report
        .note("make writes the document from a tree in memory, read makes the tree, size is the length of the bytes.");
    for (group, &rows) in rows.iter().enumerate() {
        let records = Dataset::People.documents(1, rows).next().unwrap_or(Value::Null);
        let people = People { records, plan: *plan };
        for (name, run) in TESTS {
            next(watch, &format!("{rows} rows, {name}"))?;
            let (time, bytes) = match run(&people)? {
                Outcome::Time(time) => (time.into(), Cell::Empty),
                Outcome::Bytes(bytes) => (Cell::Empty, Cell::len(bytes)),
            };
            report.push(group, vec![Cell::text(*name), Cell::len(rows), time, bytes]);
        }
    }
    Ok(report)
}

/// The figures of [`run`] as a summary: for each number of rows the version, and a line for each test, sorted by name.
pub fn summary(report: &Report) -> String {
    let mut lines = Vec::new();
    let mut rows_before = None;
    for row in &report.rows {
        let [Cell::Text(name), Cell::Count(rows), figure, bytes] = row.cells.as_slice() else { continue };
        if rows_before.replace(*rows) != Some(*rows) {
            lines.push(format!("boson {}, {} rows\n", env!("CARGO_PKG_VERSION"), grouped(*rows)));
        }
        lines.push(format!("  {name:20} {}\n", shown(figure, bytes)));
    }
    lines.concat()
}

fn shown(figure: &Cell, bytes: &Cell) -> String {
    match (figure, bytes) {
        (Cell::Time(time), _) => {
            format!("{} ms (median of {} rounds)", four_digits(time.median_ns() / 1e6), time.rounds())
        }
        (_, Cell::Count(bytes)) => format!("{} bytes", grouped(*bytes)),
        _ => String::new(),
    }
}

/// Adds the summary to the end of the file at `path`, which is made when it is not there.
///
/// # Errors
///
/// When it cannot be written.
pub fn append_summary(report: &Report, path: &Path) -> Result<(), BenchError> {
    let mut file = OpenOptions::new().append(true).create(true).open(path)?;
    Ok(file.write_all(summary(report).as_bytes())?)
}
