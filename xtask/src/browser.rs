//! The browser that the tests look at pages with.

use std::process::Command;

use crate::workspace;

/// Names under which the tests look for it.
const NAMES: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

/// Installs it where it is not there and Debian's packages can be had; else says what is left out.
///
/// # Errors
///
/// What to say.
pub(crate) fn install() -> Result<(), String> {
    if is_there() {
        return Ok(());
    }
    let apt = |words: &[&str]| {
        let mut command = Command::new("apt-get");
        workspace::succeeds(command.args(words).env("DEBIAN_FRONTEND", "noninteractive"))
    };
    let install = ["install", "--yes", "--quiet", "chromium"];
    if apt(&install) || (apt(&["update", "--quiet"]) && apt(&install)) {
        return Ok(());
    }
    Err("no Chromium is here, and apt-get cannot install it: how the pages look is left out".to_owned())
}

fn is_there() -> bool {
    NAMES.iter().any(|name| workspace::succeeds(Command::new(name).arg("--version")))
}
