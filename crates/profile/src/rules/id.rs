//! UUIDs and `ObjectIds`.

use super::{Draft, Field, Verdict};
use crate::finding::{Actual, Loss, Reason, Risk, Spelling, Stays, Target};
use crate::shape::{Case, ObjectIdSpelling, Shape, UuidSpelling};

/// UUIDs; without hyphens only where their versions say so, since MD5 sums look the same.
pub(super) fn uuid(field: &Field<'_>) -> Option<Verdict> {
    let is_uuid = |shape: Shape| matches!(shape, Shape::Uuid { .. });
    let fits = field.count(is_uuid);
    let bare = field.count(|shape| matches!(shape, Shape::Uuid { spelling: UuidSpelling::Bare, .. }));
    let sums = field.count(|shape| matches!(shape, Shape::Uuid { spelling: UuidSpelling::Bare, versioned: false, .. }));
    if !field.is_enough(fits) || sums.saturating_mul(100) > bare {
        return None;
    }
    let spelled = |shape| match shape {
        Shape::Uuid { spelling, .. } => Some(spelling),
        _ => None,
    };
    let (spelling, others) = field.most(spelled)?;
    let (case, in_another_case) = case(field, is_uuid);
    let unversioned = field.count(|shape| matches!(shape, Shape::Uuid { versioned: false, .. }));
    let losses = [Loss::Spelling(others.max(in_another_case))];
    Draft::new(field, Actual::Uuid, is_uuid)
        .way(Target::Uuid, Spelling::Uuid { spelling, case }, &losses)
        .risk(unversioned > 0, Risk::Low, Reason::NoVersion)
        .finish()
}

/// The case that most texts of hexadecimal digits are written in, and how many of those that `wanted` wants are not.
pub(super) fn case(field: &Field<'_>, wanted: impl Fn(Shape) -> bool) -> (Case, u64) {
    let of = |case: Case| field.count(|shape| wanted(shape) && case_of(shape) == Some(case));
    let (lower, upper, mixed) = (of(Case::Lower), of(Case::Upper), of(Case::Mixed));
    if upper > lower { (Case::Upper, lower.saturating_add(mixed)) } else { (Case::Lower, upper.saturating_add(mixed)) }
}

const fn case_of(shape: Shape) -> Option<Case> {
    match shape {
        Shape::Uuid { case, .. } | Shape::ObjectId { case, .. } | Shape::Hex(case) => Some(case),
        _ => None,
    }
}

/// `ObjectIds`: of those that are bare digits, 999 of 1000 must have a plausible time.
pub(super) fn object_id(field: &Field<'_>) -> Option<Verdict> {
    let is_id = |shape: Shape| matches!(shape, Shape::ObjectId { .. });
    if !field.is_enough(field.count(is_id)) {
        return None;
    }
    let implausible =
        |shape: Shape| matches!(shape, Shape::ObjectId { spelling: ObjectIdSpelling::Bare, plausible: false, .. });
    let bare = field.count(|shape| matches!(shape, Shape::ObjectId { spelling: ObjectIdSpelling::Bare, .. }));
    if field.count(implausible).saturating_mul(1000) > bare {
        return Some(field.leaves(Stays::ImplausibleTimes, implausible));
    }
    let spelled = |shape| match shape {
        Shape::ObjectId { spelling, .. } => Some(spelling),
        _ => None,
    };
    let (spelling, others) = field.most(spelled)?;
    let (case, in_another_case) = case(field, is_id);
    let losses = [Loss::Spelling(others.max(in_another_case))];
    let draft = Draft::new(field, Actual::ObjectId, is_id);
    draft.way(Target::ObjectId, Spelling::ObjectId { spelling, case }, &losses).finish()
}
