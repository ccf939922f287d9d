//! Texts that are numbers, and numbers that are other numbers.

use boson_document::{Decimal128, Scalar};
use boson_profile::{Exactness, Grouping, Shape};

use super::{Leaf, Reading, Rule, Scratch, lost_if};

/// Below it doubles hold every integer.
const DOUBLE_INTEGER_MAX: i64 = 1 << 53;

impl Rule {
    pub(super) fn number(&self, text: &str, shape: Shape, value: Option<i64>) -> Leaf<'static> {
        match &self.reading {
            Reading::Int32 => {
                matches!(shape, Shape::Integer(_)).then_some(())?;
                Some((Scalar::Int32(i32::try_from(value?).ok()?), None))
            }
            Reading::Int64 => {
                matches!(shape, Shape::Integer(_)).then_some(())?;
                Some((Scalar::Int64(value?), None))
            }
            Reading::Double { scale } => double(text, shape, value, *scale),
            Reading::Decimal128 => decimal128(text, shape),
            _ => None,
        }
    }

    /// Numbers with separators or a currency.
    pub(super) fn amount(&self, text: &str, shape: Shape, scratch: &mut Scratch) -> Leaf<'static> {
        let (grouping, wanted_scale, affix) = match &self.reading {
            Reading::Grouped { grouping, scale, .. } => (*grouping, *scale, None),
            Reading::Money { grouping, scale, affix } => (*grouping, *scale, Some(affix.as_str())),
            _ => return None,
        };
        let fits = match shape {
            Shape::Grouped { .. } | Shape::Integer(_) | Shape::Decimal(_) => affix.is_none(),
            Shape::Money { .. } => affix.is_some(),
            _ => false,
        };
        fits.then_some(())?;
        plain_digits(text, grouping, affix.is_some(), &mut scratch.text)?;
        let scalar = if matches!(self.reading, Reading::Grouped { to_int64: true, .. }) {
            Scalar::Int64(scratch.text.parse().ok()?)
        } else {
            Scalar::Decimal128(Decimal128::parse(&scratch.text).ok()?)
        };
        let back = super::spell::amount(&scratch.text, grouping, affix.unwrap_or("_"));
        let scale = scale_of(&scratch.text);
        Some((scalar, lost_if(back != text || wanted_scale.is_some_and(|wanted| usize::from(wanted) != scale))))
    }
}

fn scale_of(digits: &str) -> usize {
    digits.split_once('.').map_or(0, |(_, fraction)| fraction.len())
}

/// Puts the number of `text` into `out` with a decimal point and nothing else; `None` when its signs do not mean what
/// they do in `grouping`.
fn plain_digits(text: &str, grouping: Grouping, money: bool, out: &mut String) -> Option<()> {
    let start = text.find(|c: char| c.is_ascii_digit())?;
    let end = text.rfind(|c: char| c.is_ascii_digit())?.checked_add(1)?;
    let before = text.get(..start)?;
    (money || before.is_empty() || before == "-").then_some(())?;
    out.clear();
    if before.contains('-') {
        out.push('-');
    }
    let number = text.get(start..end)?;
    let (group, point) = match grouping {
        Grouping::Plain | Grouping::Unclear => ("", '.'),
        Grouping::CommaPoint => (",", '.'),
        Grouping::PointComma => (".", ','),
        Grouping::Apostrophe => ("'\u{2019}", '.'),
        Grouping::Comma => ("", ','),
        // Behind spaces the decimal sign is either.
        Grouping::Space => (" \u{a0}\u{202f}", if number.contains(',') { ',' } else { '.' }),
    };
    let (whole, fraction) =
        number.split_once(point).map_or((number, None), |(whole, fraction)| (whole, Some(fraction)));
    let mut groups = 0_usize;
    let mut group_len = 0_usize;
    for c in whole.chars() {
        if c.is_ascii_digit() {
            out.push(c);
            group_len = group_len.saturating_add(1);
        } else if group.contains(c) && (groups == 0 || group_len == 3) {
            (groups, group_len) = (groups.saturating_add(1), 0);
        } else {
            return None;
        }
    }
    (groups == 0 || group_len == 3).then_some(())?;
    if let Some(fraction) = fraction {
        (!fraction.is_empty() && fraction.bytes().all(|byte| byte.is_ascii_digit())).then_some(())?;
        out.push('.');
        out.push_str(fraction);
    }
    Some(())
}

fn double(text: &str, shape: Shape, value: Option<i64>, scale: Option<u8>) -> Leaf<'static> {
    let lost = match shape {
        Shape::Integer(range) => {
            let small = range.fits_int64() && value?.unsigned_abs() <= DOUBLE_INTEGER_MAX.unsigned_abs();
            small.then_some(())?;
            scale.is_some_and(|scale| scale > 0)
        }
        Shape::Decimal(decimal) => {
            (!matches!(decimal.exactness, Exactness::Decimal128 | Exactness::Neither)).then_some(())?;
            match scale {
                Some(scale) => decimal.scale != scale || !decimal.exactness.is_double_at_scale(),
                None => decimal.trailing_zero || !decimal.exactness.is_double_shortest(),
            }
        }
        Shape::Exponent { normal } => {
            normal.then_some(())?;
            true
        }
        Shape::NonFinite(word) => {
            let value = non_finite(text)?;
            return Some((Scalar::Double(value), lost_if(word > 2)));
        }
        _ => return None,
    };
    Some((Scalar::Double(text.parse().ok()?), lost_if(lost)))
}

fn non_finite(text: &str) -> Option<f64> {
    text.parse().ok().filter(|value: &f64| !value.is_finite())
}

fn decimal128(text: &str, shape: Shape) -> Leaf<'static> {
    let lost = match shape {
        Shape::Integer(_) | Shape::Decimal(_) => false,
        Shape::Exponent { .. } => true,
        Shape::NonFinite(word) => word > 2,
        _ => return None,
    };
    let decimal = Decimal128::parse(text).ok()?;
    // Very small decimals print with an exponent.
    Some((Scalar::Decimal128(decimal), lost_if(lost || (text.len() > 6 && decimal.to_string() != text))))
}

/// The integer that a number is, if it is one; no negative zero.
#[expect(
    clippy::cast_possible_truncation,
    clippy::as_conversions,
    clippy::float_cmp,
    reason = "whole, and within 2^53"
)]
pub(super) fn whole(scalar: Scalar<'_>) -> Option<i64> {
    const EXACT_MAX: f64 = 9_007_199_254_740_992.0;
    match scalar {
        Scalar::Int32(value) => Some(i64::from(value)),
        Scalar::Int64(value) => Some(value),
        Scalar::Double(value) => {
            let whole =
                value.trunc() == value && value.abs() <= EXACT_MAX && !(value == 0.0 && value.is_sign_negative());
            whole.then_some(value as i64)
        }
        _ => None,
    }
}
