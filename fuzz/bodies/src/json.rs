//! The laws of JSON text: reading, splitting, writing, wrapper objects.

use std::io::BufReader;

use boson_document::{Builder, DecodeError, Source, Value};
use boson_json::{Dialects, Inexact, Resolve, Style, Text, Unwrap, Values, Writer};
use boson_testkit::laws;

pub(crate) fn run(data: &[u8]) {
    let text = Text::new(data);
    let tree = laws::tree(&text);
    laws::replays(&text);
    peer(data, tree.as_ref());
    for dialects in [Dialects::MONGODB, Dialects::ORACLE, Dialects::BOTH.with_legacy().lenient().with_loose_uuids()] {
        unwrapped(&text, dialects);
    }
    split(data, tree.is_ok());
    match tree {
        Ok(tree) => valid(&tree),
        Err(error) => assert!(error.offset <= data.len(), "{error}: only {} bytes", data.len()),
    }
}

/// A text that was read is written as one that reads as the same, whatever the style.
fn valid(tree: &Value) {
    for (style, indent) in [(Style::Plain, None), (Style::Plain, Some(2)), (Style::Oracle, None)] {
        let mut writer = Writer::new(Vec::new(), style);
        if let Some(indent) = indent {
            writer = writer.pretty(indent);
        }
        tree.drive(&mut writer).expect("what was read can be written");
        laws::assert_same(tree, &laws::tree(&Text::new(&writer.into_inner())).expect("what was written"));
    }
    for inexact in [Inexact::Decimal128, Inexact::Double, Inexact::Error] {
        let outcome = tree.drive(&mut Resolve::with_policy(Builder::new(), inexact));
        let is_meant = inexact != Inexact::Double || is_beyond_doubles(tree);
        assert!(outcome.is_ok() || is_meant, "{outcome:?}: every other number is nearest to some double");
    }
}

/// Whether a number in the tree is rounded to infinity, which is refused.
fn is_beyond_doubles(tree: &Value) -> bool {
    match tree {
        Value::DecimalText(text) => text.parse().is_ok_and(f64::is_infinite),
        Value::Array(elements) => elements.iter().any(is_beyond_doubles),
        Value::Object(members) => members.iter().any(|(_, value)| is_beyond_doubles(value)),
        _ => false,
    }
}

/// What wrapper objects stand for is written in canonical form and read back; what only Oracle has may get another type
/// by that, but only once.
fn unwrapped(text: &Text<'_>, dialects: Dialects) {
    let Ok(tree) = typed(text, dialects) else { return };
    let Ok(once) = typed(&Text::new(&canonical(&tree)), dialects) else { return };
    let twice = typed(&Text::new(&canonical(&once)), dialects).expect("what was written from what was written");
    laws::assert_same(&once, &twice);
}

fn canonical(tree: &Value) -> Vec<u8> {
    let mut writer = Writer::new(Vec::new(), Style::ExtendedCanonical);
    tree.drive(&mut writer).expect("what was read can be written");
    writer.into_inner()
}

fn typed(text: &Text<'_>, dialects: Dialects) -> Result<Value, DecodeError> {
    let mut sink = Unwrap::new(Resolve::new(Builder::new()), dialects);
    text.drive(&mut sink)?;
    Ok(sink.into_inner().into_inner().finish().expect("a whole document"))
}

/// The pieces that a stream is cut into do not depend on how it arrives; a text that is one value is one piece.
fn split(data: &[u8], is_one_value: bool) {
    for elements in [false, true] {
        let whole = pieces(data, data.len().max(1), elements);
        assert_eq!(whole, pieces(data, 1, elements));
        assert_eq!(whole, pieces(data, 3, elements));
        if is_one_value && !elements {
            assert_eq!(whole.map(|pieces| pieces.len()), Ok(1), "one value, cut in several");
        }
    }
}

/// The values of a stream that arrives `buffer_len` bytes at a time.
fn pieces(data: &[u8], buffer_len: usize, elements: bool) -> Result<Vec<(usize, Vec<u8>)>, DecodeError> {
    let reader = BufReader::with_capacity(buffer_len, data);
    let mut values = if elements { Values::elements(reader) } else { Values::concatenated(reader) };
    let mut pieces = Vec::new();
    while let Some(piece) = values.next_value()? {
        pieces.push((piece.offset, piece.bytes.to_vec()));
    }
    Ok(pieces)
}

/// What `serde_json` accepts is accepted, and the other way about, but for what the two mean to treat differently; and
/// they read the same.
fn peer(data: &[u8], ours: Result<&Value, &DecodeError>) {
    match (serde_json::from_slice(data), ours) {
        (Ok(theirs), Ok(ours)) => assert!(is_same(ours, &theirs), "{ours:?} is not {theirs:?}"),
        (Ok(_), Err(error)) => {
            // A number of more digits than anyone means is refused here.
            assert!(data.len() > 4300, "serde_json reads it, here it is refused: {error}");
        }
        (Err(error), Ok(_)) => {
            let message = error.to_string();
            let is_meant = data.starts_with(b"\xEF\xBB\xBF")
                || message.starts_with("number out of range")
                || message.starts_with("recursion limit exceeded");
            assert!(is_meant, "serde_json refuses it: {message}");
        }
        (Err(_), Err(_)) => {}
    }
}

/// Whether the two trees say the same; of a name that occurs twice `serde_json` keeps the last.
fn is_same(ours: &Value, theirs: &serde_json::Value) -> bool {
    match (ours, theirs) {
        (Value::Null, serde_json::Value::Null) => true,
        (Value::Bool(ours), serde_json::Value::Bool(theirs)) => ours == theirs,
        (Value::String(ours), serde_json::Value::String(theirs)) => ours == theirs,
        (Value::Int32(_) | Value::Int64(_) | Value::DecimalText(_), serde_json::Value::Number(number)) => {
            is_same_number(ours, number)
        }
        (Value::Array(ours), serde_json::Value::Array(theirs)) => {
            ours.len() == theirs.len() && ours.iter().zip(theirs).all(|(ours, theirs)| is_same(ours, theirs))
        }
        (Value::Object(ours), serde_json::Value::Object(theirs)) => theirs.iter().all(|(name, theirs)| {
            let last = ours.iter().rev().find(|(ours, _)| ours == name);
            last.is_some_and(|(_, ours)| is_same(ours, theirs))
        }),
        _ => false,
    }
}

fn is_same_number(ours: &Value, theirs: &serde_json::Number) -> bool {
    match ours {
        Value::Int32(ours) => theirs.as_i64() == Some(i64::from(*ours)),
        Value::Int64(ours) => theirs.as_i64() == Some(*ours),
        // serde_json may err in the last place unless told to be exact.
        Value::DecimalText(ours) => {
            let (ours, theirs) = (ours.parse().unwrap_or(f64::NAN), theirs.as_f64().unwrap_or(f64::NAN));
            (ours - theirs).abs() <= ours.abs() * 4.0 * f64::EPSILON
        }
        _ => false,
    }
}
