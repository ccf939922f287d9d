//! What OSON makes of the leaves of BSON and JSON.

use boson_document::{CivilTime, Decimal, Decimal128, Scalar, Span};
use boson_json::{Dialects, Inexact};
use boson_oson::write::Style;

use crate::carry::{Out, Target, Writer};
use crate::error::{ConvertError, Refusal};
use crate::format::Format;
use crate::numbers;
use crate::policy::{Fractions, OutOfRange, Policy, Subtypes};
use crate::report::Loss;
use crate::to_json::decimal_loss;

/// The way to OSON.
pub(crate) struct ToOson<'p> {
    pub(crate) policy: &'p Policy,
    /// The format of the source.
    pub(crate) from: Format,
}

impl Target for ToOson<'_> {
    fn from(&self) -> Format {
        self.from
    }

    #[inline]
    fn scalar<W: Writer>(&self, scalar: Scalar<'_>, span: Span, out: &mut Out<'_, W>) -> Result<(), ConvertError> {
        match scalar {
            Scalar::Null | Scalar::Bool(_) | Scalar::String(_) | Scalar::ObjectId(_) => out.put(scalar, span),
            Scalar::Int32(_) | Scalar::Int64(_) => self.put_number(scalar, span, out),
            Scalar::Double(value) => {
                lose_bits(value, out);
                self.put_number(scalar, span, out)
            }
            Scalar::Float(value) => {
                lose_bits(value.into(), out);
                self.put_number(scalar, span, out)
            }
            other => self.rare(other, span, out),
        }
    }

    fn has_code_with_scope(&self) -> bool {
        false
    }

    fn code_with_scope_loss(&self) -> Option<Loss> {
        Some(Loss::Wrapped)
    }

    fn is_ambiguous(&self, name: &str) -> bool {
        self.from == Format::Bson && Dialects::MONGODB.claims(name)
    }

    fn watches_names(&self) -> bool {
        // They are gone already, or the writer's own to refuse.
        false
    }
}

impl ToOson<'_> {
    /// A number in its own type; the style `driver` writes every number as a NUMBER.
    #[inline]
    fn put_number<W: Writer>(&self, scalar: Scalar<'_>, span: Span, out: &mut Out<'_, W>) -> Result<(), ConvertError> {
        if self.policy.oson_style == Style::Driver {
            out.lose(Loss::NumberType);
        }
        out.put(scalar, span)
    }

    /// Leaves that are not met in every document.
    fn rare<W: Writer>(&self, scalar: Scalar<'_>, span: Span, out: &mut Out<'_, W>) -> Result<(), ConvertError> {
        match scalar {
            Scalar::Decimal128(value) if value.is_finite() => self.decimal(value, span, out),
            Scalar::DecimalText(text) if self.from == Format::Json => self.json_number(text, span, out),
            Scalar::DateTime(ms) => self.date(ms, span, out),
            Scalar::Binary { subtype: 0, .. } => out.put(scalar, span),
            Scalar::Binary { bytes, .. } if self.policy.subtypes == Subtypes::Drop => {
                out.lose(Loss::BinarySubtype);
                out.put(Scalar::Binary { subtype: 0, bytes }, span)
            }
            Scalar::OracleTimestampTz(_) => {
                if self.policy.oson_style == Style::Driver {
                    out.lose(Loss::TimeZone);
                }
                out.put(scalar, span)
            }
            wrapped if boson_json::is_bson_only(&wrapped) => {
                out.lose(Loss::Wrapped);
                match wrapped {
                    Scalar::Regex(regex) => out.lose_options(regex),
                    Scalar::Decimal128(value) => decimal_loss(value).into_iter().for_each(|loss| out.lose(loss)),
                    _ => {}
                }
                out.put_wrapped(wrapped, span)
            }
            number @ Scalar::DecimalText(_) => self.put_number(number, span, out),
            native => out.put(native, span),
        }
    }

    /// A decimal keeps its value. What a NUMBER holds loses the zeros at its end; a negative zero is no NUMBER but text, where
    /// the style has that.
    fn decimal<W: Writer>(&self, value: Decimal128, span: Span, out: &mut Out<'_, W>) -> Result<(), ConvertError> {
        let Some(decimal) = value.to_decimal() else { return out.put(Scalar::Decimal128(value), span) };
        let negative_zero = decimal.is_negative_zero();
        let kept = match decimal.to_number() {
            Some(number) => number.as_number().to_decimal(),
            None if negative_zero && self.policy.oson_style == Style::Driver => Decimal::ZERO,
            None => decimal,
        };
        let canonical = decimal.to_decimal128();
        if canonical != Some(value) {
            out.lose(Loss::DecimalBits);
        }
        if negative_zero && !kept.is_negative() {
            out.lose(Loss::NegativeZero);
        } else if kept.to_decimal128() != canonical {
            out.lose(Loss::DecimalScale);
        }
        self.put_number(Scalar::Decimal128(value), span, out)
    }

    /// A number of a JSON text with a fraction or an exponent, or with too many digits for an int64.
    fn json_number<W: Writer>(&self, text: &str, span: Span, out: &mut Out<'_, W>) -> Result<(), ConvertError> {
        match (numbers::exact_double(text), self.policy.fractions, self.policy.inexact) {
            (Some(double), Fractions::Double, _) => self.scalar(Scalar::Double(double), span, out),
            (Some(_), Fractions::Decimal, _) | (None, _, Inexact::Decimal128) => {
                self.put_number(Scalar::DecimalText(text), span, out)
            }
            (None, _, Inexact::Double) => match numbers::nearest_finite(text, Format::Oson) {
                Ok(double) => {
                    out.lose(Loss::NumberRounded);
                    self.scalar(Scalar::Double(double), span, out)
                }
                Err(refusal) => out.refuse(refusal),
            },
            (None, _, Inexact::Error) => out.refuse(numbers::not_exact(numbers::nearest(text), Format::Oson)),
        }
    }

    fn date<W: Writer>(&self, ms: i64, span: Span, out: &mut Out<'_, W>) -> Result<(), ConvertError> {
        if CivilTime::from_unix_ms(ms).is_some_and(|time| time.year >= 1) {
            return out.put(Scalar::DateTime(ms), span);
        }
        if self.policy.dates == OutOfRange::Error {
            return out.refuse(Refusal::DateOutOfRange);
        }
        out.lose(Loss::DateOutOfRange);
        out.put_wrapped(Scalar::DateTime(ms), span)
    }
}

/// OSON has one zero and one NaN, as servers store them.
#[inline]
fn lose_bits<W: Writer>(value: f64, out: &mut Out<'_, W>) {
    if value == 0.0 && value.is_sign_negative() {
        out.lose(Loss::NegativeZero);
    } else if value.is_nan() && value.to_bits() != f64::NAN.to_bits() {
        out.lose(Loss::NanPayload);
    }
}
