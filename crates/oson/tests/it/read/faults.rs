//! Damaged headers, dictionaries and opcodes.

use boson_document::{DecodeErrorKind, Limits, Rule};
use boson_oson::{Document, image_len, validate};
use boson_testkit::unhex;

use super::build::{Parts, parts, scalar};
use super::{broken, decode_bytes, fault};

#[test]
fn what_is_no_image() {
    assert!(matches!(fault(b""), DecodeErrorKind::UnexpectedEnd { missing: 3 }));
    assert!(matches!(fault(b"\xFF\x4A\x5A"), DecodeErrorKind::UnexpectedEnd { .. }));
    assert_eq!(fault(b"{\"a\":1}"), DecodeErrorKind::BadMagic);
    for version in [0, 5, 255] {
        assert_eq!(
            fault(&[0xFF, 0x4A, 0x5A, version, 0, 0x16, 0, 1, 0x30]),
            DecodeErrorKind::UnsupportedVersion(version)
        );
    }
}

#[test]
fn every_image_that_is_cut_is_refused() {
    let image = parts(&["a", "c"], &unhex("84 02 01 02 0008 0009 31 32")).image();
    for end in 0..image.len() {
        assert!(decode_bytes(&image[..end]).is_err(), "{end}");
        assert!(validate(&image[..end], &Limits::OSON).is_err(), "{end}");
    }
    // The header alone says how long the image is.
    assert_eq!(image_len(&image[..13]), Ok(Some(image.len())));
    assert!(image_len(&image[..12]).is_err());
}

#[test]
fn names_stay_inside_their_heap() {
    let good = parts(&["a", "c"], &unhex("84 00")).image();
    // 13 bytes of header, 2 hashes, 2 offsets, then 01 61 01 63.
    for (place, byte) in [(16, 5), (15, 1), (18, 4), (19, 4), (21, 2)] {
        let mut image = good.clone();
        image[place] = byte;
        assert_eq!(fault(&image), broken(Rule::NameOutsideHeap), "{place}");
        // Nothing of it is needed to read the root.
        assert!(Document::new(&image).unwrap().root().is_ok());
    }
    let mut image = good;
    image[20] = 0xFF;
    assert_eq!(fault(&image), DecodeErrorKind::InvalidUtf8);
    assert_eq!(decode_bytes(&image).unwrap_err().offset, 20);
}

#[test]
fn hashes_and_order_of_short_names_are_checked_by_validate() {
    let rule = |parts: &Parts| validate(&parts.image(), &Limits::OSON).unwrap_err().error.kind;
    assert_eq!(rule(&parts(&["c", "a"], &unhex("8400"))), broken(Rule::DictionaryOrder), "by hash");
    let same_hash = boson_testkit::random::colliding(0x98, 20);
    let (short, long) = (&same_hash[0], same_hash.last().unwrap());
    assert!(short.len() < long.len());
    assert_eq!(rule(&parts(&[long, short], &unhex("8400"))), broken(Rule::DictionaryOrder), "by length");
    let mut image = parts(&["a"], &unhex("8400")).image();
    image[13] = 0;
    assert_eq!(validate(&image, &Limits::OSON).unwrap_err().error.kind, broken(Rule::DictionaryOrder), "wrong hash");
    let twice = Parts { version: 3, long: vec![(b"a".to_vec(), 0)], ..parts(&["a"], &unhex("8400")) };
    assert_eq!(rule(&twice), broken(Rule::DictionaryOrder), "in both tiers");
    let twice = ["x", "y", "x"].map(|name| (name.as_bytes().to_vec(), 0)).to_vec();
    assert_eq!(rule(&Parts { version: 3, long: twice, ..parts(&[], &unhex("8400")) }), broken(Rule::DictionaryOrder));
}

