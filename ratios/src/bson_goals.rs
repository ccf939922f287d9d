//! Goals on BSON: the official crate reads, looks up, writes and decodes the same bytes.

use std::hint::black_box;

use anyhow::{Context, Result};
use boson_bench::contenders::{Bson, Contender, get_bson};
use boson_bson::DocumentBuf;
use boson_document::Limits;
use bson::raw::{RawBsonRef, RawDocument};

use crate::comparison::Comparison;
use crate::goal::Goal;
use crate::sets::{Document, Set};

const WALK: Goal = Goal::faster("BSON validate and walk", "raw iteration of the bson crate", 4.0);
const GET: Goal = Goal::faster("BSON get, no view yet", "raw get of the bson crate", 5.0);
const ENCODE: Goal = Goal::faster("BSON encode", "the bson crate's to_vec", 4.0);
const DECODE_TREE: Goal =
    Goal::faster("BSON decode into an owned tree (there is no borrowed one)", "the bson crate's Document", 6.0);
const DECODE_OWNED: Goal =
    Goal::faster("BSON decode into an owned document of one buffer", "the bson crate's Document", 8.0);

/// Everything is read, every rule checked and every text.
pub fn walk(set: &Set) -> Comparison<'_> {
    let mut comparison = Comparison::new("BSON walk", &set.name, set.is_structured);
    let ours =
        comparison.add("boson", || set.each(|document| Ok(boson_bson::validate(&document.bson, &Limits::BSON)?)));
    let raw = comparison.add("bson crate", || set.each(|document| iterate(black_box(&document.bson))));
    comparison.judge(WALK, ours, &[raw]);
    comparison
}

/// Goes through the document that `bytes` are, the way the `bson` crate does without making a tree.
///
/// # Errors
///
/// When they are no BSON.
pub fn iterate(bytes: &[u8]) -> Result<()> {
    iterate_document(RawDocument::from_bytes(bytes)?)
}

fn iterate_document(document: &RawDocument) -> Result<()> {
    for element in document {
        let (name, value) = element?;
        black_box(name);
        iterate_value(value)?;
    }
    Ok(())
}

fn iterate_value(value: RawBsonRef<'_>) -> Result<()> {
    match value {
        RawBsonRef::Document(document) => iterate_document(document),
        RawBsonRef::Array(array) => array.into_iter().try_for_each(|element| iterate_value(element?)),
        leaf => {
            black_box(leaf);
            Ok(())
        }
    }
}

/// One leaf in the middle of the document, and in the middle of the objects on the way there.
pub fn get(set: &Set) -> Comparison<'_> {
    let mut comparison = Comparison::new("BSON get in the middle", &set.name, set.is_structured);
    let paths = paths(set);
    let of = paths.clone();
    let ours = comparison.add("boson", move || {
        set.documents.iter().zip(&of).try_for_each(|(document, path)| {
            let view = boson_bson::Document::new(&document.bson)?;
            get_bson(view, path)?.then_some(()).context("not found")
        })
    });
    let raw = comparison.add("bson crate", move || {
        set.documents.iter().zip(&paths).try_for_each(|(document, path)| official_get(document, path))
    });
    comparison.judge(GET, ours, &[raw]);
    comparison
}

fn paths(set: &Set) -> Vec<Vec<&str>> {
    set.documents.iter().map(|document| document.middle.iter().map(String::as_str).collect()).collect()
}

fn official_get(document: &Document, path: &[&str]) -> Result<()> {
    let (last, objects) = path.split_last().context("an empty path")?;
    let mut inner = RawDocument::from_bytes(document.bson.as_slice())?;
    for name in objects {
        inner = inner.get(name)?.and_then(RawBsonRef::as_document).context("not found")?;
    }
    black_box(inner.get(last)?.context("not found")?);
    Ok(())
}

/// The bytes of a tree.
pub fn encode(set: &Set) -> Comparison<'_> {
    let mut comparison = Comparison::new("BSON encode", &set.name, set.is_structured);
    let ours = comparison.add("boson", || {
        set.each(|document| {
            black_box(boson_bson::encode(&document.tree)?);
            Ok(())
        })
    });
    let to_vec = comparison.add("bson crate, Document::to_vec", || {
        set.each(|document| {
            black_box(document.official.to_vec()?);
            Ok(())
        })
    });
    let serialize = comparison.add("bson crate, serialize_to_vec", || {
        set.each(|document| {
            black_box(bson::serialize_to_vec(&document.official)?);
            Ok(())
        })
    });
    comparison.judge(ENCODE, ours, &[to_vec, serialize]);
    comparison
}

/// What a program holds after it has read the bytes: everything checked, nothing borrowed unless it says so.
pub fn decode(set: &Set) -> Comparison<'_> {
    let mut comparison = Comparison::new("BSON decode", &set.name, set.is_structured);
    let owned = comparison.add("boson, owned document of one buffer", || {
        set.each(|document| {
            black_box(DocumentBuf::from_vec_validated(document.bson.clone(), &Limits::BSON)?);
            Ok(())
        })
    });
    let tree = comparison.add("boson, owned tree", || {
        set.each(|document| {
            black_box(Bson::default().decode(&document.bson)?);
            Ok(())
        })
    });
    let officials = add_official_decode(&mut comparison, set);
    comparison.judge(DECODE_OWNED, owned, &officials);
    comparison.judge(DECODE_TREE, tree, &officials);
    comparison
}

/// The two ways to the `bson` crate's `Document`.
pub fn add_official_decode<'s>(comparison: &mut Comparison<'s>, set: &'s Set) -> [crate::comparison::Place; 2] {
    let reader = comparison.add("bson crate, Document::from_reader", || {
        set.each(|document| {
            black_box(bson::Document::from_reader(document.bson.as_slice())?);
            Ok(())
        })
    });
    let raw = comparison.add("bson crate, Document of a RawDocument", || {
        set.each(|document| {
            black_box(bson::Document::try_from(RawDocument::from_bytes(document.bson.as_slice())?)?);
            Ok(())
        })
    });
    [reader, raw]
}
