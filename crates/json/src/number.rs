//! Which type a JSON number becomes.

use boson_document::{Container, Decimal, Decimal128, DecodeError, DecodeErrorKind, Descend, Rule, Scalar, Sink, Span};

/// The scalar of a number in JSON's grammar: the smallest integer type that holds it, else its text. `None` when it is
/// not UTF-8, which such a number always is.
#[inline]
pub(crate) fn scalar_of_number(text: &[u8]) -> Option<Scalar<'_>> {
    match integer(text) {
        Some(value) => Some(scalar_of_integer(value)),
        None => std::str::from_utf8(text).ok().map(Scalar::DecimalText),
    }
}

/// `Int32` if it fits, else `Int64`.
#[inline]
pub(crate) fn scalar_of_integer(value: i64) -> Scalar<'static> {
    i32::try_from(value).map_or(Scalar::Int64(value), Scalar::Int32)
}

/// The number, if its text is an integer's that fits. `-0` is none, since no integer keeps its sign.
#[inline]
pub(crate) fn integer(text: &[u8]) -> Option<i64> {
    const DIGITS_MAX: usize = 19;
    let (negative, digits) = match text {
        [b'-', digits @ ..] => (true, digits),
        digits => (false, digits),
    };
    if digits.len() > DIGITS_MAX {
        return None;
    }
    let mut magnitude = 0_u64;
    for byte in digits {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        // Nineteen nines are below 2^64.
        magnitude = magnitude.wrapping_mul(10).wrapping_add(u64::from(digit));
    }
    match negative {
        false => i64::try_from(magnitude).ok(),
        true if magnitude == 0 => None,
        true => 0_i64.checked_sub_unsigned(magnitude),
    }
}

/// What becomes of a number that neither an int64 nor a double holds exactly.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Inexact {
    /// A Decimal128; an error when not even that holds it: more than 34 significant digits, or an exponent beyond its
    /// range.
    #[default]
    Decimal128,
    /// The nearest double: digits are lost. An error beyond them all, where that would be an infinity.
    Double,
    /// An error.
    Error,
}

/// Gives every number a type, between a source that keeps their text and a sink that cannot.
///
/// A `DecimalText` becomes a double if that double prints as the same number (`0.1` and `1e400` differ in this, though
/// neither is a double exactly), else what [`Inexact`] says. Everything else passes through.
#[derive(Clone, Debug)]
pub struct Resolve<S> {
    inner: S,
    inexact: Inexact,
}

impl<S> Resolve<S> {
    /// Numbers that no double holds become Decimal128.
    pub const fn new(inner: S) -> Self {
        Self::with_policy(inner, Inexact::Decimal128)
    }

    /// Numbers that no double holds become what `inexact` says.
    pub const fn with_policy(inner: S, inexact: Inexact) -> Self {
        Self { inner, inexact }
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

/// The type of the number `text`, in JSON's grammar, by the policy; `None` where it demands an error.
pub(crate) fn resolve(text: &str, inexact: Inexact) -> Option<Scalar<'static>> {
    let number = Decimal::parse(text).ok();
    if let Some(double) = number.as_ref().and_then(Decimal::to_f64_exact) {
        return Some(Scalar::Double(double));
    }
    match inexact {
        // More digits than a Decimal holds may still be zeros that a Decimal128 can drop.
        Inexact::Decimal128 => Decimal128::parse(text).ok().map(Scalar::Decimal128),
        Inexact::Double => text.parse().ok().filter(|double: &f64| double.is_finite()).map(Scalar::Double),
        Inexact::Error => None,
    }
}

impl<S: Sink> Sink for Resolve<S> {
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
    #[inline]
    fn begin_code_with_scope(&mut self, code: &str, container: Container) -> Result<Descend, S::Error> {
        self.inner.begin_code_with_scope(code, container)
    }
    #[inline]
    fn end_code_with_scope(&mut self) -> Result<(), S::Error> {
        self.inner.end_code_with_scope()
    }
    #[inline]
    fn key(&mut self, name: &str, span: Span) -> Result<(), S::Error> {
        self.inner.key(name, span)
    }
    #[inline]
    fn scalar(&mut self, scalar: Scalar<'_>, span: Span) -> Result<(), S::Error> {
        let Scalar::DecimalText(text) = scalar else { return self.inner.scalar(scalar, span) };
        match resolve(text, self.inexact) {
            Some(resolved) => self.inner.scalar(resolved, span),
            None => Err(inexact_number(span.offset).into()),
        }
    }
}

#[cold]
fn inexact_number(offset: usize) -> DecodeError {
    DecodeError::new(offset, DecodeErrorKind::Broken(Rule::InexactNumber))
}
