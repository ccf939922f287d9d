//! Extended JSON that was stored as it stood: `{"$oid": "…"}` as an object instead of an ObjectId.

use boson_document::Kind;

use super::{Verdict, count_of};
use crate::finding::{Actual, Conversion, Finding, IndexKeys, Misfits, Reason, Risk, Target};
use crate::node::Node;
use crate::path::Path;
use crate::profile::Profile;
use crate::shape::Shape;

/// The wrappers of one value, and the types they wrap.
const WRAPPERS: [(&str, Target); 7] = [
    ("$oid", Target::ObjectId),
    ("$date", Target::Date),
    ("$numberInt", Target::Int32),
    ("$numberLong", Target::Int64),
    ("$numberDouble", Target::Double),
    ("$numberDecimal", Target::Decimal128),
    ("$uuid", Target::Uuid),
];

/// Objects of which at least nine tenths are wrappers of one kind that hold what such a wrapper holds.
pub(super) fn wrapped(profile: &Profile, path: &Path, node: &Node) -> Option<Verdict> {
    let objects = count_of(node, Kind::Object);
    let members = node.below.members.iter().filter_map(|&id| profile.node(id));
    let found = members.filter_map(|member| {
        let (_, target) = WRAPPERS.iter().find(|(name, _)| **name == *member.key)?;
        let fits = member.stats.alone.min(holds(profile, *target, member));
        (fits > 0 && fits.saturating_mul(10) >= objects.saturating_mul(9)).then_some((member, *target, fits))
    });
    let (member, target, fits) = found.max_by_key(|&(.., fits)| fits)?;
    let whole = fits == objects && member.stats.count() == fits;
    let saved_bytes = if whole { saved(profile, member, target, fits) } else { None };
    // An object's key holds its type, its names and its values.
    let before_bytes_mean = 24.0;
    let index = IndexKeys { before_bytes_mean, after_bytes_max: super::draft::key_bytes(target, 0.0), reorders: true };
    let count = objects.saturating_sub(fits);
    let two_types = (count > 0).then_some(Reason::TwoTypes);
    let is_id = path.is_id().then_some(Reason::PrimaryKey);
    let survives = (two_types.is_none() && is_id.is_none()).then_some(Reason::EveryValueSurvives);
    Some(Verdict::Proposes(Box::new(Finding {
        path: path.clone(),
        stored: Kind::Object,
        actual: Actual::ExtendedJson,
        fits,
        documents: None,
        misfits: Misfits { count, ..Misfits::default() },
        others: Vec::new(),
        proposal: Conversion { target, spelling: None, saved_bytes, losses: Vec::new(), index },
        alternatives: Vec::new(),
        questions: Vec::new(),
        risk: if is_id.is_some() { Risk::High } else { Risk::Low },
        reasons: two_types.into_iter().chain(is_id).chain(survives).collect(),
    })))
}

/// How many values of a wrapper's member are what the wrapper of `target` holds.
fn holds(profile: &Profile, target: Target, member: &Node) -> u64 {
    let strings = member.stats.strings.as_deref().map(|strings| &*strings.shapes).unwrap_or_default();
    let fitting = strings.iter().filter(|stats| is_content(target, stats.shape));
    let strings = fitting.fold(0_u64, |sum, stats| sum.saturating_add(stats.count));
    let others = match target {
        // A date is also written as `{"$date": {"$numberLong": "…"}}` and, before version 2, as a number.
        Target::Date => dates(profile, member),
        _ => 0,
    };
    strings.saturating_add(others)
}

fn dates(profile: &Profile, member: &Node) -> u64 {
    let inner = member.below.members.iter().filter_map(|&id| profile.node(id));
    let longs = inner
        .filter(|inner| &*inner.key == "$numberLong")
        .fold(0_u64, |sum, inner| sum.saturating_add(inner.stats.alone.min(holds(profile, Target::Int64, inner))));
    longs.saturating_add(count_of(member, Kind::Int64))
}

const fn is_content(target: Target, shape: Shape) -> bool {
    match target {
        Target::ObjectId => matches!(shape, Shape::ObjectId { .. }),
        Target::Date => matches!(shape, Shape::DateTime(_)),
        Target::Uuid => matches!(shape, Shape::Uuid { .. }),
        Target::Int32 | Target::Int64 => {
            matches!(shape, Shape::Integer(range) if range.fits_int64())
        }
        Target::Double | Target::Decimal128 => {
            matches!(shape, Shape::Integer(_) | Shape::Decimal(_) | Shape::Exponent { .. } | Shape::NonFinite(_))
        }
        _ => false,
    }
}

/// Bytes saved where every object is a wrapper: of an object its length, its NUL, and a type, a name, a NUL and a value.
fn saved(profile: &Profile, member: &Node, target: Target, fits: u64) -> Option<i64> {
    let before = member_bytes(profile, member)?.checked_add(fits.checked_mul(5)?)?;
    let after = fits.checked_mul(target.bson_bytes()?)?;
    i64::try_from(before).ok()?.checked_sub(i64::try_from(after).ok()?)
}

/// Bytes of BSON of all occurrences of a member, of kinds that wrappers hold.
fn member_bytes(profile: &Profile, member: &Node) -> Option<u64> {
    let head = u64::try_from(member.key.len()).ok()?.checked_add(2)?;
    let values = member.stats.kinds.iter().try_fold(0_u64, |sum, stats| {
        let bytes = match stats.kind {
            Kind::String => {
                let shapes = member.stats.strings.as_deref()?.shapes.iter();
                shapes
                    .fold(0_u64, |sum, stats| sum.saturating_add(stats.bytes))
                    .checked_add(stats.count.checked_mul(5)?)?
            }
            Kind::Int64 => stats.count.checked_mul(8)?,
            Kind::Object => {
                let inner = member.below.members.iter().filter_map(|&id| profile.node(id));
                inner
                    .map(|inner| member_bytes(profile, inner))
                    .sum::<Option<u64>>()?
                    .checked_add(stats.count.checked_mul(5)?)?
            }
            _ => return None,
        };
        sum.checked_add(bytes)
    })?;
    member.stats.count().checked_mul(head)?.checked_add(values)
}
