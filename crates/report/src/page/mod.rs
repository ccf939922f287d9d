//! An analysis, a plan and a proof as one page that needs nothing else.

mod change;
mod findings;
mod map;
mod paths;
mod plan;
mod squarify;
mod text;

use std::io::{self, Write};

use askama::Template;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use boson_migrate::{CollectionPlan, HazardNote};
use sha2::{Digest, Sha256};

use crate::words::{counted, grouped};
use crate::{Analysis, Proof};
use change::{ChangeRow, Scale};
use findings::{FindingCard, LeftRow};
use map::Level;
use paths::PathTable;
use plan::PlanTable;
use text::{signed_percent, size, visible};

/// The only script that a page may run.
const SCRIPT: &str = include_str!("../../templates/report.js");

/// What a page says of the files of documents, or of one collection of a dump.
#[derive(Debug)]
pub struct Part<'a> {
    /// Its name, `database.collection`.
    pub name: String,
    /// What kind of collection it is, in words; `None` of files of documents.
    pub kind: Option<&'static str>,
    /// What was found.
    pub analysis: &'a Analysis<'a>,
    /// What is to be done.
    pub plan: Option<&'a CollectionPlan>,
    /// The hazards of the plan that nobody has answered.
    pub open: Vec<HazardNote>,
}

/// A page. Made by [`Page::new`], written by [`Page::write`].
#[derive(Debug, Template)]
#[template(path = "report.html")]
pub struct Page {
    title: String,
    /// The hash of the script.
    script: String,
    /// Of all parts.
    bytes: u64,
    measured: String,
    facts: Vec<Fact>,
    levels: Vec<Level>,
    sections: Vec<Section>,
    proofs: Vec<ProofTable>,
    is_draft: bool,
    is_masked: bool,
    has_plan: bool,
}

/// A figure that stands at the top.
#[derive(Debug)]
struct Fact {
    name: &'static str,
    figure: String,
    remark: String,
}

/// What is said of one part.
#[derive(Debug)]
struct Section {
    number: usize,
    name: String,
    kind: Option<&'static str>,
    sources: Vec<String>,
    faults: Option<String>,
    sizes: Option<Sizes>,
    formats: Vec<FormatBar>,
    formats_on: String,
    paths: PathTable,
    findings: Vec<FindingCard>,
    outlook: Vec<OutlookRow>,
    not_known: usize,
    left_alone: Vec<LeftRow>,
    plan: Option<PlanTable>,
}

