//! The laws of BSON's reader, views, index and writer.

use boson_bson::{Array, Document, DocumentIn, Index, LegacyUuid, ReadOptions, Tag, Utf8, ValueIn, encode, validate};
use boson_document::{
    Blocks, ByteSource, Container, DecodeError, DecodeErrorKind, Descend, Limits, Sink, Source, Span, Value,
};
use boson_testkit::laws;

/// Fields of one document that are looked up.
const LOOKUPS_MAX: usize = 50;

pub(crate) fn run(data: &[u8]) {
    let verdict = validate(data, &Limits::BSON);
    let Ok(document) = Document::new(data) else {
        assert!(verdict.is_err(), "what is no document validates");
        return;
    };
    let strict = laws::tree(&document);
    let faults = (verdict.as_ref().err().map(|located| located.error), strict.as_ref().err().copied());
    assert_eq!(faults.0, faults.1, "validate and drive");
    touch(document);
    lookups(document);
    match (verdict, strict) {
        (Ok(()), Ok(tree)) => valid(document, &tree),
        (Err(error), _) => invalid(document, &error),
        (Ok(()), Err(_)) => {}
    }
}

/// Of a valid document every way to read it tells the same, and what is written from it is it.
fn valid(document: Document<'_>, tree: &Value) {
    laws::assert_same(tree, &laws::tree(&Viewed(document)).expect("the views of a valid document"));
    let blocks = Blocks::new(document.bytes(), 7).expect("blocks in memory");
    let blockwise = DocumentIn::new(&blocks).expect("the header was checked");
    laws::assert_same(tree, &laws::tree(&Viewed(blockwise)).expect("the blocks of a valid document"));
    laws::layout_tiles(&document, document.bytes().len());
    laws::assert_same(tree, &lossy(document).expect("a valid document read leniently"));

    let again = encode(&document).expect("what was read can be written");
    if has_own_names(document) {
        assert_eq!(boson_testkit::hex(&again), boson_testkit::hex(document.bytes()));
    }
    let written = Document::new(&again).expect("what was written");
    assert_eq!(encode(&written).expect("written once more"), again);
}

fn invalid(document: Document<'_>, error: &boson_document::Located) {
    crate::is_well_placed(error, document.bytes().len());
    if error.error.kind != DecodeErrorKind::InvalidUtf8 {
        // Reading leniently forgives text that is not UTF-8 and nothing else.
        assert!(lossy(document).is_err(), "{error}, but not when reading leniently");
    } else if let Ok(tree) = lossy(document) {
        encode(&tree).expect("what was read leniently can be written");
    }
}

fn lossy(document: Document<'_>) -> Result<Value, DecodeError> {
    laws::tree(&document.with(ReadOptions { utf8: Utf8::Lossy, ..ReadOptions::default() }))
}

/// Whether writing the document anew gives the same bytes: the elements of arrays are numbered, which nobody checks, and
/// the options of regular expressions sorted.
fn has_own_names(document: Document<'_>) -> bool {
    let mut open = vec![(document, false)];
    while let Some((document, is_array)) = open.pop() {
        for (index, element) in document.elements().enumerate() {
            let element = element.expect("an element of a valid document");
            if is_array && element.name_bytes() != index.to_string().as_bytes() {
                return false;
            }
            let value = element.value();
            match value.tag() {
                Tag::Regex if !has_sorted_options(value.bytes()) => return false,
                Tag::Array => open.extend(value.as_array().map(|array| (array.as_document(), true))),
                _ => open.extend(inner(value).map(|inner| (inner, false))),
            }
        }
    }
    true
}

fn has_sorted_options(regex: &[u8]) -> bool {
    regex.split(|&byte| byte == 0).nth(1).is_some_and(<[u8]>::is_sorted)
}

