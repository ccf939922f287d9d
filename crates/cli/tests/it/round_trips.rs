//! json -> bson -> oson -> bson -> json on real documents and on generated ones: `boson diff` finds nothing but what the
//! conversions listed.

use std::path::PathBuf;

use boson_testkit::{skip, workspace_root};

use crate::support::Sandbox;

/// Documents of packages that `cargo xtask peers install` brings.
pub(crate) fn of_package(path: &str) -> Option<PathBuf> {
    let file = workspace_root().join(".peers/node_modules").join(path);
    if file.exists() {
        return Some(file);
    }
    skip(&format!("{path} is not installed; `cargo xtask peers install` brings it"));
    None
}

/// Goes the whole way in `style` and returns what the differences are, and the paths that were listed on the way.
fn differences(sandbox: &Sandbox, file: &str, style: &str) -> (serde_json::Value, String) {
    let mut listed = String::new();
    for step in [
        format!("convert {file} -o 1.bson --overwrite"),
        format!("convert 1.bson -o 2.oson --to oson-images --oson-style {style} --overwrite"),
        "convert 2.oson -o 3.bson --overwrite".to_owned(),
        "convert 3.bson -o 4.ndjson --json-style canonical --overwrite".to_owned(),
    ] {
        let ran = sandbox.boson(&step);
        listed += &ran.stderr;
        ran.done();
    }
    let diff = sandbox.boson(&format!("diff {file} 4.ndjson --format json")).stdout;
    (serde_json::from_str(&diff).expect("the report of a diff"), listed)
}

#[track_caller]
fn assert_comes_back(file: &str, documents: u64) {
    let sandbox = Sandbox::new();
    for style in ["compact", "driver"] {
        let (diff, listed) = differences(&sandbox, file, style);
        assert_eq!(diff["documents"], documents, "{style}");
        assert_eq!((&diff["only_left"], &diff["only_right"]), (&0.into(), &0.into()), "{style}");
        for difference in diff["named"].as_array().expect("a list") {
            let path = difference["path"].as_str().expect("a path");
            let pattern: String = path
                .split_inclusive('[')
                .map(|part| match part.split_once(']') {
                    Some((_, rest)) => format!("*]{rest}"),
                    None => part.to_owned(),
                })
                .collect();
            assert!(listed.contains(&format!(" {pattern}:")), "{style}: {difference} was not listed:\n{listed}");
        }
    }
}

#[test]
fn real_documents_come_back() {
    for (path, documents) in [("world-countries/countries.json", 250), ("mime-db/db.json", 1)] {
        let Some(file) = of_package(path) else { return };
        assert_comes_back(&file.display().to_string(), documents);
    }
}

#[test]
fn generated_documents_come_back() {
    for (set, count, documents) in [("people", 1000, 1), ("telemetry-strings", 500, 500), ("telemetry-typed", 500, 500)]
    {
        let sandbox = Sandbox::new();
        sandbox.boson(&format!("gen {set} -n {count} -o in.ndjson")).done();
        assert_comes_back(&sandbox.path().join("in.ndjson").display().to_string(), documents);
    }
}