#[test]
fn a_heap_without_names() {
    assert_eq!(fault(&unhex("ff4a5a01 2106 00 0001 0002 0000 00 8400")), broken(Rule::HeapWithoutNames));
    let long = "ff4a5a03 2106 00 0000 0000 00000000 00000001 0002 0000 00 8400";
    assert_eq!(fault(&unhex(long)), broken(Rule::HeapWithoutNames));
}

#[test]
fn field_ids_are_in_the_dictionary() {
    for (tree, id) in
        [("84 01 00 0005 30", 0), ("84 01 03 0005 30", 3), ("84 01 ff 0005 30", 255), ("80 02 01 09 0008 0008 30", 9)]
    {
        let image = parts(&["a", "c"], &unhex(tree)).image();
        assert_eq!(fault(&image), DecodeErrorKind::FieldIdOutOfRange(id), "{tree}");
    }
}

#[test]
fn opcodes_that_there_are_not() {
    for opcode in 0..=0x7F {
        let mut tree = vec![opcode];
        tree.resize(64, 0x30);
        let known = matches!(
            opcode,
            0..=0x3E | 0x40..=0x47 | 0x50..=0x6F | 0x74..=0x77 | 0x7B..=0x7F
        );
        // Trailing bytes inside the tree are no fault, so only the opcode decides.
        let unknown = match fault_of(&tree) {
            Some(DecodeErrorKind::UnknownTag(found)) => found == opcode,
            Some(DecodeErrorKind::Broken(Rule::ReservedOpcode)) => opcode == 0x78 || opcode == 0x7B,
            _ => false,
        };
        assert_eq!(unknown, !known || opcode == 0x7B, "{opcode:02x}: {:?}", fault_of(&tree));
    }
}

fn fault_of(tree: &[u8]) -> Option<DecodeErrorKind> {
    decode_bytes(&scalar(tree)).err().map(|error| error.kind)
}

#[test]
fn values_end_within_the_tree() {
    for tree in [
        "01",
        "1f 61",
        "33",
        "33 02 61",
        "37",
        "37 00",
        "37 0002 61",
        "38 000000",
        "38 00000002 61",
        "38 ffffffff 61",
        "20",
        "34",
        "34 02 c1",
        "35 02 31",
        "36 0000",
        "7f 00",
        "3c 00",
        "39 787c0102040506 00",
        "7d 00",
        "7c 00",
        "3d 00",
        "3e 00",
        "3a 00",
        "3a 0001",
        "3b 000000",
        "3b 7fffffff",
        "41",
        "51",
        "60",
        "74",
        "74 01",
        "7e",
        "7e 01",
    ] {
        let kind = fault_of(&unhex(tree));
        assert!(matches!(kind, Some(DecodeErrorKind::UnexpectedEnd { .. })), "{tree}: {kind:?}");
    }
    for tree in [
        "84",
        "84 02",
        "84 02 01 02 0001",
        "8c 00",
        "94 000000",
        "94 7fffffff",
        "c0",
        "c0 01 00",
        "f0 ffffffff",
        "d0 10000000",
        "c8 ffff",
    ] {
        let kind = fault(&parts(&["a", "c"], &unhex(tree)).image());
        assert!(matches!(kind, DecodeErrorKind::UnexpectedEnd { .. }), "{tree}: {kind:?}");
    }
}

#[test]
fn strings_are_utf8() {
    for (tree, place) in
        [("01 ff", 0), ("03 61c328", 1), ("03 eda0bd", 0), ("33 02 c080", 0), ("37 0004 f4908080", 0), ("02 61c3", 1)]
    {
        let error = decode_bytes(&scalar(&unhex(tree))).unwrap_err();
        assert_eq!(error.kind, DecodeErrorKind::InvalidUtf8);
        let payload_at = 8 + match tree.as_bytes()[0] {
            b'0' => 1,
            _ if tree.starts_with("33") => 2,
            _ => 3,
        };
        assert_eq!(error.offset, payload_at + place, "{tree}");
    }
}
