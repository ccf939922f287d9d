//! What JSON text makes of the leaves of BSON and OSON.

use boson_document::{Decimal128, Kind, Scalar, Span};
use boson_json::{Dialects, Style};

use crate::carry::{Out, Target, Writer};
use crate::error::ConvertError;
use crate::format::Format;
use crate::numbers;
use crate::policy::{DuplicateNames, Policy};
use crate::report::Loss;
use crate::to_bson::wrapper_loss;

/// The way to JSON text in one of its styles.
pub(crate) struct ToJson<'p> {
    pub(crate) policy: &'p Policy,
    /// The format of the source.
    pub(crate) from: Format,
}

impl Target for ToJson<'_> {
    fn from(&self) -> Format {
        self.from
    }

    #[inline]
    fn scalar<W: Writer>(&self, scalar: Scalar<'_>, span: Span, out: &mut Out<'_, W>) -> Result<(), ConvertError> {
        match scalar {
            Scalar::Null | Scalar::Bool(_) | Scalar::String(_) | Scalar::Int32(_) => out.put(scalar, span),
            other => self.other(other, span, out),
        }
    }

    fn has_code_with_scope(&self) -> bool {
        true
    }

    fn code_with_scope_loss(&self) -> Option<Loss> {
        (self.policy.json_style == Style::Plain).then_some(Loss::Type)
    }

    fn is_ambiguous(&self, name: &str) -> bool {
        self.from != Format::Json && Dialects::BOTH.claims(name)
    }

    fn watches_names(&self) -> bool {
        // In OSON no name occurs twice: reading it refuses that. Nor where only one of each name is left.
        self.from != Format::Oson && matches!(self.policy.duplicate_names, DuplicateNames::Keep | DuplicateNames::Error)
    }
}

impl ToJson<'_> {
    fn other<W: Writer>(&self, scalar: Scalar<'_>, span: Span, out: &mut Out<'_, W>) -> Result<(), ConvertError> {
        let style = self.policy.json_style;
        if let Some(loss) = self.loss(&scalar) {
            out.lose(loss);
        }
        if let Scalar::Regex(regex) = scalar {
            out.lose_options(regex);
        }
        match scalar {
            // Nor has it Oracle's times: those to the millisecond are dates, as they are in BSON.
            Scalar::OracleTimestamp(time) if is_mongodb(style) && time.ns_below_ms() == 0 => {
                out.put(Scalar::DateTime(time.to_unix_ms()), span)
            }
            Scalar::OracleDate(time) if is_mongodb(style) => {
                out.lose(Loss::TimeType);
                out.put(Scalar::DateTime(time.to_unix_ms()), span)
            }
            // Extended JSON is the text of BSON, so a NUMBER takes the types it would take there.
            Scalar::Number(number) if is_mongodb(style) => match numbers::number_in_bson(number, self.policy) {
                Ok(carried) if !carried.rounded => out.put(carried.scalar, span),
                _ => out.put(Scalar::DecimalText(number.to_text().as_str()), span),
            },
            other => out.put(other, span),
        }
    }

    /// What the value does not keep when it is read back from its text in the same style.
    fn loss(&self, scalar: &Scalar<'_>) -> Option<Loss> {
        let style = self.policy.json_style;
        let plain = style == Style::Plain;
        match *scalar {
            Scalar::Double(value) if value.is_finite() => None,
            Scalar::Binary { subtype: SENSITIVE, .. } if self.policy.redact_sensitive => Some(Loss::Type),
            Scalar::Double(_) if plain => Some(Loss::Type),
            Scalar::Double(value) => (value.is_nan() && value.to_bits() != NAN_BITS).then_some(Loss::NanPayload),
            Scalar::Decimal128(value) if plain && !value.is_finite() => Some(Loss::Type),
            Scalar::Decimal128(value) if plain => Some(decimal_loss(value).unwrap_or(Loss::NumberType)),
            Scalar::Decimal128(value) => decimal_loss(value),
            Scalar::Float(value) if plain && !value.is_finite() => Some(Loss::Type),
            Scalar::Float(value) if value.is_nan() && value.to_bits() != f32::NAN.to_bits() => Some(Loss::NanPayload),
            Scalar::Float(_) | Scalar::Number(_) => (style != Style::Oracle).then_some(Loss::NumberType),
            Scalar::Int64(value) => {
                let bare = matches!(style, Style::Plain | Style::ExtendedRelaxed);
                (bare && i32::try_from(value).is_ok()).then_some(Loss::NumberType)
            }
            Scalar::DecimalText(_) => (self.from == Format::Oson).then_some(Loss::NumberType),
            _ if plain => (!is_json(scalar.kind())).then_some(Loss::Type),
            _ => wrapper_loss(scalar),
        }
    }
}

/// The subtype of binary data that a policy may keep out of text.
const SENSITIVE: u8 = 8;

/// The NaN that a JSON text reads back as.
const NAN_BITS: u64 = 0x7FF8_0000_0000_0000;

/// Of the bits that stand for one decimal, text keeps those that are usual.
pub(crate) fn decimal_loss(value: Decimal128) -> Option<Loss> {
    let kept = Decimal128::parse(value.to_text().as_str()) == Ok(value);
    let loss = if value.is_nan() { Loss::NanPayload } else { Loss::DecimalBits };
    (!kept).then_some(loss)
}

/// Whether the style is Extended JSON, the text of BSON.
const fn is_mongodb(style: Style) -> bool {
    matches!(style, Style::ExtendedCanonical | Style::ExtendedRelaxed)
}

const fn is_json(kind: Kind) -> bool {
    matches!(kind, Kind::Null | Kind::Bool | Kind::String | Kind::Int32)
}
