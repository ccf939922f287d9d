//! Calls to a server that may be interrupted, and documents in the order of their `_id`s.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use boson_bson::{Document, Tag};
use boson_store::Batch;

use super::bracket::Resume;
use super::port::{Collection, Cursor, PortError, PortErrorKind, Reply, Scan, Update};
use super::raw::{Build, RawValue, array, object};
use crate::run::RunError;

/// How often, and how soon, a call is made again that was interrupted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retries {
    /// How often at most.
    pub count: u32,
    /// How long to wait before the first time; twice as long before each that follows.
    pub pause: Duration,
    /// The longest pause.
    pub pause_max: Duration,
}

impl Default for Retries {
    /// About three minutes in all: a failover takes a dozen seconds, a restart of a large server longer.
    fn default() -> Self {
        Self { count: 15, pause: Duration::from_millis(100), pause_max: Duration::from_secs(20) }
    }
}

/// A collection, asked until it answers.
pub(crate) struct Session<'a> {
    pub(crate) collection: &'a dyn Collection,
    retries: Retries,
    /// Set when the run is to end.
    pub(crate) stop: AtomicBool,
    /// How often something was asked again.
    pub(crate) interruptions: AtomicU64,
}

/// How long a pause lasts at most before it looks whether the run is to end.
const NAP: Duration = Duration::from_millis(50);

/// So many documents are read again at once.
const FIND_MAX: usize = 1000;

impl<'a> Session<'a> {
    pub(crate) const fn new(collection: &'a dyn Collection, retries: Retries) -> Self {
        Self { collection, retries, stop: AtomicBool::new(false), interruptions: AtomicU64::new(0) }
    }

    /// Makes a call until it is not interrupted.
    pub(crate) fn again<T>(&self, mut call: impl FnMut() -> Result<T, PortError>) -> Result<T, RunError> {
        let mut count = 0;
        loop {
            match call() {
                Ok(answer) => return Ok(answer),
                Err(error) => self.pause(error, &mut count)?,
            }
        }
    }

    /// Waits before a call is made again that failed with `error` after `count` others; not for ever.
    fn pause(&self, error: PortError, count: &mut u32) -> Result<(), RunError> {
        if error.kind == PortErrorKind::Refused || *count >= self.retries.count || self.stop.load(Ordering::Relaxed) {
            return Err(RunError::Server(error));
        }
        self.interruptions.fetch_add(1, Ordering::Relaxed);
        let factor = 1_u32.checked_shl(*count).unwrap_or(u32::MAX);
        let mut rest = self.retries.pause.saturating_mul(factor).min(self.retries.pause_max);
        while !rest.is_zero() && !self.stop.load(Ordering::Relaxed) {
            let nap = rest.min(NAP);
            thread::sleep(nap);
            rest = rest.saturating_sub(nap);
        }
        *count += 1;
        Ok(())
    }

    /// Sends updates, again if that is interrupted: those that took place the first time then match nothing.
    pub(crate) fn update(&self, updates: &[Update]) -> Result<Reply, RunError> {
        self.again(|| self.collection.update(updates))
    }

    /// The documents with these `_id`s, those that are there.
    pub(crate) fn find(&self, ids: &[&RawValue]) -> Result<HashMap<RawValue, Vec<u8>>, RunError> {
        let mut found = HashMap::new();
        for ids in ids.chunks(FIND_MAX) {
            self.again(|| self.find_few(ids, &mut found))?;
        }
        Ok(found)
    }

    fn find_few(&self, ids: &[&RawValue], found: &mut HashMap<RawValue, Vec<u8>>) -> Result<(), PortError> {
        let ids: Vec<RawValue> = ids.iter().map(|&id| id.clone()).collect();
        let filter = object(&[("_id", object(&[("$in", array(&ids))]))]);
        let scan = Scan { filter: filter.bytes().to_vec(), ..Scan::default() };
        let mut cursor = self.collection.scan(&scan)?;
        while let Some(document) = cursor.next_document()? {
            if let Some(id) = id_of(document) {
                found.insert(id, document.to_vec());
            }
        }
        Ok(())
    }
}

