//! Every command that the documentation shows is run, and must print what is shown.
//!
//! A `console` block holds lines that begin with `$ ` and what each prints on standard output and standard error. The
//! blocks of a page run in one folder, in order. `BLESS=1` writes what they print now into the page.

use std::fs;
use std::path::{Path, PathBuf};

use boson_testkit::workspace_root;

use crate::round_trips::of_package;
use crate::support::Sandbox;

#[test]
fn readme() {
    check(&workspace_root().join("README.md"));
}

#[test]
fn pages() {
    for page in pages_of(&workspace_root().join("docs")) {
        check(&page);
    }
}

/// Sizes and what decoding and walking allocate do not vary; times do, and are not looked at.
#[test]
fn figures_of_real_documents_are_those_that_are_measured() {
    let page = fs::read_to_string(workspace_root().join("docs/choosing-a-format.md")).expect("the page");
    let recorded: Vec<Vec<String>> = page.lines().map(|line| line.split('|').map(plain).collect()).collect();
    for path in ["world-countries/countries.json", "mime-db/db.json"] {
        let Some(file) = of_package(path) else { return };
        let sandbox = Sandbox::new();
        let bench = format!("bench file {} --rounds 1 --warmup 0 --iterations 1 --format json", file.display());
        let report: serde_json::Value = serde_json::from_str(&sandbox.boson(&bench).done()).unwrap();
        for row in report["rows"].as_array().expect("rows") {
            let time = &row["Time(ms)"];
            let mut measured = vec![&row["Format"], &row["Operation"], &row["Size(bytes)"]];
            let mut places = vec![1, 2, 3];
            if matches!(row["Operation"].as_str(), Some("decode" | "walk")) {
                measured.extend([&time["allocations"], &time["allocated_bytes"]]);
                places.extend([11, 12]);
            }
            let measured: Vec<String> = measured.iter().map(|value| plain(&value.to_string())).collect();
            let is_measured =
                |line: &Vec<String>| places.iter().zip(&measured).all(|(&place, value)| line.get(place) == Some(value));
            assert!(recorded.iter().any(is_measured), "{path}: {measured:?} is not in docs/choosing-a-format.md");
        }
    }
}

/// A cell without what makes it easier to read.
fn plain(cell: &str) -> String {
    cell.trim().chars().filter(|letter| !matches!(letter, ',' | '"')).collect()
}

fn pages_of(folder: &Path) -> Vec<PathBuf> {
    let mut pages = Vec::new();
    for entry in fs::read_dir(folder).expect("the folder of the documentation") {
        let path = entry.unwrap().path();
        if path.is_dir() {
            pages.extend(pages_of(&path));
        } else if path.extension().is_some_and(|extension| extension == "md") {
            pages.push(path);
        }
    }
    pages.sort();
    pages
}

#[track_caller]
fn check(page: &Path) {
    let text = fs::read_to_string(page).expect("a page of the documentation");
    let printed = run(&text);
    if printed == text {
        return;
    }
    if std::env::var_os("BLESS").is_some() {
        fs::write(page, printed).expect("the page can be written");
        return;
    }
    let lines = text.lines().zip(printed.lines());
    let first = lines.enumerate().find(|(_, (shown, printed))| shown != printed);
    panic!("{}: not what the commands print (BLESS=1 writes it): {first:?}", page.display());
}

/// The page with what its commands print.
fn run(text: &str) -> String {
    let sandbox = Sandbox::new();
    let mut page = String::new();
    let mut in_console = false;
    for line in text.split_inclusive('\n') {
        let fence = line.starts_with("```");
        if fence {
            in_console = !in_console && line.trim_end() == "```console";
        }
        if fence || !in_console {
            page.push_str(line);
        } else if let Some(command) = line.strip_prefix("$ ") {
            page.push_str(line);
            page.push_str(&output(&sandbox, command.trim_end()));
        }
    }
    page
}

fn output(sandbox: &Sandbox, command: &str) -> String {
    let ran = sandbox.shell(&format!("{{ {command}\n}} 2>&1"));
    let mut lines: Vec<String> = ran.stdout.lines().map(|line| line.trim_end().to_owned()).collect();
    if ran.code != 0 {
        lines.push(format!("(exit code {})", ran.code));
    }
    lines.iter().flat_map(|line| [line.as_str(), "\n"]).collect()
}
