//! A server in memory, with others at work in it, that loses connections and dies when it is told to.

mod convert;
mod expression;
mod order;
mod query;

use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::{Mutex, MutexGuard, PoisonError};

use boson_migrate::collection::{
    Collection, Cursor, Description, Failure, ManyReply, Modification, PortError, Reply, Scan, Update,
};
use boson_store::Metadata;
use bson::{Bson, Document};

use order::Key;
pub(crate) use query::matches;

/// What is asked of the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Call {
    Describe,
    Scan,
    Next,
    Update,
    UpdateMany,
}

/// What happens to a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    Works,
    /// The connection is lost before anything is done.
    LostBefore,
    /// The first so many updates are done, then the connection is lost.
    LostAfter(usize),
    /// The server says no.
    Refused,
    /// The whole process is killed before, or after, the call is done.
    KilledBefore,
    KilledAfter,
}

/// The documents of the collection, as those see them who write to it.
#[derive(Debug, Default)]
pub(crate) struct Documents(BTreeMap<Key, Vec<u8>>);

type Fates = Box<dyn FnMut(u64, Call) -> Fate + Send>;
type Others = Box<dyn FnMut(Call, &mut Documents) + Send>;

pub(crate) struct Server {
    state: Mutex<State>,
    pub(crate) description: Description,
    /// Whether it says which updates matched nothing, as `bulkWrite` does.
    pub(crate) names_unmatched: bool,
}

struct State {
    documents: Documents,
    calls: u64,
    fates: Fates,
    others: Others,
    unique: Option<(String, String)>,
    validator: Option<fn(&Document) -> bool>,
    batches: Vec<usize>,
}

/// What a test is killed with.
pub(crate) const KILLED: &str = "killed";

pub(crate) fn parse(bytes: &[u8]) -> Document {
    Document::from_reader(bytes).unwrap()
}

impl Documents {
    pub(crate) fn insert(&mut self, document: &Document) {
        self.0.insert(Key(document.get("_id").unwrap().clone()), document.to_vec().unwrap());
    }

    pub(crate) fn insert_raw(&mut self, bytes: Vec<u8>) {
        self.0.insert(Key(parse(&bytes).get("_id").unwrap().clone()), bytes);
    }

    pub(crate) fn remove(&mut self, id: &Bson) {
        self.0.remove(&Key(id.clone()));
    }

    pub(crate) fn get(&self, id: &Bson) -> Option<Document> {
        self.0.get(&Key(id.clone())).map(|bytes| parse(bytes))
    }

    pub(crate) fn ids(&self) -> Vec<Bson> {
        self.0.keys().map(|key| key.0.clone()).collect()
    }

    pub(crate) fn all(&self) -> Vec<Document> {
        self.0.values().map(|bytes| parse(bytes)).collect()
    }

    pub(crate) fn raw(&self) -> Vec<Vec<u8>> {
        self.0.values().cloned().collect()
    }
}

/// Metadata as `mongodump` writes it.
pub(crate) fn described(metadata: &str) -> Description {
    let metadata = Metadata::parse(metadata.as_bytes().to_vec()).unwrap();
    Description { metadata, shard_key: Vec::new(), documents: 0, version: Some([8, 0, 4]) }
}

