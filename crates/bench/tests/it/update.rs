//! What updates write, as counted by a buffer that records all calls: worked out by hand where that depends on nothing but
//! the format.

use boson_bench::benchmarks::update;
use boson_bench::{Format, Iterations, Plan, Report};
use serde_json::Value;

const ONCE: Plan = Plan { warmup: 0, rounds: 1, iterations: Iterations::Exactly(1) };

const BSON: [&str; 4] =
    ["BSON decode-change-encode", "BSON decode-change-encode, official crate", "BSON splice", "BSON mutable document"];
const OSON: [&str; 3] = ["OSON rebuild", "OSON in place", "OSON in place, checked"];

fn report(sizes: &[usize]) -> Value {
    let report: Report = update::run(sizes, &ONCE, &mut |_| true).unwrap();
    serde_json::from_str(&report.render(Format::Json)).unwrap()
}

/// The row of `way` for `update`.
fn row<'r>(report: &'r Value, update: &str, way: &str) -> &'r Value {
    let rows = report["rows"].as_array().unwrap();
    rows.iter().find(|row| row["Update"] == update && row["Way"] == way).unwrap()
}

#[test]
fn every_update_is_made_in_every_way() {
    let report = report(&[10_000, 20_000]);
    let rows = report["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 2 * 8 * (BSON.len() + OSON.len()));
    for row in rows {
        assert!(row["Time(us)"]["median"].as_f64().unwrap() > 0.0, "{row}");
        assert!(row["Time(us)"]["allocations"].is_u64(), "{row}");
        let (size, written) = (row["Size(bytes)"].as_u64().unwrap(), row["Written(bytes)"].as_u64().unwrap());
        assert!(written > 0 && written < size + 2000, "{row}");
        assert_eq!(row["How"] == "encoded anew", row["Speed"] == 1.0 || row["Way"] == BSON[1], "{row}");
    }
}

#[test]
fn bson_is_overwritten_where_the_width_stays_and_spliced_elsewhere() {
    let report = report(&[10_000]);
    let of = |update, way| {
        let row = row(&report, update, way);
        (row["How"].as_str().unwrap().to_owned(), row["Written(bytes)"].as_u64().unwrap())
    };
    for way in ["BSON splice", "BSON mutable document"] {
        // An int32, and ten of them; a length, 47 letters and a NUL.
        assert_eq!(of("one field", way), ("in place".to_owned(), 4));
        assert_eq!(of("several fields", way), ("in place".to_owned(), 40));
        assert_eq!(of("a string of equal length", way), ("in place".to_owned(), 4 + 47 + 1));
    }
    // The entry of the log is {"at": int64, "what": "checked", "by": int32}. Behind it come the array's NUL, the double
    // `total` and the last NUL; two lengths follow.
    let entry = (1 + 2) + 4 + (1 + 3 + 8) + (1 + 5 + 4 + 8) + (1 + 3 + 4) + 1;
    let behind = 1 + (1 + 6 + 8) + 1;
    assert_eq!(of("an array push", "BSON splice"), ("spliced".to_owned(), entry + behind + 2 * 4));
    // The names of elements 4 to 9 have one digit, of 10 to 13 two.
    assert_eq!(of("ten array pushes", "BSON splice"), ("spliced".to_owned(), 10 * (entry + behind + 2 * 4) + 4));
    let size = row(&report, "an array push", "BSON splice")["Size(bytes)"].as_u64().unwrap();
    assert_eq!(of("an array push", "BSON mutable document"), ("rebuilt".to_owned(), size + entry));
    assert_eq!(of("inserted field", "BSON mutable document"), ("rebuilt".to_owned(), size + (1 + 9 + 8)));
}

/// Nothing is allocated for fields that are not touched: ten times as many make no difference.
#[test]
fn editing_allocates_for_what_is_touched_and_for_nothing_else() {
    let (small, large) = (report(&[10_000]), report(&[100_000]));
    for way in ["BSON splice", "BSON mutable document"] {
        for update in ["one field", "several fields", "a string of equal length"] {
            let allocations = |report| row(report, update, way)["Time(us)"]["allocations"].as_u64().unwrap();
            assert_eq!(allocations(&small), allocations(&large), "{way}, {update}");
        }
    }
}

#[test]
fn oson_writes_little_wherever_the_field_is() {
    let report = report(&[100_000]);
    for update in ["one field", "a string of equal length", "a string 50 bytes longer", "an array push"] {
        for way in ["OSON in place", "OSON in place, checked"] {
            let row = row(&report, update, way);
            assert!(row["Written(bytes)"].as_u64().unwrap() < 200, "{row}");
            assert_ne!(row["How"], "rebuilt", "{row}");
        }
    }
    // The dictionary has no such name.
    assert_eq!(row(&report, "inserted field of a new name", "OSON in place")["How"], "rebuilt");
}
