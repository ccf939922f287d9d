//! Widths at their edges: names, ids, counts, offsets, sizes.

use boson_document::{Limits, Value};
use boson_oson::write::{Options, to_vec};
use boson_oson::{Document, validate};
use boson_testkit::laws;

fn round_trip(document: &Value) -> Vec<u8> {
    let image = to_vec(document, &Options::COMPACT).unwrap();
    validate(&image, &Limits::OSON).unwrap();
    laws::assert_same(document, &laws::tree(&Document::new(&image).unwrap()).unwrap());
    image
}

/// How often the byte, an opcode that is rare as anything else, stands in the image.
fn count(image: &[u8], opcode: u8) -> usize {
    image.split(|byte| *byte == opcode).count() - 1
}

fn flags(image: &[u8]) -> u16 {
    u16::from_be_bytes([image[4], image[5]])
}

fn text(len: usize) -> Value {
    Value::String("a".repeat(len))
}

/// A tree of 65,536 bytes needs a size of four bytes; the reference writes 0 in two (O01 of ../shared/cases.md).
#[test]
fn the_size_of_a_scalar_is_ub4_from_65536_bytes() {
    for (len, wide) in [(65_532, false), (65_533, true), (65_534, true), (65_536, true)] {
        let image = round_trip(&text(len));
        assert_eq!(flags(&image), if wide { 0x1016 } else { 0x0016 }, "{len}");
    }
}

#[test]
fn the_size_of_a_container_is_ub4_from_65536_bytes() {
    for len in 65_515..65_535 {
        let document = Value::Object(vec![("b".to_owned(), text(len)), ("a".to_owned(), Value::Bool(true))]);
        let image = round_trip(&document);
        // Two offsets, one of them beyond reach where the tree is too large.
        let small = 2 + 2 * 3 + 3 + len + 1;
        let wide = small > 0xFFFF;
        assert_eq!(flags(&image) & 0x1000 != 0, wide, "{len}");
    }
}

/// By all names, the long ones included: the reference goes by the short ones (section 1 of docs/format/oson.md).
#[test]
fn ids_are_wide_by_all_names() {
    let names = |count: usize| (0..count).map(|i| (format!("n{i}"), Value::Null));
    for (short, long, expected) in
        [(255, 0, 0), (256, 0, 0x0400), (255, 1, 0x0400), (65_535, 0, 0x0400), (65_535, 1, 8), (65_536, 0, 8)]
    {
        let document = Value::Object(names(short).chain((0..long).map(|_| ("l".repeat(300), Value::Null))).collect());
        assert_eq!(flags(&round_trip(&document)) & 0x0408, expected, "{short} short, {long} long");
    }
}

#[test]
fn counts_grow_with_the_children() {
    for (count, opcode) in [(255, 0xC0), (256, 0xC8), (65_535, 0xE8), (65_536, 0xF0)] {
        let image = round_trip(&Value::Array(vec![Value::Null; count]));
        let header = if count < 20_000 { 13 } else { 15 };
        assert_eq!(image[header], opcode, "{count}");
    }
}

/// Heaps of long and of short names beyond 65,535 bytes.
#[test]
fn heaps_may_be_large() {
    let named = |len: usize, count: usize| {
        let names = (0..count).map(|i| (format!("{i:04}{}", "x".repeat(len - 4)), Value::Int32(1)));
        Value::Object(names.collect())
    };
    for (len, count) in [(254, 257), (254, 256), (254, 300), (300, 217), (300, 300), (40_000, 2)] {
        round_trip(&named(len, count));
    }
}

/// In a tree beyond 65,535 bytes the containers that end before that have offsets of two bytes.
#[test]
fn offsets_are_narrow_where_they_reach() {
    let row = |i: i32| {
        Value::Object(vec![
            ("id".to_owned(), Value::Int32(i)),
            ("text".to_owned(), Value::String(format!("row number {i}"))),
            ("id again".to_owned(), Value::Int32(i)),
            ("tags".to_owned(), Value::Array(vec![Value::Int32(i / 7), Value::Int32(-i)])),
        ])
    };
    let image = round_trip(&Value::Object(vec![("rows".to_owned(), Value::Array((0..5000).map(row).collect()))]));
    let (narrow, wide) = (count(&image, 0x9C), count(&image, 0xBC));
    assert!(narrow > 500 && wide > 500, "{narrow} {wide}");
}

/// Objects of more than ten fields that share their ids, whose order is found once.
#[test]
fn large_objects_share_ids_and_keep_their_order() {
    let object = |turn: i32| {
        let names = (0..20).map(|i| (format!("field {}", i * 7 % 20), Value::Int32(i * turn)));
        Value::Object(names.collect())
    };
    let document = Value::Array(vec![object(1), object(2), Value::Array(vec![object(3)]), object(0)]);
    let image = round_trip(&document);
    let shared = count(&image, 0x98);
    assert!(shared >= 3, "{shared}");
}

/// An object inside an object of the same names: the inner one ends first and lends its ids to the outer.
#[test]
fn an_inner_object_lends_its_ids_to_those_around_it() {
    let names = ["a", "b", "c"];
    let mut inner = Value::Null;
    for _ in 0..4 {
        let members =
            names.iter().map(|name| ((*name).to_owned(), if *name == "b" { inner.clone() } else { Value::Int32(5) }));
        inner = Value::Object(members.collect());
    }
    let image = round_trip(&inner);
    // The root has ids of its own always.
    assert_eq!(count(&image, 0x9C), 2);
}

#[test]
fn sizes_are_the_same_each_time() {
    for document in boson_testkit::documents(11, boson_testkit::Gen::EXACT_BOTH, 200) {
        assert_eq!(to_vec(&document, &Options::COMPACT), to_vec(&document, &Options::COMPACT));
    }
}
