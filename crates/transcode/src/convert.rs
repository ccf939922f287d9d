//! From one format to another, without a tree in between.

use boson_document::{DecodeError, Discard, Limits, Sink, Source, find_byte};
use boson_json::{Dialects, Style, Unwrap, Unwrapped};

use crate::any::AnyDocument;
use crate::carry::{Carry, Scratch, Target, Writer};
use crate::error::{ConvertError, Fault};
use crate::format::Format;
use crate::policy::{DuplicateNames, Policy};
use crate::repeats::{Prune, Repeats};
use crate::report::{Loss, Report};
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
            // Which of them is kept, if any, was decided before.
            duplicate_names: boson_oson::write::DuplicateNames::Error,
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
    /// BSON to BSON is checked and copied byte for byte, unless the policy has something to say about a name that it has
    /// twice; OSON and JSON are written anew by the policy also when the format stays the same.
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
            (AnyDocument::Bson(bson), Format::Bson) if !self.policy_changes(&within) => {
                report.begin_document();
                within.drive(&mut Discard).map_err(ConvertError::from).map(|()| out.extend_from_slice(bson.bytes()))
            }
            _ => {
                // The names of wrapper objects stand in BSON and OSON as they are.
                let may_wrap = document.format() == Format::Json || find_byte(b'$', document.bytes()).is_some();
                let dialects = self.dialects(document.format()).filter(|_| may_wrap);
                self.convert_unwrapping(&Unwrapping { source: &within, dialects }, document.format(), report, out)
            }
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
        let dialects = self.dialects(from);
        self.convert_unwrapping(&Unwrapping { source, dialects }, from, report, out)
    }

    fn dialects(&self, from: Format) -> Option<Dialects> {
        unwrapped(from, self.to, &self.policy)
    }

    /// Whether a BSON document has a name twice in an object and the policy does not keep both.
    fn policy_changes(&mut self, source: &impl Source) -> bool {
        if self.policy.duplicate_names == DuplicateNames::Keep {
            return false;
        }
        let repeats = &mut self.scratch.repeats;
        repeats.start(true);
        // A fault is found again by who reads the document next.
        source.drive(repeats).is_ok() && !repeats.dropped().is_empty()
    }

    fn convert_unwrapping(
        &mut self,
        source: &Unwrapping<'_, impl Source>,
        from: Format,
        report: &mut Report,
        out: &mut Vec<u8>,
    ) -> Result<(), ConvertError> {
        report.begin_document();
        let policy = &self.policy;
        match self.to {
            Format::Bson => {
                let len = out.len();
                let options = boson_bson::WriteOptions { limits: policy.bson_limits, ..Default::default() };
                let mut writer = boson_bson::Writer::append_to(std::mem::take(out)).with_options(options);
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
                let (start, is_deep) = (out.len(), self.oson.is_deeper_than_servers_allow());
                self.oson.finish(out)?;
                note_servers(out.get(start..).unwrap_or_default(), is_deep, report);
                Ok(())
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

/// Notes what of the image servers refuse, or read from a version on.
fn note_servers(image: &[u8], is_deep: bool, report: &mut Report) {
    // The fourth byte is the version: 3 where a name has more than 255 bytes.
    let has_long_names = image.get(3) == Some(&3);
    let is_large = image.len() > Limits::OSON.bytes;
    for (applies, note) in
        [(is_large, Loss::ServerBytes), (is_deep, Loss::ServerDepth), (has_long_names, Loss::ServerVersion)]
    {
        if applies {
            report.add(note, "$");
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

/// A source and the wrapper objects that are turned into scalars on its way.
struct Unwrapping<'s, S> {
    source: &'s S,
    dialects: Option<Dialects>,
}

impl<S: Source> Unwrapping<'_, S> {
    /// Hands the source to `sink`, and `notice` each scalar that came out of a wrapper.
    fn drive<K: Sink>(&self, mut sink: K, notice: impl FnMut(&mut K, Unwrapped)) -> Result<(), K::Error> {
        match self.dialects {
            Some(dialects) => self.source.drive(&mut Unwrap::noticing(sink, dialects, notice)),
            None => self.source.drive(&mut sink),
        }
    }
}

fn carry<W: Writer, T: Target>(
    source: &Unwrapping<'_, impl Source>,
    writer: &mut W,
    target: T,
    policy: &Policy,
    report: &mut Report,
    scratch: &mut Scratch,
) -> Result<(), ConvertError> {
    let Scratch { repeats, carry } = scratch;
    let carry = Carry::new(writer, target, policy, report, carry);
    match find_repeats(source, policy, repeats)? {
        [] => source.drive(carry, Carry::unwrapped),
        dropped => source.drive(Prune::new(carry, dropped), Prune::unwrapped),
    }
}

/// The members that are left out because another one has their name; none unless the policy keeps only one.
fn find_repeats<'r>(
    source: &Unwrapping<'_, impl Source>,
    policy: &Policy,
    repeats: &'r mut Repeats,
) -> Result<&'r [usize], DecodeError> {
    let keep_last = match policy.duplicate_names {
        DuplicateNames::Keep | DuplicateNames::Error => return Ok(&[]),
        DuplicateNames::First => false,
        DuplicateNames::Last => true,
    };
    repeats.start(keep_last);
    source.drive(&mut *repeats, |_, _| {})?;
    Ok(repeats.dropped())
}

/// The wrapper objects that are turned into scalars on the way from one format to another.
pub(crate) fn unwrapped(from: Format, to: Format, policy: &Policy) -> Option<Dialects> {
    let (unwrap, style) = (policy.unwrap, policy.json_style);
    match (from, to) {
        (Format::Json, Format::Oson) => Some(policy.dialects),
        // Only Oracle's text has place for a NUMBER.
        (Format::Json, Format::Json) if style == Style::Oracle => Some(policy.dialects),
        (Format::Json, _) => Some(policy.dialects.with_decimal128()),
        // What is no wrapper after all is an object that somebody stored.
        (Format::Oson, Format::Bson) => unwrap.then_some(Dialects::MONGODB.lenient()),
        (Format::Oson, Format::Json) => (unwrap && style != Style::Plain).then_some(Dialects::MONGODB.lenient()),
        (Format::Bson, Format::Oson) => unwrap.then_some(Dialects::ORACLE_TYPES.lenient()),
        (Format::Oson, Format::Oson) | (Format::Bson, Format::Bson | Format::Json) => None,
    }
}
