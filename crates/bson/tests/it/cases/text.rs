//! B06, B07: text that is not UTF-8 is an error, and readable in two other ways when asked.

use boson_bson::{ReadOptions, Utf8, encode};
use boson_document::Value;
use boson_testkit::laws::tree;

use super::{document, view};
use crate::support::hex;

/// Elements, the values after replacement.
fn cases() -> Vec<(&'static str, Value)> {
    let text = |text: &str| Value::String(text.into());
    vec![
        ("02 6100 04000000 6162ff00", text("ab\u{fffd}")),
        ("02 6100 04000000 eda0bd00", text("\u{fffd}\u{fffd}\u{fffd}")),
        ("0d 6100 03000000 ff7800", Value::Code("\u{fffd}x".into())),
        ("0e 6100 02000000 ff00", Value::Symbol("\u{fffd}".into())),
        ("0b 6100 ff00 ff00", Value::Regex { pattern: "\u{fffd}".into(), options: "\u{fffd}".into() }),
        (
            "0c 6100 02000000 ff00 000000000000000000000000",
            Value::DbPointer { namespace: "\u{fffd}".into(), id: boson_document::ObjectId([0; 12]) },
        ),
        (
            "0f 6100 15000000 02000000 ff00 0b000000 10 ff00 01000000",
            Value::Undefined, // the length is wrong, see below
        ),
    ]
}

#[test]
fn invalid_text_is_replaced_only_when_asked() {
    let options = ReadOptions { utf8: Utf8::Lossy, ..ReadOptions::default() };
    for (elements, expected) in cases() {
        let bytes = document(elements);
        let document = view(&bytes);
        assert!(tree(&document).is_err(), "{elements}");
        match (tree(&document.with(options)), &expected) {
            (Ok(read), _) => assert_eq!(read.get("a"), Some(&expected), "{elements}"),
            // What is wrong beside the text stays an error.
            (Err(_), Value::Undefined) => {}
            (Err(error), _) => panic!("{elements}: {error}"),
        }
    }
}

#[test]
fn names_and_code_are_replaced_only_when_asked() {
    let bytes = document("0f ff00 1a000000 02000000 ff00 10000000 08 fe00 01 10 6200 01000000 00");
    let options = ReadOptions { utf8: Utf8::Lossy, ..ReadOptions::default() };
    let replaced = "\u{fffd}".to_owned();
    let scope = vec![(replaced.clone(), Value::Bool(true)), ("b".to_owned(), Value::Int32(1))];
    let expected = Value::Object(vec![(replaced.clone(), Value::CodeWithScope { code: replaced, scope })]);
    assert_eq!(tree(&view(&bytes).with(options)).unwrap(), expected);
    assert!(tree(&view(&bytes)).is_err());
}

#[test]
fn invalid_text_is_there_as_bytes() {
    let bytes = document("02 ff00 03000000 fe7800");
    let element = view(&bytes).elements().next().unwrap().unwrap();
    assert!(element.name().is_err());
    assert_eq!((element.name_bytes(), element.name_lossy().as_ref()), (&[0xFF][..], "\u{fffd}"));
    let value = element.value();
    assert!(value.as_str().is_err() && value.scalar().is_err());
    assert_eq!(value.text_bytes().unwrap(), [0xFE, b'x']);
    assert_eq!(value.text_lossy().unwrap(), "\u{fffd}x");
    assert!(view(&bytes).fields().next().unwrap().is_err());
}

#[test]
fn text_that_is_utf_8_is_the_same_in_both_modes() {
    let bytes = document("02 6100 05000000 f09f988000 0b 6200 c3a900 6900");
    let options = ReadOptions { utf8: Utf8::Lossy, ..ReadOptions::default() };
    assert_eq!(hex(encode(&view(&bytes).with(options)).unwrap()), hex(&bytes));
}
