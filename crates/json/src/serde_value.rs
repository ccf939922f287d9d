//! From and to `serde_json::Value`.

use boson_document::{Container, DecodeError, DecodeErrorKind, Descend, Rule, Scalar, Sink, Source, Span};
use serde_json::{Map, Number, Value};

use crate::extended::shape::{self, Form};
use crate::number::scalar_of_number;

/// A tree of `serde_json` as a source; spans are empty. Integers arrive in the smallest type that holds them, other numbers
/// with the text that `serde_json` writes for them.
#[derive(Clone, Copy, Debug)]
pub struct SerdeSource<'a>(pub &'a Value);

impl Source for SerdeSource<'_> {
    /// Delivers the tree. Its depth is bounded by whoever made it; `serde_json` reads 128 levels.
    fn drive<S: Sink>(&self, sink: &mut S) -> Result<(), S::Error> {
        let span = Span::default();
        match self.0 {
            Value::Null => sink.scalar(Scalar::Null, span),
            Value::Bool(value) => sink.scalar(Scalar::Bool(*value), span),
            Value::String(value) => sink.scalar(Scalar::String(value), span),
            Value::Number(number) => match scalar_of_number(number.to_string().as_bytes()) {
                Some(scalar) => sink.scalar(scalar, span),
                None => Err(DecodeError::new(0, DecodeErrorKind::Broken(Rule::JsonNumber)).into()),
            },
            Value::Array(elements) => {
                if sink.begin_array(Container { span, len: Some(elements.len()) })? == Descend::Into {
                    elements.iter().try_for_each(|element| SerdeSource(element).drive(sink))?;
                    sink.end_array()?;
                }
                Ok(())
            }
            Value::Object(members) => {
                if sink.begin_object(Container { span, len: Some(members.len()) })? == Descend::Into {
                    for (name, value) in members {
                        sink.key(name, span)?;
                        SerdeSource(value).drive(sink)?;
                    }
                    sink.end_object()?;
                }
                Ok(())
            }
        }
    }
}

/// A sink that builds a tree of `serde_json`. What JSON has no type for becomes relaxed Extended JSON, so that nothing is
/// lost but what a map loses: of two members with one name the last stays.
///
/// A number that `serde_json` cannot hold exactly is kept as `{"$numberDecimal": …}`.
#[derive(Debug, Default)]
pub struct SerdeBuilder {
    open: Vec<Open>,
    root: Option<Value>,
    scratch: String,
}

#[derive(Debug)]
enum Open {
    Object { members: Map<String, Value>, key: String },
    Array(Vec<Value>),
}

impl SerdeBuilder {
    /// A builder of one tree.
    pub fn new() -> Self {
        Self::default()
    }

    /// The tree; `None` when no document was delivered, or not to its end.
    pub fn finish(self) -> Option<Value> {
        self.root.filter(|_| self.open.is_empty())
    }

    fn add(&mut self, value: Value) {
        match self.open.last_mut() {
            Some(Open::Object { members, key }) => {
                members.insert(std::mem::take(key), value);
            }
            Some(Open::Array(elements)) => elements.push(value),
            None => self.root = Some(value),
        }
    }

    fn end(&mut self) {
        match self.open.pop() {
            Some(Open::Object { members, .. }) => self.add(Value::Object(members)),
            Some(Open::Array(elements)) => self.add(Value::Array(elements)),
            None => {}
        }
    }
}

/// The value of a scalar that JSON has a type for.
fn native(scalar: Scalar<'_>) -> Option<Value> {
    match scalar {
        Scalar::Null => Some(Value::Null),
        Scalar::Bool(value) => Some(Value::Bool(value)),
        Scalar::Int32(value) => Some(Value::from(value)),
        Scalar::Int64(value) => Some(Value::from(value)),
        Scalar::Double(value) => Number::from_f64(value).map(Value::Number),
        Scalar::Float(value) => Number::from_f64(value.into()).map(Value::Number),
        Scalar::String(value) => Some(Value::from(value)),
        Scalar::DecimalText(text) => number(text).map(Value::Number),
        _ => None,
    }
}

