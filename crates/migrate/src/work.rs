//! The folder in which a run works: one run at a time, files that are whole whenever the process is killed.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::run::{RunError, io_error};

/// The folder, held while the run lasts.
#[derive(Debug)]
pub(crate) struct Folder {
    path: PathBuf,
    /// Held, so that no other works here.
    _lock: File,
}

impl Folder {
    /// The folder at `path`, made if it is not there, for runs of `state` only: that of another state is in the way, unless
    /// all that is there is to go.
    pub(crate) fn open<S: Serialize + DeserializeOwned + PartialEq>(
        path: &Path,
        restart: bool,
        state: &S,
    ) -> Result<Self, RunError> {
        fs::create_dir_all(path).map_err(io_error(path))?;
        let lock_path = path.join("lock");
        let lock = File::create(&lock_path).map_err(io_error(&lock_path))?;
        if lock.try_lock().is_err() {
            return Err(RunError::OtherRun(format!("{}: another run is at work here", path.display())));
        }
        let folder = Self { path: path.to_owned(), _lock: lock };
        if restart {
            folder.clear()?;
        }
        folder.check_state(state)?;
        Ok(folder)
    }

    fn clear(&self) -> Result<(), RunError> {
        for entry in fs::read_dir(&self.path).map_err(io_error(&self.path))?.flatten() {
            let path = entry.path();
            if entry.file_name() == "lock" {
                continue;
            }
            let removed = if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
            removed.map_err(io_error(&path))?;
        }
        Ok(())
    }

    fn check_state<S: Serialize + DeserializeOwned + PartialEq>(&self, state: &S) -> Result<(), RunError> {
        match fs::read(self.path.join("state.json")) {
            Ok(bytes) if serde_json::from_slice::<S>(&bytes).is_ok_and(|found| found == *state) => Ok(()),
            Ok(_) => Err(RunError::OtherRun(format!(
                "{}: a run with another plan, or of a source that has changed since, was stopped here; --restart begins anew",
                self.path.display()
            ))),
            Err(_) => {
                self.clear()?;
                self.save("state.json", state)
            }
        }
    }

    /// Where the file called `name` is.
    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// What was saved as `name` last; the default when nothing was.
    pub(crate) fn saved<T: DeserializeOwned + Default>(&self, name: &str) -> Result<T, RunError> {
        let path = self.path.join(name);
        let Ok(bytes) = fs::read(&path) else { return Ok(T::default()) };
        serde_json::from_slice(&bytes)
            .map_err(|error| RunError::OtherRun(format!("{}: {error}; --restart begins anew", path.display())))
    }

    /// Saves a file that is either the old one or the new one, whenever the process is killed.
    pub(crate) fn save(&self, name: &str, value: &impl Serialize) -> Result<(), RunError> {
        let (path, new) = (self.path.join(name), self.path.join(format!("{name}.new")));
        let bytes = serde_json::to_vec(value).unwrap_or_default();
        let mut file = File::create(&new).map_err(io_error(&new))?;
        file.write_all(&bytes).and_then(|()| file.sync_all()).map_err(io_error(&new))?;
        fs::rename(&new, &path).map_err(io_error(&path))?;
        sync_folder(&self.path);
        Ok(())
    }

    /// Removes it with all that is in it.
    pub(crate) fn remove(self) -> Result<(), RunError> {
        fs::remove_dir_all(&self.path).map_err(io_error(&self.path))
    }
}

/// Makes names last; not every system can.
pub(crate) fn sync_folder(folder: &Path) {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
}
