//! The BSON corpus of the MongoDB specifications, what it says of text.

use boson_bson::{Document, encode};
use boson_document::{Builder, Source, Value};
use boson_json::{Dialects, Style, Text, Unwrap};
use boson_testkit::laws::{assert_same, tree};
use boson_testkit::unhex;
use serde_json::Value as Json;

use crate::support::{mongodb, resolved, written};

/// The cases of the list `list` of every file, each with its file and the name of its type.
fn cases(list: &str) -> Vec<(String, Json, Json)> {
    let Some(shared) = boson_testkit::shared() else { return Vec::new() };
    let mut files: Vec<_> = std::fs::read_dir(shared.join("vectors/bson_corpus")).unwrap().collect();
    files.sort_by_key(|entry| entry.as_ref().unwrap().file_name());
    let contents = files.into_iter().map(|entry| {
        let path = entry.unwrap().path();
        let content: Json = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
        (path.file_name().unwrap().to_string_lossy().into_owned(), content)
    });
    let cases = contents.flat_map(|(file, content)| {
        let cases = content[list].as_array().cloned().unwrap_or_default();
        cases.into_iter().map(move |case| (format!("{file}: {}", case["description"]), content.clone(), case))
    });
    cases.collect()
}

fn document(hex: &Json) -> Value {
    tree(&Document::new(&unhex(hex.as_str().unwrap())).unwrap()).unwrap()
}

/// Both texts say the same, member for member in order; strings are compared as they are.
#[track_caller]
fn assert_text(actual: &str, expected: &str, name: &str) {
    assert_eq!(resolved(actual).unwrap(), resolved(expected).unwrap(), "{name}: {actual}");
}

#[test]
fn canonical_text_is_written_and_read() {
    for (name, _, case) in cases("valid") {
        let value = document(&case["canonical_bson"]);
        let text = case["canonical_extjson"].as_str().unwrap();
        assert_text(&written(&value, Style::ExtendedCanonical), text, &name);
        if case["lossy"] != Json::Bool(true) {
            let read = mongodb(text).expect(&name);
            assert_same(&value, &read);
            assert_eq!(
                boson_testkit::hex(encode(&read).unwrap()),
                case["canonical_bson"].as_str().unwrap().to_lowercase()
            );
        }
    }
}

#[test]
fn relaxed_text_is_written_and_read() {
    for (name, _, case) in cases("valid") {
        let Some(text) = case["relaxed_extjson"].as_str() else { continue };
        let value = document(&case["canonical_bson"]);
        assert_text(&written(&value, Style::ExtendedRelaxed), text, &name);
        assert_text(&written(&mongodb(text).expect(&name), Style::ExtendedRelaxed), text, &name);
    }
}

#[test]
fn degenerate_text_is_read() {
    let mut count = 0;
    for (name, _, case) in cases("valid") {
        let Some(text) = case["degenerate_extjson"].as_str() else { continue };
        let bytes = encode(&mongodb(text).expect(&name)).expect(&name);
        if case["lossy"] != Json::Bool(true) {
            assert_eq!(boson_testkit::hex(bytes), case["canonical_bson"].as_str().unwrap().to_lowercase(), "{name}");
        }
        count += 1;
    }
    assert!(count == 0 || count == 264, "{count} cases");
}

/// Texts that are wrong as such, and texts of documents that are none: those are refused when BSON is written.
#[test]
fn what_must_not_parse_does_not() {
    let mut count = 0;
    for (name, content, case) in cases("parseErrors") {
        let text = case["string"].as_str().unwrap();
        // Of decimals the corpus gives the number alone.
        let text = match content["bson_type"].as_str() {
            Some("0x13") => format!("{{\"d\": {{\"$numberDecimal\": {}}}}}", Json::from(text)),
            _ => text.to_owned(),
        };
        assert!(mongodb(&text).map_or(true, |value| encode(&value).is_err()), "{name}: {text}");
        count += 1;
    }
    assert!(count == 0 || count > 100, "{count} cases");
}

