//! Proofs in files: the JSON that `--format json` prints.

use std::fs;

use anyhow::Context;
use boson_report::{Proof, Proofs};
use boson_store::Location;
use serde::Deserialize;

use crate::exit::UsageError;
use crate::text_file;

/// Refuses, before any work, what [`write`](fn@write) would refuse after it.
pub(super) fn check(to: &Location, overwrite: bool) -> anyhow::Result<()> {
    if to.path().is_none() {
        return Err(UsageError("name a file for --save-proof; --format json prints the same".to_owned()).into());
    }
    Ok(text_file::check(to, overwrite)?)
}

/// Writes the proofs; the file appears when it is complete.
pub(super) fn write(proofs: &[(String, Proof)], to: &Location, overwrite: bool) -> anyhow::Result<()> {
    let text = match proofs {
        [(name, only)] if name.is_empty() => serde_json::to_string_pretty(only)?,
        proofs => serde_json::to_string_pretty(&Proofs::new(proofs))?,
    };
    text_file::write(&(text + "\n"), to, overwrite).with_context(|| to.to_string())
}

/// What a file holds.
#[derive(Deserialize)]
#[serde(untagged)]
enum Saved {
    Collections(Proofs),
    One(Proof),
}

/// The proofs in `file`, with the names of their collections.
pub(crate) fn read(file: &Location) -> anyhow::Result<Vec<(String, Proof)>> {
    let Some(path) = file.path() else {
        return Err(UsageError("--proof reads a file that boson prove --save-proof wrote".to_owned()).into());
    };
    let text = fs::read_to_string(path).with_context(|| file.to_string())?;
    match serde_json::from_str(&text) {
        Ok(Saved::Collections(proofs)) => Ok(proofs.into_named()),
        Ok(Saved::One(proof)) => Ok(vec![(String::new(), proof)]),
        Err(error) => Err(NotAProof { file: file.to_string(), error }.into()),
    }
}

/// The file holds something else.
#[derive(Debug, thiserror::Error)]
#[error("{file}: not a proof, as boson prove --save-proof writes them: {error}")]
pub(crate) struct NotAProof {
    file: String,
    error: serde_json::Error,
}
