//! What is said of an analysis, to programs as it is here.

mod finding;

use boson_profile::{Bytes, Path, PathStats, Profile};
use boson_store::{Collection, CollectionKind};
use serde::Serialize;

pub use finding::{ConversionView, FindingView, LeftAloneView, MisfitsView, Said, WordView};

/// What came of reading everything, or one collection of a dump.
#[derive(Debug)]
pub struct Outcome {
    /// The collection; `None` of files of documents.
    pub collection: Option<Collection>,
    /// What the documents are made of.
    pub profile: Profile,
    /// What was read.
    pub sources: Vec<Source>,
    /// Of the documents that were read; not of those behind a saved profile.
    pub sizes: Option<FormatSizes>,
    /// Documents that are in no profile because they could not be read at all.
    pub unread: u64,
    /// What is wrong with the first that has any fault.
    pub first_fault: Option<String>,
}

/// One file that was read.
#[derive(Clone, Debug, Serialize)]
pub struct Source {
    /// Its name.
    pub name: String,
    /// `bson`, `json`, `oson` or `profile`; `None` when it was empty.
    pub format: Option<&'static str>,
    /// How many documents it holds.
    pub documents: u64,
    /// Bytes of documents as they stand in the source, after decompression.
    pub bytes: u64,
}

/// What the documents measure that all three formats can hold.
#[derive(Clone, Copy, Debug, Default)]
pub struct FormatSizes {
    /// How many documents were measured.
    pub documents: u64,
    /// How many have no form in one of the formats, and are in none of the figures.
    pub left_out: u64,
    /// Bytes as BSON.
    pub bson_bytes: u64,
    /// Bytes as relaxed Extended JSON without spaces.
    pub json_bytes: u64,
    /// Bytes as OSON in the compact style.
    pub oson_bytes: u64,
}

impl FormatSizes {
    /// Adds what other documents measure.
    pub const fn merge(&mut self, other: Self) {
        self.documents += other.documents;
        self.left_out += other.left_out;
        self.bson_bytes += other.bson_bytes;
        self.json_bytes += other.json_bytes;
        self.oson_bytes += other.oson_bytes;
    }
}

/// Everything that was found.
#[derive(Debug, Serialize)]
pub struct Analysis<'a> {
    /// What was read.
    pub sources: &'a [Source],
    /// On how much everything was measured.
    pub measured: Measured,
    /// Sizes of documents.
    pub documents: SizesView,
    /// Documents with a fault.
    pub broken: Broken<'a>,
    /// Bytes that belong to paths.
    pub bytes: BytesView,
    /// Bytes that belong to no path: what follows a fault.
    pub other_bytes: u64,
    /// In the order of a document's structure.
    pub paths: Vec<PathView>,
    /// The same documents in the three formats, where they were read.
    pub formats: Option<FormatsView>,
    /// What is stored as something else than it is, most saving first.
    pub findings: Vec<FindingView>,
    /// What looks as if it could be stored better and is to stay.
    pub left_alone: Vec<LeftAloneView>,
    /// What documents would measure.
    pub outlook: Outlook,
    /// How each kind of figure was obtained.
    pub how: How,
}

/// The analyses of the collections of a dump.
#[derive(Debug, Serialize)]
pub struct Collections<'a> {
    collections: Vec<OfCollection<'a>>,
}

/// The analysis of one collection; of files of documents without a name.
#[derive(Debug, Serialize)]
struct OfCollection<'a> {
    namespace: Option<String>,
    kind: Option<CollectionKind>,
    #[serde(flatten)]
    analysis: &'a Analysis<'a>,
}

impl<'a> Collections<'a> {
    /// The analyses of `outcomes`, in their order.
    pub fn new(outcomes: &[Outcome], analyses: &'a [Analysis<'a>]) -> Self {
        let of = |(outcome, analysis): (&Outcome, &'a Analysis<'a>)| OfCollection {
            namespace: outcome.collection.as_ref().map(|collection| collection.namespace.to_string()),
            kind: outcome.collection.as_ref().map(|collection| collection.kind),
            analysis,
        };
        Self { collections: outcomes.iter().zip(analyses).map(of).collect() }
    }
}

/// On how much everything was measured.
#[derive(Debug, Serialize)]
pub struct Measured {
    /// Always `bson`: documents of other formats were converted.
    format: &'static str,
    /// How many documents.
    pub documents: u64,
    /// Their bytes as BSON.
    pub bytes: u64,
    /// Whether there are more documents.
    pub is_sample: bool,
    /// Whether letters and digits of values are replaced.
    pub is_masked: bool,
}

/// Documents with a fault.
#[derive(Debug, Serialize)]
pub struct Broken<'a> {
    /// In the figures up to the fault.
    pub partly_read: u64,
    /// In none of the figures.
    pub unread: u64,
    /// What is wrong with the first.
    pub first: Option<&'a str>,
}

