//! `boson explain` as users call it.

use crate::support::Sandbox;

/// `{"a": 1}` as BSON.
const ONE: &[u8] = b"\x0c\0\0\0\x10a\0\x01\0\0\0\0";

#[test]
fn each_document_of_a_stream_has_its_dump() {
    let sandbox = Sandbox::new();
    let dump = sandbox.boson_with("explain -", &[ONE, ONE].concat()).done();
    let headings: Vec<_> = dump.lines().filter(|line| line.starts_with('-')).collect();
    assert_eq!(headings, ["-: document 1 at byte 0, bson of 12 bytes", "-: document 2 at byte 12, bson of 12 bytes"]);
    assert_eq!(dump.lines().filter(|line| line.ends_with("int 1")).count(), 2);
    let second = sandbox.boson_with("explain --document 2 -", &[ONE, ONE].concat()).done();
    assert_eq!(second.lines().filter(|line| line.ends_with("int 1")).count(), 1);
}

#[test]
fn the_exit_code_says_what_was_found() {
    let sandbox = Sandbox::new();
    sandbox.file("one.bson", ONE);
    sandbox.file("invalid.bson", b"\x09\0\0\0\x08a\0\x02\0");
    sandbox.file("cut.bson", &ONE[..9]);
    sandbox.file("a.json", b"{\"a\":1}");
    for (arguments, code) in [
        ("explain one.bson", 0),
        ("explain one.bson --path a", 0),
        ("explain one.bson --path b", 1),
        ("explain one.bson --document 2", 1),
        ("explain one.bson --path a..b", 2),
        ("explain a.json", 2),
        ("explain invalid.bson", 3),
        ("explain invalid.bson one.bson", 3),
        ("explain cut.bson", 3),
        ("explain cut.bson --path b.c --format json", 3),
        ("explain missing.bson", 5),
    ] {
        let ran = sandbox.boson(arguments);
        assert_eq!(ran.code, code, "{arguments}: {}{}", ran.stdout, ran.stderr);
    }
}

#[test]
fn a_file_that_is_cut_or_damaged_is_explained_nevertheless() {
    let sandbox = Sandbox::new();
    let ran = sandbox.boson_with("explain -", &[ONE, &ONE[..9]].concat());
    assert_eq!(ran.code, 3);
    assert!(ran.stdout.contains("document 2 at byte 12, bson of 9 bytes"), "{}", ran.stdout);
    assert!(
        ran.stdout.ends_with("fault at offset 0, $: the length says 12 bytes, the content takes 9\n"),
        "{}",
        ran.stdout
    );
    // The length of the first leads into the second, where no NUL is.
    let damaged = [b"\x0d\0\0\0\x10a\0\x01\0\0\0\0", ONE].concat();
    let ran = sandbox.boson_with("explain --from bson -", &damaged);
    assert!(ran.code == 3 && ran.stdout.contains("no NUL to end the document"), "{}", ran.stdout);
    // Images: cut in the tree, and of a version that is not known.
    for image in [&b"\xff\x4a\x5a\x01\x00\x16\x00\x05\x09ab"[..], b"\xff\x4a\x5a\x09\x00\x16\x00\x01\x31"] {
        let ran = sandbox.boson_with("explain --from oson -", image);
        assert!(ran.code == 3 && ran.stdout.contains("version") && ran.stdout.contains("fault at"), "{}", ran.stdout);
    }
}

#[test]
fn programs_get_one_object() {
    let sandbox = Sandbox::new();
    let text = sandbox.boson_with("explain --format json -", &[ONE, ONE].concat()).done();
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    let second = &json["documents"][1];
    assert_eq!((&second["file"], &second["document"], &second["at"]), (&"-".into(), &2.into(), &12.into()));
    let value = &second["regions"][4];
    assert_eq!((&value["offset"], &value["hex"], &value["value"]), (&7.into(), &"01000000".into(), &"int 1".into()));
}

#[test]
fn a_page_appears_when_it_is_complete_and_replaces_nothing() {
    let sandbox = Sandbox::new();
    sandbox.file("one.bson", ONE);
    assert_eq!(sandbox.boson("explain one.bson --format html -o one.html").done(), "");
    let page = String::from_utf8(sandbox.read("one.html")).unwrap();
    assert!(page.starts_with("<!doctype html>") && page.trim_end().ends_with("</html>"), "{page}");
    sandbox.boson("explain one.bson --format html -o one.html").failed(4);
    sandbox.boson("explain one.bson --format html -o one.html --overwrite").done();
    sandbox.boson("explain missing.bson -o nothing.txt").failed(5);
    assert_eq!(sandbox.names(), ["one.bson", "one.html"]);
}
