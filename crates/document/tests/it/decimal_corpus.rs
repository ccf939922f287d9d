//! The decimal128 files of the BSON corpus.

use std::fs;
use std::path::Path;

use boson_document::Decimal128;
use boson_testkit::{hex, shared, unhex};
use serde_json::Value;

#[test]
fn every_decimal128_of_the_corpus_reads_and_writes() {
    let Some(shared) = shared() else { return };
    let files = corpus_files(&shared.join("vectors/bson_corpus"));
    assert!(files.len() >= 6, "the corpus has six files of decimal128 at least");
    let (mut valid_count, mut error_count) = (0, 0);
    for file in files {
        for case in file["valid"].as_array().into_iter().flatten() {
            check_valid(case);
            valid_count += 1;
        }
        for case in file["parseErrors"].as_array().into_iter().flatten() {
            let text = case["string"].as_str().expect("a parse error has a string");
            assert!(Decimal128::parse(text).is_err(), "{text:?} must be refused");
            error_count += 1;
        }
    }
    assert!(valid_count > 500 && error_count > 100, "{valid_count} valid, {error_count} errors");
}

fn corpus_files(folder: &Path) -> Vec<Value> {
    let entries = fs::read_dir(folder).expect("the corpus is a folder");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let ours =
        paths.filter(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("decimal128-")));
    ours.map(|path| serde_json::from_slice(&fs::read(path).expect("a file")).expect("JSON")).collect()
}

fn check_valid(case: &Value) {
    let description = case["description"].as_str().expect("a description");
    let document = unhex(case["canonical_bson"].as_str().expect("canonical_bson"));
    // Length, type 0x13, "d" and its NUL stand before the value, the document's NUL behind it.
    let bytes: [u8; 16] = document[7..23].try_into().expect("sixteen bytes");
    let value = Decimal128::from_bytes(bytes);
    let canonical = number_text(&case["canonical_extjson"]).expect("canonical_extjson");

    assert_eq!(value.to_string(), canonical, "{description}");
    assert_eq!(value.to_bytes(), bytes);
    assert!(value.same_value(&canonical.parse().expect("canonical text")), "{description}");
    if case["lossy"] == Value::Bool(true) {
        return;
    }
    assert_eq!(hex(Decimal128::parse(&canonical).expect(description).to_bytes()), hex(bytes), "{description}");
    if let Some(text) = number_text(&case["degenerate_extjson"]) {
        assert_eq!(hex(Decimal128::parse(&text).expect(description).to_bytes()), hex(bytes), "{description}");
    }
    if let Some(decimal) = value.to_decimal() {
        assert_eq!(decimal.to_decimal128(), Some(value), "{description}");
        assert_eq!(decimal.to_string(), canonical);
    }
}

/// The text in `{"d": {"$numberDecimal": text}}`, which the corpus holds as a string of JSON.
fn number_text(extended_json: &Value) -> Option<String> {
    let document: Value = serde_json::from_str(extended_json.as_str()?).expect("JSON within JSON");
    Some(document["d"]["$numberDecimal"].as_str().expect("a $numberDecimal").to_owned())
}
