//! Where a walk over a document delivers what it finds.

use crate::error::DecodeError;
use crate::scalar::Scalar;
use crate::span::Span;

/// What is known of a container when a walk reaches it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Container {
    /// Its bytes: of BSON the whole document from its length to its NUL; of OSON the container's own node, without its
    /// children; of JSON text the opening brace or bracket.
    pub span: Span,
    /// How many members it has, where the format says so before they come.
    pub len: Option<usize>,
}

/// Whether a sink wants what is inside a container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Descend {
    /// Deliver the members, then the end.
    Into,
    /// Go on after the container: neither its members nor its end are delivered.
    Skip,
}

/// Receives one document as a walk meets it: containers begin and end, each member of an object is announced by its key.
///
/// Writers, the profiler, the tree builder and the Python objects are sinks. A sink has no lifetime of its own: nothing
/// it is handed may be kept without a copy. Spans are byte ranges in the source document; for sources that have no
/// bytes they are empty.
///
/// A scalar or a container may be the root. The calls of a source are well-formed: every begin that was answered with
/// [`Descend::Into`] has its end, and inside an object (or the scope of code) each value follows its key.
pub trait Sink {
    /// What stops the walk. A source's own faults arrive through the same type.
    type Error: From<DecodeError>;

    /// An object begins.
    fn begin_object(&mut self, container: Container) -> Result<Descend, Self::Error>;

    /// The object that was begun last ends.
    fn end_object(&mut self) -> Result<(), Self::Error>;

    /// An array begins.
    fn begin_array(&mut self, container: Container) -> Result<Descend, Self::Error>;

    /// The array that was begun last ends.
    fn end_array(&mut self) -> Result<(), Self::Error>;

    /// JavaScript with a scope begins (BSON 0x0F): `container` is the scope, whose fields follow.
    fn begin_code_with_scope(&mut self, code: &str, container: Container) -> Result<Descend, Self::Error>;

    /// The scope that was begun last ends.
    fn end_code_with_scope(&mut self) -> Result<(), Self::Error>;

    /// The name of the member that comes next; `span` is the name's bytes, without length or terminator.
    fn key(&mut self, name: &str, span: Span) -> Result<(), Self::Error>;

    /// The same of a document that keeps its names apart and refers to them by numbers, as OSON does: `number` stands for
    /// `name` wherever it occurs in this document, and counts from 1 to the number of names that there are.
    ///
    /// A sink that makes something of each name can then do so once; to all others it is [`key`](Self::key).
    #[inline]
    fn numbered_key(&mut self, number: usize, name: &str, span: Span) -> Result<(), Self::Error> {
        let _ = number;
        self.key(name, span)
    }

    /// A leaf; `span` is the value's bytes with its length, without type and name.
    fn scalar(&mut self, scalar: Scalar<'_>, span: Span) -> Result<(), Self::Error>;
}

/// A document that can be walked, as often as asked.
pub trait Source {
    /// Delivers the whole document to `sink`.
    ///
    /// # Errors
    ///
    /// The document's first fault, or what the sink returned.
    fn drive<S: Sink>(&self, sink: &mut S) -> Result<(), S::Error>;
}

impl<T: Source + ?Sized> Source for &T {
    fn drive<S: Sink>(&self, sink: &mut S) -> Result<(), S::Error> {
        (**self).drive(sink)
    }
}

impl<T: Sink + ?Sized> Sink for &mut T {
    type Error = T::Error;

    fn begin_object(&mut self, container: Container) -> Result<Descend, T::Error> {
        (**self).begin_object(container)
    }
    fn end_object(&mut self) -> Result<(), T::Error> {
        (**self).end_object()
    }
    fn begin_array(&mut self, container: Container) -> Result<Descend, T::Error> {
        (**self).begin_array(container)
    }
    fn end_array(&mut self) -> Result<(), T::Error> {
        (**self).end_array()
    }
    fn begin_code_with_scope(&mut self, code: &str, container: Container) -> Result<Descend, T::Error> {
        (**self).begin_code_with_scope(code, container)
    }
    fn end_code_with_scope(&mut self) -> Result<(), T::Error> {
        (**self).end_code_with_scope()
    }
    fn key(&mut self, name: &str, span: Span) -> Result<(), T::Error> {
        (**self).key(name, span)
    }
    fn numbered_key(&mut self, number: usize, name: &str, span: Span) -> Result<(), T::Error> {
        (**self).numbered_key(number, name, span)
    }
    fn scalar(&mut self, scalar: Scalar<'_>, span: Span) -> Result<(), T::Error> {
        (**self).scalar(scalar, span)
    }
}

/// A sink that wants everything and keeps nothing: driving it checks a document.
#[derive(Clone, Copy, Debug, Default)]
pub struct Discard;

impl Sink for Discard {
    type Error = DecodeError;

    fn begin_object(&mut self, _: Container) -> Result<Descend, DecodeError> {
        Ok(Descend::Into)
    }
    fn end_object(&mut self) -> Result<(), DecodeError> {
        Ok(())
    }
    fn begin_array(&mut self, _: Container) -> Result<Descend, DecodeError> {
        Ok(Descend::Into)
    }
    fn end_array(&mut self) -> Result<(), DecodeError> {
        Ok(())
    }
    fn begin_code_with_scope(&mut self, _: &str, _: Container) -> Result<Descend, DecodeError> {
        Ok(Descend::Into)
    }
    fn end_code_with_scope(&mut self) -> Result<(), DecodeError> {
        Ok(())
    }
    fn key(&mut self, _: &str, _: Span) -> Result<(), DecodeError> {
        Ok(())
    }
    fn scalar(&mut self, _: Scalar<'_>, _: Span) -> Result<(), DecodeError> {
        Ok(())
    }
}
