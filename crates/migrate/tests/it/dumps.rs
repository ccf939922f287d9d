//! Folders with several databases, compressed members, cut files.

use std::fs;

use boson_document::Value;
use boson_migrate::{Job, Plan, RunOptions, restore, run};
use boson_store::Compression;

use crate::support::{HEAD, OPTIONS, Place, apply, bson, field, files, one};

fn gzip(bytes: &[u8]) -> Vec<u8> {
    Compression::Gzip.append(bytes, Vec::new()).unwrap()
}

#[test]
fn everything_in_a_folder_comes_along() {
    let place = Place::new();
    let documents: Vec<u8> = (0..3000).flat_map(|number: i32| one(&number.to_string())).collect();
    place.write("dump/a/one%2Ftwo.bson.gz", &gzip(&documents));
    place.write(
        "dump/a/one%2Ftwo.metadata.json.gz",
        &gzip(br#"{"indexes":[],"collectionName":"one/two","type":"collection"}"#),
    );
    place.write("dump/b/empty.bson", b"");
    place.write("dump/b/view.metadata.json", br#"{"options":{"viewOn":"x","pipeline":[]},"indexes":[],"type":"view"}"#);
    place.write("dump/oplog.bson", &one("1"));
    place.write("dump/prelude.json.gz", &gzip(b"{}"));
    let plan =
        format!("{HEAD}[[collection]]\nname = \"a.one/two\"\n[[collection.field]]\npath = \"$.v\"\nto = \"int32\"\n");
    let report = apply(&place.job("dump", "out", &plan).unwrap()).unwrap();
    assert_eq!(report.tallies.iter().map(|tally| tally.changed).sum::<u64>(), 3000);
    let names = |folder: &str| files(&place.path(folder)).into_iter().map(|(path, _)| path).collect::<Vec<_>>();
    assert_eq!(names("out"), names("dump"));
    // gzip with other means: its members one after another are one stream.
    let packed = fs::read(place.path("out/a/one%2Ftwo.bson.gz")).unwrap();
    let mut unpacked = Vec::new();
    std::io::Read::read_to_end(&mut flate2::read::MultiGzDecoder::new(&*packed), &mut unpacked).unwrap();
    let expected: Vec<u8> = (0..3000).flat_map(|number| bson(&[("v", Value::Int32(number))])).collect();
    assert!(unpacked == expected);
    restore(&place.path("out"), &report.log, &place.path("back")).unwrap();
    assert_eq!(names("back"), names("dump"));
    for (path, bytes) in files(&place.path("back")) {
        if path.ends_with("one%2Ftwo.bson.gz") {
            let mut unpacked = Vec::new();
            std::io::Read::read_to_end(&mut flate2::read::MultiGzDecoder::new(&*bytes), &mut unpacked).unwrap();
            assert!(unpacked == documents);
        } else {
            assert_eq!(bytes, fs::read(place.path("dump").join(path)).unwrap());
        }
    }
}

#[test]
fn a_plan_about_a_collection_that_is_not_there_is_refused() {
    let place = Place::new();
    place.write("dump/a/x.bson", &one("1"));
    let plan = format!("{HEAD}[[collection]]\nname = \"a.y\"\n");
    assert!(place.job("dump", "out", &plan).unwrap_err().to_string().contains("the plan is about a.y"));
}

#[test]
fn d01_a_cut_file_is_an_error_or_used_as_far_as_it_is_whole() {
    let place = Place::new();
    let whole = one("12");
    place.write("in.bson", &[whole.as_slice(), &whole, &whole[..7]].concat());
    let plan = field("path = \"$.v\"\nto = \"int32\"\n");
    let error = apply(&place.job("in.bson", "out.bson", &plan).unwrap()).map(|_| ()).unwrap_err().to_string();
    assert!(error.contains("2 documents before it are whole"), "{error}");
    let job =
        Job::new(&place.path("in.bson"), &place.path("rest.bson"), &Plan::parse(&plan).unwrap(), &plan, true).unwrap();
    let options = RunOptions { recover: true, ..OPTIONS };
    run(&job, &options, &mut |_| std::ops::ControlFlow::Continue(())).unwrap();
    assert_eq!(fs::read(place.path("rest.bson")).unwrap(), bson(&[("v", Value::Int32(12))]).repeat(2));
}

#[test]
fn a_run_of_another_plan_is_not_gone_on_with() {
    let place = Place::new();
    place.write("in.bson", &one("12"));
    let first = place.job("in.bson", "out.bson", &field("path = \"$.v\"\nto = \"int32\"\n")).unwrap();
    let stopped = run(&first, &OPTIONS, &mut |_| std::ops::ControlFlow::Break(()));
    assert!(stopped.is_err());
    let second = place.job("in.bson", "out.bson", &field("path = \"$.v\"\nto = \"int64\"\n")).unwrap();
    assert!(apply(&second).map(|_| ()).unwrap_err().to_string().contains("--restart"));
    let options = RunOptions { restart: true, ..OPTIONS };
    run(&second, &options, &mut |_| std::ops::ControlFlow::Continue(())).unwrap();
    assert_eq!(fs::read(place.path("out.bson")).unwrap(), bson(&[("v", Value::Int64(12))]));
}
