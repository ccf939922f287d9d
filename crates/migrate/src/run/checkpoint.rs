//! How far a run is, kept so that another can go on from there.

use std::fs;
use std::path::{Path, PathBuf};

use boson_store::Start;
use serde::{Deserialize, Serialize};

use super::files::Growing;
use super::{Job, RunError, io_error};
use crate::tally::Tally;
use crate::work::{Folder, sync_folder};

/// How far a run is.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Checkpoint {
    /// Which stream is being converted.
    pub(super) stream: usize,
    /// What comes next in it.
    pub(super) start: Start,
    /// Bytes of its output so far.
    pub(super) out_len: u64,
    /// Bytes of the documents put aside.
    pub(super) quarantine_len: u64,
    /// Bytes of the undo log.
    pub(super) log_len: u64,
    /// What became of the documents of each stream.
    pub(super) tallies: Vec<Tally>,
    /// Whether everything is written and only names are to be given.
    pub(super) complete: bool,
}

impl Checkpoint {
    pub(super) fn add(&mut self, tally: &Tally, next: Start, out_len: u64, quarantine_len: u64) {
        if self.tallies.len() <= self.stream {
            self.tallies.resize(self.stream + 1, Tally::default());
        }
        if let Some(own) = self.tallies.get_mut(self.stream) {
            own.add(tally);
        }
        (self.start, self.out_len, self.quarantine_len) = (next, out_len, quarantine_len);
    }

    pub(super) fn next_stream(&mut self) {
        self.stream += 1;
        self.tallies.resize(self.tallies.len().max(self.stream), Tally::default());
        (self.start, self.out_len, self.quarantine_len) = (Start::default(), 0, 0);
    }

    pub(super) fn documents(&self) -> u64 {
        self.tallies.iter().map(|tally| tally.documents).sum()
    }

    pub(super) fn bytes(&self) -> u64 {
        self.tallies.iter().map(|tally| tally.bytes_before).sum()
    }
}

/// The folder beside the destination in which a run works.
pub(super) struct Work {
    folder: Folder,
    is_folder: bool,
}

/// What must be the same when a run is resumed.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct State {
    version: u32,
    plan: u64,
    source: Vec<(String, u64, u128)>,
    recover: bool,
}

impl Work {
    /// The folder for `job`, made if it is not there.
    pub(super) fn open(job: &Job, restart: bool) -> Result<Self, RunError> {
        let state = State { version: 1, plan: job.plan_hash, source: job.fingerprint()?, recover: job.recover };
        let folder = Folder::open(&job.work_path(), restart, &state)?;
        Ok(Self { folder, is_folder: job.is_folder })
    }

    /// Where the last checkpoint is; the start when there is none.
    pub(super) fn checkpoint(&self) -> Result<Checkpoint, RunError> {
        self.folder.saved("checkpoint.json")
    }

    pub(super) fn save(&self, checkpoint: &Checkpoint) -> Result<(), RunError> {
        self.folder.save("checkpoint.json", checkpoint)
    }

    pub(super) fn log(&self, checkpoint: &Checkpoint) -> Result<Growing, RunError> {
        let path = self.folder.file("undo");
        if checkpoint.complete && !path.exists() {
            // It has its name already; nothing is written any more.
            return Growing::open(&self.folder.file("undo.none"), 0);
        }
        Growing::open(&path, checkpoint.log_len)
    }

    /// Where what becomes of the file at `path` is written.
    pub(super) fn out(&self, path: &str) -> PathBuf {
        let out = self.folder.file("out");
        if self.is_folder { out.join(path) } else { out }
    }

    /// Where documents of the file at `path` are put that are put aside.
    pub(super) fn quarantine(&self, path: &str) -> PathBuf {
        let aside = self.folder.file("quarantine");
        if self.is_folder { aside.join(uncompressed(path)) } else { aside }
    }

    /// Gives what this run calls `name` the name `place`, unless an earlier run did.
    pub(super) fn hand_over(&self, name: &str, place: &Path) -> Result<(), RunError> {
        let from = self.folder.file(name);
        if fs::symlink_metadata(&from).is_err() {
            return Ok(());
        }
        if name == "quarantine" && from.is_dir() {
            remove_empty(&from);
        }
        if fs::symlink_metadata(place).is_ok() {
            return Err(RunError::Exists(place.display().to_string()));
        }
        fs::rename(&from, place).map_err(io_error(place))?;
        sync_folder(place.parent().unwrap_or(Path::new(".")));
        Ok(())
    }

    pub(super) fn remove(self) -> Result<(), RunError> {
        self.folder.remove()
    }
}

/// The name without that of a compression: what is put aside is not compressed.
fn uncompressed(path: &str) -> &str {
    [".gz", ".zst"].iter().find_map(|extension| path.strip_suffix(extension)).unwrap_or(path)
}

/// Removes files without content, and folders without files.
fn remove_empty(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            remove_empty(&path);
            let _ = fs::remove_dir(&path);
        } else if entry.metadata().is_ok_and(|metadata| metadata.len() == 0) {
            let _ = fs::remove_file(&path);
        }
    }
}
