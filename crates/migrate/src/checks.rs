//! What must be known of all documents before anything is written: which would expire, which would have the same key.

use std::time::{SystemTime, UNIX_EPOCH};

use boson_bson::{Document, Tag, Value};
use boson_document::{Decimal, Scalar};
use boson_profile::Path;
use boson_store::{IndexSpec, Metadata};

use crate::chunk::hash;
use crate::hazard::{covers, dotted};
use crate::plan::{CollectionPlan, To};

/// What is looked at in each document.
#[derive(Debug, Default)]
pub(crate) struct Checks {
    pub(crate) expiring: Vec<Expiring>,
    pub(crate) unique: Vec<Unique>,
}

/// An index that deletes.
#[derive(Debug)]
pub(crate) struct Expiring {
    pub(crate) index: String,
    keys: Vec<String>,
    /// Dates before it are old enough.
    before_ms: i64,
}

/// An index in which no two documents may have the same key.
#[derive(Debug)]
pub(crate) struct Unique {
    pub(crate) index: String,
    keys: Vec<Vec<String>>,
    is_sparse: bool,
}

/// What was found in some documents.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// For each of [`Checks::expiring`].
    pub(crate) expired: Vec<u64>,
    /// Which of [`Checks::unique`], the hash of a key, the document's number.
    pub(crate) keys: Vec<(usize, u64, u64)>,
}

impl Checks {
    pub(crate) fn new(plan: &CollectionPlan, metadata: Option<&Metadata>) -> Self {
        let mut checks = Self::default();
        let Some(metadata) = metadata else { return checks };
        let fields: Vec<(String, To)> =
            plan.converted().filter_map(|field| Some((dotted(&field.path.parse::<Path>().ok()?), field.to))).collect();
        for index in metadata.indexes() {
            let touched = |key: &str| fields.iter().any(|(path, _)| covers(key, path));
            if !index.keys.iter().any(|(key, _)| touched(key)) {
                continue;
            }
            if let (Some(seconds), [(key, _)]) = (index.expire_after_seconds, &*index.keys) {
                let before_ms = now_ms().saturating_sub(seconds.saturating_mul(1000));
                checks.expiring.push(Expiring { index: index.name.clone(), keys: names(key), before_ms });
            }
            if index.is_unique && !crate::metadata::is_dropped(plan, &index.name) {
                checks.unique.push(Unique::new(index));
            }
        }
        checks
    }

    /// Looks at one document, which is `after` now.
    #[inline]
    pub(crate) fn look(&self, number: u64, _before: &[u8], after: &[u8], found: &mut Found) {
        if self.expiring.is_empty() && self.unique.is_empty() {
            return;
        }
        let Ok(document) = Document::new(after) else { return };
        found.expired.resize(self.expiring.len(), 0);
        for (expiring, count) in self.expiring.iter().zip(&mut found.expired) {
            *count += u64::from(expiring.is_old(document));
        }
        for (place, unique) in self.unique.iter().enumerate() {
            unique.keys_of(document, |key| found.keys.push((place, key, number)));
        }
    }
}

fn names(key: &str) -> Vec<String> {
    key.split('.').map(str::to_owned).collect()
}

fn now_ms() -> i64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_millis());
    i64::try_from(now).unwrap_or(i64::MAX)
}

impl Expiring {
    fn is_old(&self, document: Document<'_>) -> bool {
        let mut old = false;
        values(document, &self.keys, &mut |value| {
            old |= matches!(value.scalar(), Ok(Scalar::DateTime(ms)) if ms < self.before_ms);
        });
        old
    }
}

impl Unique {
    fn new(index: &IndexSpec) -> Self {
        Self {
            index: index.name.clone(),
            keys: index.keys.iter().map(|(key, _)| names(key)).collect(),
            is_sparse: index.is_sparse || index.partial_filter.is_some(),
        }
    }

    fn keys_of(&self, document: Document<'_>, mut add: impl FnMut(u64)) {
        // Of several fields only one can be an array: each of its elements makes a key.
        let mut all: Vec<Vec<u8>> = vec![Vec::new()];
        let mut is_missing = true;
        for key in &self.keys {
            let mut parts = Vec::new();
            values(document, key, &mut |value| parts.push(comparable(&value)));
            is_missing &= parts.is_empty();
            if parts.is_empty() {
                parts.push(vec![Tag::Null.byte()]);
            }
            parts.sort();
            parts.dedup();
            all = all
                .iter()
                .flat_map(|front| {
                    parts.iter().map(move |part| {
                        let len = u32::try_from(part.len()).unwrap_or(u32::MAX);
                        [front.as_slice(), &len.to_le_bytes(), part].concat()
                    })
                })
                .take(KEYS_MAX)
                .collect();
        }
        if !(is_missing && self.is_sparse) {
            for key in &all {
                add(hash(key));
            }
        }
    }
}

/// A document has no more keys in an index that are looked at.
const KEYS_MAX: usize = 10_000;

/// The values at a dotted path, those in arrays on the way among them.
fn values(document: Document<'_>, names: &[String], use_value: &mut impl FnMut(Value<'_>)) {
    let Some((first, rest)) = names.split_first() else { return };
    let Ok(Some(value)) = document.get(first) else { return };
    let mut open = vec![(value, rest)];
    while let Some((value, rest)) = open.pop() {
        if let Ok(array) = value.as_array() {
            open.extend(
                array.items().filter_map(Result::ok).filter(|item| item.tag() != Tag::Array).map(|item| (item, rest)),
            );
        } else if let Some((name, rest)) = rest.split_first() {
            if let Ok(Some(inner)) = value.as_document().and_then(|document| document.get(name)) {
                open.push((inner, rest));
            }
        } else {
            use_value(value);
        }
    }
}

/// Bytes that are the same for values that an index takes for the same: numbers of any type among them.
fn comparable(value: &Value<'_>) -> Vec<u8> {
    let number = match value.scalar() {
        Ok(Scalar::Int32(number)) => Some(Decimal::from_i64(i64::from(number))),
        Ok(Scalar::Int64(number)) => Some(Decimal::from_i64(number)),
        Ok(Scalar::Double(number)) => Decimal::parse(&number.to_string()).ok(),
        Ok(Scalar::Decimal128(number)) => number.to_decimal(),
        _ => None,
    };
    match number {
        Some(number) if number.is_zero() => b"0".to_vec(),
        Some(number) => number.normalized().to_string().into_bytes(),
        None => [&[value.tag().byte()], value.bytes()].concat(),
    }
}
