//! What goes wrong in migrations elsewhere: cases M01 and on, as far as they apply to a dump.

use std::fs;

use boson_document::Value;
use boson_migrate::{RunError, UndoError, open_hazards, restore, verify};

use crate::support::{HEAD, Place, apply, bson, field, look, one, text};

const METADATA: &str = r#"{"options":{"validator":{"$jsonSchema":{"properties":{"at":{"bsonType":"string"}}}}},"indexes":[
    {"v":{"$numberInt":"2"},"key":{"_id":{"$numberInt":"1"}},"name":"_id_"},
    {"v":{"$numberInt":"2"},"key":{"at":{"$numberInt":"1"}},"name":"at_1","expireAfterSeconds":{"$numberInt":"3600"}},
    {"v":{"$numberInt":"2"},"key":{"code":{"$numberInt":"1"}},"name":"code_1","unique":true}],
    "uuid":"00112233445566778899aabbccddeeff","collectionName":"log","type":"collection"}"#;

fn dump() -> Place {
    let place = Place::new();
    let document = |at: &str, code: &str| bson(&[("at", text(at)), ("code", text(code))]);
    let documents = [document("2020-01-01T00:00:00Z", "1"), document("2999-01-01T00:00:00Z", "1.0")].concat();
    place.write("dump/shop/log.bson", &documents);
    place.write("dump/shop/log.metadata.json", METADATA.as_bytes());
    place.write("dump/prelude.json", b"{\"ServerVersion\":\"7.0.0\"}");
    place
}

fn plan(hazards: &str, fields: &str) -> String {
    format!("{HEAD}[[collection]]\nname = \"shop.log\"\n{hazards}\n{fields}")
}

const AT: &str = "[[collection.field]]\npath = \"$.at\"\nto = \"date\"\nspelling = \"YYYY-MM-DDThh:mm:ssZ\"\n";
const CODE: &str =
    "[[collection.field]]\npath = \"$.code\"\nto = \"double\"\nspelling = \"shortest\"\nlossy = \"accept\"\n";

fn answered(kind: &str, index: &str, path: &str, answer: &str) -> String {
    format!("[[collection.hazard]]\nkind = \"{kind}\"\nindex = \"{index}\"\npath = \"{path}\"\nanswer = \"{answer}\"\n")
}

