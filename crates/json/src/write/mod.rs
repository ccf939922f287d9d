//! Writing JSON text.

mod escape;
mod plain;

use std::io;

use boson_document::{Container, DecodeError, Descend, Scalar, Sink, Span};

use crate::extended::shape::{self, Form};

/// How values are written that JSON has no type for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// As people read them, and as Oracle Database serializes them: binary as upper-case hexadecimal digits, ids as
    /// lower-case ones, dates and times as ISO 8601, intervals as ISO 8601 durations, vectors as arrays of numbers.
    ///
    /// NaN and the infinities become the strings `NaN`, `Infinity` and `-Infinity`; a date outside the years 0 to 9999 its
    /// number of milliseconds; a regular expression `/pattern/options`; code and symbols their text; a timestamp
    /// `seconds:increment`; a DBPointer `namespace:id`; min and max key `MinKey` and `MaxKey`; undefined becomes null; code with
    /// scope `{"code": …, "scope": {…}}`. None of these can be read back as what it was.
    #[default]
    Plain,
    /// MongoDB Extended JSON v2 canonical: every type is read back.
    ExtendedCanonical,
    /// MongoDB Extended JSON v2 relaxed: numbers are JSON's, dates from 1970 to 9999 are ISO 8601.
    ExtendedRelaxed,
    /// Oracle's extended objects, `{"$oracleDate": …}`, and MongoDB's relaxed ones for what only BSON has.
    Oracle,
}

impl Style {
    const fn form(self) -> Option<Form> {
        match self {
            Self::Plain => None,
            Self::ExtendedCanonical => Some(Form::Canonical),
            Self::ExtendedRelaxed => Some(Form::Relaxed),
            Self::Oracle => Some(Form::Oracle),
        }
    }
}

