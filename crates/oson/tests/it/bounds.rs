//! Small images that stand for very much.

use std::time::{Duration, Instant};

use boson_document::{
    Container, DecodeError, DecodeErrorKind, Descend, Discard, Layout, Limit, Limits, Scalar, Sink, Source, Span, Value,
};
use boson_oson::write::{EncodeErrorKind, Options, to_vec};
use boson_oson::{Document, validate};
use boson_testkit::{laws, unhex};

/// Limits under which only the size of an image bounds what it unfolds into.
const WIDE: Limits = Limits { depth: 1_000_000, nodes: u64::MAX, bytes: usize::MAX };

/// An image without names.
fn image(tree: &[u8]) -> Vec<u8> {
    let mut image = unhex("ff4a5a01 3106 00 0000");
    image.extend(u32::try_from(tree.len()).unwrap().to_be_bytes());
    image.extend([0, 0]);
    image.extend(tree);
    image
}

/// `levels` arrays of `width` references each to the next, and the last ones to `leaf`.
fn wide(levels: u16, width: u8, leaf: &[u8]) -> Vec<u8> {
    let len = 2 + 2 * u16::from(width);
    let arrays = (1..=levels).flat_map(|level| {
        let next = (level * len).to_be_bytes();
        [&[0xC0, width][..], &next.repeat(width.into())].concat()
    });
    image(&arrays.chain(leaf.iter().copied()).collect::<Vec<u8>>())
}

/// `levels` arrays inside each other.
fn nested(levels: u32) -> Vec<u8> {
    let arrays = (1..levels).flat_map(|level| [&[0xE0, 1][..], &(level * 6).to_be_bytes()].concat());
    image(&arrays.chain([0xC0, 0]).collect::<Vec<u8>>())
}

/// Counts the leaves and the bytes of those that are strings.
#[derive(Default)]
struct Count {
    leaves: usize,
    bytes: usize,
}

impl Sink for Count {
    type Error = DecodeError;

    fn scalar(&mut self, scalar: Scalar<'_>, _: Span) -> Result<(), DecodeError> {
        self.leaves += 1;
        if let Scalar::String(text) = scalar {
            self.bytes += text.len();
        }
        Ok(())
    }

    fn begin_object(&mut self, _: Container) -> Result<Descend, DecodeError> {
        Ok(Descend::Into)
    }

    fn end_object(&mut self) -> Result<(), DecodeError> {
        Ok(())
    }

    fn begin_array(&mut self, _: Container) -> Result<Descend, DecodeError> {
        Ok(Descend::Into)
    }

    fn end_array(&mut self) -> Result<(), DecodeError> {
        Ok(())
    }

    fn begin_code_with_scope(&mut self, _: &str, _: Container) -> Result<Descend, DecodeError> {
        unreachable!("OSON has none")
    }

    fn end_code_with_scope(&mut self) -> Result<(), DecodeError> {
        unreachable!("OSON has none")
    }

    fn key(&mut self, _: &str, _: Span) -> Result<(), DecodeError> {
        Ok(())
    }
}

/// What a walk within `limits` delivers, and the limit it runs into.
fn delivered(image: &[u8], limits: Limits) -> (Count, Limit) {
    let mut count = Count::default();
    let error = Document::new(image).unwrap().limited(limits).drive(&mut count).unwrap_err();
    let DecodeErrorKind::LimitExceeded(limit) = error.kind else { panic!("{error}") };
    (count, limit)
}

/// 30 arrays of two references each to the next lead to 2^30 leaves in 196 bytes.
#[test]
fn a_bomb_of_shared_arrays_is_refused_at_once_whatever_the_limits() {
    let bomb = wide(30, 2, &[0x31]);
    for limits in [Limits::OSON, WIDE, Limits::OSON.with_nodes(1 << 40)] {
        let (count, limit) = delivered(&bomb, limits);
        assert_eq!(limit, Limit::Nodes);
        assert!(count.leaves <= 65_536 + 1024 * bomb.len(), "{}", count.leaves);
        let error = validate(&bomb, &limits).unwrap_err().error;
        assert_eq!(error.kind, DecodeErrorKind::LimitExceeded(Limit::Nodes));
    }
    laws::layout_tiles(&Document::new(&bomb).unwrap(), bomb.len());
}

