//! Every path: its bytes and its types, as a table with bars.

use super::map::{class, is_root};
use super::text::{percent, share, visible};
use crate::words::{counted, grouped};
use crate::{Analysis, BytesView, PathView};

/// How many paths are seen at once, and how many a page holds.
const SHOWN: usize = 40;
const ROWS_MAX: usize = 1500;

/// The paths, those with the most bytes first.
#[derive(Debug, Default)]
pub(super) struct PathTable {
    pub(super) shown: Vec<PathRow>,
    /// Those that are folded away at first.
    pub(super) more: Vec<PathRow>,
    /// What is not in the table, and all.
    pub(super) left_out: Option<TotalRow>,
    pub(super) behind_faults: Option<TotalRow>,
    pub(super) all: TotalRow,
}

/// A sum.
#[derive(Debug, Default)]
pub(super) struct TotalRow {
    pub(super) name: String,
    pub(super) bytes: Bytes,
}

/// Bytes, in words and as the parts of a bar.
#[derive(Debug, Default)]
pub(super) struct Bytes {
    pub(super) total: String,
    pub(super) share: String,
    pub(super) names: String,
    pub(super) framing: String,
    pub(super) values: String,
    /// In percent of the largest.
    pub(super) bars: [f64; 3],
}

/// One path.
#[derive(Debug)]
pub(super) struct PathRow {
    pub(super) path: String,
    pub(super) bytes: Bytes,
    pub(super) values: String,
    pub(super) documents: String,
    pub(super) distinct: String,
    pub(super) types: Vec<TypeBar>,
    pub(super) remarks: Vec<String>,
}

/// How many of the values have a type.
#[derive(Debug)]
pub(super) struct TypeBar {
    pub(super) name: &'static str,
    pub(super) class: &'static str,
    pub(super) count: String,
    pub(super) share: String,
    pub(super) percent: f64,
}

impl PathTable {
    pub(super) fn new(analysis: &Analysis<'_>) -> Self {
        let total = analysis.measured.bytes;
        let mut largest: Vec<&PathView> = analysis.paths.iter().collect();
        largest.sort_by_key(|path| std::cmp::Reverse(path.bytes.total));
        let most = largest.first().map_or(0, |path| path.bytes.total);
        let (rows, rest) = largest.split_at(ROWS_MAX.min(largest.len()));
        let mut shown: Vec<PathRow> = rows.iter().map(|path| PathRow::new(path, total, most)).collect();
        let more = shown.split_off(SHOWN.min(shown.len()));
        let mut all = analysis.bytes;
        all.total = all.total.saturating_add(analysis.other_bytes);
        Self {
            shown,
            more,
            left_out: (!rest.is_empty()).then(|| left_out(rest, total)),
            behind_faults: (analysis.other_bytes > 0).then(|| behind(analysis.other_bytes, total)),
            all: TotalRow { name: "all".to_owned(), bytes: Bytes::new(&all, total, 0) },
        }
    }
}

fn left_out(rest: &[&PathView], total: u64) -> TotalRow {
    let mut sum = BytesView::default();
    for path in rest {
        sum.add(&path.bytes);
    }
    let name =
        format!("{}, not listed: boson analyze --format json names them", counted(rest.len() as u64, "more path"));
    TotalRow { name, bytes: Bytes::new(&sum, total, 0) }
}

fn behind(bytes: u64, total: u64) -> TotalRow {
    let bytes = BytesView { total: bytes, ..BytesView::default() };
    TotalRow { name: "behind faults".to_owned(), bytes: Bytes::new(&bytes, total, 0) }
}

impl Bytes {
    /// `bytes` of `total`, beside a path with `most` bytes.
    fn new(bytes: &BytesView, total: u64, most: u64) -> Self {
        let values = bytes.values.saturating_add(bytes.inside);
        Self {
            total: grouped(bytes.total),
            share: share(bytes.total, total),
            names: grouped(bytes.names),
            framing: grouped(bytes.types_and_lengths),
            values: grouped(values),
            bars: [bytes.names, bytes.types_and_lengths, values].map(|part| percent(part, most)),
        }
    }
}

impl PathRow {
    fn new(path: &PathView, total: u64, most: u64) -> Self {
        let mut remarks = Vec::new();
        if let Some(names) = path.folded_names {
            remarks.push(format!("about {} different names, taken for data (estimated)", grouped(names)));
        }
        if path.repeated_names > 0 {
            remarks.push(format!("{} repeated", counted(path.repeated_names, "name")));
        }
        Self {
            path: if is_root(&path.place) { "$ (the document itself)".to_owned() } else { visible(&path.path) },
            bytes: Bytes::new(&path.bytes, total, most),
            values: grouped(path.values),
            documents: path.documents.map_or_else(|| "not known".to_owned(), grouped),
            distinct: distinct(path.distinct),
            types: types(path),
            remarks,
        }
    }
}

/// Counted up to 32, and estimated beyond; containers are not compared.
fn distinct(count: u64) -> String {
    match count {
        0 => "–".to_owned(),
        1..=32 => grouped(count),
        _ => format!("≈ {}", grouped(count)),
    }
}

fn types(path: &PathView) -> Vec<TypeBar> {
    let all: u64 = path.types.iter().map(|stats| stats.count).fold(0, u64::saturating_add);
    let bar = |stats: &crate::TypeView| TypeBar {
        name: stats.kind,
        class: class(Some(stats.kind)),
        count: grouped(stats.count),
        share: share(stats.count, all),
        percent: percent(stats.count, all),
    };
    path.types.iter().map(bar).collect()
}
