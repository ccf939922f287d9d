//! Which type a number gets where its own is lacking.

use boson_document::{Decimal, Decimal128, Number, Scalar};
use boson_json::Inexact;

use crate::error::Refusal;
use crate::format::Format;
use crate::policy::{Fractions, Policy};

/// A number in another type, and whether digits were lost.
pub(crate) struct Carried {
    pub(crate) scalar: Scalar<'static>,
    pub(crate) rounded: bool,
}

impl Carried {
    const fn exact(scalar: Scalar<'static>) -> Self {
        Self { scalar, rounded: false }
    }

    /// Whether this is a decimal whose text is `text`, or was rounded, which is told otherwise.
    pub(crate) fn prints_as(&self, text: &str) -> bool {
        match self.scalar {
            Scalar::Decimal128(decimal) => decimal.to_text().as_str() == text,
            _ => self.rounded,
        }
    }
}

/// An Oracle NUMBER as a number of BSON: the first of int32, int64, double and Decimal128 that holds it, a double only
/// where it prints as the same number. An error where the policy refuses.
pub(crate) fn number_in_bson(number: Number<'_>, policy: &Policy) -> Result<Carried, Refusal> {
    if let Some(integer) = number.to_i64() {
        return Ok(Carried::exact(small_integer(integer)));
    }
    let decimal = number.to_decimal();
    match decimal.to_f64_exact() {
        Some(double) => Ok(Carried::exact(Scalar::Double(double))),
        None => inexact(decimal.to_decimal128(), || decimal.to_f64(), policy),
    }
}

/// The number of a JSON text that is no integer of 64 bits as a number of BSON. An error where the policy refuses.
pub(crate) fn json_in_bson(text: &str, policy: &Policy) -> Result<Carried, Refusal> {
    let decimal = || Decimal128::parse(text).ok();
    match (exact_double(text), policy.fractions) {
        (Some(double), Fractions::Double) => Ok(Carried::exact(Scalar::Double(double))),
        (Some(double), Fractions::Decimal) => {
            Ok(Carried::exact(decimal().map_or(Scalar::Double(double), Scalar::Decimal128)))
        }
        (None, _) => inexact(decimal(), || nearest(text), policy),
    }
}

/// Decimal text of OSON, which stands for a decimal that no NUMBER holds, as a number of BSON.
pub(crate) fn decimal_text_in_bson(text: &str, policy: &Policy) -> Result<Carried, Refusal> {
    match Decimal128::parse(text) {
        Ok(decimal) => Ok(Carried::exact(Scalar::Decimal128(decimal))),
        Err(_) => inexact(None, || nearest(text), policy),
    }
}

/// The double that prints as the number `text`, if there is one.
pub(crate) fn exact_double(text: &str) -> Option<f64> {
    Decimal::parse(text).ok()?.to_f64_exact()
}

/// The double nearest to the number `text`, which may be an infinity: [`rounded`] refuses that.
pub(crate) fn nearest(text: &str) -> f64 {
    text.parse().unwrap_or(f64::NAN)
}

/// The double nearest to the number `text`, on the way to `to`; an error beyond the largest one, since an infinity is no
/// rounded number.
pub(crate) fn nearest_finite(text: &str, to: Format) -> Result<f64, Refusal> {
    rounded(nearest(text), to)
}

fn rounded(double: f64, to: Format) -> Result<f64, Refusal> {
    if double.is_finite() { Ok(double) } else { Err(Refusal::NumberTooLarge(to)) }
}

fn inexact(decimal: Option<Decimal128>, nearest: impl FnOnce() -> f64, policy: &Policy) -> Result<Carried, Refusal> {
    match policy.inexact {
        Inexact::Decimal128 => match decimal {
            Some(decimal) => Ok(Carried::exact(Scalar::Decimal128(decimal))),
            None if nearest().is_finite() => Err(Refusal::InexactNumber(Format::Bson)),
            None => Err(Refusal::NumberOutOfRange(Format::Bson)),
        },
        Inexact::Double => {
            rounded(nearest(), Format::Bson).map(|double| Carried { scalar: Scalar::Double(double), rounded: true })
        }
        Inexact::Error => Err(not_exact(nearest(), Format::Bson)),
    }
}

/// Why a number that no type holds exactly is refused where its nearest double is not asked for.
pub(crate) const fn not_exact(nearest: f64, to: Format) -> Refusal {
    if nearest.is_finite() { Refusal::InexactNumber(to) } else { Refusal::NumberTooLarge(to) }
}

fn small_integer(value: i64) -> Scalar<'static> {
    i32::try_from(value).map_or(Scalar::Int64(value), Scalar::Int32)
}
