//! What one thread does with a batch: convert, log, send, and read again what was not as it had been.

use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use boson_bson::Document;
use boson_profile::Path;
use boson_store::Batch;

use super::change::{Changes, changes};
use super::guard;
use super::job::CollectionJob;
use super::log::{Entry, Log, encode};
use super::port::{DOCUMENT_BYTES_MAX, Failure, MESSAGE_BYTES_MAX, MESSAGE_UPDATES_MAX, Reply, Update};
use super::raw::RawValue;
use super::run::{CollectionOptions, Counts};
use super::session::{Session, id_of};
use super::throttle::Throttle;
use crate::convert::{Became, ConvertFault, Converter};
use crate::hazard::{covers, dotted};
use crate::run::{RunError, io_error};
use crate::tally::Tally;

/// What the threads of a run have in common.
#[derive(Clone, Copy)]
pub(crate) struct Shared<'a> {
    pub(crate) job: &'a CollectionJob,
    pub(crate) session: &'a Session<'a>,
    pub(crate) log: &'a Mutex<Log>,
    pub(crate) throttle: &'a Mutex<Throttle>,
    pub(crate) options: &'a CollectionOptions,
}

/// What became of a batch.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    pub(crate) tally: Tally,
    pub(crate) counts: Counts,
    /// Lines of JSON.
    pub(crate) list: Vec<u8>,
    pub(crate) quarantine: Vec<u8>,
}

impl Outcome {
    fn list(&mut self, id: &RawValue, path: &str, why: &str) {
        let (path, why) = (serde_json::Value::from(path), serde_json::Value::from(why));
        self.list.extend_from_slice(format!("{{\"_id\":{id},\"path\":{path},\"why\":{why}}}\n").as_bytes());
    }
}

/// Updates that are to be sent, and what each does.
#[derive(Debug, Default)]
struct Items {
    entries: Vec<Entry>,
    updates: Vec<Update>,
}

impl Items {
    fn extend(&mut self, item: Option<(Entry, Update)>) {
        if let Some((entry, update)) = item {
            self.entries.push(entry);
            self.updates.push(update);
        }
    }
}

/// Beside filter and change an update has so many bytes in a message: names, collation, hint.
const UPDATE_BYTES: usize = 256;

/// What a message has beside its updates.
const MESSAGE_BYTES: usize = 64 << 10;

pub(crate) struct Worker<'a> {
    shared: Shared<'a>,
    converter: Converter<'a>,
    after: Vec<u8>,
    /// How many values did not fit, by rule, before the document.
    misfits: Vec<u64>,
}

impl<'a> Worker<'a> {
    pub(crate) fn new(shared: Shared<'a>) -> Self {
        let converter = Converter::new(&shared.job.rules, shared.job.plan.damaged);
        Self { shared, converter, after: Vec::new(), misfits: Vec::new() }
    }

    /// Converts the documents of a batch until none of them has anything to convert.
    pub(crate) fn batch(&mut self, batch: &Batch, mut again: bool) -> Result<Outcome, RunError> {
        let mut out = Outcome { tally: Tally::new(&self.shared.job.rules), ..Outcome::default() };
        let mut items = Items::default();
        for document in batch.iter() {
            items.extend(self.prepare(document.bytes, &mut out)?);
        }
        out.counts.read = batch.len() as u64;
        for _ in 0..self.shared.options.rounds_max {
            if items.entries.is_empty() {
                return Ok(out);
            }
            items = self.send(&items, again, &mut out)?;
            again = true;
        }
        for entry in &items.entries {
            out.counts.contended += 1;
            out.list(&entry.id, "$", "others changed it as often as it was read; the next pass comes to it again");
        }
        Ok(out)
    }

    /// What is to be done with a document; `None` when nothing is, or nothing can be.
    fn prepare(&mut self, document: &[u8], out: &mut Outcome) -> Result<Option<(Entry, Update)>, RunError> {
        self.misfits.clear();
        self.misfits.extend(out.tally.values.iter().map(|values| values.misfits));
        self.after.clear();
        let became = self.converter.convert(document, &mut self.after, &mut out.tally);
        let id = id_of(document).ok_or_else(|| RunError::Refused("a document without an _id".to_owned()))?;
        self.list_misfits(&id, out);
        match became {
            Ok(Became::Same) => Ok(None),
            Ok(Became::Quarantined) => {
                out.quarantine.extend_from_slice(document);
                Ok(None)
            }
            Ok(Became::Changed) => match differences(document, &self.after)? {
                Ok(changes) => Ok(item(Entry { id, changes }, out)),
                Err(problem) => {
                    out.tally.changed -= 1;
                    leave(&id, "$", &problem.to_string(), out);
                    Ok(None)
                }
            },
            // Others may be converted nevertheless, and these two can be a matter of what others write meanwhile.
            Err(fault @ ConvertFault::TooLarge { .. }) => {
                leave(&id, "$", &fault.to_string(), out);
                Ok(None)
            }
            Err(ConvertFault::CompanionTaken { path, companion }) => {
                let why = format!("there is a field {companion:?} already: what would be lost has no place");
                leave(&id, &path, &why, out);
                Ok(None)
            }
            Err(fault) => Err(RunError::DocumentOf { id: id.to_string(), fault }),
        }
    }

