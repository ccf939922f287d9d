//! Point work on a document that stays bytes.

use std::cell::Cell;
use std::io;

use boson_document::{Blocks, DecodeErrorKind, Kind, PathBuf, ReadAt, Scalar, Value};
use boson_oson::write::{Options, to_vec};
use boson_oson::{Document, FieldOrder, Image};
use boson_testkit::unhex;

use super::build::{Parts, parts};
use super::server_images::server_images;

fn path(text: &str) -> PathBuf {
    text.parse().unwrap()
}

/// `{"a":[null,{"c":"hi"}],"c":true}`.
fn small() -> Vec<u8> {
    parts(&["a", "c"], &unhex("84 02 0102 0008 0018 c0 02 000e 000f 30 84 01 02 0014 02 6869 00 31")).image()
}

#[test]
fn members_elements_and_paths() {
    let image = small();
    let document = Document::new(&image).unwrap();
    let text = |at: &str| document.get_path(&path(at)).unwrap().and_then(|value| value.as_str().unwrap());
    assert_eq!(text("$.a[1].c"), Some("hi"));
    for absent in ["$.a[2]", "$.a.c", "$.b", "$[0]", "$.c.a", "$.a[1].a", "$.a[0][0]"] {
        assert!(document.get_path(&path(absent)).unwrap().is_none(), "{absent}");
    }
    let root = document.root().unwrap();
    assert_eq!((root.kind(), root.len(), root.is_empty()), (Kind::Object, 2, false));
    assert_eq!(document.get_path(&path("$")).unwrap().unwrap().kind(), Kind::Object);
    let array = root.get("a").unwrap().unwrap();
    assert_eq!((array.kind(), array.len(), array.scalar()), (Kind::Array, 2, Ok(None)));
    let kinds: Vec<_> = array.items().map(|item| item.unwrap().kind()).collect();
    assert_eq!(kinds, [Kind::Null, Kind::Object]);
    let names: Vec<_> = root.fields().map(|field| field.unwrap().0).collect();
    assert_eq!(names, ["a", "c"]);
    assert_eq!((root.items().len(), array.fields().len(), array.members().len()), (0, 0, 0));
    assert!(array.get("c").unwrap().is_none() && array.get_index(2).unwrap().is_none());
}

#[test]
fn an_answer_borrows_from_the_input() {
    fn role(bytes: &[u8]) -> Option<&str> {
        Document::new(bytes).ok()?.get("role").ok()??.as_str().ok()?
    }
    for (_, _, image) in server_images().into_iter().filter(|(name, ..)| name == "simple object") {
        assert_eq!(role(&image), Some("Developer"));
    }
}

#[test]
fn a_name_is_looked_up_once_for_many_objects() {
    for (_, _, image) in server_images().into_iter().filter(|(name, ..)| name == "shared objects") {
        let document = Document::new(&image).unwrap();
        let id = document.name_id("delegate_id").unwrap().unwrap();
        assert_eq!(document.name(id), Ok("delegate_id"));
        let records = document.get("identical_records").unwrap().unwrap();
        let seven = |record: boson_oson::Value<'_>| {
            let value = record.get_by_id(id).unwrap().unwrap().scalar().unwrap().unwrap();
            matches!(value, Scalar::Number(number) if number.to_i64() == Some(7))
        };
        assert_eq!(records.items().filter(|record| seven(record.unwrap())).count(), 32);
        assert!(document.root().unwrap().get_by_id(id).unwrap().is_none());
    }
}

#[test]
fn the_names_of_a_document() {
    let image = small();
    let names: Result<Vec<_>, _> = Document::new(&image).unwrap().names().collect();
    assert_eq!(names, Ok(vec!["a", "c"]));
    let other = parts(&["x"], &unhex("8400")).image();
    let other_id = Document::new(&image).unwrap().name_id("c").unwrap().unwrap();
    let error = Document::new(&other).unwrap().name(other_id).unwrap_err();
    assert_eq!(error.kind, DecodeErrorKind::FieldIdOutOfRange(2));
}

#[test]
fn the_span_of_a_value_is_its_node() {
    let image = small();
    let document = Document::new(&image).unwrap();
    let tree_at = document.root().unwrap().span().offset;
    let span = |at: &str| document.get_path(&path(at)).unwrap().unwrap().span();
    assert_eq!((span("$").len, span("$.a").offset - tree_at, span("$.a").len), (8, 8, 6));
    assert_eq!(&image[span("$.a[1].c").range()], b"\x02hi");
}