/// How large documents are, and where that stands between the smallest and the largest, in percent.
#[derive(Debug)]
struct Sizes {
    mean: String,
    rows: Vec<(&'static str, String)>,
}

/// The documents in one format.
#[derive(Debug)]
struct FormatBar {
    name: &'static str,
    bytes: String,
    each: String,
    percent: f64,
}

/// What documents would measure.
#[derive(Debug)]
struct OutlookRow {
    what: &'static str,
    bytes: String,
    percent: f64,
    change: String,
}

/// Before and after.
#[derive(Debug)]
struct ProofTable {
    /// The collection; empty for files of documents.
    name: String,
    notes: Vec<String>,
    documents: String,
    scale: Scale,
    rows: Vec<ChangeRow>,
}

impl Page {
    /// A page called `title`. `is_draft` says that the plans were drafted for it and are in no file; `proofs` have the
    /// names of their collections, empty for files of documents.
    pub fn new(title: &str, parts: &[Part<'_>], is_draft: bool, proofs: &[(String, Proof)]) -> Self {
        let total =
            |of: fn(&Analysis<'_>) -> u64| parts.iter().map(|part| of(part.analysis)).fold(0, u64::saturating_add);
        let (documents, bytes) = (total(|a| a.measured.documents), total(|a| a.measured.bytes));
        Self {
            title: visible(title),
            script: BASE64_STANDARD.encode(Sha256::digest(SCRIPT)),
            bytes,
            measured: measured(parts, documents, bytes),
            facts: facts(parts, documents, bytes),
            levels: if bytes == 0 { Vec::new() } else { map::levels(parts) },
            sections: parts.iter().enumerate().map(|(number, part)| Section::new(number, part)).collect(),
            proofs: proofs.iter().map(|(name, proof)| ProofTable::new(name, proof)).collect(),
            is_draft,
            is_masked: parts.iter().any(|part| part.analysis.measured.is_masked),
            has_plan: parts.iter().any(|part| part.plan.is_some()),
        }
    }

    /// Writes the page.
    ///
    /// # Errors
    ///
    /// What `out` returned.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        self.write_into(out).map_err(io::Error::other)
    }
}

/// On how much everything was measured.
fn measured(parts: &[Part<'_>], documents: u64, bytes: u64) -> String {
    let amount = format!("{}, {} as BSON", counted(documents, "document"), counted(bytes, "byte"));
    if parts.iter().any(|part| part.analysis.measured.is_sample) {
        format!("Measured on a sample, the first documents: {amount}. There are more.")
    } else {
        format!("Measured on all of {amount}.")
    }
}

fn facts(parts: &[Part<'_>], documents: u64, bytes: u64) -> Vec<Fact> {
    let mut facts = vec![
        Fact { name: "Documents", figure: grouped(documents), remark: "measured".to_owned() },
        Fact { name: "Bytes as BSON", figure: size(bytes), remark: format!("{}, measured", counted(bytes, "byte")) },
    ];
    let findings: usize = parts.iter().map(|part| part.analysis.findings.len()).sum();
    facts.push(Fact {
        name: "Badly typed fields",
        figure: grouped(findings as u64),
        remark: if findings == 0 { "nothing to propose".to_owned() } else { "found in the values".to_owned() },
    });
    let now: i64 = parts.iter().map(|part| part.analysis.outlook.now.bytes).fold(0, i64::saturating_add);
    let then: i64 = parts.iter().map(|part| part.analysis.outlook.id_kept.bytes).fold(0, i64::saturating_add);
    let saved = now.saturating_sub(then);
    if findings > 0 {
        let part = crate::ratio(saved.saturating_neg(), now.unsigned_abs()) * 100.0;
        facts.push(Fact {
            name: "If all is converted but _id",
            figure: signed_percent(part),
            remark: format!(
                "{:.1} → {:.1} bytes a document, computed exactly",
                each(now, documents),
                each(then, documents)
            ),
        });
    }
    facts
}

fn each(bytes: i64, documents: u64) -> f64 {
    crate::ratio(bytes, documents)
}

impl Section {
    fn new(number: usize, part: &Part<'_>) -> Self {
        let analysis = part.analysis;
        let (formats, formats_on) = formats(analysis);
        Self {
            number,
            name: visible(&part.name),
            kind: part.kind,
            sources: sources(analysis),
            faults: faults(analysis),
            sizes: (analysis.documents.count > 0).then(|| Sizes::new(analysis)),
            formats,
            formats_on,
            paths: PathTable::new(analysis),
            findings: findings::cards(analysis),
            outlook: outlook(analysis),
            not_known: analysis.outlook.not_known,
            left_alone: findings::left_alone(analysis),
            plan: part.plan.map(|plan| PlanTable::new(plan, &part.open)),
        }
    }
}

fn sources(analysis: &Analysis<'_>) -> Vec<String> {
    let said = |source: &crate::Source| {
        let (documents, bytes) = (counted(source.documents, "document"), counted(source.bytes, "byte"));
        format!("{}: {}, {documents}, {bytes}", visible(&source.name), source.format.unwrap_or("empty"))
    };
    analysis.sources.iter().map(said).collect()
}

fn faults(analysis: &Analysis<'_>) -> Option<String> {
    let broken = &analysis.broken;
    let first = broken.first.map(|first| format!(" The first: {}", visible(first))).unwrap_or_default();
    let counts = (counted(broken.unread, "document"), counted(broken.partly_read, "document"));
    analysis.has_faults().then(|| format!("{} not read, {} read up to the fault only.{first}", counts.0, counts.1))
}

impl Sizes {
    fn new(analysis: &Analysis<'_>) -> Self {
        let sizes = &analysis.documents;
        let rows = [
            ("smallest", sizes.min),
            ("5 %", sizes.p05),
            ("25 %", sizes.p25),
            ("50 %", sizes.p50),
            ("75 %", sizes.p75),
            ("95 %", sizes.p95),
            ("99 %", sizes.p99),
            ("largest", sizes.max),
        ];
        Self { mean: format!("{:.1}", sizes.mean), rows: rows.map(|(what, bytes)| (what, grouped(bytes))).into() }
    }
}

fn formats(analysis: &Analysis<'_>) -> (Vec<FormatBar>, String) {
    let Some(formats) = &analysis.formats else { return (Vec::new(), String::new()) };
    let bytes = &formats.bytes;
    let most = bytes.json.max(bytes.bson).max(bytes.oson);
    let bar = |(name, bytes): (&'static str, u64)| FormatBar {
        name,
        bytes: grouped(bytes),
        each: format!("{:.1}", each(i64::try_from(bytes).unwrap_or(i64::MAX), formats.documents)),
        percent: text::percent(bytes, most),
    };
    let bars = [("JSON, relaxed Extended JSON", bytes.json), ("BSON", bytes.bson), ("OSON, compact", bytes.oson)];
    let left_out = match formats.left_out {
        0 => String::new(),
        count => format!("; {} left out that one of the formats cannot hold", counted(count, "document")),
    };
    let on = format!("Measured by converting each of {}{left_out}.", counted(formats.documents, "document"));
    (bars.map(bar).into(), on)
}

fn outlook(analysis: &Analysis<'_>) -> Vec<OutlookRow> {
    let outlook = &analysis.outlook;
    if analysis.findings.is_empty() {
        return Vec::new();
    }
    let mut rows = vec![("now", outlook.now), ("_id kept", outlook.id_kept)];
    if outlook.id_converted.bytes != outlook.id_kept.bytes {
        rows.push(("_id converted, too", outlook.id_converted));
    }
    let most = rows.iter().map(|(_, after)| after.bytes).max().unwrap_or(0).max(1);
    let now = outlook.now.bytes;
    let row = |(what, after): (&'static str, crate::After)| {
        let change = 100.0 * crate::ratio(after.bytes.saturating_sub(now), now.unsigned_abs());
        OutlookRow {
            what,
            bytes: format!("{:.1}", after.bytes_per_document),
            percent: 100.0 * crate::ratio(after.bytes.max(0), most.unsigned_abs()),
            change: if after.bytes == now { String::new() } else { signed_percent(change) },
        }
    };
    rows.into_iter().map(row).collect()
}

impl ProofTable {
    fn new(name: &str, proof: &Proof) -> Self {
        let before = counted(proof.documents_before, "document");
        let documents = if proof.documents_before == proof.documents_after {
            format!("{before} before and after.")
        } else {
            format!(
                "{before} before, {} after: the totals are not of the same documents.",
                grouped(proof.documents_after)
            )
        };
        let scale = Scale::of(&proof.rows);
        let rows = proof.rows.iter().map(|row| ChangeRow::new(row, scale)).collect();
        let notes = proof.notes.iter().map(|note| visible(note)).collect();
        Self { name: visible(name), notes, documents, scale, rows }
    }
}

/// What templates write numbers with.
#[expect(
    unreachable_pub,
    clippy::inline_always,
    clippy::trivially_copy_pass_by_ref,
    clippy::unnecessary_wraps,
    clippy::unused_self,
    reason = "the form of filters, and what the attribute makes of them"
)]
mod filters {
    /// A length of a drawing, in percent with as many digits as are seen.
    #[askama::filter_fn]
    pub(super) fn fmt_side(percent: &f64, _: &dyn askama::Values) -> askama::Result<String> {
        let text = format!("{percent:.3}");
        Ok(text.trim_end_matches('0').trim_end_matches('.').to_owned())
    }

    /// Digits in groups of three.
    #[askama::filter_fn]
    pub(super) fn fmt_grouped(number: &u64, _: &dyn askama::Values) -> askama::Result<String> {
        Ok(crate::words::grouped(*number))
    }
}
