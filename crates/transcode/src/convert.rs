//! From one format to another, without a tree in between.

use boson_document::{Discard, Limits, Source};
use boson_json::{Dialects, Unwrap};

use crate::any::AnyDocument;
use crate::carry::{Carry, Scratch, Target, Writer};
use crate::error::{ConvertError, Fault};
use crate::format::Format;
use crate::policy::{DuplicateNames, Policy};
use crate::report::Report;
use crate::to_bson::ToBson;
use crate::to_json::ToJson;
use crate::to_oson::ToOson;

/// Appends `document` in the format `to` to `out`, and adds what could not be carried over to `report`.
///
/// [`Converter`] does the same for many documents and keeps its memory between them.
///
/// # Errors
///
/// The document's fault, or what the target cannot hold under `policy`; `out` is then as it was.
///
/// ```
/// use boson_transcode::{AnyDocument, Format, Loss, Policy, Report, convert};
///
/// let text = br#"{"_id": {"$oid": "56e1fc72e0c917e9c4714161"}, "at": {"$minKey": 1}}"#;
/// let (mut report, mut image) = (Report::new(), Vec::new());
/// convert(&AnyDocument::new(Format::Json, text)?, Format::Oson, &Policy::default(), &mut report, &mut image)?;
/// assert_eq!(report.count(Loss::Wrapped), 1);
///
/// let mut back = Vec::new();
/// convert(&AnyDocument::new(Format::Oson, &image)?, Format::Json, &Policy::default(), &mut report, &mut back)?;
/// assert_eq!(back, br#"{"_id":{"$oid":"56e1fc72e0c917e9c4714161"},"at":{"$minKey":1}}"#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn convert(
    document: &AnyDocument<'_>,
    to: Format,
    policy: &Policy,
    report: &mut Report,
    out: &mut Vec<u8>,
) -> Result<(), ConvertError> {
    Converter::new(to, policy.clone()).convert(document, report, out)
}

/// Converts documents to one format, by one policy.
#[derive(Debug)]
pub struct Converter {
    to: Format,
    policy: Policy,
    oson: boson_oson::write::Writer,
    scratch: Scratch,
}

impl Converter {
    /// A converter to the format `to`.
    pub fn new(to: Format, policy: Policy) -> Self {
        let oson = boson_oson::write::Writer::new(&boson_oson::write::Options {
            style: policy.oson_style,
            keep_order: policy.keep_order,
            limits: policy.oson_limits,
            duplicate_names: match policy.duplicate_names {
                DuplicateNames::Keep | DuplicateNames::Error => boson_oson::write::DuplicateNames::Error,
                DuplicateNames::First => boson_oson::write::DuplicateNames::First,
                DuplicateNames::Last => boson_oson::write::DuplicateNames::Last,
            },
        });
        Self { to, policy, oson, scratch: Scratch::default() }
    }

    /// The format that is written.
    pub const fn to(&self) -> Format {
        self.to
    }

    /// The choices that were made.
    pub const fn policy(&self) -> &Policy {
        &self.policy
    }

    /// Appends `document` in the target's format to `out`, and adds what could not be carried over to `report`.
    ///
    /// BSON to BSON is checked and copied byte for byte; OSON and JSON are written anew by the policy also when the format
    /// stays the same.
    ///
    /// # Errors
    ///
    /// The document's fault, or what the target cannot hold under the policy; `out` is then as it was.
    pub fn convert(
        &mut self,
        document: &AnyDocument<'_>,
        report: &mut Report,
        out: &mut Vec<u8>,
    ) -> Result<(), ConvertError> {
        let limits = self.policy.limits(document.format());
        let within = Within { document, limits };
        let converted = match (document, self.to) {
            (AnyDocument::Bson(bson), Format::Bson) => {
                report.begin_document();
                within.drive(&mut Discard).map_err(ConvertError::from).map(|()| out.extend_from_slice(bson.bytes()))
            }
            _ => self.convert_source(&within, document.format(), report, out),
        };
        converted.map_err(|error| match error.fault() {
            Fault::Source(fault) => {
                let offset = fault.offset;
                error.or_at(|| document.path_at(offset))
            }
            _ => error,
        })
    }

    /// Appends what `source` delivers in the target's format to `out`: a part of a document, or a tree. `from` is the
    /// format that its leaves mean.
    ///
    /// # Errors
    ///
    /// As [`convert`](Self::convert), except that a fault of the source has no path.
    pub fn convert_source(
        &mut self,
        source: &impl Source,
        from: Format,
        report: &mut Report,
        out: &mut Vec<u8>,
    ) -> Result<(), ConvertError> {
        report.begin_document();
        let policy = &self.policy;
        match self.to {
            Format::Bson => {
                let len = out.len();
                let mut writer = boson_bson::Writer::append_to(std::mem::take(out));
                let carried = carry(source, &mut writer, ToBson { policy, from }, policy, report, &mut self.scratch);
                *out = writer.into_bytes();
                // The document may be complete, and the source's fault lie after it.
                if carried.is_err() {
                    out.truncate(len);
                }
                carried
            }
            Format::Oson => {
                self.oson.clear();
                carry(source, &mut self.oson, ToOson { policy, from }, policy, report, &mut self.scratch)?;
                Ok(self.oson.finish(out)?)
            }
            Format::Json => {
                let len = out.len();
                let writer = boson_json::Writer::new(&mut *out, policy.json_style);
                let mut writer = writer.redact_sensitive(policy.redact_sensitive);
                let carried = carry(source, &mut writer, ToJson { policy, from }, policy, report, &mut self.scratch);
                if carried.is_err() {
                    out.truncate(len);
                }
                carried
            }
        }
    }
}

/// A document that is read within the policy's limits.
struct Within<'d, 'a> {
    document: &'d AnyDocument<'a>,
    limits: Limits,
}

impl Source for Within<'_, '_> {
    fn drive<S: boson_document::Sink>(&self, sink: &mut S) -> Result<(), S::Error> {
        self.document.drive_within(self.limits, sink)
    }
}

fn carry<W: Writer, T: Target>(
    source: &impl Source,
    writer: &mut W,
    target: T,
    policy: &Policy,
    report: &mut Report,
    scratch: &mut Scratch,
) -> Result<(), ConvertError> {
    let dialects = target.unwrapped(policy);
    let mut carry = Carry::new(writer, target, policy, report, scratch);
    match dialects {
        Some(dialects) => source.drive(&mut Unwrap::new(&mut carry, dialects)),
        None => source.drive(&mut carry),
    }
}

/// The wrapper objects that are turned into scalars on the way from one format to another.
pub(crate) fn unwrapped(from: Format, to: Format, policy: &Policy) -> Option<Dialects> {
    match (from, to) {
        (Format::Json, _) => Some(policy.dialects),
        // What is no wrapper after all is an object that somebody stored.
        (Format::Oson, Format::Bson) => policy.unwrap.then_some(Dialects::MONGODB.lenient()),
        _ => None,
    }
}
