//! The matrix of a published comparison: documents of F fields of L bytes each, in each format.

use boson_document::Value;
use boson_oson::write::Style;
use boson_transcode::Format;

use crate::contenders::{Bson, Contender, Json, Oson, get_tree};
use crate::datasets::Matrix;
use crate::error::{BenchError, Watch, next};
use crate::numbers::{count, grouped, real};
use crate::peers::{Figures, NOTE as PEERS_NOTE, Peers};
use crate::result::{Cell, Column, Report, Unit};
use crate::runner::{Iterations, Measurement, Plan, measure};

/// The published columns, and what the times among them are given in.
const COLUMNS: [(&str, Unit); 12] = [
    ("Format", Unit::Plain),
    ("Fields", Unit::Plain),
    ("FieldLen", Unit::Plain),
    ("Encode(s)", Unit::SecondsOfRound),
    ("Decode(s)", Unit::SecondsOfRound),
    ("Access(s)", Unit::SecondsOfRound),
    ("Size(bytes)", Unit::Plain),
    ("DecRaw(s)", Unit::SecondsOfRound),
    ("AccRaw(s)", Unit::SecondsOfRound),
    ("EncRatio", Unit::Plain),
    ("DecRatio", Unit::Plain),
    ("SizeRatio", Unit::Plain),
];

/// The operations of a round in the published table.
pub const ITERATIONS: u64 = 100;

/// What is measured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The documents.
    pub cells: Vec<Matrix>,
    /// The styles of OSON.
    pub styles: Vec<Style>,
}

impl Default for Options {
    /// All nine cells; OSON as a driver writes it.
    fn default() -> Self {
        Self { cells: Matrix::TABLE.to_vec(), styles: vec![Style::Driver] }
    }
}

/// The columns that stand behind the published ones when peers are measured.
const PEER_COLUMNS: [&str; 2] = ["Enc/Boson", "Dec/Boson"];

/// Measures each cell in BSON, OSON and JSON, and `peers` beside them. Times are seconds for the operations of a round, of
/// which there are [`ITERATIONS`] unless the plan says another number.
///
/// # Errors
///
/// What the formats refuse, or `Stopped`.
pub fn run(
    options: &Options,
    plan: &Plan,
    peers: Option<&mut Peers>,
    watch: &mut Watch<'_>,
) -> Result<Report, BenchError> {
    let mut report = Report::new("matrix", COLUMNS.map(|(name, unit)| Column::new(name, unit)).to_vec());
    report.bars = report.column("Encode(s)");
    let plan = Plan { iterations: exactly(plan.iterations), ..*plan };
    notes(&mut report, &plan);
    if peers.is_some() {
        report.columns.extend(PEER_COLUMNS.map(|name| Column::new(name, Unit::Plain)));
        report.note(PEERS_NOTE);
    }
    let mut runs = Runs { plan, peers, report, watch, beyond: Vec::new() };
    for (group, &cell) in options.cells.iter().enumerate() {
        runs.cell(group, cell, &options.styles)?;
    }
    let Runs { mut report, beyond, .. } = runs;
    if !beyond.is_empty() {
        report
            .note(format!("Beyond what the databases store, measured with the limits lifted: {}.", beyond.join(", ")));
    }
    Ok(report)
}

/// Where the figures of one cell after the other are put.
struct Runs<'r, 'w> {
    plan: Plan,
    peers: Option<&'r mut Peers>,
    report: Report,
    watch: &'r mut Watch<'w>,
    beyond: Vec<String>,
}

impl Runs<'_, '_> {
    fn cell(&mut self, group: usize, cell: Matrix, styles: &[Style]) -> Result<(), BenchError> {
        let document =
            Document { group, cell, tree: cell.to_value(), middle: format!("field_{}", cell.fields.div_ceil(2)) };
        let bson = self.format(&document, &mut Bson::default(), None)?;
        self.peer(Format::Bson, &document, &mut Bson::default(), [&bson, &bson])?;
        for &style in styles {
            let oson = self.format(&document, &mut Oson::new(style), Some(&bson))?;
            if style == Style::Driver {
                self.peer(Format::Oson, &document, &mut Oson::new(style), [&oson, &bson])?;
            }
        }
        let json = self.format(&document, &mut Json::default(), Some(&bson))?;
        self.peer(Format::Json, &document, &mut Json::default(), [&json, &bson])
    }

