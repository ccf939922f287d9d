//! Documents and their schemas.

use boson_bson::Document;
use boson_document::{Builder, Source, Value};
use boson_json::{Dialects, Resolve, Text, Unwrap};
use boson_profile::{Framing, Options, Profiler};
use boson_schema::Schema;

/// The schema of documents of BSON.
pub(crate) fn schema<'a>(documents: impl IntoIterator<Item = &'a Vec<u8>>) -> Schema {
    let mut profiler = Profiler::new(Options::default(), Framing::BSON);
    for document in documents {
        profiler.document(&Document::new(document).unwrap(), document.len() as u64).unwrap();
    }
    Schema::of(&profiler.finish())
}

/// A document of BSON from Extended JSON.
pub(crate) fn bson(text: &str) -> Vec<u8> {
    let mut sink = Unwrap::new(Resolve::new(Builder::new()), Dialects::MONGODB);
    Text::new(text.as_bytes()).drive(&mut sink).unwrap();
    let value: Value = sink.into_inner().into_inner().finish().unwrap();
    boson_bson::encode(&value).unwrap()
}

/// Documents with everything that needs care: keywords and names that are no identifiers, members that are missing or
/// null, several types, arrays, names that are data, every type that a program meets.
pub(crate) fn events() -> Vec<Vec<u8>> {
    let mut documents: Vec<Vec<u8>> = [
        r#"{"_id": {"$oid": "56e1fc72e0c917e9c4714161"}, "at": {"$date": {"$numberLong": "1705314600007"}}, "class": "a",
            "device-id": {"$binary": {"base64": "ABEiM0RVZneImaq7zN3u/w==", "subType": "04"}}, "type": {"$numberInt": "1"},
            "self": true, "value": {"$numberDouble": "1.5"}, "note": "x", "maybe": null, "nothing": null, "none": [],
            "a.b": {"$numberInt": "1"}, "": {"$numberInt": "2"}, "quote\"\\\n*/": "q", "2nd": {"$numberLong": "5"},
            "tags": ["a", null, {"$numberInt": "3"}], "items": [{"sku": "x", "qty": {"$numberInt": "1"}}],
            "extra": {"$numberDecimal": "19.90"}, "empty": {},
            "by": {"k0": {"n": {"$numberInt": "0"}}}, "deep": {"deeper": {"deepest": {"$date": {"$numberLong": "0"}}}}}"#,
        r#"{"_id": {"$oid": "56e1fc72e0c917e9c4714162"}, "at": {"$date": {"$numberLong": "-1"}}, "class": "b",
            "device-id": {"$binary": {"base64": "ABEiM0RVZneImaq7zN3u/w==", "subType": "04"}}, "type": {"$numberInt": "2"},
            "self": false, "value": {"$numberInt": "2"}, "maybe": {"$numberDouble": "2.5"}, "nothing": null, "none": [],
            "a.b": {"$numberInt": "1"}, "": {"$numberInt": "2"}, "quote\"\\\n*/": "q", "2nd": {"$numberLong": "6"},
            "tags": [], "items": [], "extra": {"kind": "object", "at": {"$timestamp": {"t": 1, "i": 2}}}, "empty": {},
            "by": {"k1": {"n": {"$numberInt": "1"}}}, "deep": {"deeper": {"deepest": {"$date": {"$numberLong": "0"}}}},
            "raw": {"$binary": {"base64": "AAEC", "subType": "00"}}, "re": {"$regularExpression": {"pattern": "^a", "options": "i"}},
            "code": {"$code": "f()"}, "min": {"$minKey": 1}}"#,
        r#"{"_id": {"$oid": "56e1fc72e0c917e9c4714163"}, "at": {"$date": {"$numberLong": "5"}}, "class": "c",
            "device-id": {"$binary": {"base64": "ABEiM0RVZneImaq7zN3u/w==", "subType": "04"}}, "type": {"$numberInt": "3"},
            "self": true, "value": "many", "note": null, "nothing": null, "none": [],
            "a.b": {"$numberInt": "1"}, "": {"$numberInt": "2"}, "quote\"\\\n*/": "q", "2nd": {"$numberLong": "7"},
            "tags": ["b"], "items": [{"sku": "y", "qty": {"$numberInt": "2"}, "gift": true}, {"sku": "z", "qty": {"$numberInt": "1"}}],
            "extra": [{"$numberInt": "1"}, {"$binary": {"base64": "ABEiM0RVZneImaq7zN3u/w==", "subType": "04"}}], "empty": {},
            "by": {}, "deep": {"deeper": {"deepest": {"$date": {"$numberLong": "0"}}}}}"#,
    ]
    .map(bson)
    .into();
    // Enough different names below `by` that they are data.
    for number in 0..600 {
        let by: Vec<String> = (0..4).map(|key| format!(r#""k{}": {{"n": {number}}}"#, number * 4 + key)).collect();
        let id = format!("{number:024x}");
        documents.push(bson(&format!(
            r#"{{"_id": {{"$oid": "{id}"}}, "at": {{"$date": {{"$numberLong": "{number}"}}}}, "class": "d",
            "device-id": {{"$binary": {{"base64": "ABEiM0RVZneImaq7zN3u/w==", "subType": "04"}}}}, "type": {number},
            "self": true, "value": {number}, "nothing": null, "none": [],
            "a.b": 1, "": 2, "quote\"\\\n*/": "q", "2nd": {{"$numberLong": "8"}}, "tags": [], "items": [],
            "extra": null, "empty": {{}}, "by": {{{}}}, "deep": {{"deeper": {{"deepest": {{"$date": {{"$numberLong": "0"}}}}}}}}}}"#,
            by.join(", ")
        )));
    }
    documents
}
