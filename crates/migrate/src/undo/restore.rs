//! Having the original back.

use std::fs::{self, File};
use std::io::{self, BufReader, Read, Write};
use std::path::{Component, Path, PathBuf};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use boson_store::Compression;

use super::{Block, Frame, MAGIC};
use crate::chunk::hash;

/// What was restored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Restored {
    /// Streams of documents.
    pub streams: u64,
    /// Bytes of documents, decompressed.
    pub bytes: u64,
    /// Other files.
    pub files: u64,
}

/// Why the original could not be had back. Nothing was written then.
#[derive(Debug, thiserror::Error)]
pub enum UndoError {
    /// Reading or writing failed.
    #[error("{name}: {error}")]
    Io {
        /// The file.
        name: String,
        /// Why.
        error: io::Error,
    },
    /// There is such a file already.
    #[error("{0}: is there already")]
    Exists(String),
    /// It is no log, or not a whole one.
    #[error("{name}: {what}")]
    Log {
        /// The file.
        name: String,
        /// What is wrong.
        what: &'static str,
    },
    /// The converted file is not what the log was written for.
    #[error("{name}: the bytes from {offset} on are not those that were written: it was changed since, or is damaged")]
    Changed {
        /// The file.
        name: String,
        /// Where the first bytes that differ begin, to within a megabyte or so, after decompression.
        offset: u64,
    },
}

fn io_error(path: &Path) -> impl FnOnce(io::Error) -> UndoError + '_ {
    move |error| UndoError::Io { name: path.display().to_string(), error }
}

/// Writes to `to` what `converted` was before, by the log at `log`. `to` appears when it is complete.
///
/// # Errors
///
/// [`UndoError`]; nothing is left of `to` then.
pub fn restore(converted: &Path, log: &Path, to: &Path) -> Result<Restored, UndoError> {
    if fs::symlink_metadata(to).is_ok() {
        return Err(UndoError::Exists(to.display().to_string()));
    }
    let parent = to.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let work = tempfile::Builder::new().prefix(".boson-undo-").tempdir_in(parent).map_err(io_error(parent))?;
    let out = work.path().join("out");
    let mut restoring = Restoring::open(converted, log, &out)?;
    restoring.run()?;
    fs::rename(&out, to).map_err(io_error(to))?;
    Ok(restoring.restored)
}

struct Restoring<'a> {
    converted: &'a Path,
    log_name: String,
    log: BufReader<File>,
    out: &'a Path,
    is_folder: bool,
    restored: Restored,
}

/// A stream that is being restored.
struct Stream {
    from: Box<dyn Read>,
    to: Box<dyn Write>,
    compression: Compression,
    name: String,
    offset: u64,
    path: PathBuf,
    /// Whether nothing was written yet.
    is_empty: bool,
}

impl<'a> Restoring<'a> {
    fn open(converted: &'a Path, log: &Path, out: &'a Path) -> Result<Self, UndoError> {
        let log_name = log.display().to_string();
        let mut reader = BufReader::new(File::open(log).map_err(io_error(log))?);
        let mut magic = [0; MAGIC.len()];
        let read = reader.read_exact(&mut magic);
        if read.is_err() || magic != *MAGIC {
            return Err(UndoError::Log { name: log_name, what: "this is no undo log of boson" });
        }
        Ok(Self { converted, log_name, log: reader, out, is_folder: false, restored: Restored::default() })
    }

    fn damaged(&self, what: &'static str) -> UndoError {
        UndoError::Log { name: self.log_name.clone(), what }
    }

