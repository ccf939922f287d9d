//! What is to be done: which streams by which rules, which files beside them.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use boson_store::{ARCHIVE_MAGIC, Collection, CollectionKind, Compression, DumpFolder, Metadata};

use super::{RunError, beside, io_error};
use crate::chunk::hash;
use crate::metadata;
use crate::plan::{CollectionPlan, Damaged, Plan};
use crate::tree::Rules;

/// A run of a plan on a dump.
#[derive(Debug)]
pub struct Job {
    /// The file or folder.
    pub source: PathBuf,
    /// What is made.
    pub destination: PathBuf,
    /// Whether the source is a folder.
    pub is_folder: bool,
    /// The documents.
    pub streams: Vec<StreamJob>,
    pub(crate) files: Vec<FileJob>,
    pub(crate) plan_hash: u64,
    pub(crate) recover: bool,
}

/// The documents of one file.
#[derive(Debug)]
pub struct StreamJob {
    /// Its path within the folder; empty where the source is a file.
    pub path: String,
    /// The collection's name in the plan.
    pub name: String,
    /// What is done.
    pub rules: Rules,
    /// What the plan says of the collection, if it says anything.
    pub plan: CollectionPlan,
    /// Its indexes and options.
    pub metadata: Option<Metadata>,
    pub(crate) compression: Compression,
    pub(crate) damaged: Damaged,
}

/// A file beside the documents.
#[derive(Debug)]
pub(crate) struct FileJob {
    pub(crate) path: String,
    /// What it is to hold, if that is something else.
    pub(crate) new: Option<Vec<u8>>,
}

impl Job {
    /// The run of `plan`, whose text is `text`, on the file or folder `source`.
    ///
    /// # Errors
    ///
    /// What in the plan cannot be done, a hazard that has no answer, or that the source cannot be read.
    pub fn new(source: &Path, destination: &Path, plan: &Plan, text: &str, recover: bool) -> Result<Self, RunError> {
        let is_folder = source.is_dir();
        let mut job = Self {
            source: source.to_owned(),
            destination: destination.to_owned(),
            is_folder,
            streams: Vec::new(),
            files: Vec::new(),
            plan_hash: hash(text.as_bytes()),
            recover,
        };
        let mut unmet: Vec<&str> = plan.collections.iter().map(|collection| collection.name.as_str()).collect();
        if is_folder {
            job.add_folder(plan, &mut unmet)?;
        } else {
            job.add_file(plan, &mut unmet)?;
        }
        if let Some(name) = unmet.first() {
            let name = if name.is_empty() { "a file of documents" } else { name };
            let what = format!("the plan is about {name}, which is not in {}", source.display());
            return Err(RunError::Refused(what));
        }
        Ok(job)
    }

    fn add_file(&mut self, plan: &Plan, unmet: &mut Vec<&str>) -> Result<(), RunError> {
        fs::metadata(&self.source).map_err(io_error(&self.source))?;
        let own = plan.collection("").cloned().unwrap_or_default();
        unmet.retain(|name| !name.is_empty());
        let compression = compression_of(&self.source)?;
        self.refuse_archive(compression)?;
        self.streams.push(stream(String::new(), own, None, compression)?);
        Ok(())
    }

    /// Archives are unpacked before: see [`unpack`](super::unpack::unpack).
    fn refuse_archive(&self, compression: Compression) -> Result<(), RunError> {
        let file = fs::File::open(&self.source).map_err(io_error(&self.source))?;
        let mut head = Vec::new();
        let stream = compression.decompress(Box::new(file)).map_err(io_error(&self.source))?;
        // What cannot be decompressed is for the reader to complain about.
        let _ = stream.take(4).read_to_end(&mut head);
        if head != ARCHIVE_MAGIC {
            return Ok(());
        }
        let what = "is an archive: unpack it first";
        Err(RunError::Refused(format!("{}: {what}", self.source.display())))
    }

