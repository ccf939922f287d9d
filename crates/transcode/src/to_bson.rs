//! What BSON makes of the leaves of OSON and JSON.

use boson_document::{CivilTime, Scalar, Span};
use boson_json::Dialects;

use crate::carry::{Out, Target, Writer};
use crate::error::{ConvertError, Refusal};
use crate::format::Format;
use crate::numbers::{self, Carried};
use crate::policy::{DuplicateNames, OutOfRange, Policy};
use crate::report::Loss;

/// The way to BSON, which has a type for all that BSON and JSON hold, and for most of what OSON holds.
pub(crate) struct ToBson<'p> {
    pub(crate) policy: &'p Policy,
    /// The format of the source: a number that is text means another thing in OSON than in JSON.
    pub(crate) from: Format,
}

impl Target for ToBson<'_> {
    fn from(&self) -> Format {
        self.from
    }

    #[inline]
    fn scalar<W: Writer>(&self, scalar: Scalar<'_>, span: Span, out: &mut Out<'_, W>) -> Result<(), ConvertError> {
        match scalar {
            Scalar::Float(_)
            | Scalar::Number(_)
            | Scalar::DecimalText(_)
            | Scalar::Id(_)
            | Scalar::OracleDate(_)
            | Scalar::OracleTimestamp(_)
            | Scalar::OracleTimestampTz(_)
            | Scalar::IntervalYearMonth(_)
            | Scalar::IntervalDaySecond(_)
            | Scalar::OracleVector(_) => self.foreign(scalar, span, out),
            Scalar::Regex(regex) => {
                out.lose_options(regex);
                out.put(scalar, span)
            }
            native => out.put(native, span),
        }
    }

    fn has_code_with_scope(&self) -> bool {
        true
    }

    fn code_with_scope_loss(&self) -> Option<Loss> {
        None
    }

    fn is_ambiguous(&self, name: &str) -> bool {
        self.from == Format::Oson && Dialects::ORACLE_TYPES.claims(name)
    }

    fn watches_names(&self) -> bool {
        match self.policy.duplicate_names {
            DuplicateNames::Keep => self.from == Format::Json,
            DuplicateNames::Error => true,
            // They are gone already.
            DuplicateNames::First | DuplicateNames::Last => false,
        }
    }
}

impl ToBson<'_> {
    /// Leaves that BSON has no type for.
    fn foreign<W: Writer>(&self, scalar: Scalar<'_>, span: Span, out: &mut Out<'_, W>) -> Result<(), ConvertError> {
        match scalar {
            Scalar::Float(value) => {
                out.lose(Loss::NumberType);
                out.put(Scalar::Double(value.into()), span)
            }
            Scalar::Number(number) => {
                out.lose(Loss::NumberType);
                put_number(numbers::number_in_bson(number, self.policy), span, out)
            }
            Scalar::DecimalText(text) if self.from == Format::Json => {
                put_number(numbers::json_in_bson(text, self.policy), span, out)
            }
            Scalar::DecimalText(text) => {
                let carried = numbers::decimal_text_in_bson(text, self.policy);
                if carried.as_ref().is_ok_and(|carried| !carried.prints_as(text)) {
                    out.lose(Loss::DecimalScale);
                }
                put_number(carried, span, out)
            }
            Scalar::OracleDate(time) => {
                out.lose(Loss::TimeType);
                put_time(time, span, out)
            }
            Scalar::OracleTimestamp(time) => put_time(time, span, out),
            Scalar::OracleTimestampTz(time) => {
                out.lose(if time.offset_minutes == 0 { Loss::TimeType } else { Loss::TimeZone });
                put_time(time.utc, span, out)
            }
            other if self.policy.oracle_types == OutOfRange::Wrap => {
                out.lose(wrapper_loss(&other).unwrap_or(Loss::Wrapped));
                out.put_wrapped(other, span)
            }
            other => out.refuse(Refusal::NoType(Format::Bson, other.kind())),
        }
    }
}

/// Writes a number that was given a type of BSON.
fn put_number<W: Writer>(
    carried: Result<Carried, Refusal>,
    span: Span,
    out: &mut Out<'_, W>,
) -> Result<(), ConvertError> {
    let carried = match carried {
        Ok(carried) => carried,
        Err(refusal) => return out.refuse(refusal),
    };
    if carried.rounded {
        out.lose(Loss::NumberRounded);
    }
    out.put(carried.scalar, span)
}

/// What is not turned back of the extended object of a value that BSON has no type for: an ID without bytes or with more than
/// Oracle's drivers read, a VECTOR that is none, the bits of a NaN in one.
pub(crate) fn wrapper_loss(scalar: &Scalar<'_>) -> Option<Loss> {
    match scalar {
        Scalar::Id(bytes) => (!(1..=127).contains(&bytes.len())).then_some(Loss::Type),
        Scalar::OracleVector(image) => vector_loss(image),
        _ => None,
    }
}

/// Numbers say all of a vector but the bits of its NaNs.
fn vector_loss(image: &[u8]) -> Option<Loss> {
    let Some(vector) = boson_json::vector_of_numbers(image) else { return Some(Loss::Type) };
    vector.values().any(f64::is_nan).then_some(Loss::NanPayload)
}

/// Writes a time that counts as UTC.
fn put_time<W: Writer>(time: CivilTime, span: Span, out: &mut Out<'_, W>) -> Result<(), ConvertError> {
    if time.ns_below_ms() != 0 {
        out.lose(Loss::FractionBelowMs);
    }
    out.put(Scalar::DateTime(time.to_unix_ms()), span)
}
