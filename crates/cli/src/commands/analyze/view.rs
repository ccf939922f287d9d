//! What is said of an analysis, to programs as it is here and to people by [`print`](super::print).

mod finding;

use boson_profile::{Bytes, PathStats, Profile, Sizes};
use serde::Serialize;

use super::{Outcome, Source, sizes};
pub(super) use finding::{ConversionView, FindingView, LeftAloneView};

/// Everything that was found.
#[derive(Serialize)]
pub(super) struct Analysis<'a> {
    pub(super) sources: &'a [Source],
    pub(super) measured: Measured,
    pub(super) documents: SizesView,
    pub(super) broken: Broken<'a>,
    pub(super) bytes: BytesView,
    /// Bytes that belong to no path: what follows a fault.
    pub(super) other_bytes: u64,
    /// In the order of a document's structure.
    pub(super) paths: Vec<PathView>,
    pub(super) formats: Option<FormatsView>,
    pub(super) findings: Vec<FindingView>,
    pub(super) left_alone: Vec<LeftAloneView>,
    pub(super) outlook: Outlook,
    how: How,
}

/// The analyses of the collections of a dump.
#[derive(Serialize)]
pub(super) struct Collections<'a> {
    collections: Vec<OfCollection<'a>>,
}

/// The analysis of one collection; of files of documents without a name.
#[derive(Serialize)]
struct OfCollection<'a> {
    namespace: Option<String>,
    kind: Option<boson_store::CollectionKind>,
    #[serde(flatten)]
    analysis: &'a Analysis<'a>,
}

impl<'a> Collections<'a> {
    pub(super) fn new(outcomes: &[Outcome], analyses: &'a [Analysis<'a>]) -> Self {
        let of = |(outcome, analysis): (&Outcome, &'a Analysis<'a>)| OfCollection {
            namespace: outcome.collection.as_ref().map(|collection| collection.namespace.to_string()),
            kind: outcome.collection.as_ref().map(|collection| collection.kind),
            analysis,
        };
        Self { collections: outcomes.iter().zip(analyses).map(of).collect() }
    }
}

/// On how much everything was measured.
#[derive(Serialize)]
pub(super) struct Measured {
    /// Always `bson`: documents of other formats were converted.
    format: &'static str,
    pub(super) documents: u64,
    pub(super) bytes: u64,
    /// Whether there are more documents.
    pub(super) is_sample: bool,
    pub(super) is_masked: bool,
}

/// Documents with a fault.
#[derive(Serialize)]
pub(super) struct Broken<'a> {
    /// In the figures up to the fault.
    pub(super) partly_read: u64,
    /// In none of the figures.
    pub(super) unread: u64,
    pub(super) first: Option<&'a str>,
}

/// Sizes of documents, or numbers of elements.
#[derive(Serialize)]
pub(super) struct SizesView {
    pub(super) count: u64,
    pub(super) total: u64,
    pub(super) mean: f64,
    pub(super) min: u64,
    pub(super) p05: u64,
    pub(super) p25: u64,
    pub(super) p50: u64,
    pub(super) p75: u64,
    pub(super) p95: u64,
    pub(super) p99: u64,
    pub(super) max: u64,
}

impl From<&Sizes> for SizesView {
    fn from(sizes: &Sizes) -> Self {
        Self {
            count: sizes.count(),
            total: sizes.total(),
            mean: sizes.mean(),
            min: sizes.min(),
            p05: sizes.quantile(0.05),
            p25: sizes.quantile(0.25),
            p50: sizes.quantile(0.5),
            p75: sizes.quantile(0.75),
            p95: sizes.quantile(0.95),
            p99: sizes.quantile(0.99),
            max: sizes.max(),
        }
    }
}

/// Where bytes go.
#[derive(Clone, Copy, Default, Serialize)]
pub(super) struct BytesView {
    pub(super) names: u64,
    pub(super) types_and_lengths: u64,
    pub(super) values: u64,
    /// In containers too deep to be told apart.
    pub(super) inside: u64,
    pub(super) total: u64,
}

impl From<Bytes> for BytesView {
    fn from(bytes: Bytes) -> Self {
        let Bytes { names, framing, values, inside } = bytes;
        Self { names, types_and_lengths: framing, values, inside, total: bytes.total() }
    }
}

impl BytesView {
    pub(super) const fn add(&mut self, other: &Self) {
        self.names += other.names;
        self.types_and_lengths += other.types_and_lengths;
        self.values += other.values;
        self.inside += other.inside;
        self.total += other.total;
    }
}

/// One path.
#[derive(Serialize)]
pub(super) struct PathView {
    pub(super) path: String,
    pub(super) values: u64,
    /// `null` below `*`, where it cannot be known.
    pub(super) documents: Option<u64>,
    pub(super) repeated_names: u64,
    /// Without those of the paths below it.
    pub(super) bytes: BytesView,
    pub(super) types: Vec<TypeView>,
    pub(super) distinct: u64,
    /// Of arrays, how many elements they have.
    elements: Option<SizesView>,
    /// Of objects whose names are data, about how many different names.
    pub(super) folded_names: Option<u64>,
}

/// How many values of a type.
#[derive(Serialize)]
pub(super) struct TypeView {
    #[serde(rename = "type")]
    pub(super) kind: &'static str,
    pub(super) count: u64,
    /// Of containers with what is in them.
    bytes: u64,
}

