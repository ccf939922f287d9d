//! What tests need from outside the checkout: `../shared`, and the other implementations.
//!
//! A user's run does without them and says so. A run with `CI` in its environment must not pass by leaving tests out.

use std::env;
use std::path::{Path, PathBuf};

/// The folder that holds the workspace's `Cargo.toml`.
pub fn workspace_root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).unwrap_or(here).to_owned()
}

/// The folder of specifications' vectors and data: `BOSON_SHARED`, else `../shared` beside the workspace. Where it is
/// not there, `None` after [`skip`]: the test then returns.
///
/// # Panics
///
/// As [`skip`].
pub fn shared() -> Option<PathBuf> {
    let folder = env::var_os("BOSON_SHARED").map_or_else(|| workspace_root().join("../shared"), PathBuf::from);
    if folder.is_dir() {
        return Some(folder);
    }
    skip("../shared is not here");
    None
}

/// Says on standard error that the calling test leaves something out, and why.
///
/// # Panics
///
/// When `CI` is set: there everything has to be there.
pub fn skip(reason: &str) {
    assert!(env::var_os("CI").is_none(), "CI is set and a test would be skipped: {reason}");
    eprintln!("skipped: {reason}");
}