#[test]
fn what_is_not_asked_for_is_not_checked() {
    // "a" is a NUMBER of no digits, "c" is fine.
    let image = parts(&["a", "c"], &unhex("84 02 0102 0008 000a 3400 31")).image();
    let document = Document::new(&image).unwrap();
    assert_eq!(document.get("c").unwrap().unwrap().scalar(), Ok(Some(Scalar::Bool(true))));
    let bad = document.get("a").unwrap().unwrap();
    assert_eq!(bad.kind(), Kind::Number);
    assert!(bad.scalar().is_err());
}

#[test]
fn fields_in_the_order_of_the_input() {
    let names: Vec<String> = (0..11).map(|number| format!("n{number:02}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let (mut offsets, mut values) = (Vec::new(), Vec::new());
    for place in 0..11_u16 {
        // The values lie in the opposite order of the ids.
        offsets.extend((35 + (10 - place)).to_be_bytes());
        values.push(0x30);
    }
    let ids: Vec<u8> = (1..=11).collect();
    let image = parts(&names, &[&[0x80, 11][..], &ids, &offsets, &values].concat()).image();
    let root = Document::new(&image).unwrap().root().unwrap();
    let mut order = FieldOrder::new();
    for _ in 0..2 {
        let fields = root.fields_in_order(&mut order).unwrap();
        assert_eq!(fields.len(), 11);
        let in_order: Vec<_> = fields.map(|field| field.unwrap().0).collect();
        assert_eq!(in_order, names.iter().rev().copied().collect::<Vec<_>>());
    }
    let stored: Vec<_> = root.fields().map(|field| field.unwrap().0).collect();
    assert_eq!(stored, names);
}

/// Every field of objects of 300 and of 70000, their ids of two and of four bytes, sorted and not.
#[test]
fn lookups_in_objects_of_many_fields() {
    for (count, wide) in [(300_u32, false), (70_000, true)] {
        for opcode in [0xA0, 0xA4] {
            let image = many_fields(count, wide, opcode);
            let document = Document::new(&image).unwrap();
            for number in (0..count).step_by(if wide { 997 } else { 1 }) {
                let value = document.get(&format!("n{number}")).unwrap().unwrap();
                assert_eq!(value.as_str(), Ok(Some(&*number.to_string())), "{count} {opcode:x}");
            }
            for absent in ["", "n", &format!("n{count}"), "m1", "n00"] {
                assert!(document.get(absent).unwrap().is_none());
            }
        }
    }
}

fn many_fields(count: u32, wide: bool, opcode: u8) -> Vec<u8> {
    let mut names: Vec<String> = (0..count).map(|number| format!("n{number}")).collect();
    names.sort_by_key(|name| (super::build::fnv1a(name.as_bytes()) & 0xFF, name.len(), name.clone()));
    let count_bytes = if wide { count.to_be_bytes().to_vec() } else { count.to_be_bytes()[2..].to_vec() };
    let mut ids: Vec<u32> = (1..=count).collect();
    if opcode == 0xA4 {
        ids.reverse();
    }
    let id_len = if wide { 4 } else { 2 };
    let mut tree = vec![opcode | if wide { 0x10 } else { 0x08 }];
    tree.extend(&count_bytes);
    for id in &ids {
        tree.extend(&id.to_be_bytes()[4 - id_len..]);
    }
    let mut at = tree.len() + 4 * ids.len();
    let mut values = Vec::new();
    for id in &ids {
        tree.extend(u32::try_from(at).unwrap().to_be_bytes());
        let number = &names[usize::try_from(*id).unwrap() - 1][1..];
        values.push(u8::try_from(number.len()).unwrap());
        values.extend(number.bytes());
        at += number.len() + 1;
    }
    tree.extend(values);
    let mut image = vec![0xFF, 0x4A, 0x5A, 1];
    let flags: u16 = 0x1906 | if wide { 0x0008 } else { 0x0400 };
    image.extend(flags.to_be_bytes());
    image.extend(count_bytes);
    let heap: usize = names.iter().map(|name| name.len() + 1).sum();
    image.extend(u32::try_from(heap).unwrap().to_be_bytes());
    image.extend(u32::try_from(tree.len()).unwrap().to_be_bytes());
    image.extend([0, 0]);
    image.extend(names.iter().map(|name| super::build::fnv1a(name.as_bytes()).to_le_bytes()[0]));
    let mut offset = 0_u32;
    for name in &names {
        image.extend(offset.to_be_bytes());
        offset += u32::try_from(name.len()).unwrap() + 1;
    }
    for name in &names {
        image.push(u8::try_from(name.len()).unwrap());
        image.extend(name.bytes());
    }
    image.extend(tree);
    image
}

/// A reader that remembers the end of what it was asked for.
struct Recording<'a> {
    bytes: &'a [u8],
    end: &'a Cell<u64>,
}

impl ReadAt for Recording<'_> {
    fn size(&self) -> io::Result<u64> {
        self.bytes.size()
    }

    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        self.end.set(self.end.get().max(offset + u64::try_from(buffer.len()).unwrap()));
        self.bytes.read_exact_at(buffer, offset)
    }
}

