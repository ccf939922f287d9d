//! Every new value of a collection against its original, which the undo log has.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::path::Path;

use boson_bson::{Document, Tag};
use boson_store::Batch;

use super::bracket::Resume;
use super::change::Change;
use super::job::CollectionJob;
use super::log::{Entry, Reading};
use super::port::Collection;
use super::raw::{Build, RawValue, object};
use super::session::{Retries, Session, Walk, id_of};
use crate::convert::{Became, ConvertFault, Converter};
use crate::run::RunError;
use crate::tally::Tally;
use crate::verify::{Comparing, Difference, Verified};

/// What was checked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CollectionVerified {
    /// Documents that were read in search of values that could still be converted.
    pub documents: u64,
    /// Of them, those that have one: others wrote it since, or no update can reach it.
    pub left: u64,
    /// `_id`s of the first few of those.
    pub left_ids: Vec<String>,
    /// Values of the log that are what their originals say; [`Verified::documents`] counts entries of the log.
    pub values: Verified,
    /// Values of the log that somebody changed since.
    pub changed: u64,
    /// Entries of the log whose document is gone.
    pub vanished: u64,
    /// Values that are not what their originals say.
    pub wrong: u64,
    /// The first few of those, for people.
    pub wrong_first: Vec<String>,
}

/// How many are named.
const NAMED_MAX: usize = 10;

/// So many bytes, and documents, are read at once.
const BATCH_BYTES: usize = 16 << 20;
const BATCH_DOCUMENTS: usize = 10_000;

/// Called between batches; `Break` stops.
pub type VerifyWatch<'a> = &'a mut dyn FnMut(&CollectionVerified) -> ControlFlow<()>;

/// Reads the documents of `job` again: whether values are left that could be converted, and whether each that the undo log at
/// `log` says was converted is what its original says.
///
/// # Errors
///
/// [`RunError`] when log or collection cannot be read. What is wrong is no error but in the result.
pub fn verify_collection(
    job: &CollectionJob,
    log: &Path,
    collection: &dyn Collection,
    retries: Retries,
    watch: VerifyWatch<'_>,
) -> Result<CollectionVerified, RunError> {
    let session = Session::new(collection, retries);
    let mut verified = CollectionVerified::default();
    look_for_left(job, &session, &mut verified, watch)?;
    let reading = Reading::open(log)?;
    let mut verifying = Verifying { session: &session, comparing: Comparing::new(&job.rules), verified };
    for place in &reading.blocks {
        verifying.block(&reading.entries(place)?)?;
        if watch(&verifying.verified).is_break() {
            return Err(RunError::Stopped);
        }
    }
    let Verifying { comparing, mut verified, .. } = verifying;
    verified.values = comparing.verified;
    Ok(verified)
}

/// Goes through all documents, whatever their types: a value that would still be converted is one that is left.
fn look_for_left(
    job: &CollectionJob,
    session: &Session<'_>,
    verified: &mut CollectionVerified,
    watch: VerifyWatch<'_>,
) -> Result<(), RunError> {
    let mut walk = Walk::new(session, None, Resume::default(), BATCH_DOCUMENTS);
    let mut batch = Batch::with_size(BATCH_BYTES, BATCH_DOCUMENTS);
    let mut converter = Converter::new(&job.rules, job.plan.damaged);
    let (mut after, mut tally) = (Vec::new(), Tally::new(&job.rules));
    while walk.next(&mut batch)? {
        for document in batch.iter() {
            after.clear();
            let became = converter.convert(document.bytes, &mut after, &mut tally);
            verified.documents += 1;
            let is_left = match became {
                Ok(became) => became == Became::Changed,
                // It could be, but for its size or a name that is taken.
                Err(fault) => !matches!(fault, ConvertFault::Damaged(_)),
            };
            if is_left {
                verified.left += 1;
                if verified.left_ids.len() < NAMED_MAX {
                    verified.left_ids.extend(id_of(document.bytes).map(|id| id.to_string()));
                }
            }
        }
        if watch(verified).is_break() {
            return Err(RunError::Stopped);
        }
    }
    Ok(())
}

struct Verifying<'a> {
    session: &'a Session<'a>,
    comparing: Comparing<'a>,
    verified: CollectionVerified,
}

impl Verifying<'_> {
    fn block(&mut self, entries: &[Entry]) -> Result<(), RunError> {
        let ids: Vec<&RawValue> = entries.iter().map(|entry| &entry.id).collect();
        let found = self.session.find(&ids)?;
        for entry in entries {
            self.entry(entry, &found);
        }
        Ok(())
    }

    fn entry(&mut self, entry: &Entry, found: &HashMap<RawValue, Vec<u8>>) {
        let Some(bytes) = found.get(&entry.id) else {
            self.verified.vanished += 1;
            return;
        };
        let Ok(document) = Document::new(bytes) else { return };
        self.comparing.verified.documents += 1;
        // A companion comes before the value whose rest it keeps.
        let mut companion = None;
        for change in &entry.changes {
            if change.from.is_none() {
                companion = Some(change);
                continue;
            }
            let companion = companion.take();
            if is_made(change, document) && companion.is_none_or(|companion| is_made(companion, document)) {
                self.value(entry, change, companion);
            } else {
                self.verified.changed += 1;
            }
        }
    }

    /// Compares the document that has nothing but the old value with that which has nothing but the new one.
    fn value(&mut self, entry: &Entry, change: &Change, companion: Option<&Change>) {
        let before = alone(&change.path, &[(change, &change.from)]);
        let mut members = vec![(change, &change.to)];
        members.extend(companion.map(|companion| (companion, &companion.to)));
        let after = alone(&change.path, &members);
        let (Some(before), Some(after)) = (before, after) else { return };
        let what = match self.comparing.document(&before, &after) {
            Ok(()) => return,
            Err(Difference::Wrong(what)) => what,
            Err(Difference::Damaged(error)) => error.to_string(),
        };
        self.verified.wrong += 1;
        if self.verified.wrong_first.len() < NAMED_MAX {
            self.verified.wrong_first.push(format!("the document with the _id {}: {change}: {what}", entry.id));
        }
    }
}

/// Whether the new value stands where it was written.
fn is_made(change: &Change, document: Document<'_>) -> bool {
    match (&change.to, change.found(document)) {
        (Some(to), Some(found)) => to.is(&found),
        _ => false,
    }
}

/// A document with these values beside one another at the end of `path`, and nothing else.
fn alone(path: &[String], members: &[(&Change, &Option<RawValue>)]) -> Option<Vec<u8>> {
    let mut inner = Build::new();
    for (change, value) in members {
        inner.value(change.path.last()?, value.as_ref()?);
    }
    let inner = RawValue::new(Tag::Document, inner.finish());
    let (_, way) = path.split_last()?;
    let whole = way.iter().rev().fold(inner, |inner, name| object(&[(name.as_str(), inner)]));
    Some(whole.bytes().to_vec())
}
