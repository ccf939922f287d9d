//! What goes wrong in migrations elsewhere, of collections that are in use: cases M01 and on.

use std::fs;

use boson_migrate::RunError;
use boson_migrate::collection::{CollectionOptions, Description, live_hazards, open_live_hazards, preparations};
use bson::{Bson, Document, doc};
use tempfile::TempDir;

use crate::live::{INT, convert, job, job_of, options, run};
use crate::server::{Call, Server, described};
use crate::support::{HEAD, field};

const AT: &str = "path = \"$.at\"\nto = \"date\"\nspelling = \"YYYY-MM-DDThh:mm:ssZ\"\n";

fn indexed(more: &str) -> String {
    format!("{{\"options\":{{}},\"indexes\":[{{\"key\":{{\"at\":1}},\"name\":\"at_1\",{more}}}]}}")
}

fn refused(body: &str, description: &Description) -> String {
    let mut server = Server::new(&[]);
    server.description = description.clone();
    job_of(&server, &field(body)).map(|_| ()).unwrap_err().to_string()
}

fn answered(kind: &str, index: &str, path: &str, answer: &str) -> String {
    format!(
        "{HEAD}[[collection]]\n[[collection.hazard]]\nkind = \"{kind}\"\nindex = \"{index}\"\npath = \"{path}\"\n\
         answer = \"{answer}\"\n[[collection.field]]\n{AT}"
    )
}

#[test]
fn m01_an_index_that_deletes_must_be_gone_before_texts_become_dates() {
    let description = described(&indexed("\"expireAfterSeconds\":3600"));
    let error = refused(AT, &description);
    assert!(error.contains("at_1") && error.contains("db.getSiblingDB(\"t\").runCommand"), "{error}");
    let mut server = Server::new(&[]);
    server.description = description;
    // An answer for a dump is none here: the index is still there.
    assert!(job_of(&server, &answered("ttl", "at_1", "$.at", "drop-ttl")).is_err());
    assert!(job_of(&server, &answered("ttl", "at_1", "$.at", "let-them-expire")).is_ok());
    server.description = described(&indexed("\"unique\":false"));
    assert!(job_of(&server, &answered("ttl", "at_1", "$.at", "drop-ttl")).is_ok(), "it was dropped");
}

#[test]
fn m02_the_id_is_never_changed_in_place() {
    let error = refused("path = \"$._id\"\nto = \"uuid\"\nspelling = \"hyphens\"\n", &described("{}"));
    assert!(error.contains("never changed in place"), "{error}");
}

#[test]
fn m03_a_collision_in_a_unique_index_is_listed_or_stops_the_run() {
    let documents = [doc! { "_id": 1, "v": "1" }, doc! { "_id": 2, "v": 1 }, doc! { "_id": 3, "v": "3" }];
    let server = || {
        let mut server = Server::new(&documents);
        server.description =
            described("{\"options\":{},\"indexes\":[{\"key\":{\"v\":1},\"name\":\"v_1\",\"unique\":true}]}");
        server.unique("v_1", "v");
        server
    };
    let goes_on = server();
    let (_folder, report) = convert(&goes_on, INT);
    assert_eq!((report.counts.refused, report.counts.updated, report.is_settled), (2, 1, true), "once in each pass");
    assert_eq!(goes_on.documents(), [documents[0].clone(), documents[1].clone(), doc! { "_id": 3, "v": 3 }]);
    let list = fs::read_to_string(&report.list).unwrap();
    assert!(list.starts_with("{\"_id\":1,\"path\":\"$.v\",\"why\":\"the server refused it (11000): E11000"), "{list}");
    let folder = TempDir::new().unwrap();
    let stops = server();
    let error = run(&stops, &job(&stops, &format!("{INT}misfits = \"fail\"\n")), &options(folder.path())).unwrap_err();
    assert!(error.to_string().contains("_id 1: $.v: the server refused it (11000)"), "{error}");
}

const VALIDATED: &str =
    r#"{"options":{"validator":{"$jsonSchema":{"properties":{"at":{"bsonType":"string"}}}}},"indexes":[]}"#;

