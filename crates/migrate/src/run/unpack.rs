//! Archives of `mongodump` as folders: what is converted is then a folder, and so is what is made.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use boson_store::{ArchiveReader, Batch, CollectionKind, Location, Namespace, Opened, ReadOptions};
use serde::{Deserialize, Serialize};

use super::{Progress, RunError, Watch, beside, io_error};

/// An archive that was taken apart into a folder beside the destination of a run.
#[derive(Debug)]
pub struct Unpacked {
    /// The folder, as `mongodump` writes one.
    pub folder: PathBuf,
    /// Where the archive was cut, and the collections that are not whole, when that was to be recovered from.
    pub cut: Option<(u64, Vec<String>)>,
    /// The folder that holds it all.
    place: PathBuf,
}

/// By what an archive is known again that was unpacked by an earlier run.
#[derive(Debug, Serialize, Deserialize)]
struct Mark {
    bytes: u64,
    modified: u128,
    recover: bool,
    cut: Option<(u64, Vec<String>)>,
}

const MARK: &str = "archive.json";

/// Whether the file at `path` is an archive of `mongodump`, compressed or not.
///
/// # Errors
///
/// When it cannot be opened.
pub fn is_archive(path: &Path) -> Result<bool, RunError> {
    if !path.is_file() {
        return Ok(false);
    }
    // What is neither is for whoever reads it to complain about.
    let opened = Opened::open(&Location::from(path), &ReadOptions::default());
    Ok(matches!(opened, Ok(Opened::Archive(_))))
}

/// Takes the archive at `archive` apart, beside `destination`: a run that was stopped finds what an earlier one unpacked.
/// CRCs are checked.
///
/// # Errors
///
/// What is wrong with the archive, or that the folder cannot be written.
pub fn unpack(archive: &Path, destination: &Path, recover: bool, watch: Watch<'_>) -> Result<Unpacked, RunError> {
    let place = beside(destination, ".", ".boson-unpacked");
    let mut mark = Mark::of(archive, recover)?;
    if let Some(found) = Mark::read(&place)
        && found.is_of_the_same(&mark)
    {
        return Ok(Unpacked { folder: place.join("dump"), cut: found.cut, place });
    }
    if place.exists() {
        // Half of another archive, or of this one.
        fs::remove_dir_all(&place).map_err(io_error(&place))?;
    }
    let folder = place.join("dump");
    fs::create_dir_all(&folder).map_err(io_error(&folder))?;
    let options = ReadOptions { recover, ..ReadOptions::default() };
    let Opened::Archive(reader) = Opened::open(&Location::from(archive), &options)? else {
        return Err(RunError::Refused(format!("{}: is no archive", archive.display())));
    };
    let cut = Unpacking { reader: *reader, folder: &folder, files: Vec::new() }.run(watch)?;
    mark.cut.clone_from(&cut);
    let path = place.join(MARK);
    fs::write(&path, serde_json::to_vec(&mark).unwrap_or_default()).map_err(io_error(&path))?;
    Ok(Unpacked { folder, cut, place })
}

impl Unpacked {
    /// Removes the folder, once it is no longer needed.
    ///
    /// # Errors
    ///
    /// When it cannot be removed.
    pub fn remove(self) -> Result<(), RunError> {
        fs::remove_dir_all(&self.place).map_err(io_error(&self.place))
    }
}

impl Mark {
    fn of(archive: &Path, recover: bool) -> Result<Self, RunError> {
        let metadata = fs::metadata(archive).map_err(io_error(archive))?;
        let modified = metadata.modified().ok().and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
        let modified = modified.map_or(0, |time| time.as_nanos());
        Ok(Self { bytes: metadata.len(), modified, recover, cut: None })
    }

    fn is_of_the_same(&self, other: &Self) -> bool {
        (self.bytes, self.modified, self.recover) == (other.bytes, other.modified, other.recover)
    }

    fn read(place: &Path) -> Option<Self> {
        serde_json::from_slice(&fs::read(place.join(MARK)).ok()?).ok()
    }
}

