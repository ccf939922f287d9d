//! What stands inside `$number…` and `$vector`.

use std::borrow::Cow;

use boson_document::vector::{VectorFormat, VectorWriter};
use boson_document::{Decimal, Decimal128, Rule, Scalar};

use super::decode::Object;
use super::name::Name;
use super::tape::{BytesKind, Event, Leaf, Tape, TextKind};
use crate::number::integer;

/// Decodes the value of one of the `$number…` keys.
pub(super) fn decode(object: &mut Object<'_>, name: Name, at: usize) -> Result<Leaf, Rule> {
    let (text, bare) = match object.text(at) {
        Ok(text) => (Cow::Borrowed(object.tape.text(text)), false),
        // MongoDB has strings only, so that nobody's parser touches the digits; Oracle has numbers too.
        Err(rule) if !object.dialects.oracle() => return Err(rule),
        Err(rule) => {
            let text = object.event(at).and_then(|event| number_text(object.tape, event));
            (Cow::Owned(text.ok_or(rule)?), true)
        }
    };
    let number = match name {
        Name::NumberInt => canonical_integer(&text).and_then(|value| i32::try_from(value).ok()).map(Scalar::Int32),
        Name::NumberLong => canonical_integer(&text).map(Scalar::Int64),
        Name::NumberDouble => double(&text, object.dialects.oracle()).map(Scalar::Double),
        Name::NumberFloat => float(&text).map(Scalar::Float),
        _ if bare && object.dialects.decimal128 => return decimal_of_string(&text, true).ok_or(Rule::ExtendedNumber),
        _ if bare => return decimal_of_number(&text).ok_or(Rule::ExtendedNumber),
        _ => return decimal_of_string(&text, object.dialects.oracle()).ok_or(Rule::ExtendedNumber),
    };
    object.rounded = number.is_some_and(|number| is_rounded(&text, number));
    number.map(Leaf::Fixed).ok_or(Rule::ExtendedNumber)
}

/// Whether a float is not the number of its text, nor what it prints as with so many digits. Writers print floats with 15
/// digits, with 17 or with all of them.
fn is_rounded(text: &str, float: Scalar<'_>) -> bool {
    /// No float of 64 bits has more digits than these.
    const DIGITS_MAX: usize = 767;
    let (digits, exponent) = significant(text);
    let places = digits.len().saturating_sub(1);
    let printed = match float {
        Scalar::Double(value) if places < 15 && value.is_normal() => return false,
        Scalar::Float(value) if places < 6 && value.is_normal() => return false,
        Scalar::Double(value) if value.is_finite() && places < DIGITS_MAX => format!("{value:.places$e}"),
        Scalar::Float(value) if value.is_finite() && places < DIGITS_MAX => format!("{value:.places$e}"),
        Scalar::Double(value) => return value.is_finite(),
        Scalar::Float(value) => return value.is_finite(),
        _ => return false,
    };
    (digits, exponent) != significant(&printed)
}

/// The digits of a number in JSON's grammar without the zeros around them, and the power of ten of the first one.
fn significant(text: &str) -> (String, i64) {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let (mantissa, exponent) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = [whole, fraction].concat();
    let from_first = digits.trim_start_matches('0');
    if from_first.is_empty() {
        return (String::new(), 0);
    }
    let zeros = digits.len().saturating_sub(from_first.len());
    let place = |len: usize| i64::try_from(len).unwrap_or(i64::MAX);
    let exponent = exponent.parse().unwrap_or(0_i64).saturating_add(place(whole.len())).saturating_sub(place(zeros));
    (from_first.trim_end_matches('0').to_owned(), exponent)
}

/// The digits of a number on the tape.
fn number_text(tape: &Tape, event: Event) -> Option<String> {
    let Event::Leaf(leaf, _, None) = event else { return None };
    match tape.scalar(&leaf) {
        Scalar::Int32(value) => Some(itoa::Buffer::new().format(value).to_owned()),
        Scalar::Int64(value) => Some(itoa::Buffer::new().format(value).to_owned()),
        Scalar::Double(value) => Some(zmij::Buffer::new().format(value).to_owned()),
        Scalar::Float(value) => Some(zmij::Buffer::new().format(value).to_owned()),
        Scalar::Number(value) => Some(value.to_text().as_str().to_owned()),
        Scalar::Decimal128(value) => Some(value.to_text().as_str().to_owned()),
        Scalar::DecimalText(text) => Some(text.to_owned()),
        _ => None,
    }
}

/// The integer of a leaf that is one and that no wrapper was around, whatever number type its source has for it.
pub(super) fn integer_leaf(tape: &Tape, event: Event) -> Option<i64> {
    let Event::Leaf(leaf, _, None) = event else { return None };
    match tape.scalar(&leaf) {
        Scalar::Int32(value) => Some(value.into()),
        Scalar::Int64(value) => Some(value),
        Scalar::Number(value) => value.to_i64(),
        _ => None,
    }
}

/// The integer of a text that is one in JSON's grammar: no plus sign, no zeros in front.
fn canonical_integer(text: &str) -> Option<i64> {
    integer(text.as_bytes()).filter(|_| is_json_number(text))
}

