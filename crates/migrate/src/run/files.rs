//! Files that grow, and can be cut back to what they were at a checkpoint.

use std::fs::{self, File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::{RunError, io_error};

/// A file that only grows; it is made when something is first written.
#[derive(Debug)]
pub(crate) struct Growing {
    pub(crate) path: PathBuf,
    file: File,
    pub(crate) len: u64,
}

impl Growing {
    /// The file at `path`, cut back to its first `len` bytes.
    pub(crate) fn open(path: &Path, len: u64) -> Result<Self, RunError> {
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(io_error(parent))?;
        }
        let mut file =
            OpenOptions::new().write(true).create(true).truncate(false).open(path).map_err(io_error(path))?;
        let found = file.metadata().map_err(io_error(path))?.len();
        if found < len {
            let what = format!(
                "{}: has {found} bytes, the checkpoint says {len}: what the earlier run wrote is damaged; --restart begins anew",
                path.display()
            );
            return Err(RunError::OtherRun(what));
        }
        file.set_len(len).and_then(|()| file.seek(SeekFrom::Start(len))).map_err(io_error(path))?;
        Ok(Self { path: path.to_owned(), file, len })
    }

    pub(crate) fn append(&mut self, bytes: &[u8]) -> Result<(), RunError> {
        self.file.write_all(bytes).map_err(io_error(&self.path))?;
        self.len += bytes.len() as u64;
        Ok(())
    }

    /// Makes it empty.
    pub(crate) fn cut(&mut self) -> Result<(), RunError> {
        self.file.set_len(0).and_then(|()| self.file.rewind()).map_err(io_error(&self.path))?;
        self.len = 0;
        Ok(())
    }

    /// Returns when what was written is on the disk.
    pub(crate) fn sync(&mut self) -> Result<(), RunError> {
        self.file.sync_data().map_err(io_error(&self.path))
    }
}
