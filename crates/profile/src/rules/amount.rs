//! Numbers as people write them, and amounts of money.

use super::number::decimal;
use super::{Draft, Field, Verdict};
use crate::finding::{Actual, Loss, Reason, Risk, Spelling, Stays, Target};
use crate::shape::{Grouping, Shape};

/// Numbers with a currency: the sign says money.
pub(super) fn money(field: &Field<'_>) -> Option<Verdict> {
    let is_money = |shape: Shape| matches!(shape, Shape::Money { .. });
    let fits = field.count(is_money);
    if fits == 0 || !field.is_enough(fits) {
        return None;
    }
    let parts = |shape| match shape {
        Shape::Money { grouping, scale, .. } => Some((grouping, scale)),
        _ => None,
    };
    let affix = field.node.stats.strings.as_ref().and_then(|strings| strings.affixes.only());
    let Some(affix) = affix else { return Some(field.leaves(Stays::Currencies, is_money)) };
    let groupings = Groupings::count(field, |shape| parts(shape).map(|(grouping, _)| grouping));
    let grouping = match groupings.meaning() {
        Ok(grouping) => grouping,
        Err(reason) => return Some(field.leaves(reason, is_money)),
    };
    let (scale, in_another_scale) =
        field.most(|shape| parts(shape).map(|(own, scale)| scale_in(grouping, own, scale)))?;
    let scale = (in_another_scale == 0).then_some(scale);
    let ungrouped = match grouping {
        Grouping::Plain | Grouping::Comma => 0,
        _ => field.count(|shape| matches!(shape, Shape::Money { ungrouped: true, .. })),
    };
    let spelling = Spelling::Money { grouping, scale, affix: affix.clone() };
    let draft = Draft::new(field, Actual::Money, is_money);
    draft.way(Target::Decimal128, spelling, &[Loss::Spelling(ungrouped)]).finish()
}

/// Numbers with separators: only where all of them agree on what the signs mean.
pub(super) fn grouped(field: &Field<'_>) -> Option<Verdict> {
    let is_grouped = |shape: Shape| matches!(shape, Shape::Grouped { .. });
    if field.count(is_grouped) == 0 {
        return None;
    }
    let grouping = |shape| match shape {
        Shape::Grouped { grouping, .. } => Some(grouping),
        Shape::Decimal(_) => Some(Grouping::Plain),
        _ => None,
    };
    let fits = |shape: Shape| is_grouped(shape) || matches!(shape, Shape::Integer(_) | Shape::Decimal(_));
    let grouping = match Groupings::count(field, grouping).meaning() {
        Ok(grouping) => grouping,
        Err(reason) => return Some(field.leaves(reason, is_grouped)),
    };
    if !field.is_enough(field.count(fits)) {
        return None;
    }
    let ungrouped = ungrouped_thousands(field);
    let scale = |shape| match shape {
        Shape::Grouped { grouping: own, scale } => Some(scale_in(grouping, own, scale)),
        Shape::Decimal(decimal) => Some(decimal.scale),
        Shape::Integer(_) => Some(0),
        _ => None,
    };
    let (most, others) = field.most(scale)?;
    let target = if most == 0 && others == 0 { Target::Int64 } else { Target::Decimal128 };
    let spelling = Spelling::Grouped { grouping, scale: (others == 0).then_some(most) };
    let actual = if target == Target::Int64 { Actual::Integer } else { Actual::Decimal };
    let draft = Draft::new(field, if field.hints.money { Actual::Money } else { actual }, fits);
    draft.way(target, spelling, &[Loss::Spelling(ungrouped)]).risk(true, Risk::Medium, Reason::SomethingIsOpen).finish()
}

/// The digits behind the decimal sign of a number in a field where the signs mean what they do in `grouping`.
const fn scale_in(grouping: Grouping, own: Grouping, scale: u8) -> u8 {
    match (grouping, own) {
        (Grouping::CommaPoint, Grouping::Unclear) => 0,
        _ => scale,
    }
}

/// How many numbers of a thousand or more stand without separators among those that may have them.
fn ungrouped_thousands(field: &Field<'_>) -> u64 {
    let decimals = field.count(|shape| decimal(shape).is_some_and(|decimal| decimal.thousands));
    let integers =
        field.of(|shape| matches!(shape, Shape::Integer(_))).filter(|stats| stats.high >= 1000 || stats.low <= -1000);
    integers.fold(decimals, |sum, stats| sum.saturating_add(stats.count))
}

/// How many numbers of a field have which signs between their digits.
struct Groupings(Vec<(Grouping, u64)>);

impl Groupings {
    fn count(field: &Field<'_>, pick: impl Fn(Shape) -> Option<Grouping>) -> Self {
        let picked = field.shapes.iter().filter_map(|stats| Some((pick(stats.shape)?, stats.count)));
        Self(picked.collect())
    }

    fn of(&self, wanted: Grouping) -> u64 {
        let counts = self.0.iter().filter(|(grouping, _)| *grouping == wanted);
        counts.fold(0, |sum, (_, count)| sum.saturating_add(*count))
    }

    /// The one meaning that all agree on.
    fn meaning(&self) -> Result<Grouping, Stays> {
        use Grouping::{Apostrophe, Comma, CommaPoint, Plain, PointComma, Space, Unclear};
        let of = |grouping: Grouping| self.of(grouping);
        let kinds = [CommaPoint, PointComma, Space, Apostrophe];
        let evident: Vec<Grouping> = kinds.into_iter().filter(|&grouping| of(grouping) > 0).collect();
        let comma = of(Comma) > 0;
        match (&*evident, comma) {
            ([], false) if of(Unclear) > 0 => Err(Stays::LocaleUnclear),
            ([], false) => Ok(Plain),
            ([CommaPoint], false) => Ok(CommaPoint),
            ([Apostrophe], false) if of(Unclear) == 0 => Ok(Apostrophe),
            ([Space], false) if of(Unclear) == 0 => Ok(Space),
            ([Space], true) if of(Plain) == 0 => Ok(Space),
            // A plain decimal among them would have its point for a separator.
            ([PointComma], _) if of(Plain) == 0 => Ok(PointComma),
            ([], true) if of(Plain) == 0 => Ok(Comma),
            _ => Err(Stays::LocaleContradicts),
        }
    }
}
