//! `cargo xtask check storage`: the model of the storage engine against what the real engine wrote.

use std::fs;
use std::io::{BufReader, Read};
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use boson_bson::Document;
use boson_prove::wiredtiger::Compressor;
use boson_prove::{Measured, Options, Side};

use crate::{peers, workspace};

/// Bytes a document that the engine took, from `../shared/data/README.md`.
struct Row {
    count: u64,
    seed: u32,
    compressor: Compressor,
    strings: f64,
    typed: f64,
}

const ROWS: [Row; 4] = [
    Row { count: 50_000, seed: 2, compressor: Compressor::Snappy, strings: 89.8, typed: 110.9 },
    Row { count: 50_000, seed: 2, compressor: Compressor::Zlib, strings: 53.8, typed: 54.1 },
    Row { count: 1_000_000, seed: 6, compressor: Compressor::Snappy, strings: 89.7, typed: 91.2 },
    Row { count: 1_000_000, seed: 6, compressor: Compressor::Zlib, strings: 51.7, typed: 54.1 },
];

/// How far the model may be off: a size in percent, and the change between two in percentage points.
const SIZE_ERROR_PERCENT_MAX: f64 = 15.0;
const CHANGE_ERROR_POINTS_MAX: f64 = 5.0;

/// Makes the sets and compares. What a user lacks is said.
///
/// # Errors
///
/// When the model is further off than it may be.
pub(crate) fn run() -> Result<()> {
    let Some(shared) = workspace::shared()? else { return workspace::skip("../shared is not here") };
    let python = peers::install()?.interpreter();
    if !python.exists() {
        return workspace::skip("pymongo is not installed, which makes the readings");
    }
    let script = shared.join("data/make_readings.py");
    for rows in ROWS.chunk_by(|a, b| a.seed == b.seed) {
        let Some(first) = rows.first() else { continue };
        let measure = |form| measured(Command::new(&python).arg(&script), first, form);
        let (strings, typed) = (measure("strings")?, measure("typed")?);
        rows.iter().try_for_each(|row| compare(row, &strings, &typed))?;
    }
    Ok(())
}

fn measured(script: &mut Command, row: &Row, form: &str) -> Result<Measured> {
    let folder = workspace::root()?.join("target/readings");
    fs::create_dir_all(&folder)?;
    let file = folder.join(format!("{}.{form}.bson", row.seed));
    workspace::run(script.args([&row.count.to_string(), &row.seed.to_string(), form]).arg(&file))?;
    let measured = measured_file(&file)?;
    fs::remove_file(&file)?;
    ensure!(measured.documents == row.count, "{} readings were made, not {}", measured.documents, row.count);
    Ok(measured)
}

fn measured_file(file: &Path) -> Result<Measured> {
    let mut side = Side::new(&Options {
        compressors: vec![Compressor::Snappy, Compressor::Zlib],
        indexed_max: 0,
        ..Options::default()
    });
    let mut input = BufReader::new(fs::File::open(file)?);
    let mut document = Vec::new();
    let mut len = [0; 4];
    while input.read_exact(&mut len).is_ok() {
        document.clear();
        document.extend(len);
        let rest = u64::from(u32::from_le_bytes(len)).checked_sub(4).context("a reading without a length")?;
        (&mut input).take(rest).read_to_end(&mut document)?;
        side.add(&Document::new(&document)?)?;
    }
    Ok(side.finish())
}

fn compare(row: &Row, strings: &Measured, typed: &Measured) -> Result<()> {
    let (strings, typed) = (per_document(row, strings)?, per_document(row, typed)?);
    let change = |before: f64, after: f64| 100.0 * (after - before) / before;
    let (model, engine) = (change(strings, typed), change(row.strings, row.typed));
    println!(
        "{} readings, {}: strings {strings:.1} (engine {}), typed {typed:.1} (engine {}), change {model:+.1} % (engine {engine:+.1} %)",
        row.count, row.compressor, row.strings, row.typed
    );
    for (size, real) in [(strings, row.strings), (typed, row.typed)] {
        ensure!(change(real, size).abs() <= SIZE_ERROR_PERCENT_MAX, "{size:.1} is too far from {real}");
    }
    let error = (model - engine).abs();
    ensure!(error <= CHANGE_ERROR_POINTS_MAX, "the change is off by {error:.1} points");
    Ok(())
}

fn per_document(row: &Row, measured: &Measured) -> Result<f64> {
    let table = measured.tables.iter().find(|table| table.compressor == row.compressor).context("no such table")?;
    let bytes = u32::try_from(table.bytes).context("a table of this size")?;
    Ok(f64::from(bytes) / f64::from(u32::try_from(row.count)?))
}
