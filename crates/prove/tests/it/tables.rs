//! The model of tables against files that the real engine wrote.

use std::fs::File;
use std::io::Read as _;

use boson_prove::wiredtiger::{Compressor, Table};

pub(crate) fn documents(name: &str) -> Option<Vec<u8>> {
    let path = boson_testkit::shared()?.join("data").join(name);
    let mut bytes = Vec::new();
    flate2::read::GzDecoder::new(File::open(path).unwrap()).read_to_end(&mut bytes).unwrap();
    Some(bytes)
}

fn sizes(mut bytes: &[u8]) -> Vec<u64> {
    let mut table = Table::new(&Compressor::ALL);
    while let Some(len) = bytes.first_chunk::<4>() {
        let (document, rest) = bytes.split_at(u32::from_le_bytes(*len) as usize);
        table.insert(document);
        bytes = rest;
    }
    table.finish().iter().map(|size| size.bytes).collect()
}

#[test]
fn look() {
    for name in ["readings_strings.bson.gz", "readings_typed.bson.gz"] {
        let Some(bytes) = documents(name) else { return };
        eprintln!("{name} {:?}", sizes(&bytes));
    }
}
