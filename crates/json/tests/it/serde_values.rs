//! From and to `serde_json::Value`.

use boson_document::{ObjectId, Value};
use boson_json::{SerdeSource, from_serde, to_serde};
use boson_testkit::random::{Gen, documents};
use serde_json::json;

use crate::support::{mongodb, object};

#[test]
fn trees_of_serde_json_are_documents() {
    let tree =
        json!({"a": [1, 2.5, "x", null, true, 9_007_199_254_740_993_i64], "b": {"c": 18_446_744_073_709_551_615_u64}});
    let value = from_serde(&tree).unwrap();
    let list = vec![
        Value::Int32(1),
        Value::Double(2.5),
        Value::String("x".to_owned()),
        Value::Null,
        Value::Bool(true),
        Value::Int64(9_007_199_254_740_993),
    ];
    let decimal = Value::Decimal128(boson_document::Decimal128::parse("18446744073709551615").unwrap());
    assert_eq!(value, object([("a", Value::Array(list)), ("b", object([("c", decimal)]))]));
    assert_eq!(to_serde(&SerdeSource(&tree)).unwrap(), tree);
}

#[test]
fn what_json_lacks_becomes_relaxed_extended_json() {
    let document = object([
        ("id", Value::ObjectId(ObjectId([1; 12]))),
        ("nan", Value::Double(f64::NAN)),
        ("float", Value::Float(0.5)),
        ("date", Value::DateTime(0)),
        ("long", Value::DecimalText("0.10000000000000000555".to_owned())),
        ("code", Value::CodeWithScope { code: "f".to_owned(), scope: vec![("x".to_owned(), Value::MinKey)] }),
    ]);
    let expected = json!({
        "id": {"$oid": "010101010101010101010101"},
        "nan": {"$numberDouble": "NaN"},
        "float": 0.5,
        "date": {"$date": "1970-01-01T00:00:00Z"},
        "long": {"$numberDecimal": "0.10000000000000000555"},
        "code": {"$code": "f", "$scope": {"x": {"$minKey": 1}}},
    });
    assert_eq!(to_serde(&document).unwrap(), expected);
}

#[test]
fn random_documents_keep_their_text() {
    for document in documents(11, Gen::BSON_ALL.with_width(60), 100) {
        let tree = to_serde(&document).unwrap();
        let text = serde_json::to_string(&tree).unwrap();
        assert_eq!(
            mongodb(text).is_ok(),
            mongodb(crate::support::written(&SerdeSource(&tree), boson_json::Style::Plain)).is_ok()
        );
    }
}

#[test]
fn conversions_go_by_the_standard_traits() {
    let text = boson_json::Text::new(br#"{"a": [1, 2.5, "x", null]}"#);
    let expected = serde_json::json!({"a": [1, 2.5, "x", null]});
    assert_eq!(serde_json::Value::try_from(text).unwrap(), expected);
    let mut writer = boson_json::Writer::new(Vec::new(), boson_json::Style::Plain);
    boson_document::Source::drive(&boson_json::SerdeSource::from(&expected), &mut writer).unwrap();
    assert_eq!(writer.into_inner(), expected.to_string().into_bytes());
}