fn double(text: &str, oracle: bool) -> Option<f64> {
    match word(text, oracle) {
        Some(value) => Some(value),
        None => text.parse().ok().filter(|value: &f64| is_json_number(text) && value.is_finite()),
    }
}

fn float(text: &str) -> Option<f32> {
    match word(text, true) {
        Some(value) if value.is_nan() => Some(f32::NAN),
        Some(value) => Some(if value > 0.0 { f32::INFINITY } else { f32::NEG_INFINITY }),
        None => text.parse().ok().filter(|value: &f32| is_json_number(text) && value.is_finite()),
    }
}

/// The value of a word for what is no number: by the letter, or in any case and short.
fn word(text: &str, loose: bool) -> Option<f64> {
    let is = |word: &str| if loose { text.eq_ignore_ascii_case(word) } else { text == word };
    if is("NaN") {
        Some(f64::NAN)
    } else if is("Infinity") || (loose && is("Inf")) {
        Some(f64::INFINITY)
    } else if is("-Infinity") || (loose && is("-Inf")) {
        Some(f64::NEG_INFINITY)
    } else {
        None
    }
}

/// Whether `text` is a number in JSON's grammar.
fn is_json_number(text: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent.strip_prefix(['+', '-']).unwrap_or(exponent))),
        None => (unsigned, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    let leading_zero = whole.len() > 1 && whole.starts_with('0');
    digits(whole) && !leading_zero && fraction.is_none_or(digits) && exponent.is_none_or(digits)
}

/// A Decimal128; with Oracle's wider NUMBER where that does not do.
fn decimal_of_string(text: &str, oracle: bool) -> Option<Leaf> {
    match Decimal128::parse(text) {
        Ok(value) => Some(Leaf::Fixed(Scalar::Decimal128(value))),
        Err(_) if oracle => match word(text, true) {
            Some(_) => None,
            None => Decimal::parse(text).ok()?.to_number().map(Leaf::Number),
        },
        Err(_) => None,
    }
}

/// A NUMBER; a Decimal128 where its range does not do.
fn decimal_of_number(text: &str) -> Option<Leaf> {
    let number = Decimal::parse(text).ok().and_then(|number| number.to_number());
    match number {
        Some(number) => Some(Leaf::Number(number)),
        None => Decimal128::parse(text).ok().map(|value| Leaf::Fixed(Scalar::Decimal128(value))),
    }
}

impl Object<'_> {
    /// `{"$vector": [1, 2], "$vectorElementType": "float32"}`; a sparse one is `[dimensions, [indices], [values]]`.
    ///
    /// The array reaches from `array` up to the second key's own event, or to the end of the tape.
    pub(super) fn vector(&mut self, array: usize, element_type: usize, next_value: usize) -> Result<Leaf, Rule> {
        let format = VectorFormat::from_name(self.tape.text(self.text(element_type)?)).ok_or(Rule::ExtendedShape)?;
        let end = next_value.saturating_sub(1).min(self.tape.events.len());
        let [Event::Array(_), inner @ .., Event::EndArray] = self.tape.events.get(array..end).unwrap_or_default()
        else {
            return Err(Rule::ExtendedShape);
        };
        let mut image = Vec::new();
        let built = match inner {
            [dimensions, Event::Array(_), rest @ ..] => self.sparse(*dimensions, rest, format, &mut image),
            elements => self.fill(elements, format, None, &mut image),
        };
        built.ok_or(Rule::ExtendedNumber)?;
        Ok(Leaf::Bytes(BytesKind::Vector, self.tape.keep_bytes(&image)))
    }

    fn sparse(&self, dimensions: Event, rest: &[Event], format: VectorFormat, image: &mut Vec<u8>) -> Option<()> {
        let count = rest.iter().position(|event| matches!(event, Event::EndArray))?;
        let (indices, rest) = rest.split_at_checked(count)?;
        let [Event::EndArray, Event::Array(_), values @ .., Event::EndArray] = rest else { return None };
        let index = |event: &Event| integer_leaf(self.tape, *event).and_then(|index| u32::try_from(index).ok());
        let dimensions = index(&dimensions)?;
        let indices: Vec<u32> = indices.iter().map(index).collect::<Option<_>>()?;
        let fits = indices.len() == values.len() && indices.iter().all(|&index| index < dimensions);
        if fits { self.fill(values, format, Some((dimensions, &indices)), image) } else { None }
    }

    fn fill(
        &self,
        values: &[Event],
        format: VectorFormat,
        sparse: Option<(u32, &[u32])>,
        image: &mut Vec<u8>,
    ) -> Option<()> {
        let mut writer = VectorWriter::new(format, values.len(), sparse, image)?;
        values.iter().all(|value| self.element(*value).is_some_and(|text| writer.push(&text))).then_some(())
    }

    /// The text of an element as Rust reads it: a number, or a word.
    fn element(&self, value: Event) -> Option<String> {
        let Event::Leaf(Leaf::Text(TextKind::String, text), _, None) = value else {
            return number_text(self.tape, value);
        };
        word(self.tape.text(text), true).map(|value| value.to_string())
    }
}
