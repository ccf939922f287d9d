//! Goals on OSON: against our own BSON, and against the official crate's BSON of the same documents.

use std::hint::black_box;
use std::rc::Rc;

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
const DECODE_OWNED: Goal =
    Goal::faster("OSON decode into an owned document of one buffer", "the bson crate decoding the same document", 5.0);
const DECODE_TREE: Goal =
    Goal::faster("OSON decode into an owned tree", "the bson crate decoding the same document", 5.0);
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
    let oson = Rc::new(Oson::new(Style::Compact));
    let walking = Rc::clone(&oson);
    let owned = comparison.add("boson, copied and checked", move || {
        set.each(|document| {
            let copy = document.oson.clone();
            walking.walk(&copy)?;
            black_box(copy);
            Ok(())
        })
    });
    let tree = comparison.add("boson, owned tree", move || {
        set.each(|document| {
            black_box(oson.decode(&document.oson)?);
            Ok(())
        })
    });
    let officials = add_official_decode(&mut comparison, set);
    comparison.judge(DECODE_OWNED, owned, &officials);
    comparison.judge(DECODE_TREE, tree, &officials);
    comparison
}

/// Documents of many fields on one level, of which one is asked for.
pub struct Fields {
    hundred: Document,
    thousand: Document,
}

/// Positions, from 1, among so many fields, and what is to be reached there.
const POSITIONS: [(usize, usize, Goal); 7] = [
    (1, 100, GET_FIRST),
    (5, 100, GET_FIFTH),
    (10, 100, GET_FIFTH),
    (50, 100, GET_FIFTH),
    (100, 100, GET_FIFTH),
    (500, 1000, GET_MIDDLE),
    (1000, 1000, GET_FIFTH),
];

/// How many positions there are.
pub const POSITIONS_COUNT: u64 = POSITIONS.len() as u64;

impl Fields {
    /// Makes the documents.
    pub fn new() -> Result<Self> {
        let leaf = |number: usize| Value::String(format!("value {number}"));
        let tree = |fields: usize| Value::Object((1..=fields).map(|number| (name(number), leaf(number))).collect());
        Ok(Self { hundred: Document::new(tree(100))?, thousand: Document::new(tree(1000))? })
    }

    /// One comparison for each position.
    pub fn comparisons(&self) -> Result<Vec<Comparison<'_>>> {
        POSITIONS.into_iter().map(|(position, fields, goal)| self.get(position, fields, goal)).collect()
    }

    fn get(&self, position: usize, fields: usize, goal: Goal) -> Result<Comparison<'_>> {
        let document = if fields == 100 { &self.hundred } else { &self.thousand };
        let mut comparison = Comparison::new("OSON get", format!("field {position} of {fields}"), true);
        let wanted = name(position);
        let ours = {
            let (view, wanted) = (boson_oson::Document::new(&document.oson)?, wanted.clone());
            comparison.add("boson, OSON", move || get_oson(&view, &[&wanted])?.then_some(()).context("not found"))
        };
        let bson = boson_bson::Document::new(&document.bson)?;
        let lazily = wanted.clone();
        comparison.add("boson, BSON", move || Ok(bson.get(&lazily)?.context("not found")?.scalar()?));
        let raw = RawDocument::from_bytes(document.bson.as_slice())?;
        let raw = comparison.add("bson crate", move || raw.get(&wanted)?.context("not found"));
        comparison.judge(goal, ours, &[raw]);
        Ok(comparison)
    }
}

fn name(number: usize) -> String {
    format!("field_{number}")
}
