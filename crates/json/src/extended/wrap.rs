//! Scalars into wrapper objects.

use boson_document::{Container, Descend, Kind, Scalar, Sink, Span};

use super::shape::{self, Form};

/// Replaces scalars that a format lacks by wrapper objects, as events: `{"$minKey": 1}`, `{"$code": …, "$scope": {…}}`.
///
/// Which ones is for a function to say; [`is_bson_only`] picks what BSON alone has. What is chosen but has no wrapper
/// (null, booleans, strings, numbers still in text) passes through. [`Unwrap`](super::Unwrap) is the way back.
#[derive(Clone, Debug)]
pub struct Wrap<S, F = fn(&Scalar<'_>) -> bool> {
    inner: S,
    wanted: F,
    code_with_scope: bool,
    scratch: String,
}

/// Whether BSON has a type for this scalar that OSON and JSON have not: regex, code, symbol, timestamp, min and max key,
/// undefined, DBPointer, binary of a subtype other than 0, and the Decimal128 that are no numbers.
pub fn is_bson_only(scalar: &Scalar<'_>) -> bool {
    match scalar {
        Scalar::Binary { subtype, .. } => *subtype != 0,
        Scalar::Decimal128(value) => !value.is_finite(),
        other => matches!(
            other.kind(),
            Kind::Regex
                | Kind::Code
                | Kind::Symbol
                | Kind::Timestamp
                | Kind::MinKey
                | Kind::MaxKey
                | Kind::Undefined
                | Kind::DbPointer
        ),
    }
}

impl<S> Wrap<S> {
    /// Wraps what BSON alone has, code with scope included.
    pub fn bson_only(inner: S) -> Self {
        Self::new(inner, is_bson_only)
    }
}

impl<S, F: FnMut(&Scalar<'_>) -> bool> Wrap<S, F> {
    /// Wraps the scalars that `wanted` picks, and code with scope.
    pub const fn new(inner: S, wanted: F) -> Self {
        Self { inner, wanted, code_with_scope: true, scratch: String::new() }
    }

    /// Whether code with scope is wrapped too.
    #[must_use]
    pub fn with_code_with_scope(self, code_with_scope: bool) -> Self {
        Self { code_with_scope, ..self }
    }

    /// The sink behind.
    pub fn into_inner(self) -> S {
        self.inner
    }

    /// The sink behind.
    pub const fn get_mut(&mut self) -> &mut S {
        &mut self.inner
    }
}

impl<S: Sink, F: FnMut(&Scalar<'_>) -> bool> Sink for Wrap<S, F> {
    type Error = S::Error;

    #[inline]
    fn begin_object(&mut self, container: Container) -> Result<Descend, S::Error> {
        self.inner.begin_object(container)
    }
    #[inline]
    fn end_object(&mut self) -> Result<(), S::Error> {
        self.inner.end_object()
    }
    #[inline]
    fn begin_array(&mut self, container: Container) -> Result<Descend, S::Error> {
        self.inner.begin_array(container)
    }
    #[inline]
    fn end_array(&mut self) -> Result<(), S::Error> {
        self.inner.end_array()
    }
    fn begin_code_with_scope(&mut self, code: &str, container: Container) -> Result<Descend, S::Error> {
        if self.code_with_scope {
            shape::begin_code_with_scope(code, container, &mut self.inner)
        } else {
            self.inner.begin_code_with_scope(code, container)
        }
    }
    fn end_code_with_scope(&mut self) -> Result<(), S::Error> {
        if self.code_with_scope {
            shape::end_code_with_scope(&mut self.inner)
        } else {
            self.inner.end_code_with_scope()
        }
    }
    #[inline]
    fn key(&mut self, name: &str, span: Span) -> Result<(), S::Error> {
        self.inner.key(name, span)
    }
    #[inline]
    fn scalar(&mut self, scalar: Scalar<'_>, span: Span) -> Result<(), S::Error> {
        let wrapped =
            (self.wanted)(&scalar) && shape::push(scalar, span, Form::Canonical, &mut self.scratch, &mut self.inner)?;
        if wrapped { Ok(()) } else { self.inner.scalar(scalar, span) }
    }
}