#[test]
fn m06_a_validator_must_take_the_new_type_first_and_the_command_is_given() {
    let description = described(VALIDATED);
    let error = refused(AT, &description);
    assert!(error.contains("every update would fail"), "{error}");
    let mut server = Server::new(&[]);
    server.description = described(&VALIDATED.replace("\"string\"", "[\"string\",\"date\"]"));
    assert!(job_of(&server, &field(AT)).is_ok(), "it takes both");
    server.description = described(&VALIDATED.replace("\"options\":{", "\"options\":{\"validationAction\":\"warn\","));
    let warned = job_of(&server, &field(AT)).unwrap();
    assert!(live_hazards(&warned.plan, "t.c", &warned.description)[0].what.contains("only warns"));

    server.description = description;
    let allowed = job_of(&server, &answered("validator", "", "$.at", "keep")).unwrap();
    let steps = preparations(&allowed.plan, "shop.log", &allowed.description);
    assert_eq!(
        steps[0].command,
        r#"{"collMod":"log","validator":{"$jsonSchema":{"properties":{"at":{"bsonType":["string","date"]}}}}}"#
    );
    assert!(steps[0].mongosh.starts_with("db.getSiblingDB(\"shop\").runCommand(EJSON.parse(\"{"), "M24");
}

#[test]
fn m06_what_a_validator_refuses_nevertheless_is_listed() {
    let server = Server::new(&[doc! { "_id": 1, "v": "1" }, doc! { "_id": 2, "v": "200" }]);
    server.validator(|document| document.get_i32("v").is_ok_and(|v| v < 100));
    let (_folder, report) = convert(&server, INT);
    assert_eq!(server.documents(), [doc! { "_id": 1, "v": 1 }, doc! { "_id": 2, "v": "200" }]);
    assert!(fs::read_to_string(&report.list).unwrap().contains("(121)"));
}

/// No server of these tests shards: the decision is a function of what a server says.
#[test]
fn m14_a_field_in_the_shard_key_is_refused_whatever_the_plan_answers() {
    let mut description = described("{}");
    description.shard_key = vec!["at".to_owned()];
    assert!(refused(AT, &description).contains("reshardCollection"));
    let mut server = Server::new(&[]);
    server.description = description;
    for answer in ["reshard", "keep"] {
        assert!(job_of(&server, &answered("shard-key", "", "$.at", answer)).is_err());
    }
    assert!(job_of(&server, &field(INT)).is_ok(), "another field is not");
}

#[test]
fn m16_m17_time_series_views_and_capped_collections_of_old_servers_are_refused() {
    for (metadata, expected) in [
        ("{\"type\":\"timeseries\",\"options\":{\"timeseries\":{\"timeField\":\"at\"}}}", "metaField"),
        ("{\"type\":\"view\",\"options\":{\"viewOn\":\"log\"}}", "a view holds no documents"),
    ] {
        assert!(refused(AT, &described(metadata)).contains(expected));
    }
    let mut capped = described("{\"options\":{\"capped\":true},\"indexes\":[]}");
    capped.version = Some([4, 4, 0]);
    assert!(refused(AT, &capped).contains("before version 5"));
    capped.version = Some([7, 0, 0]);
    assert!(refused(AT, &capped).contains("push out the oldest"));
    let mut server = Server::new(&[]);
    server.description = capped;
    assert!(job_of(&server, &answered("capped", "", "", "in-place")).is_ok());
}

/// M07, M08: writers that still write strings are met by passes until nothing is left; the limit on passes is told.
#[test]
fn m08_a_writer_that_never_stops_is_told_and_not_hidden() {
    let server = Server::new(&[doc! { "_id": 1, "v": "1" }]);
    let mut n = 1;
    server.others(move |call, documents| {
        if call == Call::Scan {
            n += 1;
            documents.insert(&doc! { "_id": 1, "v": n.to_string() });
        }
    });
    let folder = TempDir::new().unwrap();
    let options = CollectionOptions { passes_max: 4, ..options(folder.path()) };
    let report = run(&server, &job(&server, INT), &options).unwrap();
    assert_eq!((report.is_settled, report.passes), (false, 4));
}

/// A document that is changed whenever it is read is given up for the pass after so many rounds, and told.
#[test]
fn m09_a_document_that_is_always_changed_is_told() {
    let server = Server::new(&[doc! { "_id": 1, "v": "1" }, doc! { "_id": 2, "v": "2" }]);
    let mut n = 1;
    server.others(move |call, documents| {
        if call == Call::Update {
            n += 1;
            documents.insert(&doc! { "_id": 1, "v": n.to_string() });
        }
    });
    let folder = TempDir::new().unwrap();
    let options = CollectionOptions { passes_max: 1, rounds_max: 7, ..options(folder.path()) };
    let report = run(&server, &job(&server, INT), &options).unwrap();
    assert_eq!((report.counts.conflicts, report.counts.contended, report.counts.updated), (7, 1, 1));
    assert!(!report.is_settled);
    assert!(fs::read_to_string(&report.list).unwrap().contains("as often as it was read"));
}

