//! Reports hold the figures that do not depend on the machine, and programs can read them.

use std::time::Duration;

use boson_bench::benchmarks::{access, file, matrix, people, types};
use boson_bench::{BenchError, Format, Iterations, Matrix, Plan, Report};
use boson_oson::write::Style;
use serde_json::Value;

/// As little as possible: nothing here is about time.
const ONCE: Plan = Plan { warmup: 0, rounds: 2, iterations: Iterations::Exactly(1) };

fn go_on(_: &str) -> bool {
    true
}

fn json(report: &Report) -> Value {
    serde_json::from_str(&report.render(Format::Json)).unwrap()
}

/// The lines of a report as an independent reader of RFC 4180 has them, the heading first.
fn csv(report: &Report) -> Vec<Vec<String>> {
    let text = report.render(Format::Csv);
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(text.as_bytes());
    reader.records().map(|record| record.unwrap().iter().map(str::to_owned).collect()).collect()
}

/// The table for the cells of up to 1 MB, style `driver`.
#[test]
fn the_matrix_has_the_published_columns_and_sizes() {
    let sizes = [
        (10, 1000, 10_146, 10_206),
        (100, 1000, 101_497, 102_009),
        (1000, 1000, 1_015_898, 1_021_912),
        (10, 10_000, 100_146, 100_208),
        (100, 10_000, 1_001_497, 1_002_009),
        (10, 100_000, 1_000_146, 1_000_228),
    ];
    let cells = sizes.map(|(fields, len, ..)| Matrix::new(fields, len)).to_vec();
    let options = matrix::Options { cells, styles: vec![Style::Driver] };
    let report = matrix::run(&options, &ONCE, None, &mut go_on).unwrap();
    let report = json(&report);
    let columns = "Format Fields FieldLen Encode(s) Decode(s) Access(s) Size(bytes) DecRaw(s) AccRaw(s) EncRatio DecRatio \
                   SizeRatio";
    assert_eq!(report["columns"], Value::from(columns.split_whitespace().collect::<Vec<_>>()));
    let rows = report["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 3 * sizes.len());
    for (rows, (fields, len, bson, oson)) in rows.chunks(3).zip(sizes) {
        for (row, (format, size)) in rows.iter().zip([("BSON", bson), ("OSON driver", oson)]) {
            assert_eq!(
                (&row["Format"], &row["Fields"], &row["FieldLen"]),
                (&format.into(), &fields.into(), &len.into())
            );
            assert_eq!(row["Size(bytes)"], Value::from(size), "{row}");
            assert!(row["DecRaw(s)"]["median"].is_f64() && row["AccRaw(s)"]["median"].is_f64(), "{row}");
        }
        assert_eq!(rows[0]["SizeRatio"], 1.0);
        assert_eq!((&rows[2]["Format"], &rows[2]["DecRaw(s)"]), (&Value::from("JSON"), &Value::Null));
    }
}

/// BSON: 16 MiB and 16 KiB; OSON: 32 MiB.
#[test]
fn what_is_beyond_the_limits_is_measured_and_said() {
    let options = matrix::Options { cells: vec![Matrix::new(17, 1_000_000)], styles: vec![Style::Driver] };
    let plan = Plan { rounds: 1, ..ONCE };
    let report = matrix::run(&options, &plan, None, &mut go_on).unwrap();
    let said = report.method.join("\n");
    assert!(said.contains("17x1000000 in BSON (limit 16,793,600)"), "{said}");
    assert!(!said.contains("in OSON"), "{said}");
}

#[test]
fn a_round_of_the_matrix_is_100_operations_unless_said_otherwise() {
    let options = matrix::Options { cells: vec![Matrix::new(1, 1)], styles: Vec::new() };
    let plan = Plan { warmup: 0, rounds: 1, iterations: Iterations::For(Duration::from_millis(1)) };
    let report = json(&matrix::run(&options, &plan, None, &mut go_on).unwrap());
    assert_eq!(report["rows"][0]["Encode(s)"]["iterations"], 100);
}

/// An encoder that knows how much room it needs asks for memory once; a view needs none.
#[test]
fn allocations_stand_beside_times() {
    let options = matrix::Options { cells: vec![Matrix::new(10, 1000)], styles: vec![Style::Driver] };
    let report = json(&matrix::run(&options, &ONCE, None, &mut go_on).unwrap());
    for row in &report["rows"].as_array().unwrap()[..2] {
        assert_eq!(row["DecRaw(s)"]["allocations"], 0, "{row}");
        assert_eq!(row["AccRaw(s)"]["allocated_bytes"], 0, "{row}");
        // Ten names and ten strings, each in memory of its own, and what holds them.
        assert!(row["Decode(s)"]["allocations"].as_u64().unwrap() > 20, "{row}");
        assert!(row["Decode(s)"]["allocated_bytes"].as_u64().unwrap() > 10_000, "{row}");
        let size = row["Size(bytes)"].as_u64().unwrap();
        assert!(row["Encode(s)"]["allocated_bytes"].as_u64().unwrap() >= size, "{row}");
    }
}

#[test]
fn every_form_of_a_report_has_every_row() {
    let plan = Plan { rounds: 1, ..ONCE };
    for report in [
        access::run(&plan, &mut go_on).unwrap(),
        types::run(&ONCE, &mut go_on).unwrap(),
        people::run(&[3], &plan, None, &mut go_on).unwrap(),
    ] {
        let rows = report.rows.len();
        assert_eq!(json(&report)["rows"].as_array().unwrap().len(), rows);
        let lines = csv(&report);
        assert_eq!(lines.len(), rows + 1);
        for (name, at) in [("benchmark", 4), ("boson", 3), ("machine", 2), ("method", 1)] {
            assert_eq!(lines[0][lines[0].len() - at], name);
            assert!(lines.iter().all(|line| !line[line.len() - at].is_empty()));
        }
        let markdown = report.render(Format::Markdown);
        assert_eq!(markdown.lines().filter(|line| line.starts_with('|')).count(), rows + 2, "{markdown}");
        let table = report.render(Format::Table);
        for said in ["Measured by boson", &report.machine.cpu, "spread", "rustc"] {
            assert!(table.contains(said), "{said}: {table}");
        }
    }
}

/// The places and forms that the issue names.
#[test]
fn access_has_every_place_in_every_form() {
    let report = json(&access::run(&Plan { rounds: 1, ..ONCE }, &mut go_on).unwrap());
    let rows = report["rows"].as_array().unwrap();
    for place in [
        "field 1 of 100",
        "field 50 of 100",
        "field 100 of 100",
        "field 500 of 500",
        "field 1000 of 1000",
        "depth 1",
        "depth 3",
        "depth 5",
    ] {
        let forms: Vec<_> = rows.iter().filter(|row| row["Place"] == place).map(|row| &row["Form"]).collect();
        let indexed: &[&str] = if place.ends_with(['3', '5']) { &[] } else { &["BSON, indexed"] };
        for form in ["BSON, raw", "BSON, decoded", "OSON compact, view each time", "OSON compact, view made"]
            .iter()
            .chain(["BSON, decode-change-encode", "OSON, decode-change-encode"].iter())
            .chain(indexed)
        {
            assert!(forms.iter().any(|found| *found == form), "{place}: {form}");
        }
    }
}

#[test]
fn the_summary_is_added_sorted_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("results.txt");
    std::fs::write(&path, "what was there\n").unwrap();
    let report = people::run(&[2, 1000], &ONCE, None, &mut go_on).unwrap();
    people::append_summary(&report, &path).unwrap();
    people::append_summary(&report, &path).unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    let rest = text.strip_prefix("what was there\n").unwrap();
    assert_eq!(rest, people::summary(&report).repeat(2));
    let version = env!("CARGO_PKG_VERSION");
    let runs: Vec<&str> = rest.lines().filter(|line| !line.starts_with(' ')).collect();
    assert_eq!(runs[..2], [format!("boson {version}, 2 rows"), format!("boson {version}, 1,000 rows")]);
    let names: Vec<&str> = rest.lines().skip(1).map_while(|line| line.strip_prefix("  ")?.split(' ').next()).collect();
    let expected =
        ["bson", "json", "oson"].map(|format| ["make", "read", "size"].map(|what| format!("{format}_{what}")));
    assert_eq!(names, expected.concat());
}

