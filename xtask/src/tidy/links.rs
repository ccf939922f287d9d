//! Links between the documents lead somewhere.

use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

use anyhow::Result;

use super::{Faults, Repository};

pub(super) fn check(repository: &Repository, faults: &mut Faults) -> Result<()> {
    for path in repository.paths_ending(&[".md"]) {
        let text = repository.read(path)?;
        for (number, line) in prose(&text) {
            for target in links(&line) {
                if let Err(what) = resolve(repository, path, target) {
                    faults.push(format!("{path}:{number}: {target}: {what}"));
                }
            }
        }
    }
    Ok(())
}

/// The numbered lines of a document outside of code blocks, code spans blanked.
fn prose(text: &str) -> impl Iterator<Item = (usize, String)> {
    let mut in_code = false;
    let outside = move |&(_, line): &(usize, &str)| {
        let is_fence = line.trim_start().starts_with("```");
        in_code ^= is_fence;
        !in_code && !is_fence
    };
    (1..).zip(text.lines()).filter(outside).map(|(number, line)| (number, without_code(line)))
}

fn without_code(line: &str) -> String {
    // Code stands in every second part between backquotes; a lone one is no code.
    let parts: Vec<_> = line.split('`').collect();
    if parts.len() % 2 == 0 {
        return line.to_owned();
    }
    parts.into_iter().step_by(2).collect::<Vec<_>>().join("code")
}

/// The targets of the links `[text](target)` and of reference definitions `[name]: target`.
fn links(line: &str) -> impl Iterator<Item = &str> {
    let inline = line.split("](").skip(1).filter_map(|rest| rest.split([')', ' ']).next());
    let definition = line.strip_prefix('[').and_then(|rest| rest.split_once("]: "));
    inline.chain(definition.and_then(|(_, rest)| rest.split(' ').next()))
}

fn resolve(repository: &Repository, from: &str, target: &str) -> Result<(), &'static str> {
    if ["https://", "http://", "mailto:"].iter().any(|scheme| target.starts_with(scheme)) {
        return Ok(());
    }
    let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
    let path = if file.is_empty() { from.to_owned() } else { join(from, file).ok_or("leads out of the repository")? };
    if !repository.root.join(&path).exists() {
        return Err("no such file");
    }
    if anchor.is_empty() || Path::new(&path).extension() != Some(OsStr::new("md")) {
        return Ok(());
    }
    let text = repository.read(&path).map_err(|_| "cannot be read")?;
    if has_heading(&text, anchor) { Ok(()) } else { Err("no such heading") }
}

/// `file` as seen from the folder of `from`; `None` when it leads above the root.
fn join(from: &str, file: &str) -> Option<String> {
    let mut path = PathBuf::new();
    for component in Path::new(from).parent()?.join(file).components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => path.pop().then_some(())?,
            Component::Normal(name) => path.push(name),
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    path.to_str().map(str::to_owned)
}

fn has_heading(text: &str, anchor: &str) -> bool {
    // Headings with code keep its words in their anchors.
    let mut in_code = false;
    text.lines().any(|line| {
        in_code ^= line.trim_start().starts_with("```");
        !in_code && line.starts_with('#') && slug(line.trim_start_matches('#')) == anchor
    })
}

/// The anchor of a heading: lower case, spaces as hyphens, no other punctuation.
fn slug(heading: &str) -> String {
    let kept = heading.trim().chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.flat_map(char::to_lowercase).map(|c| if c == ' ' { '-' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_found_outside_of_code() {
        let text = "see [a](b.md#c), [d](e \"title\")\n```\n[x](y)\n```\n`[x](y)` [f](g)\n[h]: i\n";
        let found: Vec<_> = prose(text)
            .flat_map(|(number, line)| links(&line).map(|link| (number, link.to_owned())).collect::<Vec<_>>())
            .collect();
        let expected = [(1, "b.md#c"), (1, "e"), (5, "g"), (6, "i")];
        assert_eq!(found, expected.map(|(number, target)| (number, target.to_owned())));
    }

    #[test]
    fn targets_are_relative_to_the_document() {
        assert_eq!(join("docs/format/a.md", "../b.md").as_deref(), Some("docs/b.md"));
        assert_eq!(join("README.md", "docs/").as_deref(), Some("docs"));
        assert_eq!(join("README.md", "../shared/cases.md"), None);
        assert_eq!(join("README.md", "/etc"), None);
    }

    #[test]
    fn anchors_are_those_of_headings() {
        assert_eq!(slug(" What `xtask` does, and how"), "what-xtask-does-and-how");
        assert!(has_heading("# A\n## B c\n", "b-c"));
        assert!(!has_heading("# A\n```\n# b\n```\n", "b"));
    }
}
