//! What is known of one path: states that merge, whatever the order.

use boson_document::Kind;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::distinct::Distinct;
use crate::examples::{Examples, Few};
use crate::histogram::Sizes;
use crate::kinds;
use crate::shape::{IntegerRange, Shape};

/// One path of the documents: what is known of its values, and how to find the paths below it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Node {
    /// The last step of its path; empty for the root, for `[]` and for `*`.
    pub(crate) key: Box<str>,
    pub(crate) stats: Stats,
    /// What is below.
    pub(crate) below: Below,
    /// The container in which it was seen last, as a number that grows; 0 before. Not part of the state.
    #[serde(skip)]
    pub(crate) seen: u64,
    /// The child that comes first, and the sibling that comes next, as they did the last time: documents repeat their
    /// shape. Places in the list of children; not part of the state.
    #[serde(skip)]
    pub(crate) first: u32,
    #[serde(skip)]
    pub(crate) next: u32,
}

/// The paths below one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Below {
    /// The members of its objects, ascending by key; one child for all when they are folded.
    pub(crate) members: Vec<u32>,
    /// The elements of its arrays.
    pub(crate) element: Option<u32>,
    pub(crate) keys: Keys,
}

/// What is done with the keys of the objects of one path.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) enum Keys {
    /// Each has a path of its own.
    #[default]
    Apart,
    /// They are data, all below one path; only how many there are is kept.
    Folded(Box<Distinct>),
    /// Too deep: nothing below has a path.
    Closed,
}

/// What is known of the values of one path. Every part merges.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Stats {
    /// Documents in which the path occurs; 0 below a folded key, where it cannot be known.
    pub(crate) documents: u64,
    /// How often a key was repeated in one object.
    pub(crate) repeated: u64,
    /// How often it was the only member of its object: counted for keys with `$`.
    pub(crate) alone: u64,
    pub(crate) bytes: NodeBytes,
    /// Ascending by kind once merged.
    #[serde(with = "few")]
    pub(crate) kinds: SmallVec<[KindStats; 2]>,
    pub(crate) strings: Option<Box<Strings>>,
    pub(crate) numbers: Option<Box<Numbers>>,
    /// Of arrays, how many elements they have.
    pub(crate) lengths: Option<Box<Sizes>>,
    /// How many are binary of subtype 4 with 16 bytes.
    pub(crate) uuids: u64,
    pub(crate) distinct: Distinct,
}

/// Bytes of one path, without those of the paths below it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct NodeBytes {
    pub(crate) names: u64,
    /// Types, lengths, terminators, punctuation: all that is neither name nor value.
    pub(crate) framing: u64,
    pub(crate) values: u64,
    /// What containers spend on themselves.
    pub(crate) containers: u64,
    /// Everything in containers that are too deep.
    pub(crate) inside: u64,
}

impl NodeBytes {
    pub(crate) fn merge(&mut self, other: &Self) {
        for (own, other) in [
            (&mut self.names, other.names),
            (&mut self.framing, other.framing),
            (&mut self.values, other.values),
            (&mut self.containers, other.containers),
            (&mut self.inside, other.inside),
        ] {
            *own = own.saturating_add(other);
        }
    }

    pub(crate) const fn total(&self) -> u64 {
        let outside = self.names.saturating_add(self.framing).saturating_add(self.values);
        outside.saturating_add(self.containers).saturating_add(self.inside)
    }
}

/// How many values of one kind a path has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KindStats {
    /// The kind.
    #[serde(with = "kinds")]
    pub kind: Kind,
    /// How many values.
    pub count: u64,
    /// The bytes of their spans: where a container's span covers its members, theirs too.
    pub bytes: u64,
}

/// The strings of one path.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Strings {
    /// Ascending by shape once merged.
    #[serde(with = "few")]
    pub(crate) shapes: SmallVec<[ShapeStats; 1]>,
    /// The offsets of dates and times that have one, in minutes.
    pub(crate) offsets: Few<i16>,
    /// What stands around amounts of money.
    pub(crate) affixes: Few<String>,
}