impl From<&boson_profile::KindStats> for TypeView {
    fn from(stats: &boson_profile::KindStats) -> Self {
        Self { kind: stats.kind.name(), count: stats.count, bytes: stats.bytes }
    }
}

impl From<PathStats<'_>> for PathView {
    fn from(stats: PathStats<'_>) -> Self {
        Self {
            path: stats.path.to_string(),
            values: stats.values,
            documents: stats.documents,
            repeated_names: stats.repeated,
            bytes: stats.bytes.into(),
            types: stats.kinds.iter().map(TypeView::from).collect(),
            distinct: stats.distinct,
            elements: stats.lengths.map(SizesView::from),
            folded_names: stats.folded_keys,
        }
    }
}

/// The same documents in the three formats.
#[derive(Serialize)]
pub(super) struct FormatsView {
    pub(super) documents: u64,
    /// Documents that one of the formats cannot hold.
    pub(super) left_out: u64,
    pub(super) bytes: FormatBytes,
}

/// Bytes in each format.
#[derive(Serialize)]
pub(super) struct FormatBytes {
    /// Relaxed Extended JSON without spaces.
    pub(super) json: u64,
    pub(super) bson: u64,
    /// In the compact style.
    pub(super) oson: u64,
}

impl From<sizes::Sizes> for FormatsView {
    fn from(sizes: sizes::Sizes) -> Self {
        let bytes = FormatBytes { json: sizes.json_bytes, bson: sizes.bson_bytes, oson: sizes.oson_bytes };
        Self { documents: sizes.documents, left_out: sizes.left_out, bytes }
    }
}

/// What documents would measure.
#[derive(Serialize)]
pub(super) struct Outlook {
    pub(super) now: After,
    /// When all is done that is proposed, except to `_id`.
    pub(super) id_kept: After,
    /// When `_id` is converted, too.
    pub(super) id_converted: After,
    /// Proposals of which it is not known what they save; they count as nothing.
    pub(super) not_known: usize,
}

/// Bytes of the documents.
#[derive(Clone, Copy, Serialize)]
pub(super) struct After {
    pub(super) bytes: i64,
    pub(super) bytes_per_document: f64,
}

impl Outlook {
    fn new(profile: &Profile, findings: &[FindingView]) -> Self {
        let documents = profile.documents();
        let after = |saved: i64| {
            let bytes = signed(documents.total()).saturating_sub(saved);
            After { bytes, bytes_per_document: ratio(bytes, documents.count()) }
        };
        let saved = |id: bool| {
            let counted = findings.iter().filter(|finding| id || !finding.is_id);
            counted.filter_map(|finding| finding.proposal.saved_bytes).fold(0, i64::saturating_add)
        };
        let not_known = findings.iter().filter(|finding| finding.proposal.saved_bytes.is_none()).count();
        Self { now: after(0), id_kept: after(saved(false)), id_converted: after(saved(true)), not_known }
    }
}

/// How each kind of figure was obtained.
#[derive(Serialize)]
struct How {
    documents: &'static str,
    quantiles: &'static str,
    bytes: &'static str,
    types: &'static str,
    distinct: &'static str,
    folded_names: &'static str,
    formats: &'static str,
    saved_bytes: &'static str,
    index_keys: &'static str,
}

const HOW: How = How {
    documents: "measured",
    quantiles: "measured; at most 1/32 above the exact value",
    bytes: "measured; paths and other bytes add up to the total exactly",
    types: "measured",
    distinct: "measured up to 32, estimated within a few percent beyond",
    folded_names: "estimated within a few percent",
    formats: "measured, by converting each document",
    saved_bytes: "computed exactly from the values that fit",
    index_keys: "computed from KeyString's form, for a key of this field alone, before prefix compression",
};

impl<'a> Analysis<'a> {
    pub(super) fn new(outcome: &'a Outcome, mask: bool) -> Self {
        let profile = &outcome.profile;
        let sizes = profile.documents();
        let found = profile.findings();
        let view = |finding| FindingView::new(finding, sizes.count(), mask);
        let findings: Vec<_> = found.findings.iter().map(view).collect();
        Self {
            sources: &outcome.sources,
            measured: Measured {
                format: "bson",
                documents: sizes.count(),
                bytes: sizes.total(),
                is_sample: profile.is_sample(),
                is_masked: mask,
            },
            documents: sizes.into(),
            broken: Broken {
                partly_read: profile.broken(),
                unread: outcome.faults.unread,
                first: outcome.faults.first(),
            },
            bytes: profile.bytes().into(),
            other_bytes: profile.other_bytes(),
            paths: profile.paths().map(PathView::from).collect(),
            formats: outcome.sizes.map(FormatsView::from),
            outlook: Outlook::new(profile, &findings),
            findings,
            left_alone: found.left_alone.iter().map(|left| LeftAloneView::new(left, mask)).collect(),
            how: HOW,
        }
    }

    pub(super) const fn has_faults(&self) -> bool {
        self.broken.partly_read > 0 || self.broken.unread > 0
    }
}

fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// `a / b` for people; 0 when `b` is.
#[expect(clippy::cast_precision_loss, reason = "for people to read; 53 bits are enough")]
pub(super) fn ratio(a: i64, b: u64) -> f64 {
    if b == 0 { 0.0 } else { a as f64 / b as f64 }
}
