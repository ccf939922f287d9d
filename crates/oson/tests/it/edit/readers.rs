//! Edited images are read by others, each as far as it reads such images at all.

use std::process::Command;

use boson_document::{Kind, Value};
use boson_oson::edit::Editor;
use boson_oson::write::{Options, to_vec};
use boson_testkit::random::{Gen, Range};
use boson_testkit::{OwnedChange, Rng, hex, workspace_root};
use serde_json::Value as Json;

use super::held;
use crate::write_peers::Peer;

/// What both drivers write and read as the same.
const KINDS: &[Kind] = &[
    Kind::Object,
    Kind::Array,
    Kind::Null,
    Kind::Bool,
    Kind::Int32,
    Kind::Number,
    Kind::String,
    Kind::Binary,
    Kind::OracleDate,
    Kind::OracleTimestamp,
];

/// What the reference shows as JSON text that any reader of JSON takes: numbers that are stored as text may be too large,
/// and it does not show all times and vectors.
const SHOWN: &[Kind] = &[
    Kind::Object,
    Kind::Array,
    Kind::Null,
    Kind::Bool,
    Kind::Int32,
    Kind::Int64,
    Kind::Float,
    Kind::Double,
    Kind::Decimal128,
    Kind::Number,
    Kind::String,
    Kind::Binary,
    Kind::ObjectId,
    Kind::Id,
];

/// Images after each of a number of random edits, with what they hold.
fn edited(seed: u64, like: Gen, count: usize) -> impl Iterator<Item = (Vec<u8>, Value)> {
    let mut rng = Rng::new(seed);
    (0..count).flat_map(move |_| {
        let image = to_vec(&like.document(&mut rng), &Options::COMPACT).unwrap();
        let mut editor = Editor::open(image).unwrap();
        if rng.once_in(2) {
            editor = editor.keeping_offsets();
        }
        let mut images = Vec::new();
        for _ in 0..6 {
            let tree = held(editor.buffer());
            let names: Vec<String> = editor.document().names().map(|name| name.unwrap().to_owned()).collect();
            let (path, change): (_, OwnedChange) = like.change_with_names(&tree, &names, &mut rng);
            if editor.change(&path, &change.as_change()).is_ok() {
                images.push((editor.buffer().clone(), held(editor.buffer())));
            }
        }
        images
    })
}

/// The drivers read versions 1 and 3: what was overwritten in place, and rebuilt. They refuse versions 2 and 4.
fn check(peer: Option<Peer>) {
    let Some(mut peer) = peer else { return };
    let like = Gen::new(KINDS, Range::Oson).with_width(30).without_long_names();
    let (mut read, mut refused) = (0, 0);
    for (image, tree) in edited(31, like, 150) {
        let answer = peer.decode(&image);
        if image[3] % 2 == 0 {
            assert!(answer["t"].is_null(), "versions 2 and 4 are refused: {}", hex(&image));
            refused += 1;
        } else {
            assert_eq!(answer, peer.decode(&to_vec(&tree, &Options::COMPACT).unwrap()), "{}", hex(&image));
            read += usize::from(answer.is_object());
        }
    }
    assert!(read > 60 && refused > 200, "{read} read, {refused} refused");
}

#[test]
fn python_reads_what_was_edited_in_place() {
    check(Peer::python());
}

#[test]
fn node_reads_what_was_edited_in_place() {
    check(Peer::node());
}

/// Oracle's Java reference (the repository oracle/oson of GitHub) reads all versions: it finds in an edited image what it
/// finds in one that was written anew. Set `BOSON_OSON_REFERENCE` to the class path of a build of it and run
/// `RUSTFLAGS="--cfg oson_reference" cargo test -p boson-oson --test it the_reference`: without that it is compiled and is
/// no test, for nobody can install the reference.
#[cfg_attr(oson_reference, test)]
#[cfg_attr(not(oson_reference), expect(dead_code, reason = "a test where it is asked for"))]
fn the_reference_reads_every_form() {
    let classes = std::env::var("BOSON_OSON_REFERENCE").expect("the class path of the reference");
    let source = workspace_root().join("xtask/peers/OsonReference.java");
    let mut reference = Peer::start(Command::new("java").args(["-cp", &classes]).arg(source));
    let like = Gen::new(SHOWN, Range::Oson).with_width(40);
    let count = std::env::var("BOSON_EDITS").map_or(300, |count| count.parse().expect("BOSON_EDITS is a number"));
    let (mut same, mut versions, mut unreadable) = (0, [0; 5], 0);
    for (image, tree) in edited(32, like, count) {
        let anew = reference.ask_line(&hex(to_vec(&tree, &Options::COMPACT).unwrap()));
        let answer = reference.ask_line(&hex(&image));
        if anew.starts_with("error") {
            // Values that the reference cannot show, such as numbers as text, whoever wrote them.
            assert!(answer.starts_with("error"), "{answer}");
            unreadable += 1;
            continue;
        }
        let [answer, anew] = [&answer, &anew].map(|text| serde_json::from_str::<Json>(text).unwrap());
        assert_eq!(answer, anew, "{}", hex(&image));
        same += 1;
        versions[usize::from(image[3])] += 1;
    }
    println!(
        "{same} images read, by version {:?}, {unreadable} hold values that the reference cannot show",
        &versions[1..]
    );
    assert!(same > count && versions[2] > same / 4 && versions[4] > 0, "{same} {versions:?} {unreadable}");
}
