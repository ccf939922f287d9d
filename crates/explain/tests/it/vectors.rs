//! Every byte of the vectors that others wrote is told.

use std::fs;

use boson_testkit::{shared, unhex, workspace_root};
use boson_transcode::Format;
use serde_json::Value as Json;

use super::dump::tells_every_byte;
use super::{explain, images};

/// Element types that PyMongo does not write, from the specification.
const DEPRECATED: &[(&str, &str)] = &[
    ("undefined", "08 00 00 00 06 61 00 00"),
    ("symbol", "0e 00 00 00 0e 61 00 02 00 00 00 62 00 00"),
    ("db_pointer", "1a 00 00 00 0c 61 00 02 00 00 00 62 00 56e1fc72e0c917e9c4714161 00"),
];

/// PyMongo's documents and [`DEPRECATED`]: every element type.
pub(super) fn bson() -> impl Iterator<Item = (String, Vec<u8>)> {
    let text = fs::read_to_string(workspace_root().join("testdata/bson/pymongo.txt")).unwrap();
    let lines: Vec<_> = text.lines().map(|line| line.split_once(' ').expect("name and digits")).collect();
    let written: Vec<_> = lines.into_iter().map(|(name, digits)| (name.to_owned(), unhex(digits))).collect();
    let deprecated = DEPRECATED.iter().map(|(name, digits)| ((*name).to_owned(), unhex(digits)));
    written.into_iter().chain(deprecated)
}

/// python-oracledb's images, those that are kept as bytes.
pub(super) fn driver() -> impl Iterator<Item = (String, Vec<u8>)> {
    let text = fs::read(workspace_root().join("testdata/oson/driver_vectors.json")).unwrap();
    let vectors: Json = serde_json::from_slice(&text).unwrap();
    let vectors = vectors["vectors"].as_array().unwrap().clone();
    vectors
        .into_iter()
        .filter_map(|vector| Some((vector["name"].as_str()?.to_owned(), unhex(vector.get("hex")?.as_str()?))))
}

/// Images of `file` in ../shared; of the made ones those that must decode.
fn shared_images(file: &str) -> Vec<(String, Vec<u8>)> {
    let Some(folder) = shared() else { return Vec::new() };
    let json: Json = serde_json::from_slice(&fs::read(folder.join("vectors").join(file)).unwrap()).unwrap();
    let image = |image: &Json| unhex(image["oson"].as_str().unwrap());
    match json.get("decode").and_then(Json::as_array) {
        Some(list) => list.iter().map(|made| (made["name"].as_str().unwrap().to_owned(), image(made))).collect(),
        None => json.as_object().unwrap().iter().map(|(name, made)| (name.clone(), image(made))).collect(),
    }
}

#[test]
fn every_server_image_is_told() {
    let images = shared_images("oson_server_images.json");
    assert!(images.is_empty() || images.len() > 20);
    for (name, image) in images {
        tells_every_byte(&name, &explain(Format::Oson, &image));
    }
}

#[test]
fn every_image_made_by_hand_is_told() {
    for (name, image) in shared_images("oson_made.json") {
        tells_every_byte(&name, &explain(Format::Oson, &image));
    }
    for (name, image) in images::all().into_iter().filter(|(name, _)| !name.starts_with("sensitive")) {
        tells_every_byte(&name, &explain(Format::Oson, &image));
    }
}

#[test]
fn every_image_of_the_driver_is_told() {
    for (name, image) in driver() {
        tells_every_byte(&name, &explain(Format::Oson, &image));
    }
}

#[test]
fn every_element_type_is_told() {
    let mut tags = Vec::new();
    for (name, bytes) in bson().filter(|(name, _)| name != "binary_sensitive") {
        tells_every_byte(&name, &explain(Format::Bson, &bytes));
        tags.extend(bytes.get(4).copied().filter(|&tag| tag != 0));
    }
    tags.sort_unstable();
    tags.dedup();
    // The 21 of bsonspec.org, version 1.1.
    let all: Vec<u8> = (0x01..=0x13).chain([0x7F, 0xFF]).collect();
    assert_eq!(tags, all);
}

#[test]
fn every_valid_document_of_the_corpus_is_told() {
    let Some(folder) = shared() else { return };
    let mut count = 0;
    for entry in fs::read_dir(folder.join("vectors/bson_corpus")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let cases: Json = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        for case in cases["valid"].as_array().into_iter().flatten() {
            let bytes = unhex(case["canonical_bson"].as_str().unwrap());
            // Sensitive bytes are told but not shown.
            if !case["description"].as_str().unwrap().contains("0x08") {
                tells_every_byte(&path.display().to_string(), &explain(Format::Bson, &bytes));
                count += 1;
            }
        }
    }
    assert!(count > 150, "{count}");
}