#[test]
fn m01_a_ttl_index_on_text_that_becomes_a_date_stops_the_plan() {
    let place = dump();
    let job = place.job("dump", "out", &plan("", AT)).unwrap();
    let open = open_hazards(&job.streams[0].plan, job.streams[0].metadata.as_ref());
    let kinds: Vec<&str> = open.iter().map(|hazard| hazard.kind.as_str()).collect();
    assert_eq!(kinds, ["ttl", "validator"]);
    // One of the two dates is more than an hour ago.
    assert_eq!(look(&job).streams[0].expired, [("at_1".to_owned(), 1)]);

    let hazards = answered("ttl", "at_1", "$.at", "drop-ttl") + &answered("validator", "", "$.at", "adjust");
    let job = place.job("dump", "out", &plan(&hazards, AT)).unwrap();
    assert_eq!(open_hazards(&job.streams[0].plan, job.streams[0].metadata.as_ref()), []);
    apply(&job).unwrap();
    let metadata = fs::read_to_string(place.path("out/shop/log.metadata.json")).unwrap();
    assert!(
        metadata.contains(r#"{"key":{"at":{"$numberInt":"1"}},"name":"at_1"}"#)
            || metadata.contains(r#""name":"at_1"}"#)
    );
    assert!(!metadata.contains("expireAfterSeconds"), "{metadata}");
    assert!(metadata.contains(r#""bsonType":["string","date"]"#), "M06: {metadata}");
    assert!(metadata.contains(r#""v":{"$numberInt":"2"}"#), "what is not changed keeps its form");
    assert_eq!(fs::read(place.path("out/prelude.json")).unwrap(), fs::read(place.path("dump/prelude.json")).unwrap());
    restore(&place.path("out"), &place.path("out.undo"), &place.path("back")).unwrap();
    assert_eq!(crate::support::files(&place.path("back")), crate::support::files(&place.path("dump")));
}

#[test]
fn m02_id_is_never_changed_in_place() {
    let place = Place::new();
    place.write("in.bson", &one("x"));
    let refused = place.job("in.bson", "out.bson", &field("path = \"$._id\"\nto = \"uuid\"\nspelling = \"hyphens\"\n"));
    assert!(refused.unwrap_err().to_string().contains("_id is never changed in place"));
}

#[test]
fn m03_keys_that_become_the_same_are_found_before_anything_is_written() {
    let place = dump();
    let job = place.job("dump", "out", &plan("", CODE)).unwrap();
    let collisions = &look(&job).streams[0].collisions;
    assert_eq!(
        (collisions[0].index.as_str(), collisions[0].count, &*collisions[0].first),
        ("code_1", 1, &[(0, 1)][..])
    );
    let hazards = answered("unique", "code_1", "$.code", "drop-index");
    let job = place.job("dump", "out", &plan(&hazards, CODE)).unwrap();
    assert!(look(&job).streams[0].collisions.is_empty());
    apply(&job).unwrap();
    assert!(!fs::read_to_string(place.path("out/shop/log.metadata.json")).unwrap().contains("code_1"));
}

#[test]
fn m14_a_field_of_the_shard_key_stops_the_plan() {
    let place = dump();
    let job = place.job("dump", "out", &plan("shard-key = [\"at\"]", CODE)).unwrap();
    assert_eq!(open_hazards(&job.streams[0].plan, job.streams[0].metadata.as_ref()), []);
    let job = place.job("dump", "out", &plan("shard-key = [\"code\"]", CODE)).unwrap();
    assert_eq!(open_hazards(&job.streams[0].plan, job.streams[0].metadata.as_ref())[0].kind, "shard-key");
}

#[test]
fn m16_buckets_of_time_series_are_not_converted() {
    let place = Place::new();
    place.write("dump/shop/system.buckets.t.bson", &one("1"));
    place.write(
        "dump/shop/t.metadata.json",
        br#"{"options":{"timeseries":{"timeField":"at"}},"indexes":[],"type":"timeseries"}"#,
    );
    let plan = format!(
        "{HEAD}[[collection]]\nname = \"shop.system.buckets.t\"\n[[collection.field]]\npath = \"$.v\"\nto = \"int32\"\n"
    );
    assert!(matches!(place.job("dump", "out", &plan), Err(RunError::Refused(_))));
    // Without it they are copied.
    apply(&place.job("dump", "out", HEAD).unwrap()).unwrap();
    assert_eq!(crate::support::files(&place.path("out")), crate::support::files(&place.path("dump")));
}

#[test]
fn t22_t25_a_companion_keeps_what_a_date_loses() {
    let place = Place::new();
    let documents = [
        bson(&[("at", text("2020-01-01T08:00:00.123456+05:45")), ("z", Value::Int32(1))]),
        bson(&[("at", text("2020-01-01T08:00:00.123000+05:45"))]),
    ];
    place.write("in.bson", &documents.concat());
    let body =
        "path = \"$.at\"\nto = \"date\"\nspelling = \"YYYY-MM-DDThh:mm:ss.ffffff+hh:mm\"\nlossy = \"companion\"\n";
    let job = place.job("in.bson", "out.bson", &field(&format!("{body}companion = \"at_lost\"\n"))).unwrap();
    apply(&job).unwrap();
    // 08:00:00 at 5:45 east of UTC is 02:15:00 in UTC.
    let at = Value::DateTime(1_577_844_900_123);
    let expected = [
        bson(&[("at", at.clone()), ("at_lost", text("456+05:45")), ("z", Value::Int32(1))]),
        bson(&[("at", at), ("at_lost", text("000+05:45"))]),
    ];
    assert_eq!(fs::read(place.path("out.bson")).unwrap(), expected.concat());
    let verified = verify(&job, &job.destination, None).unwrap();
    assert_eq!((verified.same, verified.companions), (2, 2));

    // A companion whose name is taken stops the run.
    let taken = place.job("in.bson", "taken.bson", &field(&format!("{body}companion = \"z\"\n"))).unwrap();
    assert!(apply(&taken).unwrap_err().to_string().contains("has a field \"z\" already"));
    assert!(!place.path("taken.bson").exists());
}

#[test]
fn what_does_not_fit_stops_or_is_put_aside() {
    let place = Place::new();
    let (good, bad) = (one("12"), one("twelve"));
    place.write("in.bson", &[good.as_slice(), &bad, &good].concat());
    let stop =
        place.job("in.bson", "stop.bson", &field("path = \"$.v\"\nto = \"int32\"\nmisfits = \"fail\"\n")).unwrap();
    let error = apply(&stop).unwrap_err().to_string();
    assert!(error.contains("document 2, offset 15") && error.contains("\"twelve\""), "{error}");
    let aside =
        place.job("in.bson", "out.bson", &field("path = \"$.v\"\nto = \"int32\"\nmisfits = \"quarantine\"\n")).unwrap();
    let report = apply(&aside).unwrap();
    assert_eq!(fs::read(report.quarantine.as_ref().unwrap()).unwrap(), bad);
    assert_eq!(fs::read(place.path("out.bson")).unwrap(), bson(&[("v", Value::Int32(12))]).repeat(2));
    assert_eq!(verify(&aside, &aside.destination, report.quarantine.as_deref()).unwrap().quarantined, 1);
    restore(&place.path("out.bson"), &report.log, &place.path("back.bson")).unwrap();
    assert_eq!(fs::read(place.path("back.bson")).unwrap(), fs::read(place.path("in.bson")).unwrap());
}

#[test]
fn nothing_is_overwritten_and_a_changed_file_is_not_undone() {
    let place = Place::new();
    place.write("in.bson", &one("12"));
    place.write("there.bson", b"precious");
    let plan = field("path = \"$.v\"\nto = \"int32\"\n");
    assert!(matches!(apply(&place.job("in.bson", "there.bson", &plan).unwrap()), Err(RunError::Exists(_))));
    assert_eq!(fs::read(place.path("there.bson")).unwrap(), b"precious");
    apply(&place.job("in.bson", "out.bson", &plan).unwrap()).unwrap();
    let mut changed = fs::read(place.path("out.bson")).unwrap();
    changed[7] ^= 1;
    place.write("out.bson", &changed);
    let undone = restore(&place.path("out.bson"), &place.path("out.bson.undo"), &place.path("back.bson"));
    assert!(matches!(undone, Err(UndoError::Changed { .. })));
    assert!(!place.path("back.bson").exists());
}

#[test]
fn verifying_finds_a_wrong_value_and_a_stray_change() {
    let place = Place::new();
    place.write("in.bson", &bson(&[("v", text("12")), ("w", text("x"))]));
    let job = place.job("in.bson", "out.bson", &field("path = \"$.v\"\nto = \"int32\"\n")).unwrap();
    for (value, other) in [(Value::Int32(13), "x"), (Value::Int32(12), "y"), (Value::Null, "x")] {
        place.write("bad.bson", &bson(&[("v", value), ("w", text(other))]));
        assert!(verify(&job, &place.path("bad.bson"), None).is_err());
    }
    place.write("good.bson", &bson(&[("v", Value::Int32(12)), ("w", text("x"))]));
    assert_eq!(verify(&job, &place.path("good.bson"), None).unwrap().exact, 1);
}
