//! Goals on JSON text: the routes through other crates that lead from the same text to the same documents.

use std::hint::black_box;

use anyhow::{Result, ensure};
use boson_document::{Sink, Source};
use boson_json::{Dialects, Resolve, Text, Unwrap};
use boson_transcode::{AnyDocument, Converter, Format, Policy, Report};

use crate::comparison::{Comparison, Place};
use crate::goal::Goal;
use crate::sets::{Document, Set};

const CONVERT: Goal =
    Goal::faster("convert of JSON text to BSON, with its report", "the best route through the bson crate", 3.0);
const TO_BSON: Goal = Goal::faster("JSON text to BSON", "the best route through the bson crate", 3.0);
const TO_BSON_PARSE: Goal = Goal::as_long("JSON text to BSON", "sonic-rs parsing the text", 3.0);
const TO_OSON: Goal = Goal::faster("JSON text to OSON", "jsonb parsing the text", 2.0);

/// The text of each document as BSON.
pub fn to_bson(set: &Set) -> Result<Comparison<'_>> {
    let mut comparison = Comparison::new("JSON text to BSON", &set.name, set.is_structured);
    let ours = comparison.add("boson", || {
        set.each(|document| {
            let mut sink = Unwrap::new(Resolve::new(boson_bson::Writer::new()), Dialects::MONGODB);
            Text::new(&document.json).drive(&mut sink)?;
            black_box(sink.into_inner().into_inner().into_bytes());
            Ok(())
        })
    });
    let convert = add_conversion(&mut comparison, set, Format::Json, Format::Bson);
    let mut routes = Vec::new();
    for (name, route) in ROUTES {
        for document in &set.documents {
            same_document(document, &route(&document.json)?)?;
        }
        routes.push(comparison.add(name, move || {
            set.each(|document| {
                black_box(route(&document.json)?);
                Ok(())
            })
        }));
    }
    let parse = comparison.add("sonic-rs, parse", || {
        set.each(|document| {
            black_box(sonic_rs::from_slice::<sonic_rs::Value>(&document.json)?);
            Ok(())
        })
    });
    comparison.judge(TO_BSON, ours, &routes);
    comparison.judge(TO_BSON_PARSE, ours, &[parse]);
    comparison.judge(CONVERT, convert, &routes);
    Ok(comparison)
}

type Route = fn(&[u8]) -> Result<Vec<u8>>;

/// The ways from JSON text to BSON that the `bson` crate allows; the fastest is the one to beat.
const ROUTES: [(&str, Route); 5] = [
    ("serde_json to bson::Document, to_vec", |text| Ok(serde_json::from_slice::<bson::Document>(text)?.to_vec()?)),
    ("sonic-rs to bson::Document, to_vec", |text| Ok(sonic_rs::from_slice::<bson::Document>(text)?.to_vec()?)),
    ("serde_json::Value, serialize_to_vec", |text| {
        Ok(bson::serialize_to_vec(&serde_json::from_slice::<serde_json::Value>(text)?)?)
    }),
    ("sonic_rs::Value, serialize_to_vec", |text| {
        Ok(bson::serialize_to_vec(&sonic_rs::from_slice::<sonic_rs::Value>(text)?)?)
    }),
    ("serde_json transcoded, serialize_to_vec", |text| {
        let mut parser = serde_json::Deserializer::from_slice(text);
        Ok(bson::serialize_to_vec(&serde_transcode::Transcoder::new(&mut parser))?)
    }),
];

/// A route must do the same work: the same names and values, but for the types of numbers, in which routes differ.
fn same_document(document: &Document, bytes: &[u8]) -> Result<()> {
    let (mut report, mut ours) = (Report::new(), Vec::new());
    let text = AnyDocument::new(Format::Json, &document.json)?;
    Converter::new(Format::Bson, Policy::default()).convert(&text, &mut report, &mut ours)?;
    let [ours, theirs] = [ours.as_slice(), bytes].map(bson::Document::from_reader);
    ensure!(without_types(ours?.into()) == without_types(theirs?.into()), "a route leads to another document");
    Ok(())
}

fn without_types(value: bson::Bson) -> bson::Bson {
    use bson::Bson;
    match value {
        Bson::Document(members) => {
            Bson::Document(members.into_iter().map(|(name, value)| (name, without_types(value))).collect())
        }
        Bson::Array(elements) => Bson::Array(elements.into_iter().map(without_types).collect()),
        Bson::Int32(number) => Bson::Int64(number.into()),
        value => value,
    }
}

/// The text of each document as OSON.
pub fn to_oson(set: &Set) -> Comparison<'_> {
    let mut comparison = Comparison::new("JSON text to OSON", &set.name, set.is_structured);
    let mut writer = boson_oson::write::Writer::new(&boson_oson::write::Options::COMPACT);
    let ours = comparison.add("boson", move || {
        set.each(|document| {
            let source = Unwrapped(Text::new(&document.json));
            let mut image = Vec::new();
            writer.write(&source, &mut image)?;
            black_box(image);
            Ok(())
        })
    });
    add_conversion(&mut comparison, set, Format::Json, Format::Oson);
    let tree = comparison.add("jsonb, parse to a tree", || {
        set.each(|document| {
            black_box(jsonb::parse_value(&document.json)?);
            Ok(())
        })
    });
    let bytes = comparison.add("jsonb, parse to JSONB", || {
        set.each(|document| {
            black_box(jsonb::parse_owned_jsonb(&document.json)?);
            Ok(())
        })
    });
    comparison.judge(TO_OSON, ours, &[tree, bytes]);
    comparison
}

/// A text whose wrapper objects are the values that they mean, and whose numbers have types.
struct Unwrapped<'t>(Text<'t>);

impl Source for Unwrapped<'_> {
    fn drive<S: Sink>(&self, sink: &mut S) -> Result<(), S::Error> {
        self.0.drive(&mut Unwrap::new(Resolve::new(sink), Dialects::MONGODB))
    }
}

/// Our conversion of each document, which also counts what is lost and knows the path of each value.
pub fn add_conversion<'s>(comparison: &mut Comparison<'s>, set: &'s Set, from: Format, to: Format) -> Place {
    let mut converter = Converter::new(to, Policy::default());
    comparison.add("boson, convert", move || {
        set.each(|document| {
            let bytes = if from == Format::Json { &document.json } else { &document.bson };
            let (mut report, mut out) = (Report::new(), Vec::new());
            converter.convert(&AnyDocument::new(from, bytes)?, &mut report, &mut out)?;
            black_box(out);
            Ok(())
        })
    })
}
