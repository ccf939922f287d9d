//! Reading one field of a document that lies in a file of fixed-size blocks: which of them have to be read.

mod document;
mod lookup;
mod stop;
mod stored;

use std::ops::RangeInclusive;
use std::path::PathBuf;

use boson_document::Value;

use crate::error::{BenchError, Watch, next};
use crate::numbers::{count, grouped};
use crate::result::{Cell, Column, Report, Unit};
use crate::runner::Plan;
use document::{Shape, Wanted, shapes};
use lookup::{Bson, Format, Json, Oson};
use stored::Stored;

/// What is measured.
#[derive(Clone, Debug)]
pub struct Options {
    /// The sizes of the documents, in bytes of BSON, about.
    pub sizes: Vec<usize>,
    /// The size of a block in bytes.
    pub block_len: usize,
    /// Where the documents are stored while they are measured; where temporary files go, when not given.
    pub folder: Option<PathBuf>,
}

/// 64 KiB to 16 MiB.
pub const SIZES: [usize; 5] = [64 << 10, 256 << 10, 1 << 20, 4 << 20, 16 << 20];

/// The sizes that can be measured: room for the fields, and what fits the memory several times.
pub const SIZES_POSSIBLE: RangeInclusive<usize> = 50_000..=256 << 20;

/// The sizes of blocks that can be measured.
pub const BLOCK_LENS_POSSIBLE: RangeInclusive<usize> = 64..=16 << 20;

const COLUMNS: [(&str, Unit); 10] = [
    ("Shape", Unit::Plain),
    ("Format", Unit::Plain),
    ("Size(bytes)", Unit::Plain),
    ("Field", Unit::Plain),
    ("Blocks", Unit::Plain),
    ("OfBlocks", Unit::Plain),
    ("Read(bytes)", Unit::Plain),
    ("Cold(us)", Unit::Microseconds),
    ("Dropped(us)", Unit::Microseconds),
    ("Warm(us)", Unit::Microseconds),
];

/// Measures looking up four fields in documents of every shape and size, in each format.
///
/// # Errors
///
/// `Io` where the documents cannot be stored, `Stopped`, or a lookup that does not find what is there.
pub fn run(options: &Options, plan: &Plan, watch: &mut Watch<'_>) -> Result<Report, BenchError> {
    let mut report = Report::new("blocks", COLUMNS.map(|(name, unit)| Column::new(name, unit)).to_vec());
    report.bars = report.column("Blocks");
    notes(&mut report, options, plan);
    let mut group = 0;
    for &size in &options.sizes {
        for shape in shapes(size) {
            next(watch, &format!("{} in {} bytes", shape.name, grouped(count(size))))?;
            let document = shape.document();
            let mut measuring = Measuring { options, plan, shape, group, report: &mut report };
            measuring.format(&Bson, &document)?;
            measuring.format(&Oson, &document)?;
            measuring.format(&Json, &document)?;
            group += shape.wanted().len();
        }
    }
    Ok(report)
}

fn notes(report: &mut Report, options: &Options, plan: &Plan) {
    report.note(format!("{}; each lookup is timed alone where the blocks are forgotten before it.", plan.describe()));
    report.note(format!(
        "Each document lies in a file of its own, read in blocks of {} bytes. Blocks and bytes are counted where the file is \
         read; OfBlocks is how many the document has.",
        grouped(count(options.block_len))
    ));
    report.note(
        "flat has 1000 fields, long where the document is large; many has a field for about every 120 bytes; nested has objects \
         in objects, 10 by 10 by 10. The fields that are looked for hold an int64. The absent name occurs nowhere in flat and many, \
         in nested elsewhere.",
    );
    report.note(
        "OSON finds a name by one byte of its hash, and looks at all names of that hash and length: many has so many names that \
         this reads more blocks.",
    );
    report.note(
        "JSON is read from its beginning to the field, as text must be; where it is absent, to the end. The bytes after the field \
         are not checked.",
    );
    report.note(format!(
        "Cold is with none of the blocks held by Boson; the system may have the file in memory. Dropped is the same after the \
         system was asked to forget the file (posix_fadvise, DONTNEED), which it may decline; {}. Warm is with all blocks held.",
        if stored::CAN_DROP { "whether the disk was read is not known" } else { "here it cannot be asked" }
    ));
}

/// One document of one shape.
struct Measuring<'m> {
    options: &'m Options,
    plan: &'m Plan,
    shape: Shape,
    group: usize,
    report: &'m mut Report,
}

impl Measuring<'_> {
    fn format<F: Format>(&mut self, format: &F, document: &Value) -> Result<(), BenchError> {
        let bytes = format.encode(document)?;
        let stored = Stored::new(&bytes, self.options.block_len, self.options.folder.as_deref())?;
        for (at, wanted) in self.shape.wanted().iter().enumerate() {
            let query = format.query(&bytes, wanted)?;
            let figures = stored.measure(self.plan, |blocks| format.find(blocks, &query), wanted.value)?;
            self.push(self.group + at, format.name(), bytes.len(), wanted, figures);
        }
        Ok(())
    }

    fn push(&mut self, group: usize, format: &str, size: usize, wanted: &Wanted, figures: stored::Figures) {
        let stored::Figures { blocks, bytes, cold, dropped, warm } = figures;
        let of_blocks = size.div_ceil(self.options.block_len);
        let mut cells = vec![Cell::text(self.shape.name), Cell::text(format), Cell::len(size), Cell::text(wanted.name)];
        cells.extend([Cell::len(blocks), Cell::len(of_blocks), Cell::Count(bytes), cold.into()]);
        cells.extend([dropped.map_or(Cell::Empty, Cell::from), warm.into()]);
        self.report.push(group, cells);
    }
}
