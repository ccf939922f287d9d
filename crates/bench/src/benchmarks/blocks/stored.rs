//! A document in a file of blocks, and what reading of it is counted.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use boson_document::{Blocks, ReadAt};
use tempfile::{Builder, NamedTempFile};

use crate::error::BenchError;
use crate::numbers::count;
use crate::runner::{Measurement, Plan, measure, measure_prepared};

/// A document in a file that is gone when this is dropped.
pub(super) struct Stored {
    file: NamedTempFile,
    block_len: usize,
}

/// A file that counts what is read of it.
pub(super) struct Counted<'f> {
    file: &'f File,
    reads: Cell<usize>,
    bytes: Cell<u64>,
}

/// The blocks of a document.
pub(super) type FileBlocks<'f> = Blocks<&'f Counted<'f>>;

/// What one lookup takes.
pub(super) struct Figures {
    pub(super) blocks: usize,
    pub(super) bytes: u64,
    pub(super) cold: Measurement,
    pub(super) dropped: Option<Measurement>,
    pub(super) warm: Measurement,
}

impl ReadAt for Counted<'_> {
    fn size(&self) -> io::Result<u64> {
        self.file.size()
    }

    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        self.reads.set(self.reads.get() + 1);
        self.bytes.set(self.bytes.get() + count(buffer.len()));
        self.file.read_exact_at(buffer, offset)
    }
}

impl Stored {
    /// Writes `document` into a file in `folder`, or where temporary files go.
    pub(super) fn new(document: &[u8], block_len: usize, folder: Option<&Path>) -> io::Result<Self> {
        let mut builder = Builder::new();
        builder.prefix("boson-bench-").suffix(".blocks");
        let mut file = folder.map_or_else(|| builder.tempfile(), |folder| builder.tempfile_in(folder))?;
        file.write_all(document)?;
        // What is not on the disk yet cannot be forgotten.
        file.as_file().sync_all()?;
        Ok(Self { file, block_len })
    }

    /// Measures `find`, which must come back with `wanted`.
    pub(super) fn measure(
        &self,
        plan: &Plan,
        find: impl Fn(&FileBlocks<'_>) -> Result<Option<i64>, BenchError>,
        wanted: Option<i64>,
    ) -> Result<Figures, BenchError> {
        let counted = Counted { file: self.file.as_file(), reads: Cell::new(0), bytes: Cell::new(0) };
        let mut blocks = Blocks::new(&counted, self.block_len)?;
        if find(&blocks)? != wanted {
            return Err(BenchError::Missing("field that was looked for".to_owned()));
        }
        let (read, bytes) = (counted.reads.get(), counted.bytes.get());
        let cold = measure_prepared(plan, &mut blocks, |blocks| blocks.forget(), |blocks| find(blocks))?;
        let forget_all = |blocks: &mut FileBlocks<'_>| {
            blocks.forget();
            drop_pages(counted.file);
        };
        let dropped = CAN_DROP.then(|| measure_prepared(plan, &mut blocks, forget_all, |blocks| find(blocks)));
        let dropped = dropped.transpose()?;
        let warm = measure(plan, || find(&blocks))?;
        Ok(Figures { blocks: read, bytes, cold, dropped, warm })
    }
}

/// Whether the system can be asked to forget a file's pages.
pub(super) const CAN_DROP: bool = cfg!(target_os = "linux");

/// Asks the system to forget what it holds of `file` in memory. It may decline.
#[cfg(target_os = "linux")]
fn drop_pages(file: &File) {
    // It is a wish: nothing is lost where it is not granted.
    let _ = rustix::fs::fadvise(file, 0, None, rustix::fs::Advice::DontNeed);
}

#[cfg(not(target_os = "linux"))]
fn drop_pages(_: &File) {}
