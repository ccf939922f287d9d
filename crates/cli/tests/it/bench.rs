//! `boson bench`: what it prints besides times.

use crate::support::Sandbox;

#[test]
fn figures_can_be_read_by_programs() {
    let sandbox = Sandbox::new();
    let bench = "bench matrix --cells 10x1000,100x1000 --rounds 1 --iterations 1 --oson-style both";
    let report = sandbox.boson(&format!("{bench} --format json")).done();
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    let sizes: Vec<_> = report["rows"].as_array().unwrap().iter().map(|row| row["Size(bytes)"].clone()).collect();
    assert_eq!(
        (&sizes[0], &sizes[1], &sizes[4], &sizes[5]),
        (&10_146.into(), &10_206.into(), &101_497.into(), &102_009.into())
    );
    // Allocations are counted in the program that users run.
    assert!(report["rows"][0]["Encode(s)"]["allocations"].as_u64().is_some_and(|count| count > 0), "{report}");
    for said in ["cpu", "cores", "os", "build"] {
        assert!(!report["machine"][said].is_null(), "{said}");
    }
    let lines = sandbox.boson(&format!("{bench} --format csv")).done();
    assert!(lines.starts_with("Format,Fields,FieldLen,Encode(s),"), "{lines}");
    assert_eq!(lines.lines().count(), 1 + 2 * 4);
}

#[test]
fn results_are_added_to_the_file() {
    let sandbox = Sandbox::new();
    let bench = "bench people --rows 1 2 --rounds 1 --iterations 1";
    sandbox.boson(bench).done();
    let first = sandbox.read("results.txt");
    sandbox.boson(bench).done();
    let both = sandbox.read("results.txt");
    assert_eq!(both[..first.len()], first);
    let lines = String::from_utf8(both).unwrap();
    assert_eq!(lines.lines().filter(|line| line.starts_with("boson ")).count(), 4, "{lines}");
}

#[test]
fn a_sample_of_a_large_file_is_called_one() {
    let sandbox = Sandbox::new();
    sandbox.file("three.json", b"{\"a\":1}\n{\"a\":2}\n{\"a\":3}\n");
    let bench = "bench file three.json --rounds 1 --iterations 1 --format json";
    let whole = sandbox.boson(bench).done();
    assert!(whole.contains("All documents were measured.") && whole.contains("3 documents"), "{whole}");
    let sample = sandbox.boson(&format!("{bench} --max-documents 2")).done();
    assert!(sample.contains("A sample: the first 2 documents (14 bytes)"), "{sample}");
    // One document is measured however large it is.
    let one = sandbox.boson(&format!("{bench} --max-memory 1")).done();
    assert!(one.contains("A sample: the first 1 document (7 bytes)"), "{one}");
}

#[test]
fn broken_and_missing_documents_are_named() {
    let sandbox = Sandbox::new();
    sandbox.file("broken.json", b"{\"a\":1}\n{\"a\":}\n");
    let complaint = sandbox.boson("bench file broken.json").failed(3);
    assert!(complaint.contains("broken.json: document 2 at byte 8"), "{complaint}");
    sandbox.file("empty.json", b"");
    sandbox.boson("bench file empty.json").failed(2);
    sandbox.boson("bench matrix --cells 10").failed(2);
    sandbox.boson("bench people --rounds 0").failed(2);
    sandbox.boson("bench update --sizes 100").failed(2);
    sandbox.boson("bench blocks --block-size 1").failed(2);
    sandbox.boson("bench blocks --sizes 1").failed(2);
    sandbox.boson("bench blocks --sizes 65536 --folder missing").failed(5);
}

#[test]
fn documents_are_stored_in_blocks_where_they_are_said_to_be_and_are_gone_afterwards() {
    let sandbox = Sandbox::new();
    let bench = "bench blocks --sizes 65536 --block-size 4096 --folder . --rounds 1 --iterations 1 --format json";
    let report: serde_json::Value = serde_json::from_str(&sandbox.boson(bench).done()).unwrap();
    assert_eq!(report["rows"].as_array().unwrap().len(), 3 * 3 * 4);
    assert_eq!(sandbox.names(), [""; 0]);
}
