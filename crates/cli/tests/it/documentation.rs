//! Every command that the documentation shows is run, and must print what is shown.
//!
//! A `console` block holds lines that begin with `$ ` and what each prints on standard output and standard error. The
//! blocks of a page run in one folder, in order. `BLESS=1` writes what they print now into the page.

use std::fs;
use std::path::{Path, PathBuf};

use boson_testkit::workspace_root;

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
