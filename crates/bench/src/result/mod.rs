//! Figures, and how they are printed: with their units, where and how they were measured, and how far they spread.

mod csv;
mod json;
mod text;

use std::str::FromStr;

use crate::machine::Machine;
use crate::numbers::{four_digits, grouped, real};
use crate::runner::Measurement;

/// The result of a benchmark.
#[derive(Clone, Debug)]
pub struct Report {
    /// The benchmark's name.
    pub benchmark: &'static str,
    /// Where it ran.
    pub machine: Machine,
    /// How it was measured and on how much, a sentence each.
    pub method: Vec<String>,
    /// What differs from row to row, and what was measured.
    pub columns: Vec<Column>,
    /// The figures.
    pub rows: Vec<Row>,
    /// The column that is drawn as bars, the rows of one group in one scale.
    pub bars: Option<usize>,
}

/// What one column holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// The heading, with the unit.
    pub name: String,
    /// The unit of the times in it.
    pub unit: Unit,
}

impl Column {
    /// A column called `name`, whose times are in `unit`.
    pub fn new(name: impl Into<String>, unit: Unit) -> Self {
        Self { name: name.into(), unit }
    }
}

/// What a time is given in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Not a time.
    Plain,
    /// Seconds for all operations of a round.
    SecondsOfRound,
    /// Milliseconds for one operation.
    Milliseconds,
    /// Microseconds for one operation.
    Microseconds,
    /// Nanoseconds for one operation.
    Nanoseconds,
}

impl Unit {
    /// `ns` for one operation of `measured` in this unit.
    fn of(self, ns: f64, measured: &Measurement) -> f64 {
        match self {
            Self::Plain | Self::Nanoseconds => ns,
            Self::Microseconds => ns / 1e3,
            Self::Milliseconds => ns / 1e6,
            Self::SecondsOfRound => ns * real(measured.iterations()) / 1e9,
        }
    }
}

/// One line of figures.
#[derive(Clone, Debug)]
pub struct Row {
    /// Rows of one group are compared with each other.
    pub group: usize,
    /// As many as there are columns.
    pub cells: Vec<Cell>,
}

/// One figure.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// A word.
    Text(String),
    /// A number of things or bytes.
    Count(u64),
    /// A calculated number.
    Number(f64),
    /// A time, with its spread and allocations.
    Time(Measurement),
    /// Not to be had.
    Empty,
}

impl Cell {
    /// A word.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// The number of bytes or things that a length is.
    pub fn len(len: usize) -> Self {
        Self::Count(crate::numbers::count(len))
    }

    /// How many times `other` this time is, by the medians.
    pub fn ratio(time: &Measurement, other: &Measurement) -> Self {
        Self::Number(time.median_ns() / other.median_ns())
    }

    /// The measurement, where it is one.
    pub const fn as_time(&self) -> Option<&Measurement> {
        match self {
            Self::Time(measured) => Some(measured),
            _ => None,
        }
    }

    /// The figure to draw or to write; `None` of words and nothing.
    fn value(&self, unit: Unit) -> Option<f64> {
        match self {
            Self::Count(count) => Some(real(*count)),
            Self::Number(number) => Some(*number),
            Self::Time(measured) => Some(unit.of(measured.median_ns(), measured)),
            Self::Text(_) | Self::Empty => None,
        }
    }

    /// For people.
    fn shown(&self, unit: Unit) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Count(count) => grouped(*count),
            Self::Number(number) => four_digits(*number),
            Self::Time(_) => self.value(unit).map_or(String::new(), four_digits),
            Self::Empty => "-".to_owned(),
        }
    }
}

impl From<Measurement> for Cell {
    fn from(measured: Measurement) -> Self {
        Self::Time(measured)
    }
}

/// How a report is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// For people, in a terminal, with bars.
    #[default]
    Table,
    /// For a page.
    Markdown,
    /// One line of comma-separated values for each row, all that is known of a figure in columns of its own (RFC 4180).
    Csv,
    /// One JSON object.
    Json,
}

/// The text names no form of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected table, markdown, csv or json")]
pub struct ParseReportFormatError;

impl FromStr for Format {
    type Err = ParseReportFormatError;

    fn from_str(text: &str) -> Result<Self, ParseReportFormatError> {
        match text {
            "table" => Ok(Self::Table),
            "markdown" => Ok(Self::Markdown),
            "csv" => Ok(Self::Csv),
            "json" => Ok(Self::Json),
            _ => Err(ParseReportFormatError),
        }
    }
}

impl Report {
    /// A report of `benchmark` on this machine, without rows.
    pub fn new(benchmark: &'static str, columns: Vec<Column>) -> Self {
        Self { benchmark, machine: Machine::here(), method: Vec::new(), columns, rows: Vec::new(), bars: None }
    }

    /// Adds a sentence about how it was measured.
    pub fn note(&mut self, sentence: impl Into<String>) {
        self.method.push(sentence.into());
    }

    /// Adds a line to `group`.
    pub fn push(&mut self, group: usize, cells: Vec<Cell>) {
        self.rows.push(Row { group, cells });
    }

    /// The place of the column `name`.
    pub fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.name == name)
    }

    /// The report as text that ends with a newline.
    pub fn render(&self, format: Format) -> String {
        match format {
            Format::Table => text::table(self),
            Format::Markdown => text::markdown(self),
            Format::Csv => csv::csv(self),
            Format::Json => json::json(self),
        }
    }

    /// The version that was measured.
    const fn version() -> &'static str {
        env!("CARGO_PKG_VERSION")
    }

    /// The places of the columns that hold times.
    fn times(&self) -> Vec<usize> {
        let is_time = |&index: &usize| {
            self.rows.iter().any(|row| row.cells.get(index).is_some_and(|cell| cell.as_time().is_some()))
        };
        (0..self.columns.len()).filter(is_time).collect()
    }
}