/// M11, M26: there are no transactions and no long statements: a call holds a batch at most.
#[test]
fn m11_m26_updates_go_in_batches() {
    let documents: Vec<Document> = (0..23).map(|n| doc! { "_id": n, "v": n.to_string() }).collect();
    let server = Server::new(&documents);
    let folder = TempDir::new().unwrap();
    let options = CollectionOptions { batch_documents: 10, ..options(folder.path()) };
    run(&server, &job(&server, INT), &options).unwrap();
    assert_eq!(server.batches(), [10, 10, 3]);
}

/// A message has at most 48 MB, and a document of 4 MB in an array is both in the guard and in what is set.
#[test]
fn m26_messages_are_split_by_their_size() {
    let list: Vec<Bson> = vec![Bson::String("1".to_owned()), Bson::String("x".repeat(4 << 20))];
    let documents: Vec<Document> = (0..9).map(|n| doc! { "_id": n, "v": list.clone() }).collect();
    let server = Server::new(&documents);
    let folder = TempDir::new().unwrap();
    let options = CollectionOptions { batch_documents: 9, ..options(folder.path()) };
    let report = run(&server, &job(&server, "path = \"$.v[]\"\nto = \"int32\"\n"), &options).unwrap();
    // A batch is read up to 16 MB and the document that passes it: four; an update holds 8 MB: five fit in a message.
    assert_eq!((report.counts.updated, server.batches()), (9, vec![4, 4, 1]));
}

#[test]
fn m20_a_document_that_would_become_too_large_is_listed_before_it_is_sent() {
    let text = "2024-01-15T10:30:00.007123Z";
    let filler = "x".repeat((16 << 20) - 60);
    let server = Server::new(&[doc! { "_id": 1, "v": text }, doc! { "_id": 2, "v": text, "f": filler }]);
    let body = "path = \"$.v\"\nto = \"date\"\nspelling = \"YYYY-MM-DDThh:mm:ss.ffffffZ\"\nlossy = \"companion\"\n\
                companion = \"what_the_date_lost_of_the_text_that_it_was\"\n";
    let (_folder, report) = convert(&server, body);
    assert_eq!((report.counts.updated, report.counts.refused), (1, 0));
    assert!(report.counts.left > 0);
    let list = fs::read_to_string(&report.list).unwrap();
    assert!(list.contains("\"_id\":2") && list.contains("a server takes 16777216"), "{list}");
}

/// M21: one bad value stops nothing; M27: each document gets what its own value says.
#[test]
fn m21_m27_each_document_is_converted_by_its_own_value() {
    let server = Server::new(&[doc! { "_id": 1, "v": "1" }, doc! { "_id": 2, "v": "x" }, doc! { "_id": 3, "v": "3" }]);
    convert(&server, INT);
    let expected = [doc! { "_id": 1, "v": 1 }, doc! { "_id": 2, "v": "x" }, doc! { "_id": 3, "v": 3 }];
    assert_eq!(server.documents(), expected);
}

/// M23: bytes in the order of an old driver are not known by looking, so no plan turns subtype 3 into subtype 4.
#[test]
fn m23_uuids_of_subtype_3_are_left_alone() {
    let old = Bson::Binary(bson::Binary { subtype: bson::spec::BinarySubtype::UuidOld, bytes: vec![7; 16] });
    let server = Server::new(&[doc! { "_id": 1, "v": old.clone() }]);
    convert(&server, "path = \"$.v\"\nto = \"uuid\"\nspelling = \"hyphens\"\n");
    assert_eq!(server.documents(), [doc! { "_id": 1, "v": old }]);
}

#[test]
fn a_plan_of_something_else_is_refused() {
    let server = Server::new(&[]);
    let error = job_of(&server, &field(INT).replace("[[collection]]\n", "[[collection]]\nname = \"a.b\"\n"));
    assert!(matches!(error, Err(RunError::Refused(what)) if what.contains("says nothing of t.c")));
    let open = open_live_hazards(&job(&server, INT).plan, "t.c", &described("{}"));
    assert!(open.is_empty());
}
