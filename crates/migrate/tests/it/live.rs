//! Collections that are in use, against a server in memory.

use std::fs;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use boson_migrate::Plan;
use boson_migrate::RunError;
use boson_migrate::collection::{
    Collection, CollectionJob, CollectionOptions, CollectionReport, CollectionRestored, RestoreOptions, Retries,
    restore_collection, run_collection, verify_collection,
};
use boson_testkit::Rng;
use bson::spec::BinarySubtype;
use bson::{Binary, Bson, DateTime, Document, Timestamp, doc, oid::ObjectId};
use tempfile::TempDir;

use crate::server::{Call, Documents, Fate, KILLED, Server, described};
use crate::support::{HEAD, field};

pub(crate) const INT: &str = "path = \"$.v\"\nto = \"int32\"\n";

pub(crate) fn job_of(server: &Server, plan: &str) -> Result<CollectionJob, RunError> {
    CollectionJob::new(&Plan::parse(plan)?, plan, "t.c", server.describe().unwrap())
}

pub(crate) fn job(server: &Server, body: &str) -> CollectionJob {
    job_of(server, &field(body)).unwrap()
}

pub(crate) const RETRIES: Retries = Retries { count: 3, pause: Duration::ZERO, pause_max: Duration::ZERO };

pub(crate) fn options(folder: &Path) -> CollectionOptions {
    CollectionOptions {
        batch_documents: 5,
        in_flight: 1,
        checkpoint_documents: 1,
        retries: RETRIES,
        ..CollectionOptions::new(folder.join("run"))
    }
}

pub(crate) fn run(
    server: &Server,
    job: &CollectionJob,
    options: &CollectionOptions,
) -> Result<CollectionReport, RunError> {
    run_collection(job, server, options, &mut |_| ControlFlow::Continue(()))
}

/// Runs a plan of one field in a folder of its own.
pub(crate) fn convert(server: &Server, body: &str) -> (TempDir, CollectionReport) {
    let folder = TempDir::new().unwrap();
    let report = run(server, &job(server, body), &options(folder.path())).unwrap();
    (folder, report)
}

pub(crate) fn undo(server: &Server, report: &CollectionReport) -> CollectionRestored {
    let list = report.log.with_extension("list");
    let options = RestoreOptions { batch_documents: 5, retries: RETRIES, list };
    restore_collection(&report.log, "t.c", server, &options, &mut |_| ControlFlow::Continue(())).unwrap()
}

/// Ids of every type, in MongoDB's order.
fn ids() -> Vec<Bson> {
    let binary = |subtype, len| Bson::Binary(Binary { subtype, bytes: vec![7; len] });
    vec![
        Bson::MinKey,
        Bson::Null,
        Bson::Double(f64::NAN),
        Bson::Double(f64::NEG_INFINITY),
        Bson::Int64(-5),
        Bson::Double(-0.5),
        Bson::Int32(0),
        Bson::Decimal128("1.5".parse().unwrap()),
        Bson::Int64(1 << 60),
        Bson::Double(f64::INFINITY),
        Bson::String(String::new()),
        Bson::String("$a".to_owned()),
        Bson::Symbol("a".to_owned()),
        Bson::String("b.c".to_owned()),
        Bson::Document(doc! {}),
        Bson::Document(doc! { "$a": 1 }),
        Bson::Document(doc! { "a": "5", "b": 2 }),
        binary(BinarySubtype::Generic, 1),
        binary(BinarySubtype::Uuid, 16),
        Bson::ObjectId(ObjectId::from_bytes([1; 12])),
        Bson::ObjectId(ObjectId::from_bytes([2; 12])),
        Bson::Boolean(false),
        Bson::Boolean(true),
        Bson::DateTime(DateTime::from_millis(-1)),
        Bson::DateTime(DateTime::from_millis(1)),
        Bson::Timestamp(Timestamp { time: 1, increment: 2 }),
        Bson::JavaScriptCode("x".to_owned()),
        Bson::MaxKey,
    ]
}

fn with_ids() -> Vec<Document> {
    ids().into_iter().enumerate().map(|(n, id)| doc! { "_id": id, "v": n.to_string() }).collect()
}

