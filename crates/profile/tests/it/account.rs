//! Every byte has a place.

use boson_document::{DecodeErrorKind, Kind, Layout, Role, Value};
use boson_profile::{Bytes, Framing, Options, Profile, Profiler};
use boson_testkit::{Gen, documents, unhex};

use crate::support::{add_bson, bson_documents, object, profile, profile_bson, shared_gz, string};

/// The account by the layout walk of the format's own crate, which shares no code with this one.
fn by_layout(bytes: &[u8]) -> Bytes {
    let mut sum = Bytes::default();
    for region in boson_bson::Document::new(bytes).unwrap().regions().unwrap() {
        let len = u64::try_from(region.span.len).unwrap();
        match region.role {
            Role::Name => sum.names += len,
            Role::Value => sum.values += len,
            _ => sum.framing += len,
        }
    }
    sum
}

#[test]
fn every_element_type_adds_up() {
    let mut profiler = Profiler::new(Options::default(), Framing::BSON);
    let (mut total, mut names) = (0, 0);
    for document in documents(7, Gen::BSON_ALL.with_depth(3), 150) {
        let bytes = boson_bson::encode(&document).unwrap();
        total += u64::try_from(bytes.len()).unwrap();
        names += by_layout(&bytes).names;
        add_bson(&mut profiler, &bytes);
    }
    let profile = profiler.finish();
    assert_eq!(profile.documents().total(), total);
    assert_eq!((profile.bytes().total(), profile.other_bytes()), (total, 0));
    assert_eq!(profile.bytes().inside, 0);
    assert_eq!(profile.bytes().names, names);
    let by_path = profile.paths().map(|path| path.bytes.total()).sum::<u64>();
    assert_eq!(by_path, total);
}

/// By hand: a length of 4, then `02 a 00` and a string of 4 + 2 + 1 bytes; `04 list 00` and an array of 4 bytes of length,
/// two elements `10 0 00` and `10 1 00` of 4 bytes each, and a NUL; the last NUL.
#[test]
fn a_document_by_hand() {
    let document = object([("a", string("xy")), ("list", Value::Array(vec![Value::Int32(1), Value::Int32(2)]))]);
    let profile = profile_bson(&boson_bson::encode(&document).unwrap());
    let of = |path: &str| profile.paths().find(|stats| stats.path.to_string() == path).unwrap();
    let bytes = |names, framing, values| Bytes { names, framing, values, inside: 0 };
    assert_eq!(of("$").bytes, bytes(0, 5, 0));
    assert_eq!(of("$.a").bytes, bytes(1, 2 + 5, 2));
    assert_eq!(of("$.list").bytes, bytes(4, 2 + 5, 0));
    assert_eq!(of("$.list[]").bytes, bytes(2, 4, 8));
    assert_eq!(of("$.list[]").kinds.iter().map(|kind| (kind.kind, kind.count)).collect::<Vec<_>>(), [(Kind::Int32, 2)]);
    assert_eq!(of("$.list").lengths.unwrap().mean().to_string(), "2");
    assert_eq!(profile.documents().total(), 40);
}

#[test]
fn json_and_oson_add_up() {
    let text = br#" { "a" : "x" , "list" : [ 1, {"b":null} ] } "#;
    let total = u64::try_from(text.len()).unwrap();
    let mut profiler = Profiler::new(Options::default(), Framing::JSON);
    profiler.document(&boson_json::Text::new(text), total).unwrap();
    profiler.document(&boson_json::Text::new(text), total).unwrap();
    let profile = profiler.finish();
    assert_eq!((profile.bytes().total(), profile.other_bytes()), (2 * total, 0));
    // The names a, list and b; the values x, 1 and null.
    assert_eq!((profile.bytes().names, profile.bytes().values), (2 * 6, 2 * 6));

    let document = object([("a", string("xy")), ("list", Value::Array(vec![Value::Int64(1), string("xy")]))]);
    let image = boson_oson::write::to_vec(&document, &boson_oson::write::Options::default()).unwrap();
    let mut profiler = Profiler::new(Options::default(), Framing::OSON);
    let total = u64::try_from(image.len()).unwrap();
    profiler.document(&boson_oson::Document::new(&image).unwrap(), total).unwrap();
    let profile = profiler.finish();
    assert_eq!(profile.bytes().total() + profile.other_bytes(), total);
    assert_eq!(profile.bytes().names, 0, "names are shared by all objects");
}

#[test]
fn readings_add_up() {
    let Some(bytes) = shared_gz("readings_strings.bson.gz") else { return };
    let profile = profile_bson(&bytes);
    let sizes = profile.documents();
    assert_eq!((sizes.count(), sizes.total()), (100_000, 36_240_988));
    assert_eq!((profile.bytes().total(), profile.other_bytes()), (36_240_988, 0));
    let mut lens: Vec<usize> = bson_documents(&bytes).map(<[u8]>::len).collect();
    lens.sort_unstable();
    for (q, place) in [(0.01, 999), (0.5, 49_999), (0.99, 98_999)] {
        let exact = u64::try_from(lens[place]).unwrap();
        assert!((exact..=exact + exact / 32).contains(&sizes.quantile(q)), "{q}");
    }
    assert_eq!(usize::try_from(sizes.min()).unwrap(), lens[0]);
    assert_eq!(usize::try_from(sizes.max()).unwrap(), lens[99_999]);
}

#[test]
fn a_broken_document_is_counted_and_leaves_no_byte_out() {
    let mut profiler = Profiler::new(Options::default(), Framing::BSON);
    // B06: a string that is not UTF-8.
    let bytes = unhex("10000000026100040000006162ff0000");
    let document = boson_bson::Document::new(&*bytes).unwrap();
    let error = profiler.document(&document, 16).unwrap_err();
    assert_eq!(error.kind, DecodeErrorKind::InvalidUtf8);
    add_bson(&mut profiler, &boson_bson::encode(&object([("a", Value::Int32(1))])).unwrap());
    let profile = profiler.finish();
    assert_eq!((profile.broken(), profile.documents().count()), (1, 2));
    assert_eq!(profile.bytes().total() + profile.other_bytes(), profile.documents().total());
}

/// B01.
#[test]
fn repeated_names_are_flagged() {
    let mut profiler = Profiler::new(Options::default(), Framing::BSON);
    add_bson(&mut profiler, &unhex("13000000 10 61 00 01000000 10 61 00 02000000 00"));
    let profile = profiler.finish();
    assert_eq!(stats(&profile, "$.a"), (2, Some(1), 1));
}

#[test]
fn presence_counts_documents_also_through_arrays() {
    let with =
        |count: i32| object([("list", Value::Array((0..count).map(|i| object([("x", Value::Int32(i))])).collect()))]);
    let profile = profile([with(3), with(0), with(1), object([("other", Value::Null)])]);
    assert_eq!(stats(&profile, "$.list"), (3, Some(3), 0));
    assert_eq!(stats(&profile, "$.list[].x"), (4, Some(2), 0));
    assert_eq!(stats(&profile, "$.other"), (1, Some(1), 0));
}

fn stats(profile: &Profile, path: &str) -> (u64, Option<u64>, u64) {
    let found = profile.paths().find(|stats| stats.path.to_string() == path).unwrap();
    (found.values, found.documents, found.repeated)
}