/// The `_id` of a document.
pub(crate) fn id_of(document: &[u8]) -> Option<RawValue> {
    let value = Document::new(document).ok()?.get("_id").ok()??;
    Some(RawValue::of(&value))
}

/// Goes through a collection in the order of its `_id`s, across their types, and goes on where it was interrupted.
pub(crate) struct Walk<'s> {
    session: &'s Session<'s>,
    /// Beside the condition on `_id`, any of these must hold.
    any_of: Option<RawValue>,
    batch_documents: u32,
    cursor: Option<Box<dyn Cursor + 's>>,
    /// Behind the last document that was handed out; `None` at the end.
    place: Option<Resume>,
    number: u64,
}

impl<'s> Walk<'s> {
    pub(crate) fn new(
        session: &'s Session<'s>,
        any_of: Option<RawValue>,
        start: Resume,
        batch_documents: usize,
    ) -> Self {
        let batch_documents = u32::try_from(batch_documents).unwrap_or(0);
        Self {
            session,
            any_of,
            batch_documents,
            cursor: None,
            place: Some(start).filter(|start| !start.is_end()),
            number: 0,
        }
    }

    /// Where it goes on behind the documents that were handed out; `None` at the end.
    pub(crate) fn place(&self) -> Option<Resume> {
        self.place.clone()
    }

    /// Fills `batch` anew; false when there are no more documents.
    pub(crate) fn next(&mut self, batch: &mut Batch) -> Result<bool, RunError> {
        batch.clear();
        let mut failures = 0;
        while self.place.is_some() && !batch.is_full() {
            let place = self.place.clone();
            let outcome = self.read(batch);
            // That a cursor was opened is no progress: it may fail at the first document each time.
            if self.place != place {
                failures = 0;
            }
            if let Err(error) = outcome {
                self.cursor = None;
                self.session.pause(error, &mut failures)?;
            }
        }
        Ok(!batch.is_empty())
    }

    /// Reads on in one bracket until the batch is full or the bracket ends.
    fn read(&mut self, batch: &mut Batch) -> Result<(), PortError> {
        let Some(place) = self.place.clone() else { return Ok(()) };
        if self.cursor.is_none() {
            match self.open(&place)? {
                Some(cursor) => self.cursor = Some(cursor),
                None => self.place = place.next_bracket(),
            }
            return Ok(());
        }
        let Some(cursor) = &mut self.cursor else { return Ok(()) };
        let mut last = None;
        let outcome = loop {
            if batch.is_full() {
                break Ok(false);
            }
            match cursor.next_document() {
                Ok(Some(bytes)) => {
                    let Some(id) = id_of(bytes) else {
                        break Err(PortError::refused("a document without an _id: is this a view?"));
                    };
                    last = Some(id);
                    batch.push(&boson_store::Document { bytes, index: self.number, offset: 0 });
                    self.number += 1;
                }
                Ok(None) => break Ok(true),
                Err(error) => break Err(error),
            }
        };
        let place = last.map_or(place.clone(), |id| place.behind(&id));
        self.place = Some(place);
        if outcome? {
            self.cursor = None;
            self.place = self.place.take().and_then(|place| place.next_bracket());
        }
        Ok(())
    }

    fn open(&self, place: &Resume) -> Result<Option<Box<dyn Cursor + 's>>, PortError> {
        let mut filter = Build::new();
        if !place.put_condition(None, &mut filter) {
            return Ok(None);
        }
        if let Some(any_of) = &self.any_of {
            filter.put(b"$or", Tag::Array, any_of.bytes());
        }
        let scan = Scan { filter: filter.finish(), batch_documents: self.batch_documents, ..Scan::default() };
        self.session.collection.scan(&scan).map(Some)
    }
}