#[test]
fn ids_of_every_type_are_reached_wherever_a_run_is_stopped_or_interrupted() {
    let expected: Vec<Document> = (0_i32..).zip(ids()).map(|(n, id)| doc! { "_id": id, "v": n }).collect();
    for batch_documents in [1, 3, 100] {
        let server = Server::new(&with_ids());
        // Every third call loses its connection.
        server.fates(|calls, _| if calls % 3 == 0 { Fate::LostBefore } else { Fate::Works });
        let folder = TempDir::new().unwrap();
        let options = CollectionOptions { batch_documents, ..options(folder.path()) };
        let job = job(&server, INT);
        let mut stops = 0;
        loop {
            match run_collection(&job, &server, &options, &mut |_| ControlFlow::Break(())) {
                Err(RunError::Stopped) => stops += 1,
                Ok(report) => break assert!(report.is_settled),
                Err(error) => panic!("{error}"),
            }
        }
        // A batch is being converted and another is read ahead when a run is told to stop.
        assert!(stops >= ids().len() / batch_documents / 2, "{stops}");
        assert_eq!(format!("{:?}", server.documents()), format!("{expected:?}"));
    }
}

/// A plan, what is read, what somebody writes before it is updated, what is to be there at the end.
type Meanwhile<'a> = (&'a str, Bson, Bson, Bson);

fn string(text: &str) -> Bson {
    Bson::String(text.to_owned())
}

fn list<const N: usize>(items: [Bson; N]) -> Bson {
    Bson::Array(Vec::from(items))
}

/// What somebody writes between the page and the update is never overwritten, however much it looks like what was read.
fn assert_kept(cases: Vec<Meanwhile<'_>>) {
    for (body, before, meanwhile, after) in cases {
        for names_unmatched in [false, true] {
            let mut server = Server::new(&[doc! { "_id": 1, "v": before.clone(), "w": "5" }]);
            server.names_unmatched = names_unmatched;
            let written = doc! { "_id": 1, "v": meanwhile.clone(), "w": "5" };
            let mut done = false;
            server.others(move |call, documents| {
                if call == Call::Update && !std::mem::replace(&mut done, true) {
                    documents.insert(&written);
                }
            });
            let (_folder, report) = convert(&server, body);
            let expected = vec![doc! { "_id": 1, "v": after.clone(), "w": "5" }];
            // Debug output tells the types of numbers apart.
            assert_eq!(format!("{:?}", server.documents()), format!("{expected:?}"), "{body}");
            assert_eq!(report.counts.conflicts, 1, "{body} {before}");
            assert!(report.is_settled);
        }
    }
}

#[test]
fn what_others_wrote_meanwhile_stays_where_a_value_only_looks_the_same() {
    let decimal = || Bson::Decimal128("5".parse().unwrap());
    let long = || Bson::Document(doc! { "$numberLong": "5" });
    let from_double = "path = \"$.v\"\nfrom = \"double\"\nto = \"int32\"\n";
    let wrapper = "path = \"$.v\"\nfrom = \"object\"\nto = \"int64\"\n";
    assert_kept(vec![
        (INT, string("5"), string("6"), Bson::Int32(6)),
        // Equality looks into arrays, and takes numbers of all types and symbols for the same.
        (INT, string("5"), list([string("5")]), list([string("5")])),
        (INT, string("5"), Bson::Symbol("5".to_owned()), Bson::Symbol("5".to_owned())),
        (from_double, Bson::Double(5.0), Bson::Int64(5), Bson::Int64(5)),
        (from_double, Bson::Double(5.0), decimal(), decimal()),
        (wrapper, long(), list([long()]), list([long()])),
    ]);
}

