//! `boson migrate` of archives of mongodump.

use crate::support::{METADATA, Sandbox, archive, documents};

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.boson("gen telemetry-strings -n 300 -o strings.bson").done();
    sandbox.boson("gen telemetry-typed -n 300 -o typed.bson").done();
    let strings = documents(&sandbox.read("strings.bson"));
    let metadata = METADATA.replace("timestamp", "x");
    sandbox.file("dump.archive", &archive(&[("readings", &metadata, &strings), ("a/b", "", &[])]));
    sandbox.boson("analyze dump.archive --no-sizes --plan plan.toml").done();
    sandbox
}

#[test]
fn an_archive_becomes_a_folder_that_mongorestore_takes() {
    let sandbox = sandbox();
    let before = sandbox.names();
    let tried = sandbox.boson("migrate dump.archive --plan plan.toml --to converted").done();
    assert!(tried.contains("300 documents, 300 to be changed") && tried.contains("Nothing was written"), "{tried}");
    assert_eq!(sandbox.names(), before);
    let done = sandbox.boson("migrate dump.archive --plan plan.toml --to converted --apply --verify").done();
    assert!(done.contains("verified 300 documents: 2,100 new values come back to the last character"), "{done}");
    assert_eq!(sandbox.read("converted/shop/readings.bson"), sandbox.read("typed.bson"));
    let metadata = METADATA.replace("timestamp", "x");
    assert_eq!(sandbox.read("converted/shop/readings.metadata.json"), metadata.as_bytes());
    // The slash is escaped as mongodump does.
    assert_eq!(sandbox.read("converted/shop/a%2Fb.bson"), b"");
    sandbox.boson("migrate dump.archive --plan plan.toml --to converted --verify").done();
    sandbox.boson("undo converted --to again").done();
    assert_eq!(sandbox.read("again/shop/readings.bson"), sandbox.read("strings.bson"));
    assert_eq!(
        sandbox.names(),
        ["again", "converted", "converted.undo", "dump.archive", "plan.toml", "strings.bson", "typed.bson"]
    );
    sandbox.shell("gzip -k dump.archive && boson migrate dump.archive.gz --plan plan.toml --to packed --apply").done();
    assert_eq!(sandbox.read("packed/shop/readings.bson"), sandbox.read("typed.bson"));
}

#[test]
fn a_cut_archive_is_refused_unless_what_is_whole_was_asked_for() {
    let sandbox = sandbox();
    let whole = sandbox.read("dump.archive");
    sandbox.file("cut.archive", &whole[..whole.len() - 50_000]);
    let complaint = sandbox.boson("migrate cut.archive --plan plan.toml --to converted --apply").failed(3);
    assert!(complaint.contains("shop.readings"), "{complaint}");
    assert!(!sandbox.path().join("converted").exists());
    let ran = sandbox.boson("migrate cut.archive --plan plan.toml --to converted --apply --recover");
    assert!(ran.stderr.contains("not whole: shop.readings"), "{}", ran.stderr);
    ran.done();
    assert!(sandbox.read("typed.bson").starts_with(&sandbox.read("converted/shop/readings.bson")));
}

#[test]
fn standard_input_is_refused_before_anything_is_read() {
    let sandbox = sandbox();
    let complaint = sandbox.boson_with("migrate - --plan plan.toml --to out.bson --apply", b"junk").failed(2);
    assert!(complaint.contains("cannot be read again") && complaint.contains("save it to a file first"), "{complaint}");
    assert_eq!(sandbox.names(), ["dump.archive", "plan.toml", "strings.bson", "typed.bson"]);
}
