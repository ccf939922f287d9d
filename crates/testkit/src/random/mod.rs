//! Random documents: by seed, and as a strategy of proptest.

mod change;
mod coverage;
mod edges;
mod leaf;
mod name;
mod shrink;
mod tree;

pub use change::OwnedChange;
pub use coverage::Coverage;
pub use edges::edges;
pub use name::{FNV_BASIS, colliding, fnv1a};

use boson_document::{Kind, Value};

use crate::rng::Rng;

/// Every kind that BSON has.
pub const BSON_ALL: &[Kind] = &[
    Kind::Object,
    Kind::Array,
    Kind::CodeWithScope,
    Kind::Null,
    Kind::Bool,
    Kind::Int32,
    Kind::Int64,
    Kind::Double,
    Kind::Decimal128,
    Kind::String,
    Kind::Binary,
    Kind::ObjectId,
    Kind::DateTime,
    Kind::Timestamp,
    Kind::Regex,
    Kind::Code,
    Kind::Symbol,
    Kind::DbPointer,
    Kind::Undefined,
    Kind::MinKey,
    Kind::MaxKey,
];

/// Every kind that a reader of OSON delivers.
pub const OSON_ALL: &[Kind] = &[
    Kind::Object,
    Kind::Array,
    Kind::Null,
    Kind::Bool,
    Kind::Int32,
    Kind::Int64,
    Kind::Float,
    Kind::Double,
    Kind::Decimal128,
    Kind::Number,
    Kind::DecimalText,
    Kind::String,
    Kind::Binary,
    Kind::ObjectId,
    Kind::Id,
    Kind::OracleDate,
    Kind::OracleTimestamp,
    Kind::OracleTimestampTz,
    Kind::IntervalYearMonth,
    Kind::IntervalDaySecond,
    Kind::OracleVector,
];

/// Every kind that JSON text has, a number being of the smallest kind that holds it.
pub const JSON_ALL: &[Kind] = &[
    Kind::Object,
    Kind::Array,
    Kind::Null,
    Kind::Bool,
    Kind::Int32,
    Kind::Int64,
    Kind::Double,
    Kind::DecimalText,
    Kind::String,
];

/// The kinds that come back from BSON by way of OSON as they were.
pub const EXACT_BOTH: &[Kind] = &[
    Kind::Object,
    Kind::Array,
    Kind::Null,
    Kind::Bool,
    Kind::Int32,
    Kind::Int64,
    Kind::Double,
    Kind::Decimal128,
    Kind::String,
    Kind::Binary,
    Kind::ObjectId,
    Kind::DateTime,
];

/// Which of a kind's values, and which names, are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Range {
    /// All that BSON holds: any bits, names without NUL.
    Bson,
    /// What OSON gives back as it was: decimals that a NUMBER holds, binary without subtype, any root.
    Oson,
    /// What JSON text gives back as it was: finite doubles, int64 only where int32 ends, any root.
    Json,
    /// What BSON and OSON both hold exactly: also dates of the years 1 to 9999, one NaN and one zero (OSON's writers have
    /// one of each, cases.md O14).
    Exact,
}

/// What the random documents are like.
#[derive(Clone, Copy, Debug)]
pub struct Gen {
    /// The kinds that occur.
    pub kinds: &'static [Kind],
    /// Which of their values occur.
    pub range: Range,
    /// Containers inside containers, at most; the root counts as 1.
    pub depth: usize,
    /// Members of one container, at most.
    pub width: usize,
    /// Values in one document, about, at most.
    pub nodes: usize,
    /// Whether a name may occur twice in an object.
    pub duplicates: bool,
    /// Whether names longer than 255 bytes occur.
    pub long_names: bool,
}

impl Gen {
    /// Documents of all that BSON can hold, names twice in an object left out.
    pub const BSON_ALL: Self = Self::new(BSON_ALL, Range::Bson);

    /// Documents of all that OSON can hold.
    pub const OSON_ALL: Self = Self::new(OSON_ALL, Range::Oson);

    /// Documents of all that JSON text can hold, names twice in an object left out.
    pub const JSON_ALL: Self = Self::new(JSON_ALL, Range::Json);

    /// Documents that survive the way from BSON to OSON and back.
    pub const EXACT_BOTH: Self = Self::new(EXACT_BOTH, Range::Exact);

    /// Documents of `kinds`, up to 7 levels, 2000 members in a container and 3000 values.
    pub const fn new(kinds: &'static [Kind], range: Range) -> Self {
        Self { kinds, range, depth: 7, width: 2000, nodes: 3000, duplicates: false, long_names: true }
    }

    /// The same with at most `depth` levels.
    #[must_use]
    pub const fn with_depth(self, depth: usize) -> Self {
        Self { depth, ..self }
    }

    /// The same with at most `width` members in a container and about as many values in a document.
    #[must_use]
    pub const fn with_width(self, width: usize) -> Self {
        Self { width, nodes: width, ..self }
    }

    /// The same, now and then with a name that occurs twice in an object.
    #[must_use]
    pub const fn with_duplicates(self) -> Self {
        Self { duplicates: true, ..self }
    }

    /// The same without names longer than 255 bytes.
    #[must_use]
    pub const fn without_long_names(self) -> Self {
        Self { long_names: false, ..self }
    }

    /// A random document; its root is an object, save now and then where the format allows any.
    pub fn document(&self, rng: &mut Rng) -> Value {
        tree::Tree::new(self, rng).document()
    }

    /// A random value of `kind` alone.
    pub fn value(&self, kind: Kind, rng: &mut Rng) -> Value {
        tree::Tree::new(self, rng).value(kind, 1)
    }

    fn any_root(&self) -> bool {
        matches!(self.range, Range::Oson | Range::Json)
    }
}

/// `count` documents of `seed`, always the same. Every kind occurs in each run of as many documents as there are kinds,
/// and the edge values of a kind take turns there; the rest of each document is random.
pub fn documents(seed: u64, like: Gen, count: usize) -> impl Iterator<Item = Value> {
    let mut rng = Rng::new(seed);
    let scalars = like.kinds.iter().filter(|kind| !kind.is_container());
    let edges: Vec<&[Value]> = scalars.map(|&kind| edges(kind, like.range)).collect();
    (0..count).map(move |index| {
        let document = like.document(&mut rng);
        let turn = index.checked_rem(like.kinds.len()).unwrap_or_default();
        let round = index.checked_div(like.kinds.len()).unwrap_or_default();
        let shown = match edges.get(turn) {
            Some(edges) => edges.iter().cycle().nth(round).cloned(),
            None => Some(like.value(container(like.kinds, turn - edges.len()), &mut rng)),
        };
        tree::with_member(document, shown.unwrap_or(Value::Null))
    })
}

/// The container number `index` of `kinds`.
fn container(kinds: &[Kind], index: usize) -> Kind {
    kinds.iter().copied().filter(|kind| kind.is_container()).nth(index).unwrap_or(Kind::Object)
}
