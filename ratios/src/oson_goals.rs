//! Goals on OSON: against our own BSON, and against the official crate's BSON of the same documents.

use std::hint::black_box;

use anyhow::{Context, Result};
use boson_bench::contenders::{Contender, Oson, get_oson};
use boson_document::Value;
use boson_oson::write::Style;
use boson_transcode::Format;
use bson::raw::RawDocument;

use crate::bson_goals::add_official_decode;
use crate::comparison::Comparison;
use crate::goal::Goal;
use crate::json_goals::add_conversion;
use crate::sets::{Document, Set};

const FROM_BSON: Goal = Goal::faster("BSON to OSON", "the bson crate decoding alone", 3.0);
const ENCODE: Goal = Goal::as_long("OSON encode", "Boson's BSON encode", 3.0);
const DECODE: Goal = Goal::faster("OSON decode into a tree", "the bson crate decoding the same document", 5.0);
const GET_FIRST: Goal = Goal::faster("OSON get, view made, at position 1", "raw get of the bson crate", 1.5);
const GET_FIFTH: Goal = Goal::faster("OSON get, view made, from position 5", "raw get of the bson crate", 4.0);
const GET_MIDDLE: Goal =
    Goal::faster("OSON get, view made, in the middle of 1000 fields", "raw get of the bson crate", 100.0);

/// BSON bytes as OSON bytes.
pub fn from_bson(set: &Set) -> Comparison<'_> {
    let mut comparison = Comparison::new("BSON to OSON", &set.name, set.is_structured);
    let ours = add_conversion(&mut comparison, set, Format::Bson, Format::Oson);
    let officials = add_official_decode(&mut comparison, set);
    comparison.judge(FROM_BSON, ours, &officials);
    comparison
}

/// The bytes of a tree.
pub fn encode(set: &Set) -> Comparison<'_> {
    let mut comparison = Comparison::new("OSON encode", &set.name, set.is_structured);
    let [ours, _] = [Style::Compact, Style::Driver].map(|style| {
        let mut oson = Oson::new(style);
        comparison.add(oson.name(), move || {
            set.each(|document| {
                black_box(oson.encode(&document.tree)?);
                Ok(())
            })
        })
    });
    let bson = comparison.add("boson, BSON", || {
        set.each(|document| {
            black_box(boson_bson::encode(&document.tree)?);
            Ok(())
        })
    });
    comparison.judge(ENCODE, ours, &[bson]);
    comparison
}

/// What a program holds after it has read the bytes.
pub fn decode(set: &Set) -> Comparison<'_> {
    let mut comparison = Comparison::new("OSON decode", &set.name, set.is_structured);
    let oson = Oson::new(Style::Compact);
    let ours = comparison.add("boson, owned tree", move || {
        set.each(|document| {
            black_box(oson.decode(&document.oson)?);
            Ok(())
        })
    });
    let officials = add_official_decode(&mut comparison, set);
    comparison.judge(DECODE, ours, &officials);
    comparison
}

/// A document of 1000 fields, and the positions that are asked for with their goals.
pub struct Fields {
    document: Document,
}

/// The positions, from 1, and what is to be reached there.
const POSITIONS: [(usize, Goal); 6] = [
    (1, GET_FIRST),
    (5, GET_FIFTH),
    (10, GET_FIFTH),
    (100, GET_FIFTH),
    (500, GET_MIDDLE),
    (1000, GET_FIFTH),
];

/// How many positions there are.
pub const POSITIONS_COUNT: u64 = POSITIONS.len() as u64;

impl Fields {
    /// Makes the document.
    pub fn new() -> Result<Self> {
        let leaf = |number: usize| Value::String(format!("value {number}"));
        let tree = Value::Object((1..=1000).map(|number| (name(number), leaf(number))).collect());
        Ok(Self { document: Document::new(tree)? })
    }

    /// One comparison for each position.
    pub fn comparisons(&self) -> Result<Vec<Comparison<'_>>> {
        POSITIONS.into_iter().map(|(position, goal)| self.get(position, goal)).collect()
    }

    fn get(&self, position: usize, goal: Goal) -> Result<Comparison<'_>> {
        let mut comparison = Comparison::new("OSON get", format!("field {position} of 1000"), true);
        let wanted = name(position);
        let ours = {
            let (view, wanted) = (boson_oson::Document::new(&self.document.oson)?, wanted.clone());
            comparison.add("boson, OSON", move || get_oson(&view, &[&wanted])?.then_some(()).context("not found"))
        };
        let bson = boson_bson::Document::new(&self.document.bson)?;
        let lazily = wanted.clone();
        comparison.add("boson, BSON", move || Ok(bson.get(&lazily)?.context("not found")?.scalar()?));
        let raw = RawDocument::from_bytes(self.document.bson.as_slice())?;
        let raw = comparison.add("bson crate", move || raw.get(&wanted)?.context("not found"));
        comparison.judge(goal, ours, &[raw]);
        Ok(comparison)
    }
}

fn name(number: usize) -> String {
    format!("field_{number}")
}