/// The limit of nodes still narrows what is allowed.
#[test]
fn the_smaller_budget_of_nodes_applies() {
    let tree = wide(3, 2, &[0x31]);
    let walk = |nodes| Document::new(&tree).unwrap().limited(Limits::OSON.with_nodes(nodes)).drive(&mut Discard);
    assert!(walk(15).is_ok());
    assert_eq!(walk(14).unwrap_err().kind, DecodeErrorKind::LimitExceeded(Limit::Nodes));
}

#[test]
fn a_string_shared_65025_times_does_not_become_gigabytes() {
    let text = [&[0x37][..], &60_000_u16.to_be_bytes(), &b"x".repeat(60_000)].concat();
    let bomb = wide(2, 255, &text);
    assert!(bomb.len() < 61_100);
    for limits in [Limits::OSON, WIDE] {
        let (count, limit) = delivered(&bomb, limits);
        assert_eq!(limit, Limit::SharedBytes);
        assert!(count.bytes <= 64 << 20, "{}", count.bytes);
    }
    let (count, _) = delivered(&bomb, Limits::OSON.with_bytes(100_000));
    assert!(count.bytes <= 800_000, "{}", count.bytes);
    let message = validate(&bomb, &Limits::OSON).unwrap_err().to_string();
    assert!(message.contains("shared again and again"), "{message}");
}

/// Texts, names and whole objects again and again: the reader takes what the writer makes of it.
#[test]
fn honest_documents_that_repeat_each_other_are_read() {
    let text = |len: usize| Value::String("x".repeat(len));
    let members = [("status", text(300)), ("note", text(1000)), ("kind", text(20)), ("tags", Value::Array(vec![]))];
    let object = Value::Object(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect());
    for document in [vec![object; 3000], vec![text(1000); 50_000], vec![Value::Null; 1_000_000]] {
        let document = Value::Array(document);
        let image = to_vec(&document, &Options::COMPACT).unwrap();
        validate(&image, &Limits::OSON).unwrap();
        assert_eq!(laws::tree(&Document::new(&image).unwrap()).unwrap(), document);
    }
}

/// Quadratic time takes many seconds here, linear time milliseconds.
#[test]
fn a_hundred_thousand_levels_take_linear_time() {
    let image = nested(100_000);
    let began = Instant::now();
    assert_eq!(validate(&image, &WIDE), Ok(()));
    Document::new(&image).unwrap().limited(WIDE).drive(&mut Discard).unwrap();
    let deep = WIDE.with_depth(99_999);
    assert_eq!(validate(&image, &deep).unwrap_err().error.kind, DecodeErrorKind::LimitExceeded(Limit::Depth(99_999)));
    assert!(Document::new(&image).unwrap().regions().is_err(), "too deep for a tour");
    assert!(began.elapsed() < Duration::from_secs(3), "{:?}", began.elapsed());
}

/// Its one name, `a`, has the hash 2D where 2C belongs.
#[test]
fn a_name_of_the_wrong_hash_is_not_found_and_found_out_by_validate() {
    let image = unhex("ff4a5a01 2106 01 0002 0008 0000 2d 0000 0161 84 01 01 0005 21 c102");
    let document = Document::new(&image).unwrap();
    assert!(document.get("a").unwrap().is_none());
    assert!(document.name_id("a").unwrap().is_none());
    assert!(laws::tree(&document).unwrap().get("a").is_some());
    let error = validate(&image, &Limits::OSON).unwrap_err().error;
    assert_eq!(error.kind, DecodeErrorKind::Broken(boson_document::Rule::DictionaryOrder));
}

#[test]
fn messages_about_limits_are_true_for_readers_and_writers() {
    let options = Options { limits: Limits::OSON.with_bytes(10), ..Options::COMPACT };
    let error = to_vec(&Value::String("x".repeat(100)), &options).unwrap_err();
    assert_eq!(error.kind(), EncodeErrorKind::LimitExceeded(Limit::Bytes));
    assert_eq!(error.to_string(), "$: the document is larger than the limit of bytes; raise the limit to allow it");
}
