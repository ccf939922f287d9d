//! The showdown of JSON against BSON, and OSON beside them: making, reading and the size of one object of many records.
//!
//! A test is a file in `tests/`: its name is the test's, and its function `run` measures.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;

use boson_document::Value;
use boson_oson::write::Style;
use boson_transcode::Format;

use crate::contenders::{Bson, Contender, Json, Oson};
use crate::datasets::Dataset;
use crate::error::{BenchError, Watch, next};
use crate::numbers::{four_digits, grouped};
use crate::peers::{self, Peers};
use crate::result::{Cell, Column, Report, Row, Unit};
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

/// Runs every test on documents of each number of `rows`, and `peers` beside them.
///
/// # Errors
///
/// What the formats refuse, or `Stopped`.
pub fn run(
    rows: &[usize],
    plan: &Plan,
    mut peers: Option<&mut Peers>,
    watch: &mut Watch<'_>,
) -> Result<Report, BenchError> {
    let columns =
        [("Test", Unit::Plain), ("Rows", Unit::Plain), ("Time(ms)", Unit::Milliseconds), ("Size(bytes)", Unit::Plain)];
    let mut report = Report::new("people", columns.map(|(name, unit)| Column::new(name, unit)).to_vec());
    report.bars = report.column("Time(ms)");
    report.note(format!("{}; each operation is one document of that number of records.", plan.describe()));
    report
        .note("make writes the document from a tree in memory, read makes the tree, size is the length of the bytes.");
    if peers.is_some() {
        report.columns.push(Column::new("Time/Boson", Unit::Plain));
        report.note(peers::NOTE);
    }
    for (group, &rows) in rows.iter().enumerate() {
        let records = Dataset::People.documents(1, rows).next().unwrap_or(Value::Null);
        let people = People { records, plan: *plan };
        for (name, run) in TESTS {
            next(watch, &format!("{rows} rows, {name}"))?;
            let outcome = run(&people)?;
            report.push(group, cells(name, rows, outcome));
        }
        if let Some(peers) = peers.as_deref_mut() {
            next(watch, &format!("{rows} rows, the peers"))?;
            add_peers(&people, rows, group, peers, &mut report)?;
        }
    }
    Ok(report)
}

fn cells(name: &str, rows: usize, outcome: Outcome) -> Vec<Cell> {
    let (time, bytes) = match outcome {
        Outcome::Time(time) => (time.into(), Cell::Empty),
        Outcome::Bytes(bytes) => (Cell::Empty, Cell::len(bytes)),
    };
    vec![Cell::text(name), Cell::len(rows), time, bytes]
}

/// Adds what the peers make of the same records, and fills in the ratios of the group.
fn add_peers(
    people: &People,
    rows: usize,
    group: usize,
    peers: &mut Peers,
    report: &mut Report,
) -> Result<(), BenchError> {
    let ours = report.rows.clone();
    for row in report.rows.iter_mut().filter(|row| row.group == group) {
        row.cells.push(Cell::Empty);
    }
    let bytes = [
        (Format::Bson, Bson::default().encode(&people.records)?),
        (Format::Json, Json::default().encode(&people.records)?),
        (Format::Oson, Oson::new(Style::Driver).encode(&people.records)?),
    ];
    for (format, bytes) in &bytes {
        let figures = match peers.measure(*format, std::iter::once(bytes.as_slice()), &[], &people.plan)? {
            Ok(figures) => figures,
            Err(refused) => {
                report.note(format!("the peer of {format}: {refused}."));
                continue;
            }
        };
        let outcomes = [
            ("make", Outcome::Time(figures.encode)),
            ("read", Outcome::Time(figures.decode)),
            ("size", Outcome::Bytes(figures.size)),
        ];
        for (what, outcome) in outcomes {
            let test = format!("{format}_{what}");
            let mut cells = cells(&format!("{test} {}", figures.name), rows, outcome);
            let ratio = ours.iter().filter(|row| row.group == group).find_map(|row| ratio(&cells, &row.cells, &test));
            cells.push(ratio.unwrap_or(Cell::Empty));
            report.push(group, cells);
        }
    }
    Ok(())
}

/// The peer's time in the times of ours, where `ours` is that of `test`.
fn ratio(peer: &[Cell], ours: &[Cell], test: &str) -> Option<Cell> {
    let [Cell::Text(name), _, Cell::Time(ours), ..] = ours else { return None };
    let time = peer.iter().find_map(Cell::as_time)?;
    (name == test).then(|| Cell::ratio(time, ours))
}

/// The figures of [`run`] as a summary: for each number of rows the version, and a line for each test, sorted by name.
pub fn summary(report: &Report) -> String {
    let groups = report.rows.chunk_by(|a, b| a.group == b.group);
    groups.map(summary_of).collect()
}

fn summary_of(rows: &[Row]) -> String {
    let (mut lines, mut number) = (Vec::new(), 0);
    for row in rows {
        if let [Cell::Text(name), Cell::Count(rows), figure, bytes, ..] = row.cells.as_slice() {
            number = *rows;
            lines.push(format!("  {name:26} {}\n", shown(figure, bytes)));
        }
    }
    lines.sort();
    format!("boson {}, {} rows\n{}", env!("CARGO_PKG_VERSION"), grouped(number), lines.concat())
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
