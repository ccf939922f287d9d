//! How long it will take, before it starts.

use std::time::{Duration, Instant};

use boson_store::{Batch, DocumentReader, ReadOptions, Reader, Start};

use crate::chunk::Chunk;
use crate::convert::Converter;
use crate::run::{Job, RunError};
use crate::tally::Tally;
use crate::undo::encode;

/// What a run will take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// Bytes of the files of documents on the disk: measured.
    pub reads_bytes: u64,
    /// Bytes of documents that will be written, and of the undo log: estimated from a sample.
    pub writes_bytes: u64,
    /// Of them, the undo log.
    pub log_bytes: u64,
    /// How many documents there are: estimated from their size in a sample.
    pub documents: u64,
    /// How long it takes: estimated by converting a sample in memory, for as many threads as there are; the disk is left out.
    pub duration: Duration,
    /// How many documents the sample had.
    pub sample_documents: u64,
}

/// A server that is sent batches one after another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Server {
    /// Documents in a batch.
    pub batch_documents: u64,
    /// How long one batch takes.
    pub latency: Duration,
}

impl Server {
    /// How long `documents` documents take: as many batches as they make, one after another.
    pub fn duration(self, documents: u64) -> Duration {
        let batches = documents.div_ceil(self.batch_documents.max(1));
        Duration::from_secs_f64(self.latency.as_secs_f64() * batches_f64(batches))
    }
}

#[expect(clippy::cast_precision_loss, reason = "an estimate for people")]
fn batches_f64(count: u64) -> f64 {
    count as f64
}

/// The sample: the first documents of the first stream that is converted.
const SAMPLE_BYTES: usize = 8 << 20;

/// Estimates what a run of `job` in `threads` threads will take.
///
/// # Errors
///
/// When the sample cannot be read or converted.
pub fn estimate(job: &Job, threads: usize) -> Result<Estimate, RunError> {
    let reads_bytes = job.bytes();
    let nothing = Estimate {
        reads_bytes,
        writes_bytes: reads_bytes,
        log_bytes: 0,
        documents: 0,
        duration: Duration::ZERO,
        sample_documents: 0,
    };
    let Some(stream) = job.streams.iter().find(|stream| !stream.rules.is_empty()) else { return Ok(nothing) };
    let path = job.path(&stream.path);
    let began = Instant::now();
    let options = ReadOptions { recover: true, ..ReadOptions::default() };
    let mut reader = DocumentReader::resume(&path, &options, Start::default())?;
    let mut batch = Batch::with_size(SAMPLE_BYTES, usize::MAX);
    if reader.read_batch(&mut batch)? == 0 {
        return Ok(nothing);
    }
    let mut converter = Converter::new(&stream.rules, stream.plan.damaged);
    let mut chunk = Chunk::default();
    let name = path.display().to_string();
    let outcome = chunk.convert(&batch, &mut converter, Tally::new(&stream.rules), |_, _, _| ());
    outcome.map_err(|fault| RunError::Document { name, fault })?;
    let mut log = Vec::new();
    let io = crate::run::io_error(&path);
    encode(batch.bytes(), &chunk.after, &chunk.patches, &mut log).map_err(io)?;
    let took = began.elapsed().as_secs_f64();
    let sample_bytes = batches_f64(batch.bytes().len() as u64).max(1.0);
    // What is compressed is larger than it looks.
    let on_disk = batches_f64(reads_bytes);
    let ratio = stream.packing(batch.bytes())?;
    let bytes = on_disk * ratio;
    let scaled = |amount: usize| rounded(batches_f64(amount as u64) / sample_bytes * bytes);
    let log_bytes = scaled(log.len());
    Ok(Estimate {
        reads_bytes,
        writes_bytes: rounded(batches_f64(chunk.after.len() as u64) / sample_bytes * bytes / ratio)
            .saturating_add(log_bytes),
        log_bytes,
        documents: scaled(batch.len()),
        duration: Duration::from_secs_f64(took / sample_bytes * bytes / batches_f64(threads.max(1) as u64)),
        sample_documents: batch.len() as u64,
    })
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "an estimate for people, not negative")]
fn rounded(number: f64) -> u64 {
    number.round() as u64
}
