//! Whether a new value is what its original says. Texts are read here by other libraries than those that converted them.

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE};
use boson_bson::{Tag, Value};
use boson_document::{Decimal, Decimal128, Scalar};

use crate::plan::{Lossy, Misfits, Nothing, To};
use crate::rule::{Read, Reading, Rule, Scratch};

/// What a new value is.
pub(super) enum Verdict {
    /// It comes back as the original, to the last character.
    Exact,
    /// It is the same value, written otherwise; the original text, if it was one.
    Same(Option<String>),
    /// It is null, as the plan says.
    Null,
    /// It is a document or an array as before: what is in it is to be compared.
    Inside,
    /// It is something else.
    Wrong(String),
}

pub(super) fn judge(rule: &Rule, before: &Value<'_>, after: &Value<'_>) -> Verdict {
    if after.is_null() && !before.is_null() {
        return null(rule, before);
    }
    let text = if before.tag() == Tag::String { before.as_str().ok() } else { None };
    match (text, before.tag()) {
        (Some(text), _) => of_text(rule, text, after),
        (None, Tag::Document | Tag::Array) if after.tag() == before.tag() => Verdict::Inside,
        (None, Tag::Document) => of_wrapper(rule, before, after),
        _ => of_number(rule, before, after),
    }
}

fn null(rule: &Rule, before: &Value<'_>) -> Verdict {
    let allowed = rule.misfits == Misfits::Null || rule.nothing == Nothing::Null || rule.to == To::Null;
    let text = before.as_str().ok().filter(|_| before.tag() == Tag::String);
    // A value that fits must not have become null.
    let fits = text.is_some_and(|text| matches!(rule.read_text(text, &mut Scratch::default()), Read::Fits(..)));
    if allowed && (!fits || rule.to == To::Null) { Verdict::Null } else { Verdict::Wrong("it became null".to_owned()) }
}

fn of_text(rule: &Rule, text: &str, after: &Value<'_>) -> Verdict {
    if after.tag() == Tag::Document || after.tag() == Tag::Array {
        return document(text, after);
    }
    let Ok(new) = after.scalar() else { return Verdict::Wrong("the new value is damaged".to_owned()) };
    if rule.spell(new).as_deref() == Some(text) {
        return Verdict::Exact;
    }
    if rule.lossy == Lossy::Keep {
        return Verdict::Wrong(format!("{text:?} does not come back, and the plan keeps such values"));
    }
    match same(rule, text, new) {
        Some(true) => Verdict::Same(Some(text.to_owned())),
        _ => Verdict::Wrong(format!("{text:?} became another value: {new:?}")),
    }
}

/// Whether `new` is the value of `text`, read anew.
fn same(rule: &Rule, text: &str, new: Scalar<'_>) -> Option<bool> {
    Some(match new {
        Scalar::DateTime(ms) => moment(rule, text)? == ms,
        Scalar::Double(number) => {
            let read: f64 = text.parse().ok()?;
            read.to_bits() == number.to_bits() || (read.is_nan() && number.is_nan())
        }
        Scalar::Decimal128(number) => {
            let digits: String = text.chars().filter(char::is_ascii_digit).collect();
            let read = Decimal128::parse(text).ok();
            let by_digits = || {
                number.to_decimal().is_some_and(|decimal: Decimal| {
                    let own: String = decimal.to_string().chars().filter(char::is_ascii_digit).collect();
                    own == digits && decimal.is_negative() == text.contains('-')
                })
            };
            read.map_or_else(by_digits, |read| read.same_value(&number))
        }
        Scalar::Int64(number) => {
            let digits: String = text.chars().filter(|c| c.is_ascii_digit() || *c == '-').collect();
            digits.parse() == Ok(number)
        }
        Scalar::Bool(value) => {
            let yes = ["true", "yes", "y", "t", "on", "1"].iter().any(|word| text.eq_ignore_ascii_case(word));
            value == yes
        }
        Scalar::ObjectId(id) => text.to_ascii_lowercase().contains(&id.to_string()),
        Scalar::Binary { bytes, .. } => match rule.to {
            To::Uuid => {
                let digits = text.trim_start_matches("UUID(\"").trim_end_matches("\")").trim_matches(['(', ')']);
                uuid::Uuid::parse_str(digits).ok()?.as_bytes() == bytes
            }
            _ if matches!(rule.reading, Reading::Hexadecimal { .. }) => hex::decode(text).ok()? == bytes,
            _ => STANDARD.decode(text).or_else(|_| URL_SAFE.decode(text)).ok()? == bytes,
        },
        _ => return None,
    })
}

