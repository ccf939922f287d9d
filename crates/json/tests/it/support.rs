//! What the tests share.

use boson_document::{Builder, DecodeError, DecodeErrorKind, Rule, Source, Value};
use boson_json::{Dialects, Resolve, Style, Text, Unwrap, Writer};

/// The tree of a text, numbers with their text.
pub(crate) fn raw(text: impl AsRef<[u8]>) -> Result<Value, DecodeError> {
    let mut builder = Builder::new();
    Text::new(text.as_ref()).drive(&mut builder)?;
    Ok(builder.finish().expect("a whole document"))
}

/// The tree of a text, wrapper objects left as they are.
pub(crate) fn resolved(text: impl AsRef<[u8]>) -> Result<Value, DecodeError> {
    let mut sink = Resolve::new(Builder::new());
    Text::new(text.as_ref()).drive(&mut sink)?;
    Ok(sink.into_inner().finish().expect("a whole document"))
}

/// The tree of a text by `dialects`.
pub(crate) fn extended(text: impl AsRef<[u8]>, dialects: Dialects) -> Result<Value, DecodeError> {
    let mut sink = Unwrap::new(Resolve::new(Builder::new()), dialects);
    Text::new(text.as_ref()).drive(&mut sink)?;
    Ok(sink.into_inner().into_inner().finish().expect("a whole document"))
}

/// The tree of a text in MongoDB Extended JSON v2.
pub(crate) fn mongodb(text: impl AsRef<[u8]>) -> Result<Value, DecodeError> {
    extended(text, Dialects::MONGODB)
}

/// What `source` is written as.
pub(crate) fn written(source: &impl Source, style: Style) -> String {
    let mut writer = Writer::new(Vec::new(), style);
    source.drive(&mut writer).expect("written");
    String::from_utf8(writer.into_inner()).expect("UTF-8")
}

/// An object with these members.
pub(crate) fn object<const N: usize>(members: [(&str, Value); N]) -> Value {
    Value::Object(members.map(|(name, value)| (name.to_owned(), value)).into())
}

/// A string.
pub(crate) fn string(text: &str) -> Value {
    Value::String(text.to_owned())
}

/// The error of a broken rule.
pub(crate) fn broken(offset: usize, rule: Rule) -> DecodeError {
    DecodeError::new(offset, DecodeErrorKind::Broken(rule))
}
