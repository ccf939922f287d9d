//! The walk that every conversion shares: containers and names pass through, leaves are mapped by the target.

use boson_document::{Container, Descend, Regex, Scalar, Sink, Span};
use boson_json::{Unwrapped, Wrap};

use crate::error::{ConvertError, Fault, Refusal};
use crate::format::Format;
use crate::names::Names;
use crate::place::Place;
use crate::policy::{DuplicateNames, Policy};
use crate::repeats::Repeats;
use crate::report::{Loss, Report};

/// What the target makes of a source's leaves.
pub(crate) trait Target {
    /// The format of the source.
    fn from(&self) -> Format;

    /// Hands `out` what stands for `scalar`.
    fn scalar<W: Writer>(&self, scalar: Scalar<'_>, span: Span, out: &mut Out<'_, W>) -> Result<(), ConvertError>;

    /// Whether code with scope is a type of its own here; else it is written as an Extended JSON object.
    fn has_code_with_scope(&self) -> bool;

    /// What code with scope does not keep.
    fn code_with_scope_loss(&self) -> Option<Loss>;

    /// Whether an object with a member of this name would be taken for the wrapper of a scalar.
    fn is_ambiguous(&self, name: &str) -> bool;

    /// Whether names that occur more than once are looked for.
    fn watches_names(&self) -> bool;
}

/// A sink that a conversion can write to.
pub(crate) trait Writer: Sink<Error: Into<ConvertError>> {}

impl<S: Sink<Error: Into<ConvertError>>> Writer for S {}

type WrapAll<W> = Wrap<W, fn(&Scalar<'_>) -> bool>;

/// The way out: the writer, and what is needed to say where something was lost.
pub(crate) struct Out<'r, W> {
    /// The writer, behind an adapter that is passed by for all that needs no wrapper.
    wrap: WrapAll<W>,
    place: &'r mut Place,
    report: &'r mut Report,
    pattern: &'r mut String,
}

/// Memory that a conversion needs, kept from one document to the next.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    pub(crate) repeats: Repeats,
    pub(crate) carry: Memory,
}

/// The part of it that the walk itself needs.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    place: Place,
    names: Names,
    pattern: String,
}

impl<W: Writer> Out<'_, W> {
    /// Writes a leaf as it is.
    #[inline]
    pub(crate) fn put(&mut self, scalar: Scalar<'_>, span: Span) -> Result<(), ConvertError> {
        let written = self.wrap.get_mut().scalar(scalar, span);
        written.map_err(|error| self.place_error(error))
    }

    /// Writes a leaf as the extended object that stands for it.
    pub(crate) fn put_wrapped(&mut self, scalar: Scalar<'_>, span: Span) -> Result<(), ConvertError> {
        let written = self.wrap.scalar(scalar, span);
        written.map_err(|error| self.place_error(error))
    }

    /// Counts a loss at the value that is being carried over.
    #[cold]
    pub(crate) fn lose(&mut self, loss: Loss) {
        self.place.pattern(self.pattern);
        self.report.add(loss, self.pattern);
    }

    /// Counts the options of a regular expression that the writer sorts.
    pub(crate) fn lose_options(&mut self, regex: Regex<'_>) {
        if !regex.options().chars().is_sorted() {
            self.lose(Loss::RegexOptions);
        }
    }

    /// Counts a loss at the object whose next member is about to be carried over.
    #[cold]
    fn lose_object(&mut self, loss: Loss) {
        self.place.container_pattern(self.pattern);
        self.report.add(loss, self.pattern);
    }

    /// The error of a value that the policy refuses.
    #[cold]
    pub(crate) fn refuse<T>(&self, refusal: Refusal) -> Result<T, ConvertError> {
        Err(ConvertError::new(Fault::Refused(refusal), self.place.path()))
    }

    #[cold]
    fn place_error(&self, error: W::Error) -> ConvertError {
        error.into().or_at(|| self.place.path())
    }

    #[inline]
    fn written<T>(&self, written: Result<T, W::Error>) -> Result<T, ConvertError> {
        written.map_err(|error| self.place_error(error))
    }
}

/// A sink between a source and a writer, which carries leaves over into the types of the writer's format.
pub(crate) struct Carry<'r, W, T> {
    out: Out<'r, W>,
    target: T,
    duplicate_names: DuplicateNames,
    names: Option<&'r mut Names>,
}