#[test]
fn what_others_wrote_meanwhile_stays_in_arrays() {
    let elements = "path = \"$.v[]\"\nto = \"int32\"\n";
    let deep = "path = \"$.v[].b\"\nto = \"int32\"\n";
    let int = Bson::Int32;
    assert_kept(vec![
        // The types of numbers count that are not converted.
        (
            elements,
            list([string("5"), int(6)]),
            list([string("5"), Bson::Double(6.0)]),
            list([int(5), Bson::Double(6.0)]),
        ),
        (
            deep,
            list([doc! { "b": "5", "c": { "d": [1_i64] } }.into()]),
            list([doc! { "b": "5", "c": { "d": [1_i32] } }.into()]),
            list([doc! { "b": 5, "c": { "d": [1_i32] } }.into()]),
        ),
        (elements, list([string("5")]), list([string("5"), string("7")]), list([int(5), int(7)])),
        // An array that holds the array.
        (elements, list([string("5")]), list([list([string("5")])]), list([list([string("5")])])),
    ]);
}

#[test]
fn what_others_wrote_meanwhile_stays_on_the_way_to_a_value() {
    let inner = "path = \"$.v.b\"\nto = \"int32\"\n";
    let place = "path = \"$.v.0\"\nto = \"int32\"\n";
    let dots = "path = \"$.v[\\\"x.y\\\"]\"\nto = \"int32\"\n";
    let dots_in_list = "path = \"$.v[\\\"x.y\\\"][]\"\nto = \"int32\"\n";
    let dollar = "path = \"$.v[\\\"$x\\\"]\"\nto = \"int32\"\n";
    let object = |document: Document| Bson::Document(document);
    assert_kept(vec![
        // A path goes into arrays, and a name can be a place.
        (inner, object(doc! { "b": "5" }), list([object(doc! { "b": "5" })]), list([object(doc! { "b": "5" })])),
        (inner, object(doc! { "b": "5" }), object(doc! { "b": ["5"] }), object(doc! { "b": ["5"] })),
        (place, object(doc! { "0": "5" }), list([string("5")]), list([string("5")])),
        // Names that no path can say.
        (dots, object(doc! { "x.y": "5" }), object(doc! { "x.y": ["5"] }), object(doc! { "x.y": ["5"] })),
        (dots, object(doc! { "x.y": "5" }), object(doc! { "x": { "y": "5" } }), object(doc! { "x": { "y": "5" } })),
        (dollar, object(doc! { "$x": "5" }), object(doc! { "$x": "7" }), object(doc! { "$x": 7 })),
        (
            dots_in_list,
            object(doc! { "x.y": ["5", 6_i32] }),
            object(doc! { "x.y": ["5", 6_i64] }),
            object(doc! { "x.y": [5_i32, 6_i64] }),
        ),
    ]);
}

#[test]
fn the_server_of_these_tests_has_the_traps() {
    use crate::server::matches;
    for (filter, document) in [
        (doc! { "v": "5" }, doc! { "v": ["5"] }),
        (doc! { "v.b": "5" }, doc! { "v": [{ "b": "5" }] }),
        (doc! { "v.0": "5" }, doc! { "v": ["5"] }),
        (doc! { "v": { "$eq": 5 } }, doc! { "v": 5.0 }),
        (doc! { "v": { "$eq": ["5"] } }, doc! { "v": [["5"]] }),
        (doc! { "v": { "$eq": [5] } }, doc! { "v": [5.0] }),
        (doc! { "v": { "$type": 2, "$eq": "5" } }, doc! { "v": ["5"] }),
        (doc! { "$expr": { "$eq": ["$v.b", { "$literal": ["5"] }] } }, doc! { "v": [{ "b": "5" }] }),
        (doc! { "v": { "$eq": Bson::Null } }, doc! {}),
        (doc! { "v": { "$gt": Bson::Int32(4) } }, doc! { "v": 5.0 }),
    ] {
        assert!(matches(&filter, &document), "{filter} {document}");
    }
    for (filter, document) in [
        (doc! { "_id": { "$gt": 5 } }, doc! { "_id": "6" }),
        (doc! { "_id": { "$gt": f64::NAN } }, doc! { "_id": 1 }),
        (doc! { "_id": { "$gte": 1 } }, doc! { "_id": f64::NAN }),
    ] {
        assert!(!matches(&filter, &document), "{filter} {document}");
    }
}

/// What the last writer of each document wrote, and what it is then to be.
fn expected(written: &str) -> Bson {
    written.parse::<i32>().map_or_else(|_| Bson::String(written.to_owned()), Bson::Int32)
}

