//! Text in a file that appears when it is complete, or on standard output.

use std::io::{self, Write};
use std::path::Path;

use boson_store::Location;
use tempfile::NamedTempFile;

use crate::exit::Refused;

/// Refuses, before any work, what [`write`](fn@write) would refuse after it.
pub(crate) fn check(to: &Location, overwrite: bool) -> Result<(), Refused> {
    match to.path() {
        Some(path) if !overwrite && path.exists() => Err(exists(to)),
        _ => Ok(()),
    }
}

fn exists(to: &Location) -> Refused {
    Refused(format!("{to}: is there already; --overwrite replaces it"))
}

/// Writes `text`.
pub(crate) fn write(text: &str, to: &Location, overwrite: bool) -> anyhow::Result<()> {
    let Some(path) = to.path() else {
        let mut out = io::stdout().lock();
        return Ok(out.write_all(text.as_bytes()).and_then(|()| out.flush())?);
    };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut file = NamedTempFile::new_in(folder)?;
    file.write_all(text.as_bytes())?;
    file.as_file().sync_all()?;
    let persisted = if overwrite { file.persist(path) } else { file.persist_noclobber(path) };
    match persisted {
        Ok(_) => {
            readable(path);
            Ok(())
        }
        Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => Err(exists(to).into()),
        Err(error) => Err(error.error.into()),
    }
}

/// It is for others to read as well, which a temporary file is not.
fn readable(path: &Path) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // Where it fails the owner can read it nevertheless.
        let _ = std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o644));
    }
}
