//! How MongoDB orders values of all types ("Comparison/Sort Order" of its manual).

use std::cmp::Ordering;

use bson::Bson;

/// A value in that order.
#[derive(Clone, Debug)]
pub(crate) struct Key(pub(crate) Bson);

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Key {}

impl PartialOrd for Key {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Key {
    fn cmp(&self, other: &Self) -> Ordering {
        compare(&self.0, &other.0)
    }
}

/// The place of a type in the order; types that compare with one another have one place.
pub(crate) fn bracket(value: &Bson) -> u8 {
    match value {
        Bson::MinKey => 0,
        Bson::Undefined => 1,
        Bson::Null => 2,
        Bson::Int32(_) | Bson::Int64(_) | Bson::Double(_) | Bson::Decimal128(_) => 3,
        Bson::String(_) | Bson::Symbol(_) => 4,
        Bson::Document(_) => 5,
        Bson::Array(_) => 6,
        Bson::Binary(_) => 7,
        Bson::ObjectId(_) => 8,
        Bson::Boolean(_) => 9,
        Bson::DateTime(_) => 10,
        Bson::Timestamp(_) => 11,
        Bson::RegularExpression(_) => 12,
        Bson::DbPointer(_) => 13,
        Bson::JavaScriptCode(_) => 14,
        Bson::JavaScriptCodeWithScope(_) => 15,
        Bson::MaxKey => 16,
    }
}

pub(crate) fn number(value: &Bson) -> Option<f64> {
    Some(match value {
        Bson::Int32(number) => f64::from(*number),
        #[expect(clippy::cast_precision_loss, reason = "compared with doubles only")]
        Bson::Int64(number) => *number as f64,
        Bson::Double(number) => *number,
        Bson::Decimal128(number) => number.to_string().parse().unwrap(),
        _ => return None,
    })
}

fn compare_numbers(one: &Bson, other: &Bson) -> Ordering {
    let whole = |value: &Bson| match value {
        Bson::Int32(number) => Some(i64::from(*number)),
        Bson::Int64(number) => Some(*number),
        _ => None,
    };
    if let (Some(one), Some(other)) = (whole(one), whole(other)) {
        return one.cmp(&other);
    }
    let (one, other) = (number(one).unwrap(), number(other).unwrap());
    one.partial_cmp(&other).unwrap_or_else(|| other.is_nan().cmp(&one.is_nan()))
}

pub(crate) fn text(value: &Bson) -> &str {
    match value {
        Bson::String(text) | Bson::Symbol(text) => text,
        _ => "",
    }
}

/// Compares two values; by type where they do not compare otherwise.
pub(crate) fn compare(one: &Bson, other: &Bson) -> Ordering {
    let by_bracket = bracket(one).cmp(&bracket(other));
    if by_bracket != Ordering::Equal {
        return by_bracket;
    }
    match (one, other) {
        (Bson::Document(one), Bson::Document(other)) => {
            let members = |document: &bson::Document| -> Vec<(u8, String, Key)> {
                document.iter().map(|(name, value)| (bracket(value), name.clone(), Key(value.clone()))).collect()
            };
            members(one).cmp(&members(other))
        }
        (Bson::Array(one), Bson::Array(other)) => {
            let keys = |items: &[Bson]| items.iter().cloned().map(Key).collect::<Vec<_>>();
            keys(one).cmp(&keys(other))
        }
        (Bson::Binary(one), Bson::Binary(other)) => {
            let key = |value: &bson::Binary| (value.bytes.len(), u8::from(value.subtype), value.bytes.clone());
            key(one).cmp(&key(other))
        }
        (Bson::ObjectId(one), Bson::ObjectId(other)) => one.bytes().cmp(&other.bytes()),
        (Bson::Boolean(one), Bson::Boolean(other)) => one.cmp(other),
        (Bson::DateTime(one), Bson::DateTime(other)) => one.timestamp_millis().cmp(&other.timestamp_millis()),
        (Bson::Timestamp(one), Bson::Timestamp(other)) => (one.time, one.increment).cmp(&(other.time, other.increment)),
        _ if bracket(one) == 3 => compare_numbers(one, other),
        _ if bracket(one) == 4 => text(one).cmp(text(other)),
        _ => format!("{one:?}").cmp(&format!("{other:?}")),
    }
}