    fn add_folder(&mut self, plan: &Plan, unmet: &mut Vec<&str>) -> Result<(), RunError> {
        let folder = DumpFolder::open(&self.source)?;
        if folder.is_empty() {
            return Err(RunError::Refused(format!("{}: holds no dump", self.source.display())));
        }
        for entry in folder.entries {
            let Collection { namespace, kind, metadata } = entry.collection;
            let name = namespace.to_string();
            let own = plan.collection(&name).cloned().unwrap_or_default();
            unmet.retain(|unmet| *unmet != name);
            let has_documents = matches!(kind, CollectionKind::Documents);
            if !has_documents && own.converted().next().is_some() {
                let what = format!("{name}: its documents are the server's own and are never converted; set `skip`");
                return Err(RunError::Refused(what));
            }
            if let Some(path) = &entry.metadata {
                let new = metadata.as_ref().and_then(|metadata| metadata::adjusted(metadata, &own));
                let packed = new.map(|bytes| Compression::of_path(path).append(&bytes, Vec::new()));
                let new = packed.transpose().map_err(io_error(path))?;
                self.files.push(FileJob { path: utf8(path)?, new });
            }
            if let Some(path) = &entry.data {
                let compression = compression_of(&self.source.join(path))?;
                self.streams.push(stream(utf8(path)?, own, metadata, compression)?);
            }
        }
        let others = folder.others.iter().map(|path| Ok(FileJob { path: utf8(path)?, new: None }));
        self.files.extend(others.collect::<Result<Vec<_>, RunError>>()?);
        Ok(())
    }

    /// The undo log: beside the destination.
    pub fn log_path(&self) -> PathBuf {
        beside(&self.destination, "", ".undo")
    }

    /// Where documents go that are put aside.
    pub fn quarantine_path(&self) -> PathBuf {
        beside(&self.destination, "", if self.is_folder { ".quarantine" } else { ".quarantine.bson" })
    }

    /// Where the run works: beside the destination, so that renaming moves no bytes.
    pub fn work_path(&self) -> PathBuf {
        beside(&self.destination, ".", ".boson-migrate")
    }

    /// By what a source is known again.
    pub(crate) fn fingerprint(&self) -> Result<Vec<(String, u64, u128)>, RunError> {
        let streams = self.streams.iter().map(|stream| stream.path.as_str());
        let paths = streams.chain(self.files.iter().map(|file| file.path.as_str()));
        paths
            .map(|path| {
                let whole = self.path(path);
                let metadata = fs::metadata(&whole).map_err(io_error(&whole))?;
                let modified = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
                Ok((path.to_owned(), metadata.len(), modified.map_or(0, |time| time.as_nanos())))
            })
            .collect()
    }

    /// Where the file at `path` within the source is.
    pub fn path(&self, path: &str) -> PathBuf {
        if path.is_empty() { self.source.clone() } else { self.source.join(path) }
    }

    /// Bytes of the files of documents as they are on the disk.
    pub fn bytes(&self) -> u64 {
        self.streams.iter().filter_map(|stream| fs::metadata(self.path(&stream.path)).ok()).map(|file| file.len()).sum()
    }
}

fn stream(
    path: String,
    plan: CollectionPlan,
    metadata: Option<Metadata>,
    compression: Compression,
) -> Result<StreamJob, RunError> {
    let rules = Rules::new(&plan)?;
    let (name, damaged) = (plan.name.clone(), plan.damaged);
    // What is only copied need not be read as documents.
    let damaged = if rules.is_empty() { Damaged::Keep } else { damaged };
    Ok(StreamJob { path, name, rules, plan, metadata, compression, damaged })
}

fn compression_of(path: &Path) -> Result<Compression, RunError> {
    let mut head = Vec::new();
    let file = fs::File::open(path).map_err(io_error(path))?;
    file.take(16).read_to_end(&mut head).map_err(io_error(path))?;
    Ok(Compression::detect(&head))
}

fn utf8(path: &Path) -> Result<String, RunError> {
    let text = path.to_str().map(str::to_owned);
    text.ok_or_else(|| RunError::Refused(format!("{}: the name is not UTF-8", path.display())))
}

impl StreamJob {
    /// Whether the file is compressed.
    pub fn is_compressed(&self) -> bool {
        self.compression != Compression::None
    }

    /// How many bytes of documents stand in a byte of the file: 1 where it is not compressed, else tried with `sample`.
    pub(crate) fn packing(&self, sample: &[u8]) -> Result<f64, RunError> {
        if self.compression == Compression::None || sample.is_empty() {
            return Ok(1.0);
        }
        let packed = self.compression.append(sample, Vec::new()).map_err(io_error(Path::new(&self.path)))?;
        #[expect(clippy::cast_precision_loss, reason = "an estimate for people")]
        Ok(sample.len() as f64 / packed.len().max(1) as f64)
    }
}
