//! Images that were updated in place. Besides those of the server and of `oson_made.json` these are built by hand from
//! the format: no server has verified them.

use boson_document::{DecodeErrorKind, FlagFault, Limits, Rule, Value};
use boson_oson::{Document, validate};
use boson_testkit::{laws, unhex};

use super::build::{Parts, Update, parts};
use super::{broken, decode, fault};

/// `{"a": …}` in version 2, the value's node being `node`, with these update parts.
fn updated(node: &[u8], entries: &[(u16, u16)], spare: usize, extended: &[u8]) -> Parts {
    let tree = [&[0x84, 1, 1, 0, 5], node].concat();
    let update = Update { entries: entries.to_vec(), spare, extended: extended.to_vec() };
    Parts { version: 2, update: Some(update), ..parts(&["a"], &tree) }
}

fn assert_value(parts: &Parts, text: &str) {
    let image = parts.image();
    let document = Document::new(&image).unwrap();
    let value = Value::String(text.to_owned());
    let expected = Value::Object(vec![("a".to_owned(), value)]);
    assert_eq!(laws::tree(&document), Ok(expected));
    assert_eq!(document.get("a").unwrap().unwrap().as_str(), Ok(Some(text)));
    assert_eq!(validate(&image, &Limits::OSON), Ok(()));
    laws::layout_tiles(&document, image.len());
}

#[test]
fn o05_a_forward_pointer_into_the_extended_tree() {
    let image = "ff4a5a022106010002000a00002c0000016184010100057600000000010000000000000000000000000000060568656c6c6f";
    let hello = Value::Object(vec![("a".to_owned(), Value::String("hello".to_owned()))]);
    assert_eq!(decode(image), Ok(hello));
    assert_value(&updated(&[0x76, 0, 2, 0x55], &[], 0, b"??\x05hello"), "hello");
    assert_value(&updated(&[0x77, 0, 0, 0, 3], &[], 0, b"???\x05hello"), "hello");
    // To another forwarding, of each width.
    assert_value(&updated(&[0x76, 0, 0], &[], 0, b"\x76\0\x03\x77\0\0\0\x08\x02hi"), "hi");
}

#[test]
fn o06_the_overflow_map() {
    let image = "ff4a5a022106010002000600002c0000016184010100057501000001000000000000000400000006000500000568656c6c6f";
    let hello = Value::Object(vec![("a".to_owned(), Value::String("hello".to_owned()))]);
    assert_eq!(decode(image), Ok(hello));
    assert_value(&updated(&[0x75], &[(5, 0)], 8, b"\x05hello"), "hello");
    assert_value(&updated(&[0x75], &[(0, 1), (5, 3), (1, 2)], 0, b"???\x02hi"), "hi");
    // A later entry of the same key replaces the earlier one.
    assert_value(&updated(&[0x75], &[(5, 0), (5, 3)], 0, b"\x02no\x02hi"), "hi");
    assert_value(&updated(&[0x75], &[(5, 0)], 0, b"\x76\0\x03\x02hi"), "hi");
}

#[test]
fn a_child_offset_into_the_extended_tree() {
    // The map has one entry and 4 bytes to spare: the extended tree begins at 6 + 16 + 8 = 30.
    let mut repointed = updated(&[0x30], &[(5, 0)], 4, b"\x02hi");
    repointed.tree[4] = 30;
    assert_value(&repointed, "hi");
    // In the update header, in the map, beyond the end.
    for offset in [6, 21, 22, 29, 33] {
        repointed.tree[4] = offset;
        assert_eq!(fault(&repointed.image()), DecodeErrorKind::OffsetOutOfRange(u32::from(offset)), "{offset}");
    }
}

