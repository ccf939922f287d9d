//! What must hold for every document, as plain functions: for property tests, for fuzz targets and for replays.
//!
//! Each takes what it needs as a value or a closure, so that no law knows a format, and panics when it is broken.

use std::fmt::Debug;

use boson_document::{Builder, DecodeError, Layout, Region, Sink, Source, Value};

/// The tree that `source` delivers.
pub fn tree(source: &impl Source) -> Result<Value, DecodeError> {
    let mut builder = Builder::new();
    source.drive(&mut builder)?;
    Ok(finished(builder))
}

/// The tree of a walk that ended well: a walk without a whole document breaks the contract of [`Source`].
#[expect(clippy::expect_used, reason = "a law that is broken panics")]
fn finished(builder: Builder) -> Value {
    builder.finish().expect("a source that returned Ok delivered one whole document")
}

/// What is written is read back: `read` of what `write` makes of `document` gives the document.
///
/// # Panics
///
/// When it does not, or one of the two fails.
#[expect(clippy::panic, reason = "a law that is broken panics")]
pub fn written_is_read_back<E: Debug, F: Debug>(
    document: &Value,
    write: impl FnOnce(&Value) -> Result<Vec<u8>, E>,
    read: impl FnOnce(&[u8]) -> Result<Value, F>,
) {
    let bytes = write(document).unwrap_or_else(|error| panic!("writing failed: {error:?}\n{document:?}"));
    let back =
        read(&bytes).unwrap_or_else(|error| panic!("reading failed: {error:?}\n{document:?}\n{}", crate::hex(&bytes)));
    assert_same(document, &back);
}

/// Both trees are equal.
///
/// # Panics
///
/// With the first difference, when they are not.
pub fn assert_same(expected: &Value, actual: &Value) {
    if expected != actual {
        let (path, expected, actual) = first_difference(expected, actual);
        assert_eq!(expected, actual, "at ${path}");
    }
}

/// The place of the innermost first difference of two trees that differ, and what each holds there.
fn first_difference<'a>(expected: &'a Value, actual: &'a Value) -> (String, &'a Value, &'a Value) {
    let (mut path, mut pair) = (String::new(), (expected, actual));
    while let Some((step, next)) = different_member(pair.0, pair.1) {
        path.push_str(&step);
        pair = next;
    }
    (path, pair.0, pair.1)
}

/// The first member that differs of two containers that otherwise have the same members.
fn different_member<'a>(expected: &'a Value, actual: &'a Value) -> Option<(String, (&'a Value, &'a Value))> {
    match (expected, actual) {
        (Value::Object(a), Value::Object(b)) if a.len() == b.len() => {
            let mut members = a.iter().zip(b);
            let ((name, a), (_, b)) = members.find(|((n, a), (m, b))| n != m || a != b)?;
            let same_name = members_named(expected, actual, name);
            same_name.then(|| (format!(".{name}"), (a, b)))
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            let (index, (a, b)) = a.iter().zip(b).enumerate().find(|(_, (a, b))| a != b)?;
            Some((format!("[{index}]"), (a, b)))
        }
        _ => None,
    }
}

fn members_named(expected: &Value, actual: &Value, name: &str) -> bool {
    expected.get(name).is_some() && actual.get(name).is_some()
}

/// The regions tile the document: in order, without gap or overlap, none empty, from the first byte to the last.
///
/// # Panics
///
/// When they do not.
pub fn regions_tile(regions: &[Region], len: usize) {
    let end = regions.iter().fold(0, |end, region| {
        assert_eq!(region.span.offset, end, "{region:?} does not begin where the region before it ends");
        assert!(!region.span.is_empty(), "{region:?} is empty");
        region.span.end()
    });
    assert_eq!(end, len, "the regions end at {end}, the document at {len}");
}

/// A document that validates has regions, and they tile it.
///
/// # Panics
///
/// When it has none, or they do not.
#[expect(clippy::panic, reason = "a law that is broken panics")]
pub fn layout_tiles(document: &impl Layout, len: usize) {
    let regions = document.regions().unwrap_or_else(|error| panic!("a valid document has no regions: {error}"));
    regions_tile(&regions, len);
}

/// Two sources deliver the same document, or fail alike.
///
/// # Panics
///
/// When they do not.
pub fn same_walk(one: &impl Source, other: &impl Source) {
    assert_eq!(tree(one), tree(other), "two walks of one document");
}

/// Replaying a source gives the same again.
///
/// # Panics
///
/// When it does not.
pub fn replays(source: &impl Source) {
    same_walk(source, source);
}

/// Whatever the bytes, `read` returns: it may refuse, but neither panics nor, since it returned, hangs. Driving what it
/// accepts must not panic either.
pub fn never_panics<S: Source>(bytes: &[u8], read: impl FnOnce(&[u8]) -> Option<S>, sink: &mut impl Sink) {
    if let Some(source) = read(bytes) {
        // The outcome is free: a source may find its fault during the walk.
        let _: Result<(), _> = source.drive(sink);
    }
}
