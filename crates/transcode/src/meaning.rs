//! A document as what it means, whatever it had to be written as.

use boson_document::{Sink, Source};
use boson_json::{Resolve, Unwrap};

use crate::any::AnyDocument;
use crate::convert::unwrapped;
use crate::format::Format;
use crate::policy::Policy;

/// A document in which the wrapper objects of JSON text and OSON are the scalars that they stand for, and the numbers of JSON
/// text have a type: what a conversion to BSON would make of it, or to OSON of what BSON has no type for, without their limits. This is what documents of
/// different formats are compared as.
///
/// ```
/// use boson_document::{Builder, ObjectId, Source, Value};
/// use boson_transcode::{AnyDocument, Format, Meaning, Policy};
///
/// let text = br#"{"$oid": "0123456789abcdef01234567"}"#;
/// let document = AnyDocument::new(Format::Json, text)?;
/// let mut builder = Builder::new();
/// Meaning::new(&document, &Policy::default()).drive(&mut builder)?;
/// let id: ObjectId = "0123456789abcdef01234567".parse()?;
/// assert_eq!(builder.finish(), Some(Value::ObjectId(id)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Meaning<'d, 'a> {
    document: &'d AnyDocument<'a>,
    policy: &'d Policy,
}

impl<'d, 'a> Meaning<'d, 'a> {
    /// What `document` means by `policy`: its dialects, whether OSON is unwrapped, what becomes of inexact numbers.
    pub const fn new(document: &'d AnyDocument<'a>, policy: &'d Policy) -> Self {
        Self { document, policy }
    }
}

impl Source for Meaning<'_, '_> {
    fn drive<S: Sink>(&self, sink: &mut S) -> Result<(), S::Error> {
        let Self { document, policy } = self;
        let limits = policy.limits(document.format());
        // The way to OSON keeps a NUMBER of text a NUMBER, and finds Oracle's types in BSON; OSON's own objects are those of
        // the way to BSON.
        let to = if document.format() == Format::Oson { Format::Bson } else { Format::Oson };
        match unwrapped(document.format(), to, policy) {
            None => document.drive_within(limits, sink),
            Some(dialects) if document.format() == Format::Json => {
                let resolve = Resolve::with_policy(sink, policy.inexact);
                document.drive_within(limits, &mut Unwrap::new(resolve, dialects))
            }
            Some(dialects) => document.drive_within(limits, &mut Unwrap::new(sink, dialects)),
        }
    }
}
