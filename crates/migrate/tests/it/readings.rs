//! The shared readings: converted, they are the same bytes as the typed ones that another program wrote.

use std::fs::{self, File};
use std::io::Read;
use std::ops::ControlFlow;

use boson_bson::Document;
use boson_migrate::{Plan, RunError, SourceNote, draft, restore, run, verify, write};
use boson_profile::{Framing, Options, Profiler};
use boson_store::CollectionKind;

use crate::support::{OPTIONS, Place};

fn readings(name: &str, count: usize) -> Option<Vec<u8>> {
    let path = boson_testkit::shared()?.join("data").join(name);
    let mut bytes = Vec::new();
    flate2::read::GzDecoder::new(File::open(path).unwrap()).read_to_end(&mut bytes).unwrap();
    let mut end = 0;
    for _ in 0..count {
        end += Document::split_first(&bytes[end..]).unwrap().0.bytes().len();
    }
    bytes.truncate(end);
    Some(bytes)
}

fn plan_of(bytes: &[u8]) -> String {
    let mut profiler = Profiler::new(Options::default(), Framing::BSON);
    let mut rest = bytes;
    while !rest.is_empty() {
        let (document, behind) = Document::split_first(rest).unwrap();
        profiler.document(&document, document.bytes().len() as u64).unwrap();
        rest = behind;
    }
    let drafted = draft("", CollectionKind::Documents, None, &profiler.finish());
    write(&SourceNote::default(), &[drafted])
}

#[test]
fn strings_become_what_was_typed_all_along_and_strings_again() {
    let (Some(strings), Some(typed)) =
        (readings("readings_strings.bson.gz", 9000), readings("readings_typed.bson.gz", 9000))
    else {
        return boson_testkit::skip("the shared data is not there");
    };
    let place = Place::new();
    place.write("in.bson", &strings);
    let job = place.job("in.bson", "out.bson", &plan_of(&strings)).unwrap();
    let report = run(&job, &OPTIONS, &mut |_| ControlFlow::Continue(())).unwrap();
    assert_eq!(report.tallies[0].changed, 9000);
    assert!(fs::read(place.path("out.bson")).unwrap() == typed);
    let verified = verify(&job, &job.destination, None).unwrap();
    assert_eq!((verified.documents, verified.exact, verified.same), (9000, 63_000, 0));
    restore(&place.path("out.bson"), &place.path("out.bson.undo"), &place.path("back.bson")).unwrap();
    assert!(fs::read(place.path("back.bson")).unwrap() == strings);

    // A run that is stopped after every batch ends in the same bytes, in the log too.
    let again = place.job("in.bson", "again.bson", &plan_of(&strings)).unwrap();
    let mut stops = 0;
    loop {
        let mut batches = 0;
        let outcome = run(&again, &OPTIONS, &mut |_| {
            batches += 1;
            if batches > 1 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        match outcome {
            Ok(_) => break,
            Err(RunError::Stopped) => stops += 1,
            Err(error) => panic!("{error}"),
        }
        assert!(!place.path("again.bson").exists() && !place.path("again.bson.undo").exists());
    }
    assert!(stops >= 1, "there are several batches");
    for (one, other) in [("out.bson", "again.bson"), ("out.bson.undo", "again.bson.undo")] {
        assert!(fs::read(place.path(one)).unwrap() == fs::read(place.path(other)).unwrap(), "{one}");
    }
    assert!(!place.path(".again.bson.boson-migrate").exists());
}

#[test]
fn a_plan_is_read_as_it_was_written() {
    let Some(strings) = readings("readings_strings.bson.gz", 500) else {
        return boson_testkit::skip("the shared data is not there");
    };
    let plan = Plan::parse(&plan_of(&strings)).unwrap();
    let fields = &plan.collections[0].fields;
    let of = |path: &str| fields.iter().find(|field| field.path == path);
    assert_eq!(of("$.timestamp").unwrap().to.name(), "date");
    assert_eq!(of("$.pressure").unwrap().scale, Some(2));
    assert!(!of("$._id").unwrap().convert, "never in place");
    assert!(of("$.metadata.firmwareVersion").is_none() && of("$.sensorId").is_none() && of("$.tags[]").is_none());
}
