//! Numbers as text: integers, decimals, and what only looks like them.

use super::{Draft, Field, Verdict, amount, date};
use crate::finding::{Actual, Loss, Question, Reason, Risk, Spelling, Stays, Target};
use crate::shape::{DecimalShape, Exactness, IntegerRange, Shape};

/// Doubles hold every integer up to here.
const DOUBLE_INTEGER_MAX: i64 = 1 << 53;

/// Everything made of digits, signs and points.
const fn is_numeric(shape: Shape) -> bool {
    matches!(
        shape,
        Shape::Integer(_)
            | Shape::Decimal(_)
            | Shape::Exponent { .. }
            | Shape::NonFinite(_)
            | Shape::NegativeZero
            | Shape::LeadingZero
            | Shape::Plus
            | Shape::OddDecimal
            | Shape::HexNumber
            | Shape::Dotted
            | Shape::Grouped { .. }
            | Shape::Money { .. }
    )
}

const fn is_number(shape: Shape) -> bool {
    matches!(shape, Shape::Integer(_) | Shape::Decimal(_))
}

pub(super) const fn decimal(shape: Shape) -> Option<DecimalShape> {
    match shape {
        Shape::Decimal(decimal) => Some(decimal),
        _ => None,
    }
}

/// Numbers, if a number is what they are.
pub(super) fn numeric(field: &Field<'_>) -> Option<Verdict> {
    let numbers = field.count(|shape| is_numeric(shape) && !matches!(shape, Shape::NonFinite(_)));
    let all = field.count(is_numeric);
    if numbers == 0 || !field.is_enough(all) {
        return None;
    }
    stays(field)
        .or_else(|| amount::money(field))
        .or_else(|| amount::grouped(field))
        .or_else(|| integers(field))
        .or_else(|| decimals(field))
}

/// Why digits are no number here, if they are none.
fn stays(field: &Field<'_>) -> Option<Verdict> {
    for (shape, reason) in [
        (Shape::LeadingZero, Stays::LeadingZeros),
        (Shape::Plus, Stays::PlusSigns),
        (Shape::Dotted, Stays::TwoPoints),
        (Shape::HexNumber, Stays::HexDigits),
    ] {
        if field.count(|found| found == shape) > 0 {
            return Some(field.leaves(reason, |found| found == shape));
        }
    }
    field.hints.identifier.then(|| field.leaves(Stays::NamedIdentifier, is_numeric))
}

/// Fields of integers only.
fn integers(field: &Field<'_>) -> Option<Verdict> {
    let of = |range: IntegerRange| field.count(move |shape| shape == Shape::Integer(range));
    let all = field.count(|shape| matches!(shape, Shape::Integer(_)));
    if all < field.count(|shape| is_number(shape) || matches!(shape, Shape::Exponent { .. })) || !field.is_enough(all) {
        return None;
    }
    let huge = of(IntegerRange::Huge);
    if !field.is_enough(all.saturating_sub(huge)) {
        return Some(field.leaves(Stays::TooManyDigits, |shape| shape == Shape::Integer(IntegerRange::Huge)));
    }
    let (seconds, milliseconds) = (of(IntegerRange::Seconds), of(IntegerRange::Milliseconds));
    let is_whole = |shape: Shape| matches!(shape, Shape::Integer(range) if range != IntegerRange::Huge);
    match (seconds == all, milliseconds == all) {
        (true, _) => date::epoch(field, true, is_whole),
        (_, true) => date::epoch(field, false, is_whole),
        _ if seconds > 0 && milliseconds > 0 && seconds.saturating_add(milliseconds) == all => {
            Some(field.leaves(Stays::MixedEpochs, is_whole))
        }
        _ if of(IntegerRange::Wide) > 0 => wide(field, is_whole),
        _ => whole(field, is_whole),
    }
}

/// Integers beyond 64 bits.
fn wide(field: &Field<'_>, is_whole: impl Fn(Shape) -> bool) -> Option<Verdict> {
    Draft::new(field, Actual::Integer, is_whole).way(Target::Decimal128, Spelling::Integer, &[]).finish()
}

/// Integers of 32 or 64 bits.
fn whole(field: &Field<'_>, is_whole: impl Fn(Shape) -> bool) -> Option<Verdict> {
    let (low, high) = extremes(field);
    let fits = |value: i64| i32::try_from(value).is_ok();
    let narrow = fits(low) && fits(high);
    let bits = low == 0 && high == 1;
    let draft = Draft::new(field, Actual::Integer, is_whole);
    let draft = if narrow { draft.way(Target::Int32, Spelling::Integer, &[]) } else { draft };
    let draft = draft.way(Target::Int64, Spelling::Integer, &[]);
    if bits {
        return draft.way(Target::Bool, Spelling::Integer, &[]).ask(Question::ZeroOrOne).finish();
    }
    let close = narrow && (low < i64::from(i32::MIN / 2) || high > i64::from(i32::MAX / 2));
    draft.risk(close, Risk::Medium, Reason::MayGrow(high)).finish()
}

