//! What a server converts by itself, and what it is not asked to.

use std::ops::ControlFlow;

use boson_migrate::RunError;
use boson_migrate::collection::{CollectionOptions, run_on_server, scan_collection, server_side};
use bson::{Bson, DateTime, Document, doc};
use tempfile::TempDir;

use crate::live::{INT, RETRIES, job, job_of, options, run};
use crate::server::{Call, Fate, Server, described};
use crate::support::{HEAD, field};

/// Texts of all kinds that rules take or leave.
const TEXTS: [&str; 62] = [
    "0",
    "-0",
    "5",
    "-7",
    "+5",
    "007",
    "123456789",
    "1234567890",
    "2147483647",
    "2147483648",
    "-2147483648",
    "999999999999999999",
    "9223372036854775807",
    "9223372036854775808",
    "1.5",
    "1.50",
    "-0.25",
    "0.10",
    "-0.00",
    ".5",
    "5.",
    "1e5",
    "1e400",
    "inf",
    "NaN",
    "0x10",
    "123456789012.25",
    "1234567890123456.78",
    "0.000001",
    "0.0000001",
    "true",
    "false",
    "TRUE",
    "yes",
    "",
    "null",
    "N/A",
    " 5",
    "5 ",
    "5\n",
    "2024-01-15",
    "2024-02-29",
    "2023-02-29",
    "2024-02-30",
    "2024-04-31",
    "2024-12-31",
    "2024-01-15T10:30:00Z",
    "2024-01-15T10:30:00.007Z",
    "2024-01-15T10:30:00.007",
    "2024-01-15T10:30:60.000Z",
    "2024-01-15T24:00:00.000Z",
    "2024-01-15 10:30:00",
    "2024-01-15T10:30:00.007123Z",
    "2024-01-15T10:30:00+05:45",
    "1577836800",
    "1577836800000",
    "659999999",
    "4102444800",
    "56e1fc72e0c917e9c4714161",
    "56E1FC72E0C917E9C4714161",
    "00112233-4455-6677-8899-aabbccddeeff",
    "00112233-4455-6677-8899-AABBCCDDEEFF",
];

fn texts() -> Vec<Document> {
    let documents = (0_i32..).zip(TEXTS).map(|(n, text)| doc! { "_id": n, "v": text, "o": { "v": text } });
    let others = [
        doc! { "_id": 100, "v": ["5"], "o": [{ "v": "5" }] },
        doc! { "_id": 101, "o": { "v": ["5"] } },
        doc! { "_id": 102, "v": 5_i64, "o": "5" },
        doc! { "_id": "text", "v": "5", "o": { "v": "true" } },
    ];
    documents.chain(others).collect()
}

/// By the client alone, and by the server and then the client: how many values the server converted.
fn both_ways(body: &str) -> usize {
    let two = |path: &str| format!("[[collection.field]]\npath = \"{path}\"\n{body}");
    let plan = format!("{HEAD}[[collection]]\n{}{}", two("$.v"), two("$.o.v"));
    let by_client = Server::new(&texts());
    let folder = TempDir::new().unwrap();
    run(&by_client, &job_of(&by_client, &plan).unwrap(), &options(folder.path())).unwrap();

    let by_server = Server::new(&texts());
    let folder = TempDir::new().unwrap();
    let job = job_of(&by_server, &plan).unwrap();
    let side = server_side(&job);
    assert_eq!((side.by_client.len(), side.statements.len()), (0, 2), "{:?}", side.by_client);
    run_on_server(&job, &by_server, &options(folder.path()), &mut |_| ControlFlow::Continue(())).unwrap();
    let show = |documents: Vec<Document>| documents.iter().map(|document| format!("{document:?}")).collect::<Vec<_>>();
    let halfway = by_server.documents();
    let (before, expected) = (texts(), by_client.documents());
    let changed = halfway.iter().zip(&before).filter(|(now, before)| now != before).count();
    for ((now, before), expected) in halfway.iter().zip(&before).zip(&expected) {
        assert!(now == before || format!("{now:?}") == format!("{expected:?}"), "{body}: {now}, expected {expected}");
    }
    run(&by_server, &job, &options(folder.path())).unwrap();
    assert_eq!(show(by_server.documents()), show(expected), "{body}");
    changed
}