/// The number, if `serde_json` has it without losing a digit.
fn number(text: &str) -> Option<Number> {
    match text.parse::<u64>() {
        Ok(value) => Some(Number::from(value)),
        Err(_) => boson_document::Decimal::parse(text).ok()?.to_f64_exact().and_then(Number::from_f64),
    }
}

impl Sink for SerdeBuilder {
    type Error = DecodeError;

    fn begin_object(&mut self, _: Container) -> Result<Descend, DecodeError> {
        self.open.push(Open::Object { members: Map::new(), key: String::new() });
        Ok(Descend::Into)
    }
    fn end_object(&mut self) -> Result<(), DecodeError> {
        self.end();
        Ok(())
    }
    fn begin_array(&mut self, _: Container) -> Result<Descend, DecodeError> {
        self.open.push(Open::Array(Vec::new()));
        Ok(Descend::Into)
    }
    fn end_array(&mut self) -> Result<(), DecodeError> {
        self.end();
        Ok(())
    }
    fn begin_code_with_scope(&mut self, code: &str, container: Container) -> Result<Descend, DecodeError> {
        shape::begin_code_with_scope(code, container, self)
    }
    fn end_code_with_scope(&mut self) -> Result<(), DecodeError> {
        shape::end_code_with_scope(self)
    }
    fn key(&mut self, name: &str, _: Span) -> Result<(), DecodeError> {
        if let Some(Open::Object { key, .. }) = self.open.last_mut() {
            name.clone_into(key);
        }
        Ok(())
    }
    fn scalar(&mut self, scalar: Scalar<'_>, span: Span) -> Result<(), DecodeError> {
        if let Some(value) = native(scalar) {
            self.add(value);
            return Ok(());
        }
        let mut scratch = std::mem::take(&mut self.scratch);
        let pushed = match scalar {
            Scalar::DecimalText(text) => push_decimal(text, span, self).map(|()| true),
            other => shape::push(other, span, Form::Relaxed, &mut scratch, self),
        };
        self.scratch = scratch;
        pushed.map(|_| ())
    }
}

/// Delivers `{"$numberDecimal": text}`.
fn push_decimal(text: &str, span: Span, sink: &mut SerdeBuilder) -> Result<(), DecodeError> {
    sink.begin_object(Container { span, len: Some(1) })?;
    sink.key("$numberDecimal", span)?;
    sink.add(Value::from(text));
    sink.end_object()
}

/// The document of a `serde_json` tree, wrapper objects left as they are.
///
/// # Errors
///
/// A number that is neither an int64 nor a double nor a Decimal128, which takes the feature `arbitrary_precision`.
pub fn from_serde(value: &Value) -> Result<boson_document::Value, DecodeError> {
    let mut builder = crate::Resolve::new(boson_document::Builder::new());
    SerdeSource(value).drive(&mut builder)?;
    Ok(builder.into_inner().finish().unwrap_or(boson_document::Value::Null))
}

/// The `serde_json` tree of a document: see [`SerdeBuilder`].
///
/// # Errors
///
/// What the source is at fault for.
pub fn to_serde(source: &impl Source) -> Result<Value, DecodeError> {
    let mut builder = SerdeBuilder::new();
    source.drive(&mut builder)?;
    Ok(builder.finish().unwrap_or(Value::Null))
}

impl<'a> From<&'a Value> for SerdeSource<'a> {
    fn from(value: &'a Value) -> Self {
        Self(value)
    }
}

impl TryFrom<crate::Text<'_>> for Value {
    type Error = DecodeError;

    /// As [`to_serde`].
    fn try_from(text: crate::Text<'_>) -> Result<Self, DecodeError> {
        to_serde(&text)
    }
}
