//! Changing a few fields of a document: what it takes, and how much is written, by editing the bytes and by decoding,
//! changing and encoding.

mod document;
mod ways;

use boson_document::edit::Recorded;
use boson_document::{Builder, Source, Value};

use crate::error::{BenchError, Watch, next};
use crate::numbers::{count, grouped};
use crate::result::{Cell, Column, Report, Unit};
use crate::runner::{Measurement, Plan, measure, measure_prepared};
use document::{Update, order, updates};
use ways::{Cycle, InBuffer};

/// The sizes of the documents that are measured unless others are asked for, in bytes of BSON.
pub const SIZES: [usize; 4] = [10_000, 100_000, 1_000_000, 4_000_000];

/// The sizes that can be measured: what the updates need is there, and a server still takes it.
pub const SIZES_POSSIBLE: std::ops::RangeInclusive<usize> = 5_000..=16_000_000;

const COLUMNS: [(&str, Unit); 7] = [
    ("Size(bytes)", Unit::Plain),
    ("Update", Unit::Plain),
    ("Way", Unit::Plain),
    ("Time(us)", Unit::Microseconds),
    ("Written(bytes)", Unit::Plain),
    ("How", Unit::Plain),
    ("Speed", Unit::Plain),
];

/// Room behind the document, so that a buffer need not move when a document grows a little.
const ROOM: usize = 4096;

/// Measures every update of documents of about these `sizes` in every way.
///
/// # Errors
///
/// `Stopped`, or an update that does not do what it should.
pub fn run(sizes: &[usize], plan: &Plan, watch: &mut Watch<'_>) -> Result<Report, BenchError> {
    let mut report = Report::new("update", COLUMNS.map(|(name, unit)| Column::new(name, unit)).to_vec());
    report.bars = report.column("Time(us)");
    notes(&mut report, plan);
    let mut group = 0;
    for &size in sizes {
        let document = order(size)?;
        for update in updates(&document) {
            next(watch, &format!("{} in {} bytes", update.name, grouped(count(size))))?;
            measure_all(&document, &update, plan, group, &mut report)?;
            group += 1;
        }
    }
    Ok(report)
}

fn notes(report: &mut Report, plan: &Plan) {
    report.note(format!("{}.", plan.describe()));
    report.note(
        "The document is an order of many items of 8 fields and a log; Size is its own in the format of the row. The fields are \
         in the item in the middle, or in the log at the end.",
    );
    report.note(
        "Each edit works on a fresh copy of the document in a buffer with 4 KiB of room, which is made before the clock runs; it \
         includes opening the editor. Each operation is timed alone, so the clock's own some 40 ns are in it.",
    );
    report.note(
        "Written counts every byte that was written, as a buffer saw it that records all calls: overwritten, inserted, appended \
         and moved; of a decode-change-encode cycle it is the whole document. Speed is how many times as fast as the cycle of \
         the same format (the first row of each) the median was.",
    );
    report.note(
        "OSON in place trusts the image, as a server does its own; checked counts first what leads to each node, as it must where \
         it does not know who wrote the image. Every way was checked to give the document that changing the tree gives.",
    );
}

/// One way of making an update, measured.
struct Made {
    way: &'static str,
    size: usize,
    time: Measurement,
    written: usize,
    how: &'static str,
}

fn measure_all(
    document: &Value,
    update: &Update,
    plan: &Plan,
    group: usize,
    report: &mut Report,
) -> Result<(), BenchError> {
    let bson = boson_bson::encode(document)?;
    let mut rows = vec![cycle(&ways::BsonCycle, &bson, update, plan)?];
    rows.push(cycle(&ways::OfficialCycle, &bson, update, plan)?);
    rows.push(in_buffer(&ways::Spliced, &bson, update, plan)?);
    rows.push(in_buffer(&ways::Gathered, &bson, update, plan)?);
    push(rows, update, group, report);

    let oson = ways::to_oson(document)?;
    let mut rows = vec![cycle(&ways::OsonCycle, &oson, update, plan)?];
    rows.push(in_buffer(&ways::OsonTrusting, &oson, update, plan)?);
    rows.push(in_buffer(&ways::OsonChecked, &oson, update, plan)?);
    push(rows, update, group, report);
    Ok(())
}

/// Adds the rows of one format; the first is what the others are compared with.
fn push(rows: Vec<Made>, update: &Update, group: usize, report: &mut Report) {
    let Some(first) = rows.first().map(|row| row.time.clone()) else { return };
    for Made { way, size, time, written, how } in rows {
        let speed = Cell::ratio(&first, &time);
        let (size, written) = (Cell::len(size), Cell::len(written));
        let cells = vec![size, Cell::text(update.name), Cell::text(way), time.into(), written, Cell::text(how), speed];
        report.push(group, cells);
    }
}

fn cycle<C: Cycle>(way: &C, original: &[u8], update: &Update, plan: &Plan) -> Result<Made, BenchError> {
    let after = way.update(original, update)?;
    check(C::NAME, &C::tree(original)?, &C::tree(&after)?, update)?;
    let time = measure(plan, || way.update(original, update))?;
    let (size, written) = (original.len(), after.len());
    Ok(Made { way: C::NAME, size, time, written, how: "encoded anew" })
}

fn in_buffer<W: InBuffer>(way: &W, original: &[u8], update: &Update, plan: &Plan) -> Result<Made, BenchError> {
    let mut recorded = Recorded::new(original.to_vec());
    let how = ways::how(way.update(&mut recorded, update)?.as_ref());
    let written = recorded.bytes();
    check(W::NAME, &W::tree(original)?, &W::tree(&recorded.into_inner())?, update)?;

    let mut buffer = Vec::with_capacity(original.len().saturating_mul(2).saturating_add(ROOM));
    let prepare = |buffer: &mut Vec<u8>| {
        buffer.clear();
        buffer.extend_from_slice(original);
    };
    let time = measure_prepared(plan, &mut buffer, prepare, |buffer| way.update(buffer, update))?;
    Ok(Made { way: W::NAME, size: original.len(), time, written, how })
}

/// The update did to the bytes what it does to the tree.
fn check(way: &str, before: &Value, after: &Value, update: &Update) -> Result<(), BenchError> {
    let mut wanted = before.clone();
    for step in &update.steps {
        wanted.change(&step.path, &step.change()).map_err(BenchError::edit)?;
    }
    if wanted == *after { Ok(()) } else { Err(BenchError::Edit(format!("{way}: {} went wrong", update.name))) }
}

fn tree(source: &impl Source) -> Result<Value, BenchError> {
    let mut builder = Builder::new();
    source.drive(&mut builder)?;
    builder.finish().ok_or_else(|| BenchError::Missing("root".to_owned()))
}