    fn list_misfits(&self, id: &RawValue, out: &mut Outcome) {
        for (place, rule) in self.shared.job.rules.rules().iter().enumerate() {
            let now = out.tally.values.get(place).map_or(0, |values| values.misfits);
            if now > self.misfits.get(place).copied().unwrap_or_default() {
                out.list(id, &rule.path, "does not fit");
            }
        }
    }

    /// Sends updates, their old values on the disk before; what is to be sent again, because it was not as it had been.
    fn send(&mut self, items: &Items, again: bool, out: &mut Outcome) -> Result<Items, RunError> {
        let content = encode(&items.entries, again).map_err(io_error(&self.shared.options.folder))?;
        let block = self.lock_log().append(&content)?;
        let mut sending = Sending::default();
        while let Some(rest) = items.updates.get(sending.start..).filter(|rest| !rest.is_empty()) {
            let few = rest.get(..message_len(rest, self.shared.options.batch_documents)).unwrap_or(rest);
            let entries = items.entries.get(sending.start..).unwrap_or_default();
            self.message(few, entries, &mut sending, out)?;
            sending.start += few.len();
        }
        let next = self.read_again(items, &mut sending, out)?;
        self.lock_log().void(block, &sending.void)?;
        Ok(next)
    }

    fn lock_log(&self) -> std::sync::MutexGuard<'a, Log> {
        self.shared.log.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn message(
        &self,
        updates: &[Update],
        entries: &[Entry],
        sending: &mut Sending,
        out: &mut Outcome,
    ) -> Result<(), RunError> {
        let began = Instant::now();
        let reply = self.shared.session.update(updates)?;
        self.shared.throttle.lock().unwrap_or_else(PoisonError::into_inner).took(began.elapsed());
        let mut failed = Vec::new();
        for failure in &reply.failed {
            let Some(entry) = entries.get(failure.index).filter(|_| !is_passing(failure)) else { continue };
            self.refused(entry, failure, out)?;
            failed.push(failure.index);
            sending.void.push(sending.start + failure.index);
        }
        out.counts.updated += reply.matched;
        let len = sending.missed.len();
        let start = sending.start;
        sending.missed.extend(missed(&reply, updates.len(), &failed).map(|place| start + place));
        // Where the server does not say which they are, those that were matched are among them.
        if sending.missed.len() > len && reply.unmatched.is_none() {
            sending.matched += reply.matched;
        }
        Ok(())
    }

    /// An update that the server refused: listed, and the end of the run where the plan says so.
    #[cold]
    fn refused(&self, entry: &Entry, failure: &Failure, out: &mut Outcome) -> Result<(), RunError> {
        let job = self.shared.job;
        let index = job.description.metadata.indexes().iter().find(|index| {
            failure.is_duplicate_key() && failure.message.split_whitespace().any(|word| word == index.name)
        });
        let concerns = |path: &Path| match index {
            Some(index) => index.keys.iter().any(|(key, _)| covers(key, &dotted(path))),
            None => entry.changes.iter().any(|change| covers(&change.path.join("."), &dotted(path))),
        };
        let stops = job.stops_at(concerns);
        let paths: Vec<String> = job.rules.rules().iter().map(|rule| rule.path.clone()).collect();
        let concerned = paths.iter().filter(|path| path.parse::<Path>().is_ok_and(|path| concerns(&path)));
        let path = concerned.cloned().collect::<Vec<_>>().join(", ");
        let why = format!("the server refused it ({}): {}", failure.code, failure.message);
        if stops {
            let what = format!("the document with the _id {}: {path}: {why}", entry.id);
            return Err(RunError::Refused(what + "; `misfits = \"keep\"` in the plan goes on without it"));
        }
        out.counts.refused += 1;
        out.list(&entry.id, &path, &why);
        Ok(())
    }

