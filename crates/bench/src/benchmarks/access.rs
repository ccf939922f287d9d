//! Reading one field: how far back it stands, how deep it lies, and in which form the document is at hand; beside it
//! changing one field and writing the document again.

use boson_bson::Index;
use boson_document::Value;
use boson_oson::write::Style;

use crate::contenders::{Bson, Contender, Json, Oson, get_bson, get_oson, get_tree};
use crate::error::{BenchError, Watch, next};
use crate::result::{Cell, Column, Report, Unit};
use crate::runner::{Measurement, Plan, measure};

/// Fields on each level of the deep documents; the middle one leads down.
const FIELDS_PER_LEVEL: usize = 20;

/// One field of one document.
struct Place {
    name: String,
    document: Value,
    path: Vec<String>,
}

/// The `position`th, from 1, of `fields` fields.
fn flat(position: usize, fields: usize) -> Place {
    Place {
        name: format!("field {position} of {fields}"),
        document: Value::Object((1..=fields).map(|number| (name(number), leaf(number))).collect()),
        path: vec![name(position)],
    }
}

/// The middle field of the object on level `depth`, the root being level 1, each level with the same number of fields.
fn deep(depth: usize) -> Place {
    let middle = FIELDS_PER_LEVEL / 2;
    let level = |inner: Value| {
        let mut inner = Some(inner);
        let mut member = |number: usize| match inner.take_if(|_| number == middle) {
            Some(inner) => (name(number), inner),
            None => (name(number), leaf(number)),
        };
        Value::Object((1..=FIELDS_PER_LEVEL).map(&mut member).collect())
    };
    Place {
        name: format!("depth {depth}"),
        document: (0..depth).fold(leaf(middle), |inner, _| level(inner)),
        path: vec![name(middle); depth],
    }
}

fn name(number: usize) -> String {
    format!("field_{number}")
}

fn leaf(number: usize) -> Value {
    Value::String(format!("value {number}"))
}

fn places() -> Vec<Place> {
    let flat = [(1, 100), (50, 100), (100, 100), (500, 500), (1000, 1000)].map(|(at, of)| flat(at, of));
    flat.into_iter().chain([1, 3, 5].map(deep)).collect()
}

/// Measures every form of each place.
///
/// # Errors
///
/// `Stopped`.
pub fn run(plan: &Plan, watch: &mut Watch<'_>) -> Result<Report, BenchError> {
    let columns = [("Place", Unit::Plain), ("Form", Unit::Plain), ("Time(ns)", Unit::Nanoseconds)];
    let mut report = Report::new("access", columns.map(|(name, unit)| Column::new(name, unit)).to_vec());
    report.bars = report.column("Time(ns)");
    notes(&mut report, plan);
    for (group, place) in places().iter().enumerate() {
        next(watch, &place.name)?;
        for (form, measured) in place.forms(plan)? {
            report.push(group, vec![Cell::text(&place.name), Cell::text(form), measured.into()]);
        }
    }
    Ok(report)
}

fn notes(report: &mut Report, plan: &Plan) {
    report.note(format!("{}.", plan.describe()));
    report.note(format!(
        "Fields hold strings of some 10 bytes; in the deep documents each level has {FIELDS_PER_LEVEL} fields and the \
         middle one leads down."
    ));
    report.note(
        "Reading includes checking and decoding the value. `indexed` looks up in an index that is there already; `index, \
         then read` makes it first. A cycle decodes the bytes into a tree, changes the field and encodes the tree.",
    );
}

impl Place {
    fn forms(&self, plan: &Plan) -> Result<Vec<(&'static str, Measurement)>, BenchError> {
        let path: Vec<&str> = self.path.iter().map(String::as_str).collect();
        let mut forms = self.bson(&path, plan)?;
        forms.extend(self.oson(&path, plan)?);
        forms.push(("BSON, decode-change-encode", self.cycle(&mut Bson::default(), &path, plan)?));
        forms.push(("OSON, decode-change-encode", self.cycle(&mut Oson::new(Style::Compact), &path, plan)?));
        forms.push(("JSON, decode-change-encode", self.cycle(&mut Json::default(), &path, plan)?));
        Ok(forms)
    }