/// Inserts, changes and deletes, as an application that still writes strings does.
fn disturb(rng: &mut Rng, documents: &mut Documents) {
    let ids = documents.ids();
    let n = i32::try_from(rng.below(1000)).unwrap();
    let id = Bson::Int32(i32::try_from(rng.below(400)).unwrap());
    match if ids.len() < 100 { 0 } else { rng.below(6) } {
        0 => documents.insert(&doc! { "_id": id, "v": n.to_string(), "w": n.to_string() }),
        1 => documents.remove(&ids[rng.below(ids.len())]),
        kind => {
            let id = &ids[rng.below(ids.len())];
            let mut document = documents.get(id).unwrap();
            // A new string, a string that does not fit, or a number already; `w` says what it is to become.
            let value = match kind {
                2 => Bson::Int32(n),
                3 => Bson::String("none".to_owned()),
                _ => Bson::String(n.to_string()),
            };
            document.insert("w", value.to_string().trim_matches('"').to_owned());
            document.insert("v", value);
            documents.insert(&document);
        }
    }
}

fn readings(count: i32) -> Vec<Document> {
    (0..count).map(|n| doc! { "_id": n, "v": n.to_string(), "w": n.to_string() }).collect()
}

fn assert_converted(server: &Server) {
    for document in server.documents() {
        assert_eq!(document.get("v"), Some(&expected(document.get_str("w").unwrap())), "{document}");
    }
}

#[test]
fn writers_all_through_a_run_lose_nothing_and_leave_no_old_type() {
    for seed in 0..8 {
        let mut server = Server::new(&readings(300));
        server.names_unmatched = seed % 2 == 0;
        let (mut rng, mut left) = (Rng::new(seed), 2000);
        server.others(move |call, documents| {
            for _ in 0..if call == Call::Update { 20 } else { 1 } {
                if left > 0 && !documents.ids().is_empty() {
                    left -= 1;
                    disturb(&mut rng, documents);
                }
            }
        });
        let folder = TempDir::new().unwrap();
        let options = CollectionOptions { batch_documents: 40, passes_max: 100, ..options(folder.path()) };
        let report = run(&server, &job(&server, INT), &options).unwrap();
        assert!(report.is_settled);
        assert_converted(&server);
        let counts = report.counts;
        assert!(counts.conflicts > 20 && counts.vanished > 5 && report.passes > 1, "{counts:?} {}", report.passes);
    }
}

#[test]
fn writers_in_threads_of_their_own() {
    let server = Server::new(&readings(300));
    let folder = TempDir::new().unwrap();
    let options = CollectionOptions { batch_documents: 20, in_flight: 3, passes_max: 1000, ..options(folder.path()) };
    let job = job(&server, INT);
    let mut conflicts = 0;
    std::thread::scope(|scope| {
        let writers: Vec<_> = (0..2)
            .map(|seed| {
                let server = &server;
                scope.spawn(move || {
                    let mut rng = Rng::new(seed);
                    // Until an update has met a change of this writer, and some more.
                    for _ in 0..3000 {
                        server.with(|documents| disturb(&mut rng, documents));
                        std::thread::yield_now();
                    }
                })
            })
            .collect();
        while !writers.iter().all(std::thread::ScopedJoinHandle::is_finished) {
            conflicts = run(&server, &job, &options).unwrap().counts.conflicts;
        }
    });
    assert!(run(&server, &job, &options).unwrap().is_settled);
    assert_converted(&server);
    assert!(conflicts > 0, "the writers met no update");
}

/// Documents with a value of each way to be reached.
fn shapes() -> Vec<Document> {
    let shape = |n: i32| {
        let text = n.to_string();
        doc! { "_id": n, "v": text.clone(), "o": { "x.y": text.clone(), "p": { "q": text.clone() } },
        "list": [{ "n": text.clone(), "k": 1.5 }, 7], "t": format!("2024-01-15T10:30:00.007{:03}Z", n + 1) }
    };
    (0..12).map(shape).collect()
}

