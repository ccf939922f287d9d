//! When two leaves are the same.

use boson_document::{CivilTime, Decimal, Scalar};

use super::{DiffOptions, Operand};

pub(super) fn operands(left: &Operand<'_>, right: &Operand<'_>, options: DiffOptions) -> bool {
    if left == right {
        return true;
    }
    let (Operand::Scalar(left), Operand::Scalar(right), true) = (left, right, options.ignore_types) else {
        return false;
    };
    same_number(left, right) || same_moment(left, right)
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
