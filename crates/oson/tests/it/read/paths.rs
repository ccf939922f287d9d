//! From an offset to a path.

use boson_document::{Limits, Source};
use boson_oson::{Document, path_at, validate};
use boson_testkit::unhex;

use super::build::parts;

/// `[null, {"k": "v"}]`, with everything at known places of the tree.
fn image() -> (Vec<u8>, usize) {
    let tree = unhex("c0 02 0006 0007 30 84 01 01 000c 01 76");
    let image = parts(&["k"], &tree).image();
    let tree_at = image.len() - tree.len();
    (image, tree_at)
}

#[test]
fn every_byte_has_the_path_of_its_value() {
    let (image, tree_at) = image();
    let paths = ["$", "$", "$[0]", "$[0]", "$[1]", "$[1]", "$[0]", "$[1]", "$[1]", "$[1].k", "$[1].k", "$[1].k"];
    for (place, path) in paths.iter().chain(["$[1].k"; 2].iter()).enumerate() {
        assert_eq!(path_at(&image, tree_at + place).to_string(), *path, "{place}");
    }
    // Header, names, beyond the end, and bytes that are no image.
    for offset in [0, tree_at - 1, image.len(), usize::MAX] {
        assert_eq!(path_at(&image, offset).to_string(), "$");
    }
    assert_eq!(path_at(b"no image", 3).to_string(), "$");
}

#[test]
fn errors_name_the_value_they_are_in() {
    let (good, tree_at) = image();
    let faults = [
        (6, 0x78, "$[0]"),    // reserved opcode
        (12, 0x02, "$[1].k"), // a string that reaches beyond the end
        (13, 0xFF, "$[1].k"), // not UTF-8
        (9, 2, "$[1]"),       // unknown field id
        (11, 99, "$[1].k"),   // outside the tree
        (3, 0, "$[0]"),       // the array is inside itself
        (8, 0x20, "$[1]"),    // more members than there is room for
    ];
    for (place, byte, path) in faults {
        let mut image = good.clone();
        image[tree_at + place] = byte;
        let located = validate(&image, &Limits::OSON).unwrap_err();
        assert_eq!(located.path.to_string(), path, "{place}: {located}");
    }
}

#[test]
fn the_message_says_all_there_is_to_say() {
    let (mut image, tree_at) = image();
    image[tree_at + 13] = 0xFF;
    let located = validate(&image, &Limits::OSON).unwrap_err();
    assert_eq!(located.to_string(), format!("offset {}, $[1].k: invalid UTF-8", tree_at + 13));
}

#[test]
fn the_path_of_what_lies_too_deep() {
    let (image, _) = image();
    let document = Document::new(&image).unwrap();
    let error = document.limited(Limits::OSON.with_depth(1)).drive(&mut boson_document::Discard).unwrap_err();
    assert_eq!(path_at(&image, error.offset).to_string(), "$[1]");
}