fn shapes_plan() -> String {
    let fields = [
        INT,
        "path = \"$.o[\\\"x.y\\\"]\"\nto = \"int64\"\n",
        "path = \"$.o.p.q\"\nto = \"double\"\nspelling = \"shortest\"\n",
        "path = \"$.list[].n\"\nto = \"int32\"\n",
        "path = \"$.t\"\nto = \"date\"\nspelling = \"YYYY-MM-DDThh:mm:ss.ffffffZ\"\nlossy = \"companion\"\ncompanion = \"t.rest\"\n",
    ];
    let fields: Vec<String> = fields.iter().map(|field| format!("[[collection.field]]\n{field}")).collect();
    format!("{HEAD}[[collection]]\n{}", fields.concat())
}

fn shapes_converted() -> Vec<Document> {
    let shape = |n: i32| {
        doc! { "_id": n, "v": n, "o": { "x.y": i64::from(n), "p": { "q": f64::from(n) } },
        "list": [{ "n": n, "k": 1.5 }, 7], "t": DateTime::from_millis(1_705_314_600_007), "t.rest": format!("{:03}Z", n + 1) }
    };
    (0..12).map(shape).collect()
}

#[test]
fn every_way_to_a_value_is_converted_verified_and_undone() {
    let server = Server::new(&shapes());
    let original = server.raw();
    let folder = TempDir::new().unwrap();
    let job = job_of(&server, &shapes_plan()).unwrap();
    let report = run(&server, &job, &options(folder.path())).unwrap();
    assert_eq!(server.documents(), shapes_converted());
    assert_eq!((report.counts.updated, report.counts.conflicts, report.counts.read), (12, 0, 24));
    let verified = verify_collection(&job, &report.log, &server, RETRIES, &mut |_| ControlFlow::Continue(())).unwrap();
    assert_eq!((verified.left, verified.changed, verified.wrong), (0, 0, 0), "{:?}", verified.wrong_first);
    // Four values come back to the last character, the date's rest is beside it.
    assert_eq!((verified.values.exact, verified.values.same, verified.values.companions), (48, 12, 12));
    let restored = undo(&server, &report);
    assert_eq!((restored.restored, restored.changed, restored.vanished), (12, 0, 0));
    assert_eq!(server.raw(), original);
    // Once more finds everything done.
    let restored = undo(&server, &report);
    assert_eq!((restored.restored, restored.already), (0, 12 * 6));
}

#[test]
fn a_verification_by_another_plan_finds_what_is_wrong() {
    let text = |zone: &str| {
        field(&format!("path = \"$.v\"\nto = \"date\"\nspelling = \"YYYY-MM-DDThh:mm:ss\"\nzone = \"{zone}\"\n"))
    };
    let server = Server::new(&[doc! { "_id": 1, "v": "2024-01-15T10:30:00" }, doc! { "_id": 2, "v": "?" }]);
    let folder = TempDir::new().unwrap();
    let report = run(&server, &job_of(&server, &text("UTC")).unwrap(), &options(folder.path())).unwrap();
    let other = job_of(&server, &text("+02:00")).unwrap();
    server.with(|documents| documents.insert(&doc! { "_id": 3, "v": "2024-01-15T10:30:00" }));
    let verified =
        verify_collection(&other, &report.log, &server, RETRIES, &mut |_| ControlFlow::Continue(())).unwrap();
    assert_eq!((verified.wrong, verified.left, &*verified.left_ids), (1, 1, &["3".to_owned()][..]));
    assert!(verified.wrong_first[0].contains("_id 1: $.v"), "{:?}", verified.wrong_first);
}

/// Runs until the server kills the run; whether it did.
fn run_to_death(server: &Server, job: &CollectionJob, options: &CollectionOptions) -> bool {
    let outcome = catch_unwind(AssertUnwindSafe(|| run(server, job, options)));
    match outcome {
        Ok(outcome) => {
            outcome.unwrap();
            false
        }
        Err(panic) => {
            let said = panic.downcast_ref::<&str>().copied();
            assert!(said == Some(KILLED) || said == Some("a scoped thread panicked"), "{said:?}");
            true
        }
    }
}

