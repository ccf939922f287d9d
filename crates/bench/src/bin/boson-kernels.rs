//! Runs one kernel of a codec under an instruction counter; `cargo xtask check instructions` does the counting.
//!
//! Without arguments it lists the kernels. With a name it prepares what that kernel needs, runs it once to warm up, and then
//! [`REPEATS`] times inside [`counted_instructions`], which is all that is to be counted. With `slower` behind the name it
//! runs it once more: a slow-down of a twentieth, which the gate must notice.

use std::hint::black_box;
use std::process::ExitCode;

use boson_bench::contenders::{Bson, Contender, Json, Oson, get_bson, get_oson};
use boson_bench::{BenchError, Dataset, Matrix};
use boson_bson::Index;
use boson_document::{Discard, Limits, Source, Value};
use boson_json::Text;
use boson_oson::write::Style;
use boson_transcode::{AnyDocument, Converter, Format, Policy, Report};

/// How often a kernel runs while it is counted.
const REPEATS: u32 = 20;

/// What one run of a kernel is.
type Operation = Box<dyn FnMut() -> Result<(), BenchError>>;

/// A kernel's name, and what prepares it.
type Kernel = (&'static str, fn() -> Result<Operation, BenchError>);

const KERNELS: [Kernel; 16] = [
    ("bson-validate", bson_validate),
    ("bson-get", bson_get),
    ("bson-index", bson_index),
    ("bson-encode", || encode(Bson::default(), Dataset::People, 100)),
    ("bson-decode", || decode(Bson::default(), Dataset::Tweets, 10)),
    ("oson-validate", oson_validate),
    ("oson-get", oson_get),
    ("oson-encode-compact", || encode(Oson::new(Style::Compact), Dataset::People, 100)),
    ("oson-encode-driver", || encode(Oson::new(Style::Driver), Dataset::Tweets, 10)),
    ("oson-decode", || decode(Oson::new(Style::Compact), Dataset::Tweets, 10)),
    ("json-read", json_read),
    ("json-write", || encode(Json::default(), Dataset::Catalog, 50)),
    ("json-to-bson", || convert(Json::default(), Format::Json, Format::Bson, Dataset::Catalog, 50)),
    ("json-to-oson", || convert(Json::default(), Format::Json, Format::Oson, Dataset::People, 100)),
    ("bson-to-oson", || convert(Bson::default(), Format::Bson, Format::Oson, Dataset::TelemetryTyped, 1)),
    ("oson-to-json", || convert(Oson::new(Style::Compact), Format::Oson, Format::Json, Dataset::Tweets, 10)),
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let repeats = match arguments.as_slice() {
        [] => return list(),
        [_] => REPEATS,
        [_, "slower"] => REPEATS + 1,
        _ => return usage(),
    };
    let kernel = KERNELS.iter().find(|(name, _)| arguments.first() == Some(name));
    let Some((_, prepare)) = kernel else { return usage() };
    match run(*prepare, repeats) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn list() -> ExitCode {
    for (name, _) in KERNELS {
        println!("{name}");
    }
    ExitCode::SUCCESS
}

fn usage() -> ExitCode {
    eprintln!("usage: boson-kernels [KERNEL [slower]]");
    ExitCode::from(2)
}

fn run(prepare: fn() -> Result<Operation, BenchError>, repeats: u32) -> Result<(), BenchError> {
    let mut operation = prepare()?;
    operation()?;
    counted_instructions(&mut operation, repeats)
}

/// The gate counts what happens in here, by this name.
#[inline(never)]
fn counted_instructions(operation: &mut Operation, repeats: u32) -> Result<(), BenchError> {
    (0..repeats).try_for_each(|_| operation())
}

fn document(set: Dataset, count: usize) -> Result<Value, BenchError> {
    set.documents(1, count).next().ok_or_else(|| BenchError::Missing(set.to_string()))
}

fn encode<C: Contender + 'static>(mut contender: C, set: Dataset, count: usize) -> Result<Operation, BenchError> {
    let tree = document(set, count)?;
    Ok(Box::new(move || contender.encode(&tree).map(|bytes| drop(black_box(bytes)))))
}

fn decode<C: Contender + 'static>(mut contender: C, set: Dataset, count: usize) -> Result<Operation, BenchError> {
    let bytes = contender.encode(&document(set, count)?)?;
    Ok(Box::new(move || contender.decode(&bytes).map(|tree| drop(black_box(tree)))))
}

fn convert(
    mut contender: impl Contender,
    from: Format,
    to: Format,
    set: Dataset,
    count: usize,
) -> Result<Operation, BenchError> {
    let bytes = contender.encode(&document(set, count)?)?;
    let mut converter = Converter::new(to, Policy::default());
    Ok(Box::new(move || {
        let (mut report, mut out) = (Report::new(), Vec::new());
        converter.convert(&AnyDocument::new(from, &bytes)?, &mut report, &mut out)?;
        drop(black_box((report, out)));
        Ok(())
    }))
}

fn bson_validate() -> Result<Operation, BenchError> {
    let bytes = Bson::default().encode(&document(Dataset::Tweets, 20)?)?;
    Ok(Box::new(move || {
        black_box(boson_bson::validate(black_box(&bytes), &Limits::BSON)).map_err(|located| located.error.into())
    }))
}

fn oson_validate() -> Result<Operation, BenchError> {
    let bytes = Oson::new(Style::Compact).encode(&document(Dataset::Tweets, 20)?)?;
    Ok(Box::new(move || {
        black_box(boson_oson::validate(black_box(&bytes), &Limits::OSON)).map_err(|located| located.error.into())
    }))
}

fn json_read() -> Result<Operation, BenchError> {
    let text = Json::default().encode(&document(Dataset::Tweets, 20)?)?;
    Ok(Box::new(move || Ok(Text::new(black_box(&text)).drive(&mut Discard)?)))
}

/// Fields at the start, in the middle and at the end of 100.
const WANTED: [&str; 3] = ["field_1", "field_50", "field_100"];

fn fields() -> Value {
    Matrix::new(100, 10).to_value()
}

fn bson_get() -> Result<Operation, BenchError> {
    let bytes = Bson::default().encode(&fields())?;
    Ok(Box::new(move || {
        let document = boson_bson::Document::new(black_box(&bytes))?;
        WANTED.iter().try_for_each(|name| found(get_bson(document, &[name])?, name))
    }))
}

fn bson_index() -> Result<Operation, BenchError> {
    let bytes = Bson::default().encode(&fields())?;
    let mut index = Index::new();
    Ok(Box::new(move || {
        let indexed = index.rebuild(boson_bson::Document::new(black_box(&bytes))?)?;
        WANTED.iter().try_for_each(|name| found(indexed.get(name).is_some(), name))
    }))
}

fn oson_get() -> Result<Operation, BenchError> {
    let bytes = Oson::new(Style::Compact).encode(&fields())?;
    Ok(Box::new(move || {
        let document = boson_oson::Document::new(black_box(&bytes))?;
        WANTED.iter().try_for_each(|name| found(get_oson(&document, &[name])?, name))
    }))
}

fn found(found: bool, name: &str) -> Result<(), BenchError> {
    if black_box(found) { Ok(()) } else { Err(BenchError::Missing(name.to_owned())) }
}
