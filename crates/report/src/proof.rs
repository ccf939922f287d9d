//! What better types are worth: figures before and after.

use std::borrow::Cow;

use boson_prove::wiredtiger::Compressor;
use boson_prove::{IndexEstimate, IndexSpec, Measured, NetworkSize, REPLY_DOCUMENTS};
use serde::{Deserialize, Serialize};

use crate::words::grouped;

/// Everything that was found.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Proof {
    /// How many documents there were.
    pub documents_before: u64,
    /// How many there are.
    pub documents_after: u64,
    /// The figures.
    pub rows: Vec<Row>,
    /// What is left out.
    #[serde(default)]
    pub notes: Vec<String>,
}

/// Indexes that one side does not have, by their names.
#[derive(Debug, Default)]
pub struct Missing {
    /// Those that were not there before.
    pub before: Vec<String>,
    /// Those that are not there after.
    pub after: Vec<String>,
}

/// The proofs of the collections of a dump.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Proofs {
    collections: Vec<OfCollection>,
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
struct OfCollection {
    namespace: String,
    #[serde(flatten)]
    proof: Proof,
}

impl Proofs {
    /// The proofs with the names of their collections.
    pub fn new(proofs: &[(String, Proof)]) -> Self {
        let of =
            |(namespace, proof): &(String, Proof)| OfCollection { namespace: namespace.clone(), proof: proof.clone() };
        Self { collections: proofs.iter().map(of).collect() }
    }

    /// The same, taken apart.
    pub fn into_named(self) -> Vec<(String, Proof)> {
        self.collections.into_iter().map(|of| (of.namespace, of.proof)).collect()
    }
}

/// One figure before and after.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Row {
    /// What is measured.
    pub figure: String,
    /// In what.
    pub unit: Cow<'static, str>,
    /// The figure before.
    pub before: f64,
    /// The figure after.
    pub after: f64,
    /// In percent of the figure before; `None` where it is not larger than its error.
    pub change_percent: Option<f64>,
    /// The error of the change in percentage points: 0 of what is exact.
    pub error_points: f64,
    /// Whether it was measured or estimated, and how.
    pub how: Cow<'static, str>,
    /// On how much.
    pub on: String,
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
    /// The figures of both sides, without decoding.
    pub fn new(before: &Measured, after: &Measured, missing: &Missing) -> Self {
        let mut rows = vec![documents(before, after)];
        rows.extend(tables(before, after));
        rows.extend(indexes(before, after, missing));
        rows.extend(network(before, after));
        Self { documents_before: before.documents, documents_after: after.documents, rows, notes: Vec::new() }
    }
}

impl Row {
    /// A figure whose change is off by at most `error_points`.
    pub fn new(figure: String, unit: &'static str, before: f64, after: f64, error_points: f64) -> Self {
        let change = percent(before, after);
        let change_percent = (change.abs() > error_points).then_some(change);
        Self {
            figure,
            unit: unit.into(),
            before,
            after,
            change_percent,
            error_points,
            how: "".into(),
            on: String::new(),
        }
    }

    /// The same, obtained `how` and `on` how much.
    #[must_use]
    pub fn how(mut self, how: &'static str, on: String) -> Self {
        self.how = how.into();
        self.on = on;
        self
    }
}

/// The change from `before` to `after` in percent of `before`; 0 where there was nothing.
pub(crate) fn percent(before: f64, after: f64) -> f64 {
    if before > 0.0 { 100.0 * (after - before) / before } else { 0.0 }
}

/// `number` as a float.
#[expect(clippy::cast_precision_loss, reason = "a figure for people")]
pub const fn real(number: u64) -> f64 {
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
