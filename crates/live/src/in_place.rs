//! What a migration asks of a collection, asked of a server.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use boson_bson::{Array, Document, Tag};
use boson_document::{Kind, Scalar, Value};
use boson_migrate::collection::{
    Collection as Port, Cursor, Description, Failure, ManyReply, Modification, PortError, Reply as UpdateReply, Scan,
    Update,
};
use mongodb::bson::{RawDocumentBuf, rawdoc};

use crate::collection::Collection;
use crate::command::Command;
use crate::describe::Sharding;
use crate::error::{LiveError, LiveErrorKind};
use crate::read::{Documents, ReadPreference, ReadSettings, Reply};
use crate::server::{Topology, text, whole};
use crate::write_concern::WriteConcern;

/// A collection that is changed in place.
pub struct InPlace {
    collection: Collection,
    write_concern: WriteConcern,
    /// Whether updates are sent by `bulkWrite`.
    by_bulk_write: AtomicBool,
    /// Whether updates must ask for the simple collation: the collection has another, or has not been described yet.
    asks_collation: AtomicBool,
}

/// A command is a document, and a server takes no larger one; what stands around the updates fits into the rest.
const COMMAND_BYTES_MAX: usize = 15 << 20;

/// Bytes beside filter and change of an update: names, lengths, the collation.
const UPDATE_FRAME_BYTES: usize = 160;

impl InPlace {
    /// The collection, whose updates are acknowledged as `write_concern` says.
    pub fn new(collection: Collection, write_concern: WriteConcern) -> Self {
        let by_bulk_write = collection.server().about().has_bulk_write.into();
        Self { collection, write_concern, by_bulk_write, asks_collation: true.into() }
    }

    /// The collection.
    pub const fn collection(&self) -> &Collection {
        &self.collection
    }

    /// Whether updates go by the command `bulkWrite`, and not by `update`, as servers before version 8 want it.
    pub fn is_by_bulk_write(&self) -> bool {
        self.by_bulk_write.load(Ordering::Relaxed)
    }

    /// Sends updates by `update`, whatever the server can do.
    #[must_use]
    pub fn by_update(self) -> Self {
        self.by_bulk_write.store(false, Ordering::Relaxed);
        self
    }

    fn error(&self, (kind, what): (LiveErrorKind, String)) -> PortError {
        port_error(&self.collection.server().error(kind, what))
    }

    /// Updates that fit into one command.
    fn send(&self, updates: &[Update]) -> Result<UpdateReply, PortError> {
        if self.is_by_bulk_write() {
            match self.bulk_write(updates) {
                Err(error) if error.kind() == LiveErrorKind::Unsupported => {
                    self.by_bulk_write.store(false, Ordering::Relaxed);
                }
                outcome => return outcome.map_err(|error| port_error(&error)),
            }
        }
        self.update_command(updates)
    }

    fn bulk_write(&self, updates: &[Update]) -> Result<UpdateReply, LiveError> {
        let mut command = Command::numbered("bulkWrite", 1);
        command.open("ops", Tag::Array);
        for (number, update) in updates.iter().enumerate() {
            command.open(&number.to_string(), Tag::Document);
            command.int("update", 0);
            command.raw("filter", Tag::Document, &update.filter);
            put_change(&mut command, "updateMods", &update.change);
            self.end_update(&mut command, false);
        }
        command.close();
        command.open("nsInfo", Tag::Array);
        command.open("0", Tag::Document);
        command.text("ns", &self.collection.namespace().to_string());
        command.close();
        command.close();
        command.flag("ordered", false);
        self.write_concern.put(&mut command);
        let server = self.collection.server();
        let command = command.finish().map_err(|(kind, what)| server.error(kind, what))?;
        let mut answers = Documents::of(server, "admin", command, &ReadSettings::default())?;
        let mut outcome = UpdateReply { unmatched: Some(Vec::new()), ..UpdateReply::default() };
        let malformed = || server.error(LiveErrorKind::Answer, "an answer to bulkWrite that cannot be read");
        while let Some(reply) = answers.next_reply()? {
            if let Some(error) = concern_error(reply.bytes()) {
                return Err(server.transient(error));
            }
            for answer in reply.documents() {
                note_answer(answer.ok_or_else(malformed)?, &mut outcome).ok_or_else(malformed)?;
            }
        }
        Ok(outcome)
    }

