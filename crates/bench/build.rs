//! Finds the tests of `people`, so that one is added by adding its file, and says which compiler made this.

#![expect(clippy::expect_used, reason = "a build that lacks its own files cannot go on")]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

const TESTS: &str = "src/benchmarks/people/tests";

fn main() {
    println!("cargo::rerun-if-changed={TESTS}");
    println!("cargo::rustc-env=BOSON_COMPILER={}", compiler());
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    fs::write(out.join("people_tests.rs"), modules(&root.join(TESTS))).expect("the build's folder can be written");
}

/// A module for each file, and the list of what they define.
fn modules(folder: &Path) -> String {
    let entries = fs::read_dir(folder).expect("the folder of tests");
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "rs"));
    files.sort();
    let names: Vec<String> = files.iter().filter_map(|file| Some(file.file_stem()?.to_str()?.to_owned())).collect();
    let modules = files.iter().zip(&names).map(|(file, name)| {
        let file = file.display().to_string();
        format!("#[path = {file:?}]\nmod {name};\n")
    });
    let list = names.iter().map(|name| format!("(\"{name}\", {name}::run as Run), "));
    format!("{}const TESTS: &[(&str, Run)] = &[{}];\n", modules.collect::<String>(), list.collect::<String>())
}

fn compiler() -> String {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).arg("--version").output();
    output.ok().and_then(|output| String::from_utf8(output.stdout).ok()).unwrap_or_default().trim().to_owned()
}