/// A file in the folder is a test.
#[test]
fn a_test_of_people_is_added_by_its_file() {
    let folder = boson_testkit::workspace_root().join("crates/bench/src/benchmarks/people/tests");
    let files = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<_> = files.map(|file| file.unwrap().path().file_stem().unwrap().to_owned()).collect();
    names.sort();
    assert_eq!(people::tests(), names);
}

fn file_of(texts: &[&str]) -> file::Input {
    let mut input = file::Input::new(boson_transcode::Format::Json);
    for text in texts {
        input.push(text.as_bytes());
    }
    input
}

/// `{"a":1}` is 7 bytes of JSON; of BSON 4 for the length, 1 for the type, 2 for the name, 4 for the number, 1 at the end.
#[test]
fn files_have_their_sizes_in_each_format() {
    let input = file_of(&["{\"a\":1}", "{\"a\":2}"]);
    let report = file::run(&[input], &file::Options::default(), &ONCE, None, &mut go_on).unwrap();
    let report = json(&report);
    let rows = report["rows"].as_array().unwrap();
    let size = |format: &str| rows.iter().find(|row| row["Format"] == format).unwrap()["Size(bytes)"].clone();
    assert_eq!((size("JSON"), size("BSON")), (14.into(), 24.into()));
    let operations: Vec<_> = rows.iter().filter(|row| row["Format"] == "OSON compact").collect();
    let names: Vec<_> = operations.iter().map(|row| row["Operation"].as_str().unwrap()).collect();
    assert_eq!(names, ["encode", "decode", "walk", "get"]);
    let per_document = operations[0]["Bytes/document"].as_f64().unwrap();
    assert!((per_document * 2.0 - operations[0]["Size(bytes)"].as_f64().unwrap()).abs() < 1e-9);
}