/// What an uninterrupted run calls, one call after another.
fn calls_of_a_run() -> Vec<Call> {
    let calls = Arc::new(Mutex::new(Vec::new()));
    let server = Server::new(&shapes());
    let job = job_of(&server, &shapes_plan()).unwrap();
    let own = Arc::clone(&calls);
    server.fates(move |_, call| {
        own.lock().unwrap().push(call);
        Fate::Works
    });
    let folder = TempDir::new().unwrap();
    run(&server, &job, &options(folder.path())).unwrap();
    calls.lock().unwrap().clone()
}

fn kill_at(at: usize, after: bool, in_flight: usize) {
    let server = Server::new(&shapes());
    let original = server.raw();
    let folder = TempDir::new().unwrap();
    let options = CollectionOptions { in_flight, ..options(folder.path()) };
    let job = job_of(&server, &shapes_plan()).unwrap();
    server.fates(move |calls, call| match calls {
        calls if calls <= at as u64 => Fate::Works,
        calls if calls == at as u64 + 1 && after && call == Call::Update => Fate::KilledAfter,
        _ => Fate::KilledBefore,
    });
    assert!(run_to_death(&server, &job, &options));
    server.fates(|_, _| Fate::Works);
    let report = run(&server, &job, &options).unwrap();
    assert_eq!(server.documents(), shapes_converted(), "killed at call {at}");
    let verified = verify_collection(&job, &report.log, &server, RETRIES, &mut |_| ControlFlow::Continue(()));
    assert_eq!(verified.unwrap().wrong, 0);
    undo(&server, &report);
    assert_eq!(server.raw(), original, "killed at call {at}");
}

#[test]
fn killed_before_or_after_any_call_a_run_goes_on_to_the_same_end_and_can_be_undone() {
    let calls = calls_of_a_run();
    let updates = calls.iter().filter(|call| **call == Call::Update).count();
    assert_eq!((updates, calls.len() > 50), (3, true), "12 documents in batches of 5: {calls:?}");
    for (at, call) in calls.iter().enumerate() {
        if *call == Call::Update {
            kill_at(at, false, 1);
            kill_at(at, true, 1);
        } else if at % 3 == 0 {
            kill_at(at, false, 1);
        }
        if at % 7 == 0 {
            kill_at(at, true, 3);
        }
    }
}

#[test]
fn a_connection_that_is_lost_before_amid_or_after_updates_changes_nothing() {
    for lost in [Fate::LostBefore, Fate::LostAfter(0), Fate::LostAfter(2), Fate::LostAfter(5)] {
        for names_unmatched in [false, true] {
            let mut server = Server::new(&shapes());
            server.names_unmatched = names_unmatched;
            let original = server.raw();
            let mut turn = 0;
            server.fates(move |_, call| {
                turn += i32::from(call == Call::Update);
                if call == Call::Update && turn % 2 == 1 { lost } else { Fate::Works }
            });
            let folder = TempDir::new().unwrap();
            let report = run(&server, &job_of(&server, &shapes_plan()).unwrap(), &options(folder.path())).unwrap();
            assert_eq!(server.documents(), shapes_converted());
            assert_eq!((report.counts.conflicts, report.counts.vanished), (0, 0));
            assert_eq!(report.counts.updated + report.counts.already, 12);
            assert!(report.interruptions >= 3);
            undo(&server, &report);
            assert_eq!(server.raw(), original);
        }
    }
}

#[test]
fn a_server_that_stays_away_ends_the_run_which_goes_on_when_it_is_back() {
    let server = Server::new(&readings(20));
    server.fates(|calls, _| if calls > 12 { Fate::LostBefore } else { Fate::Works });
    let folder = TempDir::new().unwrap();
    let job = job(&server, INT);
    let error = run(&server, &job, &options(folder.path())).unwrap_err();
    assert!(matches!(error, RunError::Server(_)), "{error}");
    server.fates(|_, _| Fate::Works);
    let report = run(&server, &job, &options(folder.path())).unwrap();
    assert!(report.is_resumed && report.is_settled);
    assert_converted(&server);
}

