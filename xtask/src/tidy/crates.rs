//! Rules of the packages: what each may depend on, and what its manifest says.

use anyhow::{Context, Result};
use serde_json::Value;

use super::{Faults, Repository};
use crate::workspace;

/// The rooms and their floors: an edge leads to a lower floor. What is on one floor does not know each other.
const FLOORS: &[(&str, u8)] = &[
    ("boson-document", 0),
    ("boson-bson", 1),
    ("boson-oson", 1),
    ("boson-json", 1),
    ("boson-transcode", 2),
    ("boson-store", 3),
    ("boson-profile", 3),
    ("boson-explain", 3),
    ("boson-migrate", 4),
    ("boson-prove", 4),
    ("boson-schema", 4),
    ("boson-live", 5),
    ("boson-report", 5),
    ("boson-bench", 4),
    ("boson-cli", 6),
    ("boson-python", 6),
    ("boson", 6),
];

/// What only tests, fuzz targets and developers use: the product's packages reach it through dev-dependencies alone.
const DEVELOPMENT: &[&str] = &["boson-testkit", "boson-fuzz-bodies", "xtask"];

/// Packages that know less than their floor allows, and what they may know.
const NARROW: &[(&str, &[&str])] = &[("boson-profile", &["boson-document"])];

/// Dependencies that belong to one room alone.
const RESERVED: &[(&str, &str)] = &[("mongodb", "boson-live"), ("tokio", "boson-live")];

pub(super) fn check(repository: &Repository, faults: &mut Faults) -> Result<()> {
    for package in &packages()? {
        let name = text(package, "name")?;
        for dependency in package.get("dependencies").and_then(Value::as_array).into_iter().flatten() {
            let is_dev = dependency.get("kind").and_then(Value::as_str) == Some("dev");
            faults.extend(edge(name, text(dependency, "name")?, is_dev).map(|what| format!("{name}: {what}")));
        }
        manifest(repository, package, faults)?;
    }
    let root = repository.read("Cargo.toml")?;
    if !root.lines().any(|line| line == "unsafe_code = \"forbid\"") {
        faults.push("Cargo.toml: the workspace must forbid unsafe code".to_owned());
    }
    Ok(())
}

/// The workspace's packages, as `cargo metadata` describes them.
fn packages() -> Result<Vec<Value>> {
    let mut command = workspace::cargo()?;
    let metadata = workspace::output(command.args(["metadata", "--format-version=1", "--no-deps", "--all-features"]))?;
    let metadata: Value = serde_json::from_str(&metadata)?;
    metadata.get("packages").and_then(Value::as_array).cloned().context("no packages")
}

fn text<'a>(value: &'a Value, field: &str) -> Result<&'a str> {
    value.get(field).and_then(Value::as_str).with_context(|| format!("cargo metadata: no {field}"))
}

fn floor(name: &str) -> Option<u8> {
    FLOORS.iter().find(|(room, _)| *room == name).map(|&(_, floor)| floor)
}

/// What is wrong with `from` depending on `to`.
fn edge(from: &str, to: &str, is_dev: bool) -> Option<String> {
    if DEVELOPMENT.contains(&from) {
        return None;
    }
    let Some(from_floor) = floor(from) else {
        return Some("is on no floor: see xtask/src/tidy/crates.rs".to_owned());
    };
    if is_dev {
        return None;
    }
    if DEVELOPMENT.contains(&to) {
        return Some(format!("{to} is for tests, so it must be a dev-dependency"));
    }
    if let Some((_, room)) = RESERVED.iter().find(|(name, room)| *name == to && *room != from) {
        return Some(format!("only {room} may depend on {to}"));
    }
    let to_floor = floor(to)?;
    if to_floor >= from_floor {
        return Some(format!("depends on {to}, which is not on a lower floor"));
    }
    let narrow = NARROW.iter().find(|(name, known)| *name == from && !known.contains(&to));
    narrow.map(|_| format!("may not know {to}"))
}

fn manifest(repository: &Repository, package: &Value, faults: &mut Faults) -> Result<()> {
    let path = text(package, "manifest_path")?;
    let manifest = repository.read(path)?;
    let mut expect = |holds: bool, what: &str| {
        if !holds {
            faults.push(format!("{path}: {what}"));
        }
    };
    expect(manifest.contains("[lints]\nworkspace = true\n"), "expected the workspace's lints");
    for field in ["description", "license", "rust_version"] {
        expect(package.get(field).is_some_and(Value::is_string), &format!("expected `{field}`"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_lead_downward() {
        assert_eq!(edge("boson-bson", "boson-document", false), None);
        assert_eq!(edge("boson-cli", "boson-bench", false), None);
        assert!(edge("boson-bson", "boson-oson", false).is_some());
        assert!(edge("boson-document", "boson-bson", false).is_some());
        assert!(edge("boson-profile", "boson-transcode", false).is_some());
        assert!(edge("boson-shed", "boson-document", false).is_some());
    }

    #[test]
    fn tests_may_use_what_the_product_may_not() {
        assert_eq!(edge("boson-json", "boson-bson", true), None);
        assert_eq!(edge("boson-json", "boson-testkit", true), None);
        assert!(edge("boson-json", "boson-testkit", false).is_some());
        assert!(edge("boson-store", "tokio", false).is_some());
        assert_eq!(edge("boson-live", "tokio", false), None);
    }
}