fn extremes(field: &Field<'_>) -> (i64, i64) {
    let integers = || field.of(|shape| matches!(shape, Shape::Integer(range) if range.fits_int64()));
    let low = integers().map(|stats| stats.low).min().unwrap_or_default();
    (low, integers().map(|stats| stats.high).max().unwrap_or_default())
}

/// Decimals, perhaps with integers among them.
fn decimals(field: &Field<'_>) -> Option<Verdict> {
    let facts = Facts::of(field);
    let fits = |shape: Shape| facts.fits(shape);
    let fitting = field.count(fits);
    if !field.is_enough(fitting) {
        let beyond = |shape: Shape| is_numeric(shape) && !facts.fits(shape);
        return Some(field.leaves(why_not(field), beyond));
    }
    let exponents = field.count(|shape| matches!(shape, Shape::Exponent { .. }) && facts.fits(shape));
    let odd_words = field.count(|shape| matches!(shape, Shape::NonFinite(3..)) && facts.fits(shape));
    let losses = [Loss::Spelling(exponents.saturating_add(odd_words))];
    let draft = Draft::new(field, if field.hints.money { Actual::Money } else { Actual::Decimal }, fits);
    let decimal128 = (Target::Decimal128, Spelling::Digits);
    let ways = match facts.double_spelling() {
        Some(spelling) if field.hints.money => vec![decimal128, (Target::Double, spelling)],
        Some(spelling) => vec![(Target::Double, spelling), decimal128],
        None if facts.trailing_zeros > 0 && !facts.is_one_scale() && !field.hints.money => {
            let trailing = |shape: Shape| decimal(shape).is_some_and(|decimal| decimal.trailing_zero);
            return Some(field.leaves(Stays::TrailingZeros, trailing));
        }
        None => vec![decimal128],
    };
    let double = ways.first().is_some_and(|(target, _)| *target == Target::Double);
    let draft = ways.into_iter().fold(draft, |draft, (target, spelling)| draft.way(target, spelling, &losses));
    let inexact = double && facts.scale.is_some_and(|scale| scale > 0);
    draft.risk(inexact, Risk::Low, Reason::BinaryFraction).finish()
}

/// What the decimals of a field have in common.
struct Facts {
    /// The digits behind the point, where all have the same.
    scale: Option<u8>,
    integers: u64,
    trailing_zeros: u64,
    /// Whether doubles written with as many digits behind the point give all of them back.
    at_scale: bool,
    /// Whether doubles written as short as possible do.
    shortest: bool,
    /// Whether every string is some number.
    unanimous: bool,
}

impl Facts {
    fn of(field: &Field<'_>) -> Self {
        let decimals = || field.shapes.iter().filter_map(|stats| decimal(stats.shape));
        let trailing_zeros = field.count(|shape| decimal(shape).is_some_and(|decimal| decimal.trailing_zero));
        let first = decimals().next().map(|decimal| decimal.scale);
        let integers = field.count(|shape| matches!(shape, Shape::Integer(_)));
        let (low, high) = extremes(field);
        let wide = field.count(|shape| matches!(shape, Shape::Integer(range) if !range.fits_int64()));
        let whole = wide == 0 && low >= -DOUBLE_INTEGER_MAX && high <= DOUBLE_INTEGER_MAX;
        Self {
            scale: first.filter(|&scale| decimals().all(|decimal| decimal.scale == scale)),
            integers,
            trailing_zeros,
            at_scale: whole && decimals().all(|decimal| decimal.exactness.is_double_at_scale()),
            shortest: whole && trailing_zeros == 0 && decimals().all(|decimal| decimal.exactness.is_double_shortest()),
            unanimous: field.count(is_numeric) == field.evidence,
        }
    }

    /// Whether all are decimals with the same number of digits behind the point.
    fn is_one_scale(&self) -> bool {
        self.scale.is_some() && self.integers == 0
    }

    fn fits(&self, shape: Shape) -> bool {
        match shape {
            Shape::Integer(range) => range != IntegerRange::Huge,
            Shape::Decimal(decimal) => decimal.exactness != Exactness::Neither,
            Shape::Exponent { normal } => normal,
            // Words are numbers only where everything else is one.
            Shape::NonFinite(_) => self.unanimous,
            _ => false,
        }
    }

    /// How a double gives every string back, if it does.
    fn double_spelling(&self) -> Option<Spelling> {
        match self.scale {
            Some(scale) if self.at_scale && self.is_one_scale() => Some(Spelling::Scale(scale)),
            _ if self.shortest => Some(Spelling::Shortest),
            _ => None,
        }
    }
}

/// Why too many numbers of a field fit no type.
fn why_not(field: &Field<'_>) -> Stays {
    let exponents = field.count(|shape| matches!(shape, Shape::Exponent { normal: false }));
    if exponents > 0 { Stays::OutOfRange } else { Stays::TooManyDigits }
}
