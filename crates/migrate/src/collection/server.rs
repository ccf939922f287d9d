//! What a server may convert by itself, so that the documents do not travel.
//!
//! Only values are sent that way whose result is known to be ours to the last bit: a regular expression lets those spellings
//! through, one by one a part of what the rule takes, and `onError` keeps what the server cannot read nevertheless. All else
//! stays as it is and goes the client's way afterwards. What can be done is a function of the plan; why not, is said.

use boson_bson::Tag;
use boson_document::Scalar;
use boson_profile::{Case, IsoLayout, ObjectIdSpelling, Path, Step, UuidSpelling, Zone};

use super::guard::{is_dotted, operator};
use super::job::CollectionJob;
use super::raw::{Build, RawValue, array, int, object, text};
use crate::rule::{Reading, Rule, ZoneRule, write_offset};

/// What a server does, and what it does not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ServerSide {
    /// What is sent for each range of `_id`s.
    pub statements: Vec<Statement>,
    /// The paths that go the client's way, and why.
    pub by_client: Vec<(String, &'static str)>,
}

/// An update of many documents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// The paths of the plan that it is about.
    pub paths: Vec<String>,
    /// The operand of `$or`: which documents it is about.
    pub any_of: RawValue,
    /// The bytes of an array of stages.
    pub pipeline: Vec<u8>,
}

/// How a text becomes a value.
struct Recipe {
    /// Which texts, as a regular expression that every server's engine takes.
    regex: String,
    /// Beside it, of the text.
    also: Vec<RawValue>,
    /// Its value.
    value: RawValue,
}

/// What the server may do for `job`.
pub fn server_side(job: &CollectionJob) -> ServerSide {
    let mut side = ServerSide::default();
    // Fields of the document itself go into one statement. One for each of the others: its filter must hold for the way.
    let mut top: Vec<(String, RawValue, RawValue)> = Vec::new();
    for (field, rule) in job.plan.converted().zip(job.rules.rules()) {
        let names = field.path.parse::<Path>().map_err(|_| "the path cannot be read").and_then(|path| names(&path));
        let recipe = names.and_then(|names| Ok((recipe(rule, &names.join("."), job.description.version)?, names)));
        match recipe {
            Err(why) => side.by_client.push((field.path.clone(), why)),
            Ok((recipe, names)) => {
                let whole = names.join(".");
                let (condition, value) = (condition(&names, &recipe.regex), guarded(&whole, recipe));
                if names.len() == 1 {
                    top.push((field.path.clone(), condition, object(&[(&whole, value)])));
                } else {
                    side.statements.push(statement(vec![(field.path.clone(), condition, object(&[(&whole, value)]))]));
                }
            }
        }
    }
    if !top.is_empty() {
        side.statements.insert(0, statement(top));
    }
    side
}

fn statement(fields: Vec<(String, RawValue, RawValue)>) -> Statement {
    let conditions: Vec<RawValue> = fields.iter().map(|(_, condition, _)| condition.clone()).collect();
    let stages: Vec<RawValue> = fields.iter().map(|(_, _, value)| operator("$set", value.clone())).collect();
    Statement {
        paths: fields.into_iter().map(|(path, _, _)| path).collect(),
        any_of: array(&conditions),
        pipeline: array(&stages).bytes().to_vec(),
    }
}

fn names(path: &Path) -> Result<Vec<String>, &'static str> {
    let names: Option<Vec<String>> = path
        .steps()
        .iter()
        .map(|step| match step {
            Step::Field(name) => Some(name.clone()),
            Step::Any | Step::Elements => None,
        })
        .collect();
    let names = names.ok_or("values in arrays, and below names that are data, are read and guarded by the client")?;
    if is_dotted(&names) { Ok(names) } else { Err("a name with dots or dollars: no path says it") }
}

/// The documents that may hold such a text at the path, and no array on the way.
fn condition(names: &[String], regex: &str) -> RawValue {
    let mut out = Build::new();
    let mut whole = String::new();
    for (place, name) in names.iter().enumerate() {
        if place > 0 {
            whole.push('.');
        }
        whole.push_str(name);
        let is_last = place + 1 == names.len();
        let open = out.open(&whole, Tag::Document);
        out.int("$type", i32::from(if is_last { Tag::String } else { Tag::Document }.byte()));
        if is_last {
            out.text("$regex", regex);
        }
        let not = out.open("$not", Tag::Document);
        out.int("$type", i32::from(Tag::Array.byte()));
        out.close(&not);
        out.close(&open);
    }
    RawValue::new(Tag::Document, out.finish())
}

