//! Going through a collection without writing: what a run would make of it, and what must be known before.

use std::collections::HashMap;
use std::ops::ControlFlow;

use boson_store::Batch;

use super::bracket::Resume;
use super::job::CollectionJob;
use super::port::Collection;
use super::raw::RawValue;
use super::session::{Retries, Session, Walk, id_of};
use crate::checks::{Checks, Found};
use crate::convert::{Became, ConvertFault, Converter};
use crate::run::{Keys, RunError, io_error};
use crate::tally::Tally;

/// What would become of a collection.
#[derive(Debug, Default)]
pub struct CollectionScan {
    /// In numbers.
    pub tally: Tally,
    /// Documents that each of the deleting indexes would delete at once, by the index's name.
    pub expired: Vec<(String, u64)>,
    /// Documents that would have the same key in a unique index: a run would be refused their updates.
    pub collisions: Vec<CollectionCollisions>,
    /// Bytes of old and new values of the documents that would be updated: what their updates carry at least.
    pub change_bytes: u64,
    /// Documents that would stop a run, or that no update can be made for: the first few, with why.
    pub problems: Vec<String>,
}

impl CollectionScan {
    /// How many bytes the run adds to the oplog, estimated: an entry has about 200 bytes beside what it sets.
    pub fn oplog_bytes(&self) -> u64 {
        const ENTRY_BYTES: u64 = 200;
        self.tally.changed.saturating_mul(ENTRY_BYTES).saturating_add(self.change_bytes)
    }
}

/// Documents with the same key in a unique index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CollectionCollisions {
    /// The index.
    pub index: String,
    /// How many documents have the key of another before them.
    pub count: u64,
    /// The `_id`s of the first few that have one key.
    pub first: Vec<Vec<String>>,
}

/// Told how many documents were read; `Break` stops.
pub type ScanWatch<'a> = &'a mut dyn FnMut(u64) -> ControlFlow<()>;

/// How many are named.
const NAMED_MAX: usize = 10;

/// So many bytes, and documents, are read at once.
const BATCH_BYTES: usize = 16 << 20;
const BATCH_DOCUMENTS: usize = 10_000;

/// Goes through all documents of `job`: converted, but not written. Where keys collide, it goes through them twice, to tell
/// whose they are.
///
/// # Errors
///
/// [`RunError`] when the collection cannot be read.
pub fn scan_collection(
    job: &CollectionJob,
    collection: &dyn Collection,
    retries: Retries,
    watch: ScanWatch<'_>,
) -> Result<CollectionScan, RunError> {
    let session = Session::new(collection, retries);
    let checks = Checks::new(&job.plan, Some(&job.description.metadata));
    let mut scan = CollectionScan {
        tally: Tally::new(&job.rules),
        expired: checks.expiring.iter().map(|expiring| (expiring.index.clone(), 0)).collect(),
        ..CollectionScan::default()
    };
    let mut keys: Vec<Keys> = checks.unique.iter().map(|_| Keys::default()).collect();
    let mut scanning = Scanning { job, session: &session, checks: &checks, scan: &mut scan };
    scanning.pass(watch, &mut |_, found| {
        for &(unique, key, number) in &found.keys {
            if let Some(keys) = keys.get_mut(unique) {
                keys.add(key, number).map_err(io_error(&std::env::temp_dir()))?;
            }
        }
        Ok(())
    })?;
    let mut colliding = Vec::new();
    for (keys, unique) in keys.into_iter().zip(&checks.unique) {
        let (count, first) = keys.finish().map_err(io_error(&std::env::temp_dir()))?;
        colliding.push(first.into_iter().map(|(_, _, key)| (key, Vec::new())).collect::<HashMap<u64, Vec<String>>>());
        let first = Vec::new();
        scan.collisions.push(CollectionCollisions { index: unique.index.clone(), count, first });
    }
    if scan.collisions.iter().any(|collisions| collisions.count > 0) {
        name_colliding(job, &session, &checks, &mut colliding, watch)?;
        for (collisions, ids) in scan.collisions.iter_mut().zip(colliding) {
            collisions.first = ids.into_values().filter(|ids| ids.len() > 1).collect();
            collisions.first.sort();
        }
    }
    scan.collisions.retain(|collisions| collisions.count > 0);
    Ok(scan)
}

/// Goes through the documents once more and takes the `_id`s of those with one of the keys.
fn name_colliding(
    job: &CollectionJob,
    session: &Session<'_>,
    checks: &Checks,
    colliding: &mut [HashMap<u64, Vec<String>>],
    watch: ScanWatch<'_>,
) -> Result<(), RunError> {
    let mut again = CollectionScan { tally: Tally::new(&job.rules), ..CollectionScan::default() };
    again.expired = checks.expiring.iter().map(|expiring| (expiring.index.clone(), 0)).collect();
    Scanning { job, session, checks, scan: &mut again }.pass(watch, &mut |id, found| {
        for &(unique, key, _) in &found.keys {
            let ids = colliding.get_mut(unique).and_then(|keys| keys.get_mut(&key));
            if let Some(ids) = ids.filter(|ids| ids.len() < NAMED_MAX) {
                ids.push(id.to_string());
            }
        }
        Ok(())
    })
}

/// Is shown the `_id` of a document and what was found in it.
type Look<'a> = &'a mut dyn FnMut(&RawValue, &Found) -> Result<(), RunError>;

struct Scanning<'a> {
    job: &'a CollectionJob,
    session: &'a Session<'a>,
    checks: &'a Checks,
    scan: &'a mut CollectionScan,
}

impl Scanning<'_> {
    fn pass(&mut self, watch: ScanWatch<'_>, look: Look<'_>) -> Result<(), RunError> {
        let mut walk = Walk::new(self.session, None, Resume::default(), BATCH_DOCUMENTS);
        let mut batch = Batch::with_size(BATCH_BYTES, BATCH_DOCUMENTS);
        let mut converter = Converter::new(&self.job.rules, self.job.plan.damaged);
        let mut after = Vec::new();
        while walk.next(&mut batch)? {
            for document in batch.iter() {
                after.clear();
                self.document(document.bytes, document.index, &mut converter, &mut after, look)?;
            }
            if watch(self.scan.tally.documents).is_break() {
                return Err(RunError::Stopped);
            }
        }
        Ok(())
    }

    fn document(
        &mut self,
        document: &[u8],
        number: u64,
        converter: &mut Converter<'_>,
        after: &mut Vec<u8>,
        look: Look<'_>,
    ) -> Result<(), RunError> {
        let Some(id) = id_of(document) else { return Ok(()) };
        match converter.convert(document, after, &mut self.scan.tally) {
            Ok(Became::Changed) => {
                let patches = converter.patches().iter();
                let bytes: usize = patches.map(|patch| patch.before.len() + patch.after.len()).sum();
                self.scan.change_bytes += bytes as u64;
            }
            // A document that is put aside stays in the collection as it is.
            Ok(Became::Quarantined) => after.extend_from_slice(document),
            Ok(Became::Same) => {}
            Err(fault) => {
                self.problem(&id, &fault);
                after.extend_from_slice(document);
            }
        }
        let mut found = Found::default();
        self.checks.look(number, document, after, &mut found);
        for ((_, count), more) in self.scan.expired.iter_mut().zip(&found.expired) {
            *count += more;
        }
        look(&id, &found)
    }

    #[cold]
    fn problem(&mut self, id: &RawValue, fault: &ConvertFault) {
        if self.scan.problems.len() < NAMED_MAX {
            self.scan.problems.push(format!("the document with the _id {id}: {fault}"));
        }
    }
}
