//! Writing a few bytes into a file.

use std::fs::{File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::PathBuf;

use boson_document::edit::{Buffer, Edit};
use boson_store::{Compression, Framing, Location};

use super::apply::Changed;
use crate::documents::Item;
use crate::exit::{Refused, UsageError};

/// What is to be written where, once all changes are known to be possible.
pub(super) struct Patches {
    path: PathBuf,
    framing: Framing,
    /// How many bytes the file has.
    len: u64,
    /// Behind the end of the file.
    appended: Vec<u8>,
    overwritten: Vec<(u64, Vec<u8>)>,
}

impl Patches {
    /// Nothing yet. Only a plain file of documents as they are can be written into.
    pub(super) fn new(file: &Location, framing: Framing, compression: Compression) -> anyhow::Result<Self> {
        let Some(path) = file.path() else {
            return Err(UsageError("--in-place needs a file".to_owned()).into());
        };
        let metadata = std::fs::metadata(path)?;
        let plain = metadata.is_file() && compression == Compression::None;
        if !plain || !matches!(framing, Framing::Bson | Framing::Oson | Framing::OsonImages) {
            let message = format!("{file}: --in-place is for files of BSON or OSON that are not compressed");
            return Err(Refused(message).into());
        }
        Ok(Self { path: path.to_owned(), framing, len: metadata.len(), appended: Vec::new(), overwritten: Vec::new() })
    }

    /// Takes a document that was changed; returns how many bytes will be written for it.
    pub(super) fn add(&mut self, item: &Item<'_>, changed: &Changed) -> Result<u64, Refused> {
        let end = item.offset.saturating_add(item.bytes.len() as u64);
        let bytes = changed.buffer.as_bytes();
        match changed.edit {
            Edit::InPlace { .. } => {}
            Edit::Appended { .. } if end == self.len => {
                self.appended.extend_from_slice(bytes.get(item.bytes.len()..).unwrap_or_default());
            }
            Edit::Appended { .. } => return Err(self.refused(item, "the image would grow into the one behind it")),
            Edit::Spliced { .. } => return Err(self.refused(item, "the new value takes another number of bytes")),
            Edit::Rebuilt { reason, .. } => return Err(self.refused(item, &format!("{reason}"))),
        }
        let mut written = self.appended.len() as u64;
        for span in changed.overwritten() {
            written = written.saturating_add(span.len as u64);
            let at = item.offset.saturating_add(span.offset as u64);
            self.overwritten.push((at, bytes.get(span.range()).unwrap_or_default().to_vec()));
        }
        Ok(written)
    }

    fn refused(&self, item: &Item<'_>, why: &str) -> Refused {
        let form = self.framing.format();
        Refused(format!("{}: {why}, so {form} cannot be changed in place; nothing was written", item.place()))
    }

    /// Writes what comes behind the end before what leads to it, each made durable: after a crash in between, all that the
    /// file held is still there.
    pub(super) fn write(self) -> anyhow::Result<()> {
        let mut file = OpenOptions::new().write(true).open(&self.path)?;
        if !self.appended.is_empty() {
            write_at(&mut file, self.len, &self.appended)?;
            file.sync_data()?;
        }
        for (at, bytes) in &self.overwritten {
            write_at(&mut file, *at, bytes)?;
        }
        Ok(file.sync_data()?)
    }
}

fn write_at(file: &mut File, at: u64, bytes: &[u8]) -> std::io::Result<()> {
    file.seek(SeekFrom::Start(at))?;
    file.write_all(bytes)
}
