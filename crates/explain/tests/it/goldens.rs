//! The dumps of the binary test vectors, as people read them: testdata/explain.

use std::fmt::Write as _;
use std::fs;

use boson_testkit::{unhex, workspace_root};
use boson_transcode::Format;

use super::{broken, dump_of, explain, images, vectors};

/// Up to how many bytes a vector is worth reading.
const LEN_MAX: usize = 300;

#[test]
fn bson() {
    golden("bson.txt", vectors::bson().map(|(name, bytes)| (name, Format::Bson, bytes)));
}

#[test]
fn oson_of_the_driver() {
    let small = vectors::driver().filter(|(_, bytes)| bytes.len() <= LEN_MAX);
    golden("oson_driver.txt", small.map(|(name, bytes)| (name, Format::Oson, bytes)));
}

#[test]
fn oson_made_by_hand() {
    golden("oson_made.txt", images::all().into_iter().map(|(name, bytes)| (name, Format::Oson, bytes)));
}

#[test]
fn broken_ones() {
    let documents = broken::DOCUMENTS.iter();
    golden("broken.txt", documents.map(|(name, format, digits, _)| ((*name).to_owned(), *format, unhex(digits))));
}

#[track_caller]
fn golden(file: &str, documents: impl Iterator<Item = (String, Format, Vec<u8>)>) {
    let mut dumps = String::new();
    for (name, format, bytes) in documents {
        write!(dumps, "=== {name}\n{}\n", dump_of(&explain(format, &bytes), None)).unwrap();
    }
    // Files end with one newline, and lines not with spaces.
    let dumps = dumps.lines().map(str::trim_end).collect::<Vec<_>>().join("\n").trim_end().to_owned() + "\n";
    let path = workspace_root().join("testdata/explain").join(file);
    if std::env::var_os("BLESS").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, &dumps).unwrap();
        return;
    }
    let expected = fs::read_to_string(&path).expect("the golden file");
    let differs = expected.lines().zip(dumps.lines()).find(|(expected, actual)| expected != actual);
    assert!(expected == dumps, "{file} (BLESS=1 rewrites it): {differs:?}");
}
