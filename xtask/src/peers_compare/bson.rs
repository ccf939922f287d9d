//! Our BSON against pymongo and the official crate.

use std::collections::BTreeSet;

use anyhow::Result;
use boson_document::{Builder, Source, Value};
use boson_json::{Dialects, Resolve, Text, Unwrap};
use boson_testkit::laws;
use serde_json::{Value as Json, json};

use super::official;
use super::sample::Sample;
use super::tally::{Column, Outcome, Tally};
use crate::peers::Peer;

const CRATE: &str = "bson crate";
const PYMONGO: &str = "pymongo";

fn members(document: &Value) -> &[(String, Value)] {
    match document {
        Value::Object(members) => members,
        _ => &[],
    }
}

fn encode(document: &Value) -> Vec<u8> {
    // What cannot be written shows as a difference of bytes.
    boson_bson::encode(document).unwrap_or_default()
}

fn read(bytes: &[u8]) -> Result<Value, String> {
    let document = boson_bson::Document::new(bytes).map_err(|error| error.to_string())?;
    laws::tree(&document).map_err(|error| error.to_string())
}

fn same<T: PartialEq + std::fmt::Debug>(expected: &T, got: &T) -> Outcome {
    if expected == got { Outcome::Equal } else { Outcome::Mismatch(format!("expected {expected:?}, got {got:?}")) }
}

/// The crate decodes our bytes to our value, and encodes the value to our bytes, which we read.
pub(super) fn compare_official(samples: &[Sample], tally: &mut Tally) {
    tally.documents(CRATE, samples.len());
    for sample in samples {
        let ours = encode(&sample.document);
        let decoded = bson::Document::from_reader(ours.as_slice()).map_err(|error| error.to_string());
        let decoded = decoded.map(|document| Value::Object(official::members(document)));
        let column = |compared| Column { peer: CRATE, compared };
        tally.count(sample, column("decodes our bytes: value"), same(&Ok(sample.document.clone()), &decoded));
        let theirs = official::document(members(&sample.document)).and_then(|document| document.to_vec().ok());
        let theirs = theirs.unwrap_or_default();
        tally.count(sample, column("encodes the value: bytes"), same(&hex(&ours), &hex(&theirs)));
        tally.count(sample, column("we decode its bytes: value"), same(&Ok(sample.document.clone()), &read(&theirs)));
    }
}

fn hex(bytes: &[u8]) -> String {
    boson_testkit::hex(bytes)
}

/// pymongo decodes our bytes to our value and encodes that again to our bytes; from our Extended JSON it makes our bytes.
pub(super) fn compare_pymongo(samples: &[Sample], peer: &mut Peer, tally: &mut Tally) -> Result<()> {
    tally.documents(PYMONGO, samples.len());
    for sample in samples {
        let column = |compared| Column { peer: PYMONGO, compared };
        let ours = hex(&encode(&sample.document));

        let mut back = Change::default();
        let expected = back.document(&sample.document);
        let answer = peer.ask(&json!({"op": "bson_roundtrip", "hex": ours}))?;
        let got = field(&answer, "hex");
        let outcome = same(&Ok(hex(&encode(&expected))), &got);
        tally.count(sample, column("decodes and encodes our bytes: bytes"), back.judge(outcome));
        let theirs = got.map(|hex| boson_testkit::unhex(&hex)).and_then(|bytes| read(&bytes));
        tally.count(sample, column("we decode its bytes: value"), back.judge(same(&Ok(expected), &theirs)));

        let mut text = Change { through_text: true, ..Change::default() };
        let expected = text.document(&sample.document);
        let answer = peer.ask(&json!({"op": "bson_decode", "hex": ours}))?;
        let got = field(&answer, "json").and_then(|text| parse(&text));
        let mut shown = Change { through_text: true, decoded_only: true, ..Change::default() };
        let shown_value = shown.document(&sample.document);
        tally.count(sample, column("decodes our bytes: value"), shown.judge(same(&Ok(shown_value), &got)));
        let answer = peer.ask(&json!({"op": "bson_encode", "json": canonical(&sample.document)?}))?;
        let outcome = same(&Ok(hex(&encode(&expected))), &field(&answer, "hex"));
        tally.count(sample, column("encodes our Extended JSON: bytes"), text.judge(outcome));
    }
    Ok(())
}

