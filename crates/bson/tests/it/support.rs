//! What several tests need.

use boson_bson::{Document, Element, Tag, Value};
use boson_document::{Container, DecodeError, Descend, Limits, Sink, Source, Span};
pub(crate) use boson_testkit::{hex, unhex};

/// The checked tree of `bytes`.
pub(crate) fn read(bytes: &[u8]) -> Result<boson_document::Value, DecodeError> {
    boson_testkit::laws::tree(&Document::new(bytes)?)
}

/// The message that `validate` refuses the document with.
pub(crate) fn refusal(digits: &str) -> String {
    let error = boson_bson::validate(&unhex(digits), &Limits::BSON).expect_err(digits);
    error.to_string()
}

/// The same document, walked through the views.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Viewed<'a>(pub(crate) Document<'a>);

impl Source for Viewed<'_> {
    fn drive<S: Sink>(&self, sink: &mut S) -> Result<(), S::Error> {
        if sink.begin_object(container(self.0.span()))? == Descend::Into {
            members(self.0, sink)?;
            sink.end_object()?;
        }
        Ok(())
    }
}

fn container(span: Span) -> Container {
    Container { span, len: None }
}

fn members<S: Sink>(document: Document<'_>, sink: &mut S) -> Result<(), S::Error> {
    for element in document.elements() {
        let element: Element<'_> = element?;
        sink.key(element.name()?, element.name_span())?;
        value(element.value(), sink)?;
    }
    Ok(())
}

fn value<S: Sink>(value: Value<'_>, sink: &mut S) -> Result<(), S::Error> {
    match value.tag() {
        Tag::Document => Viewed(value.as_document()?).drive(sink),
        Tag::Array => {
            if sink.begin_array(container(value.span()))? == Descend::Into {
                value.as_array()?.items().try_for_each(|item| self::value(item?, sink))?;
                sink.end_array()?;
            }
            Ok(())
        }
        Tag::CodeWithScope => {
            let code = value.as_code_with_scope()?;
            if sink.begin_code_with_scope(code.code, container(code.scope.span()))? == Descend::Into {
                members(code.scope, sink)?;
                sink.end_code_with_scope()?;
            }
            Ok(())
        }
        _ => sink.scalar(value.scalar()?, value.span()),
    }
}