/// The strings of one shape.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct ShapeStats {
    pub(crate) shape: Shape,
    pub(crate) count: u64,
    /// Bytes of text.
    pub(crate) bytes: u64,
    pub(crate) len_min: u64,
    pub(crate) len_max: u64,
    /// The smallest and the largest number or moment, where the shape stands for one.
    pub(crate) low: i64,
    pub(crate) high: i64,
    pub(crate) examples: Examples,
}

/// What the numbers of one path really need.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Numbers {
    /// Doubles that an int32 holds exactly.
    pub(crate) doubles_int32: u64,
    /// Doubles that an int64 holds exactly and an int32 does not, up to 2^53.
    pub(crate) doubles_int64: u64,
    /// Int64 that an int32 holds.
    pub(crate) longs_int32: u64,
    /// Whole numbers that are seconds, or milliseconds, since 1970 in the years 1990 to 2099.
    pub(crate) seconds: u64,
    pub(crate) milliseconds: u64,
    /// The smallest and the largest whole number.
    pub(crate) low: i64,
    pub(crate) high: i64,
}

impl Default for Numbers {
    fn default() -> Self {
        let counts = (0, 0, 0, 0, 0);
        let (doubles_int32, doubles_int64, longs_int32, seconds, milliseconds) = counts;
        Self { doubles_int32, doubles_int64, longs_int32, seconds, milliseconds, low: i64::MAX, high: i64::MIN }
    }
}

impl Stats {
    #[inline]
    pub(crate) fn add_kind(&mut self, kind: Kind, bytes: u64) {
        match self.kinds.iter_mut().find(|stats| stats.kind == kind) {
            Some(stats) => {
                stats.count += 1;
                stats.bytes = stats.bytes.saturating_add(bytes);
            }
            None => self.kinds.push(KindStats { kind, count: 1, bytes }),
        }
    }

    pub(crate) fn count_of(&self, kind: Kind) -> u64 {
        self.kinds.iter().find(|stats| stats.kind == kind).map_or(0, |stats| stats.count)
    }

    pub(crate) fn has_containers(&self) -> bool {
        self.kinds.iter().any(|stats| stats.kind.is_container())
    }

    /// All values of the path.
    pub(crate) fn count(&self) -> u64 {
        self.kinds.iter().fold(0, |sum, stats| sum.saturating_add(stats.count))
    }

    pub(crate) fn merge(&mut self, other: Self) {
        self.documents = self.documents.saturating_add(other.documents);
        self.repeated = self.repeated.saturating_add(other.repeated);
        self.alone = self.alone.saturating_add(other.alone);
        self.bytes.merge(&other.bytes);
        other.kinds.iter().for_each(|stats| self.merge_kind(stats));
        merge_boxed(&mut self.strings, other.strings, Strings::merge);
        merge_boxed(&mut self.numbers, other.numbers, Numbers::merge);
        merge_boxed(&mut self.lengths, other.lengths, Sizes::merge);
        self.uuids = self.uuids.saturating_add(other.uuids);
        self.distinct.merge(&other.distinct);
    }

    fn merge_kind(&mut self, other: &KindStats) {
        match self.kinds.iter_mut().find(|stats| stats.kind == other.kind) {
            Some(own) => {
                own.count = own.count.saturating_add(other.count);
                own.bytes = own.bytes.saturating_add(other.bytes);
            }
            None => self.kinds.push(*other),
        }
    }

    /// Forgets the order in which things came.
    pub(crate) fn sort(&mut self) {
        self.kinds.sort_unstable_by_key(|stats| stats.kind);
        if let Some(strings) = &mut self.strings {
            strings.shapes.sort_unstable_by_key(|stats| stats.shape);
        }
    }

    pub(crate) fn is_sound(&self) -> bool {
        let shapes_sound = |strings: &Strings| strings.shapes.iter().all(|stats| stats.examples.is_sound());
        self.distinct.is_sound() && self.strings.as_deref().is_none_or(shapes_sound)
    }
}

