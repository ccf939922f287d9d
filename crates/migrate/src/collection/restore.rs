//! Having the old values of a collection back, where nobody has changed the new ones since.

use std::collections::HashSet;
use std::io::Write;
use std::path::{Path, PathBuf};

use boson_bson::Document;

use super::change::Change;
use super::guard;
use super::log::{Entry, Reading};
use super::port::{Collection, MESSAGE_BYTES_MAX, Update};
use super::raw::RawValue;
use super::session::{Retries, Session};
use crate::chunk::hash;
use crate::run::{RunError, io_error};

/// How a collection is restored.
#[derive(Clone, Debug)]
pub struct RestoreOptions {
    /// Updates in a message, at most.
    pub batch_documents: usize,
    /// How calls are made again that are interrupted.
    pub retries: Retries,
    /// A file that is made anew: a line of JSON for each value that is not restored.
    pub list: PathBuf,
}

/// What was restored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CollectionRestored {
    /// Entries of the log that were gone through: a document can have several.
    pub entries: u64,
    /// Documents in which values were restored.
    pub restored: u64,
    /// Values that were as they had been already.
    pub already: u64,
    /// Values that somebody changed since, or that belong to one: each is listed, and stays.
    pub changed: u64,
    /// Documents that are gone: each is listed.
    pub vanished: u64,
    /// Updates that the server refused: each is listed.
    pub refused: u64,
}

/// Called between two messages; `Break` stops, and the same call later does the rest.
pub type RestoreWatch<'a> = &'a mut dyn FnMut(&CollectionRestored) -> std::ops::ControlFlow<()>;

/// Restores the collection called `namespace` by the undo log at `log`, the newest changes first.
///
/// # Errors
///
/// [`RunError`]: when the log is of another collection or damaged, or the server cannot be reached. What was restored is.
pub fn restore_collection(
    log: &Path,
    namespace: &str,
    collection: &dyn Collection,
    options: &RestoreOptions,
    watch: RestoreWatch<'_>,
) -> Result<CollectionRestored, RunError> {
    let reading = Reading::open(log)?;
    if reading.header.namespace != namespace {
        let what = format!("{}: is the undo log of {}, not of {namespace}", log.display(), reading.header.namespace);
        return Err(RunError::Refused(what));
    }
    let session = Session::new(collection, options.retries);
    let list = std::fs::File::create(&options.list).map_err(io_error(&options.list))?;
    let mut restoring = Restoring {
        session: &session,
        options,
        list: std::io::BufWriter::new(list),
        later: HashSet::new(),
        restored: CollectionRestored::default(),
    };
    for place in reading.blocks.iter().rev() {
        restoring.block(reading.entries(place)?, place.again, watch)?;
    }
    restoring.list.flush().map_err(io_error(&options.list))?;
    Ok(restoring.restored)
}

/// How often a document is read again that others keep changing.
const ROUNDS_MAX: usize = 20;

struct Restoring<'a> {
    session: &'a Session<'a>,
    options: &'a RestoreOptions,
    list: std::io::BufWriter<std::fs::File>,
    /// Values that a later entry of the log is about: what was before an earlier one is not what was last.
    later: HashSet<u64>,
    restored: CollectionRestored,
}

