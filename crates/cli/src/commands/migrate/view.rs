//! What is said of a migration, to programs as it is here and to people by [`print`](super::print).

use boson_migrate::{Estimate, Job, Report, Scanned, Server, Tally, Values, Verified};
use serde::Serialize;

use crate::exit::Refused;

/// A migration, tried or done.
#[derive(Serialize)]
pub(super) struct MigrationView {
    /// Whether anything was written.
    pub(super) applied: bool,
    pub(super) source: String,
    pub(super) destination: String,
    pub(super) estimate: EstimateView,
    pub(super) collections: Vec<CollectionView>,
    /// Documents that an earlier run had done, which was resumed.
    pub(super) resumed_documents: u64,
    pub(super) undo_log: Option<String>,
    pub(super) undo_log_bytes: Option<u64>,
    pub(super) quarantine: Option<String>,
    pub(super) verified: Option<VerifiedView>,
}

/// What was expected before it began.
#[derive(Serialize)]
pub(super) struct EstimateView {
    reads_bytes: u64,
    writes_bytes: u64,
    documents: u64,
    seconds: f64,
    on_a_server_seconds: f64,
    sample_documents: u64,
    how: &'static str,
}

/// What became of a collection.
#[derive(Serialize)]
pub(super) struct CollectionView {
    /// Empty for a file of documents.
    pub(super) name: String,
    pub(super) documents: u64,
    pub(super) changed: u64,
    pub(super) quarantined: u64,
    pub(super) damaged: u64,
    pub(super) bytes_before: u64,
    pub(super) bytes_after: u64,
    pub(super) fields: Vec<ValuesView>,
    pub(super) expiring: Vec<ExpiringView>,
    pub(super) collisions: Vec<CollisionsView>,
}

/// What became of the values of a field.
#[derive(Serialize)]
pub(super) struct ValuesView {
    pub(super) path: String,
    pub(super) to: &'static str,
    pub(super) converted: u64,
    pub(super) lossy: u64,
    pub(super) misfits: u64,
    pub(super) nulls: u64,
    pub(super) kept: u64,
    pub(super) examples: Vec<String>,
}

/// Documents that an index would delete at once.
#[derive(Serialize)]
pub(super) struct ExpiringView {
    pub(super) index: String,
    pub(super) documents: u64,
}

/// Documents with the same key.
#[derive(Serialize)]
pub(super) struct CollisionsView {
    pub(super) index: String,
    pub(super) documents: u64,
    /// Pairs of documents, counted from 1.
    pub(super) first: Vec<[u64; 2]>,
}

/// What `--verify` found.
#[derive(Serialize)]
pub(super) struct VerifiedView {
    pub(super) documents: u64,
    pub(super) quarantined: u64,
    pub(super) values_exact: u64,
    pub(super) values_same: u64,
    pub(super) values_null: u64,
    pub(super) companions: u64,
}

impl From<Verified> for VerifiedView {
    fn from(verified: Verified) -> Self {
        Self {
            documents: verified.documents,
            quarantined: verified.quarantined,
            values_exact: verified.exact,
            values_same: verified.same,
            values_null: verified.nulls,
            companions: verified.companions,
        }
    }
}

impl MigrationView {
    pub(super) fn new(job: &Job, estimated: &Estimate, server: Server, applied: bool) -> Self {
        Self {
            applied,
            source: job.source.display().to_string(),
            destination: job.destination.display().to_string(),
            estimate: EstimateView {
                reads_bytes: estimated.reads_bytes,
                writes_bytes: estimated.writes_bytes,
                documents: estimated.documents,
                seconds: estimated.duration.as_secs_f64(),
                on_a_server_seconds: server.duration(estimated.documents).as_secs_f64(),
                sample_documents: estimated.sample_documents,
                how: "reads_bytes measured; the rest estimated from a sample; a server: documents / batch x latency",
            },
            collections: Vec::new(),
            resumed_documents: 0,
            undo_log: None,
            undo_log_bytes: None,
            quarantine: None,
            verified: None,
        }
    }

    /// Takes in what was found by going through everything.
    pub(super) fn scan(&mut self, job: &Job, scanned: &Scanned) {
        self.collections = job
            .streams
            .iter()
            .zip(&scanned.streams)
            .map(|(stream, scan)| {
                let mut view = CollectionView::new(stream, &scan.tally);
                let expired = scan.expired.iter();
                view.expiring = expired
                    .map(|(index, documents)| ExpiringView { index: index.clone(), documents: *documents })
                    .collect();
                let collisions = scan.collisions.iter().map(|collisions| CollisionsView {
                    index: collisions.index.clone(),
                    documents: collisions.count,
                    first: collisions.first.iter().map(|(a, b)| [a + 1, b + 1]).collect(),
                });
                view.collisions = collisions.collect();
                view
            })
            .collect();
    }

    /// Takes in what a run did.
    pub(super) fn report(&mut self, job: &Job, report: &Report) {
        let streams = job.streams.iter().zip(&report.tallies);
        self.collections = streams.map(|(stream, tally)| CollectionView::new(stream, tally)).collect();
        self.resumed_documents = report.resumed;
        self.undo_log = Some(report.log.display().to_string());
        self.undo_log_bytes = std::fs::metadata(&report.log).ok().map(|metadata| metadata.len());
        self.quarantine = report.quarantine.as_ref().map(|path| path.display().to_string());
    }

    /// An error where documents would have the same key in a unique index.
    pub(super) fn refuse_collisions(&self) -> Result<(), Refused> {
        let found = self.collections.iter().find_map(|collection| Some((collection, collection.collisions.first()?)));
        let Some((collection, collisions)) = found else { return Ok(()) };
        let pairs: Vec<String> = collisions.first.iter().map(|[a, b]| format!("{a} and {b}")).collect();
        Err(Refused(format!(
            "{}: in the unique index {}, {} documents would have the key of another: documents {}{}; change them first, or \
             answer the hazard with answer = \"drop-index\"",
            collection.name,
            collisions.index,
            collisions.documents,
            pairs.join(", "),
            if collisions.documents > collisions.first.len() as u64 { ", …" } else { "" },
        )))
    }
}

impl CollectionView {
    fn new(stream: &boson_migrate::StreamJob, tally: &Tally) -> Self {
        let fields = stream.plan.converted().zip(&tally.values);
        Self {
            name: if stream.name.is_empty() { stream.path.clone() } else { stream.name.clone() },
            documents: tally.documents,
            changed: tally.changed,
            quarantined: tally.quarantined,
            damaged: tally.damaged,
            bytes_before: tally.bytes_before,
            bytes_after: tally.bytes_after,
            fields: fields.map(|(field, values)| ValuesView::new(field, values)).collect(),
            expiring: Vec::new(),
            collisions: Vec::new(),
        }
    }
}

impl ValuesView {
    fn new(field: &boson_migrate::FieldPlan, values: &Values) -> Self {
        Self {
            path: field.path.clone(),
            to: field.to.name(),
            converted: values.converted,
            lossy: values.lossy,
            misfits: values.misfits,
            nulls: values.nulls,
            kept: values.kept,
            examples: values.examples.clone(),
        }
    }
}