/// Sizes of documents, or numbers of elements.
#[derive(Debug, Serialize)]
pub struct SizesView {
    /// How many.
    pub count: u64,
    /// Their sum.
    pub total: u64,
    /// The average.
    pub mean: f64,
    /// The smallest.
    pub min: u64,
    /// So many of a hundred, 5, are at most as large; to within 1/32, as all that follow.
    pub p05: u64,
    /// A quarter.
    pub p25: u64,
    /// A half.
    pub p50: u64,
    /// Three quarters.
    pub p75: u64,
    /// 95 of a hundred.
    pub p95: u64,
    /// 99 of a hundred.
    pub p99: u64,
    /// The largest.
    pub max: u64,
}

impl From<&boson_profile::Sizes> for SizesView {
    fn from(sizes: &boson_profile::Sizes) -> Self {
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
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct BytesView {
    /// Of names, without their NULs.
    pub names: u64,
    /// Of type bytes, lengths, the NULs of names, and the ends of containers.
    pub types_and_lengths: u64,
    /// Of values.
    pub values: u64,
    /// In containers too deep to be told apart.
    pub inside: u64,
    /// All of them.
    pub total: u64,
}

impl From<Bytes> for BytesView {
    fn from(bytes: Bytes) -> Self {
        let Bytes { names, framing, values, inside } = bytes;
        Self { names, types_and_lengths: framing, values, inside, total: bytes.total() }
    }
}

impl BytesView {
    /// Adds the bytes of another path.
    pub const fn add(&mut self, other: &Self) {
        self.names += other.names;
        self.types_and_lengths += other.types_and_lengths;
        self.values += other.values;
        self.inside += other.inside;
        self.total += other.total;
    }
}

/// One path.
#[derive(Debug, Serialize)]
pub struct PathView {
    /// The same as steps.
    #[serde(skip)]
    pub place: Path,
    /// The path, `$.list[].price`.
    pub path: String,
    /// How many values.
    pub values: u64,
    /// `null` below `*`, where it cannot be known.
    pub documents: Option<u64>,
    /// How often a name occurs again in an object.
    pub repeated_names: u64,
    /// Without those of the paths below it.
    pub bytes: BytesView,
    /// Their types, in the order of types.
    pub types: Vec<TypeView>,
    /// How many different values; 0 for containers.
    pub distinct: u64,
    /// Of arrays, how many elements they have.
    pub elements: Option<SizesView>,
    /// Of objects whose names are data, about how many different names.
    pub folded_names: Option<u64>,
}

/// How many values of a type.
#[derive(Debug, Serialize)]
pub struct TypeView {
    /// The type's name.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// How many values.
    pub count: u64,
    /// Their bytes; of containers with what is in them.
    pub bytes: u64,
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
            place: stats.path,
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
#[derive(Debug, Serialize)]
pub struct FormatsView {
    /// How many documents were measured.
    pub documents: u64,
    /// Documents that one of the formats cannot hold.
    pub left_out: u64,
    /// What they measure.
    pub bytes: FormatBytes,
}

/// Bytes in each format.
#[derive(Debug, Serialize)]
pub struct FormatBytes {
    /// Relaxed Extended JSON without spaces.
    pub json: u64,
    /// As documents stand in a collection.
    pub bson: u64,
    /// In the compact style.
    pub oson: u64,
}

impl From<FormatSizes> for FormatsView {
    fn from(sizes: FormatSizes) -> Self {
        let bytes = FormatBytes { json: sizes.json_bytes, bson: sizes.bson_bytes, oson: sizes.oson_bytes };
        Self { documents: sizes.documents, left_out: sizes.left_out, bytes }
    }
}

/// What documents would measure.
#[derive(Debug, Serialize)]
pub struct Outlook {
    /// As they are.
    pub now: After,
    /// When all is done that is proposed, except to `_id`.
    pub id_kept: After,
    /// When `_id` is converted, too.
    pub id_converted: After,
    /// Proposals of which it is not known what they save; they count as nothing.
    pub not_known: usize,
}

/// Bytes of the documents.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct After {
    /// Of all documents.
    pub bytes: i64,
    /// Of one on average.
    pub bytes_per_document: f64,
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
#[derive(Debug, Serialize)]
pub struct How {
    /// Of counts and sizes of documents.
    pub documents: &'static str,
    /// Of quantiles.
    pub quantiles: &'static str,
    /// Of bytes per path.
    pub bytes: &'static str,
    /// Of counts of types.
    pub types: &'static str,
    /// Of numbers of different values.
    pub distinct: &'static str,
    /// Of numbers of different names.
    pub folded_names: &'static str,
    /// Of sizes in other formats.
    pub formats: &'static str,
    /// Of savings.
    pub saved_bytes: &'static str,
    /// Of keys in indexes.
    pub index_keys: &'static str,
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
    /// What is said of `outcome`; with letters and digits of values replaced if `mask` says so.
    pub fn new(outcome: &'a Outcome, mask: bool) -> Self {
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
                unread: outcome.unread,
                first: outcome.first_fault.as_deref(),
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

    /// Whether any document could not be read whole.
    pub const fn has_faults(&self) -> bool {
        self.broken.partly_read > 0 || self.broken.unread > 0
    }
}

fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// `a / b` for people; 0 when `b` is.
#[expect(clippy::cast_precision_loss, reason = "for people to read; 53 bits are enough")]
pub fn ratio(a: i64, b: u64) -> f64 {
    if b == 0 { 0.0 } else { a as f64 / b as f64 }
}
