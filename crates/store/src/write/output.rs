//! Files that appear when they are complete.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::{Builder, NamedTempFile};

use crate::error::WriteFault;
use crate::location::Location;

/// Where bytes go.
pub(super) enum Output {
    /// A stream that is written as it comes.
    Stream(Box<dyn Write + Send>),
    /// A file that has a name of its own until it is complete.
    File { out: BufWriter<NamedTempFile>, place: PathBuf, overwrite: bool, unfinished: Unfinished },
}

/// How many bytes are held back before they are written.
const WRITE_LEN: usize = 128 << 10;

impl Output {
    pub(super) fn stdout() -> Self {
        Self::Stream(Box::new(BufWriter::with_capacity(WRITE_LEN, io::stdout())))
    }

    /// A file that will have the name `path`. What is there and is no regular file, a device or a pipe, is written to at
    /// once: it must not be replaced by a file.
    pub(super) fn file(path: &Path, overwrite: bool) -> Result<Self, WriteFault> {
        // Behind a symbolic link the file it leads to is replaced, not the link.
        let place = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let permissions = match fs::metadata(&place) {
            Ok(found) if !found.is_file() => return Self::device(&place).map_err(WriteFault::Io),
            Ok(_) if !overwrite => return Err(WriteFault::Exists),
            Ok(found) => Some(found.permissions()),
            Err(_) => None,
        };
        let (temporary, unfinished) = temporary_beside(&place, permissions).map_err(WriteFault::Io)?;
        Ok(Self::File { out: BufWriter::with_capacity(WRITE_LEN, temporary), place, overwrite, unfinished })
    }

    fn device(path: &Path) -> io::Result<Self> {
        let file: File = OpenOptions::new().write(true).open(path)?;
        Ok(Self::Stream(Box::new(BufWriter::with_capacity(WRITE_LEN, file))))
    }

    /// Writes what is held back, and gives the file its name.
    pub(super) fn finish(self) -> Result<(), WriteFault> {
        match self {
            Self::Stream(mut stream) => stream.flush().map_err(WriteFault::Io),
            Self::File { out, place, overwrite, unfinished } => {
                let file = out.into_inner().map_err(|error| WriteFault::Io(error.into_error()))?;
                let named = if overwrite { file.persist(&place) } else { file.persist_noclobber(&place) };
                drop(unfinished);
                named.map(|_| ()).map_err(|error| match error.error.kind() {
                    io::ErrorKind::AlreadyExists => WriteFault::Exists,
                    _ => WriteFault::Io(error.error),
                })
            }
        }
    }
}

/// A file in the folder of `place`, so that renaming it moves no bytes, with the permissions of the file it will replace or
/// those that a new file has.
fn temporary_beside(place: &Path, permissions: Option<Permissions>) -> io::Result<(NamedTempFile, Unfinished)> {
    let folder = place.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = Builder::new();
    builder.prefix(".boson-").suffix(".partial");
    #[cfg(unix)]
    let builder = {
        use std::os::unix::fs::PermissionsExt;
        // What the user's mask leaves of this.
        builder.permissions(Permissions::from_mode(0o666))
    };
    let (file, unfinished) = {
        let mut list = unfinished();
        let file = builder.tempfile_in(folder).map_err(|error| not_in(folder, &error))?;
        list.push(file.path().to_owned());
        let unfinished = Unfinished(file.path().to_owned());
        (file, unfinished)
    };
    if let Some(permissions) = permissions {
        file.as_file().set_permissions(permissions)?;
    }
    Ok((file, unfinished))
}

/// Why no file can be made in `folder`. The name that the file would have had for a while is nobody's business.
#[cold]
fn not_in(folder: &Path, error: &io::Error) -> io::Error {
    let found = fs::metadata(folder);
    let what = found.map_or_else(|missing| missing.to_string(), |_| error.kind().to_string());
    let folder = Location::from(folder);
    io::Error::new(error.kind(), format!("no file can be made in the folder {folder}: {what}"))
}

/// The files that do not have their names yet.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// An entry in the list of files that do not have their names yet.
pub(super) struct Unfinished(PathBuf);

impl Drop for Unfinished {
    fn drop(&mut self) {
        unfinished().retain(|path| *path != self.0);
    }
}

/// Removes what all [`DocumentWriter`](crate::DocumentWriter)s of this process have written to files that are not finished:
/// for a process that must end while another thread is still at work, or waits for input.
pub fn discard_unfinished() {
    for path in unfinished().drain(..) {
        // There is nobody to tell, and the file may just have got its name.
        let _ = fs::remove_file(path);
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Stream(stream) => stream.write(bytes),
            Self::File { out, .. } => out.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Stream(stream) => stream.flush(),
            Self::File { out, .. } => out.flush(),
        }
    }
}