    fn missing(&self) -> BenchError {
        BenchError::Missing(self.name.clone())
    }

    /// The same error when an answer is no.
    fn found(&self, found: bool) -> Result<(), BenchError> {
        if found { Ok(()) } else { Err(self.missing()) }
    }

    fn bson(&self, path: &[&str], plan: &Plan) -> Result<Vec<(&'static str, Measurement)>, BenchError> {
        let bytes = boson_bson::encode(&self.document)?;
        let document = boson_bson::Document::new(&bytes)?;
        let bson = Bson::default();
        let tree = bson.decode(&bytes)?;
        let mut forms = vec![
            ("BSON, raw", measure(plan, || self.found(bson.get(&bytes, path)?))?),
            ("BSON, decoded", measure(plan, || get_tree(&tree, path).ok_or_else(|| self.missing()))?),
        ];
        // An index is of one level.
        if let [name] = path {
            let mut index = Index::new();
            let indexed = index.rebuild(document)?;
            let get = || indexed.get(name).ok_or_else(|| self.missing())?.scalar().map_err(BenchError::from);
            forms.insert(1, ("BSON, indexed", measure(plan, get)?));
            let mut index = Index::new();
            let rebuild = || {
                let value = index.rebuild(document)?.get(name).ok_or_else(|| self.missing())?;
                value.scalar().map_err(BenchError::from)
            };
            forms.insert(2, ("BSON, index, then read", measure(plan, rebuild)?));
        } else {
            self.found(get_bson(document, path)?)?;
        }
        Ok(forms)
    }

    fn oson(&self, path: &[&str], plan: &Plan) -> Result<Vec<(&'static str, Measurement)>, BenchError> {
        let mut forms = Vec::new();
        for (style, each_time, made) in [
            (Style::Compact, "OSON compact, view each time", "OSON compact, view made"),
            (Style::Driver, "OSON driver, view each time", "OSON driver, view made"),
        ] {
            let mut oson = Oson::new(style);
            let bytes = oson.encode(&self.document)?;
            let document = boson_oson::Document::new(&bytes)?;
            forms.push((each_time, measure(plan, || self.found(oson.get(&bytes, path)?))?));
            forms.push((made, measure(plan, || self.found(get_oson(&document, path)?))?));
        }
        Ok(forms)
    }

    fn cycle<C: Contender>(&self, contender: &mut C, path: &[&str], plan: &Plan) -> Result<Measurement, BenchError> {
        let bytes = contender.encode(&self.document)?;
        measure(plan, || {
            let mut tree = contender.decode(&bytes)?;
            let place = get_mut(&mut tree, path).ok_or_else(|| self.missing())?;
            *place = Value::Int32(7);
            contender.encode(&tree)
        })
    }
}

/// The value at `path` of a tree, to be changed.
fn get_mut<'v>(tree: &'v mut Value, path: &[&str]) -> Option<&'v mut Value> {
    path.iter().try_fold(tree, |value, wanted| match value {
        Value::Object(members) => members.iter_mut().find(|(name, _)| name == wanted).map(|(_, value)| value),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_field_is_where_it_is_said_to_be() {
        for place in places() {
            let path: Vec<&str> = place.path.iter().map(String::as_str).collect();
            let number = place.path.last().and_then(|name| name.strip_prefix("field_"));
            let expected = Value::String(format!("value {}", number.unwrap_or_default()));
            assert_eq!(get_tree(&place.document, &path), Some(&expected), "{}", place.name);
        }
        let Value::Object(members) = flat(500, 500).document else { panic!("no object") };
        assert_eq!((members.len(), members[499].0.as_str()), (500, "field_500"));
    }
}