    fn update_command(&self, updates: &[Update]) -> Result<UpdateReply, PortError> {
        let mut command = self.begin_update();
        for (number, update) in updates.iter().enumerate() {
            command.open(&number.to_string(), Tag::Document);
            command.raw("q", Tag::Document, &update.filter);
            put_change(&mut command, "u", &update.change);
            self.end_update(&mut command, false);
        }
        let answer = self.finish_update(command)?;
        let failed = failures(&answer);
        let matched = number(&answer, "n");
        let all_met = matched.saturating_add(failed.len() as u64) == updates.len() as u64;
        Ok(UpdateReply { matched, unmatched: all_met.then(Vec::new), failed })
    }

    /// An update's last members. The simple collation, whatever the collection's is: another would take `"A"` for `"a"`.
    /// Where the collection has none it is the simple one already, and some servers use no index when it is asked for.
    fn end_update(&self, command: &mut Command, is_multi: bool) {
        command.flag("multi", is_multi);
        if self.asks_collation.load(Ordering::Relaxed) {
            command.open("collation", Tag::Document);
            command.text("locale", "simple");
            command.close();
        }
        command.close();
    }

    fn begin_update(&self) -> Command {
        let mut command = Command::new("update", &self.collection.namespace().collection);
        command.open("updates", Tag::Array);
        command
    }

    /// Sends a command whose updates are complete.
    fn finish_update(&self, mut command: Command) -> Result<Value, PortError> {
        command.close();
        command.flag("ordered", false);
        self.write_concern.put(&mut command);
        let command = command.finish().map_err(|error| self.error(error))?;
        let answer = self.collection.server().command(&self.collection.namespace().database, command);
        let answer = answer.map_err(|error| port_error(&error))?;
        match answer.get("writeConcernError") {
            Some(error) => {
                let what = error.get("errmsg").and_then(text).unwrap_or("not as many members have it as was asked for");
                Err(PortError::interrupted(format!("the server says: {what}")))
            }
            None => Ok(answer),
        }
    }
}

fn put_change(command: &mut Command, name: &str, change: &Modification) {
    match change {
        Modification::Operators(bytes) => command.raw(name, Tag::Document, bytes),
        Modification::Pipeline(bytes) => command.raw(name, Tag::Array, bytes),
    }
}

/// Takes in what `bulkWrite` says of one update: `{ok, idx, n, nModified}` or `{ok: 0, idx, code, errmsg}`.
fn note_answer(answer: &[u8], outcome: &mut UpdateReply) -> Option<()> {
    let answer = Document::new(answer).ok()?;
    let int = |name: &str| answer.get(name).ok().flatten().and_then(|value| integer(value.scalar().ok()?));
    let index = usize::try_from(int("idx")?).ok()?;
    if int("ok") == Some(0) {
        let message = answer.get("errmsg").ok().flatten();
        let message = message.and_then(|value| value.as_str().ok()).unwrap_or_default().to_owned();
        let code = int("code").and_then(|code| i32::try_from(code).ok()).unwrap_or(0);
        outcome.failed.push(Failure { index, code, message });
    } else if int("n")? > 0 {
        outcome.matched += 1;
    } else {
        outcome.unmatched.get_or_insert_default().push(index);
    }
    Some(())
}

/// What an answer says of a write concern that was not met.
fn concern_error(answer: &[u8]) -> Option<String> {
    let error = Document::new(answer).ok()?.get("writeConcernError").ok()??.as_document().ok()?;
    let what = error.get("errmsg").ok().flatten().and_then(|what| what.as_str().ok().map(str::to_owned));
    Some(format!("the server says: {}", what.unwrap_or_default()))
}

/// A whole number, as servers answer with either type.
fn integer(scalar: Scalar<'_>) -> Option<i64> {
    match scalar {
        Scalar::Int32(number) => Some(i64::from(number)),
        Scalar::Int64(number) => Some(number),
        Scalar::Double(number) => whole(&Value::Double(number)),
        _ => None,
    }
}

fn failures(answer: &Value) -> Vec<Failure> {
    let Some(Value::Array(errors)) = answer.get("writeErrors") else { return Vec::new() };
    let failure = |error: &Value| Failure {
        index: usize::try_from(number(error, "index")).unwrap_or(usize::MAX),
        code: error.get("code").and_then(whole).and_then(|code| i32::try_from(code).ok()).unwrap_or(0),
        message: error.get("errmsg").and_then(text).unwrap_or_default().to_owned(),
    };
    errors.iter().map(failure).collect()
}

fn number(value: &Value, name: &str) -> u64 {
    value.get(name).and_then(whole).and_then(|number| u64::try_from(number).ok()).unwrap_or(0)
}

