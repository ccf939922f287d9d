//! Goals on collections: going through badly typed documents costs little more than reading them does.

use std::hint::black_box;

use anyhow::{Context, Result, ensure};
use boson_bson::Document;
use boson_migrate::{Became, Converter, Damaged, Rules, Tally, draft};
use boson_profile::{Framing, Options, Profile, Profiler};
use boson_store::CollectionKind;

use crate::alternate::Contender;
use crate::bson_goals::iterate;
use crate::comparison::Comparison;
use crate::goal::Goal;
use crate::mongodb_schema::MongodbSchema;
use crate::sets::Set;

const ANALYZE: Goal = Goal::as_long("analyze", "raw iteration of the bson crate", 3.0);
const SCHEMA: Goal = Goal::faster("analyze", "npm's mongodb-schema, its documents parsed already", 10.0);
const MIGRATE: Goal = Goal::as_long("migrate", "raw iteration of the bson crate", 5.0);

/// A profile of all documents and its findings; and all documents converted as these findings propose.
///
/// # Errors
///
/// When a document cannot be read.
pub fn analyze_and_migrate<'s>(set: &'s Set, peer: Option<&'s mut MongodbSchema>) -> Result<Comparison<'s>> {
    let rules = rules(set)?;
    let mut comparison = Comparison::new("Badly typed fields", &set.name, true);
    let raw = comparison.add("bson crate, raw iteration", || set.each(|document| iterate(black_box(&document.bson))));
    let analyze = comparison.add("boson, analyze", || Ok(profile(set)?.findings().findings.len()));
    let migrate = comparison.add("boson, migrate", move || convert(set, &rules));
    comparison.judge(ANALYZE, analyze, &[raw]);
    comparison.judge(MIGRATE, migrate, &[raw]);
    if let Some(peer) = peer {
        let schema = Contender::timed("mongodb-schema", |iterations| peer.turn(iterations));
        let schema = comparison.push(schema);
        comparison.judge(SCHEMA, analyze, &[schema]);
    }
    Ok(comparison)
}

fn profile(set: &Set) -> Result<Profile> {
    let mut profiler = Profiler::new(Options::default(), Framing::BSON);
    set.each(|document| {
        let bytes = document.bson.len().try_into().context("a document of more than 2^64 bytes")?;
        Ok(profiler.document(&Document::new(&document.bson)?, bytes)?)
    })?;
    Ok(profiler.finish())
}

fn rules(set: &Set) -> Result<Rules> {
    let drafted = draft(&set.name, CollectionKind::Documents, None, &profile(set)?);
    Ok(Rules::new(&drafted.plan)?)
}

fn convert(set: &Set, rules: &Rules) -> Result<usize> {
    let mut converter = Converter::new(rules, Damaged::default());
    let (mut out, mut tally) = (Vec::new(), Tally::new(rules));
    set.each(|document| {
        let became = converter.convert(&document.bson, &mut out, &mut tally)?;
        ensure!(became == Became::Changed, "a document that is not converted");
        Ok(())
    })?;
    Ok(out.len())
}
