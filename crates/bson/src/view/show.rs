//! Views as text for people who debug.

use std::fmt::{self, Debug as _};

use boson_document::DecodeError;

use super::{Array, CodeWithScope, Document, Value};
use crate::tag::Tag;

/// How many levels are shown: showing recurses, and input may be nested as deep as it likes.
const DEPTH_MAX: u32 = 200;

/// A view that is shown within `depth` others.
pub(super) struct Shown<T> {
    view: T,
    depth: u32,
}

impl<T> Shown<T> {
    pub(super) const fn new(view: T) -> Self {
        Self { view, depth: 0 }
    }

    const fn inner<U>(&self, view: U) -> Shown<U> {
        Shown { view, depth: self.depth.saturating_add(1) }
    }
}

impl fmt::Debug for Shown<Document<'_>> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut map = f.debug_map();
        for element in self.view.elements() {
            match element {
                Ok(element) => map.entry(&element.name_lossy(), &self.inner(element.value())),
                Err(error) => map.entry(&"<invalid>", &error),
            };
        }
        map.finish()
    }
}

impl fmt::Debug for Shown<Array<'_>> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut list = f.debug_list();
        for item in self.view.items() {
            match item {
                Ok(value) => list.entry(&self.inner(value)),
                Err(error) => list.entry(&error),
            };
        }
        list.finish()
    }
}

impl fmt::Debug for Shown<CodeWithScope<'_>> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scope = self.inner(self.view.scope);
        f.debug_struct("CodeWithScope").field("code", &self.view.code).field("scope", &scope).finish()
    }
}

impl fmt::Debug for Shown<Value<'_>> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.view.tag() {
            Tag::Document | Tag::Array | Tag::CodeWithScope if self.depth >= DEPTH_MAX => f.write_str("…"),
            Tag::Document => self.show(self.view.as_document(), f),
            Tag::Array => self.show(self.view.as_array(), f),
            Tag::CodeWithScope => self.show(self.view.as_code_with_scope(), f),
            _ => match self.view.scalar() {
                Ok(scalar) => scalar.fmt(f),
                Err(error) => write!(f, "<{error}>"),
            },
        }
    }
}

impl Shown<Value<'_>> {
    fn show<T>(&self, read: Result<T, DecodeError>, f: &mut fmt::Formatter<'_>) -> fmt::Result
    where
        Shown<T>: fmt::Debug,
    {
        match read {
            Ok(view) => Shown { view, depth: self.depth }.fmt(f),
            Err(error) => write!(f, "<{error}>"),
        }
    }
}