    /// Reads the documents again whose update was not acknowledged: what became of them, and what is still to be done.
    fn read_again(&mut self, items: &Items, sending: &mut Sending, out: &mut Outcome) -> Result<Items, RunError> {
        let mut next = Items::default();
        let missed: Vec<(usize, &Entry)> =
            sending.missed.iter().filter_map(|&place| Some((place, items.entries.get(place)?))).collect();
        if missed.is_empty() {
            return Ok(next);
        }
        let ids: Vec<&RawValue> = missed.iter().map(|(_, entry)| &entry.id).collect();
        let found = self.shared.session.find(&ids)?;
        let mut already = 0_u64;
        for (place, entry) in missed {
            let Some(document) = found.get(&entry.id) else {
                out.counts.vanished += 1;
                sending.void.push(place);
                continue;
            };
            let (made, all) = (made(entry, document), entry.changes.len());
            if made == 0 {
                sending.void.push(place);
            }
            if made == all {
                already += 1;
            } else {
                out.counts.conflicts += 1;
                // Its values were counted when it was read first.
                let mut rest = Outcome { tally: Tally::new(&self.shared.job.rules), ..Outcome::default() };
                next.extend(self.prepare(document, &mut rest)?);
                out.counts.add(&rest.counts);
                out.list.append(&mut rest.list);
                out.quarantine.append(&mut rest.quarantine);
            }
        }
        out.counts.already += already.saturating_sub(sending.matched);
        Ok(next)
    }
}

/// What is known of the updates of a batch so far.
#[derive(Default)]
struct Sending {
    /// Those that did not take place.
    void: Vec<usize>,
    /// Those that may not have.
    missed: Vec<usize>,
    /// How many of these are known to have, because they are counted.
    matched: u64,
    /// Where the message begins that is sent next.
    start: usize,
}

/// Which updates of a message may not have taken place.
fn missed(reply: &Reply, len: usize, failed: &[usize]) -> impl Iterator<Item = usize> {
    let is_whole = reply.matched + failed.len() as u64 == len as u64;
    let named = reply.unmatched.clone();
    let passing: Vec<usize> = reply.failed.iter().map(|failure| failure.index).collect();
    let failed = failed.to_vec();
    (0..len).filter(move |place| {
        let candidate = named.as_ref().is_none_or(|named| named.contains(place) || passing.contains(place));
        !is_whole && candidate && !failed.contains(place)
    })
}

/// Errors of single updates that pass: write conflicts, and a primary that is none any more.
fn is_passing(failure: &Failure) -> bool {
    const PASSING: [i32; 13] = [6, 7, 24, 50, 89, 91, 112, 189, 262, 9001, 10_107, 11_600, 11_602];
    PASSING.contains(&failure.code) || matches!(failure.code, 13_435 | 13_436)
}

/// How many changes of `entry` are made in `document`.
fn made(entry: &Entry, document: &[u8]) -> usize {
    let Ok(document) = Document::new(document) else { return 0 };
    let is_made = |change: &&super::change::Change| match (&change.to, change.found(document)) {
        (Some(to), Some(found)) => to.is(&found),
        (None, None) => true,
        _ => false,
    };
    entry.changes.iter().filter(is_made).count()
}

fn differences(before: &[u8], after: &[u8]) -> Result<Changes, RunError> {
    let outcome = Document::new(before).and_then(|before| changes(before, Document::new(after)?));
    outcome.map_err(|error| RunError::Refused(format!("a document that was converted cannot be read: {error}")))
}

/// The update that makes the changes of `entry`, if it is not too large for any server.
fn item(entry: Entry, out: &mut Outcome) -> Option<(Entry, Update)> {
    let update = guard::update(&entry.id, &entry.changes);
    let bytes = update.filter.len().max(update.change.bytes().len());
    if bytes > DOCUMENT_BYTES_MAX {
        out.tally.changed -= 1;
        leave(&entry.id, "$", &format!("its update has {bytes} bytes, more than a server takes"), out);
        return None;
    }
    Some((entry, update))
}

#[cold]
fn leave(id: &RawValue, path: &str, why: &str, out: &mut Outcome) {
    out.counts.left += 1;
    out.list(id, path, why);
}

/// How many of `updates` go into one message: at least one.
fn message_len(updates: &[Update], updates_max: usize) -> usize {
    let mut bytes = MESSAGE_BYTES;
    let fits = updates.iter().take(updates_max.clamp(1, MESSAGE_UPDATES_MAX)).take_while(|update| {
        bytes += update.filter.len() + update.change.bytes().len() + UPDATE_BYTES;
        bytes <= MESSAGE_BYTES_MAX
    });
    fits.count().max(1)
}
