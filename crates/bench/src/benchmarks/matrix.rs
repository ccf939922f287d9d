//! The matrix of a published comparison: documents of F fields of L bytes each, in each format.

use boson_document::Value;
use boson_oson::write::Style;

use crate::contenders::{Bson, Contender, Json, Oson, get_tree};
use crate::datasets::Matrix;
use crate::error::{BenchError, Watch, next};
use crate::numbers::grouped;
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

/// Measures each cell in BSON, OSON and JSON. Times are seconds for the operations of a round, of which there are
/// [`ITERATIONS`] unless the plan says another number.
///
/// # Errors
///
/// What the formats refuse, or `Stopped`.
pub fn run(options: &Options, plan: &Plan, watch: &mut Watch<'_>) -> Result<Report, BenchError> {
    let mut report = Report::new("matrix", COLUMNS.map(|(name, unit)| Column::new(name, unit)).to_vec());
    report.bars = report.column("Encode(s)");
    let plan = Plan { iterations: exactly(plan.iterations), ..*plan };
    notes(&mut report, &plan);
    let mut beyond = Vec::new();
    for (group, &cell) in options.cells.iter().enumerate() {
        let document = Cells { cell, tree: cell.to_value(), middle: format!("field_{}", cell.fields.div_ceil(2)) };
        next(watch, &format!("{cell}, BSON"))?;
        let bson = document.measure(&mut Bson::default(), &plan)?;
        report.push(group, bson.row(cell, &bson));
        for &style in &options.styles {
            let mut oson = Oson::new(style);
            next(watch, &format!("{cell}, {}", oson.name()))?;
            let figures = document.measure(&mut oson, &plan)?;
            report.push(group, figures.row(cell, &bson));
            beyond.extend(figures.beyond.map(|limit| format!("{cell} in {} (limit {limit})", figures.format)));
        }
        next(watch, &format!("{cell}, JSON"))?;
        report.push(group, document.measure(&mut Json::default(), &plan)?.row(cell, &bson));
        beyond.extend(bson.beyond.map(|limit| format!("{cell} in BSON (limit {limit})")));
    }
    if !beyond.is_empty() {
        report
            .note(format!("Beyond what the databases store, measured with the limits lifted: {}.", beyond.join(", ")));
    }
    Ok(report)
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
struct Cells {
    cell: Matrix,
    tree: Value,
    middle: String,
}

/// What one format did with it.
struct Figures {
    format: &'static str,
    encode: Measurement,
    decode: Measurement,
    access: Measurement,
    size: usize,
    view: Option<Measurement>,
    get: Measurement,
    /// The limit that the document is beyond.
    beyond: Option<String>,
}

impl Cells {
    fn measure<C: Contender>(&self, contender: &mut C, plan: &Plan) -> Result<Figures, BenchError> {
        let path = [self.middle.as_str()];
        let bytes = contender.encode(&self.tree)?;
        if !contender.get(&bytes, &path)? {
            return Err(BenchError::Missing(format!("{} in {}", self.middle, self.cell)));
        }
        let decoded = contender.decode(&bytes)?;
        let has_view = contender.view(&bytes)?;
        let view = has_view.then(|| measure(plan, || contender.view(&bytes))).transpose()?;
        let get = measure(plan, || contender.get(&bytes, &path))?;
        let access =
            measure(plan, || get_tree(&decoded, &path).ok_or_else(|| BenchError::Missing(self.middle.clone())))?;
        drop(decoded);
        Ok(Figures {
            format: contender.name(),
            decode: measure(plan, || contender.decode(&bytes))?,
            encode: measure(plan, || contender.encode(&self.tree))?,
            access,
            size: bytes.len(),
            view,
            get,
            beyond: contender
                .bytes_max()
                .filter(|&max| bytes.len() > max)
                .map(|max| grouped(crate::numbers::count(max))),
        })
    }
}

impl Figures {
    fn row(&self, cell: Matrix, bson: &Self) -> Vec<Cell> {
        let real = |size| crate::numbers::real(crate::numbers::count(size));
        vec![
            Cell::text(self.format),
            Cell::len(cell.fields),
            Cell::len(cell.len),
            self.encode.clone().into(),
            self.decode.clone().into(),
            self.access.clone().into(),
            Cell::len(self.size),
            self.view.clone().map_or(Cell::Empty, Cell::from),
            self.get.clone().into(),
            Cell::ratio(&self.encode, &bson.encode),
            Cell::ratio(&self.decode, &bson.decode),
            Cell::Number(real(self.size) / real(bson.size)),
        ]
    }
}