fn field(answer: &Json, name: &str) -> Result<String, String> {
    answer.get(name).and_then(Json::as_str).map(str::to_owned).ok_or_else(|| answer.to_string())
}

fn canonical(document: &Value) -> Result<String> {
    let mut writer = boson_json::Writer::new(Vec::new(), boson_json::Style::ExtendedCanonical);
    document.drive(&mut writer)?;
    Ok(String::from_utf8(writer.into_inner())?)
}

fn parse(text: &str) -> Result<Value, String> {
    let mut sink = Unwrap::new(Resolve::new(Builder::new()), Dialects::MONGODB);
    Text::new(text.as_bytes()).drive(&mut sink).map_err(|error| error.to_string())?;
    sink.into_inner().into_inner().finish().ok_or_else(|| "no document".to_owned())
}

/// What pymongo makes of a document, and the rows of docs/format/peers.md that say so.
#[derive(Debug, Default)]
struct Change {
    /// The document goes through Extended JSON.
    through_text: bool,
    /// It is not encoded again.
    decoded_only: bool,
    rows: BTreeSet<&'static str>,
}

impl Change {
    /// Equal to the expected value is documented where that is not the value that was sent.
    fn judge(&self, outcome: Outcome) -> Outcome {
        match outcome {
            Outcome::Equal if !self.rows.is_empty() => Outcome::Documented(self.rows.clone()),
            other => other,
        }
    }

    fn row(&mut self, row: &'static str) {
        self.rows.insert(row);
    }

    /// The root: an encoder moves `_id` to the front.
    fn document(&mut self, document: &Value) -> Value {
        let Value::Object(mut members) = self.value(document) else { return Value::Null };
        let at = members.iter().position(|(name, _)| name == "_id").unwrap_or_default();
        if at > 0 && !self.decoded_only {
            self.row("_id second, back");
            let id = members.remove(at);
            members.insert(0, id);
        }
        Value::Object(members)
    }

    fn members(&mut self, members: &[(String, Value)]) -> Vec<(String, Value)> {
        members.iter().map(|(name, value)| (name.clone(), self.value(value))).collect()
    }

    fn value(&mut self, value: &Value) -> Value {
        match value {
            Value::Object(members) => Value::Object(self.members(members)),
            Value::Array(elements) => Value::Array(elements.iter().map(|element| self.value(element)).collect()),
            Value::CodeWithScope { code, scope } => {
                Value::CodeWithScope { code: code.clone(), scope: self.members(scope) }
            }
            Value::Undefined => {
                self.row("undefined, back");
                Value::Null
            }
            Value::Symbol(text) => {
                self.row("symbol, back");
                Value::String(text.clone())
            }
            Value::DbPointer { namespace, id } => {
                self.row("dbpointer, back");
                let reference = ("$ref".to_owned(), Value::String(namespace.clone()));
                Value::Object(vec![reference, ("$id".to_owned(), Value::ObjectId(*id))])
            }
            other if self.through_text => self.through_text(other),
            other => other.clone(),
        }
    }

    fn through_text(&mut self, value: &Value) -> Value {
        match value {
            Value::Double(number) if number.is_nan() && number.to_bits() != f64::NAN.to_bits() => {
                self.row("double NaN payload, from text");
                Value::Double(f64::NAN)
            }
            Value::Decimal128(decimal) => {
                let canonical = boson_document::Decimal128::parse(&decimal.to_string());
                let canonical = canonical.unwrap_or(*decimal);
                if canonical != *decimal {
                    let nan = "decimal128 NaN payload, from text";
                    self.row(if decimal.is_nan() { nan } else { "decimal128 not canonical, from text" });
                }
                Value::Decimal128(canonical)
            }
            other => other.clone(),
        }
    }
}