fn port_error(error: &LiveError) -> PortError {
    if error.is_transient() { PortError::interrupted(error.to_string()) } else { PortError::refused(error.to_string()) }
}

/// Whether reading goes on behind this error with a new cursor: that of before timed out or was killed.
fn cursor_error(error: &LiveError) -> PortError {
    const CURSOR_NOT_FOUND: i32 = 43;
    const CURSOR_KILLED: i32 = 237;
    match error.kind() {
        LiveErrorKind::Server(CURSOR_NOT_FOUND | CURSOR_KILLED) => PortError::interrupted(error.to_string()),
        _ => port_error(error),
    }
}

impl Port for InPlace {
    fn describe(&self) -> Result<Description, PortError> {
        let described = self.collection.describe().map_err(|error| port_error(&error))?;
        self.asks_collation.store(described.metadata.option("collation").is_some(), Ordering::Relaxed);
        let shard_key = match described.sharding {
            Sharding::NoCluster | Sharding::No => Vec::new(),
            Sharding::By(key) => key.into_iter().map(|(path, _)| path).collect(),
            Sharding::Unknown(why) => {
                let what = format!("whether the collection is sharded cannot be found out: {why}");
                return Err(PortError::refused(what));
            }
        };
        let version = version(&self.collection.server().about().version);
        let documents = described.stats.count.known().unwrap_or(0);
        Ok(Description { metadata: described.metadata, shard_key, documents, version })
    }

    fn scan(&self, scan: &Scan) -> Result<Box<dyn Cursor + '_>, PortError> {
        let mut command = Command::new("find", &self.collection.namespace().collection);
        if !scan.filter.is_empty() {
            command.raw("filter", Tag::Document, &scan.filter);
        }
        command.open("sort", Tag::Document);
        command.int("_id", 1);
        command.close();
        if scan.ids_only {
            command.open("projection", Tag::Document);
            command.int("_id", 1);
            command.close();
        }
        for (name, number) in [("skip", scan.skip), ("limit", scan.limit), ("batchSize", scan.batch_documents.into())] {
            if number > 0 {
                command.long(name, i64::try_from(number).unwrap_or(i64::MAX));
            }
        }
        let command = command.finish().map_err(|error| self.error(error))?;
        let settings =
            ReadSettings { sample: None, preference: Some(ReadPreference::Primary), batch_size: scan.batch_documents };
        let database = &self.collection.namespace().database;
        let documents = Documents::of(self.collection.server(), database, command, &settings);
        let documents = documents.map_err(|error| port_error(&error))?;
        Ok(Box::new(Walk { documents, reply: None, places: Vec::new(), next: 0 }))
    }

    fn update(&self, updates: &[Update]) -> Result<UpdateReply, PortError> {
        let mut all = UpdateReply { unmatched: Some(Vec::new()), ..UpdateReply::default() };
        let mut start = 0;
        while let Some(rest) = updates.get(start..).filter(|rest| !rest.is_empty()) {
            let part = rest.get(..fitting(rest)).unwrap_or(rest);
            let reply = self.send(part)?;
            all.matched += reply.matched;
            all.unmatched = all.unmatched.zip(reply.unmatched).map(|(mut known, more)| {
                known.extend(more.iter().map(|index| start + index));
                known
            });
            all.failed
                .extend(reply.failed.into_iter().map(|failure| Failure { index: start + failure.index, ..failure }));
            start += part.len();
        }
        Ok(all)
    }

    fn update_many(&self, filter: &[u8], pipeline: &[u8]) -> Result<ManyReply, PortError> {
        let mut command = self.begin_update();
        command.open("0", Tag::Document);
        command.raw("q", Tag::Document, filter);
        command.raw("u", Tag::Array, pipeline);
        self.end_update(&mut command, true);
        let answer = self.finish_update(command)?;
        match failures(&answer).first() {
            Some(failure) => Err(PortError::refused(format!("{} (code {})", failure.message, failure.code))),
            None => Ok(ManyReply { matched: number(&answer, "n"), modified: number(&answer, "nModified") }),
        }
    }

    fn lag(&self) -> Result<Option<Duration>, PortError> {
        let server = self.collection.server();
        if !matches!(server.about().topology, Topology::ReplicaSet(_)) {
            return Ok(None);
        }
        let command: RawDocumentBuf = rawdoc! { "replSetGetStatus": 1 };
        let status = server.command("admin", command).map_err(|error| port_error(&error))?;
        Ok(lag(&status))
    }
}

