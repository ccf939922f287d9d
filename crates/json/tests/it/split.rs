//! Streams of values, cut without parsing.

use std::io::{BufReader, Read};

use boson_document::{DecodeError, DecodeErrorKind, Limit, Limits, Rule};
use boson_json::{Splitter, Values};
use proptest::prelude::*;

use crate::support::broken;

/// A reader that hands out `step` bytes at a time.
struct Steps<'a>(&'a [u8], usize);

impl Read for Steps<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let len = self.1.min(buffer.len());
        (&mut self.0).take(len as u64).read(buffer)
    }
}

fn all(mut values: Values<impl std::io::BufRead>) -> Result<Vec<(usize, String)>, DecodeError> {
    let mut all = Vec::new();
    while let Some(piece) = values.next_value()? {
        all.push((piece.offset, String::from_utf8_lossy(piece.bytes).into_owned()));
    }
    Ok(all)
}

/// What both ways of cutting answer, whatever the size of the pieces that arrive.
fn cut(text: &str, array: bool) -> Result<Vec<(usize, String)>, DecodeError> {
    let values = |step| {
        let reader = BufReader::with_capacity(step, Steps(text.as_bytes(), step));
        all(if array { Values::elements(reader) } else { Values::concatenated(reader) })
    };
    let whole = all(if array { Values::elements(text.as_bytes()) } else { Values::concatenated(text.as_bytes()) });
    for step in [1, 2, 3, 7] {
        assert_eq!(values(step), whole, "{text} by {step}");
    }
    whole
}

fn pieces(text: &str, array: bool) -> Vec<String> {
    cut(text, array)
        .expect(text)
        .into_iter()
        .map(|(offset, piece)| {
            assert_eq!(&text[offset..offset + piece.len()], piece);
            piece
        })
        .collect()
}

#[test]
fn values_that_follow_each_other_are_cut() {
    for (text, expected) in [
        ("", vec![]),
        (" \n ", vec![]),
        ("\u{FEFF}", vec![]),
        ("{}", vec!["{}"]),
        ("{\"a\":1}\n{\"a\":2}\n", vec!["{\"a\":1}", "{\"a\":2}"]),
        ("{}{}[][1,[2]]", vec!["{}", "{}", "[]", "[1,[2]]"]),
        ("1 2\n-3.5e1", vec!["1", "2", "-3.5e1"]),
        ("true null\"a b\"\"c\"", vec!["true", "null", "\"a b\"", "\"c\""]),
        (r#"{"a":"}\"]"}"\\" "x""#, vec![r#"{"a":"}\"]"}"#, r#""\\""#, r#""x""#]),
        ("1[2]3{\"k\":\"[\"}", vec!["1", "[2]", "3", "{\"k\":\"[\"}"]),
        ("\u{FEFF}{\"ü\":\"😀\"}\r\n 5 ", vec!["{\"ü\":\"😀\"}", "5"]),
    ] {
        assert_eq!(pieces(text, false), expected, "{text}");
    }
}

#[test]
fn elements_of_an_array_are_cut() {
    for (text, expected) in [
        ("[]", vec![]),
        (" [ ] ", vec![]),
        ("[1]", vec!["1"]),
        ("[ {\"a\":[1,2]} , \"],\" ,\n[[]],null]\n", vec!["{\"a\":[1,2]}", "\"],\"", "[[]]", "null"]),
        ("\u{FEFF}[1,2]", vec!["1", "2"]),
    ] {
        assert_eq!(pieces(text, true), expected, "{text}");
    }
}

#[test]
fn broken_streams_say_where() {
    let end = |offset| DecodeError::new(offset, DecodeErrorKind::UnexpectedEnd { missing: 1 });
    for (text, array, error) in [
        ("{\"a\":1", false, end(6)),
        ("{} \"abc", false, end(7)),
        ("{},{}", false, broken(2, Rule::JsonValue)),
        ("]", false, broken(0, Rule::JsonValue)),
        ("", true, end(0)),
        ("{}", true, broken(0, Rule::JsonValue)),
        ("[", true, end(1)),
        ("[1", true, end(2)),
        ("[1,", true, end(3)),
        ("[1,]", true, broken(3, Rule::JsonTrailingComma)),
        ("[1,,2]", true, broken(3, Rule::JsonValue)),
        ("[,1]", true, broken(1, Rule::JsonValue)),
        ("[1 2]", true, broken(3, Rule::JsonComma)),
        ("[1]]", true, broken(3, Rule::JsonAfterArray)),
        ("[1] [2]", true, broken(4, Rule::JsonAfterArray)),
        ("[{\"a\":1}", true, end(8)),
        ("\u{FEFF}[1 2]", true, broken(6, Rule::JsonComma)),
    ] {
        assert_eq!(cut(text, array), Err(error), "{text}");
    }
}

#[test]
fn what_is_held_is_limited() {
    let text = "[1,[2,3,4,5],6]";
    let limited = |bytes| all(Values::elements(text.as_bytes()).with_limits(Limits::JSON.with_bytes(bytes)));
    assert_eq!(limited(9).map(|all| all.len()), Ok(3));
    assert_eq!(limited(8), Err(DecodeError::new(3, DecodeErrorKind::LimitExceeded(Limit::Bytes))));
}

#[test]
fn a_splitter_goes_on_where_it_stopped() {
    let mut splitter = Splitter::new();
    assert!(!splitter.has_begun());
    assert_eq!(splitter.advance(b"{\"a\\"), None);
    assert!(splitter.has_begun() && !splitter.may_end());
    assert_eq!(splitter.advance(b"\"}\":"), None);
    assert_eq!(splitter.advance(b"[]}{}"), Some(3));
    assert_eq!(splitter.advance(b"{}"), Some(2));
    assert_eq!(splitter.advance(b"12"), None);
    assert!(splitter.may_end());
    assert_eq!(splitter.advance(b" 3"), Some(0));
}

fn json() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(Into::into),
        any::<i64>().prop_map(Into::into),
        "[ -~é\"\\\\\\[\\]{}]{0,8}".prop_map(Into::into),
    ];
    leaf.prop_recursive(4, 32, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Into::into),
            prop::collection::btree_map("[a-c\"\\\\}]{0,3}", inner, 0..4)
                .prop_map(|map| serde_json::Value::Object(map.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn what_was_put_together_is_taken_apart(values in prop::collection::vec(json(), 0..6), pretty: bool) {
        let text = |value: &serde_json::Value| {
            if pretty { serde_json::to_string_pretty(value) } else { serde_json::to_string(value) }.unwrap()
        };
        let texts: Vec<String> = values.iter().map(text).collect();
        prop_assert_eq!(pieces(&texts.join("\n"), false), texts.clone());
        prop_assert_eq!(pieces(&format!("[{}]", texts.join(" ,")), true), texts);
    }

    #[test]
    fn any_bytes_are_cut_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
        let _: Result<_, _> = all(Values::concatenated(bytes.as_slice()));
        let _: Result<_, _> = all(Values::elements(bytes.as_slice()));
    }
}