/// Members of an object that no wrapper has.
const WRONG_INSIDES: &[&str] = &[
    r#""$regularExpression": {"pattern": "abc", "options": "", "unrelated": true}"#,
    r#""$regularExpression": {"pattern": "abc"}"#,
    r#""$regularExpression": {"options": "i"}"#,
    r#""$regularExpression": {"pattern": 42, "options": ""}"#,
    r#""$regularExpression": {"pattern": "", "options": 42}"#,
    r#""$regularExpression": {"pattern": "a\u0000", "options": "i"}"#,
    r#""$regularExpression": {"pattern": "a", "options": "i\u0000"}"#,
    r#""$regularExpression": "abc""#,
    r#""$oid": 42"#,
    r#""$oid": "56e1fc72e0c917e9c471416""#,
    r#""$oid": "56e1fc72e0c917e9c471416x""#,
    r#""$oid": {"$oid": "56e1fc72e0c917e9c4714161"}"#,
    r#""$symbol": 1"#,
    r#""$numberInt": 42"#,
    r#""$numberInt": "2147483648""#,
    r#""$numberInt": "1.0""#,
    r#""$numberInt": "007""#,
    r#""$numberLong": 42"#,
    r#""$numberLong": "9223372036854775808""#,
    r#""$numberDouble": 42"#,
    r#""$numberDouble": "42,5""#,
    r#""$numberDouble": "inf""#,
    r#""$numberDouble": ".5""#,
    r#""$numberDecimal": 42"#,
    r#""$numberDecimal": "1.5.5""#,
    r#""$binary": {"base64": 0, "subType": "00"}"#,
    r#""$binary": {"base64": "", "subType": 0}"#,
    r#""$binary": {"base64": "AA==", "subType": "000"}"#,
    r#""$binary": {"base64": "AA==", "subType": "+1"}"#,
    r#""$binary": {"base64": "AA=", "subType": "00"}"#,
    r#""$binary": {"base64": "//8="}"#,
    r#""$binary": {"subType": "00"}"#,
    r#""$binary": "AA==""#,
    r#""$uuid": {"data": "73ffd264-44b3-4c69-90e8-e7d1dfc035d4"}"#,
    r#""$uuid": "73ffd264-44b3-4c69-90e8-e7d1dfc035""#,
    r#""$uuid": "73ffd264-44b3-4c69-90e8-e7d1dfc035d4789e""#,
    r#""$uuid": "73ff-d26444b-34c6-990e8e-7d1dfc035d4""#,
    r#""$uuid": "----d264-44b3-4--9-90e8-e7d1dfc0----""#,
    r#""$code": 42"#,
    r#""$code": 42, "$scope": {}"#,
    r#""$code": "", "$scope": 42"#,
    r#""$code": "", "$scope": []"#,
    r#""$code": "", "extra": 1"#,
    r#""$code": "", "$scope": {}, "extra": 1"#,
    r#""$timestamp": 42"#,
    r#""$timestamp": {"t": "123456", "i": 42}"#,
    r#""$timestamp": {"t": 123456, "i": "42"}"#,
    r#""$timestamp": {"t": 123456}"#,
    r#""$timestamp": {"i": 42}"#,
    r#""$timestamp": {"t": 123456, "i": 42, "extra": 1}"#,
    r#""$timestamp": {"t": 4294967296, "i": 42}"#,
    r#""$timestamp": {"t": -1, "i": 42}"#,
    r#""$dbPointer": {"a": {"$numberInt": "1"}, "b": {"$numberInt": "2"}}"#,
    r#""$dbPointer": {"$ref": "b", "$id": {"$oid": "56e1fc72e0c917e9c4714161"}, "c": 1}"#,
    r#""$dbPointer": {"$ref": "b", "$id": "56e1fc72e0c917e9c4714161"}"#,
    r#""$date": 42"#,
    r#""$date": {"$numberLong": "42", "unrelated": true}"#,
    r#""$date": {"$numberInt": "42"}"#,
    r#""$date": {"$numberLong": "1e3"}"#,
    r#""$minKey": true"#,
    r#""$minKey": 2"#,
    r#""$minKey": 1.0"#,
    r#""$maxKey": "1""#,
    r#""$maxKey": {"$numberInt": "1"}"#,
    r#""$undefined": false"#,
    r#""$undefined": null"#,
];

/// The parse errors and plain documents of the corpus files that are not among the shared ones, by the specification's text.
#[test]
fn wrappers_with_wrong_insides_are_refused() {
    let oid = "56e1fc72e0c917e9c4714161";
    for inside in WRONG_INSIDES {
        let text = format!("{{\"a\": {{{inside}}}}}");
        let error = mongodb(&text).expect_err(&text);
        // That of the object, or of one inside it.
        assert!(error.offset >= 6 && text[error.offset..].starts_with('{'), "{text}: {error}");
        // The same with one key too many, before or after.
        let extra = format!("{{\"a\": {{{inside}, \"unrelated\": true}}}}");
        assert!(mongodb(&extra).is_err(), "{extra}");
        let late = format!("{{\"a\": {{\"unrelated\": true, {inside}}}}}");
        assert!(mongodb(&late).is_err(), "{late}");
        // Lenient dialects leave the object alone.
        for text in [text, extra, late] {
            let mut sink = Unwrap::new(Builder::new(), Dialects::MONGODB.lenient());
            Text::new(text.as_bytes()).drive(&mut sink).expect(&text);
            assert!(sink.into_inner().finish().is_some());
        }
    }
    let extra = format!("{{\"$oid\": \"{oid}\", \"unrelated\": true}}");
    assert_eq!(mongodb(&extra).unwrap_err().offset, 0);
    let late = format!("{{\"unrelated\": true, \"$oid\": \"{oid}\"}}");
    assert_eq!(mongodb(&late).unwrap_err().offset, 21);
}

#[test]
fn operators_of_queries_are_plain_documents() {
    for text in [
        r#"{"x":{"$type":"string"}}"#,
        r#"{"x":{"$type":{"$numberInt":"2"}}}"#,
        r#"{"$key":{"$numberInt":"42"}}"#,
        r#"{"a":{"$regex":"a","$options":"i"}}"#,
        r#"{"$regex":{"$regularExpression":{"pattern":"abc","options":"i"}},"$options":"ix"}"#,
        r#"{"$and":[{"$or":[{"$numberIn":"1"}]}]}"#,
        r#"{"dbref":{"$ref":"collection","$id":{"$oid":"58921b3e6e32ab156a22b59e"},"$db":"db","x":"y"}}"#,
        r#"{"$scope":{}}"#,
        r#"{"$options":"i"}"#,
        r#"{"$":"","$$":"","":"$oid"}"#,
    ] {
        assert_eq!(written(&mongodb(text).expect(text), Style::ExtendedCanonical), text);
    }
}
