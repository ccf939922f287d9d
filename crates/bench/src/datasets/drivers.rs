//! Documents like the three that the MongoDB drivers are measured on: the same numbers of fields of the same types, names
//! and strings of the same lengths, and so the same sizes in BSON; every name and value is our own.

use boson_document::{Kind, Value};

use super::build::{object, text};
use super::random::Random;

/// Letters in each name and in the short strings.
const NAME_LETTERS: usize = 8;
/// Letters in the long strings.
const TEXT_LETTERS: usize = 80;

/// 145 fields on one level: 48 strings, 24 each of double, int32, int64 and boolean, and an `_id`.
pub(super) fn flat(random: &mut Random) -> Value {
    let kinds = [Kind::String, Kind::Double, Kind::Int32, Kind::String, Kind::Int64, Kind::Bool];
    let cycle = kinds.into_iter().cycle().take(24 * kinds.len());
    let mut members: Vec<(String, Value)> = cycle.map(|kind| (name(random), value(kind, random))).collect();
    members.push(("_id".to_owned(), Value::ObjectId(random.object_id())));
    Value::Object(members)
}

/// A binary tree of six levels, its 64 leaves strings of eight letters.
pub(super) fn deep(random: &mut Random) -> Value {
    let mut nodes: Vec<Value> =
        (0..32).map(|_| pair(["leftValue", "rightValue"], leaf(random), leaf(random))).collect();
    while nodes.len() > 2 {
        let mut children = nodes.into_iter();
        let mut parents = Vec::new();
        while let (Some(left), Some(right)) = (children.next(), children.next()) {
            parents.push(pair(["left", "right"], left, right));
        }
        nodes = parents;
    }
    let [left, right] = <[Value; 2]>::try_from(nodes).unwrap_or([Value::Null, Value::Null]);
    pair(["left", "right"], left, right)
}

fn pair([left_name, right_name]: [&str; 2], left: Value, right: Value) -> Value {
    object([(left_name, left), (right_name, right)])
}

fn leaf(random: &mut Random) -> Value {
    text(random.letters(NAME_LETTERS))
}

/// 91 fields of every type that BSON recommends: how many of each, then how many members the containers have.
pub(super) fn full(random: &mut Random) -> Value {
    let mut members = Vec::new();
    for (kind, count) in FULL_LEAVES {
        members.extend((0..count).map(|_| (name(random), value(kind, random))));
    }
    members.extend(FULL_ARRAYS.iter().map(|&len| (name(random), numbers(random, len))));
    members.extend(FULL_SCOPES.iter().map(|&len| (name(random), code(random, len))));
    shuffle(&mut members, random);
    members.push(("_id".to_owned(), Value::ObjectId(random.object_id())));
    Value::Object(members)
}

const FULL_LEAVES: [(Kind, usize); 11] = [
    (Kind::Int64, 12),
    (Kind::Bool, 12),
    (Kind::Int32, 6),
    (Kind::Binary, 6),
    (Kind::MaxKey, 6),
    (Kind::MinKey, 6),
    (Kind::DateTime, 6),
    (Kind::Timestamp, 6),
    (Kind::String, 6),
    (Kind::Object, 4),
    (Kind::Regex, 2),
];

/// The lengths of the arrays of int32.
const FULL_ARRAYS: [usize; 6] = [7, 7, 4, 4, 10, 8];

/// How many int32 the scopes of the twelve pieces of code hold.
const FULL_SCOPES: [usize; 12] = [0, 5, 7, 0, 0, 0, 3, 1, 0, 0, 4, 7];

fn name(random: &mut Random) -> String {
    random.letters(NAME_LETTERS)
}

fn value(kind: Kind, random: &mut Random) -> Value {
    match kind {
        Kind::String => text(random.letters(TEXT_LETTERS)),
        Kind::Double => Value::Double(random.hundredths(1_000_000) * 1e12),
        Kind::Int32 => Value::Int32(random.below(200) - 100),
        Kind::Int64 => Value::Int64((random.bits() >> 1).cast_signed()),
        Kind::Bool => Value::Bool(random.once_in(2)),
        Kind::Binary => Value::Binary { subtype: 0, bytes: random.bytes(TEXT_LETTERS) },
        Kind::MinKey => Value::MinKey,
        Kind::MaxKey => Value::MaxKey,
        Kind::DateTime => Value::DateTime(random.moment_ms()),
        Kind::Timestamp => Value::Timestamp { time: seconds(random), increment: 1 },
        Kind::Object => Value::Object(Vec::new()),
        Kind::Regex => Value::Regex { pattern: random.letters(NAME_LETTERS), options: String::new() },
        _ => Value::Null,
    }
}

fn seconds(random: &mut Random) -> u32 {
    u32::try_from(random.moment_ms() / 1000).unwrap_or_default()
}

fn numbers(random: &mut Random, len: usize) -> Value {
    Value::Array((0..len).map(|_| Value::Int32(1 + random.below(10))).collect())
}

fn code(random: &mut Random, len: usize) -> Value {
    let code = random.letters(TEXT_LETTERS);
    let scope = (0..len).map(|_| (name(random), value(Kind::Int32, random))).collect();
    Value::CodeWithScope { code, scope }
}

/// Fisher and Yates.
fn shuffle<T>(items: &mut [T], random: &mut Random) {
    for last in (1..items.len()).rev() {
        items.swap(last, random.index(last + 1));
    }
}