#[test]
fn a_format_that_cannot_hold_the_documents_is_left_out() {
    // BSON's root is a document.
    let report = file::run(&[file_of(&["[1, 2]"])], &file::Options::default(), &ONCE, None, &mut go_on).unwrap();
    let said = report.method.join("\n");
    assert!(said.contains("BSON: left out"), "{said}");
    let formats: Vec<_> = json(&report)["rows"].as_array().unwrap().iter().map(|row| row["Format"].clone()).collect();
    assert!(formats.contains(&"OSON compact".into()) && !formats.contains(&"BSON".into()));
}

#[test]
fn whoever_watches_may_stop_it() {
    let mut seen = Vec::new();
    let mut stop = |what: &str| {
        seen.push(what.to_owned());
        seen.len() < 2
    };
    let stopped = people::run(&[1], &ONCE, None, &mut stop);
    assert!(matches!(stopped, Err(BenchError::Stopped)));
    assert_eq!(seen, ["1 rows, bson_make", "1 rows, bson_read"]);
}

/// pymongo, python-oracledb and orjson on the same documents: they write as many bytes as the drivers do.
#[test]
fn peers_are_measured_beside_ours() {
    let folder = boson_testkit::workspace_root().join(".peers/venv");
    if !folder.join("installed").exists() {
        return boson_testkit::skip("the peers are not installed: cargo xtask peers install");
    }
    let mut peers = boson_bench::Peers::start(&folder).unwrap();
    let options = matrix::Options { cells: vec![Matrix::new(10, 1000)], styles: vec![Style::Driver] };
    let report = json(&matrix::run(&options, &ONCE, Some(&mut peers), &mut go_on).unwrap());
    let rows = report["rows"].as_array().unwrap();
    let size = |name: &str| {
        let row = rows.iter().find(|row| row["Format"].as_str().unwrap().starts_with(name));
        row.unwrap()["Size(bytes)"].as_u64().unwrap()
    };
    assert_eq!((size("pymongo"), size("oracledb")), (10_146, 10_206));
    assert_eq!(size("orjson"), size("JSON"));
    assert_eq!(rows.iter().filter(|row| !row["Enc/Boson"].is_null()).count(), 3, "{report}");
    let people = people::run(&[5], &ONCE, Some(&mut peers), &mut go_on).unwrap();
    assert_eq!(json(&people)["rows"].as_array().unwrap().len(), 9 + 9);
    assert!(people::summary(&people).contains("bson_make pymongo"));
    let input = file_of(&["{\"a\":1}", "{\"a\":2}"]);
    let file = file::run(&[input], &file::Options::default(), &ONCE, Some(&mut peers), &mut go_on).unwrap();
    assert_eq!(json(&file)["rows"].as_array().unwrap().len(), 4 * 4 + 3 * 2);
}

/// Who measures by turns hands over the documents once and then asks for one turn after the other.
#[test]
fn peers_take_turns() {
    let folder = boson_testkit::workspace_root().join(".peers/venv");
    if !folder.join("installed").exists() {
        return boson_testkit::skip("the peers are not installed: cargo xtask peers install");
    }
    let mut peers = boson_bench::Peers::start(&folder).unwrap();
    // {"a": 1}
    let document = [12, 0, 0, 0, 0x10, b'a', 0, 1, 0, 0, 0, 0];
    let name =
        peers.load(boson_transcode::Format::Bson, std::iter::once(document.as_slice()), &["a"]).unwrap().unwrap();
    assert!(name.starts_with("pymongo "), "{name}");
    for operation in ["encode", "decode", "access", "view", "get"] {
        assert!(!peers.turn(operation, 100).unwrap().is_zero(), "{operation}");
    }
    assert!(peers.turn("digest", 1).unwrap_err().to_string().contains("digest"));
    let refused = peers.load(boson_transcode::Format::Oson, std::iter::once([0xFF_u8, 0x4A].as_slice()), &[]).unwrap();
    assert!(refused.unwrap_err().contains("Error"));
}
