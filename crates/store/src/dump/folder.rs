//! A folder as `mongodump` writes it: a folder for each database, in it `NAME.bson` and `NAME.metadata.json` for each
//! collection, all of them perhaps compressed; beside the databases `oplog.bson` and `prelude.json`.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::{Collection, CollectionKind, Metadata, Namespace};
use crate::compression::Compression;
use crate::error::{ReadError, ReadFault};
use crate::location::Location;

/// A dump in a folder.
#[derive(Debug)]
pub struct DumpFolder {
    /// The folder.
    pub root: PathBuf,
    /// Its collections, by database and name.
    pub entries: Vec<FolderEntry>,
    /// Its other files, such as `prelude.json`, as paths within the folder, sorted.
    pub others: Vec<PathBuf>,
}

/// A collection of a dump in a folder.
#[derive(Debug)]
pub struct FolderEntry {
    /// What it is.
    pub collection: Collection,
    /// Its documents, as a path within the folder; `None` of views.
    pub data: Option<PathBuf>,
    /// Its metadata, as a path within the folder.
    pub metadata: Option<PathBuf>,
}

/// What is known of a collection by the names of files.
#[derive(Default)]
struct Files {
    data: Option<PathBuf>,
    metadata: Option<PathBuf>,
}

/// More is no metadata.
const METADATA_BYTES_MAX: u64 = 64 << 20;

impl DumpFolder {
    /// Looks through the folder at `root`: that of a whole dump, or of one database.
    ///
    /// # Errors
    ///
    /// When a folder or a file of metadata cannot be read.
    pub fn open(root: &Path) -> Result<Self, ReadError> {
        let mut found: BTreeMap<(String, String), Files> = BTreeMap::new();
        let mut others = Vec::new();
        let own_database = root.canonicalize().ok().and_then(|path| path.file_name().map(|name| decoded(&lossy(name))));
        for name in names(root, Path::new(""))? {
            let path = PathBuf::from(&name);
            if root.join(&path).is_dir() {
                let database = decoded(&lossy(&name));
                for file in names(root, &path)? {
                    sort_in(&mut found, &mut others, &database, path.join(file));
                }
            } else if stem(&path).is_some_and(|(stem, _)| stem == "oplog") {
                sort_in(&mut found, &mut others, "", path);
            } else {
                sort_in(&mut found, &mut others, own_database.as_deref().unwrap_or_default(), path);
            }
        }
        others.sort();
        let entries = found.into_iter().map(|((database, name), files)| entry(root, database, &name, files));
        Ok(Self { root: root.to_owned(), entries: entries.collect::<Result<_, _>>()?, others })
    }

    /// Whether it holds anything that a dump holds.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

/// What is in the folder `within` of `root`, sorted.
fn names(root: &Path, within: &Path) -> Result<Vec<std::ffi::OsString>, ReadError> {
    let folder = root.join(within);
    let read =
        || fs::read_dir(&folder)?.map(|entry| entry.map(|entry| entry.file_name())).collect::<io::Result<Vec<_>>>();
    let mut names = read().map_err(|error| unreadable(&folder, error))?;
    names.sort();
    Ok(names)
}

fn sort_in(found: &mut BTreeMap<(String, String), Files>, others: &mut Vec<PathBuf>, database: &str, path: PathBuf) {
    match stem(&path) {
        Some((stem, is_metadata)) => {
            let files = found.entry((database.to_owned(), stem)).or_default();
            *(if is_metadata { &mut files.metadata } else { &mut files.data }) = Some(path);
        }
        None => others.push(path),
    }
}

/// The name of the collection that a file is of, as it is escaped, and whether the file is its metadata.
fn stem(path: &Path) -> Option<(String, bool)> {
    let name = lossy(path.file_name()?);
    let name = [".gz", ".zst"].iter().find_map(|extension| name.strip_suffix(extension)).unwrap_or(&name);
    if let Some(stem) = name.strip_suffix(".metadata.json") {
        return Some((stem.to_owned(), true));
    }
    name.strip_suffix(".bson").map(|stem| (stem.to_owned(), false))
}

fn entry(root: &Path, database: String, stem: &str, files: Files) -> Result<FolderEntry, ReadError> {
    let metadata = match &files.metadata {
        Some(path) => Some(read_metadata(&root.join(path))?),
        None => None,
    };
    // A long name is cut in the names of files, and whole in the metadata.
    let named = metadata.as_ref().and_then(Metadata::collection_name).map(str::to_owned);
    let is_buckets = stem.starts_with("system.buckets.") || stem.starts_with("system%2Ebuckets%2E");
    let collection = named.filter(|_| !is_buckets).unwrap_or_else(|| decoded(stem));
    let namespace = Namespace { database, collection };
    let kind = CollectionKind::of(&namespace, metadata.as_ref());
    let collection = Collection { namespace, kind, metadata };
    Ok(FolderEntry { collection, data: files.data, metadata: files.metadata })
}

fn read_metadata(path: &Path) -> Result<Metadata, ReadError> {
    let read = || -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let file = io::BufReader::new(File::open(path)?);
        Compression::of_path(path).reader(Box::new(file))?.take(METADATA_BYTES_MAX).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    let bytes = read().map_err(|error| unreadable(path, error))?;
    Metadata::parse(bytes).map_err(|error| {
        let name = Location::from(path).to_string();
        let offset = u64::try_from(error.offset).unwrap_or(u64::MAX);
        ReadError::new(&name, 0, offset, ReadFault::Metadata(error.kind.to_string()))
    })
}

#[cold]
fn unreadable(path: &Path, error: io::Error) -> ReadError {
    ReadError::new(&Location::from(path).to_string(), 0, 0, ReadFault::Open(error))
}

fn lossy(name: &std::ffi::OsStr) -> String {
    name.to_string_lossy().into_owned()
}

/// The name that was escaped as in a URL's path; as it stands when it is no such thing.
fn decoded(name: &str) -> String {
    let mut bytes = Vec::with_capacity(name.len());
    let mut rest = name.as_bytes();
    while let Some((&byte, behind)) = rest.split_first() {
        let escaped = behind.split_first_chunk::<2>().filter(|_| byte == b'%');
        let value = escaped.and_then(|(digits, _)| hex::decode(digits).ok()).and_then(|value| value.first().copied());
        let (value, behind) = match (value, escaped) {
            (Some(value), Some((_, behind))) => (value, behind),
            _ => (byte, behind),
        };
        bytes.push(value);
        rest = behind;
    }
    String::from_utf8(bytes).unwrap_or_else(|_| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unescaped() {
        for (escaped, name) in
            [("a", "a"), ("a%2Fb", "a/b"), ("100%25", "100%"), ("%zz%", "%zz%"), ("gr%C3%B6%C3%9Fe", "größe")]
        {
            assert_eq!(decoded(escaped), name);
        }
    }

    #[test]
    fn files_are_told_by_their_names() {
        let of = |name: &str| stem(Path::new(name)).map(|(stem, is_metadata)| format!("{stem} {is_metadata}"));
        assert_eq!(of("orders.bson").as_deref(), Some("orders false"));
        assert_eq!(of("shop/orders.bson.gz").as_deref(), Some("orders false"));
        assert_eq!(of("orders.metadata.json.gz").as_deref(), Some("orders true"));
        assert_eq!(of("prelude.json"), None);
    }
}
