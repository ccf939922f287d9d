//! The documents that are compared.

use boson_document::{Kind, Value};
use boson_testkit::random::{OSON_ALL, Range};
use boson_testkit::{Gen, documents};

/// A document, and the one kind of leaf in it; `None` for all kinds together.
#[derive(Debug, Clone)]
pub(super) struct Sample {
    pub(super) kind: Option<Kind>,
    pub(super) document: Value,
}

/// Documents of everything in BSON.
pub(super) fn bson(seed: u64, each: usize, mixed: usize) -> Vec<Sample> {
    samples(Gen::BSON_ALL, seed, each, mixed)
}

/// Documents of everything in OSON.
///
/// They have few containers: python-oracledb's writer takes time by the square of them (docs/format/peers.md, section 1).
pub(super) fn oson(seed: u64, each: usize, mixed: usize) -> Vec<Sample> {
    let mut kinds = OSON_ALL.to_vec();
    // A date of BSON is written as a TIMESTAMP.
    kinds.push(Kind::DateTime);
    // Wider than what OSON gives back: also the decimals, zeros and NaNs that it changes.
    let mut samples = samples(Gen::new(kinds.leak(), Range::Bson), seed, each, mixed);
    for sample in &mut samples {
        make_writable(&mut sample.document);
    }
    samples
}

/// Replaces what our own writer refuses by design: the conversion decides about it before.
fn make_writable(value: &mut Value) {
    match value {
        Value::Object(members) => members.iter_mut().for_each(|(_, member)| make_writable(member)),
        Value::Array(elements) => elements.iter_mut().for_each(make_writable),
        Value::Binary { subtype, .. } => *subtype = 0,
        Value::Decimal128(decimal) if !decimal.is_finite() => *value = Value::Null,
        Value::DateTime(ms) if !(YEAR_1_MS..=YEAR_9999_MS).contains(ms) => *ms = YEAR_9999_MS,
        _ => {}
    }
}

/// 0001-01-01T00:00:00Z in milliseconds since 1970.
const YEAR_1_MS: i64 = -62_135_596_800_000;
/// 9999-12-31T23:59:59.999Z in milliseconds since 1970.
const YEAR_9999_MS: i64 = 253_402_300_799_999;

fn samples(all: Gen, seed: u64, each: usize, mixed: usize) -> Vec<Sample> {
    let mut samples = Vec::new();
    for &kind in all.kinds {
        // A handful of slices that live as long as the run.
        let kinds: &'static [Kind] = vec![kind, Kind::Object, Kind::Array].leak();
        let few = Gen { kinds, depth: 3, nodes: 5, ..all };
        samples.extend(documents(seed, few, each).map(|document| Sample { kind: Some(kind), document }));
    }
    // One in three is wide: the layouts change at 256 fields.
    let narrow = Gen { nodes: 12, ..all };
    let wide = Gen { nodes: 700, depth: 2, ..all };
    for (like, count) in [(narrow, mixed - mixed / 3), (wide, mixed / 3)] {
        samples.extend(documents(seed, like, count).map(|document| Sample { kind: None, document }));
    }
    samples.retain(|sample| containers(&sample.document) < 120);
    samples
}

fn containers(document: &Value) -> usize {
    match document {
        Value::Object(members) | Value::CodeWithScope { scope: members, .. } => {
            1 + members.iter().map(|(_, member)| containers(member)).sum::<usize>()
        }
        Value::Array(elements) => 1 + elements.iter().map(containers).sum::<usize>(),
        _ => 0,
    }
}
