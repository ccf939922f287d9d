//! How far a run is, kept so that another can go on from there.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use boson_store::Start;
use serde::{Deserialize, Serialize};

use super::files::Growing;
use super::{Job, RunError, io_error};
use crate::tally::Tally;

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
    folder: PathBuf,
    is_folder: bool,
    /// Held while the run lasts, so that no other works here.
    _lock: File,
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
        let folder = job.work_path();
        fs::create_dir_all(&folder).map_err(io_error(&folder))?;
        let lock_path = folder.join("lock");
        let lock = File::create(&lock_path).map_err(io_error(&lock_path))?;
        if lock.try_lock().is_err() {
            return Err(RunError::OtherRun(format!("{}: another run is at work here", folder.display())));
        }
        let work = Self { folder, is_folder: job.is_folder, _lock: lock };
        if restart {
            work.clear()?;
        }
        work.check_state(job)?;
        Ok(work)
    }

    fn clear(&self) -> Result<(), RunError> {
        for entry in fs::read_dir(&self.folder).map_err(io_error(&self.folder))?.flatten() {
            let path = entry.path();
            if entry.file_name() == "lock" {
                continue;
            }
            let removed = if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
            removed.map_err(io_error(&path))?;
        }
        Ok(())
    }

    fn check_state(&self, job: &Job) -> Result<(), RunError> {
        let state = State { version: 1, plan: job.plan_hash, source: job.fingerprint()?, recover: job.recover };
        let path = self.folder.join("state.json");
        match fs::read(&path) {
            Ok(bytes) if serde_json::from_slice::<State>(&bytes).is_ok_and(|found| found == state) => Ok(()),
            Ok(_) => Err(RunError::OtherRun(format!(
                "{}: a run with another plan, or of a source that has changed since, was stopped here; --restart begins anew",
                self.folder.display()
            ))),
            Err(_) => {
                self.clear()?;
                let bytes = serde_json::to_vec(&state).unwrap_or_default();
                self.replace("state.json", &bytes)
            }
        }
    }

    /// Where the last checkpoint is; the start when there is none.
    pub(super) fn checkpoint(&self) -> Result<Checkpoint, RunError> {
        let path = self.folder.join("checkpoint.json");
        let Ok(bytes) = fs::read(&path) else { return Ok(Checkpoint::default()) };
        serde_json::from_slice(&bytes)
            .map_err(|error| RunError::OtherRun(format!("{}: {error}; --restart begins anew", path.display())))
    }

    pub(super) fn save(&self, checkpoint: &Checkpoint) -> Result<(), RunError> {
        let bytes = serde_json::to_vec(checkpoint).unwrap_or_default();
        self.replace("checkpoint.json", &bytes)
    }

    /// Writes a file that is either the old one or the new one, whenever the process is killed.
    fn replace(&self, name: &str, bytes: &[u8]) -> Result<(), RunError> {
        let path = self.folder.join(name);
        let new = self.folder.join(format!("{name}.new"));
        let mut file = File::create(&new).map_err(io_error(&new))?;
        file.write_all(bytes).and_then(|()| file.sync_all()).map_err(io_error(&new))?;
        fs::rename(&new, &path).map_err(io_error(&path))?;
        sync_folder(&self.folder);
        Ok(())
    }

    pub(super) fn log(&self, checkpoint: &Checkpoint) -> Result<Growing, RunError> {
        let path = self.folder.join("undo");
        if checkpoint.complete && !path.exists() {
            // It has its name already; nothing is written any more.
            return Growing::open(&self.folder.join("undo.none"), 0);
        }
        Growing::open(&path, checkpoint.log_len)
    }

    /// Where what becomes of the file at `path` is written.
    pub(super) fn out(&self, path: &str) -> PathBuf {
        let out = self.folder.join("out");
        if self.is_folder { out.join(path) } else { out }
    }

    /// Where documents of the file at `path` are put that are put aside.
    pub(super) fn quarantine(&self, path: &str) -> PathBuf {
        let aside = self.folder.join("quarantine");
        if self.is_folder { aside.join(uncompressed(path)) } else { aside }
    }

    /// Gives what this run calls `name` the name `place`, unless an earlier run did.
    pub(super) fn hand_over(&self, name: &str, place: &Path) -> Result<(), RunError> {
        let from = self.folder.join(name);
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
        fs::remove_dir_all(&self.folder).map_err(io_error(&self.folder))
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

/// Makes names last; not every system can.
fn sync_folder(folder: &Path) {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
}
