//! How long decoding takes before and after.

use boson_bench::benchmarks::decoding;
use boson_bench::{Measurement, Plan};
use boson_report::{Row, real};

use crate::output::counted;

/// Lines for our decoder and the official crate's.
pub(super) fn rows(before: &[Vec<u8>], after: &[Vec<u8>]) -> anyhow::Result<Vec<Row>> {
    let plan = Plan::default();
    let measured = |documents: &[Vec<u8>]| {
        let documents: Vec<_> = documents.iter().map(Vec::as_slice).collect();
        decoding::run(&plan, &documents)
    };
    let (of_before, of_after) = (measured(before)?, measured(after)?);
    let counts = (before.len() as u64, after.len() as u64);
    Ok(vec![
        row("decode, boson", &of_before.ours, &of_after.ours, counts),
        row("decode, official bson crate", &of_before.official, &of_after.official, counts),
    ])
}

fn row(figure: &str, before: &Measurement, after: &Measurement, counts: (u64, u64)) -> Row {
    let per_document = |measured: &Measurement, count: u64| measured.median_ns() / real(count);
    // Each side may be off by half its spread.
    let error = f64::midpoint(before.spread_percent(), after.spread_percent());
    let (before, after) = (per_document(before, counts.0), per_document(after, counts.1));
    Row::new(figure.to_owned(), "ns a document", before, after, error)
        .how("measured, median round", format!("the first {}", counted(counts.0, "document")))
}
