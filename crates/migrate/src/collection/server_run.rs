//! Having a server convert a collection, range by range of `_id`.

use std::ops::ControlFlow;

use boson_bson::Tag;
use serde::{Deserialize, Serialize};

use super::bracket::Resume;
use super::job::CollectionJob;
use super::port::{Collection, PortError, PortErrorKind, Scan};
use super::raw::{Build, RawValue};
use super::run::{CollectionOptions, open_folder};
use super::server::{Statement, server_side};
use super::session::{Session, id_of};
use crate::run::RunError;

/// What a server did. There is no undo log of it: the old values did not travel.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServerReport {
    /// Ranges of `_id`s that are done.
    pub ranges: u64,
    /// Documents that were different afterwards; one that a field at a time was changed in counts for each.
    pub modified: u64,
    /// Statements that the server refused: what they would have done is for the client. The first few, with why.
    pub refused: Vec<String>,
    /// The same in number.
    pub refused_count: u64,
}

/// Told after each range; `Break` stops, and the same call goes on from there.
pub type ServerWatch<'a> = &'a mut dyn FnMut(&ServerReport) -> ControlFlow<()>;

#[derive(Debug, Default, Serialize, Deserialize)]
struct Checkpoint {
    place: Resume,
    report: ServerReport,
}

/// How many refusals are told.
const NAMED_MAX: usize = 10;

/// Sends what [`server_side`] says, for as many documents at a time as a batch of `options` has. A run of
/// [`run_collection`](super::run_collection) follows, for what is left.
///
/// Each statement looks at types and spellings itself, so that it may be done twice, and a document that somebody changes
/// meanwhile is converted as it is then.
///
/// # Errors
///
/// [`RunError`]; what was done is done, and the same call goes on.
pub fn run_on_server(
    job: &CollectionJob,
    collection: &dyn Collection,
    options: &CollectionOptions,
    watch: ServerWatch<'_>,
) -> Result<ServerReport, RunError> {
    let folder = open_folder(job, options)?;
    let side = server_side(job);
    let session = Session::new(collection, options.retries);
    let mut checkpoint: Checkpoint = folder.saved("server.json")?;
    while !checkpoint.place.is_end() && !side.statements.is_empty() {
        let Some(bound) = bound(&session, &checkpoint.place, options.batch_documents)? else {
            checkpoint.place = checkpoint.place.next_bracket().unwrap_or_else(Resume::end);
            continue;
        };
        let place = checkpoint.place.clone();
        for statement in &side.statements {
            send(&session, &place, bound.as_ref(), statement, &mut checkpoint.report)?;
        }
        checkpoint.report.ranges += 1;
        checkpoint.place = match bound {
            Some(id) => place.behind(&id),
            None => place.next_bracket().unwrap_or_else(Resume::end),
        };
        folder.save("server.json", &checkpoint)?;
        if watch(&checkpoint.report).is_break() {
            return Err(RunError::Stopped);
        }
    }
    Ok(checkpoint.report)
}

/// The `_id` with which a range of `documents` from `place` on ends: `Some(None)` where it ends with the bracket, `None` where
/// there is nothing left in it.
#[expect(clippy::option_option, reason = "whether there is a range, and whether it has an end")]
fn bound(session: &Session<'_>, place: &Resume, documents: usize) -> Result<Option<Option<RawValue>>, RunError> {
    let mut filter = Build::new();
    if !place.put_condition(None, &mut filter) {
        return Ok(None);
    }
    let filter = filter.finish();
    let id_at = |skip: u64| {
        let scan = Scan { filter: filter.clone(), ids_only: true, skip, limit: 1, ..Scan::default() };
        session.again(|| session.collection.scan(&scan)?.next_document().map(|found| found.and_then(id_of)))
    };
    if let Some(last) = id_at((documents as u64).saturating_sub(1))? {
        return Ok(Some(Some(last)));
    }
    Ok(id_at(0)?.map(|_| None))
}

fn send(
    session: &Session<'_>,
    place: &Resume,
    bound: Option<&RawValue>,
    statement: &Statement,
    report: &mut ServerReport,
) -> Result<(), RunError> {
    let mut filter = Build::new();
    if !place.put_condition(bound, &mut filter) {
        return Ok(());
    }
    filter.put(b"$or", Tag::Array, statement.any_of.bytes());
    let filter = filter.finish();
    match session.again(|| session.collection.update_many(&filter, &statement.pipeline)) {
        Ok(reply) => report.modified += reply.modified,
        // A key that another document has, a validator: the client goes on document by document, and lists them.
        Err(RunError::Server(PortError { kind: PortErrorKind::Refused, message })) => {
            report.refused_count += 1;
            if report.refused.len() < NAMED_MAX {
                report.refused.push(format!("{}: {message}", statement.paths.join(", ")));
            }
        }
        Err(error) => return Err(error),
    }
    Ok(())
}
