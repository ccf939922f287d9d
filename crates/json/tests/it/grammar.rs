//! The grammar of RFC 8259.

use boson_document::{
    Container, DecodeError, DecodeErrorKind, Descend, Discard, Limit, Limits, Rule, Scalar, Sink, Source, Span,
};
use boson_json::Text;
use proptest::prelude::*;

use crate::support::{broken, raw};

const ACCEPTED: &[&str] = &[
    "null",
    "true",
    "false",
    "0",
    "-0",
    "1",
    "-1",
    "10",
    "1.5",
    "-1.5",
    "0.5",
    "1e5",
    "1E5",
    "1e+5",
    "1e-5",
    "0e0",
    "0.0e-0",
    "1.0E+10",
    r#""""#,
    r#""a""#,
    r#""é""#,
    r#""😀""#,
    r#""\u0041""#,
    r#""\u00e9""#,
    r#""\uD83D\uDE00""#,
    r#""\"\\\/\b\f\n\r\t""#,
    r#""\u0000""#,
    "\"\u{7f}\"",
    "\"\u{2028}\"",
    "\"\u{FEFF}\"",
    "[]",
    "[ ]",
    "[1]",
    "[1,2]",
    "[ 1 , 2 ]",
    "[[]]",
    "[[],[]]",
    "[{}]",
    "{}",
    "{ }",
    r#"{"a":1}"#,
    r#"{ "a" : 1 }"#,
    r#"{"a":1,"b":2}"#,
    r#"{"":0}"#,
    r#"{"a":1,"a":2}"#,
    r#"{"a":{"b":[{"c":[]}]}}"#,
    r#"{"\u0061":1}"#,
    " 1",
    "1 ",
    "\t\r\n 1 \n\r\t",
    "[\n]",
    "{\n}",
    "123456789012345678901234567890",
    r#"["\ud834\udd1e"]"#,
    "-1e-5",
    "\"\u{10FFFF}\"",
    "[null,true,false]",
    "1e400",
    "1e-400",
];

const REFUSED: &[&str] = &[
    "",
    " ",
    "nul",
    "nulll",
    "Null",
    "NULL",
    "tru",
    "truE",
    "fals",
    "undefined",
    "NaN",
    "Infinity",
    "-Infinity",
    "inf",
    "-",
    "+1",
    ".5",
    "5.",
    "1.e5",
    "01",
    "-01",
    "00",
    "1e",
    "1e+",
    "1E-",
    "1.5.5",
    "0x10",
    "1_000",
    "1,5",
    "--1",
    "1-",
    "٣",
    r#"""#,
    r#""a"#,
    r#""\"#,
    r#""\u""#,
    r#""\u12""#,
    r#""\u12G4""#,
    r#""\x41""#,
    r#""\a""#,
    r#""\'""#,
    r#""\uD800""#,
    r#""\uDC00""#,
    r#""\uD800\u0041""#,
    r#""\uD800\uD800""#,
    r#""\uD800x""#,
    r#""\uD83D\n""#,
    "\"\u{1}\"",
    "\"\n\"",
    "\"\t\"",
    "\"\0\"",
    "'a'",
    "a",
    "[",
    "]",
    "[1",
    "[1,",
    "[1,]",
    "[,]",
    "[,1]",
    "[1,,2]",
    "[1 2]",
    "[1;2]",
    "{",
    "}",
    r#"{"a"#,
    r#"{"a""#,
    r#"{"a":"#,
    r#"{"a":1"#,
    r#"{"a":1,"#,
    r#"{"a":1,}"#,
    "{,}",
    r#"{"a" 1}"#,
    r#"{"a"::1}"#,
    r#"{"a":}"#,
    "{1:2}",
    "{a:1}",
    "{'a':1}",
    r#"{"a":1 "b":2}"#,
    "{null:1}",
    "[1]]",
    "{}}",
    "1 2",
    "1,",
    "[] []",
    "null true",
    "// c\n1",
    "/* c */ 1",
    "1 # c",
    "[1}",
    "{\"a\":1]",
    "\u{a0}1",
    "\u{b}1",
    "\u{FEFF}\u{FEFF}1",
    "1\0",
    "\0",
    r#"{"a":1}x"#,
];