#[test]
fn undo_restores_what_nobody_changed_and_lists_the_rest() {
    let server = Server::new(&shapes());
    let folder = TempDir::new().unwrap();
    let report = run(&server, &job_of(&server, &shapes_plan()).unwrap(), &options(folder.path())).unwrap();
    server.with(|documents| {
        let mut document = documents.get(&Bson::Int32(3)).unwrap();
        document.insert("v", 99);
        // The same number, but of another type.
        document.get_document_mut("o").unwrap().insert("x.y", 3_i32);
        document.insert("new", true);
        documents.insert(&document);
        let mut document = documents.get(&Bson::Int32(4)).unwrap();
        document.insert("t", "today");
        documents.insert(&document);
        documents.remove(&Bson::Int32(5));
    });
    let restored = undo(&server, &report);
    assert_eq!((restored.restored, restored.changed, restored.vanished), (11, 2 + 2, 1));
    let mut expected = shapes();
    expected.remove(5);
    expected[3].insert("v", 99);
    expected[3].get_document_mut("o").unwrap().insert("x.y", 3_i32);
    expected[3].insert("new", true);
    expected[4].insert("t", "today");
    // What the date lost stays: it belongs to a value that is not restored.
    expected[4].insert("t.rest", "005Z");
    assert_eq!(format!("{:?}", server.documents()), format!("{expected:?}"));
    let list = fs::read_to_string(report.log.with_extension("list")).unwrap();
    for line in [
        "{\"_id\":3,\"path\":\"$.v\",\"why\":\"somebody changed it since\"}",
        "{\"_id\":5,\"path\":\"$\",\"why\":\"the document is gone\"}",
    ] {
        assert!(list.contains(line), "{list}");
    }
    let error = restore_collection(
        &report.log,
        "t.other",
        &server,
        &RestoreOptions { batch_documents: 5, retries: RETRIES, list: folder.path().join("list") },
        &mut |_| ControlFlow::Continue(()),
    );
    assert!(error.unwrap_err().to_string().contains("of t.c, not of t.other"));
}

#[test]
fn a_value_that_was_converted_twice_goes_back_to_what_was_written_last() {
    let server = Server::new(&[doc! { "_id": 1, "v": "5" }]);
    let folder = TempDir::new().unwrap();
    let job = job(&server, INT);
    run(&server, &job, &options(folder.path())).unwrap();
    server.with(|documents| documents.insert(&doc! { "_id": 1, "v": "7" }));
    let report = run(&server, &job, &options(folder.path())).unwrap();
    assert_eq!(server.documents(), [doc! { "_id": 1, "v": 7 }]);
    let restored = undo(&server, &report);
    assert_eq!(server.documents(), [doc! { "_id": 1, "v": "7" }]);
    assert_eq!((restored.restored, restored.changed), (1, 0));
}

#[test]
fn values_that_do_not_fit_follow_the_plan_and_are_listed() {
    let documents = [doc! { "_id": 1, "v": "1" }, doc! { "_id": "two", "v": "?" }, doc! { "_id": 3, "v": "" }];
    let convert = |more: &str| {
        let server = Server::new(&documents);
        let (folder, report) = convert(&server, &format!("{INT}{more}"));
        let list = fs::read_to_string(&report.list).unwrap();
        (server.documents(), list, report, folder)
    };
    let (after, list, report, _folder) = convert("");
    assert_eq!(after, [doc! { "_id": 1, "v": 1 }, documents[2].clone(), documents[1].clone()]);
    assert_eq!(
        list,
        "{\"_id\":3,\"path\":\"$.v\",\"why\":\"does not fit\"}\n{\"_id\":\"two\",\"path\":\"$.v\",\"why\":\"does not fit\"}\n"
    );
    assert!(report.is_settled);
    let (after, ..) = convert("misfits = \"null\"\n");
    assert_eq!(after[2], doc! { "_id": "two", "v": Bson::Null });
    let (after, _, report, _folder) = convert("misfits = \"quarantine\"\n");
    assert_eq!(after[2], documents[1], "it stays, and is copied");
    let aside = fs::read(&report.quarantine).unwrap();
    assert_eq!(aside, [documents[2].to_vec().unwrap(), documents[1].to_vec().unwrap()].concat());
    let server = Server::new(&documents);
    let folder = TempDir::new().unwrap();
    let stops = job(&server, &format!("{INT}misfits = \"fail\"\n"));
    let error = run(&server, &stops, &options(folder.path())).unwrap_err().to_string();
    assert!(error.contains("the document with the _id 3: $.v"), "{error}");
}