#[test]
fn relative_offsets_in_the_extended_tree() {
    // The array in the extended tree stands at 7 + 16 = 23 and points 4 bytes ahead, then back to offset 5.
    let mut relative = updated(&[0x31, 0x32], &[], 0, &[0xC0, 2, 0, 6, 0xFF, 0xEE, 0x30]);
    relative.flags = 0x0001;
    relative.tree[4] = 23;
    let elements = Value::Array(vec![Value::Null, Value::Bool(true)]);
    let image = relative.image();
    assert_eq!(laws::tree(&Document::new(&image).unwrap()), Ok(Value::Object(vec![("a".to_owned(), elements)])));
    laws::layout_tiles(&Document::new(&image).unwrap(), image.len());
}

#[test]
fn forwarding_cycles_are_refused() {
    let cycles = [
        updated(&[0x76, 0, 0], &[], 0, b"\x76\0\0"),
        updated(&[0x76, 0, 0], &[], 0, b"\x76\0\x03\x76\0\x06\x76\0\x03"),
        updated(&[0x75], &[(5, 0)], 0, b"\x77\0\0\0\0"),
        updated(&[0x77, 0, 0, 0, 5], &[], 0, b"\x77\0\0\0\x05\x77\0\0\0\0"),
    ];
    for parts in cycles {
        let image = parts.image();
        assert_eq!(fault(&image), broken(Rule::ForwardingCycle), "{parts:?}");
        assert!(Document::new(&image).unwrap().get("a").is_err());
        assert_eq!(validate(&image, &Limits::OSON).unwrap_err().path.to_string(), "$.a");
    }
}

#[test]
fn forwardings_that_lead_nowhere_are_refused() {
    assert_eq!(fault(&updated(&[0x76, 0, 3], &[], 0, b"\x02hi").image()), DecodeErrorKind::OffsetOutOfRange(3));
    assert_eq!(
        fault(&updated(&[0x77, 1, 0, 0, 0], &[], 0, b"\x02hi").image()),
        DecodeErrorKind::OffsetOutOfRange(1 << 24)
    );
    assert_eq!(fault(&updated(&[0x75], &[(4, 0)], 0, b"\x02hi").image()), broken(Rule::NotInOverflowMap));
    assert_eq!(fault(&updated(&[0x75], &[(5, 3)], 0, b"\x02hi").image()), DecodeErrorKind::OffsetOutOfRange(3));
    // The forwarding is cut by the end of its segment.
    let mut cut = updated(&[0x76, 0], &[], 0, b"\x02hi");
    assert!(matches!(fault(&cut.image()), DecodeErrorKind::UnexpectedEnd { .. }));
    // Nothing was moved in versions 1 and 3, and not in a version 2 that has no update parts.
    for version in [1, 2, 3] {
        cut = Parts { version, update: None, ..updated(&[0x76, 0, 0], &[], 0, b"") };
        assert_eq!(fault(&cut.image()), DecodeErrorKind::OffsetOutOfRange(0));
        cut = Parts { version, update: None, ..updated(&[0x75], &[], 0, b"") };
        assert_eq!(fault(&cut.image()), broken(Rule::NotInOverflowMap));
    }
}

#[test]
fn keys_of_the_overflow_map_lie_in_the_primary_tree() {
    // Of an entry that is used, and of one that is not.
    for entries in [&[(6, 0), (5, 0)][..], &[(5, 0), (0xFFFF, 0)]] {
        let image = updated(&[0x75], entries, 0, b"\x02hi").image();
        assert_eq!(fault(&image), broken(Rule::MapKey));
        // A lookup does not look at entries it has no use for.
        assert!(Document::new(&image).unwrap().get("a").unwrap().is_some());
    }
    // A node of the extended tree cannot be forwarded through the map.
    let image = updated(&[0x76, 0, 0], &[(5, 1)], 0, b"\x75\x02hi").image();
    assert_eq!(fault(&image), broken(Rule::MapKey));
    assert!(Document::new(&image).unwrap().get("a").is_err());
}

