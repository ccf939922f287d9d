//! Building a tree from a walk.

use super::Value;
use crate::error::DecodeError;
use crate::scalar::Scalar;
use crate::sink::{Container, Descend, Sink};
use crate::span::Span;

/// A sink that builds the tree of what it is handed.
#[derive(Debug, Default)]
pub struct Builder {
    open: Vec<Open>,
    root: Option<Value>,
}

/// A container whose end has not come yet.
#[derive(Debug)]
enum Open {
    Object { members: Vec<(String, Value)>, key: String },
    Array(Vec<Value>),
    CodeWithScope { code: String, scope: Vec<(String, Value)>, key: String },
}

impl Builder {
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
            Some(Open::Object { members, key } | Open::CodeWithScope { scope: members, key, .. }) => {
                members.push((std::mem::take(key), value));
            }
            Some(Open::Array(elements)) => elements.push(value),
            None => self.root = Some(value),
        }
    }

    fn end(&mut self) {
        match self.open.pop() {
            Some(Open::Object { members, .. }) => self.add(Value::Object(members)),
            Some(Open::Array(elements)) => self.add(Value::Array(elements)),
            Some(Open::CodeWithScope { code, scope, .. }) => self.add(Value::CodeWithScope { code, scope }),
            None => {}
        }
    }
}

impl Sink for Builder {
    type Error = DecodeError;

    fn begin_object(&mut self, _: Container) -> Result<Descend, DecodeError> {
        self.open.push(Open::Object { members: Vec::new(), key: String::new() });
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

    fn begin_code_with_scope(&mut self, code: &str, _: Container) -> Result<Descend, DecodeError> {
        self.open.push(Open::CodeWithScope { code: code.to_owned(), scope: Vec::new(), key: String::new() });
        Ok(Descend::Into)
    }

    fn end_code_with_scope(&mut self) -> Result<(), DecodeError> {
        self.end();
        Ok(())
    }

    fn key(&mut self, name: &str, _: Span) -> Result<(), DecodeError> {
        if let Some(Open::Object { key, .. } | Open::CodeWithScope { key, .. }) = self.open.last_mut() {
            name.clone_into(key);
        }
        Ok(())
    }

    fn scalar(&mut self, scalar: Scalar<'_>, _: Span) -> Result<(), DecodeError> {
        self.add(scalar.into());
        Ok(())
    }
}
