//! From what the plan says to what is done.

use boson_profile::{Alphabet, BoolWords, Case, Grouping, ObjectIdSpelling, Step, UuidSpelling, Zone};

use super::date::ZoneRule;
use super::{Reading, Rule, layout};
use crate::plan::{CollectionPlan, FieldPlan, From, Lossy, PlanError, To};

impl Rule {
    /// The rule of `field`.
    ///
    /// # Errors
    ///
    /// What is missing in the plan, or does not go together.
    pub fn new(collection: &CollectionPlan, field: &FieldPlan) -> Result<Self, PlanError> {
        let wrong = |what: String| collection.error(&field.path, what);
        let path: boson_profile::Path =
            field.path.parse().map_err(|error: boson_profile::ParsePathError| wrong(error.to_string()))?;
        if path.is_id() {
            let what =
                "_id is never changed in place: whatever refers to it would no longer find it; set `convert = false`";
            return Err(wrong(what.to_owned()));
        }
        let reading = reading(field).map_err(wrong)?;
        let companion = companion(field, &path).map_err(wrong)?;
        Ok(Self {
            reading,
            to: field.to,
            misfits: field.misfits,
            lossy: field.lossy,
            companion,
            nothing: field.nothing,
            path: path.to_string(),
        })
    }
}

fn companion(field: &FieldPlan, path: &boson_profile::Path) -> Result<Option<Vec<u8>>, String> {
    match (field.lossy, &field.companion) {
        (Lossy::Companion, None) => Err("`lossy = \"companion\"` needs `companion`, the name of the field".to_owned()),
        (Lossy::Companion, Some(name)) if name.is_empty() || name.contains('\0') => {
            Err("the companion's name is empty or holds a NUL".to_owned())
        }
        (Lossy::Companion, Some(_)) if !matches!(path.steps().last(), Some(Step::Field(_))) => {
            Err("a companion stands beside a field, and this is none".to_owned())
        }
        (Lossy::Companion, Some(name)) => Ok(Some(name.clone().into_bytes())),
        (_, Some(_)) => Err("`companion` goes with `lossy = \"companion\"`".to_owned()),
        (_, None) => Ok(None),
    }
}

fn reading(field: &FieldPlan) -> Result<Reading, String> {
    match field.from {
        From::String => from_string(field),
        From::Object => Ok(Reading::Wrapper),
        From::Number | From::Double | From::Int64 => match (field.to, field.spelling.as_deref()) {
            (To::Int32, None) => Ok(Reading::NumberToInt32),
            (To::Int64, None) => Ok(Reading::NumberToInt64),
            (To::Date, Some("epoch-seconds")) => Ok(Reading::EpochNumber { seconds: true }),
            (To::Date, Some("epoch-milliseconds")) => Ok(Reading::EpochNumber { seconds: false }),
            (To::Date, _) => Err("`spelling` must be `epoch-seconds` or `epoch-milliseconds`".to_owned()),
            (to, _) => Err(format!("numbers do not become {}", to.name())),
        },
    }
}

fn from_string(field: &FieldPlan) -> Result<Reading, String> {
    let spelling = field.spelling.as_deref().unwrap_or_default();
    let case = field.case.unwrap_or(Case::Lower);
    let unknown =
        |choices: &str| Err(format!("`spelling = {spelling:?}` is not known here; expected one of {choices}"));
    Ok(match field.to {
        To::Uuid => match find(&UUIDS, spelling) {
            Some(spelling) => Reading::Uuid { spelling, case },
            None => return unknown(&names(&UUIDS)),
        },
        To::ObjectId => match find(&OBJECT_IDS, spelling) {
            Some(spelling) => Reading::ObjectId { spelling, case },
            None => return unknown(&names(&OBJECT_IDS)),
        },
        To::Date => date(field, spelling)?,
        To::Int32 => Reading::Int32,
        To::Int64 | To::Decimal128 => amount(field, spelling)?,
        To::Double => match spelling {
            "scale" => Reading::Double { scale: Some(field.scale.ok_or("`spelling = \"scale\"` needs `scale`")?) },
            "shortest" | "" => Reading::Double { scale: None },
            _ => return unknown("scale, shortest"),
        },
        To::Bool if spelling == "zero-or-one" => Reading::ZeroOrOne,
        To::Bool => match &field.words {
            Some([yes, no]) => Reading::Words(
                BoolWords::of(yes, no).ok_or_else(|| format!("{yes:?} and {no:?} are no known pair of words"))?,
            ),
            None => return Err("`words`, those for true and for false, must be named".to_owned()),
        },
        To::Null => Reading::Null,
        To::Binary => {
            let subtype = field.subtype.unwrap_or(0);
            match spelling {
                "hexadecimal" => Reading::Hexadecimal { case, subtype },
                "base64" => Reading::Base64 { alphabet: Alphabet::Standard, subtype },
                "base64-url" => Reading::Base64 { alphabet: Alphabet::Url, subtype },
                _ => return unknown("hexadecimal, base64, base64-url"),
            }
        }
        To::Document => Reading::Json,
    })
}

