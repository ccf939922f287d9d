//! The matrix: every operation of each format in every cell, against the fastest of all peers, those in Python among them.

use std::cell::RefCell;
use std::hint::black_box;
use std::rc::Rc;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use boson_bench::contenders::{Bson, Contender as _, Json, Oson, get_tree};
use boson_bench::{Matrix, Peers};
use boson_document::Value;
use boson_oson::write::Style;
use boson_transcode::Format;
use bson::raw::RawDocument;

use crate::Recorder;
use crate::alternate::Contender;
use crate::comparison::{Comparison, Place};
use crate::goal::Goal;

const ENCODE: Goal = Goal::as_long("Matrix: OSON encode", "Boson's BSON encode", 1.5);
const PEERS_ENCODE: Goal = Goal::as_long("Matrix: encode", "the fastest peer", 1.05);
const PEERS_DECODE: Goal = Goal::as_long("Matrix: decode into a tree", "the fastest peer", 1.05);
const PEERS_ACCESS: Goal = Goal::as_long("Matrix: access to the middle field of the tree", "the fastest peer", 1.05);
const PEERS_RAW: Goal = Goal::as_long("Matrix: view and access, no tree", "the fastest peer", 1.05);

/// python-oracledb takes a minute and a half to encode this cell once.
const BEYOND_ORACLEDB: Matrix = Matrix::new(1000, 100_000);

/// What measures in Python.
pub type Python = Option<RefCell<Peers>>;

/// How many comparisons a cell has.
pub const COMPARISONS: u64 = 12;

/// One cell of the matrix.
struct Cell<'p> {
    name: String,
    matrix: Matrix,
    tree: Rc<Value>,
    /// The name of the field in the middle.
    middle: String,
    python: &'p Python,
}

/// Measures every cell.
pub fn run(python: &Python, recorder: &mut Recorder) -> Result<()> {
    for matrix in Matrix::TABLE {
        let middle = format!("field_{}", matrix.fields.div_ceil(2));
        let name = format!("matrix {matrix}");
        let cell = Cell { name, matrix, tree: Rc::new(matrix.to_value()), middle, python };
        cell.bson(recorder)?;
        cell.oson(recorder)?;
        cell.json(recorder)?;
    }
    Ok(())
}

impl<'p> Cell<'p> {
    fn comparison<'a>(&self, subject: &str) -> Comparison<'a> {
        Comparison::new(subject, &self.name, true)
    }