/// The value of the recipe where the field is such a text, else the field as it is. Branches that are not taken are not
/// evaluated, and the operators of texts refuse what is none.
fn guarded(path: &str, recipe: Recipe) -> RawValue {
    let field = text(&format!("${path}"));
    let spelled = operator("$regexMatch", object(&[("input", field.clone()), ("regex", text(&recipe.regex))]));
    let conditions = std::iter::once(spelled).chain(recipe.also).collect::<Vec<_>>();
    let inner = cond(operator("$and", array(&conditions)), recipe.value, field.clone());
    cond(is_type(&field, "string"), inner, field)
}

fn cond(condition: RawValue, then: RawValue, otherwise: RawValue) -> RawValue {
    operator("$cond", array(&[condition, then, otherwise]))
}

fn is_type(field: &RawValue, name: &str) -> RawValue {
    operator("$eq", array(&[operator("$type", field.clone()), text(name)]))
}

fn convert(field: &RawValue, to: RawValue) -> RawValue {
    operator("$convert", object(&[("input", field.clone()), ("to", to), ("onError", field.clone())]))
}

/// How the server makes what the rule makes of a text, of those texts where it does.
fn recipe(rule: &Rule, path: &str, version: Option<[u32; 3]>) -> Result<Recipe, &'static str> {
    let field = text(&format!("${path}"));
    let plain = |regex: &str, to: &str| {
        Ok(Recipe { regex: regex.to_owned(), also: Vec::new(), value: convert(&field, text(to)) })
    };
    match &rule.reading {
        // Nine and eighteen digits fit whatever they are; those that may not are for the client.
        Reading::Int32 => plain("^(0|-?[1-9][0-9]{0,8})$", "int"),
        Reading::Int64 => plain("^(0|-?[1-9][0-9]{0,17})$", "long"),
        Reading::Double { scale } => Ok(double(&field, *scale)),
        Reading::Decimal128 => {
            let mut recipe = plain("^-?(0|[1-9][0-9]{0,26})(\\.[0-9]{1,6})?$", "decimal")?;
            recipe.also.push(not_minus_zero(&field));
            Ok(recipe)
        }
        Reading::ObjectId { spelling: ObjectIdSpelling::Bare, case } => match case {
            Case::Upper => plain("^[0-9A-F]{24}$", "objectId"),
            Case::Lower | Case::Neither => plain("^[0-9a-f]{24}$", "objectId"),
            Case::Mixed => Err("digits in upper and lower case do not come back"),
        },
        Reading::Uuid { spelling: UuidSpelling::Hyphens, case: Case::Lower } => uuid(&field, version),
        Reading::Words(_) | Reading::ZeroOrOne => words(rule, &field),
        Reading::Iso { layout, zone, .. } => {
            let offset = zone.as_ref().and_then(ZoneRule::fixed_minutes);
            iso(&field, layout.as_ref(), offset)
        }
        Reading::EpochText { seconds } => Ok(epoch(&field, *seconds)),
        Reading::ObjectId { .. } | Reading::Uuid { .. } => Err("no operator reads this spelling"),
        Reading::Hexadecimal { .. } | Reading::Base64 { .. } => {
            Err("operators that read binary differ in what they take")
        }
        Reading::Grouped { .. } | Reading::Money { .. } => Err("no operator reads separators or currencies"),
        Reading::NumericDate { .. } => Err("whether the day or the month comes first is checked by the client"),
        Reading::Null => Err("which words mean nothing is known to the client"),
        Reading::Json | Reading::Wrapper => Err("no operator makes documents of texts or unwraps them"),
        Reading::NumberToInt32 | Reading::NumberToInt64 | Reading::EpochNumber { .. } => {
            Err("the server makes 0 of -0, which does not come back")
        }
    }
}

/// Up to fifteen digits a double holds every decimal, and all readers round to the same.
fn double(field: &RawValue, scale: Option<u8>) -> Recipe {
    const LEN_MAX: i32 = 15;
    let regex = match scale {
        Some(0) => "^-?(0|[1-9][0-9]*)$".to_owned(),
        Some(scale) => format!("^-?(0|[1-9][0-9]*)\\.[0-9]{{{scale}}}$"),
        // Five digits: where they are more, the shortest form may be one with an exponent.
        None => "^-?(0|[1-9][0-9]*)(\\.[0-9]{0,4}[1-9])?$".to_owned(),
    };
    let short = operator("$lte", array(&[operator("$strLenBytes", field.clone()), int(LEN_MAX)]));
    Recipe { regex, also: vec![short, not_minus_zero(field)], value: convert(field, text("double")) }
}

