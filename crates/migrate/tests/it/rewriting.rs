//! Bytes outside of the changed values stay, whatever they are.

use std::fs;

use boson_document::Value;
use boson_migrate::restore;

use crate::support::{Place, apply, bson, field, text};

#[test]
fn broken_text_elsewhere_repeated_names_and_odd_types_stay_as_they_are() {
    let place = Place::new();
    // A name and a string that are not UTF-8, a name twice, a regular expression with unsorted options, NaN with bits.
    let raw = hex::decode(concat!(
        "02ff0004000000ff0061",
        "00",
        "10610001000000",
        "0276000300000031320",
        "0",
        "10610002000000",
        "0b720061007869",
        "00",
        "017a00120000000000f87f",
    ))
    .unwrap();
    let mut document = i32::try_from(raw.len() + 5).unwrap().to_le_bytes().to_vec();
    document.extend(&raw);
    document.push(0);
    place.write("in.bson", &document);
    apply(&place.job("in.bson", "out.bson", &field("path = \"$.v\"\nto = \"int32\"\n")).unwrap()).unwrap();
    let out = fs::read(place.path("out.bson")).unwrap();
    // The string "12" took 4 + 3 bytes, an int32 takes 4.
    let expected = hex::encode(&raw).replace("027600030000003132", "1076000c000000@").replace("@00", "");
    assert_eq!(hex::encode(&out[4..out.len() - 1]), expected);
    assert_eq!(out.len(), document.len() - 3);
    restore(&place.path("out.bson"), &place.path("out.bson.undo"), &place.path("back.bson")).unwrap();
    assert_eq!(fs::read(place.path("back.bson")).unwrap(), document);
}

#[test]
fn arrays_maps_and_nested_documents() {
    let place = Place::new();
    let price = |value: Value| Value::Object(vec![("price".to_owned(), value)]);
    let document = |a: Value, b: Value, c: Value| {
        bson(&[
            ("lines", Value::Array(vec![price(a), Value::Null, price(b)])),
            ("users", Value::Object(vec![("u_1".to_owned(), price(c.clone())), ("u_2".to_owned(), price(text("?")))])),
        ])
    };
    place.write("in.bson", &document(text("1"), text("2"), text("3")));
    let plan = field("path = \"$.lines[].price\"\nto = \"int32\"\n")
        + "[[collection.field]]\npath = \"$.users.*.price\"\nto = \"int64\"\n";
    apply(&place.job("in.bson", "out.bson", &plan).unwrap()).unwrap();
    let expected = document(Value::Int32(1), Value::Int32(2), Value::Int64(3));
    assert_eq!(fs::read(place.path("out.bson")).unwrap(), expected);
}

#[test]
fn a_damaged_document_stops_the_run_unless_the_plan_keeps_it() {
    let place = Place::new();
    // The document in `v` says it is longer than what is around it.
    let damaged = hex::decode("180000000361001200000010620001000000000868000100").unwrap();
    place.write("in.bson", &damaged);
    let body = "path = \"$.a.b.c\"\nto = \"int32\"\n";
    let error = apply(&place.job("in.bson", "out.bson", &field(body)).unwrap()).map(|_| ()).unwrap_err().to_string();
    assert!(error.contains("$.a"), "{error}");
    let keep = field(body).replace("[[collection]]\n", "[[collection]]\ndamaged = \"keep\"\n");
    let report = apply(&place.job("in.bson", "kept.bson", &keep).unwrap()).unwrap();
    assert_eq!(report.tallies[0].damaged, 1);
    assert_eq!(fs::read(place.path("kept.bson")).unwrap(), damaged);
}

#[test]
fn bad_plans_say_what_is_wrong() {
    let place = Place::new();
    place.write("in.bson", &bson(&[("v", text("x"))]));
    for (body, expected) in [
        ("path = \"$.v\"\nto = \"date\"\nspelling = \"YYYY-MM-DD\"\n", "name no zone"),
        ("path = \"$.v\"\nto = \"date\"\nspelling = \"MM.YY\"\n", "is no way to write dates"),
        (
            "path = \"$.v\"\nto = \"date\"\nspelling = \"YYYY-MM-DD\"\nzone = \"Mars\"\n",
            "the zone \"Mars\" is not known",
        ),
        ("path = \"$.v\"\nto = \"bool\"\n", "`words`"),
        ("path = \"$.v[0]\"\nto = \"int32\"\n", "is no path"),
        ("path = \"$.v\"\nto = \"int32\"\nlossy = \"companion\"\n", "needs `companion`"),
        ("path = \"$.v\"\nto = \"int32\"\ntypo = 1\n", "unknown field"),
        ("path = \"$.v\"\nto = \"int33\"\n", "unknown variant"),
    ] {
        let error = place.job("in.bson", "out.bson", &field(body)).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
    let twice = field("path = \"$.v\"\nto = \"int32\"\n") + "[[collection.field]]\npath = \"$.v\"\nto = \"int64\"\n";
    assert!(place.job("in.bson", "out.bson", &twice).unwrap_err().to_string().contains("another field"));
}
