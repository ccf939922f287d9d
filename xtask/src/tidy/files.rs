//! Rules of single files.

use std::ffi::OsStr;
use std::path::Path;

use anyhow::Result;

use super::{Faults, Repository};

/// What people write; the rest is data, or written by tools.
const WRITTEN: &[&str] = &[".rs", ".toml", ".md", ".py", ".js", ".sh", ".yml", ".ci/run"];

/// Of these a file must stay short enough to be read in one go.
const SOURCES: &[&str] = &[".rs", ".py", ".js"];

const LINES_MAX: usize = 800;

pub(super) fn check(repository: &Repository, faults: &mut Faults) -> Result<()> {
    for path in repository.paths_ending(WRITTEN) {
        let text = repository.read(path)?;
        lines(path, &text, faults);
        let count = text.lines().count();
        if count > LINES_MAX && SOURCES.iter().any(|ending| path.ends_with(ending)) {
            faults.push(format!("{path}: {count} lines, at most {LINES_MAX} are allowed"));
        }
    }
    Ok(())
}

fn lines(path: &str, text: &str, faults: &mut Faults) {
    for (number, line) in (1..).zip(text.split('\n')) {
        // A carriage return is white space too. Documents show what programs print, tabs included.
        if line.ends_with(char::is_whitespace) {
            faults.push(format!("{path}:{number}: white space at the end of the line"));
        }
        if line.contains('\t') && Path::new(path).extension() != Some(OsStr::new("md")) {
            faults.push(format!("{path}:{number}: a tab character"));
        }
    }
    if !text.is_empty() && (!text.ends_with('\n') || text.ends_with("\n\n")) {
        faults.push(format!("{path}: expected exactly one newline at the end of the file"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(text: &str) -> Faults {
        let mut faults = Faults::new();
        lines("f", text, &mut faults);
        faults
    }

    #[test]
    fn clean_text_has_no_faults() {
        assert!(faults("").is_empty());
        assert!(faults("a\n\nb\n").is_empty());
    }

    #[test]
    fn white_space_at_ends_is_found_with_its_line() {
        assert_eq!(faults("a\nb \n"), ["f:2: white space at the end of the line"]);
        assert_eq!(faults("a\r\nb\n"), ["f:1: white space at the end of the line"]);
        assert_eq!(faults("a\tb\n"), ["f:1: a tab character"]);
        assert_eq!(faults("a").len() + faults("a\n\n").len(), 2);
    }
}