fn inner(value: boson_bson::Value<'_>) -> Option<Document<'_>> {
    value.as_document().or_else(|_| value.scope()).ok()
}

/// Asks every value everything, whether or not it is valid: nothing may panic.
fn touch(document: Document<'_>) {
    let mut open = vec![document];
    while let Some(document) = open.pop() {
        for element in document.elements().filter_map(Result::ok) {
            let _ = (element.name(), element.name_lossy());
            let value = element.value();
            touch_value(value);
            open.extend(inner(value));
            open.extend(value.as_array().as_ref().map(Array::as_document));
        }
        let _ = document.fields().count();
    }
}

fn touch_value(value: boson_bson::Value<'_>) {
    let _ = (value.scalar(), value.as_str(), value.text_bytes(), value.text_lossy());
    let _ = (value.uuid(), value.legacy_uuid(LegacyUuid::Python), value.as_code_with_scope(), value.vector());
    let held = value.fetch().expect("bytes in memory");
    assert_eq!(held.scalar(), value.scalar());
    let _ = (format!("{value:?}"), format!("{held:?}"));
}

/// The index answers as the document does.
fn lookups(document: Document<'_>) {
    let mut index = Index::new();
    let Ok(indexed) = index.rebuild(document) else { return };
    let elements: Vec<_> = document.elements().filter_map(Result::ok).collect();
    assert_eq!(indexed.len(), elements.len());
    for name in elements.iter().filter_map(|element| element.name().ok()).take(LOOKUPS_MAX) {
        let first = document.get(name).expect("the elements were read").expect("a name of this document");
        let wanted = elements.iter().find(|element| element.name_bytes() == name.as_bytes());
        assert_eq!(Some(first), wanted.map(boson_bson::ElementIn::value));
        assert_eq!(indexed.get(name), Some(first));
        assert_eq!(document.get_all(name).count(), indexed.get_all(name).count());
    }
    assert_eq!(document.get("no such name, or so"), Ok(None));
}

/// A document as its views tell it.
struct Viewed<S>(DocumentIn<S>);

impl<B: ByteSource> Source for Viewed<B> {
    fn drive<S: Sink>(&self, sink: &mut S) -> Result<(), S::Error> {
        if sink.begin_object(begun(self.0.span()))? == Descend::Into {
            members(self.0, sink)?;
            sink.end_object()?;
        }
        Ok(())
    }
}

const fn begun(span: Span) -> Container {
    Container { span, len: None }
}

fn members<B: ByteSource, S: Sink>(document: DocumentIn<B>, sink: &mut S) -> Result<(), S::Error> {
    for element in document.elements() {
        let element = element?;
        let name = element.fetch_name()?;
        sink.key(text(&name, element.name_span())?, element.name_span())?;
        value(element.value(), sink)?;
    }
    Ok(())
}

fn value<B: ByteSource, S: Sink>(value: ValueIn<B>, sink: &mut S) -> Result<(), S::Error> {
    match value.tag() {
        Tag::Document => Viewed(value.as_document()?).drive(sink),
        Tag::Array => {
            if sink.begin_array(begun(value.span()))? == Descend::Into {
                value.as_array()?.items().try_for_each(|item| self::value(item?, sink))?;
                sink.end_array()?;
            }
            Ok(())
        }
        Tag::CodeWithScope => code_with_scope(value, sink),
        _ => sink.scalar(value.fetch()?.scalar()?, value.span()),
    }
}

fn code_with_scope<B: ByteSource, S: Sink>(value: ValueIn<B>, sink: &mut S) -> Result<(), S::Error> {
    let (held, scope) = (value.fetch()?, value.scope()?);
    // Between the two lengths in front and the NUL before the scope.
    let code = held.bytes().get(8..scope.span().offset - value.span().offset - 1).unwrap_or_default();
    if sink.begin_code_with_scope(text(code, value.span())?, begun(scope.span()))? == Descend::Into {
        members(scope, sink)?;
        sink.end_code_with_scope()?;
    }
    Ok(())
}

fn text(bytes: &[u8], span: Span) -> Result<&str, DecodeError> {
    str::from_utf8(bytes).map_err(|_| DecodeError::new(span.offset, DecodeErrorKind::InvalidUtf8))
}
