//! Building a tree from a walk.

use super::Value;
use crate::error::{DecodeError, DecodeErrorKind, Limit};
use crate::scalar::Scalar;
use crate::sink::{Container, Descend, Sink};
use crate::span::Span;

/// A sink that builds the tree of what it is handed.
///
/// It refuses what is nested deeper than [`DEPTH_MAX`](Self::DEPTH_MAX) levels, whatever the source was allowed.
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
    /// How many levels a tree has at most: those of [`Limits::OSON`](crate::Limits::OSON) and `JSON`. A [`Value`] is
    /// dropped and shown by recursion, and the stack of a thread holds several times as many.
    pub const DEPTH_MAX: u32 = 1024;

    /// A builder of one tree.
    pub fn new() -> Self {
        Self::default()
    }

    /// The tree; `None` when no document was delivered, or not to its end.
    pub fn finish(self) -> Option<Value> {
        self.root.filter(|_| self.open.is_empty())
    }

    fn begin(&mut self, open: Open, container: Container) -> Result<Descend, DecodeError> {
        if u32::try_from(self.open.len()).is_ok_and(|depth| depth < Self::DEPTH_MAX) {
            self.open.push(open);
            return Ok(Descend::Into);
        }
        let limit = DecodeErrorKind::LimitExceeded(Limit::Depth(Self::DEPTH_MAX));
        Err(DecodeError::new(container.span.offset, limit))
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

    fn begin_object(&mut self, container: Container) -> Result<Descend, DecodeError> {
        self.begin(Open::Object { members: Vec::new(), key: String::new() }, container)
    }

    fn end_object(&mut self) -> Result<(), DecodeError> {
        self.end();
        Ok(())
    }

    fn begin_array(&mut self, container: Container) -> Result<Descend, DecodeError> {
        self.begin(Open::Array(Vec::new()), container)
    }

    fn end_array(&mut self) -> Result<(), DecodeError> {
        self.end();
        Ok(())
    }

    fn begin_code_with_scope(&mut self, code: &str, container: Container) -> Result<Descend, DecodeError> {
        let open = Open::CodeWithScope { code: code.to_owned(), scope: Vec::new(), key: String::new() };
        self.begin(open, container)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_that_was_built_fits_the_stack() {
        let container = Container { span: Span::default(), len: None };
        let mut builder = Builder::new();
        for _ in 0..Builder::DEPTH_MAX {
            builder.begin_array(container).unwrap();
        }
        let refused = builder.begin_object(container).unwrap_err();
        assert_eq!(refused.kind, DecodeErrorKind::LimitExceeded(Limit::Depth(1024)));
        for _ in 0..Builder::DEPTH_MAX {
            builder.end_array().unwrap();
        }
        let tree = builder.finish().unwrap();
        assert!(tree.clone() == tree);
        assert!(format!("{tree:#?}").len() > 1024);
    }
}
