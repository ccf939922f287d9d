//! Dates and times.

use super::{Draft, Field, Verdict};
use crate::finding::{Actual, Loss, Question, Reason, Risk, Spelling, Stays, Target};
use crate::shape::{IsoLayout, NamedDate, NumericDate, Order, Shape, Zone};

/// Dates and times of ISO 8601, and dates alone.
pub(super) fn iso(field: &Field<'_>) -> Option<Verdict> {
    let is_iso = |shape: Shape| matches!(shape, Shape::DateTime(_) | Shape::Date);
    if !field.is_enough(field.count(is_iso)) {
        return None;
    }
    let layouts = |wanted: fn(&IsoLayout) -> bool| {
        field.count(move |shape| matches!(shape, Shape::DateTime(layout) if wanted(&layout)))
    };
    let (local, dates) = (layouts(|layout| layout.zone == Zone::None), field.count(|shape| shape == Shape::Date));
    let with_time = layouts(|_| true);
    let actual = match (with_time, with_time == local) {
        (0, _) => Actual::Date,
        (_, true) => Actual::LocalDateTime,
        _ => Actual::DateTime,
    };
    let (spelling, others) = iso_spelling(field)?;
    let losses =
        [Loss::Spelling(others), lost_offsets(field), Loss::BelowMilliseconds(layouts(|layout| layout.loses_digits))];
    let draft = Draft::new(field, actual, is_iso).way(Target::Date, spelling, &losses);
    draft.ask(Question::Zone(local.saturating_add(dates))).finish()
}

/// How most of them are written, and how many are written otherwise.
fn iso_spelling(field: &Field<'_>) -> Option<(Spelling, u64)> {
    let layout = |shape| match shape {
        // Whether digits are lost is no matter of how the others are written.
        Shape::DateTime(layout) => Some(Some(IsoLayout { loses_digits: false, ..layout })),
        Shape::Date => Some(None),
        _ => None,
    };
    let (most, others) = field.most(layout)?;
    let offset_minutes = only_offset(field).unwrap_or_default();
    Some((most.map_or(Spelling::Date, |layout| Spelling::DateTime { layout, offset_minutes }), others))
}

/// The one offset that all have, if they have one.
fn only_offset(field: &Field<'_>) -> Option<i16> {
    field.node.stats.strings.as_ref().and_then(|strings| strings.offsets.only().copied())
}

/// Offsets are lost where there is more than one.
fn lost_offsets(field: &Field<'_>) -> Loss {
    let offsets = field.count(|shape| matches!(shape, Shape::DateTime(layout) if layout.zone.is_offset()));
    Loss::Offset(if only_offset(field).is_some() { 0 } else { offsets })
}

fn numbers(shape: Shape) -> Option<NumericDate> {
    match shape {
        Shape::NumericDate(date) => Some(date),
        _ => None,
    }
}

/// Dates of three numbers: only where the order of day and month is told by some and contradicted by none.
pub(super) fn numeric(field: &Field<'_>) -> Option<Verdict> {
    let is_date = |shape: Shape| numbers(shape).is_some();
    let fits = field.count(is_date);
    if !field.is_enough(fits) {
        return None;
    }
    let of = |order: Order| field.count(move |shape| numbers(shape).is_some_and(|date| date.order == order));
    let short = |shape: Shape| numbers(shape).is_some_and(|date| date.short_year);
    let (day_first, month_first, year_first) = (of(Order::DayFirst), of(Order::MonthFirst), of(Order::YearFirst));
    if field.hints.identifier {
        return Some(field.leaves(Stays::NamedIdentifier, is_date));
    }
    if field.count(short) > 0 {
        return Some(field.leaves(Stays::CenturyMissing, short));
    }
    let order = match (day_first, month_first, year_first) {
        (0, 0, year) if year == fits => Order::YearFirst,
        (0, 0, _) => return Some(field.leaves(Stays::DateOrderUnclear, is_date)),
        (_, 0, 0) => Order::DayFirst,
        (0, _, 0) => Order::MonthFirst,
        _ => return Some(field.leaves(Stays::DateOrderContradicts, is_date)),
    };
    let (most, others) = field.most(|shape| numbers(shape).map(|date| NumericDate { order, ..date }))?;
    // A time of day may be written in many ways.
    let times = field.count(|shape| numbers(shape).is_some_and(|date| date.time));
    let ordered = order != Order::YearFirst;
    let actual = if times > 0 { Actual::LocalDateTime } else { Actual::Date };
    let draft = Draft::new(field, actual, is_date)
        .way(Target::Date, Spelling::NumericDate(most), &[Loss::Spelling(others.max(times))])
        .ask(Question::Zone(fits));
    let draft = if ordered { draft.ask(Question::DayMonthOrder(day_first.max(month_first))) } else { draft };
    draft.finish()
}

/// Dates with the month's name, and those of old .NET.
pub(super) fn named(field: &Field<'_>) -> Option<Verdict> {
    let named = |shape| match shape {
        Shape::NamedDate(date) => Some(date),
        Shape::DotNetDate => Some(NamedDate { short_year: false, time: true, zone: true }),
        _ => None,
    };
    let is_named = |shape: Shape| named(shape).is_some();
    let short = |shape: Shape| named(shape).is_some_and(|date| date.short_year);
    let fits = field.count(is_named);
    if !field.is_enough(fits) {
        return None;
    }
    if field.count(short) > 0 {
        return Some(field.leaves(Stays::CenturyMissing, short));
    }
    let without_zone = field.count(|shape| named(shape).is_some_and(|date| !date.zone));
    let actual = if without_zone == fits { Actual::LocalDateTime } else { Actual::DateTime };
    Draft::new(field, actual, is_named)
        .way(Target::Date, Spelling::Date, &[Loss::Spelling(fits)])
        .ask(Question::Zone(without_zone))
        .finish()
}

/// Integers that are seconds or milliseconds since 1970, all of them.
pub(super) fn epoch(field: &Field<'_>, seconds: bool, is_whole: impl Fn(Shape) -> bool) -> Option<Verdict> {
    let (actual, spelling) = if seconds {
        (Actual::EpochSeconds, Spelling::EpochSeconds)
    } else {
        (Actual::EpochMilliseconds, Spelling::EpochMilliseconds)
    };
    let risk = if field.hints.time { Risk::Low } else { Risk::Medium };
    Draft::new(field, actual, is_whole)
        .way(Target::Date, spelling, &[])
        .way(Target::Int64, Spelling::Integer, &[])
        .risk(true, risk, Reason::LooksLikeTime)
        .finish()
}