    /// Measures one format; ratios are to `bson`, or to itself.
    fn format<C: Contender>(
        &mut self,
        document: &Document,
        contender: &mut C,
        bson: Option<&Figures>,
    ) -> Result<Figures, BenchError> {
        next(self.watch, &format!("{}, {}", document.cell, contender.name()))?;
        let figures = document.measure(contender, &self.plan)?;
        let limit = contender.bytes_max().filter(|&max| figures.size > max).map(|max| grouped(count(max)));
        self.beyond.extend(limit.map(|limit| format!("{} in {} (limit {limit})", document.cell, figures.name)));
        self.push(document, &figures, bson.unwrap_or(&figures), None);
        Ok(figures)
    }

    /// Measures the peer of `format`, whose figures here are `ours`.
    fn peer<C: Contender>(
        &mut self,
        format: Format,
        document: &Document,
        contender: &mut C,
        [ours, bson]: [&Figures; 2],
    ) -> Result<(), BenchError> {
        let Some(peers) = self.peers.as_deref_mut() else { return Ok(()) };
        next(self.watch, &format!("{}, the peer of {format}", document.cell))?;
        let bytes = contender.encode(&document.tree)?;
        match peers.measure(format, std::iter::once(bytes.as_slice()), &[&document.middle], &self.plan)? {
            Ok(figures) => self.push(document, &figures, bson, Some(ours)),
            Err(refused) => self.report.note(format!("{}, the peer of {format}: {refused}.", document.cell)),
        }
        Ok(())
    }

    fn push(&mut self, document: &Document, figures: &Figures, bson: &Figures, ours: Option<&Figures>) {
        let mut cells = figures.row(document.cell, bson);
        if self.peers.is_some() {
            cells.push(ours.map_or(Cell::Empty, |ours| Cell::ratio(&figures.encode, &ours.encode)));
            cells.push(ours.map_or(Cell::Empty, |ours| Cell::ratio(&figures.decode, &ours.decode)));
        }
        self.report.push(document.group, cells);
    }
}

const fn exactly(iterations: Iterations) -> Iterations {
    match iterations {
        Iterations::Exactly(_) => iterations,
        Iterations::For(_) => Iterations::Exactly(ITERATIONS),
    }
}

fn notes(report: &mut Report, plan: &Plan) {
    report.note(format!("{}; times are for all operations of a round.", plan.describe()));
    report.note(
        "Encode starts from a tree in memory, Decode makes one; Access reads the middle field of the tree, DecRaw makes \
         a view of the bytes, AccRaw makes a view and reads the middle field; JSON has no view, its AccRaw parses the text.",
    );
    report.note("Ratios are to BSON in the same cell. Writers keep their work space and make room for as many bytes as the document before had.");
}

/// One document and what is asked of it.
struct Document {
    group: usize,
    cell: Matrix,
    tree: Value,
    middle: String,
}

impl Document {
    fn measure<C: Contender>(&self, contender: &mut C, plan: &Plan) -> Result<Figures, BenchError> {
        let path = [self.middle.as_str()];
        let missing = || BenchError::Missing(format!("{} in {}", self.middle, self.cell));
        let bytes = contender.encode(&self.tree)?;
        if !contender.get(&bytes, &path)? {
            return Err(missing());
        }
        let decoded = contender.decode(&bytes)?;
        let access = measure(plan, || get_tree(&decoded, &path).ok_or_else(missing))?;
        drop(decoded);
        let has_view = contender.view(&bytes)?;
        Ok(Figures {
            name: contender.name().to_owned(),
            size: bytes.len(),
            view: has_view.then(|| measure(plan, || contender.view(&bytes))).transpose()?,
            get: Some(measure(plan, || contender.get(&bytes, &path))?),
            access: Some(access),
            decode: measure(plan, || contender.decode(&bytes))?,
            encode: measure(plan, || contender.encode(&self.tree))?,
        })
    }
}

impl Figures {
    /// The published columns.
    fn row(&self, cell: Matrix, bson: &Self) -> Vec<Cell> {
        let time = |measured: &Option<Measurement>| measured.clone().map_or(Cell::Empty, Cell::from);
        vec![
            Cell::text(&self.name),
            Cell::len(cell.fields),
            Cell::len(cell.len),
            self.encode.clone().into(),
            self.decode.clone().into(),
            time(&self.access),
            Cell::len(self.size),
            time(&self.view),
            time(&self.get),
            Cell::ratio(&self.encode, &bson.encode),
            Cell::ratio(&self.decode, &bson.decode),
            Cell::Number(real(count(self.size)) / real(count(bson.size))),
        ]
    }
}
