//! A migration for people.

use std::io::Write;
use std::path::Path;
use std::time::Duration;

use boson_migrate::{Estimate, HazardNote, RunOptions, Server};
use comfy_table::{CellAlignment, Table, presets};

use super::view::{CollectionView, MigrationView, VerifiedView};
use crate::output::{self, GOOD, NAME, WARNING, counted, grouped};

/// Says what is to come.
pub(super) fn estimate(estimate: &Estimate, server: Server, options: &RunOptions, apply: bool) -> anyhow::Result<()> {
    let mut out = output::stdout();
    let (reads, writes, log) = (mega(estimate.reads_bytes), mega(estimate.writes_bytes), mega(estimate.log_bytes));
    let threads = counted(options.threads as u64, "thread");
    let writes = if apply {
        format!(", writes about {writes} before compression, {log} of them the undo log")
    } else {
        String::new()
    };
    writeln!(out, "Expected: about {} in {threads}; reads {reads}{writes}", human(estimate.duration))?;
    writeln!(
        out,
        "  (estimated by converting {} in memory; the disk may be slower)",
        counted(estimate.sample_documents, "document")
    )?;
    writeln!(
        out,
        "  a server in batches of {} at {} ms each: about {} for about {}",
        grouped(server.batch_documents),
        server.latency.as_millis(),
        human(server.duration(estimate.documents)),
        counted(estimate.documents, "document")
    )?;
    Ok(out.flush()?)
}

fn mega(bytes: u64) -> String {
    let tenths = bytes / 100_000;
    format!("{}.{} MB", grouped(tenths / 10), tenths % 10)
}

fn human(duration: Duration) -> String {
    let seconds = duration.as_secs_f64();
    if seconds < 1.0 {
        "a second".to_owned()
    } else if seconds < 90.0 {
        format!("{seconds:.0} seconds")
    } else {
        format!("{:.0} minutes", seconds / 60.0)
    }
}

/// Says what became of everything.
pub(super) fn result(view: &MigrationView) -> anyhow::Result<()> {
    let mut out = output::stdout();
    for collection in &view.collections {
        of_collection(&mut out, collection, view.applied)?;
    }
    if view.resumed_documents > 0 {
        writeln!(out, "\n{} were done by an earlier run", counted(view.resumed_documents, "document"))?;
    }
    if view.applied {
        writeln!(out, "\n{GOOD}written{GOOD:#} {}", view.destination)?;
        if let (Some(log), Some(bytes)) = (&view.undo_log, view.undo_log_bytes) {
            writeln!(out, "undo log {log}, {}: boson undo has the original back", counted(bytes, "byte"))?;
        }
        if let Some(place) = &view.quarantine {
            writeln!(out, "{WARNING}put aside{WARNING:#} {place}")?;
        }
    } else {
        writeln!(out, "\nNothing was written. --apply writes {}", view.destination)?;
    }
    out.flush()?;
    view.verified.as_ref().map_or(Ok(()), verified)
}

fn of_collection(out: &mut impl Write, collection: &CollectionView, applied: bool) -> anyhow::Result<()> {
    let CollectionView { name, documents, changed, .. } = collection;
    let name = if name.is_empty() { "documents" } else { name };
    let verb = if applied { "changed" } else { "to be changed" };
    writeln!(out, "\n{NAME}{name}{NAME:#}: {}, {} {verb}", counted(*documents, "document"), grouped(*changed))?;
    if *documents > 0 && *changed > 0 {
        writeln!(
            out,
            "  bytes of a document on average: {:.1} -> {:.1} (measured)",
            each(collection.bytes_before, *documents),
            each(collection.bytes_after, documents.saturating_sub(collection.quarantined))
        )?;
    }
    if !collection.fields.is_empty() {
        for line in fields(collection).to_string().lines() {
            writeln!(out, "{}", line.trim_end())?;
        }
    }
    for field in collection.fields.iter().filter(|field| field.misfits > 0) {
        writeln!(out, "  {} of {} do not fit: {}", grouped(field.misfits), field.path, field.examples.join(", "))?;
    }
    for (count, what) in [(collection.quarantined, "put aside"), (collection.damaged, "damaged, copied as they are")] {
        if count > 0 {
            writeln!(out, "  {WARNING}{}{WARNING:#} {what}", counted(count, "document"))?;
        }
    }
    for expiring in &collection.expiring {
        writeln!(
            out,
            "  {WARNING}{}{WARNING:#} would be deleted at once by the index {}",
            counted(expiring.documents, "document"),
            expiring.index
        )?;
    }
    for collisions in &collection.collisions {
        writeln!(
            out,
            "  {WARNING}{}{WARNING:#} would have the key of another in the unique index {}",
            counted(collisions.documents, "document"),
            collisions.index
        )?;
    }
    Ok(())
}

fn fields(collection: &CollectionView) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(["  field", "to", "converted", "kept", "null", "lossy"]);
    for field in &collection.fields {
        let [converted, kept, nulls, lossy] = [field.converted, field.kept, field.nulls, field.lossy].map(grouped);
        table.add_row([format!("  {}", field.path), field.to.to_owned(), converted, kept, nulls, lossy]);
    }
    for column in 2..6 {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

#[expect(clippy::cast_precision_loss, reason = "for people to read; 53 bits are enough")]
fn each(bytes: u64, documents: u64) -> f64 {
    if documents == 0 { 0.0 } else { bytes as f64 / documents as f64 }
}

/// Says what `--verify` found.
pub(super) fn verified(verified: &VerifiedView) -> anyhow::Result<()> {
    let mut out = output::stdout();
    writeln!(
        out,
        "{GOOD}verified{GOOD:#} {}: {} come back to the last character, {} are the same value written otherwise, {} are null",
        counted(verified.documents, "document"),
        counted(verified.values_exact, "new value"),
        grouped(verified.values_same),
        grouped(verified.values_null)
    )?;
    if verified.quarantined + verified.companions > 0 {
        let (aside, companions) =
            (counted(verified.quarantined, "document"), counted(verified.companions, "companion"));
        writeln!(out, "  {aside} put aside as they were, {companions} hold what their value lost")?;
    }
    Ok(out.flush()?)
}

/// Says what is to be answered.
pub(super) fn hazards(open: &[(String, HazardNote)], plan: &Path) -> anyhow::Result<()> {
    let mut out = output::stdout();
    for (collection, hazard) in open {
        let place: Vec<&str> =
            [collection.as_str(), &hazard.path, &hazard.index].into_iter().filter(|part| !part.is_empty()).collect();
        writeln!(out, "{WARNING}{}{WARNING:#} {}: {}", hazard.kind, place.join(" "), hazard.what)?;
        writeln!(out, "  in {}: answer = one of {}", plan.display(), hazard.answers.join(", "))?;
    }
    Ok(out.flush()?)
}
