//! When two leaves are the same.

use boson_document::{CivilTime, Decimal, IntervalDaySecond, IntervalYearMonth, Kind, Regex, Scalar};
use boson_oson::Vector;

use super::{DiffOptions, Operand};

pub(super) fn operands(left: &Operand<'_>, right: &Operand<'_>, options: DiffOptions) -> bool {
    if left == right {
        return true;
    }
    let (Operand::Scalar(left), Operand::Scalar(right)) = (left, right) else { return false };
    let same =
        same_vector(left, right) || same_interval(left, right) || same_regex(left, right) || same_date(left, right);
    same || options.ignore_types && (same_number(left, right) || same_moment(left, right))
}

/// The same elements, whether or not their norm is kept beside them.
fn same_vector(left: &Scalar<'_>, right: &Scalar<'_>) -> bool {
    let (Scalar::OracleVector(left), Scalar::OracleVector(right)) = (left, right) else { return false };
    let (Ok(left), Ok(right)) = (Vector::new(left), Vector::new(right)) else { return false };
    let key = |vector: &Vector<'_>| (vector.format(), vector.dimensions(), vector.is_sparse());
    key(&left) == key(&right) && left.indices().eq(right.indices()) && left.element_bytes() == right.element_bytes()
}

/// The same pattern and the same options in any order; writers sort them, as the BSON specification asks for.
fn same_regex(left: &Scalar<'_>, right: &Scalar<'_>) -> bool {
    let (Scalar::Regex(left), Scalar::Regex(right)) = (left, right) else { return false };
    let options = |regex: &Regex<'_>| {
        let mut options: Vec<_> = regex.options().chars().collect();
        options.sort_unstable();
        options
    };
    left.pattern() == right.pattern() && options(left) == options(right)
}

/// The same length of time, however it is divided into parts that each have a sign.
fn same_interval(left: &Scalar<'_>, right: &Scalar<'_>) -> bool {
    match (left, right) {
        (Scalar::IntervalYearMonth(left), Scalar::IntervalYearMonth(right)) => months(*left) == months(*right),
        (Scalar::IntervalDaySecond(left), Scalar::IntervalDaySecond(right)) => {
            nanoseconds(*left) == nanoseconds(*right)
        }
        _ => false,
    }
}

fn months(interval: IntervalYearMonth) -> i64 {
    i64::from(interval.years).saturating_mul(12).saturating_add(interval.months.into())
}

fn nanoseconds(interval: IntervalDaySecond) -> i128 {
    let steps = [(24, interval.hours), (60, interval.minutes), (60, interval.seconds)];
    let add = |total: i128, (factor, part): (i128, i8)| total.saturating_mul(factor).saturating_add(part.into());
    let seconds = steps.into_iter().fold(i128::from(interval.days), add);
    seconds.saturating_mul(1_000_000_000).saturating_add(interval.nanoseconds.into())
}

/// The same value in whatever type. Doubles count as the digits they print as, so a double 0.1 is the decimal 0.1; two
/// NaNs are the same.
fn same_number(left: &Scalar<'_>, right: &Scalar<'_>) -> bool {
    match (Numeric::of(left), Numeric::of(right)) {
        (Some(Numeric::Finite(a)), Some(Numeric::Finite(b))) => a.same_value(&b),
        (Some(Numeric::Infinite { negative: a }), Some(Numeric::Infinite { negative: b })) => a == b,
        (Some(Numeric::NotANumber), Some(Numeric::NotANumber)) => true,
        _ => false,
    }
}

enum Numeric {
    Finite(Decimal),
    Infinite { negative: bool },
    NotANumber,
}