#[test]
fn what_the_grammar_has_is_read() {
    for text in ACCEPTED {
        raw(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        raw(format!("\u{FEFF}{text}")).expect("a byte order mark is skipped");
        raw(format!("{{\"k\": [{text}]}}")).expect(text);
        serde_json::from_str::<serde::de::IgnoredAny>(text).expect(text);
    }
}

#[test]
fn what_the_grammar_lacks_is_refused() {
    for text in REFUSED {
        assert!(raw(text).is_err(), "{text}");
        let (inside, after) = (format!("[{text}]"), format!("[0,{text}]"));
        // Two mistakes can make no mistake, and these need something behind them.
        let mends = ["", " ", "1,5", "1,", "]", "[1", "[] []", "1]", "[1]]"];
        for text in [inside, after] {
            let peer = serde_json::from_str::<serde::de::IgnoredAny>(&text);
            assert!(raw(&text).is_err() || (peer.is_ok() && mends.iter().any(|mend| text.contains(mend))), "{text}");
        }
    }
}

#[test]
fn faults_name_their_place_and_what_was_expected() {
    let end = |offset| DecodeError::new(offset, DecodeErrorKind::UnexpectedEnd { missing: 1 });
    for (text, error) in [
        ("", end(0)),
        ("  ", end(2)),
        ("[1", end(2)),
        ("[1,", end(3)),
        (r#"{"a""#, end(4)),
        (r#"{"a":"#, end(5)),
        (r#"{"a":1"#, end(6)),
        (r#"{"a":1,"#, end(7)),
        (r#""abc"#, end(4)),
        ("x", broken(0, Rule::JsonValue)),
        ("[1,]", broken(3, Rule::JsonTrailingComma)),
        ("[1 , ]", broken(5, Rule::JsonTrailingComma)),
        ("[1,,2]", broken(3, Rule::JsonValue)),
        ("[,", broken(1, Rule::JsonValue)),
        (r#"{"a":}"#, broken(5, Rule::JsonValue)),
        ("{1:2}", broken(1, Rule::JsonKey)),
        (r#"{"a":1,}"#, broken(7, Rule::JsonTrailingComma)),
        (r#"{"a":1,b}"#, broken(7, Rule::JsonKey)),
        (r#"{"a" 1}"#, broken(5, Rule::JsonColon)),
        ("[1 2]", broken(3, Rule::JsonComma)),
        (r#"{"a":1 "b""#, broken(7, Rule::JsonComma)),
        ("trux", broken(3, Rule::JsonLiteral)),
        ("[01]", broken(2, Rule::JsonNumber)),
        ("[-x]", broken(2, Rule::JsonNumber)),
        ("\"a\u{1}b\"", broken(2, Rule::JsonControl)),
        (r#""a\qb""#, broken(3, Rule::JsonEscape)),
        ("1 x", DecodeError::new(2, DecodeErrorKind::TrailingBytes(1))),
        ("{} {}", DecodeError::new(3, DecodeErrorKind::TrailingBytes(2))),
    ] {
        assert_eq!(raw(text), Err(error), "{text}");
        let marked = raw(format!("\u{FEFF}{text}"));
        assert_eq!(marked, Err(error.shifted(3)), "{text}");
        assert_eq!(Text::new(text.as_bytes()).at_offset(100).drive(&mut Discard), Err(error.shifted(100)));
    }
    for text in [r#""\uD800""#, r#""\uDC00 ""#, r#"["\uD800\u0041"]"#] {
        assert_eq!(raw(text).unwrap_err().kind, broken(0, Rule::JsonSurrogate).kind, "{text}");
    }
    assert_eq!(raw(b"\"ab\xFF\"").unwrap_err(), DecodeError::new(3, DecodeErrorKind::InvalidUtf8));
    assert_eq!(raw(b"{\"\xED\xA0\xBD\":1}").unwrap_err().kind, DecodeErrorKind::InvalidUtf8);
}

/// Writes down every call with its span.
#[derive(Default)]
struct Log(Vec<(String, Span)>);

impl Sink for Log {
    type Error = DecodeError;
    fn begin_object(&mut self, container: Container) -> Result<Descend, DecodeError> {
        self.0.push(("{".to_owned(), container.span));
        Ok(Descend::Into)
    }
    fn end_object(&mut self) -> Result<(), DecodeError> {
        Ok(())
    }
    fn begin_array(&mut self, container: Container) -> Result<Descend, DecodeError> {
        self.0.push(("[".to_owned(), container.span));
        Ok(Descend::Into)
    }
    fn end_array(&mut self) -> Result<(), DecodeError> {
        Ok(())
    }
    fn begin_code_with_scope(&mut self, _: &str, _: Container) -> Result<Descend, DecodeError> {
        Ok(Descend::Into)
    }
    fn end_code_with_scope(&mut self) -> Result<(), DecodeError> {
        Ok(())
    }
    fn key(&mut self, name: &str, span: Span) -> Result<(), DecodeError> {
        self.0.push((name.to_owned(), span));
        Ok(())
    }
    fn scalar(&mut self, scalar: Scalar<'_>, span: Span) -> Result<(), DecodeError> {
        self.0.push((format!("{scalar:?}"), span));
        Ok(())
    }
}

#[test]
fn spans_are_those_of_the_tokens() {
    let text = " { \"a\\u0062\\\"\" : [ 12 , \"x\\ny\" , true,null ] ,\n\"\":{}, \"ü\" : \"\" }";
    let mut log = Log::default();
    Text::new(text.as_bytes()).drive(&mut log).unwrap();
    let found: Vec<_> = log.0.iter().map(|(what, span)| (what.as_str(), &text[span.range()])).collect();
    let expected = [
        ("{", "{"),
        ("ab\"", "a\\u0062\\\""),
        ("[", "["),
        ("Int32(12)", "12"),
        ("String(\"x\\ny\")", "\"x\\ny\""),
        ("Bool(true)", "true"),
        ("Null", "null"),
        ("", ""),
        ("{", "{"),
        ("ü", "ü"),
        ("String(\"\")", "\"\""),
    ];
    assert_eq!(found, expected);
}

#[test]
fn depth_is_limited_and_never_recursed_into() {
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
        let text = |depth: usize| format!("{}0{}", open.repeat(depth), close.repeat(depth));
        assert!(Text::new(text(1024).as_bytes()).drive(&mut Discard).is_ok());
        let error = Text::new(text(1025).as_bytes()).drive(&mut Discard).unwrap_err();
        assert_eq!(error.kind, DecodeErrorKind::LimitExceeded(Limit::Depth(1024)));
        assert_eq!(error.offset, 1024 * open.len());
        let deep = text(1_000_000);
        assert!(Text::new(deep.as_bytes()).drive(&mut Discard).is_err());
        let unlimited = Text::new(deep.as_bytes()).with_limits(Limits::JSON.with_depth(u32::MAX));
        assert_eq!(unlimited.drive(&mut Discard), Ok(()));
    }
}

#[test]
fn nodes_and_bytes_are_limited() {
    let text = Text::new(b"[1,[2,3],{\"a\":4}]");
    assert!(text.with_limits(Limits::JSON.with_nodes(7)).drive(&mut Discard).is_ok());
    let error = text.with_limits(Limits::JSON.with_nodes(6)).drive(&mut Discard).unwrap_err();
    assert_eq!(error, DecodeError::new(14, DecodeErrorKind::LimitExceeded(Limit::Nodes)));
    assert!(text.with_limits(Limits::JSON.with_bytes(17)).drive(&mut Discard).is_ok());
    let error = text.with_limits(Limits::JSON.with_bytes(16)).drive(&mut Discard).unwrap_err();
    assert_eq!(error.kind, DecodeErrorKind::LimitExceeded(Limit::Bytes));
}

/// Skips every container inside the root, and counts what is delivered.
#[derive(Default)]
struct Shallow {
    depth: usize,
    scalars: usize,
    ends: usize,
}

impl Shallow {
    fn begin(&mut self) -> Descend {
        self.depth += 1;
        if self.depth == 1 { Descend::Into } else { Descend::Skip }
    }
}

impl Sink for Shallow {
    type Error = DecodeError;
    fn begin_object(&mut self, _: Container) -> Result<Descend, DecodeError> {
        Ok(self.begin())
    }
    fn end_object(&mut self) -> Result<(), DecodeError> {
        self.ends += 1;
        Ok(())
    }
    fn begin_array(&mut self, _: Container) -> Result<Descend, DecodeError> {
        Ok(self.begin())
    }
    fn end_array(&mut self) -> Result<(), DecodeError> {
        self.ends += 1;
        Ok(())
    }
    fn begin_code_with_scope(&mut self, _: &str, _: Container) -> Result<Descend, DecodeError> {
        Ok(self.begin())
    }
    fn end_code_with_scope(&mut self) -> Result<(), DecodeError> {
        Ok(())
    }
    fn key(&mut self, _: &str, _: Span) -> Result<(), DecodeError> {
        Ok(())
    }
    fn scalar(&mut self, _: Scalar<'_>, _: Span) -> Result<(), DecodeError> {
        self.scalars += 1;
        Ok(())
    }
}

#[test]
fn what_is_skipped_is_not_delivered_but_checked() {
    let text = r#"[1,[2,[3]],{"a":{"b":[]},"c":5},[],{},6,[[[]]]]"#;
    let mut sink = Shallow::default();
    Text::new(text.as_bytes()).drive(&mut sink).unwrap();
    assert_eq!((sink.scalars, sink.ends, sink.depth), (2, 1, 6));
    for text in [r"[[1 2]]", r#"[{"a":}]"#, r#"[["\uD800"]]"#, "[[[}]]"] {
        assert!(Text::new(text.as_bytes()).drive(&mut Shallow::default()).is_err(), "{text}");
    }
    let deep = format!("[{}{}]", "[".repeat(2000), "]".repeat(2000));
    let error = Text::new(deep.as_bytes()).drive(&mut Shallow::default()).unwrap_err();
    assert_eq!(error.kind, DecodeErrorKind::LimitExceeded(Limit::Depth(1024)));
}

/// Texts that are nearly JSON: pieces of it in any order.
fn nearly_json() -> impl Strategy<Value = Vec<u8>> {
    let pieces = prop::sample::select(vec![
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"",
        "\"a\"",
        "\"k\":",
        "1",
        "-",
        "0",
        ".",
        "e",
        "5",
        "true",
        "null",
        "fals",
        " ",
        "\n",
        "\\",
        "\\u00e9",
        "\\ud83d",
        "\\ude00",
        "é",
        "\u{1}",
        "[1,2]",
        "{\"a\":1}",
        "\"x\\\"y\"",
        "1.5e3",
    ]);
    let bytes = prop_oneof![30 => pieces.prop_map(|piece: &str| piece.as_bytes().to_vec()), 1 => any::<u8>().prop_map(|b| vec![b])];
    prop::collection::vec(bytes, 0..24).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]

    #[test]
    fn the_same_texts_as_those_of_serde_json_are_read(text in nearly_json()) {
        let ours = raw(&text);
        let peer = serde_json::from_slice::<serde_json::Value>(&text);
        // serde_json reads numbers beyond double as an error, we keep them.
        let out_of_range = peer.as_ref().is_err_and(|error| error.to_string().contains("out of range"));
        prop_assert!(out_of_range || ours.is_ok() == peer.is_ok(), "{:?}: {:?} {:?}", text.escape_ascii().to_string(), ours, peer);
        if let (Ok(ours), Ok(peer)) = (ours, peer) {
            let again: serde_json::Value = serde_json::from_str(&crate::support::written(&ours, boson_json::Style::Plain)).unwrap();
            prop_assert_eq!(again, peer);
        }
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
        let _: Result<_, _> = raw(&bytes);
    }
}