#[test]
fn an_absent_name_is_answered_without_the_tree() {
    let long = Parts {
        version: 3,
        long: vec![("n".repeat(300).into_bytes(), 0)],
        ..parts(&["a"], &unhex("84 01 01 0005 30"))
    };
    for image in [many_fields(300, false, 0xA0), small(), long.image()] {
        let tree_at = Document::new(&image).unwrap().root().unwrap().span().offset;
        let end = Cell::new(0);
        let blocks = Blocks::new(Recording { bytes: &image, end: &end }, 1).unwrap();
        let document = Image::open(&blocks).unwrap();
        for absent in ["absent", "n1000", "", &"m".repeat(300)] {
            assert!(document.get(absent).unwrap().is_none());
        }
        assert!(end.get() <= u64::try_from(tree_at).unwrap(), "{} of {tree_at}", end.get());
    }
}

#[test]
fn a_lookup_reads_few_blocks() {
    let image = many_fields(70_000, true, 0xA0);
    let blocks = Blocks::new(image.as_slice(), 8192).unwrap();
    let document = Image::open(&blocks).unwrap();
    let value = document.get("n12345").unwrap().unwrap();
    let held = value.held().unwrap().unwrap();
    assert_eq!(held.scalar(), Ok(Scalar::String("12345")));
    assert!(blocks.blocks_read() < 30, "{} of {}", blocks.blocks_read(), image.len() / 8192);
}

#[test]
fn a_reader_that_fails() {
    #[derive(Debug)]
    struct Failing;
    impl ReadAt for Failing {
        fn size(&self) -> io::Result<u64> {
            Ok(100)
        }
        fn read_exact_at(&self, _: &mut [u8], _: u64) -> io::Result<()> {
            Err(io::ErrorKind::PermissionDenied.into())
        }
    }
    let blocks = Blocks::new(Failing, 10).unwrap();
    let error = Image::open(&blocks).unwrap_err();
    assert_eq!(error.kind, DecodeErrorKind::Io(io::ErrorKind::PermissionDenied));
}

/// Around each number of names at which the search changes: what memory answers at once, blocks answer by the long way.
#[test]
fn a_leaf_is_found_in_memory_as_in_blocks() {
    for count in [1, 2, 7, 8, 9, 10, 11, 16, 17, 100, 254, 255, 256, 300] {
        let name = |number: usize| format!("n{}", number * number);
        let member = |number| (name(number), Value::String("x".repeat(number)));
        let image = to_vec(&Value::Object((0..count).map(member).collect()), &Options::default()).unwrap();
        let (document, blocks) = (Document::new(&image).unwrap(), Blocks::new(image.as_slice(), 64).unwrap());
        let in_blocks = Image::open(&blocks).unwrap();
        for number in 0..count {
            let (value, other) = (document.get(&name(number)).unwrap(), in_blocks.get(&name(number)).unwrap());
            assert_eq!(value.unwrap().as_str(), Ok(Some("x".repeat(number).as_str())));
            assert_eq!(value.unwrap().span(), other.unwrap().span());
        }
        for absent in ["", "n", "n2", "m1", "n1 "] {
            assert!(document.get(absent).unwrap().is_none(), "{absent} of {count}");
        }
    }
}
