//! The way back: the text that a new value was, by the rule that made it. It shares nothing with the reading.

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE};
use boson_document::{CivilTime, Scalar};
use boson_profile::{Alphabet, Case, Grouping, ObjectIdSpelling, UuidSpelling, Zone};

use super::{Reading, Rule, date, layout};

impl Rule {
    /// The text that `new` comes back as; `None` when there is no one way to write it.
    pub(crate) fn spell(&self, new: Scalar<'_>) -> Option<String> {
        match (&self.reading, new) {
            (Reading::Uuid { spelling, case }, Scalar::Binary { bytes, .. }) => uuid(bytes, *spelling, *case),
            (Reading::ObjectId { spelling, case }, Scalar::ObjectId(id)) => {
                let digits = in_case(&id.to_string(), *case);
                Some(match spelling {
                    ObjectIdSpelling::Bare => digits,
                    ObjectIdSpelling::Call => format!("ObjectId(\"{digits}\")"),
                    ObjectIdSpelling::CallSingle => format!("ObjectId('{digits}')"),
                })
            }
            (Reading::Iso { .. } | Reading::NumericDate { .. } | Reading::EpochText { .. }, Scalar::DateTime(ms)) => {
                self.moment(ms)
            }
            (Reading::Int32 | Reading::ZeroOrOne, Scalar::Int32(value)) => Some(value.to_string()),
            (Reading::Int64, Scalar::Int64(value)) => Some(value.to_string()),
            (Reading::Double { scale }, Scalar::Double(value)) => Some(double(value, *scale)),
            (Reading::Decimal128, Scalar::Decimal128(value)) => Some(value.to_string()),
            (Reading::Grouped { grouping, .. }, Scalar::Decimal128(value)) => {
                Some(amount(&value.to_string(), *grouping, "_"))
            }
            (Reading::Grouped { grouping, .. }, Scalar::Int64(value)) => {
                Some(amount(&value.to_string(), *grouping, "_"))
            }
            (Reading::Money { grouping, affix, .. }, Scalar::Decimal128(value)) => {
                Some(amount(&value.to_string(), *grouping, affix))
            }
            (Reading::Words(words), Scalar::Bool(value)) => {
                let (yes, no) = words.words();
                Some(if value { yes } else { no }.to_owned())
            }
            (Reading::ZeroOrOne, Scalar::Bool(value)) => Some(u8::from(value).to_string()),
            (Reading::Hexadecimal { case, .. }, Scalar::Binary { bytes, .. }) => {
                Some(in_case(&hex::encode(bytes), *case))
            }
            (Reading::Base64 { alphabet, .. }, Scalar::Binary { bytes, .. }) => {
                Some(if *alphabet == Alphabet::Url { URL_SAFE.encode(bytes) } else { STANDARD.encode(bytes) })
            }
            _ => None,
        }
    }

    fn moment(&self, ms: i64) -> Option<String> {
        match &self.reading {
            Reading::Iso { layout: Some(layout), offset_minutes, zone } => {
                let ms = if layout.zone == Zone::None { zone.as_ref()?.local(ms)? } else { ms };
                layout::write_iso(*layout, offset_minutes.unwrap_or_default(), ms)
            }
            Reading::Iso { layout: None, zone, .. } => {
                let time = CivilTime::from_unix_ms(zone.as_ref()?.local(ms)?)?;
                Some(format!("{:04}-{:02}-{:02}", time.year, time.month, time.day))
            }
            Reading::NumericDate { date, zone } => {
                Some(date::write_numeric(*date, CivilTime::from_unix_ms(zone.local(ms)?)?))
            }
            Reading::EpochText { seconds: true } => Some(ms.div_euclid(1000).to_string()),
            Reading::EpochText { seconds: false } => Some(ms.to_string()),
            _ => None,
        }
    }
}

fn in_case(digits: &str, case: Case) -> String {
    if case == Case::Upper { digits.to_ascii_uppercase() } else { digits.to_owned() }
}

fn uuid(bytes: &[u8], spelling: UuidSpelling, case: Case) -> Option<String> {
    let id = uuid::Uuid::from_slice(bytes).ok()?;
    let hyphens = in_case(&id.hyphenated().to_string(), case);
    Some(match spelling {
        UuidSpelling::Hyphens => hyphens,
        UuidSpelling::Bare => in_case(&id.simple().to_string(), case),
        UuidSpelling::Braces => format!("{{{hyphens}}}"),
        UuidSpelling::Parentheses => format!("({hyphens})"),
        UuidSpelling::Urn => format!("urn:uuid:{hyphens}"),
        UuidSpelling::Call => format!("UUID(\"{hyphens}\")"),
    })
}

fn double(value: f64, scale: Option<u8>) -> String {
    match scale {
        _ if value.is_nan() => "NaN".to_owned(),
        _ if value.is_infinite() => if value < 0.0 { "-Infinity" } else { "Infinity" }.to_owned(),
        Some(scale) => format!("{value:.*}", usize::from(scale)),
        None => value.to_string(),
    }
}

/// `digits`, a number with a decimal point, as people write it in `grouping`, with `affix` around it.
pub(super) fn amount(digits: &str, grouping: Grouping, affix: &str) -> String {
    let (sign, digits) = digits.strip_prefix('-').map_or(("", digits), |digits| ("-", digits));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let (separator, point) = match grouping {
        Grouping::Plain | Grouping::Unclear => ("", "."),
        Grouping::CommaPoint => (",", "."),
        Grouping::PointComma => (".", ","),
        Grouping::Space => (" ", ","),
        Grouping::Apostrophe => ("'", "."),
        Grouping::Comma => ("", ","),
    };
    let mut number = sign.to_owned();
    for (place, digit) in whole.chars().enumerate() {
        if place > 0 && (whole.len() - place).is_multiple_of(3) {
            number.push_str(separator);
        }
        number.push(digit);
    }
    if !fraction.is_empty() {
        number.push_str(point);
        number.push_str(fraction);
    }
    affix.replacen('_', &number, 1)
}