fn date(field: &FieldPlan, spelling: &str) -> Result<Reading, String> {
    let zone = match field.zone.as_deref() {
        None | Some("") => None,
        Some(name) => Some(ZoneRule::parse(name).ok_or_else(|| {
            format!("the zone {name:?} is not known; say `UTC`, an offset as `+02:00`, or a name as `Europe/Berlin`")
        })?),
    };
    let need_zone = || {
        "the texts name no zone: name it in `zone`, as `UTC`, `+02:00` or `Europe/Berlin`; only you know where they were \
         written"
            .to_owned()
    };
    match spelling {
        "epoch-seconds" => return Ok(Reading::EpochText { seconds: true }),
        "epoch-milliseconds" => return Ok(Reading::EpochText { seconds: false }),
        "YYYY-MM-DD" => {
            return Ok(Reading::Iso { layout: None, offset_minutes: None, zone: Some(zone.ok_or_else(need_zone)?) });
        }
        _ => {}
    }
    if let Some(layout) = layout::parse_iso(spelling) {
        if layout.zone == Zone::None && zone.is_none() {
            return Err(need_zone());
        }
        let offset_minutes = match field.offset.as_deref() {
            None => None,
            Some(text) => Some(layout::parse_offset(text).ok_or_else(|| format!("{text:?} is no offset as `+05:45`"))?),
        };
        return Ok(Reading::Iso { layout: Some(layout), offset_minutes, zone });
    }
    match layout::parse_numeric(spelling) {
        Some(date) => Ok(Reading::NumericDate { date, zone: zone.ok_or_else(need_zone)? }),
        None => Err(format!(
            "`spelling = {spelling:?}` is no way to write dates that is known here; expected a pattern as \
             `YYYY-MM-DDThh:mm:ss.fffZ`, `YYYY-MM-DD`, `DD/MM/YYYY`, or `epoch-seconds`, `epoch-milliseconds`"
        )),
    }
}

fn amount(field: &FieldPlan, spelling: &str) -> Result<Reading, String> {
    let to_int64 = field.to == To::Int64;
    match (spelling, &field.affix) {
        ("integer" | "", None) if to_int64 => Ok(Reading::Int64),
        ("digits" | "integer" | "", None) => Ok(Reading::Decimal128),
        (grouping, affix) => match (find(&GROUPINGS, grouping), affix) {
            (Some(grouping), None) => Ok(Reading::Grouped { grouping, scale: field.scale, to_int64 }),
            (Some(grouping), Some(affix)) if affix.contains('_') => {
                Ok(Reading::Money { grouping, scale: field.scale, affix: affix.clone() })
            }
            (Some(_), Some(_)) => Err("`affix` needs a `_` where the number is".to_owned()),
            (None, _) => Err(format!(
                "`spelling = {spelling:?}` is not known here; expected digits, integer or one of {}",
                names(&GROUPINGS)
            )),
        },
    }
}

pub(crate) const UUIDS: [(UuidSpelling, &str); 6] = [
    (UuidSpelling::Hyphens, "hyphens"),
    (UuidSpelling::Bare, "bare"),
    (UuidSpelling::Braces, "braces"),
    (UuidSpelling::Parentheses, "parentheses"),
    (UuidSpelling::Urn, "urn"),
    (UuidSpelling::Call, "call"),
];

pub(crate) const OBJECT_IDS: [(ObjectIdSpelling, &str); 3] =
    [(ObjectIdSpelling::Bare, "bare"), (ObjectIdSpelling::Call, "call"), (ObjectIdSpelling::CallSingle, "call-single")];

pub(crate) const GROUPINGS: [(Grouping, &str); 6] = [
    (Grouping::Plain, "plain"),
    (Grouping::CommaPoint, "comma-point"),
    (Grouping::PointComma, "point-comma"),
    (Grouping::Space, "space"),
    (Grouping::Apostrophe, "apostrophe"),
    (Grouping::Comma, "comma"),
];

fn find<T: Copy>(table: &[(T, &str)], name: &str) -> Option<T> {
    table.iter().find(|(_, known)| *known == name).map(|(value, _)| *value)
}

/// The word in plans for `value`.
pub(crate) fn word<T: PartialEq>(table: &[(T, &'static str)], value: &T) -> &'static str {
    table.iter().find(|(known, _)| known == value).map_or("", |(_, name)| name)
}

fn names<T>(table: &[(T, &str)]) -> String {
    table.iter().map(|(_, name)| *name).collect::<Vec<_>>().join(", ")
}