/// That a text is not `-0`, `-0.00`: what becomes of the sign is not everywhere the same.
fn not_minus_zero(field: &RawValue) -> RawValue {
    let zero = operator("$regexMatch", object(&[("input", field.clone()), ("regex", text("^-[0.]*$"))]));
    operator("$not", array(&[zero]))
}

fn uuid(field: &RawValue, version: Option<[u32; 3]>) -> Result<Recipe, &'static str> {
    if version.is_none_or(|version| version < [8, 0, 0]) {
        return Err("only from version 8 on a server makes binary of texts");
    }
    let to = object(&[("type", text("binData")), ("subtype", int(i32::from(crate::rule::UUID_SUBTYPE)))]);
    let operand = [("input", field.clone()), ("to", to), ("format", text("uuid")), ("onError", field.clone())];
    let regex = "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$".to_owned();
    Ok(Recipe { regex, also: Vec::new(), value: operator("$convert", object(&operand)) })
}

/// Truth by comparison: `$toBool` takes every text for true.
fn words(rule: &Rule, field: &RawValue) -> Result<Recipe, &'static str> {
    let word =
        |value| rule.spell(Scalar::Bool(value)).filter(|word| word.bytes().all(|byte| byte.is_ascii_alphanumeric()));
    let (yes, no) = word(true).zip(word(false)).ok_or("the words have signs in them")?;
    let value = operator("$eq", array(&[field.clone(), operator("$literal", text(&yes))]));
    Ok(Recipe { regex: format!("^({yes}|{no})$"), also: Vec::new(), value })
}

/// Months and the days that all years have in them: the 29th of February is for the client.
const DAYS: &str = "[12][0-9]{3}-((0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])|(0[13-9]|1[0-2])-(29|30)|(0[13578]|1[02])-31)";

/// A clock without leap seconds.
const CLOCK: &str = "([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]";

/// A rule that needs a zone has one; `offset` is its distance from UTC, in minutes, if it has only one.
fn iso(field: &RawValue, layout: Option<&IsoLayout>, offset: Option<i16>) -> Result<Recipe, &'static str> {
    let needs_zone = layout.is_none_or(|layout| layout.zone == Zone::None);
    if needs_zone && offset.is_none() {
        return Err("clocks that are set forward and back: the server decides where the client leaves the value");
    }
    let (regex, format) = match layout {
        None => (format!("^{DAYS}$"), "%Y-%m-%d".to_owned()),
        Some(layout) => clock_format(*layout)?,
    };
    let mut operand = vec![("dateString", field.clone()), ("format", text(&format)), ("onError", field.clone())];
    // A text that names its zone must not be given another.
    if let Some(minutes) = offset.filter(|_| needs_zone) {
        operand.push(("timezone", text(&write_offset(minutes))));
    }
    Ok(Recipe { regex, also: Vec::new(), value: operator("$dateFromString", object(&operand)) })
}

fn clock_format(layout: IsoLayout) -> Result<(String, String), &'static str> {
    if layout.basic || !layout.seconds || !matches!(layout.separator, b'T' | b' ') {
        return Err("dates without separators or seconds are read in more ways than one");
    }
    let fraction = match (layout.fraction, layout.point) {
        (0, _) => ("", ""),
        (3, b'.') => ("\\.[0-9]{3}", ".%L"),
        _ => return Err("digits that are not three, or behind a comma: the server cuts or refuses them"),
    };
    let zone = match layout.zone {
        Zone::Z => "Z",
        Zone::None => "",
        _ => return Err("an offset in the text is checked by the client"),
    };
    let separator = char::from(layout.separator);
    let regex = format!("^{DAYS}{separator}{CLOCK}{}{zone}$", fraction.0);
    Ok((regex, format!("%Y-%m-%d{separator}%H:%M:%S{}{zone}", fraction.1)))
}

/// Seconds or milliseconds from December 1990 to October 2096, well within what the rule takes.
fn epoch(field: &RawValue, seconds: bool) -> Recipe {
    let (more, factor) = if seconds { ("", 1000) } else { ("[0-9]{3}", 1) };
    let number = convert(field, text("long"));
    let factor = RawValue::new(Tag::Int64, i64::to_le_bytes(factor).to_vec());
    let ms = operator("$multiply", array(&[number, factor]));
    Recipe {
        regex: format!("^(6[6-9][0-9]{{7}}|[7-9][0-9]{{8}}|[1-3][0-9]{{9}}){more}$"),
        also: Vec::new(),
        value: operator("$convert", object(&[("input", ms), ("to", text("date")), ("onError", field.clone())])),
    }
}
