use std::collections::BTreeMap;

use boson_bench::{Dataset, Matrix};
use boson_document::{Builder, Kind, Limits, Source, Value};
use boson_json::{Dialects, Resolve, Text, Unwrap};
use boson_oson::write::{Options, Style, to_vec};

fn bson_len(document: &Value) -> usize {
    boson_bson::encode(document).unwrap().len()
}

fn only(set: Dataset, count: usize) -> Value {
    set.documents(1, count).next().unwrap()
}

/// The issue's table, style `driver`: BSON.
#[test]
fn the_matrix_has_the_published_sizes() {
    let sizes = [10_146, 101_497, 1_015_898, 100_146, 1_001_497, 10_015_898, 1_000_146, 10_001_497, 100_015_898];
    for (matrix, size) in Matrix::TABLE.into_iter().zip(sizes) {
        let mut writer = boson_bson::Writer::new();
        writer.write(&matrix).unwrap();
        assert_eq!(writer.as_bytes().len(), size, "{matrix}");
    }
}

/// The issue's table, style `driver`: OSON. The largest cells are beyond the database's limit.
#[test]
fn the_matrix_has_the_published_sizes_in_oson() {
    let sizes = [10_206, 102_009, 1_021_912, 100_208, 1_002_009, 10_021_912, 1_000_228, 10_002_209, 100_023_912];
    let limits = Limits::OSON.with_bytes(usize::MAX);
    let options = Options { style: Style::Driver, limits, ..Options::default() };
    for (matrix, size) in Matrix::TABLE.into_iter().zip(sizes) {
        assert_eq!(to_vec(&matrix, &options).unwrap().len(), size, "{matrix}");
    }
}

/// The averages of `../shared/data`: 36,240,988 and 30,400,000 bytes for 100,000 readings.
#[test]
fn the_readings_have_the_published_sizes() {
    let bytes = |set: Dataset| -> usize { set.documents(1, 20_000).map(|document| bson_len(&document)).sum() };
    let strings = bytes(Dataset::TelemetryStrings);
    assert!((7_246_000..7_250_000).contains(&strings), "{strings}");
    assert_eq!(bytes(Dataset::TelemetryTyped), 20_000 * 304);
}

/// What pymongo makes of `../shared/data/extended_bson`.
#[test]
fn the_drivers_documents_have_the_published_sizes() {
    let sizes = [Dataset::Flat, Dataset::Deep, Dataset::Full].map(|set| bson_len(&only(set, 1)));
    assert_eq!(sizes, [6046, 2286, 4026]);
}

fn json_len(document: &Value) -> usize {
    let mut writer = boson_json::Writer::new(Vec::new(), boson_json::Style::Plain);
    document.drive(&mut writer).unwrap();
    writer.into_inner().len()
}

/// About 450 KB and about 500 KB of JSON; the bytes of BSON are what pymongo makes of the same documents.
#[test]
fn tweets_and_catalog_are_as_large_as_the_issue_says() {
    let documents = [Dataset::Tweets, Dataset::Catalog].map(|set| only(set, set.default_count()));
    assert_eq!(documents.each_ref().map(bson_len), [451_348, 537_942]);
    let [tweets, catalog] = documents.each_ref().map(json_len);
    assert!((440_000..470_000).contains(&tweets), "{tweets}");
    assert!((490_000..520_000).contains(&catalog), "{catalog}");
}

/// How many values of each kind a document has on each level, and the lengths of names there.
fn structure(value: &Value, depth: usize, counts: &mut BTreeMap<(usize, Kind, usize), usize>, name_len: usize) {
    *counts.entry((depth, value.kind(), name_len)).or_default() += 1;
    match value {
        Value::Object(members) | Value::CodeWithScope { scope: members, .. } => {
            for (name, member) in members {
                structure(member, depth + 1, counts, name.len());
            }
        }
        Value::Array(elements) => elements.iter().for_each(|element| structure(element, depth + 1, counts, 0)),
        _ => {}
    }
}

fn read_extended(text: &[u8]) -> Value {
    let mut sink = Unwrap::new(Resolve::new(Builder::new()), Dialects::MONGODB);
    Text::new(text).drive(&mut sink).unwrap();
    sink.into_inner().into_inner().finish().unwrap()
}

#[test]
fn the_drivers_documents_have_the_structure_of_the_published_ones() {
    let Some(shared) = boson_testkit::shared() else { return };
    for (set, name) in [(Dataset::Flat, "flat"), (Dataset::Deep, "deep"), (Dataset::Full, "full")] {
        let text = std::fs::read(shared.join(format!("data/extended_bson/{name}_bson.json"))).unwrap();
        let (published, ours) = (read_extended(&text), only(set, 1));
        let counts = [&published, &ours].map(|document| {
            let mut counts = BTreeMap::new();
            structure(document, 0, &mut counts, 0);
            counts
        });
        assert_eq!(counts[0], counts[1], "{name}");
        assert_eq!(bson_len(&published), bson_len(&ours), "{name}");
        assert_ne!(published, ours);
    }
}