impl Restoring<'_> {
    fn block(&mut self, entries: Vec<Entry>, again: bool, watch: RestoreWatch<'_>) -> Result<(), RunError> {
        self.restored.entries += entries.len() as u64;
        let mut rest: Vec<Entry> = entries.into_iter().filter_map(|entry| self.backwards(entry, again)).collect();
        for _ in 0..ROUNDS_MAX {
            if rest.is_empty() {
                return Ok(());
            }
            rest = self.round(rest, watch)?;
        }
        for entry in &rest {
            self.restored.changed += entry.changes.len() as u64;
            self.list(&entry.id, "$", "others changed it as often as it was read")?;
        }
        Ok(())
    }

    /// What is to be done to undo an entry, but for what a later one is about.
    fn backwards(&mut self, entry: Entry, again: bool) -> Option<Entry> {
        let key = |change: &Change| {
            let names = change.path.join("\0");
            hash(&[&[entry.id.tag().byte()], entry.id.bytes(), names.as_bytes()].concat())
        };
        let own = entry.changes.iter().filter(|change| !self.later.contains(&key(change)));
        let changes: Vec<Change> = own.map(Change::back).collect();
        if again {
            let keys: Vec<u64> = entry.changes.iter().map(key).collect();
            self.later.extend(keys);
        }
        (!changes.is_empty()).then_some(Entry { id: entry.id, changes })
    }

    /// Sends the updates of some entries; what is to be tried again.
    fn round(&mut self, entries: Vec<Entry>, watch: RestoreWatch<'_>) -> Result<Vec<Entry>, RunError> {
        let mut next = Vec::new();
        let mut entries = entries.into_iter().peekable();
        while entries.peek().is_some() {
            let (mut few, mut updates, mut bytes) = (Vec::new(), Vec::new(), 0);
            while let Some(entry) = entries.peek()
                && few.len() < self.options.batch_documents.max(1)
                && bytes < MESSAGE_BYTES_MAX / 2
            {
                let update = guard::update(&entry.id, &entry.changes);
                bytes += update.filter.len() + update.change.bytes().len();
                updates.push(update);
                few.extend(entries.next());
            }
            next.extend(self.message(few, &updates)?);
            if watch(&self.restored).is_break() {
                return Err(RunError::Stopped);
            }
        }
        Ok(next)
    }

    fn message(&mut self, entries: Vec<Entry>, updates: &[Update]) -> Result<Vec<Entry>, RunError> {
        let reply = self.session.update(updates)?;
        self.restored.restored += reply.matched;
        let mut failed = HashSet::new();
        for failure in &reply.failed {
            if let Some(entry) = entries.get(failure.index) {
                self.restored.refused += 1;
                failed.insert(failure.index);
                self.list(&entry.id, "$", &format!("the server refused it ({}): {}", failure.code, failure.message))?;
            }
        }
        if reply.matched + failed.len() as u64 == entries.len() as u64 {
            return Ok(Vec::new());
        }
        let is_missed = |place: &usize| {
            !failed.contains(place) && reply.unmatched.as_ref().is_none_or(|unmatched| unmatched.contains(place))
        };
        let missed = entries.into_iter().enumerate().filter(|(place, _)| is_missed(place)).map(|(_, entry)| entry);
        // Where the server does not say which they are, those that were matched are among them.
        let matched = if reply.unmatched.is_some() { 0 } else { reply.matched };
        self.read_again(missed.collect(), matched)
    }

    fn read_again(&mut self, missed: Vec<Entry>, mut matched: u64) -> Result<Vec<Entry>, RunError> {
        let ids: Vec<&RawValue> = missed.iter().map(|entry| &entry.id).collect();
        let found = self.session.find(&ids)?;
        let mut next = Vec::new();
        for entry in missed {
            let Some(bytes) = found.get(&entry.id) else {
                self.restored.vanished += 1;
                self.list(&entry.id, "$", "the document is gone")?;
                continue;
            };
            let Ok(document) = Document::new(bytes) else { continue };
            next.extend(self.what_is_left(entry, document, &mut matched)?);
        }
        Ok(next)
    }

    /// Which changes of an entry are still to be made in `document`: those whose value nobody changed.
    fn what_is_left(
        &mut self,
        entry: Entry,
        document: Document<'_>,
        matched: &mut u64,
    ) -> Result<Option<Entry>, RunError> {
        let states: Vec<State> = entry.changes.iter().map(|change| State::of(change, document)).collect();
        if *matched > 0 && states.iter().all(|state| *state == State::Done) {
            *matched -= 1;
            return Ok(None);
        }
        let mut rest = Vec::new();
        for (place, (change, state)) in entry.changes.iter().zip(&states).enumerate() {
            // What a value lost stands before it, and stays beside it for as long as it is there.
            let is_kept = change.to.is_none() && states.get(place.saturating_add(1)) == Some(&State::Changed);
            match state {
                State::Done => self.restored.already += 1,
                State::Open if !is_kept => rest.push(change.clone()),
                _ => {
                    self.restored.changed += 1;
                    self.list(&entry.id, &change.to_string(), "somebody changed it since")?;
                }
            }
        }
        Ok((!rest.is_empty()).then_some(Entry { id: entry.id, changes: rest }))
    }

    fn list(&mut self, id: &RawValue, path: &str, why: &str) -> Result<(), RunError> {
        let (path, why) = (serde_json::Value::from(path), serde_json::Value::from(why));
        writeln!(self.list, "{{\"_id\":{id},\"path\":{path},\"why\":{why}}}").map_err(io_error(&self.options.list))
    }
}

/// What became of a value since it was converted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// It is as it was made.
    Open,
    /// It is as it was before.
    Done,
    /// It is something else.
    Changed,
}

impl State {
    /// The state of the value that `change`, which goes backwards, is about.
    fn of(change: &Change, document: Document<'_>) -> Self {
        let found = change.found(document);
        let is = |value: &Option<RawValue>| match (value, &found) {
            (Some(value), Some(found)) => value.is(found),
            (None, None) => true,
            _ => false,
        };
        if is(&change.to) {
            Self::Done
        } else if is(&change.from) {
            Self::Open
        } else {
            Self::Changed
        }
    }
}
