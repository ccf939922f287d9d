//! What must hold for every document.

use std::hint::black_box;

use boson_bson::{BlockDocument, Document, Index, encode, path_at, validate};
use boson_document::{Blocks, Discard, Layout, Limits, Source};
use boson_testkit::corrupt::{damaged, prefixes, single_bytes};
use boson_testkit::laws::{layout_tiles, regions_tile, replays, same_walk, written_is_read_back};
use boson_testkit::{Gen, documents};
use proptest::prelude::*;

use crate::support::{Viewed, read};

const LIKE: Gen = Gen::BSON_ALL.with_duplicates();
const SMALL: Gen = LIKE.with_width(40);

#[test]
fn every_kind_is_written_and_read_back() {
    for document in documents(1, LIKE, 600) {
        written_is_read_back(&document, encode, read);
    }
}

/// Everything that one can do with bytes, none of which may panic.
fn touch(bytes: &[u8]) {
    let valid = validate(bytes, &Limits::BSON);
    if let Err(located) = &valid {
        black_box(located.to_string());
    }
    for offset in [0, bytes.len() / 2, bytes.len(), usize::MAX] {
        black_box(path_at(bytes, offset));
    }
    let blocks = Blocks::new(bytes, 7).unwrap();
    let from_blocks = BlockDocument::new(&blocks);
    let document = Document::new(bytes);
    assert_eq!(document.map(|found| found.span()), from_blocks.map(|found| found.span()));
    let (Ok(document), Ok(from_blocks)) = (document, from_blocks) else { return };
    black_box(format!("{document:?}"));
    let mut index = Index::new();
    let indexed = index.rebuild(document);
    for element in document.elements().flatten() {
        let name = element.name_lossy();
        let found = document.get(&name);
        if let Ok(indexed) = &indexed {
            assert_eq!(Ok(indexed.get(&name)), found);
        }
        let held = from_blocks.get(&name).map(|found| found.map(|value| value.fetch().unwrap().bytes().to_vec()));
        assert_eq!(held, found.map(|found| found.map(|value| value.bytes().to_vec())));
        black_box((element.value().uuid().is_ok(), element.value().vector().is_ok()));
    }
    match document.regions() {
        Ok(regions) => regions_tile(&regions, bytes.len()),
        Err(error) => assert_eq!(Err(error), document.drive(&mut Discard)),
    }
    if valid.is_ok() {
        // No accessor fails on what was found valid, and all deliver the same.
        same_walk(&document, &Viewed(document));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn what_is_written_is_read_back(document in LIKE) {
        written_is_read_back(&document, encode, read);
    }

    #[test]
    fn a_walk_and_the_views_deliver_the_same(document in SMALL) {
        let bytes = encode(&document).unwrap();
        let document = Document::new(&bytes).unwrap();
        same_walk(&document, &Viewed(document));
        replays(&document);
        layout_tiles(&document, bytes.len());
        touch(&bytes);
    }

    #[test]
    fn damaged_documents_do_not_panic(document in SMALL, other in SMALL, seed: u64) {
        let (bytes, other) = (encode(&document).unwrap(), encode(&other).unwrap());
        damaged(&bytes, &other, seed, 20).for_each(|bytes| touch(&bytes));
    }

    #[test]
    fn any_bytes_do_not_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        touch(&bytes);
        touch(&crate::cases::framed(&bytes));
    }

    #[test]
    fn every_offset_has_the_path_of_its_value(document in SMALL) {
        let bytes = encode(&document).unwrap();
        let document = Document::new(&bytes).unwrap();
        for element in document.elements().map(Result::unwrap) {
            let path = path_at(&bytes, element.span().offset);
            prop_assert_eq!(path.to_string(), path_at(&bytes, element.name_span().end()).to_string());
            let value = document.get_path(&path).unwrap().unwrap();
            let first = document.get(element.name().unwrap()).unwrap().unwrap();
            prop_assert_eq!(value, first);
        }
    }
}

#[test]
fn every_prefix_and_every_byte_changed_is_survived() {
    for document in documents(2, LIKE.with_width(12).without_long_names(), 42) {
        let bytes = encode(&document).unwrap();
        prefixes(&bytes).for_each(touch);
        if bytes.len() < 600 {
            single_bytes(&bytes).for_each(|bytes| touch(&bytes));
        }
    }
}
