//! The BSON corpus of the MongoDB specifications, what it says of bytes. What it says of text is tested with JSON.

use boson_bson::{Document, encode, validate};
use boson_document::Limits;
use boson_testkit::laws::{layout_tiles, same_walk};
use serde_json::Value as Json;

use crate::support::{Viewed, hex, unhex};

/// Each file of the corpus with its content; `None` where there is no corpus.
fn files() -> Option<Vec<(String, Json)>> {
    let folder = boson_testkit::shared()?.join("vectors/bson_corpus");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let read = |path: std::path::PathBuf| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        (name, serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap())
    };
    Some(files.into_iter().map(read).collect())
}

/// Every case of the list `list`, with a name for messages.
fn cases(list: &str) -> Vec<(String, Json)> {
    let files = files().unwrap_or_default();
    let cases = files.iter().flat_map(|(file, content)| {
        let cases = content[list].as_array().into_iter().flatten();
        cases.map(move |case| (format!("{file}: {}", case["description"]), case.clone()))
    });
    cases.collect()
}

fn bytes(case: &Json, field: &str) -> Option<Vec<u8>> {
    case[field].as_str().map(unhex)
}

#[test]
fn valid_documents_are_read_and_written_back() {
    let cases = cases("valid");
    for (name, case) in &cases {
        let canonical = bytes(case, "canonical_bson").expect(name);
        let document = Document::new(&canonical).expect(name);
        validate(&canonical, &Limits::BSON).expect(name);
        assert_eq!(hex(encode(&document).expect(name)), hex(&canonical), "{name}");
        same_walk(&document, &Viewed(document));
        layout_tiles(&document, canonical.len());
    }
    assert!(cases.is_empty() || cases.len() == 626, "{} cases", cases.len());
}

#[test]
fn degenerate_documents_are_read_and_written_in_canonical_form() {
    let mut count = 0;
    for (name, case) in cases("valid") {
        let Some(degenerate) = bytes(&case, "degenerate_bson") else { continue };
        let document = Document::new(&degenerate).expect(&name);
        let canonical = bytes(&case, "canonical_bson").expect(&name);
        assert_eq!(hex(encode(&document).expect(&name)), hex(canonical), "{name}");
        count += 1;
    }
    assert!(count == 0 && files().is_none() || count >= 4, "{count} cases");
}

#[test]
fn what_must_not_decode_does_not() {
    let cases = cases("decodeErrors");
    for (name, case) in &cases {
        let faulty = bytes(case, "bson").expect(name);
        assert!(validate(&faulty, &Limits::BSON).is_err(), "{name}");
    }
    assert!(cases.is_empty() || cases.len() == 43, "{} cases", cases.len());
}
