//! Navigation: what is found, what it reads for that, and what it costs where a document lies in blocks.

use boson_bson::{BlockDocument, Document, DocumentBuf, Index, Tag, encode};
use boson_document::{Blocks, PathBuf, Scalar, Value};

use crate::cases::document;
use crate::support::unhex;

fn path(text: &str) -> PathBuf {
    text.parse().unwrap()
}

fn object<const N: usize>(members: [(&str, Value); N]) -> Value {
    Value::Object(members.map(|(name, value)| (name.to_owned(), value)).to_vec())
}

/// A document in which most bytes are one string in the middle.
fn large() -> Vec<u8> {
    let element = object([("x", Value::Int32(7)), ("y", Value::String("z".into()))]);
    let inner = object([("list", Value::Array(vec![Value::Null, element, Value::Bool(true)]))]);
    let large = Value::String("l".repeat(1_000_000));
    encode(&object([("first", Value::Int64(1)), ("large", large), ("inner", inner), ("last", Value::Double(2.5))]))
        .unwrap()
}

#[test]
fn paths_lead_to_values() {
    let bytes = large();
    let document = Document::new(&bytes).unwrap();
    let found = [
        ("$.first", Scalar::Int64(1)),
        ("$.inner.list[1].x", Scalar::Int32(7)),
        ("$.inner.list[1].y", Scalar::String("z")),
        ("$.inner.list[2]", Scalar::Bool(true)),
        ("$.last", Scalar::Double(2.5)),
    ];
    for (text, scalar) in found {
        assert_eq!(document.get_path(&path(text)).unwrap().unwrap().scalar().unwrap(), scalar, "{text}");
    }
    for text in
        ["$", "$[0]", "$.none", "$.first.x", "$.inner[0]", "$.inner.list.x", "$.inner.list[3]", "$.inner.list[1][0]"]
    {
        assert_eq!(document.get_path(&path(text)).unwrap(), None, "{text}");
    }
}

#[test]
fn a_path_leads_into_the_scope_of_code() {
    let code = Value::CodeWithScope { code: "f(x)".into(), scope: vec![("x".into(), Value::Int32(3))] };
    let bytes = encode(&object([("c", code)])).unwrap();
    let document = Document::new(&bytes).unwrap();
    assert_eq!(document.get_path(&path("$.c.x")).unwrap().unwrap().scalar().unwrap(), Scalar::Int32(3));
    let code = document.get("c").unwrap().unwrap();
    assert_eq!(code.as_code_with_scope().unwrap().code, "f(x)");
    assert!(code.scalar().is_err());
}

#[test]
fn blocks_answer_as_a_slice_does() {
    let bytes = large();
    let document = Document::new(&bytes).unwrap();
    for block_len in [5, 4096, 1 << 30] {
        let blocks = Blocks::new(bytes.as_slice(), block_len).unwrap();
        let from_blocks = BlockDocument::new(&blocks).unwrap();
        for text in ["$.first", "$.inner.list[1].x", "$.inner.list[1].y", "$.last", "$.none", "$.inner.list[9]"] {
            let expected = document.get_path(&path(text)).unwrap().map(|value| value.scalar().unwrap());
            let held = from_blocks.get_path(&path(text)).unwrap().map(|value| value.fetch().unwrap());
            assert_eq!(held.as_ref().map(|held| held.scalar().unwrap()), expected, "{text}");
        }
        let names: Vec<_> = from_blocks.elements().map(|element| element.unwrap().fetch_name().unwrap()).collect();
        assert_eq!(names, [b"first".as_slice(), b"large", b"inner", b"last"]);
    }
}

#[test]
fn what_is_skipped_is_not_read_from_its_blocks() {
    let bytes = large();
    let blocks = Blocks::new(bytes.as_slice(), 4096).unwrap();
    let document = BlockDocument::new(&blocks).unwrap();
    // The length at the front, the NUL at the end.
    assert_eq!(blocks.blocks_read(), 2);
    let value = document.get_path(&path("$.inner.list[1].x")).unwrap().unwrap();
    assert_eq!(value.fetch().unwrap().scalar().unwrap(), Scalar::Int32(7));
    assert!(blocks.blocks_read() <= 3, "{} of {} blocks", blocks.blocks_read(), bytes.len() / 4096);
    assert_eq!(document.get("large").unwrap().unwrap().tag(), Tag::String);
    assert!(blocks.blocks_read() <= 3);
}