    /// Adds the turn of the peer in Python, which has what `load` gave it, if there is one.
    fn add_python<'a>(
        &self,
        name: Option<&str>,
        operation: &'static str,
        comparison: &mut Comparison<'a>,
    ) -> Option<Place>
    where
        'p: 'a,
    {
        let (name, peers) = (name?, self.python.as_ref()?);
        let turn = move |iterations| -> Result<Duration> { Ok(peers.borrow_mut().turn(operation, iterations)?) };
        Some(comparison.push(Contender::timed(name, turn)))
    }

    /// Hands the peer of `format` the document; the result is its name.
    fn load(&self, format: Format, bytes: &[u8]) -> Result<Option<String>> {
        let Some(peers) = self.python else { return Ok(None) };
        match peers.borrow_mut().load(format, std::iter::once(bytes), &[&self.middle])? {
            Ok(name) => Ok(Some(name)),
            Err(refused) => bail!("{}, the peer of {format} in Python: {refused}", self.name),
        }
    }

    fn bson(&self, recorder: &mut Recorder) -> Result<()> {
        let bytes: Rc<[u8]> = boson_bson::encode(&*self.tree)?.into();
        let official = Rc::new(bson::Document::from_reader(&*bytes)?);
        let python = self.load(Format::Bson, &bytes)?;
        let python = python.as_deref();

        let mut comparison = self.comparison("BSON encode");
        let (mut bson, tree, document) = (Bson::default(), Rc::clone(&self.tree), Rc::clone(&official));
        let ours = comparison.add("boson", move || Ok(bson.encode(&tree)?));
        let to_vec = comparison.add("bson crate", move || Ok(document.to_vec()?));
        let pymongo = self.add_python(python, "encode", &mut comparison);
        judge(&mut comparison, PEERS_ENCODE, ours, [Some(to_vec), pymongo]);
        recorder.run(comparison)?;

        let mut comparison = self.comparison("BSON decode");
        let [b, c] = [Rc::clone(&bytes), Rc::clone(&bytes)];
        let ours = comparison.add("boson", move || Ok(Bson::default().decode(&b)?));
        let official_decode =
            comparison.add("bson crate", move || Ok(bson::Document::try_from(RawDocument::from_bytes(&*c)?)?));
        let pymongo = self.add_python(python, "decode", &mut comparison);
        judge(&mut comparison, PEERS_DECODE, ours, [Some(official_decode), pymongo]);
        recorder.run(comparison)?;

        let mut comparison = self.comparison("BSON access in the decoded");
        let ours = self.add_access(&mut comparison);
        let (document, middle) = (official, self.middle.clone());
        let get = comparison.add("bson crate", move || {
            black_box(document.get(&middle).context("not found")?);
            Ok(())
        });
        let pymongo = self.add_python(python, "access", &mut comparison);
        judge(&mut comparison, PEERS_ACCESS, ours, [Some(get), pymongo]);
        recorder.run(comparison)?;

        let mut comparison = self.comparison("BSON view and access");
        let [b, c] = [Rc::clone(&bytes), bytes];
        let [middle, other_middle] = [self.middle.clone(), self.middle.clone()];
        let ours =
            comparison.add("boson", move || Bson::default().get(&b, &[&middle])?.then_some(()).context("not found"));
        let raw = comparison.add("bson crate", move || {
            black_box(RawDocument::from_bytes(&*c)?.get(&other_middle)?.context("not found")?);
            Ok(())
        });
        let pymongo = self.add_python(python, "get", &mut comparison);
        judge(&mut comparison, PEERS_RAW, ours, [Some(raw), pymongo]);
        recorder.run(comparison)
    }

    fn add_access(&self, comparison: &mut Comparison<'_>) -> Place {
        let (tree, middle) = (Rc::clone(&self.tree), self.middle.clone());
        comparison.add("boson", move || {
            black_box(get_tree(&tree, &[&middle]).context("not found")?);
            Ok(())
        })
    }

    fn oson(&self, recorder: &mut Recorder) -> Result<()> {
        let bytes: Rc<[u8]> = Oson::new(Style::Driver).encode(&self.tree)?.into();
        let python = self.load(Format::Oson, &bytes)?;
        let python = python.as_deref();

        let mut comparison = self.comparison("OSON encode");
        let [driver, compact] = [Style::Driver, Style::Compact].map(|style| {
            let (mut oson, tree) = (Oson::new(style), Rc::clone(&self.tree));
            comparison.add(oson.name(), move || Ok(oson.encode(&tree)?))
        });
        let (mut bson, tree) = (Bson::default(), Rc::clone(&self.tree));
        let bson = comparison.add("boson, BSON", move || Ok(bson.encode(&tree)?));
        let (json, protocol) = (self.serde_json()?, oracledb_protocol::oson::decode_oson(&bytes).ok());
        let mut others = vec![];
        if oracle_rs::OsonEncoder::encode(&json).is_ok() {
            others.push(Some(comparison.add("oracle-rs", move || Ok(oracle_rs::OsonEncoder::encode(&json)?))));
        }
        if let Some(value) = protocol {
            others.push(Some(
                comparison.add("oracledb-protocol", move || Ok(oracledb_protocol::oson::encode_oson(&value, true)?)),
            ));
        }
        if self.matrix != BEYOND_ORACLEDB {
            others.push(self.add_python(python, "encode", &mut comparison));
        }
        comparison.judge(ENCODE, driver, &[bson]);
        comparison.judge(ENCODE, compact, &[bson]);
        judge(&mut comparison, PEERS_ENCODE, driver, others);
        recorder.run(comparison)?;

        let mut comparison = self.comparison("OSON decode");
        let [b, c, d] = [(); 3].map(|()| Rc::clone(&bytes));
        let ours = comparison.add("boson", move || Ok(Oson::new(Style::Driver).decode(&b)?));
        let mut others = vec![];
        let shared = bytes::Bytes::copy_from_slice(&c);
        if oracle_rs::OsonDecoder::decode(shared.clone()).is_ok() {
            others.push(Some(comparison.add("oracle-rs", move || Ok(oracle_rs::OsonDecoder::decode(shared.clone())?))));
        }
        if oracledb_protocol::oson::decode_oson(&d).is_ok() {
            others
                .push(Some(comparison.add("oracledb-protocol", move || Ok(oracledb_protocol::oson::decode_oson(&d)?))));
        }
        others.push(self.add_python(python, "decode", &mut comparison));
        judge(&mut comparison, PEERS_DECODE, ours, others);
        recorder.run(comparison)?;

        let mut comparison = self.comparison("OSON access in the decoded");
        let ours = self.add_access(&mut comparison);
        let other = self.add_python(python, "access", &mut comparison);
        judge(&mut comparison, PEERS_ACCESS, ours, [other]);
        recorder.run(comparison)?;

        let mut comparison = self.comparison("OSON view and access");
        let middle = self.middle.clone();
        let oson = Oson::new(Style::Driver);
        let ours = comparison.add("boson", move || oson.get(&bytes, &[&middle])?.then_some(()).context("not found"));
        let other = self.add_python(python, "get", &mut comparison);
        judge(&mut comparison, PEERS_RAW, ours, [other]);
        recorder.run(comparison)
    }

    fn json(&self, recorder: &mut Recorder) -> Result<()> {
        let bytes: Rc<[u8]> = Json::default().encode(&self.tree)?.into();
        let python = self.load(Format::Json, &bytes)?;
        let python = python.as_deref();

        let mut comparison = self.comparison("JSON encode");
        let (mut json, tree) = (Json::default(), Rc::clone(&self.tree));
        let ours = comparison.add("boson", move || Ok(json.encode(&tree)?));
        let (value, sonic) = (self.serde_json()?, sonic_rs::from_slice::<sonic_rs::Value>(&bytes)?);
        let serde_json = comparison.add("serde_json", move || Ok(serde_json::to_vec(&value)?));
        let sonic = comparison.add("sonic-rs", move || Ok(sonic_rs::to_vec(&sonic)?));
        let orjson = self.add_python(python, "encode", &mut comparison);
        judge(&mut comparison, PEERS_ENCODE, ours, [Some(serde_json), Some(sonic), orjson]);
        recorder.run(comparison)?;

        let mut comparison = self.comparison("JSON decode");
        let [b, c, d, e] = [(); 4].map(|()| Rc::clone(&bytes));
        let ours = comparison.add("boson", move || Ok(Json::default().decode(&b)?));
        let serde_json = comparison.add("serde_json", move || Ok(serde_json::from_slice::<serde_json::Value>(&c)?));
        let sonic = comparison.add("sonic-rs", move || Ok(sonic_rs::from_slice::<sonic_rs::Value>(&d)?));
        let simd = comparison.add("simd-json", move || Ok(simd_json::to_owned_value(&mut e.to_vec())?));
        let orjson = self.add_python(python, "decode", &mut comparison);
        judge(&mut comparison, PEERS_DECODE, ours, [Some(serde_json), Some(sonic), Some(simd), orjson]);
        recorder.run(comparison)?;

        let mut comparison = self.comparison("JSON access in the decoded");
        let ours = self.add_access(&mut comparison);
        let (value, middle) = (self.serde_json()?, self.middle.clone());
        let serde_json = comparison.add("serde_json", move || {
            black_box(value.get(&middle).context("not found")?);
            Ok(())
        });
        let orjson = self.add_python(python, "access", &mut comparison);
        judge(&mut comparison, PEERS_ACCESS, ours, [Some(serde_json), orjson]);
        recorder.run(comparison)?;

        let mut comparison = self.comparison("JSON access in the text");
        let [middle, other_middle] = [self.middle.clone(), self.middle.clone()];
        let text = Rc::clone(&bytes);
        let ours = comparison
            .add("boson", move || Json::default().get(&bytes, &[&middle])?.then_some(()).context("not found"));
        let sonic = comparison.add("sonic-rs, get", move || {
            let found = sonic_rs::get(&*text, [other_middle.as_str()])?;
            black_box(sonic_rs::from_str::<String>(found.as_raw_str())?);
            Ok(())
        });
        let orjson = self.add_python(python, "get", &mut comparison);
        judge(&mut comparison, PEERS_RAW, ours, [Some(sonic), orjson]);
        recorder.run(comparison)
    }

    fn serde_json(&self) -> Result<serde_json::Value> {
        let Value::Object(members) = &*self.tree else { bail!("no object") };
        let member = |(name, value): &(String, Value)| match value {
            Value::String(text) => Ok((name.clone(), serde_json::Value::String(text.clone()))),
            _ => bail!("no string"),
        };
        Ok(serde_json::Value::Object(members.iter().map(member).collect::<Result<_>>()?))
    }
}

fn judge(comparison: &mut Comparison<'_>, goal: Goal, ours: Place, others: impl IntoIterator<Item = Option<Place>>) {
    let others: Vec<Place> = others.into_iter().flatten().collect();
    comparison.judge(goal, ours, &others);
}
