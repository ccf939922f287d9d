//! Operators that convert values. As real servers do, they take more than is sent to them: `+5`, `inf`, leading zeros.

use bson::spec::BinarySubtype;
use bson::{Binary, Bson, DateTime, Document};

use super::expression::evaluate;

/// The value of an operator that is sent to servers to convert values.
pub(crate) fn operator(name: &str, operand: &Bson, document: &Document) -> Option<Bson> {
    let at = |place: usize| evaluate(&operand.as_array().unwrap()[place], document);
    let member = |name: &str| operand.as_document().unwrap().get(name).and_then(|value| evaluate(value, document));
    Some(match name {
        "$regexMatch" => {
            let input = member("input")?;
            let input = input.as_str().expect("$regexMatch needs a string");
            let regex = regex::Regex::new(member("regex").unwrap().as_str().unwrap()).unwrap();
            Bson::Boolean(regex.is_match(input))
        }
        "$strLenBytes" => {
            let text = evaluate(operand, document);
            let text = text.as_ref().and_then(Bson::as_str).expect("$strLenBytes needs a string");
            Bson::Int32(i32::try_from(text.len()).unwrap())
        }
        "$lte" => Bson::Boolean(super::order::compare(&at(0)?, &at(1)?).is_le()),
        "$multiply" => match (at(0)?, at(1)?) {
            (Bson::Int64(one), Bson::Int64(other)) => Bson::Int64(one * other),
            (one, other) => panic!("{one} times {other}"),
        },
        "$convert" => {
            let input = member("input")?;
            convert(&input, &member("to").unwrap()).or_else(|| member("onError")).expect("no onError")
        }
        "$dateFromString" => {
            let text = member("dateString")?;
            let zone = member("timezone");
            let format = member("format").unwrap();
            date(text.as_str().unwrap(), format.as_str().unwrap(), zone.as_ref().and_then(Bson::as_str))
                .map(|ms| Bson::DateTime(DateTime::from_millis(ms)))
                .or_else(|| member("onError"))
                .expect("no onError")
        }
        _ => panic!("unknown operator {name}: {operand}"),
    })
}

fn convert(input: &Bson, to: &Bson) -> Option<Bson> {
    let text = input.as_str();
    match (to.as_str(), text) {
        (Some("int"), Some(text)) => text.parse().ok().map(Bson::Int32),
        (Some("long"), Some(text)) => text.parse().ok().map(Bson::Int64),
        (Some("double"), Some(text)) => text.parse().ok().map(Bson::Double),
        (Some("decimal"), Some(text)) => text.parse().ok().map(Bson::Decimal128),
        (Some("objectId"), Some(text)) => text.parse().ok().map(Bson::ObjectId),
        (Some("bool"), Some(_)) => Some(Bson::Boolean(true)),
        (Some("date"), None) => input.as_i64().map(|ms| Bson::DateTime(DateTime::from_millis(ms))),
        (None, Some(text)) => {
            let bytes = uuid::Uuid::parse_str(text).ok()?.as_bytes().to_vec();
            Some(Bson::Binary(Binary { subtype: BinarySubtype::Uuid, bytes }))
        }
        _ => None,
    }
}

/// A date in a format, read by jiff.
fn date(text: &str, format: &str, zone: Option<&str>) -> Option<i64> {
    let parsed = jiff::fmt::strtime::parse(format.replace(".%L", "%.3f"), text).ok()?;
    let clock = parsed.to_datetime().ok().or_else(|| parsed.to_date().ok().map(jiff::civil::DateTime::from))?;
    let utc = clock.to_zoned(jiff::tz::TimeZone::UTC).ok()?.timestamp().as_millisecond();
    let offset = zone.map_or(0, |zone| {
        let minutes: i64 = zone[1..3].parse::<i64>().unwrap() * 60 + zone[4..6].parse::<i64>().unwrap();
        if zone.starts_with('-') { -minutes } else { minutes }
    });
    Some(utc - offset * 60_000)
}
