//! Any split, in any order, is the same profile; and it stays small.

use boson_document::Value;
use boson_profile::{Bounds, Framing, Options, Profile, ProfileError, Profiler};
use boson_testkit::{Gen, Rng, documents};
use proptest::prelude::*;

use crate::support::{add_bson, object, profile, profile_with, string};

/// Bounds that bite on small documents.
fn tight() -> Options {
    let bounds = Bounds { keys_max: 6, root_branches_max: 5, branches_max: 3, paths_per_level_max: 40 };
    Options { bounds, ..Options::default() }
}

fn one_pass(options: Options, documents: &[Vec<u8>]) -> Profile {
    let mut profiler = Profiler::new(options, Framing::BSON);
    for document in documents {
        add_bson(&mut profiler, document);
    }
    profiler.finish()
}

/// Splits, shuffles, and merges in random order.
fn in_parts(options: Options, documents: &[Vec<u8>], rng: &mut Rng) -> Profile {
    let mut parts: Vec<Vec<Vec<u8>>> = vec![Vec::new(); 1 + rng.below(5)];
    for document in documents {
        let part = rng.below(parts.len());
        let place = rng.up_to(parts[part].len());
        parts[part].insert(place, document.clone());
    }
    let mut profiles: Vec<Profile> = parts.iter().map(|part| one_pass(options, part)).collect();
    while profiles.len() > 1 {
        let one = profiles.swap_remove(rng.below(profiles.len()));
        let other = profiles.swap_remove(rng.below(profiles.len()));
        profiles.push(through_bytes(&one).merge(other).unwrap());
    }
    profiles.remove(0)
}

fn through_bytes(profile: &Profile) -> Profile {
    let read = Profile::from_bytes(&profile.to_bytes().unwrap()).unwrap();
    assert_eq!(&read, profile);
    read
}

fn encoded(seed: u64, like: Gen, count: usize) -> Vec<Vec<u8>> {
    documents(seed, like, count).map(|document| boson_bson::encode(&document).unwrap()).collect()
}

/// What is told of the first path of which two profiles tell different things.
fn first_difference(one: &Profile, other: &Profile) -> Option<String> {
    let different = one.paths().zip(other.paths()).find(|(one, other)| one != other);
    different.map(|(one, other)| format!("{one:?}\n{other:?}"))
}

/// Objects in objects whose keys come from few or many.
fn nested(rng: &mut Rng, depth: usize) -> Value {
    if depth == 0 || rng.once_in(4) {
        return if rng.once_in(2) {
            Value::Int32(1)
        } else {
            string(["1.5", "x", "", "2024-01-15", "12"][rng.below(5)])
        };
    }
    if rng.once_in(5) {
        return Value::Array((0..rng.below(4)).map(|_| nested(rng, depth - 1)).collect());
    }
    let range = *rng.pick(&[2, 4, 8, 200]);
    let members = (0..rng.below(7)).map(|_| (format!("k{}", rng.below(range)), nested(rng, depth - 1)));
    Value::Object(members.collect())
}

fn nested_documents(seed: u64, count: usize) -> Vec<Vec<u8>> {
    let mut rng = Rng::new(seed);
    let root = |rng: &mut Rng| match nested(rng, 6) {
        Value::Object(members) => Value::Object(members),
        other => object([("v", other)]),
    };
    (0..count).map(|_| boson_bson::encode(&root(&mut rng)).unwrap()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn splits_and_order_do_not_show(seed: u64) {
        let mut rng = Rng::new(seed);
        for (options, documents) in [
            (tight(), nested_documents(seed, 60)),
            (tight(), encoded(seed, Gen::BSON_ALL, 8)),
            (tight(), nested_documents(seed, 3)),
            (Options::default(), encoded(seed, Gen::BSON_ALL, 8)),
        ] {
            let whole = one_pass(options, &documents);
            let parts = in_parts(options, &documents, &mut rng);
            prop_assert_eq!(first_difference(&whole, &parts), None);
            prop_assert!(whole.to_bytes().unwrap() == parts.to_bytes().unwrap());
        }
    }

    #[test]
    fn damaged_profiles_are_refused_or_harmless(seed: u64) {
        let mut rng = Rng::new(seed);
        let mut bytes = one_pass(tight(), &nested_documents(seed, 5)).to_bytes().unwrap();
        let place = rng.below(bytes.len());
        bytes[place] = rng.bytes(1)[0];
        bytes.truncate(rng.up_to(bytes.len() * 4).max(20));
        if let Ok(profile) = Profile::from_bytes(&bytes) {
            profile.paths().count();
            profile.clone().merge(profile).unwrap();
        }
    }
}

#[test]
fn other_options_do_not_merge() {
    let error = profile([]).merge(profile_with(tight(), [])).unwrap_err();
    assert_eq!(error, ProfileError::DifferentOptions);
    assert_eq!(Profile::from_bytes(b"{}"), Err(ProfileError::NotAProfile));
}

/// T32.
#[test]
fn keys_that_are_data_fold() {
    let user = |id: i32| object([("name", string("x")), ("age", Value::Int32(id % 90))]);
    let document =
        |id: i32| object([("users", Value::Object(vec![(format!("u_{id}"), user(id))])), ("kind", string("map"))]);
    let profile = profile((0..94_125).map(document));
    let paths: Vec<String> = profile.paths().map(|stats| stats.path.to_string()).collect();
    assert_eq!(paths, ["$", "$.kind", "$.users", "$.users.*", "$.users.*.age", "$.users.*.name"]);
    let users = profile.paths().nth(2).unwrap();
    assert!(users.folded_keys.unwrap().abs_diff(94_125) < 9_000, "{:?}", users.folded_keys);
    assert_eq!(profile.paths().nth(4).unwrap().values, 94_125);
    assert_eq!(profile.paths().nth(4).unwrap().documents, None);
}

/// One document with more keys than any profile may keep, at several levels, in one object and spread.
#[test]
fn no_input_makes_a_profile_large() {
    let mut rng = Rng::new(3);
    let wide = Value::Object((0..200_000).map(|i| (format!("key {i}"), Value::Int32(i))).collect());
    let mut deep = Value::Int32(1);
    for level in 0..150 {
        deep = object([
            (&*format!("level {level}"), deep),
            ("x", Value::Int32(level)),
            ("y", Value::Array(vec![string("z")])),
        ]);
    }
    let random = (0..3000).map(|_| random_keys(&mut rng, 5));
    let profile = profile([wide, deep].into_iter().chain(random));
    assert!(profile.paths().count() < 5 * (1 << 16), "{}", profile.paths().count());
    assert!(profile.to_bytes().unwrap().len() < 10 << 20);
}

fn random_keys(rng: &mut Rng, depth: usize) -> Value {
    if depth == 0 {
        return string(&rng.bits().to_string());
    }
    Value::Object((0..3).map(|_| (rng.bits().to_string(), random_keys(rng, depth - 1))).collect())
}
