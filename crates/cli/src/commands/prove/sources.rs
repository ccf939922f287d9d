//! What stands on either side: a file of documents, or the collections of a dump.

use std::path::{Path, PathBuf};

use boson_prove::IndexSpec;
use boson_store::{Collection, CollectionKind, DumpFolder, Location, Metadata, Opened};

use crate::args::FormArgs;
use crate::exit::UsageError;

/// What one side holds.
pub(super) struct Sources {
    pub(super) from: From,
    pub(super) collections: Vec<Own>,
}

/// Where the documents of a side are.
pub(super) enum From {
    /// In one file, which is no dump.
    File,
    /// In files of a folder.
    Folder(PathBuf),
    /// In an archive.
    Archive,
}

/// A collection of one side.
#[derive(Default)]
pub(super) struct Own {
    /// Its name; empty for a file of documents.
    pub(super) name: String,
    /// Its file within the folder.
    data: Option<PathBuf>,
    metadata: Option<Metadata>,
}

impl Sources {
    /// Looks at what there is, without reading the documents.
    pub(super) fn open(file: &Location, form: &FormArgs) -> anyhow::Result<Self> {
        let Some(path) = file.path() else { return Ok(Self::file()) };
        if path.is_dir() {
            return Self::folder(path);
        }
        match Opened::open(file, &form.read_options())? {
            Opened::Documents(_) => Ok(Self::file()),
            Opened::Archive(archive) => {
                let own = archive.collections().iter().filter(|own| own.kind == CollectionKind::Documents);
                let collections = own.map(|own| Own::of(own.clone(), None)).collect();
                Ok(Self { from: From::Archive, collections })
            }
        }
    }

    fn file() -> Self {
        Self { from: From::File, collections: vec![Own::default()] }
    }

    fn folder(path: &Path) -> anyhow::Result<Self> {
        let mut collections = Vec::new();
        for entry in DumpFolder::open(path)?.entries {
            if entry.collection.kind == CollectionKind::Documents && entry.data.is_some() {
                collections.push(Own::of(entry.collection, entry.data));
            }
        }
        if collections.is_empty() {
            return Err(UsageError(format!("{}: a folder that holds no dump", path.display())).into());
        }
        Ok(Self { from: From::Folder(path.to_owned()), collections })
    }

    /// The place of the collection called `name`; of the only one, when one of the sides has no names.
    pub(super) fn find(&self, name: &str) -> Option<usize> {
        match &*self.collections {
            [only] if name.is_empty() || only.name.is_empty() => Some(0),
            several => several.iter().position(|own| own.name == name),
        }
    }
}

impl Own {
    fn of(collection: Collection, data: Option<PathBuf>) -> Self {
        Self { name: collection.namespace.to_string(), data, metadata: collection.metadata }
    }

    pub(super) const fn has_metadata(&self) -> bool {
        self.metadata.is_some()
    }

    /// The file, where it is one of a folder.
    pub(super) fn file(&self, from: &From) -> Option<Location> {
        match (from, &self.data) {
            (From::Folder(root), Some(data)) => Some(Location::from(&*root.join(data))),
            _ => None,
        }
    }

    /// The indexes that the metadata names beside that on `_id`, and those that the model does not know, each with the
    /// reason.
    pub(super) fn indexes(&self) -> (Vec<IndexSpec>, Vec<String>) {
        let (mut known, mut unknown) = (Vec::new(), Vec::new());
        for index in self.metadata.iter().flat_map(Metadata::indexes) {
            match why_unknown(index) {
                Some(why) => unknown.push(format!("index {} is left out: {why}", index.name)),
                None if index.keys.iter().all(|(field, _)| field == "_id") => {}
                None => known.push(IndexSpec {
                    name: index.name.clone(),
                    fields: index.keys.iter().map(|(field, _)| field.clone()).collect(),
                    is_sparse: index.is_sparse,
                }),
            }
        }
        (known, unknown)
    }
}

/// Why the model does not know how large `index` is. A descending one is as large as an ascending one: the same bytes,
/// inverted, in the other order.
fn why_unknown(index: &boson_store::IndexSpec) -> Option<String> {
    use boson_document::Value;
    for (field, kind) in &index.keys {
        if let Value::String(kind) = kind {
            return Some(format!("its keys are of the kind {kind}"));
        }
        if field.split('.').any(|name| name == "$**") {
            return Some("it is on all fields".to_owned());
        }
    }
    index.partial_filter.as_ref().map(|_| "it is on some of the documents, by a query".to_owned())
}