/// Small vectors as what they are to serde: no more is reserved than comes.
mod few {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use smallvec::{Array, SmallVec};

    pub(super) fn serialize<A: Array<Item: Serialize>, S: Serializer>(
        items: &SmallVec<A>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        items.as_slice().serialize(serializer)
    }

    pub(super) fn deserialize<'de, A: Array<Item: Deserialize<'de>>, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<SmallVec<A>, D::Error> {
        Vec::deserialize(deserializer).map(SmallVec::from_vec)
    }
}

fn merge_boxed<T>(own: &mut Option<Box<T>>, other: Option<Box<T>>, merge: impl FnOnce(&mut T, &T)) {
    match (own, other) {
        (Some(own), Some(other)) => merge(own, &other),
        (own @ None, other) => *own = other,
        (Some(_), None) => {}
    }
}

impl Strings {
    fn merge(&mut self, other: &Self) {
        for stats in &other.shapes {
            match self.shapes.iter_mut().find(|own| own.shape == stats.shape) {
                Some(own) => own.merge(stats),
                None => self.shapes.push(stats.clone()),
            }
        }
        self.offsets.merge(&other.offsets);
        self.affixes.merge(&other.affixes);
    }

    /// The strings of `shape`.
    #[inline]
    pub(crate) fn of(&mut self, shape: Shape) -> Option<&mut ShapeStats> {
        let place = self.shapes.iter().position(|stats| stats.shape == shape).unwrap_or_else(|| {
            self.shapes.push(ShapeStats::new(shape));
            self.shapes.len() - 1
        });
        self.shapes.get_mut(place)
    }
}

impl ShapeStats {
    fn new(shape: Shape) -> Self {
        let (low, high) = (i64::MAX, i64::MIN);
        Self { shape, count: 0, bytes: 0, len_min: u64::MAX, len_max: 0, low, high, examples: Examples::default() }
    }

    #[inline]
    pub(crate) fn add(&mut self, len: u64, value: Option<i64>) {
        self.count += 1;
        self.bytes = self.bytes.saturating_add(len);
        self.len_min = self.len_min.min(len);
        self.len_max = self.len_max.max(len);
        if let Some(value) = value {
            self.low = self.low.min(value);
            self.high = self.high.max(value);
        }
    }

    fn merge(&mut self, other: &Self) {
        self.count = self.count.saturating_add(other.count);
        self.bytes = self.bytes.saturating_add(other.bytes);
        self.len_min = self.len_min.min(other.len_min);
        self.len_max = self.len_max.max(other.len_max);
        self.low = self.low.min(other.low);
        self.high = self.high.max(other.high);
        self.examples.merge(&other.examples);
    }
}

impl Numbers {
    #[inline]
    pub(crate) fn add(&mut self, kind: Kind, value: i64) {
        let narrow = i32::try_from(value).is_ok();
        match kind {
            Kind::Double if narrow => self.doubles_int32 += 1,
            Kind::Double => self.doubles_int64 += 1,
            Kind::Int64 if narrow => self.longs_int32 += 1,
            _ => {}
        }
        match IntegerRange::of(value) {
            IntegerRange::Seconds => self.seconds += 1,
            IntegerRange::Milliseconds => self.milliseconds += 1,
            _ => {}
        }
        self.low = self.low.min(value);
        self.high = self.high.max(value);
    }

    fn merge(&mut self, other: &Self) {
        for (own, other) in [
            (&mut self.doubles_int32, other.doubles_int32),
            (&mut self.doubles_int64, other.doubles_int64),
            (&mut self.longs_int32, other.longs_int32),
            (&mut self.seconds, other.seconds),
            (&mut self.milliseconds, other.milliseconds),
        ] {
            *own = own.saturating_add(other);
        }
        self.low = self.low.min(other.low);
        self.high = self.high.max(other.high);
    }
}