/// The moment that `text` names, as jiff reads it, cut to milliseconds.
fn moment(rule: &Rule, text: &str) -> Option<i64> {
    let zone = match &rule.reading {
        Reading::Iso { zone, .. } => zone.as_ref(),
        Reading::NumericDate { zone, .. } => Some(zone),
        _ => None,
    };
    let text = text.replace(',', ".");
    if let Ok(moment) = text.parse::<jiff::Timestamp>() {
        return Some(moment.as_nanosecond().div_euclid(1_000_000)).and_then(|ms| i64::try_from(ms).ok());
    }
    let clock = text.parse::<jiff::civil::DateTime>().ok();
    let clock = clock.or_else(|| by_numbers(rule, &text))?;
    let as_utc = clock.to_zoned(jiff::tz::TimeZone::UTC).ok()?.timestamp();
    zone?.moment(i64::try_from(as_utc.as_nanosecond().div_euclid(1_000_000)).ok()?)
}

/// A date of three numbers, as strptime reads it.
fn by_numbers(rule: &Rule, text: &str) -> Option<jiff::civil::DateTime> {
    use boson_profile::Order;
    let Reading::NumericDate { date, .. } = &rule.reading else { return None };
    let separator = char::from(date.separator);
    let order = match date.order {
        Order::YearFirst => ["%Y", "%m", "%d"],
        Order::MonthFirst => ["%m", "%d", "%Y"],
        _ => ["%d", "%m", "%Y"],
    };
    let days = order.join(&separator.to_string());
    let clocks = ["", " %H:%M", " %H:%M:%S", " %H:%M:%S%.f", " %I:%M %p", " %I:%M:%S %p", "T%H:%M:%S%.f"];
    clocks.iter().find_map(|clock| {
        let parsed = jiff::fmt::strtime::parse(format!("{days}{clock}"), text).ok()?;
        parsed.to_datetime().ok().or_else(|| parsed.to_date().ok().map(jiff::civil::DateTime::from))
    })
}

fn document(text: &str, after: &Value<'_>) -> Verdict {
    let as_json = serde_json::from_str::<serde_json::Value>(text).ok();
    let mut writer = boson_json::Writer::new(Vec::new(), boson_json::Style::Plain);
    let wrapped = after.as_document().or_else(|_| after.as_array().map(|array| array.as_document()));
    let written = wrapped.ok().and_then(|document| boson_document::Source::drive(&document, &mut writer).ok());
    let back = written.and_then(|()| serde_json::from_slice::<serde_json::Value>(&writer.into_inner()).ok());
    // An array's document has its places for names.
    let back = match back {
        Some(serde_json::Value::Object(members)) if after.tag() == Tag::Array => {
            Some(serde_json::Value::Array(members.into_iter().map(|(_, value)| value).collect()))
        }
        other => other,
    };
    if as_json.is_some() && as_json == back {
        Verdict::Same(Some(text.to_owned()))
    } else {
        Verdict::Wrong(format!("{text:?} became another document"))
    }
}

fn of_wrapper(rule: &Rule, before: &Value<'_>, after: &Value<'_>) -> Verdict {
    let mut scratch = Scratch::default();
    let read = rule.read_object(before.bytes(), &mut scratch);
    match (read, after.scalar()) {
        (Read::Fits(crate::rule::New::Leaf(expected), _), Ok(new)) if format!("{expected:?}") == format!("{new:?}") => {
            Verdict::Exact
        }
        _ => Verdict::Wrong("the wrapped value became another".to_owned()),
    }
}

fn of_number(rule: &Rule, before: &Value<'_>, after: &Value<'_>) -> Verdict {
    let number = match before.scalar() {
        Ok(Scalar::Int32(number)) => Some(number.to_string()),
        Ok(Scalar::Int64(number)) => Some(number.to_string()),
        Ok(Scalar::Double(number)) => Some(number.to_string()),
        _ => None,
    };
    let expected = match (after.scalar(), &rule.reading) {
        (Ok(Scalar::Int32(new)), _) => Some(new.to_string()),
        (Ok(Scalar::Int64(new)), _) => Some(new.to_string()),
        (Ok(Scalar::DateTime(ms)), Reading::EpochNumber { seconds: true }) if ms % 1000 == 0 => {
            Some((ms / 1000).to_string())
        }
        (Ok(Scalar::DateTime(ms)), Reading::EpochNumber { seconds: false }) => Some(ms.to_string()),
        _ => None,
    };
    if number.is_some() && number == expected {
        Verdict::Exact
    } else {
        Verdict::Wrong("the number became another".to_owned())
    }
}