#[test]
fn what_the_server_converts_is_what_the_client_would() {
    for (body, at_least) in [
        ("to = \"int32\"\n", 4),
        ("to = \"int64\"\n", 9),
        ("to = \"double\"\nspelling = \"scale\"\nscale = 2\n", 4),
        ("to = \"double\"\nspelling = \"shortest\"\n", 8),
        ("to = \"decimal128\"\nspelling = \"digits\"\n", 10),
        ("to = \"bool\"\nwords = [\"true\", \"false\"]\n", 3),
        ("to = \"bool\"\nspelling = \"zero-or-one\"\n", 1),
        ("to = \"date\"\nspelling = \"YYYY-MM-DD\"\nzone = \"UTC\"\n", 2),
        ("to = \"date\"\nspelling = \"YYYY-MM-DD\"\nzone = \"+05:45\"\n", 2),
        ("to = \"date\"\nspelling = \"YYYY-MM-DDThh:mm:ss.fffZ\"\n", 1),
        ("to = \"date\"\nspelling = \"YYYY-MM-DDThh:mm:ss.fff\"\nzone = \"-03:30\"\n", 1),
        ("to = \"date\"\nspelling = \"YYYY-MM-DD hh:mm:ss\"\nzone = \"UTC\"\n", 1),
        ("to = \"date\"\nspelling = \"epoch-seconds\"\n", 1),
        ("to = \"date\"\nspelling = \"epoch-milliseconds\"\n", 1),
        ("to = \"object-id\"\nspelling = \"bare\"\ncase = \"lower\"\n", 1),
        ("to = \"uuid\"\nspelling = \"hyphens\"\n", 1),
    ] {
        let changed = both_ways(body);
        assert!(changed >= at_least, "{body}: {changed}");
    }
}

/// The moments are what `date -u -d TEXT +%s%3N` prints.
#[test]
fn dates_and_words_as_the_server_has_them() {
    let server = Server::new(&[doc! { "_id": 1, "v": "2024-01-15T10:30:00.007Z", "b": "false" }]);
    let plan = format!(
        "{HEAD}[[collection]]\n[[collection.field]]\npath = \"$.v\"\nto = \"date\"\nspelling = \
         \"YYYY-MM-DDThh:mm:ss.fffZ\"\n[[collection.field]]\npath = \"$.b\"\nto = \"bool\"\nwords = [\"true\", \"false\"]\n"
    );
    let job = job_of(&server, &plan).unwrap();
    assert_eq!(server_side(&job).statements.len(), 1, "fields of the document itself go together");
    let folder = TempDir::new().unwrap();
    run_on_server(&job, &server, &options(folder.path()), &mut |_| ControlFlow::Continue(())).unwrap();
    let date = Bson::DateTime(DateTime::from_millis(1_705_314_600_007));
    // T14: `$toBool` would have made true of "false".
    assert_eq!(server.documents(), [doc! { "_id": 1, "v": date, "b": false }]);
}

#[test]
fn what_a_server_would_do_otherwise_goes_the_clients_way_with_a_reason() {
    for (body, why) in [
        (
            "path = \"$.v\"\nto = \"date\"\nspelling = \"YYYY-MM-DDThh:mm:ss\"\nzone = \"Europe/Berlin\"\n",
            "set forward and back",
        ),
        ("path = \"$.v\"\nto = \"date\"\nspelling = \"YYYY-MM-DDThh:mm:ss.ffffffZ\"\n", "not three"),
        (
            "path = \"$.v\"\nto = \"date\"\nspelling = \"YYYY-MM-DDThh:mm:ss+hh:mm\"\noffset = \"+05:45\"\n",
            "an offset in the text",
        ),
        ("path = \"$.v\"\nto = \"date\"\nspelling = \"YYYYMMDDThhmmssZ\"\n", "without separators"),
        ("path = \"$.v\"\nto = \"date\"\nspelling = \"DD/MM/YYYY\"\nzone = \"UTC\"\n", "the day or the month"),
        ("path = \"$.v\"\nto = \"decimal128\"\nspelling = \"point-comma\"\n", "separators"),
        ("path = \"$.v\"\nto = \"object-id\"\nspelling = \"call\"\n", "this spelling"),
        ("path = \"$.v\"\nto = \"binary\"\nspelling = \"base64\"\n", "binary"),
        ("path = \"$.v\"\nto = \"document\"\nlossy = \"accept\"\n", "documents of texts"),
        ("path = \"$.v\"\nto = \"null\"\n", "which words"),
        ("path = \"$.v\"\nfrom = \"double\"\nto = \"int32\"\n", "-0"),
        ("path = \"$.v[]\"\nto = \"int32\"\n", "arrays"),
        ("path = \"$.v.*\"\nto = \"int32\"\n", "names that are data"),
        ("path = \"$[\\\"a.b\\\"]\"\nto = \"int32\"\n", "dots"),
    ] {
        let server = Server::new(&[]);
        let side = server_side(&job(&server, body));
        assert!(side.statements.is_empty() && side.by_client[0].1.contains(why), "{body}: {:?}", side.by_client);
    }
    let mut server = Server::new(&[]);
    server.description.version = Some([7, 0, 5]);
    let side = server_side(&job(&server, "path = \"$.v\"\nto = \"uuid\"\nspelling = \"hyphens\"\n"));
    assert!(side.by_client[0].1.contains("version 8"));
}