/// The choice of a wrapper that is only handed what is to be wrapped.
const ALWAYS: fn(&Scalar<'_>) -> bool = |_| true;

impl<'r, W: Writer, T: Target> Carry<'r, W, T> {
    pub(crate) fn new(writer: W, target: T, policy: &Policy, report: &'r mut Report, memory: &'r mut Memory) -> Self {
        let Memory { place, names, pattern } = memory;
        place.clear();
        names.clear();
        let wrap = WrapAll::new(writer, ALWAYS).with_code_with_scope(!target.has_code_with_scope());
        Self {
            out: Out { wrap, place, report, pattern },
            duplicate_names: policy.duplicate_names,
            names: target.watches_names().then_some(names),
            target,
        }
    }

    /// The leaf that was carried over last was the content of a wrapper object.
    pub(crate) fn unwrapped(&mut self, unwrapped: Unwrapped) {
        // In JSON text that is how such values are written; elsewhere an object was taken for one.
        if self.target.from() != Format::Json {
            self.out.lose(Loss::Unwrapped);
        }
        if unwrapped == Unwrapped::Rounded {
            self.out.lose(Loss::NumberRounded);
        }
    }

    /// A member called `name` of the object that the walk is in is not carried over, because another one has its name.
    pub(crate) fn leave_out(&mut self, name: &str) {
        let Out { place, pattern, .. } = &mut self.out;
        place.container_pattern(pattern);
        self.out.lose_member(name);
    }

    fn entered(&mut self, descend: Descend) -> Descend {
        if descend == Descend::Into {
            self.out.place.enter_object();
            if let Some(names) = &mut self.names {
                names.enter();
            }
        }
        descend
    }

    fn left(&mut self) -> Result<(), ConvertError> {
        self.out.place.leave();
        let Some(names) = &mut self.names else { return Ok(()) };
        let (out, policy) = (&mut self.out, self.duplicate_names);
        names.leave(|name, _| {
            if policy == DuplicateNames::Error {
                return out.refuse_name(name);
            }
            out.lose_name(name);
            Ok(())
        })
    }
}

impl<W: Writer> Out<'_, W> {
    #[cold]
    fn refuse_name(&self, name: &str) -> Result<(), ConvertError> {
        let mut path = self.place.path();
        path.push_field(name);
        Err(ConvertError::new(Fault::Refused(Refusal::DuplicateName), path))
    }

    #[cold]
    fn lose_name(&mut self, name: &str) {
        self.place.pattern(self.pattern);
        self.lose_member(name);
    }

    /// Counts a repeated name in the object whose path is in `pattern`.
    #[cold]
    fn lose_member(&mut self, name: &str) {
        use std::fmt::Write;
        // Writing to a string cannot fail.
        write!(self.pattern, "{}", boson_document::FieldName(name)).unwrap_or_default();
        self.report.add(Loss::DuplicateName, self.pattern);
    }
}

impl<W: Writer, T: Target> Sink for Carry<'_, W, T> {
    type Error = ConvertError;

    #[inline]
    fn begin_object(&mut self, container: Container) -> Result<Descend, ConvertError> {
        self.out.place.value();
        let begun = self.out.wrap.get_mut().begin_object(container);
        self.out.written(begun).map(|descend| self.entered(descend))
    }

    #[inline]
    fn end_object(&mut self) -> Result<(), ConvertError> {
        let ended = self.out.wrap.get_mut().end_object();
        self.out.written(ended)?;
        self.left()
    }

    #[inline]
    fn begin_array(&mut self, container: Container) -> Result<Descend, ConvertError> {
        self.out.place.value();
        let begun = self.out.wrap.get_mut().begin_array(container);
        let descend = self.out.written(begun)?;
        if descend == Descend::Into {
            self.out.place.enter_array();
        }
        Ok(descend)
    }

    #[inline]
    fn end_array(&mut self) -> Result<(), ConvertError> {
        let ended = self.out.wrap.get_mut().end_array();
        self.out.written(ended)?;
        self.out.place.leave();
        Ok(())
    }

    fn begin_code_with_scope(&mut self, code: &str, container: Container) -> Result<Descend, ConvertError> {
        self.out.place.value();
        // OSON has no type for it, so it was an object.
        if self.target.from() == Format::Oson {
            self.out.lose(Loss::Unwrapped);
        }
        if let Some(loss) = self.target.code_with_scope_loss() {
            self.out.lose(loss);
        }
        let begun = self.out.wrap.begin_code_with_scope(code, container);
        self.out.written(begun).map(|descend| self.entered(descend))
    }

    fn end_code_with_scope(&mut self) -> Result<(), ConvertError> {
        let ended = self.out.wrap.end_code_with_scope();
        self.out.written(ended)?;
        self.left()
    }

    #[inline]
    fn key(&mut self, name: &str, span: Span) -> Result<(), ConvertError> {
        if name.starts_with('$') && self.target.is_ambiguous(name) {
            self.out.lose_object(Loss::WrapperAmbiguous);
        }
        self.out.place.key(name);
        if let Some(names) = &mut self.names {
            names.key(name);
        }
        let written = self.out.wrap.get_mut().key(name, span);
        self.out.written(written)
    }

    #[inline]
    fn scalar(&mut self, scalar: Scalar<'_>, span: Span) -> Result<(), ConvertError> {
        self.out.place.value();
        self.target.scalar(scalar, span, &mut self.out)
    }
}
