//! The lines of a proof.

use boson_prove::wiredtiger::Compressor;
use boson_prove::{IndexEstimate, IndexSpec, Measured, NetworkSize, REPLY_DOCUMENTS};
use serde::Serialize;

use super::Missing;
use crate::output::grouped;

/// Everything that was found.
#[derive(Debug, Serialize)]
pub(super) struct Proof {
    pub(super) documents_before: u64,
    pub(super) documents_after: u64,
    pub(super) rows: Vec<Row>,
    /// What is left out.
    pub(super) notes: Vec<String>,
}

/// The proofs of the collections of a dump.
#[derive(Serialize)]
pub(super) struct Proofs<'a> {
    collections: Vec<OfCollection<'a>>,
}

#[derive(Serialize)]
struct OfCollection<'a> {
    namespace: &'a str,
    #[serde(flatten)]
    proof: &'a Proof,
}

impl<'a> Proofs<'a> {
    pub(super) fn new(proofs: &'a [(String, Proof)]) -> Self {
        let of = |(namespace, proof): &'a (String, Proof)| OfCollection { namespace, proof };
        Self { collections: proofs.iter().map(of).collect() }
    }
}

/// One figure before and after.
#[derive(Debug, Serialize)]
pub(super) struct Row {
    pub(super) figure: String,
    pub(super) unit: &'static str,
    pub(super) before: f64,
    pub(super) after: f64,
    /// In percent of the figure before; `None` where it is not larger than its error.
    pub(super) change_percent: Option<f64>,
    /// The error of the change in percentage points: 0 of what is exact.
    pub(super) error_points: f64,
    /// Whether it was measured or estimated, and how.
    pub(super) how: &'static str,
    /// On how much.
    pub(super) on: String,
}

/// How far the model's change may be from the engine's, in percentage points: see docs/storage-model.md.
const fn table_error_points(compressor: Compressor) -> f64 {
    match compressor {
        Compressor::None => 0.5,
        Compressor::Snappy | Compressor::Zlib | Compressor::Zstd => 5.0,
    }
}

/// The same of indexes.
const INDEX_ERROR_POINTS: f64 = 1.0;

const MODEL: &str = "estimated by the model of the storage engine";

impl Proof {
    pub(super) fn new(before: &Measured, after: &Measured, missing: &Missing) -> Self {
        let mut rows = vec![documents(before, after)];
        rows.extend(tables(before, after));
        rows.extend(indexes(before, after, missing));
        rows.extend(network(before, after));
        Self { documents_before: before.documents, documents_after: after.documents, rows, notes: Vec::new() }
    }
}

impl Row {
    /// A figure whose change is off by at most `error_points`.
    pub(super) fn new(figure: String, unit: &'static str, before: f64, after: f64, error_points: f64) -> Self {
        let change = if before > 0.0 { 100.0 * (after - before) / before } else { 0.0 };
        let change_percent = (change.abs() > error_points).then_some(change);
        Self { figure, unit, before, after, change_percent, error_points, how: "", on: String::new() }
    }

    pub(super) fn how(mut self, how: &'static str, on: String) -> Self {
        self.how = how;
        self.on = on;
        self
    }
}

#[expect(clippy::cast_precision_loss, reason = "a figure for people")]
pub(super) const fn real(number: u64) -> f64 {
    number as f64
}

fn both(before: u64, after: u64) -> String {
    if before == after {
        format!("{} documents", grouped(before))
    } else {
        format!("{} and {} documents", grouped(before), grouped(after))
    }
}

fn all(before: &Measured, after: &Measured) -> String {
    format!("all {}", both(before.documents, after.documents))
}

fn documents(before: &Measured, after: &Measured) -> Row {
    let average = |side: &Measured| real(side.bytes) / real(side.documents);
    Row::new("document, average".to_owned(), "bytes", average(before), average(after), 0.0)
        .how("measured", all(before, after))
}

fn tables(before: &Measured, after: &Measured) -> impl Iterator<Item = Row> {
    let on = all(before, after);
    before.tables.iter().zip(&after.tables).map(move |(b, a)| {
        let figure = format!("collection on disk, {}", b.compressor);
        let row = Row::new(figure, "bytes", real(b.bytes), real(a.bytes), table_error_points(b.compressor));
        row.how(MODEL, on.clone())
    })
}

fn indexes(before: &Measured, after: &Measured, missing: &Missing) -> Vec<Row> {
    let sides = before.indexes.iter().zip(&after.indexes);
    sides.map(|((spec, b), (_, a))| index(spec, *b, *a, missing)).collect()
}

fn index(spec: &IndexSpec, before: IndexEstimate, after: IndexEstimate, missing: &Missing) -> Row {
    let is_in = |names: &[String]| names.contains(&spec.name);
    let bytes = |estimate: IndexEstimate, is_missing: bool| if is_missing { 0.0 } else { real(estimate.bytes) };
    let (no_before, no_after) = (is_in(&missing.before), is_in(&missing.after));
    let (b, a) = (bytes(before, no_before), bytes(after, no_after));
    let row = Row::new(format!("index {}", spec.name), "bytes", b, a, INDEX_ERROR_POINTS);
    let on = match (no_before, no_after) {
        (true, _) => format!("the keys of {} documents; not there before", grouped(after.modelled)),
        (_, true) => format!("the keys of {} documents; not there after", grouped(before.modelled)),
        _ => format!("the keys of {}", both(before.modelled, after.modelled)),
    };
    row.how(MODEL, on)
}

fn network(before: &Measured, after: &Measured) -> Vec<Row> {
    let (before, after) = (&before.network, &after.network);
    if before.replies == 0 || after.replies == 0 {
        return Vec::new();
    }
    let plain = |size: &NetworkSize| real(size.bytes) / real(size.replies);
    let name = |what: &str| format!("reply of {REPLY_DOCUMENTS} documents, {what}");
    let replies = |count: u64| format!("{} replies", grouped(count));
    let mut rows = vec![
        Row::new(name("plain"), "bytes", plain(before), plain(after), 0.0).how("measured", replies(before.replies)),
    ];
    for ((compressor, count, bytes), (_, count_after, bytes_after)) in before.compressed.iter().zip(&after.compressed) {
        let average = |bytes: u64, count: u64| real(bytes) / real(count.max(1));
        let row = Row::new(
            name(compressor.name()),
            "bytes",
            average(*bytes, *count),
            average(*bytes_after, *count_after),
            0.0,
        );
        rows.push(row.how("measured", replies(*count)));
    }
    rows
}