    fn run(&mut self) -> Result<(), UndoError> {
        let mut stream: Option<Stream> = None;
        loop {
            let name = PathBuf::from(&self.log_name);
            let frame = Frame::read(&mut self.log).map_err(io_error(&name))?;
            let frame = frame.ok_or_else(|| self.damaged("the undo log is cut: its end is missing"))?;
            if !matches!(frame, Frame::Block(_))
                && let Some(stream) = stream.take()
            {
                stream.close()?;
            }
            match frame {
                Frame::Header(header) => {
                    self.is_folder = header.is_folder;
                    if header.is_folder {
                        fs::create_dir(self.out).map_err(io_error(self.out))?;
                    }
                }
                Frame::Stream(header) => stream = Some(self.stream(&header.path, &header.compression)?),
                Frame::Block(bytes) => {
                    let stream = stream.as_mut().ok_or_else(|| self.damaged("a block belongs to no stream"))?;
                    let block = Block::decode(&bytes).map_err(io_error(&name))?;
                    self.restored.bytes += stream.block(&block)?;
                }
                Frame::File(file) => self.file(&file.path, file.hash, file.before.as_deref())?,
                Frame::End => return Ok(()),
            }
        }
    }

    /// Where `path` is within `root`; a log may not lead out of it.
    fn within(&self, root: &Path, path: &str) -> Result<PathBuf, UndoError> {
        if !self.is_folder {
            return Ok(root.to_owned());
        }
        let inside = Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
        if inside && !path.is_empty() {
            Ok(root.join(path))
        } else {
            Err(self.damaged("a path leads out of the folder"))
        }
    }

    fn stream(&mut self, path: &str, compression: &str) -> Result<Stream, UndoError> {
        let (from, to) = (self.within(self.converted, path)?, self.within(self.out, path)?);
        let compression = match compression {
            "gzip" => Compression::Gzip,
            "zstd" => Compression::Zstd,
            _ => Compression::None,
        };
        let file = BufReader::with_capacity(1 << 17, File::open(&from).map_err(io_error(&from))?);
        let reader = compression.decompress(Box::new(file)).map_err(io_error(&from))?;
        let writer = create(&to)?;
        self.restored.streams += 1;
        let name = from.display().to_string();
        Ok(Stream { from: reader, to: Box::new(writer), compression, name, offset: 0, path: to, is_empty: true })
    }

    fn file(&mut self, path: &str, expected: u64, before: Option<&str>) -> Result<(), UndoError> {
        let (from, to) = (self.within(self.converted, path)?, self.within(self.out, path)?);
        let bytes = if let Some(text) = before {
            STANDARD.decode(text).map_err(|_| self.damaged("a file in the undo log is damaged"))?
        } else {
            let bytes = fs::read(&from).map_err(io_error(&from))?;
            if hash(&bytes) != expected {
                return Err(UndoError::Changed { name: from.display().to_string(), offset: 0 });
            }
            bytes
        };
        create(&to)?.write_all(&bytes).map_err(io_error(&to))?;
        self.restored.files += 1;
        Ok(())
    }
}

fn create(path: &Path) -> Result<File, UndoError> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).map_err(io_error(parent))?;
    }
    File::create_new(path).map_err(io_error(path))
}

impl Stream {
    /// At the end there must be nothing more.
    fn close(mut self) -> Result<(), UndoError> {
        let mut more = [0];
        let read = self.from.read(&mut more).map_err(io_error(&PathBuf::from(&self.name)))?;
        if read > 0 {
            return Err(UndoError::Changed { name: self.name, offset: self.offset });
        }
        if self.is_empty {
            // Compressed, nothing is something.
            let nothing = self.compression.append(&[], Vec::new()).map_err(io_error(&self.path))?;
            self.to.write_all(&nothing).map_err(io_error(&self.path))?;
        }
        self.to.flush().map_err(io_error(&self.path))
    }

    /// Restores the bytes that `block` is about; returns how many.
    fn block(&mut self, block: &Block) -> Result<u64, UndoError> {
        let mut after = Vec::new();
        let read = (&mut self.from).take(block.after_len as u64).read_to_end(&mut after);
        read.map_err(io_error(&PathBuf::from(&self.name)))?;
        let mut before = Vec::new();
        if block.apply(&after, &mut before).is_none() || before.len() != block.before_len {
            return Err(UndoError::Changed { name: self.name.clone(), offset: self.offset });
        }
        self.offset += after.len() as u64;
        self.is_empty = false;
        let packed = self.compression.append(&before, Vec::new()).map_err(io_error(&self.path))?;
        self.to.write_all(&packed).map_err(io_error(&self.path))?;
        Ok(before.len() as u64)
    }
}