impl Server {
    pub(crate) fn new(documents: &[Document]) -> Self {
        let mut own = Documents::default();
        for document in documents {
            own.insert(document);
        }
        Self {
            state: Mutex::new(State {
                documents: own,
                calls: 0,
                fates: Box::new(|_, _| Fate::Works),
                others: Box::new(|_, _| ()),
                unique: None,
                validator: None,
                batches: Vec::new(),
            }),
            description: described("{\"options\":{},\"indexes\":[]}"),
            names_unmatched: false,
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Says what happens to each call.
    pub(crate) fn fates(&self, fates: impl FnMut(u64, Call) -> Fate + Send + 'static) {
        let mut state = self.state();
        state.calls = 0;
        state.fates = Box::new(fates);
    }

    /// Says what others do before each call.
    pub(crate) fn others(&self, others: impl FnMut(Call, &mut Documents) + Send + 'static) {
        self.state().others = Box::new(others);
    }

    /// No two documents may have the same value in `field`.
    pub(crate) fn unique(&self, index: &str, field: &str) {
        self.state().unique = Some((index.to_owned(), field.to_owned()));
    }

    pub(crate) fn validator(&self, validator: fn(&Document) -> bool) {
        self.state().validator = Some(validator);
    }

    pub(crate) fn with<T>(&self, work: impl FnOnce(&mut Documents) -> T) -> T {
        work(&mut self.state().documents)
    }

    pub(crate) fn documents(&self) -> Vec<Document> {
        self.state().documents.all()
    }

    pub(crate) fn raw(&self) -> Vec<Vec<u8>> {
        self.state().documents.raw()
    }

    /// How many updates were in each call.
    pub(crate) fn batches(&self) -> Vec<usize> {
        self.state().batches.clone()
    }

    /// Lets the others work and says what is to happen to the call.
    fn begin(&self, call: Call) -> (MutexGuard<'_, State>, Fate) {
        let mut state = self.state();
        state.calls += 1;
        let calls = state.calls;
        let State { documents, others, .. } = &mut *state;
        others(call, documents);
        let fate = (state.fates)(calls, call);
        if fate == Fate::KilledBefore {
            drop(state);
            std::panic::resume_unwind(Box::new(KILLED));
        }
        (state, fate)
    }
}

fn lost() -> PortError {
    PortError::interrupted("connection reset by peer")
}

impl Collection for Server {
    fn describe(&self) -> Result<Description, PortError> {
        let fate = self.begin(Call::Describe).1;
        if fate == Fate::Works { Ok(self.description.clone()) } else { Err(lost()) }
    }

    fn scan(&self, scan: &Scan) -> Result<Box<dyn Cursor + '_>, PortError> {
        let fate = self.begin(Call::Scan).1;
        if fate != Fate::Works {
            return Err(lost());
        }
        let filter = parse(&scan.filter);
        Ok(Box::new(Reading { server: self, filter, scan: scan.clone(), last: None, handed: 0, current: Vec::new() }))
    }

    fn update(&self, updates: &[Update]) -> Result<Reply, PortError> {
        let (mut state, fate) = self.begin(Call::Update);
        let done = match fate {
            Fate::LostBefore => return Err(lost()),
            Fate::LostAfter(count) => updates.get(..count).unwrap_or(updates),
            _ => updates,
        };
        state.batches.push(done.len());
        let mut reply = Reply::default();
        let mut unmatched = Vec::new();
        for (index, update) in done.iter().enumerate() {
            match state.apply(update) {
                Ok(true) => reply.matched += 1,
                Ok(false) => unmatched.push(index),
                Err((code, message)) => reply.failed.push(Failure { index, code, message }),
            }
        }
        reply.unmatched = self.names_unmatched.then_some(unmatched);
        match fate {
            Fate::LostAfter(_) => Err(lost()),
            Fate::KilledAfter => {
                drop(state);
                std::panic::resume_unwind(Box::new(KILLED))
            }
            _ => Ok(reply),
        }
    }

    fn update_many(&self, filter: &[u8], pipeline: &[u8]) -> Result<ManyReply, PortError> {
        let (mut state, fate) = self.begin(Call::UpdateMany);
        match fate {
            Fate::LostBefore => return Err(lost()),
            Fate::Refused => return Err(PortError::refused("E11000 duplicate key error")),
            _ => {}
        }
        let filter = parse(filter);
        let stages: Vec<Bson> = parse(pipeline).into_iter().map(|(_, stage)| stage).collect();
        let mut reply = ManyReply::default();
        for id in state.documents.ids() {
            let before = state.documents.get(&id).unwrap();
            if matches(&filter, &before) {
                let after = expression::pipeline(&stages, &before);
                assert_eq!(after.get("_id"), before.get("_id"));
                reply.matched += 1;
                reply.modified += u64::from(after != before);
                state.documents.insert(&after);
            }
        }
        if matches!(fate, Fate::LostAfter(_)) { Err(lost()) } else { Ok(reply) }
    }
}

impl State {
    /// Applies one update; whether it matched.
    fn apply(&mut self, update: &Update) -> Result<bool, (i32, String)> {
        let filter = parse(&update.filter);
        let id = match filter.get("_id").unwrap() {
            Bson::Document(operators) if operators.contains_key("$eq") => operators.get("$eq").unwrap().clone(),
            id => id.clone(),
        };
        let Some(before) = self.documents.get(&id).filter(|document| matches(&filter, document)) else {
            return Ok(false);
        };
        let after = match &update.change {
            Modification::Operators(bytes) => operators(&parse(bytes), &before)?,
            Modification::Pipeline(bytes) => {
                let stages: Vec<Bson> = parse(bytes).into_iter().map(|(_, stage)| stage).collect();
                expression::pipeline(&stages, &before)
            }
        };
        let id_of = |document: &Document| Key(document.get("_id").unwrap().clone());
        assert_eq!(id_of(&after), id_of(&before));
        if let Some((index, field)) = &self.unique {
            let others = self.documents.all();
            let others = others.iter().filter(|other| id_of(other) != id_of(&after));
            let key = |document: &Document| Key(document.get(field).cloned().unwrap_or(Bson::Null));
            if others.map(key).any(|other| other == key(&after)) {
                let value = key(&after).0;
                let what = format!(
                    "E11000 duplicate key error collection: t.c index: {index} dup key: {{ {field}: {value} }}"
                );
                return Err((11_000, what));
            }
        }
        if self.validator.is_some_and(|validator| !validator(&after)) {
            return Err((121, "Document failed validation".to_owned()));
        }
        self.documents.insert(&after);
        Ok(true)
    }
}

fn operators(change: &Document, before: &Document) -> Result<Document, (i32, String)> {
    let mut document = before.clone();
    for (name, operand) in change {
        for (path, value) in operand.as_document().unwrap() {
            let value = match name.as_str() {
                "$set" => Some(value.clone()),
                "$unset" => None,
                other => panic!("unknown operator {other}"),
            };
            assert!(
                !path.is_empty() && path.split('.').all(|name| !name.is_empty() && !name.starts_with('$')),
                "{path}"
            );
            set(&mut document, path, value)?;
        }
    }
    Ok(document)
}

/// `$set` and `$unset`: what is missing on the way is made, a number is a place where there is an array.
fn set(document: &mut Document, path: &str, value: Option<Bson>) -> Result<(), (i32, String)> {
    let Some((name, rest)) = path.split_once('.') else {
        match value {
            Some(value) => document.insert(path, value),
            None => document.remove(path),
        };
        return Ok(());
    };
    if !document.contains_key(name) {
        document.insert(name, Document::new());
    }
    match document.get_mut(name) {
        Some(Bson::Document(inner)) => set(inner, rest, value),
        Some(Bson::Array(items)) => {
            let (place, rest) = rest.split_once('.').map_or((rest, None), |(place, rest)| (place, Some(rest)));
            let item = place.parse::<usize>().ok().and_then(|place| items.get_mut(place));
            match (item, rest) {
                (Some(Bson::Document(inner)), Some(rest)) => set(inner, rest, value),
                (Some(item), None) => {
                    *item = value.unwrap_or(Bson::Null);
                    Ok(())
                }
                _ => Err((28, format!("Cannot create field {path:?}"))),
            }
        }
        _ => Err((28, format!("Cannot create field {path:?}"))),
    }
}

/// Documents as they are when they are asked for: a cursor shows no one moment.
struct Reading<'a> {
    server: &'a Server,
    filter: Document,
    scan: Scan,
    last: Option<Key>,
    handed: u64,
    current: Vec<u8>,
}

impl Cursor for Reading<'_> {
    fn next_document(&mut self) -> Result<Option<&[u8]>, PortError> {
        let (state, fate) = self.server.begin(Call::Next);
        if fate != Fate::Works {
            return Err(lost());
        }
        if self.scan.limit > 0 && self.handed >= self.scan.limit {
            return Ok(None);
        }
        let start = self.last.clone().map_or(Bound::Unbounded, Bound::Excluded);
        let rest = state.documents.0.range((start, Bound::Unbounded));
        let skip = if self.last.is_none() { self.scan.skip } else { 0 };
        let mut found = rest.filter(|(_, bytes)| matches(&self.filter, &parse(bytes)));
        let Some((key, bytes)) = found.nth(usize::try_from(skip).unwrap()) else { return Ok(None) };
        self.current.clear();
        if self.scan.ids_only {
            let only = bson::doc! { "_id": key.0.clone() };
            self.current.extend_from_slice(&only.to_vec().unwrap());
        } else {
            self.current.extend_from_slice(bytes);
        }
        self.last = Some(key.clone());
        self.handed += 1;
        Ok(Some(&self.current))
    }
}
