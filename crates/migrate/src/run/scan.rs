//! Going through everything without writing: what would become of it.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::ControlFlow;

use boson_store::Start;

use super::pump::pump;
use super::{Job, Progress, RunError, RunOptions, Watch, io_error};
use crate::checks::Checks;
use crate::tally::Tally;

/// What would become of a dump.
#[derive(Debug, Default)]
pub struct Scanned {
    /// Of each stream of the job.
    pub streams: Vec<StreamScan>,
}

/// What would become of the documents of a stream.
#[derive(Debug, Default)]
pub struct StreamScan {
    /// In numbers.
    pub tally: Tally,
    /// Documents that each of the deleting indexes would delete at once, by the index's name.
    pub expired: Vec<(String, u64)>,
    /// Documents that would have the same key in a unique index.
    pub collisions: Vec<Collisions>,
}

/// Documents with the same key in a unique index.
#[derive(Debug)]
pub struct Collisions {
    /// The index.
    pub index: String,
    /// How many documents have the key of another before them.
    pub count: u64,
    /// The first few: the numbers of two documents, from 0.
    pub first: Vec<(u64, u64)>,
}

/// How many collisions are named.
const NAMED_MAX: usize = 10;

/// Goes through all documents of `job`: converted, but not written.
///
/// # Errors
///
/// What would stop the run.
pub fn scan(job: &Job, options: &RunOptions, watch: Watch<'_>) -> Result<Scanned, RunError> {
    let mut scanned = Scanned::default();
    let mut progress = Progress::default();
    for stream in &job.streams {
        let checks = Checks::new(&stream.plan, stream.metadata.as_ref());
        let mut result = StreamScan {
            tally: Tally::new(&stream.rules),
            expired: checks.expiring.iter().map(|expiring| (expiring.index.clone(), 0)).collect(),
            collisions: Vec::new(),
        };
        let mut keys: Vec<Keys> = checks.unique.iter().map(|_| Keys::default()).collect();
        pump(job, stream, Start::default(), options, false, |done| {
            result.tally.add(&done.chunk.tally);
            for ((_, count), more) in result.expired.iter_mut().zip(&done.found.expired) {
                *count += more;
            }
            for &(unique, key, number) in &done.found.keys {
                if let Some(keys) = keys.get_mut(unique) {
                    keys.add(key, number).map_err(io_error(&job.source))?;
                }
            }
            progress.documents += done.chunk.tally.documents;
            progress.bytes += done.chunk.tally.bytes_before;
            match watch(progress) {
                ControlFlow::Continue(()) => Ok(()),
                ControlFlow::Break(()) => Err(RunError::Stopped),
            }
        })?;
        for (keys, unique) in keys.into_iter().zip(&checks.unique) {
            let (count, first) = keys.finish().map_err(io_error(&job.source))?;
            if count > 0 {
                let first = first.into_iter().map(|(one, other, _)| (one, other)).collect();
                result.collisions.push(Collisions { index: unique.index.clone(), count, first });
            }
        }
        scanned.streams.push(result);
    }
    Ok(scanned)
}

/// The numbers of two documents, and the hash of the key that both have.
pub(crate) type Pair = (u64, u64, u64);

/// The hashes of keys, kept in parts: in memory while they are few, then in files that no longer have a name.
pub(crate) struct Keys {
    parts: Vec<Part>,
}

#[derive(Default)]
struct Part {
    keys: Vec<(u64, u64)>,
    spilled: Option<File>,
}

const PARTS: usize = 64;
const PART_KEYS_MAX: usize = 1 << 13;

impl Default for Keys {
    fn default() -> Self {
        Self { parts: (0..PARTS).map(|_| Part::default()).collect() }
    }
}

impl Keys {
    pub(crate) fn add(&mut self, key: u64, number: u64) -> io::Result<()> {
        let place = usize::try_from(key >> 58).unwrap_or_default();
        let Some(part) = self.parts.get_mut(place) else { return Ok(()) };
        part.keys.push((key, number));
        if part.keys.len() >= PART_KEYS_MAX { part.spill() } else { Ok(()) }
    }

    /// How many documents have the key of one before them, and the first of them: two numbers and the key.
    pub(crate) fn finish(self) -> io::Result<(u64, Vec<Pair>)> {
        let (mut count, mut first) = (0, Vec::new());
        for part in self.parts {
            let mut keys = part.all()?;
            keys.sort_unstable();
            keys.dedup();
            for pair in keys.windows(2) {
                if let [(a, one), (b, other)] = pair
                    && a == b
                {
                    count += 1;
                    first.push((*one, *other, *a));
                }
            }
            first.sort_unstable();
            first.truncate(NAMED_MAX);
        }
        Ok((count, first))
    }
}

impl Part {
    #[cold]
    fn spill(&mut self) -> io::Result<()> {
        let file = match &mut self.spilled {
            Some(file) => file,
            none => none.insert(tempfile::tempfile()?),
        };
        let mut bytes = Vec::with_capacity(self.keys.len() * 16);
        for (key, number) in self.keys.drain(..) {
            bytes.extend_from_slice(&key.to_le_bytes());
            bytes.extend_from_slice(&number.to_le_bytes());
        }
        file.write_all(&bytes)
    }

    fn all(mut self) -> io::Result<Vec<(u64, u64)>> {
        let Some(mut file) = self.spilled.take() else { return Ok(self.keys) };
        let mut bytes = Vec::new();
        file.seek(SeekFrom::Start(0))?;
        file.read_to_end(&mut bytes)?;
        let number = |bytes: &[u8]| bytes.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
        self.keys.extend(bytes.chunks_exact(16).map(|pair| (number(pair), number(pair.get(8..).unwrap_or_default()))));
        Ok(self.keys)
    }
}
