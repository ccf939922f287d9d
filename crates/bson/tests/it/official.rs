//! The official `bson` crate reads and writes the same bytes and values.

use boson_bson::encode;
use boson_document::{Decimal128, Kind, ObjectId, Value};
use boson_testkit::laws::assert_same;
use boson_testkit::{Coverage, Gen, documents, hex};
use bson::Bson;

use crate::support::read;

fn value(bson: Bson) -> Value {
    match bson {
        Bson::Double(value) => Value::Double(value),
        Bson::String(value) => Value::String(value),
        Bson::Array(values) => Value::Array(values.into_iter().map(value).collect()),
        Bson::Document(document) => Value::Object(members(document)),
        Bson::Boolean(value) => Value::Bool(value),
        Bson::Null => Value::Null,
        Bson::RegularExpression(regex) => {
            Value::Regex { pattern: regex.pattern.into_string(), options: regex.options.into_string() }
        }
        Bson::JavaScriptCode(code) => Value::Code(code),
        Bson::JavaScriptCodeWithScope(code) => Value::CodeWithScope { code: code.code, scope: members(code.scope) },
        Bson::Int32(value) => Value::Int32(value),
        Bson::Int64(value) => Value::Int64(value),
        Bson::Timestamp(value) => Value::Timestamp { time: value.time, increment: value.increment },
        Bson::Binary(binary) => Value::Binary { subtype: binary.subtype.into(), bytes: binary.bytes },
        Bson::ObjectId(id) => Value::ObjectId(ObjectId(id.bytes())),
        Bson::DateTime(date) => Value::DateTime(date.timestamp_millis()),
        Bson::Symbol(text) => Value::Symbol(text),
        Bson::Decimal128(value) => Value::Decimal128(Decimal128::from_bytes(value.bytes())),
        Bson::Undefined => Value::Undefined,
        Bson::MaxKey => Value::MaxKey,
        Bson::MinKey => Value::MinKey,
        pointer @ Bson::DbPointer(_) => db_pointer(pointer),
    }
}

fn members(document: bson::Document) -> Vec<(String, Value)> {
    document.into_iter().map(|(name, member)| (name, value(member))).collect()
}

/// Its parts are private; Extended JSON shows them.
fn db_pointer(pointer: Bson) -> Value {
    let json = pointer.into_canonical_extjson();
    let parts = &json["$dbPointer"];
    let namespace = parts["$ref"].as_str().unwrap().to_owned();
    Value::DbPointer { namespace, id: parts["$id"]["$oid"].as_str().unwrap().parse().unwrap() }
}

#[test]
fn the_official_crate_reads_and_writes_the_same() {
    let mut coverage = Coverage::new();
    for document in documents(3, Gen::BSON_ALL.with_width(100), 5000) {
        coverage.add(&document);
        let bytes = encode(&document).unwrap();
        let theirs = bson::Document::from_reader(bytes.as_slice()).unwrap();
        let written = theirs.to_vec().unwrap();
        assert_eq!(hex(&written), hex(&bytes));
        assert_same(&document, &read(&written).unwrap());
        assert_same(&document, &Value::Object(members(theirs)));
    }
    let missing = coverage.missing(boson_testkit::random::BSON_ALL);
    assert!(missing.is_empty(), "no document had {missing:?}");
    assert!(coverage.count(Kind::DbPointer) > 100);
}

#[cfg(feature = "bson-3")]
mod conversions {
    use boson_bson::{Bson3Error, Document, DocumentBuf};
    use boson_testkit::{Gen, documents, hex};
    use bson::{Bson, doc};

    use crate::cases::document;

    #[test]
    fn documents_go_there_and_back() {
        for tree in documents(4, Gen::BSON_ALL.with_width(30), 300) {
            let buf = DocumentBuf::from_source(&tree).unwrap();
            let map = bson::Document::try_from(&buf).unwrap();
            assert_eq!(hex(DocumentBuf::try_from(&map).unwrap().as_bytes()), hex(buf.as_bytes()));
            for (name, value) in buf.as_document().fields().map(Result::unwrap) {
                // A NaN is not equal to itself: compared as text.
                assert_eq!(format!("{:?}", Bson::try_from(value).unwrap()), format!("{:?}", map[name]));
            }
        }
    }

    #[test]
    fn what_the_map_cannot_hold_is_an_error() {
        let cases = [
            "0a 6100 0a 6100",
            "03 6100 0b000000 0a 6200 0a 6200 00",
            "04 6100 13000000 03 3000 0b000000 0a 6200 0a 6200 00 00",
            "0f 6100 15000000 02000000 7800 0b000000 0a 6200 0a 6200 00",
        ];
        for elements in cases {
            let bytes = document(elements);
            let error = bson::Document::try_from(Document::new(&bytes).unwrap()).unwrap_err();
            assert!(matches!(error, Bson3Error::DuplicateName), "{elements}: {error}");
        }
        let bytes = document("08 6100 02");
        let error = bson::Document::try_from(Document::new(&bytes).unwrap()).unwrap_err();
        assert!(error.to_string().contains("$.a: expected a boolean"), "{error}");
        assert!(DocumentBuf::try_from(&doc! { "a\0": 1 }).is_err());
    }
}
