//! How many blocks a lookup reads, as counted where the file is read.

use boson_bench::benchmarks::blocks::{self, Options};
use boson_bench::{Format, Iterations, Plan};
use serde_json::Value;

const ONCE: Plan = Plan { warmup: 0, rounds: 1, iterations: Iterations::Exactly(1) };

fn rows(size: usize, block_len: usize) -> Vec<Value> {
    let options = Options { sizes: vec![size], block_len, folder: None };
    let report = blocks::run(&options, &ONCE, &mut |_| true).unwrap();
    let report: Value = serde_json::from_str(&report.render(Format::Json)).unwrap();
    report.get("rows").and_then(Value::as_array).unwrap().clone()
}

fn number(row: &Value, column: &str) -> u64 {
    row.get(column).and_then(Value::as_u64).unwrap()
}

/// The rows of one format and shape: first, middle, last, absent.
fn of<'r>(rows: &'r [Value], format: &str, shape: &str) -> [&'r Value; 4] {
    let rows: Vec<_> = rows.iter().filter(|row| row["Format"] == format && row["Shape"] == shape).collect();
    let rows: [&Value; 4] = rows.try_into().unwrap();
    assert_eq!(rows.map(|row| row["Field"].as_str().unwrap()), ["first", "middle", "last", "absent"]);
    rows
}

#[test]
fn every_figure_is_there_and_adds_up() {
    let rows = rows(1 << 20, 8192);
    assert_eq!(rows.len(), 3 * 3 * 4);
    for row in &rows {
        let (size, blocks, of_blocks) = (number(row, "Size(bytes)"), number(row, "Blocks"), number(row, "OfBlocks"));
        assert_eq!(of_blocks, size.div_ceil(8192), "{row}");
        assert!((1..=of_blocks).contains(&blocks), "{row}");
        // All blocks are of one size but the last of the document.
        let read = number(row, "Read(bytes)");
        assert!(read <= blocks * 8192 && read > (blocks - 1) * 8192, "{row}");
        for time in ["Cold(us)", "Warm(us)"] {
            assert!(row[time]["median"].as_f64().unwrap() > 0.0, "{row}");
        }
        assert_eq!(row["Dropped(us)"].is_null(), !cfg!(target_os = "linux"), "{row}");
    }
}

#[test]
fn a_field_of_oson_costs_a_handful_of_blocks_wherever_it_stands() {
    for size in [64 << 10, 1 << 20, 4 << 20] {
        let rows = rows(size, 8192);
        for shape in ["flat", "nested"] {
            for row in of(&rows, "OSON", shape) {
                // The header, the dictionary, the objects on the way and the value.
                assert!(number(row, "Blocks") <= 5, "{row}");
            }
        }
    }
}

#[test]
fn bson_costs_the_blocks_on_the_way() {
    // Fields of 1048 bytes: every block holds the beginning of one.
    let rows = rows(1 << 20, 1024);
    let [first, middle, last, absent] = of(&rows, "BSON", "flat").map(|row| number(row, "Blocks"));
    // The length at the beginning and the NUL at the end are looked at first.
    assert_eq!(first, 2);
    let all = number(of(&rows, "BSON", "flat")[0], "OfBlocks");
    // Up to half of them, and every one of them; a field has one block or two at its beginning.
    assert!(middle.abs_diff(all / 2) < 30, "{middle} of {all}");
    assert!(last > all - 60 && absent >= last && absent <= all, "{last} and {absent} of {all}");
    // What is nested is hopped over in one.
    let [.., last, _] = of(&rows, "BSON", "nested").map(|row| number(row, "Blocks"));
    assert!(last < 60, "{last}");
}

#[test]
fn json_is_read_to_the_field_and_to_the_end_where_it_is_absent() {
    let rows = rows(256 << 10, 4096);
    for shape in ["flat", "many"] {
        let all = number(of(&rows, "JSON", shape)[0], "OfBlocks");
        let [first, middle, last, absent] = of(&rows, "JSON", shape).map(|row| number(row, "Blocks"));
        assert_eq!((first, last, absent), (1, all, all), "{shape}");
        assert!(middle.abs_diff(all / 2) <= 1, "{shape}: {middle} of {all}");
    }
}