impl Numeric {
    fn of(scalar: &Scalar<'_>) -> Option<Self> {
        Some(match *scalar {
            Scalar::Int32(value) => Self::Finite(Decimal::from_i64(value.into())),
            Scalar::Int64(value) => Self::Finite(Decimal::from_i64(value)),
            Scalar::Float(value) => Self::of_double(value.into()),
            Scalar::Double(value) => Self::of_double(value),
            Scalar::Number(value) => Self::Finite(value.to_decimal()),
            Scalar::DecimalText(text) => Self::Finite(Decimal::parse(text).ok()?),
            Scalar::Decimal128(value) if value.is_nan() => Self::NotANumber,
            Scalar::Decimal128(value) => {
                value.to_decimal().map_or(Self::Infinite { negative: value.is_negative() }, Self::Finite)
            }
            _ => return None,
        })
    }

    fn of_double(value: f64) -> Self {
        match Decimal::from_f64(value) {
            Some(value) => Self::Finite(value),
            None if value.is_nan() => Self::NotANumber,
            None => Self::Infinite { negative: value.is_sign_negative() },
        }
    }
}

/// A date of BSON and the TIMESTAMP that it is in OSON.
fn same_date(left: &Scalar<'_>, right: &Scalar<'_>) -> bool {
    let kinds = (left.kind(), right.kind());
    let dates = matches!(kinds, (Kind::DateTime, Kind::OracleTimestamp) | (Kind::OracleTimestamp, Kind::DateTime));
    dates && same_moment(left, right)
}

/// The same point in time, to the nanosecond.
fn same_moment(left: &Scalar<'_>, right: &Scalar<'_>) -> bool {
    matches!((moment(left), moment(right)), (Some(a), Some(b)) if a == b)
}

/// Milliseconds since 1970, and the nanoseconds below them.
fn moment(scalar: &Scalar<'_>) -> Option<(i64, u32)> {
    let of = |time: CivilTime| (time.to_unix_ms(), time.ns_below_ms());
    match *scalar {
        Scalar::DateTime(ms) => Some((ms, 0)),
        Scalar::OracleDate(time) | Scalar::OracleTimestamp(time) => Some(of(time)),
        Scalar::OracleTimestampTz(time) => Some(of(time.utc)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn same(left: Scalar<'_>, right: Scalar<'_>) -> bool {
        operands(&Operand::Scalar(left), &Operand::Scalar(right), DiffOptions::default())
    }

    #[test]
    fn intervals_are_compared_by_their_length() {
        let parts = |days, hours, minutes, seconds, nanoseconds| {
            Scalar::IntervalDaySecond(IntervalDaySecond { days, hours, minutes, seconds, nanoseconds })
        };
        assert!(same(parts(-79_901, 8, 6, 2, 989_629_007), parts(-79_900, -15, -53, -57, -10_370_993)));
        assert!(!same(parts(1, 0, 0, 0, 0), parts(0, 24, 0, 0, 1)));
        let months = |years, months| Scalar::IntervalYearMonth(IntervalYearMonth { years, months });
        assert!(same(months(2, -1), months(1, 11)));
        assert!(!same(months(2, -1), months(1, 10)));
    }

    #[test]
    fn the_options_of_a_regex_have_no_order() {
        let regex = |text| Scalar::Regex(Regex::new(text).unwrap());
        assert!(same(regex("a\0xi\0"), regex("a\0ix\0")));
        assert!(!same(regex("a\0xi\0"), regex("b\0xi\0")));
        assert!(!same(regex("a\0xi\0"), regex("a\0x\0")));
    }

    #[test]
    fn vectors_are_compared_without_their_norm() {
        let with_norm = |flags, norm| [&[0xDB, 0, 0, flags, 4, 0, 0, 0, 1], [norm; 8].as_slice(), &[7]].concat();
        let (reserved, stored) = (with_norm(0x10, 0), with_norm(0x12, 0x80));
        assert!(same(Scalar::OracleVector(&reserved), Scalar::OracleVector(&stored)));
        assert!(!same(Scalar::OracleVector(&reserved), Scalar::OracleVector(&reserved[..17])));
    }
}