#[test]
fn an_object_that_others_borrow_ids_from_may_move() {
    // [{"x": 1} moved to {"x": true}, {"x": 2}], the second with the ids of the first.
    let tree = unhex("c0 02 0006 000e 87 01 01 000b 21c102 9c 0006 0013 21c103");
    // The extended tree begins at 22 + 16 + 8, its object's value 5 bytes later.
    let update = Update { entries: vec![(6, 0)], spare: 4, extended: unhex("84 01 01 0033 31") };
    let mut parts = Parts { version: 2, update: Some(update), ..parts(&["x"], &tree) };
    let image = parts.image();
    let document = Document::new(&image).unwrap();
    let elements = [document.root().unwrap().get_index(0), document.root().unwrap().get_index(1)];
    let x = |index: usize| elements[index].unwrap().unwrap().get("x").unwrap().unwrap().scalar().unwrap().unwrap();
    assert_eq!(x(0), boson_document::Scalar::Bool(true));
    assert!(matches!(x(1), boson_document::Scalar::Number(number) if number.to_i64() == Some(2)));
    laws::layout_tiles(&document, image.len());
    assert_eq!(validate(&image, &Limits::OSON), Ok(()));
    // Without its entry in the map.
    parts.update = Some(Update::default());
    assert_eq!(fault(&parts.image()), broken(Rule::NotInOverflowMap));
}

#[test]
fn the_update_header_agrees_with_the_image() {
    let good = updated(&[0x75], &[(5, 0)], 2, b"\x02hi").image();
    let header_at = good.len() - 3 - 6 - 16;
    let patched = |place: usize, byte: u8| {
        let mut image = good.clone();
        image[header_at + place] = byte;
        fault(&image)
    };
    assert_eq!(patched(1, 1), DecodeErrorKind::UnsupportedFlags(0x0101, FlagFault::Reserved));
    assert_eq!(patched(0, 0x81), DecodeErrorKind::UnsupportedFlags(0x8100, FlagFault::Reserved));
    for (place, byte) in [(3, 2), (7, 1), (11, 5), (11, 7), (15, 2), (15, 4), (8, 0xFF), (12, 0xFF)] {
        assert_eq!(patched(place, byte), broken(Rule::UpdateHeader), "{place}");
    }
    // Cut anywhere, it is refused.
    for end in header_at + 1..good.len() {
        assert!(Document::new(&good[..end]).is_err(), "{end}");
    }
    // A version 2 image may have no update parts at all.
    assert!(Document::new(&good[..header_at]).is_ok());
}

#[test]
fn an_empty_map_and_an_empty_extended_tree() {
    assert_value(&updated(b"\x02hi", &[], 0, b""), "hi");
    assert_value(&updated(b"\x02hi", &[], 100, b"unused"), "hi");
}

#[test]
fn long_names_and_updates_together() {
    let name = "n".repeat(256);
    let update = Update { entries: vec![(5, 0)], spare: 0, extended: b"\x02hi".to_vec() };
    let parts = Parts {
        version: 4,
        long: vec![(name.clone().into_bytes(), 0)],
        update: Some(update),
        ..parts(&[], &[0x84, 1, 1, 0, 5, 0x75])
    };
    let image = parts.image();
    let document = Document::new(&image).unwrap();
    assert_eq!(document.get(&name).unwrap().unwrap().as_str(), Ok(Some("hi")));
    assert_eq!(validate(&image, &Limits::OSON), Ok(()));
    laws::layout_tiles(&document, image.len());
}

#[test]
fn the_root_may_be_moved() {
    let update = Update { entries: Vec::new(), spare: 0, extended: b"\x84\0".to_vec() };
    let parts = Parts { version: 2, update: Some(update), ..parts(&[], &[0x76, 0, 0]) };
    assert_eq!(laws::tree(&Document::new(&parts.image()).unwrap()), Ok(Value::Object(Vec::new())));
}

/// Images with update parts, for other tests.
pub(super) fn images() -> Vec<Vec<u8>> {
    let images = [
        updated(&[0x76, 0, 2, 0x55], &[], 0, b"??\x05hello"),
        updated(&[0x75], &[(0, 1), (5, 3), (1, 2)], 6, b"???\x02hi"),
        updated(&[0x76, 0, 0], &[], 0, b"\x76\0\x03\x77\0\0\0\x08\x02hi"),
    ];
    images.iter().map(Parts::image).collect()
}
