//! The writer: several documents in one buffer, misuse, limits, `_id` at the front.

use boson_bson::{Document, EncodeErrorKind, WriteOptions, Writer, encode};
use boson_document::{Container, Limits, Scalar, Sink, Span, Value};

use crate::support::{hex, read};

const ANY: Container = Container { span: Span { offset: 0, len: 0 }, len: None };

fn object<const N: usize>(members: [(&str, Value); N]) -> Value {
    Value::Object(members.map(|(name, value)| (name.to_owned(), value)).to_vec())
}

#[test]
fn documents_stand_one_after_another() {
    let (one, two) = (object([("a", Value::Int32(1))]), object([("b", Value::Bool(true))]));
    let mut writer = Writer::append_to(b"head".to_vec());
    writer.write(&one).unwrap();
    writer.write(&two).unwrap();
    let expected = [b"head".to_vec(), encode(&one).unwrap(), encode(&two).unwrap()].concat();
    assert_eq!(hex(writer.as_bytes()), hex(&expected));
    // What fails leaves no trace.
    assert!(writer.write(&object([("c", Value::Id(vec![1]))])).is_err());
    assert_eq!(hex(writer.as_bytes()), hex(&expected));
    writer.write(&one).unwrap();
    assert_eq!(writer.into_bytes().len(), expected.len() + 12);
}

#[test]
fn calls_that_make_no_document_are_refused() {
    let mut writer = Writer::new();
    assert!(writer.key("a", Span::default()).is_err());
    assert!(writer.end_object().is_err());
    writer.begin_object(ANY).unwrap();
    let error = writer.scalar(Scalar::Null, Span::default()).unwrap_err();
    assert_eq!(error.kind(), &EncodeErrorKind::Misplaced);
    writer.key("a", Span::default()).unwrap();
    assert_eq!(writer.end_object().unwrap_err().path().to_string(), "$.a");
    writer.rollback();
    assert_eq!(writer.into_bytes(), Vec::<u8>::new());
}

#[test]
fn depth_and_size_are_limited() {
    let nested = (0..200).fold(Value::Null, |inner, _| object([("a", inner)]));
    encode(&nested).unwrap();
    let error = encode(&object([("b", nested)])).unwrap_err();
    assert_eq!(error.kind(), &EncodeErrorKind::TooDeep { depth_max: 200 });
    assert!(error.path().to_string().starts_with("$.b.a.a"));
    let limits = Limits::BSON.with_bytes(11);
    let mut writer = Writer::new().with_options(WriteOptions { limits, ..WriteOptions::default() });
    let error = writer.write(&object([("a", Value::Int32(1))])).unwrap_err();
    assert_eq!(error.kind(), &EncodeErrorKind::TooLarge { bytes_max: 11 });
    writer.write(&object([("a", Value::Bool(true))])).unwrap();
}

#[test]
fn only_the_first_id_of_the_root_moves_to_the_front_and_only_when_asked() {
    let int = Value::Int32;
    let cases = [
        (object([("a", int(1)), ("_id", int(2))]), object([("_id", int(2)), ("a", int(1))])),
        (
            object([("a", int(1)), ("_id", int(2)), ("b", int(3))]),
            object([("_id", int(2)), ("a", int(1)), ("b", int(3))]),
        ),
        (object([("_id", int(1)), ("a", int(2))]), object([("_id", int(1)), ("a", int(2))])),
        (
            object([("a", object([("b", int(1)), ("_id", int(2))])), ("_ids", int(3))]),
            object([("a", object([("b", int(1)), ("_id", int(2))])), ("_ids", int(3))]),
        ),
        (
            object([("a", int(1)), ("_id", object([("x", int(2))])), ("_id", int(3))]),
            object([("_id", object([("x", int(2))])), ("a", int(1)), ("_id", int(3))]),
        ),
    ];
    let mut writer = Writer::new().with_options(WriteOptions { id_first: true, ..WriteOptions::default() });
    for (value, moved) in cases {
        writer.clear();
        writer.write(&value).unwrap();
        assert_eq!(read(writer.as_bytes()).unwrap(), moved);
        assert_eq!(read(&encode(&value).unwrap()).unwrap(), value);
    }
}

#[test]
fn values_are_copied_as_they_are() {
    let bytes = encode(&object([("a", Value::Array(vec![Value::Int32(1)])), ("b", Value::Null)])).unwrap();
    let document = Document::new(&bytes).unwrap();
    let mut writer = Writer::new();
    assert!(writer.raw_value(&document.get("a").unwrap().unwrap()).is_err());
    writer.begin_object(ANY).unwrap();
    for (name, value) in document.fields().map(Result::unwrap) {
        writer.key(name, Span::default()).unwrap();
        writer.raw_value(&value).unwrap();
    }
    writer.end_object().unwrap();
    assert_eq!(hex(writer.as_bytes()), hex(&bytes));
}

#[test]
fn an_error_of_the_source_has_the_path_at_which_it_was_met() {
    // {"a": [1, true]} whose boolean is 2.
    let bytes = crate::cases::document("04 6100 10000000 10 3000 01000000 08 3100 02 00");
    let error = encode(&Document::new(&bytes).unwrap()).unwrap_err();
    assert_eq!(error.to_string(), "$.a[1]: offset 21: expected a boolean of 0 or 1, found 2");
}

#[test]
fn a_container_too_deep_in_an_array_is_named_by_its_own_index() {
    let options = WriteOptions { limits: Limits::BSON.with_depth(2), ..WriteOptions::default() };
    let mut writer = Writer::new().with_options(options);
    let array = Value::Array(vec![Value::Null, Value::Null, Value::Array(Vec::new())]);
    assert_eq!(writer.write(&object([("a", array)])).unwrap_err().path().to_string(), "$.a[2]");
}

#[test]
fn a_key_without_a_value_does_not_end_up_in_the_bytes() {
    let mut writer = Writer::new();
    writer.begin_object(ANY).unwrap();
    writer.key("a", Span::default()).unwrap();
    assert_eq!(writer.key("b", Span::default()).unwrap_err().kind(), &EncodeErrorKind::Misplaced);
    writer.rollback();
    writer.begin_object(ANY).unwrap();
    writer.key("a", Span::default()).unwrap();
    writer.begin_array(ANY).unwrap();
    assert_eq!(writer.key("b", Span::default()).unwrap_err().kind(), &EncodeErrorKind::Misplaced);
}

/// As an OSON image does whose values are shared.
#[test]
fn one_value_delivered_again_and_again_does_not_fill_the_memory() {
    let text = "x".repeat(1000);
    let options = WriteOptions { limits: Limits::BSON.with_bytes(5000), ..WriteOptions::default() };
    let mut writer = Writer::new().with_options(options);
    writer.begin_object(ANY).unwrap();
    writer.key("a", Span::default()).unwrap();
    writer.begin_array(ANY).unwrap();
    let delivered = (0..1000).take_while(|_| writer.scalar(Scalar::String(&text), Span::default()).is_ok()).count();
    assert_eq!(delivered, 5);
}