/// What stops a writer.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The document that was being written is broken.
    #[error(transparent)]
    Decode(#[from] DecodeError),
    /// The output did not take the text.
    #[error("writing failed: {0}")]
    Io(#[from] io::Error),
}

/// A sink that writes JSON text.
///
/// Writes are small; put a `BufWriter` around anything but memory. After the end of one document the next may follow; what
/// stands between them is written with [`separate`](Self::separate).
#[derive(Debug)]
pub struct Writer<W> {
    out: W,
    style: Style,
    /// Spaces for each level; `None` for text on one line.
    indent: Option<usize>,
    redact: bool,
    depth: usize,
    /// No member or element has been written in the innermost container.
    fresh: bool,
    /// A name has been written and not its value.
    after_key: bool,
    scratch: String,
}

/// What stands for sensitive values when they are not to be shown.
const REDACTED: &str = "REDACTED";

impl<W: io::Write> Writer<W> {
    /// A writer of compact text.
    pub const fn new(out: W, style: Style) -> Self {
        Self {
            out,
            style,
            indent: None,
            redact: false,
            depth: 0,
            fresh: true,
            after_key: false,
            scratch: String::new(),
        }
    }

    /// One member or element a line, `indent` spaces for each level.
    #[must_use]
    pub fn pretty(self, indent: usize) -> Self {
        Self { indent: Some(indent), ..self }
    }

    /// Writes `REDACTED` in place of binary values of subtype 8, which MongoDB calls sensitive: for what people read, not
    /// for what is read back.
    #[must_use]
    pub fn redact_sensitive(self, redact: bool) -> Self {
        Self { redact, ..self }
    }

    /// Writes `text` as it is, between two documents.
    ///
    /// # Errors
    ///
    /// What the output answered.
    pub fn separate(&mut self, text: &str) -> io::Result<()> {
        self.out.write_all(text.as_bytes())
    }

    /// The output behind, with all that was written: nothing is held back here.
    pub fn into_inner(self) -> W {
        self.out
    }

    /// The output behind.
    pub const fn get_mut(&mut self) -> &mut W {
        &mut self.out
    }

    /// Writes what goes before a value: a comma and a new line inside an array, nothing after a name.
    #[inline]
    fn before_value(&mut self) -> io::Result<()> {
        if self.after_key {
            self.after_key = false;
            return Ok(());
        }
        self.before_member()
    }

    /// Writes what goes before a member or element.
    #[inline]
    fn before_member(&mut self) -> io::Result<()> {
        if self.depth == 0 {
            return Ok(());
        }
        if !self.fresh {
            self.out.write_all(b",")?;
        }
        self.fresh = false;
        if self.indent.is_some() { self.new_line() } else { Ok(()) }
    }

    #[cold]
    fn new_line(&mut self) -> io::Result<()> {
        self.out.write_all(b"\n")?;
        let spaces = self.indent.unwrap_or(0).saturating_mul(self.depth);
        io::copy(&mut io::Read::take(io::repeat(b' '), u64::try_from(spaces).unwrap_or(0)), &mut self.out)?;
        Ok(())
    }

    #[inline]
    fn begin(&mut self, bracket: u8) -> io::Result<()> {
        self.before_value()?;
        self.out.write_all(&[bracket])?;
        self.depth = self.depth.saturating_add(1);
        self.fresh = true;
        Ok(())
    }

    #[inline]
    fn end(&mut self, bracket: u8) -> io::Result<()> {
        self.depth = self.depth.saturating_sub(1);
        if !self.fresh && self.indent.is_some() {
            self.new_line()?;
        }
        self.fresh = false;
        self.out.write_all(&[bracket])
    }

    #[inline]
    fn write_key(&mut self, name: &str) -> io::Result<()> {
        self.before_member()?;
        escape::write_string(&mut self.out, name)?;
        self.after_key = true;
        if self.indent.is_some() { self.out.write_all(b": ") } else { self.out.write_all(b":") }
    }

    /// Writes a token that stands for a value.
    #[inline]
    fn token(&mut self, token: &[u8]) -> io::Result<()> {
        self.before_value()?;
        self.out.write_all(token)
    }

    #[inline]
    fn string(&mut self, text: &str) -> io::Result<()> {
        self.before_value()?;
        escape::write_string(&mut self.out, text)
    }

    /// Writes a scalar that JSON has a type for; false for any other.
    #[inline]
    fn native(&mut self, scalar: Scalar<'_>) -> io::Result<bool> {
        match scalar {
            Scalar::String(text) => self.string(text)?,
            Scalar::Int32(value) => self.token(itoa::Buffer::new().format(value).as_bytes())?,
            Scalar::Int64(value) => self.token(itoa::Buffer::new().format(value).as_bytes())?,
            Scalar::Double(value) if value.is_finite() => {
                self.token(zmij::Buffer::new().format_finite(value).as_bytes())?;
            }
            Scalar::Float(value) if value.is_finite() => {
                self.token(zmij::Buffer::new().format_finite(value).as_bytes())?;
            }
            Scalar::Number(value) => self.token(value.to_text().as_bytes())?,
            Scalar::DecimalText(text) => self.token(text.as_bytes())?,
            Scalar::Bool(true) => self.token(b"true")?,
            Scalar::Bool(false) => self.token(b"false")?,
            Scalar::Null => self.token(b"null")?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Writes a scalar that JSON has no type for, or that the style wants inside a wrapper.
    fn foreign(&mut self, scalar: Scalar<'_>, span: Span) -> Result<(), WriteError> {
        if self.redact && matches!(scalar, Scalar::Binary { subtype: 8, .. }) {
            return Ok(self.string(REDACTED)?);
        }
        let mut scratch = std::mem::take(&mut self.scratch);
        let written = match self.style.form() {
            None => plain::write(self, scalar, span, &mut scratch),
            Some(form) => match shape::push(scalar, span, form, &mut scratch, &mut Bare(self)) {
                Ok(false) => self.native(scalar).map(|_| ()).map_err(WriteError::from),
                wrapped => wrapped.map(|_| ()),
            },
        };
        self.scratch = scratch;
        written
    }
}

impl<W: io::Write> Sink for Writer<W> {
    type Error = WriteError;

    #[inline]
    fn begin_object(&mut self, _: Container) -> Result<Descend, WriteError> {
        self.begin(b'{')?;
        Ok(Descend::Into)
    }
    #[inline]
    fn end_object(&mut self) -> Result<(), WriteError> {
        Ok(self.end(b'}')?)
    }
    #[inline]
    fn begin_array(&mut self, _: Container) -> Result<Descend, WriteError> {
        self.begin(b'[')?;
        Ok(Descend::Into)
    }
    #[inline]
    fn end_array(&mut self) -> Result<(), WriteError> {
        Ok(self.end(b']')?)
    }
    fn begin_code_with_scope(&mut self, code: &str, container: Container) -> Result<Descend, WriteError> {
        match self.style {
            Style::Plain => plain::begin_code_with_scope(self, code),
            _ => shape::begin_code_with_scope(code, container, self),
        }
    }
    fn end_code_with_scope(&mut self) -> Result<(), WriteError> {
        shape::end_code_with_scope(self)
    }
    #[inline]
    fn key(&mut self, name: &str, _: Span) -> Result<(), WriteError> {
        Ok(self.write_key(name)?)
    }
    #[inline]
    fn scalar(&mut self, scalar: Scalar<'_>, span: Span) -> Result<(), WriteError> {
        let may_be_native = matches!(
            (self.style, &scalar),
            (Style::Plain, _)
                | (_, Scalar::String(_) | Scalar::Bool(_) | Scalar::Null)
                | (Style::ExtendedRelaxed, Scalar::Int32(_) | Scalar::Int64(_) | Scalar::Double(_))
                | (Style::Oracle, Scalar::Int32(_))
        );
        if may_be_native && self.native(scalar)? { Ok(()) } else { self.foreign(scalar, span) }
    }
}

/// The inside of a wrapper object: every scalar in it has a type in JSON.
struct Bare<'w, W>(&'w mut Writer<W>);

impl<W: io::Write> Sink for Bare<'_, W> {
    type Error = WriteError;

    fn begin_object(&mut self, container: Container) -> Result<Descend, WriteError> {
        self.0.begin_object(container)
    }
    fn end_object(&mut self) -> Result<(), WriteError> {
        self.0.end_object()
    }
    fn begin_array(&mut self, container: Container) -> Result<Descend, WriteError> {
        self.0.begin_array(container)
    }
    fn end_array(&mut self) -> Result<(), WriteError> {
        self.0.end_array()
    }
    fn begin_code_with_scope(&mut self, code: &str, container: Container) -> Result<Descend, WriteError> {
        self.0.begin_code_with_scope(code, container)
    }
    fn end_code_with_scope(&mut self) -> Result<(), WriteError> {
        self.0.end_code_with_scope()
    }
    fn key(&mut self, name: &str, span: Span) -> Result<(), WriteError> {
        self.0.key(name, span)
    }
    fn scalar(&mut self, scalar: Scalar<'_>, _: Span) -> Result<(), WriteError> {
        if self.0.native(scalar)? { Ok(()) } else { Ok(plain::not_finite(self.0, scalar)?) }
    }
}
