//! Profiles in files.

use std::fs::{self, File};
use std::io::{self, IsTerminal, Read, Write};
use std::path::Path;

use anyhow::Context;
use boson_profile::Profile;
use boson_store::Location;
use tempfile::NamedTempFile;

use crate::exit::{Refused, UsageError};

/// Whether `file` is a saved profile. Standard input is taken for documents: what was looked at could not be read again.
pub(super) fn is_profile(file: &Location) -> bool {
    let Some(path) = file.path().filter(|path| path.is_file()) else { return false };
    let mut head = Vec::new();
    let read = File::open(path).and_then(|file| file.take(16).read_to_end(&mut head));
    read.is_ok() && Profile::is_saved(&head)
}

/// The profile in `file`.
pub(super) fn read(file: &Location) -> anyhow::Result<Profile> {
    let bytes = if let Some(path) = file.path() {
        fs::read(path)
    } else {
        let mut bytes = Vec::new();
        io::stdin().read_to_end(&mut bytes).map(|_| bytes)
    };
    let bytes = bytes.with_context(|| file.to_string())?;
    Profile::from_bytes(&bytes).with_context(|| file.to_string())
}

/// Refuses, before any work, what [`write`](fn@write) would refuse after it.
pub(super) fn check(to: &Location, overwrite: bool) -> anyhow::Result<()> {
    match to.path() {
        Some(path) if !overwrite && path.exists() => Err(exists(path).into()),
        None if io::stdout().is_terminal() => {
            Err(UsageError("a profile would be printed on the terminal; name a file".to_owned()).into())
        }
        _ => Ok(()),
    }
}

/// Writes `profile`; the file appears when it is complete.
pub(super) fn write(profile: &Profile, to: &Location, overwrite: bool) -> anyhow::Result<()> {
    let bytes = profile.to_bytes()?;
    let Some(path) = to.path() else {
        let mut out = io::stdout().lock();
        return Ok(out.write_all(&bytes).and_then(|()| out.flush())?);
    };
    let written = persist(&bytes, path, overwrite);
    written.map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists if !overwrite => exists(path).into(),
        _ => anyhow::Error::new(error).context(to.to_string()),
    })
}

fn persist(bytes: &[u8], path: &Path, overwrite: bool) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut file = NamedTempFile::new_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    let persisted = if overwrite { file.persist(path) } else { file.persist_noclobber(path) };
    persisted.map(drop).map_err(|error| error.error)
}

fn exists(path: &Path) -> Refused {
    Refused(format!("{}: is there already; --overwrite replaces it", path.display()))
}