struct Unpacking<'a> {
    reader: ArchiveReader,
    folder: &'a Path,
    /// Of each collection of the archive, once something of it was met.
    files: Vec<Option<BufWriter<File>>>,
}

impl Unpacking<'_> {
    fn run(mut self, watch: Watch<'_>) -> Result<Option<(u64, Vec<String>)>, RunError> {
        let mut batch = Batch::with_size(1 << 20, 1024);
        let mut progress = Progress::default();
        while let Some(part) = self.reader.next_part(&mut batch)? {
            self.append(part.collection, batch.bytes())?;
            progress.documents += batch.len() as u64;
            progress.bytes += batch.bytes().len() as u64;
            if watch(progress) == ControlFlow::Break(()) {
                return Err(RunError::Stopped);
            }
        }
        self.finish()?;
        Ok(self.reader.cut().map(|offset| (offset, self.reader.incomplete())))
    }

    fn append(&mut self, collection: usize, bytes: &[u8]) -> Result<(), RunError> {
        let Some(own) = self.reader.collections().get(collection) else { return Ok(()) };
        let path = self.folder.join(file(&own.namespace, "bson")?);
        if self.files.len() <= collection {
            self.files.resize_with(collection.saturating_add(1), || None);
        }
        let Some(slot) = self.files.get_mut(collection) else { return Ok(()) };
        let file = match slot {
            Some(file) => file,
            none => none.insert(BufWriter::new(create(&path)?)),
        };
        file.write_all(bytes).map_err(io_error(&path))
    }

    /// Writes what is left: metadata, and files for collections without documents.
    fn finish(&mut self) -> Result<(), RunError> {
        for place in 0..self.reader.collections().len() {
            let Some(own) = self.reader.collections().get(place).cloned() else { continue };
            if let Some(metadata) = &own.metadata {
                let path = self.folder.join(file(&own.namespace, "metadata.json")?);
                create(&path)?.write_all(metadata.raw()).map_err(io_error(&path))?;
            }
            if !matches!(own.kind, CollectionKind::View | CollectionKind::TimeSeries) {
                self.append(place, &[])?;
            }
        }
        for file in self.files.iter_mut().flatten() {
            file.flush().and_then(|()| file.get_ref().sync_all()).map_err(io_error(self.folder))?;
        }
        Ok(())
    }
}

fn create(path: &Path) -> Result<File, RunError> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).map_err(io_error(parent))?;
    }
    File::create(path).map_err(io_error(path))
}

/// The file of a collection, as `mongodump` names it: what a file system does not take is escaped as in a URL's path.
fn file(namespace: &Namespace, extension: &str) -> Result<PathBuf, RunError> {
    let name = format!("{}.{extension}", escaped(&namespace.collection));
    if namespace.database.is_empty() {
        return Ok(PathBuf::from(name));
    }
    // No database has such a name; an archive that says so would lead out of the folder.
    let database = &namespace.database;
    if database.contains(['/', '\\', '\0']) || matches!(database.as_str(), "." | "..") {
        return Err(RunError::Refused(format!("{database:?} is no name of a database")));
    }
    Ok(Path::new(database).join(name))
}

fn escaped(name: &str) -> String {
    let mut out = String::new();
    for byte in name.bytes() {
        let is_safe = byte.is_ascii_alphanumeric() || b"-_.~$&+:=@".contains(&byte);
        if is_safe {
            out.push(char::from(byte));
        } else {
            // Writing to a string does not fail.
            let _ = std::fmt::Write::write_fmt(&mut out, format_args!("%{byte:02X}"));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_escaped_as_in_the_path_of_a_url() {
        let of = |database: &str, collection: &str| {
            file(&Namespace { database: database.to_owned(), collection: collection.to_owned() }, "bson")
        };
        assert_eq!(of("shop", "a/b%ö").unwrap(), Path::new("shop/a%2Fb%25%C3%B6.bson"));
        assert_eq!(of("", "oplog").unwrap(), Path::new("oplog.bson"));
        assert_eq!(of("shop", "..").unwrap(), Path::new("shop/...bson"));
        for database in ["..", "a/b", "."] {
            assert!(of(database, "x").is_err(), "{database}");
        }
    }
}
