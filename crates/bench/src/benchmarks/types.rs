//! Readings of seven fields, once as strings and once in native types: what decoding costs, and what it costs until the
//! program has numbers and times in hand.

use std::hint::black_box;
use std::str::FromStr;

use boson_document::Value;
use boson_oson::write::Style;

use crate::contenders::{Bson, Contender, Json, Oson};
use crate::datasets::Dataset;
use crate::error::{BenchError, Watch, next};
use crate::result::{Cell, Column, Report, Unit};
use crate::runner::{Measurement, Plan, measure};

/// The fields of a reading that exist in both forms.
const FIELDS: [&str; 7] =
    ["timestamp", "temperature", "humidity", "pressure", "isActive", "lastCalibration", "batteryLevel"];

const COLUMNS: [(&str, Unit); 7] = [
    ("Format", Unit::Plain),
    ("Types", Unit::Plain),
    ("Operation", Unit::Plain),
    ("Size(bytes)", Unit::Plain),
    ("Average(ns/op)", Unit::Plain),
    ("Error(ns/op)", Unit::Plain),
    ("Median(ns/op)", Unit::Nanoseconds),
];

/// Measures decoding in each format.
///
/// # Errors
///
/// `Stopped`.
pub fn run(plan: &Plan, watch: &mut Watch<'_>) -> Result<Report, BenchError> {
    let mut report = Report::new("types", COLUMNS.map(|(name, unit)| Column::new(name, unit)).to_vec());
    report.bars = report.column("Average(ns/op)");
    notes(&mut report, plan);
    for (types, set) in [("strings", Dataset::TelemetryStrings), ("native", Dataset::TelemetryTyped)] {
        let reading = reading(set)?;
        next(watch, types)?;
        of_format(&mut Bson::default(), types, &reading, plan, &mut report)?;
        of_format(&mut Oson::new(Style::Compact), types, &reading, plan, &mut report)?;
        of_format(&mut Oson::new(Style::Driver), types, &reading, plan, &mut report)?;
        of_format(&mut Json::default(), types, &reading, plan, &mut report)?;
    }
    Ok(report)
}

fn notes(report: &mut Report, plan: &Plan) {
    report.note(format!("{}; one operation is one reading of seven fields.", plan.describe()));
    report.note("Average is the mean of the rounds, Error half its 99.9 % confidence interval (Student).");
    report.note(
        "decode makes the tree; decode and use also parses the strings into two times, three doubles, a boolean and an \
         integer, which native types need not. JSON has no times, so they stay text in its native rows.",
    );
}

fn of_format<C: Contender>(
    contender: &mut C,
    types: &str,
    reading: &Value,
    plan: &Plan,
    report: &mut Report,
) -> Result<(), BenchError> {
    let bytes = contender.encode(reading)?;
    let decode = measure(plan, || contender.decode(&bytes))?;
    let used = measure(plan, || contender.decode(&bytes).and_then(|tree| use_fields(&tree)))?;
    for (operation, measured) in [("decode", decode), ("decode and use", used)] {
        report.push(0, row([contender.name(), types, operation], bytes.len(), measured));
    }
    Ok(())
}

fn row(words: [&str; 3], size: usize, measured: Measurement) -> Vec<Cell> {
    let mut cells = words.map(Cell::text).to_vec();
    let error = measured.error_ns().map_or(Cell::Empty, Cell::Number);
    cells.extend([Cell::len(size), Cell::Number(measured.mean_ns()), error, measured.into()]);
    cells
}

/// The seven fields of the first reading on one level.
fn reading(set: Dataset) -> Result<Value, BenchError> {
    let document = set.documents(1, 1).next().unwrap_or(Value::Null);
    let metadata = document.get("metadata");
    let field = |name: &str| {
        let value = document.get(name).or_else(|| metadata?.get(name)).cloned();
        value.map(|value| (name.to_owned(), value)).ok_or_else(|| BenchError::Missing(name.to_owned()))
    };
    FIELDS.map(field).into_iter().collect::<Result<_, _>>().map(Value::Object)
}

/// Goes through the members in their order and makes of each what a program calculates with.
fn use_fields(tree: &Value) -> Result<(), BenchError> {
    let Value::Object(members) = tree else { return Err(BenchError::Missing("object".to_owned())) };
    for (name, value) in members {
        let Value::String(text) = value else { continue };
        match name.as_str() {
            "timestamp" | "lastCalibration" => drop(black_box(parse::<jiff::Timestamp>(name, text)?)),
            "isActive" => drop(black_box(parse::<bool>(name, text)?)),
            "batteryLevel" => drop(black_box(parse::<i32>(name, text)?)),
            _ => drop(black_box(parse::<f64>(name, text)?)),
        }
    }
    Ok(())
}

fn parse<T: FromStr>(name: &str, text: &str) -> Result<T, BenchError> {
    text.parse().map_err(|_| BenchError::Missing(format!("{name} that can be parsed")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readings_have_seven_fields_that_can_be_used() {
        for set in [Dataset::TelemetryStrings, Dataset::TelemetryTyped] {
            let reading = reading(set).expect("the fields are there");
            assert!(matches!(&reading, Value::Object(members) if members.len() == 7));
            use_fields(&reading).expect("the texts can be parsed");
        }
    }
}
