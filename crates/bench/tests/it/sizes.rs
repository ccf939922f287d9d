use boson_bench::{Dataset, Matrix};
use boson_document::Value;

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

#[test]
fn tweets_and_catalog_are_as_large_as_the_issue_says() {
    let sizes = [Dataset::Tweets, Dataset::Catalog].map(|set| bson_len(&only(set, set.default_count())));
    assert_eq!(sizes, [451_348, 537_942]);
}