#[test]
fn names_of_an_array_are_readable_and_do_not_matter() {
    // Named "x", "" and "0".
    let bytes = document("04 6100 19000000 10 7800 01000000 10 00 02000000 10 3000 03000000 00");
    let array = Document::new(&bytes).unwrap().get("a").unwrap().unwrap().as_array().unwrap();
    let values: Vec<_> = array.items().map(|item| item.unwrap().scalar().unwrap()).collect();
    assert_eq!(values, [Scalar::Int32(1), Scalar::Int32(2), Scalar::Int32(3)]);
    let names: Vec<_> = array.elements().map(|element| element.unwrap().name().unwrap()).collect();
    assert_eq!(names, ["x", "", "0"]);
    assert_eq!(array.get(2).unwrap().unwrap().scalar().unwrap(), Scalar::Int32(3));
    assert_eq!(array.get(3).unwrap(), None);
    let expected: Vec<_> = (0..3).map(|index| array.get(index).unwrap().unwrap()).collect();
    assert_eq!(array.items().map(Result::unwrap).collect::<Vec<_>>(), expected);
}

#[test]
fn offsets_in_nested_documents_count_from_the_root() {
    let bytes = document("03 6100 0c000000 10 6200 01000000 00");
    let inner = Document::new(&bytes).unwrap().get("a").unwrap().unwrap().as_document().unwrap();
    assert_eq!(inner.span().offset, 7);
    assert_eq!(inner.bytes(), &bytes[7..19]);
    let element = inner.elements().next().unwrap().unwrap();
    assert_eq!((element.name_span().offset, element.value().span().offset), (12, 14));
    assert_eq!(inner.get("b").unwrap().unwrap().bytes(), unhex("01000000"));
}

#[test]
fn an_index_finds_what_a_scan_finds_and_is_used_again() {
    let mut index = Index::new();
    for count in [0, 1, 5, 1000] {
        let members = (0..count).map(|number| (format!("field{number}"), Value::Int32(number)));
        let bytes = encode(&Value::Object(members.collect())).unwrap();
        let document = Document::new(&bytes).unwrap();
        let indexed = index.rebuild(document).unwrap();
        assert_eq!(indexed.len(), usize::try_from(count).unwrap());
        for number in (0..count + 2).rev() {
            let name = format!("field{number}");
            assert_eq!(indexed.get(&name), document.get(&name).unwrap());
        }
    }
    // Its fault is found although nobody asks for that element.
    let faulty = document("10 6100 01000000 80 6200");
    assert!(index.rebuild(Document::new(&faulty).unwrap()).is_err());
}

#[test]
fn a_buffer_grows_by_appending() {
    let mut buf = DocumentBuf::new();
    buf.append("a", Scalar::Int32(1)).unwrap();
    buf.append("b", Scalar::String("x")).unwrap();
    let before = buf.clone();
    assert!(buf.append("c", Scalar::Id(&[1])).is_err());
    assert!(buf.append("d\0", Scalar::Null).is_err());
    assert_eq!(buf, before);
    buf.append_document("e", &before.as_document()).unwrap();
    buf.append_value("f", &before.as_document().get("b").unwrap().unwrap()).unwrap();
    let expected = "10 6100 01000000 02 6200 02000000 7800 03 6500 15000000 10 6100 01000000 02 6200 02000000 7800 00 02 6600 02000000 7800";
    assert_eq!(buf.as_bytes(), document(expected));
    assert_eq!(DocumentBuf::from_vec(buf.as_bytes().to_vec()).unwrap(), buf);
    assert_eq!(DocumentBuf::new().into_vec(), unhex("0500000000"));
    assert!(DocumentBuf::from_vec(unhex("0600000000")).is_err());
}