/// M10, M13: statements may be done twice; M21: one bad value stops nothing.
#[test]
fn ranges_are_resumed_and_interrupted_statements_sent_again() {
    let documents: Vec<Document> =
        (0..23).map(|n| doc! { "_id": n, "v": if n == 9 { "x".into() } else { n.to_string() } }).collect();
    let server = Server::new(&documents);
    let mut turn = 0;
    server.fates(move |_, call| {
        turn += i32::from(call == Call::UpdateMany);
        if call == Call::UpdateMany && turn % 2 == 1 { Fate::LostAfter(0) } else { Fate::Works }
    });
    let folder = TempDir::new().unwrap();
    let job = job(&server, INT);
    let mut stops = 0;
    let report = loop {
        match run_on_server(&job, &server, &options(folder.path()), &mut |_| ControlFlow::Break(())) {
            Err(RunError::Stopped) => stops += 1,
            outcome => break outcome.unwrap(),
        }
    };
    assert_eq!((stops, report.ranges), (5, 5), "23 documents in ranges of 5");
    let expected = |n: i32| {
        if n == 9 {
            doc! { "_id": n, "v": "x" }
        } else {
            doc! { "_id": n, "v": n }
        }
    };
    assert_eq!(server.documents(), (0..23).map(expected).collect::<Vec<_>>());
}

#[test]
fn m03_collisions_are_found_and_named_before_anything_is_written() {
    let mut server = Server::new(&[
        doc! { "_id": 1, "v": "1", "at": "2020-01-01T00:00:00Z" },
        doc! { "_id": "two", "v": "1.0", "at": "2999-01-01T00:00:00Z" },
        doc! { "_id": 3, "v": 2.0, "at": "?" },
        doc! { "_id": 4, "v": "3", "at": "?" },
    ]);
    server.description = described(
        "{\"options\":{},\"indexes\":[{\"key\":{\"v\":1},\"name\":\"v_1\",\"unique\":true},\
         {\"key\":{\"at\":1},\"name\":\"at_1\",\"expireAfterSeconds\":3600}]}",
    );
    let plan = format!(
        "{HEAD}[[collection]]\n[[collection.hazard]]\nkind = \"ttl\"\nindex = \"at_1\"\npath = \"$.at\"\nanswer = \
         \"let-them-expire\"\n[[collection.field]]\npath = \"$.v\"\nto = \"double\"\nspelling = \"shortest\"\nlossy = \
         \"accept\"\n[[collection.field]]\npath = \"$.at\"\nto = \"date\"\nspelling = \"YYYY-MM-DDThh:mm:ssZ\"\n"
    );
    let job = job_of(&server, &plan).unwrap();
    let before = server.raw();
    let scan = scan_collection(&job, &server, RETRIES, &mut |_| ControlFlow::Continue(())).unwrap();
    assert_eq!(server.raw(), before);
    let [collisions] = &*scan.collisions else { panic!("{:?}", scan.collisions) };
    assert_eq!((collisions.index.as_str(), collisions.count), ("v_1", 1));
    assert_eq!(collisions.first, [["1".to_owned(), "\"two\"".to_owned()]]);
    // M01: one of the two dates is more than an hour ago.
    assert_eq!(scan.expired, [("at_1".to_owned(), 1)]);
    // M15: three documents change, each with more than 200 bytes in the oplog.
    assert!(scan.tally.changed == 3 && scan.oplog_bytes() > 600, "{}", scan.oplog_bytes());
}

#[test]
fn a_range_that_the_server_refuses_is_told_and_left_to_the_client() {
    let server = Server::new(&[doc! { "_id": 1, "v": "1" }, doc! { "_id": 2, "v": "2" }]);
    server.fates(|_, call| if call == Call::UpdateMany { Fate::Refused } else { Fate::Works });
    let folder = TempDir::new().unwrap();
    let job = job_of(&server, &field(INT)).unwrap();
    let options: CollectionOptions = options(folder.path());
    let report = run_on_server(&job, &server, &options, &mut |_| ControlFlow::Continue(())).unwrap();
    assert_eq!((report.refused_count, report.modified), (1, 0));
    assert!(report.refused[0].contains("$.v: E11000"), "{:?}", report.refused);
    run(&server, &job, &options).unwrap();
    assert_eq!(server.documents(), [doc! { "_id": 1, "v": 1 }, doc! { "_id": 2, "v": 2 }]);
}
