use std::fmt::Write as _;

use boson_bench::{Dataset, Matrix};
use boson_document::Value;
use boson_testkit::{Coverage, laws};
use sha2::{Digest, Sha256};

/// SHA-256 of the documents as BSON, one after another: what `sha256sum` says of the file that `boson gen` writes.
fn sha256(set: Dataset, seed: u64, count: usize) -> String {
    let mut writer = boson_bson::Writer::new();
    for document in set.documents(seed, count) {
        writer.write(&document).unwrap();
    }
    boson_testkit::hex(Sha256::digest(writer.as_bytes()))
}

/// The sets as they are measured: seed 1, the counts of the published benchmarks.
const COMMITTED: &[(Dataset, usize, &str)] = &[
    (Dataset::People, 100, "8479df5a2ae96d45d2afa6eb26d2b2c99e500faf9db1b2b10cb84bc47eddce56"),
    (Dataset::People, 1000, "d831f6f382035ac6401f57094e9c3906c0b201efd78e37c2452c30bb54dc3b0e"),
    (Dataset::People, 10_000, "075517750d62295d5d65c7207068e1f407987e3885a7f2668e6dcae5f2fef5e2"),
    (Dataset::TelemetryStrings, 10_000, "49ce09560e739f974a09defd35851b74fdba95e851bc8d627754c37b8dc565ad"),
    (Dataset::TelemetryTyped, 10_000, "c9c458f589ffd1836d49f688e14d3bac5d2e08e3c759107661a49410bc4b56c3"),
    (Dataset::Flat, 1, "534dabb2e0d014118047c3fb95baa493ebe82c3801899cb9d67de317ffd4e06f"),
    (Dataset::Deep, 1, "d57cb383213837ccc606be03d53a776c0fd01120c24c8ba423d49ffd5782ac78"),
    (Dataset::Full, 1, "a7cb720dcb4219bc894f4515cbec55fe3e1d2c6c395936af570d5840e0d392a7"),
    (Dataset::Tweets, 100, "8253ca7eba8ba2c3544fe07fa097abfa95cc74b3a488aef9c36184b9163a6000"),
    (Dataset::Catalog, 1000, "fda38832a9d8b024d102abddc9922472ddf762f2ea718fd0d4149e799bca28ba"),
    (Dataset::Matrix(Matrix::new(10, 1000)), 1, "190b2cc2140df8d8eb2944e975f80aff0fc1fec5d3d20e88424e3971b1321ab9"),
    (Dataset::Mixed, 100, "958fd7cc7b42add54502a5e80f0a2b3dcde42363dd0091657471dd3014dd6637"),
];

#[test]
fn the_sets_are_those_that_were_committed() {
    let mut found = String::new();
    for &(set, count, _) in COMMITTED {
        writeln!(found, "{set} {count} {}", sha256(set, 1, count)).unwrap();
    }
    let committed =
        COMMITTED.iter().fold(String::new(), |lines, (set, count, hash)| format!("{lines}{set} {count} {hash}\n"));
    assert_eq!(found, committed, "found:\n{found}");
}

#[test]
fn another_seed_gives_other_documents_of_the_same_shape() {
    for set in Dataset::ALL.into_iter().filter(|set| !matches!(set, Dataset::Matrix(_))) {
        let (mut one, mut other) = (set.documents(1, 3), set.documents(2, 3));
        assert_eq!(one.len(), other.len());
        let (one, other) = (one.next().unwrap(), other.next().unwrap());
        assert_ne!(one, other, "{set}");
        assert!(matches!((one, other), (Value::Object(_), Value::Object(_))));
    }
}

#[test]
fn documents_do_not_depend_on_how_many_are_asked_for() {
    for set in [Dataset::TelemetryTyped, Dataset::Flat, Dataset::Mixed] {
        let few: Vec<Value> = set.documents(4, 5).collect();
        assert_eq!(few, set.documents(4, 50).take(5).collect::<Vec<_>>(), "{set}");
    }
}

#[test]
fn names_are_read_back() {
    for set in Dataset::ALL {
        assert_eq!(set.name().parse(), Ok(set));
        assert_eq!(set.to_string().parse(), Ok(set));
    }
    assert_eq!("matrix-100x10000".parse(), Ok(Dataset::Matrix(Matrix::new(100, 10_000))));
    let error = "peple".parse::<Dataset>().unwrap_err().to_string();
    assert!(error.starts_with("no data set is called `peple`; there are people, telemetry-strings,"), "{error}");
}

#[test]
fn the_matrix_drives_what_its_tree_holds() {
    let matrix = Matrix::new(12, 34);
    laws::assert_same(&matrix.to_value(), &laws::tree(&matrix).unwrap());
    laws::replays(&matrix);
}

#[test]
fn people_are_as_the_issue_says() {
    let document = Dataset::People.documents(1, 1000).next().unwrap();
    let Value::Object(people) = document else { panic!("an object") };
    assert_eq!(people.len(), 1000);
    let mut distinct = [const { std::collections::BTreeSet::new() }; 3];
    for (row, (name, person)) in people.iter().enumerate() {
        assert_eq!(*name, format!("person_{row}"));
        let Value::Object(members) = person else { panic!("an object") };
        let names: Vec<&str> = members.iter().map(|(name, _)| name.as_str()).collect();
        let expected = ["first_name", "middle_name", "last_name", "email", "active", "created_at", "updated_at"];
        assert_eq!(names, expected);
        assert!(matches!(person.get("active"), Some(Value::Int32(0 | 1))));
        for time in ["created_at", "updated_at"] {
            let Some(Value::String(time)) = person.get(time) else { panic!("text") };
            let shape: String = time.chars().map(|c| if c.is_ascii_digit() { '9' } else { c }).collect();
            assert_eq!(shape, "9999-99-99 99:99:99");
        }
        for (names, member) in distinct.iter_mut().zip(members) {
            let Value::String(name) = &member.1 else { panic!("text") };
            names.insert(name.as_str());
        }
    }
    assert_eq!(distinct.each_ref().map(std::collections::BTreeSet::len), [10, 10, 10]);
    assert!(distinct[1].contains(""));
}

#[test]
fn the_readings_are_the_same_in_both_forms() {
    let (strings, typed) = (Dataset::TelemetryStrings.documents(1, 700), Dataset::TelemetryTyped.documents(1, 700));
    for (strings, typed) in strings.zip(typed) {
        for name in ["_id", "sensorId", "tags"] {
            assert_eq!(strings.get(name), typed.get(name));
        }
        let number = |name| match (strings.get(name), typed.get(name)) {
            (Some(Value::String(text)), Some(Value::Double(number))) => (text.parse(), *number),
            other => panic!("{other:?}"),
        };
        for name in ["temperature", "humidity", "pressure"] {
            let (text, number) = number(name);
            assert_eq!(text, Ok(number));
        }
    }
}

#[test]
fn the_mixed_set_shows_what_json_lacks() {
    use boson_document::Kind;
    let mut coverage = Coverage::new();
    Dataset::Mixed.documents(1, 100).for_each(|document| coverage.add(&document));
    let wanted = [
        Kind::ObjectId,
        Kind::DateTime,
        Kind::Decimal128,
        Kind::Binary,
        Kind::Int32,
        Kind::Int64,
        Kind::Double,
        Kind::Bool,
        Kind::Null,
        Kind::Array,
        Kind::String,
    ];
    assert_eq!(coverage.missing(&wanted), []);
}