#[test]
fn what_no_update_can_reach_is_listed_and_left() {
    let server = Server::new(&[doc! { "_id": 1, "v": "1" }]);
    // {"_id": 2, "v": "2", "v": "3"}
    let mut twice = doc! { "_id": 2, "v": "2", "w": "3" }.to_vec().unwrap();
    let place = twice.iter().position(|byte| *byte == b'w').unwrap();
    twice[place] = b'v';
    server.with(|documents| documents.insert_raw(twice.clone()));
    let (_folder, report) = convert(&server, INT);
    assert_eq!(server.raw(), [doc! { "_id": 1, "v": 1 }.to_vec().unwrap(), twice]);
    assert_eq!((report.counts.left, report.counts.updated), (2, 1), "once in each pass");
    let list = fs::read_to_string(&report.list).unwrap();
    assert!(list.contains("\"_id\":2") && list.contains("there twice"), "{list}");
}

#[test]
fn a_companion_that_is_there_already_or_comes_meanwhile_is_not_overwritten() {
    let body = "path = \"$.v\"\nto = \"date\"\nspelling = \"YYYY-MM-DDThh:mm:ss.ffffffZ\"\nlossy = \"companion\"\ncompanion = \"rest\"\n";
    let text = "2024-01-15T10:30:00.007123Z";
    let server = Server::new(&[doc! { "_id": 1, "v": text }, doc! { "_id": 2, "v": text, "rest": "mine" }]);
    let mut done = false;
    server.others(move |call, documents| {
        if call == Call::Update && !std::mem::replace(&mut done, true) {
            documents.insert(&doc! { "_id": 1, "v": text, "rest": "theirs" });
        }
    });
    let (_folder, report) = convert(&server, body);
    let expected = [doc! { "_id": 1, "v": text, "rest": "theirs" }, doc! { "_id": 2, "v": text, "rest": "mine" }];
    assert_eq!(server.documents(), expected);
    assert!(report.counts.conflicts == 1 && report.counts.left > 0, "{:?}", report.counts);
}

#[test]
fn another_plan_or_collection_is_not_resumed_and_two_runs_are_not_at_work_at_once() {
    let server = Server::new(&readings(10));
    let folder = TempDir::new().unwrap();
    let first = job(&server, INT);
    let stopped = run_collection(&first, &server, &options(folder.path()), &mut |_| ControlFlow::Break(()));
    assert!(matches!(stopped, Err(RunError::Stopped)));
    let other = job(&server, "path = \"$.v\"\nto = \"int64\"\n");
    let error = run(&server, &other, &options(folder.path())).unwrap_err().to_string();
    assert!(error.contains("--restart"), "{error}");
    let nested = run_collection(&first, &server, &options(folder.path()), &mut |_| {
        let error = run(&server, &first, &options(folder.path())).unwrap_err().to_string();
        assert!(error.contains("another run is at work"), "{error}");
        ControlFlow::Continue(())
    });
    assert!(nested.unwrap().is_settled);
}

#[test]
fn progress_says_rate_and_time_left() {
    let mut server = Server::new(&readings(20));
    server.description = described("{}");
    server.description.documents = 20;
    let folder = TempDir::new().unwrap();
    let mut seen = Vec::new();
    let job = job(&server, INT);
    run_collection(&job, &server, &options(folder.path()), &mut |progress| {
        seen.push(*progress);
        ControlFlow::Continue(())
    })
    .unwrap();
    let first = seen[0];
    assert_eq!((first.pass, first.documents, first.documents_total, first.counts.updated), (1, 5, 20, 5));
    assert!(first.documents_per_second().is_some() && first.time_left().is_some());
    let progress = boson_migrate::collection::CollectionProgress { elapsed: Duration::from_secs(2), ..first };
    assert_eq!(progress.documents_per_second(), Some(2.5));
    assert_eq!(progress.time_left(), Some(Duration::from_secs(6)));
}
