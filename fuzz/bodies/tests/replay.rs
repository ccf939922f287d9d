//! Every law on the seeds and on the inputs that once broke one, which are kept in `fuzz/seeds`: as they are, cut short,
//! and damaged.
#![expect(clippy::unwrap_used, reason = "tests")]

use std::fs;
use std::path::PathBuf;

use boson_fuzz_bodies::{Seeds, TARGETS, run};
use boson_testkit::corrupt;

/// Damaged copies of each seed.
const DAMAGED: usize = 30;

fn fuzz_folder() -> PathBuf {
    boson_testkit::workspace_root().join("fuzz")
}

/// The inputs that once broke a law of `target`, by the names of their files; there may be none.
fn kept(target: &str) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(fuzz_folder().join("seeds").join(target)).into_iter().flatten();
    let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.into_iter().map(|path| (path.display().to_string(), fs::read(path).unwrap())).collect()
}

fn replay(target: &str) {
    let generated = Seeds::generated().unwrap();
    let generated = generated.of(target).map(|(name, bytes)| (name.to_owned(), bytes.to_owned()));
    let seeds: Vec<_> = generated.chain(kept(target)).collect();
    assert!(seeds.len() > 10, "{target} has only {} seeds", seeds.len());
    let mut other: &[u8] = &[];
    for ((name, seed), turn) in seeds.iter().zip(0..) {
        check(target, name, seed);
        corrupt::prefixes(seed).for_each(|prefix| check(target, name, prefix));
        corrupt::damaged(seed, other, turn, DAMAGED).for_each(|damaged| check(target, name, &damaged));
        other = seed;
    }
}

/// Runs the target, and when a law is broken says on which bytes.
fn check(target: &str, name: &str, data: &[u8]) {
    let outcome = std::panic::catch_unwind(|| run(target, data));
    assert!(outcome.is_ok(), "{target}, from {name}: {}", boson_testkit::hex(data));
}

#[test]
fn convert() {
    replay("convert");
}

#[test]
fn edit_bson() {
    replay("edit_bson");
}

#[test]
fn edit_oson() {
    replay("edit_oson");
}

#[test]
fn explain() {
    replay("explain");
}

#[test]
fn read_bson() {
    replay("read_bson");
}

#[test]
fn read_json() {
    replay("read_json");
}

#[test]
fn read_oson() {
    replay("read_oson");
}

#[test]
fn regions() {
    replay("regions");
}

#[test]
fn every_target_has_a_file() {
    for (target, _) in TARGETS {
        let path = fuzz_folder().join("fuzz_targets").join(target).with_extension("rs");
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert!(text.contains(&format!("run(\"{target}\", data)")), "{}", path.display());
    }
}
