//! Our OSON against python-oracledb and node-oracledb.

use std::collections::BTreeSet;

use anyhow::Result;
use boson_document::Value;
use boson_oson::write::{Options, Style, to_vec};
use boson_testkit::{hex, laws, unhex};
use serde_json::{Value as Json, json};

use super::expect::{Driver, Not, Reading};
use super::sample::Sample;
use super::tally::{Column, Outcome, Tally};
use super::writing::{Writing, question};
use crate::peers::Peer;

impl Driver {
    const fn name(self) -> &'static str {
        match self {
            Self::Python => "python-oracledb",
            Self::Node => "node-oracledb",
        }
    }
}

/// The driver reads our images of both styles to our values; it writes the bytes of our style `driver`, and we read its
/// bytes to the value.
pub(super) fn compare(driver: Driver, samples: &[Sample], peer: &mut Peer, tally: &mut Tally) -> Result<()> {
    tally.documents(driver.name(), samples.len());
    for sample in samples {
        let column = |compared| Column { peer: driver.name(), compared };
        let styles = [(Style::Compact, "reads compact: value"), (Style::Driver, "reads driver: value")];
        for (style, compared) in styles {
            if let Some(outcome) = reads(driver, style, &sample.document, peer)? {
                tally.count(sample, column(compared), outcome);
            }
        }
        let (bytes, value) = writes(driver, &sample.document, peer)?;
        tally.count(sample, column("writes: bytes"), bytes);
        if let Some(value) = value {
            tally.count(sample, column("we read its bytes: value"), value);
        }
    }
    Ok(())
}

fn image(document: &Value, style: Style) -> Result<Vec<u8>, String> {
    let options = Options { style, keep_order: true, ..Options::default() };
    to_vec(document, &options).map_err(|error| error.to_string())
}

/// `None` where the style cannot write the document: what the driver does then is compared by [`writes`].
fn reads(driver: Driver, style: Style, document: &Value, peer: &mut Peer) -> Result<Option<Outcome>> {
    let image = match image(document, style) {
        Ok(image) => image,
        Err(_) if style == Style::Driver => return Ok(None),
        Err(error) => return Ok(Some(Outcome::Mismatch(format!("compact does not write {document:?}: {error}")))),
    };
    let mut reading = Reading { driver, style, rows: BTreeSet::new() };
    let expected = reading.value(document);
    let answer = peer.ask(&json!({"op": "oson_decode", "hex": hex(image)}))?;
    let got = answer.get("value");
    Ok(Some(match (expected, got) {
        (Ok(expected), Some(got)) if expected == *got && reading.rows.is_empty() => Outcome::Equal,
        (Ok(expected), Some(got)) if expected == *got => Outcome::Documented(reading.rows),
        (Err(Not::Refused(row)), None) if answer.get("refused").is_some() => Outcome::Documented([row].into()),
        (Err(Not::Broken(row)), _) => Outcome::Documented([row].into()),
        (Ok(expected), Some(got)) => Outcome::Mismatch(first_difference(&expected, got)),
        (expected, _) => Outcome::Mismatch(format!("got {answer}, expected {expected:?}")),
    }))
}

/// The innermost place at which two renderings differ.
fn first_difference(expected: &Json, got: &Json) -> String {
    let pair = match (expected, got) {
        (Json::Array(a), Json::Array(b)) if a.len() == b.len() => a.iter().zip(b).find(|(a, b)| a != b),
        (Json::Object(a), Json::Object(b)) if a.keys().eq(b.keys()) => a.values().zip(b.values()).find(|(a, b)| a != b),
        _ => None,
    };
    match pair {
        Some((expected, got)) if expected.is_array() || expected.is_object() => first_difference(expected, got),
        _ => format!("expected {expected}, got {got}"),
    }
}

/// The outcome for the bytes, and for the value that we read from the driver's bytes where it wrote some.
fn writes(driver: Driver, document: &Value, peer: &mut Peer) -> Result<(Outcome, Option<Outcome>)> {
    let mut writing = Writing { driver, rows: BTreeSet::new() };
    let Some(asked) = question(driver, document) else { return Ok((Outcome::NoSuchValue, None)) };
    let expected = writing.document(document);
    let answer = peer.ask(&json!({"op": "oson_encode", "value": asked}))?;
    if answer.get("inexpressible").is_some() {
        let outcome = if expected == Err(Not::NoSuchValue) {
            Outcome::NoSuchValue
        } else {
            Outcome::Mismatch(format!("expected {expected:?}, got {answer}"))
        };
        return Ok((outcome, None));
    }
    let theirs = answer.get("hex").and_then(Json::as_str);
    Ok(match (expected, theirs) {
        (Err(Not::Refused(row)), None) | (Err(Not::Broken(row)), _) => (Outcome::Documented([row].into()), None),
        (Ok(expected), Some(theirs)) => (bytes(&expected, theirs, &writing), Some(value(&expected, theirs, &writing))),
        (expected, _) => (Outcome::Mismatch(format!("expected {expected:?}, got {answer}")), None),
    })
}

/// Our style `driver` writes what the driver writes, of the value that the driver makes of the document.
fn bytes(expected: &Value, theirs: &str, writing: &Writing) -> Outcome {
    match image(expected, Style::Driver) {
        Ok(ours) if hex(&ours) == theirs && writing.rows.is_empty() => Outcome::Equal,
        Ok(ours) if hex(&ours) == theirs || writing.other_bytes() => Outcome::Documented(writing.rows.clone()),
        Err(_) if writing.other_bytes() => Outcome::Documented(writing.rows.clone()),
        ours => Outcome::Mismatch(format!("expected {:?}, got {theirs}", ours.map(hex))),
    }
}

fn value(expected: &Value, theirs: &str, writing: &Writing) -> Outcome {
    let bytes = unhex(theirs);
    let read = boson_oson::Document::new(&bytes).and_then(|document| laws::tree(&document));
    let expected = Writing::read_back(expected);
    match read {
        Ok(read) if read == expected && writing.rows.is_empty() => Outcome::Equal,
        Ok(read) if read == expected => Outcome::Documented(writing.rows.clone()),
        read => Outcome::Mismatch(format!("expected {expected:?}, got {read:?} from {theirs}")),
    }
}