/// How many of `updates`, at least one, fit into a command.
fn fitting(updates: &[Update]) -> usize {
    let mut bytes = 0;
    let fits = |update: &&Update| {
        bytes += update.filter.len() + update.change.bytes().len() + UPDATE_FRAME_BYTES;
        bytes <= COMMAND_BYTES_MAX
    };
    updates.iter().take_while(fits).count().max(1)
}

/// How far the slowest secondary that is up is behind the primary.
fn lag(status: &Value) -> Option<Duration> {
    let Some(Value::Array(members)) = status.get("members") else { return None };
    let times = |state: &'static str| {
        let of = move |member: &&Value| member.get("stateStr").and_then(text) == Some(state);
        members.iter().filter(of).filter_map(|member| match member.get("optimeDate")? {
            Value::DateTime(millis) => Some(*millis),
            _ => None,
        })
    };
    let (primary, slowest) = (times("PRIMARY").max()?, times("SECONDARY").min()?);
    Some(Duration::from_millis(u64::try_from(primary.saturating_sub(slowest)).unwrap_or(0)))
}

/// `8.0.4-rc1` as numbers.
fn version(text: &str) -> Option<[u32; 3]> {
    let mut numbers = text.split(['.', '-']).map_while(|part| part.parse().ok());
    Some([numbers.next()?, numbers.next()?, numbers.next().unwrap_or(0)])
}

/// Documents one after the other, out of the replies as they came.
struct Walk {
    documents: Documents,
    reply: Option<Reply>,
    places: Vec<Range<usize>>,
    next: usize,
}

impl Cursor for Walk {
    fn next_document(&mut self) -> Result<Option<&[u8]>, PortError> {
        while self.next >= self.places.len() {
            let Some(reply) = self.documents.next_reply().map_err(|error| cursor_error(&error))? else {
                return Ok(None);
            };
            self.places.clear();
            self.next = 0;
            places(reply.bytes(), &mut self.places)
                .ok_or_else(|| PortError::refused("the server sent something that is no document"))?;
            self.reply = Some(reply);
        }
        let place = self.places.get(self.next).cloned().unwrap_or_default();
        self.next += 1;
        Ok(self.reply.as_ref().and_then(|reply| reply.bytes().get(place)))
    }
}

/// Where the documents of a cursor's reply are.
fn places(reply: &[u8], places: &mut Vec<Range<usize>>) -> Option<()> {
    let cursor = Document::new(reply).ok()?.get("cursor").ok()??.as_document().ok()?;
    let first = cursor.get("firstBatch").ok()?;
    let batch: Array<'_> = first.or(cursor.get("nextBatch").ok()?)?.as_array().ok()?;
    for item in batch.items() {
        let item = item.ok()?;
        if item.kind() != Kind::Object {
            return None;
        }
        places.push(item.span().offset..item.span().end());
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(state: &str, millis: i64) -> Value {
        let members = [("stateStr", Value::String(state.into())), ("optimeDate", Value::DateTime(millis))];
        Value::Object(members.into_iter().map(|(name, value)| (name.into(), value)).collect())
    }

    /// No server here has secondaries: this is the decision alone, by the documentation of `replSetGetStatus`.
    #[test]
    fn the_slowest_secondary_counts_and_those_that_are_down_do_not() {
        let members = vec![
            member("SECONDARY", 9_000),
            member("PRIMARY", 10_000),
            member("SECONDARY", 7_500),
            member("(not reachable/healthy)", 0),
        ];
        let status = |members| Value::Object(vec![("members".into(), Value::Array(members))]);
        assert_eq!(lag(&status(members)), Some(Duration::from_millis(2_500)));
        assert_eq!(lag(&status(vec![member("PRIMARY", 10_000)])), None);
    }

    #[test]
    fn updates_are_parted_by_their_bytes() {
        let update = |len| Update { filter: vec![0; len], change: Modification::Operators(Vec::new()) };
        assert_eq!(fitting(&[update(10), update(10)]), 2);
        assert_eq!(fitting(&[update(8 << 20), update(8 << 20)]), 1);
        // One that is too large is sent alone, for the server to refuse.
        assert_eq!(fitting(&[update(20 << 20)]), 1);
    }

    #[test]
    fn versions_are_read() {
        assert_eq!(version("8.0.4"), Some([8, 0, 4]));
        assert_eq!(version("4.4.0-rc1"), Some([4, 4, 0]));
        assert_eq!(version("unknown"), None);
    }
}
