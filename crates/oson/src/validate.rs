//! Checking a whole image.

use std::collections::HashSet;

use boson_document::{
    Container, DecodeError, DecodeErrorKind, Descend, Limits, Located, Rule, Scalar, Sink, Source, Span,
};

use crate::dictionary::{Tier, short_hash};
use crate::fault;
use crate::path::path_at;
use crate::vector::Vector;
use crate::view::Document;
use crate::width::ub1;

/// Checks that `bytes` are one OSON image and nothing else, within `limits` and the bounds that the size of the image sets
/// ([`Document::limited`]).
///
/// That is:
/// - the header, and that its segments fill the image;
/// - every name: inside its heap, UTF-8, no other the same; of the short ones also the hash and the order by hash and
///   length, which lookups rely on (hashes and order of long names differ between writers);
/// - every entry of the overflow map: from the primary tree into the extended one;
/// - every value that the root leads to: its opcode, that it lies within one tree segment, its bytes by the rules of its
///   type, a NUMBER in the integer type of its opcode, a vector image; that forwardings lead somewhere and containers are
///   not inside themselves;
/// - every object: its field ids are in the dictionary, each once, and sorted where the object does not say otherwise;
///   ids that are shared belong to an object with ids of its own.
///
/// So no accessor of a view fails on an image that was validated. Bytes that nothing refers to are not looked at, nor are
/// the statistics of the header.
///
/// # Errors
///
/// The first fault, with the path of the value it is in.
pub fn validate(bytes: &[u8], limits: &Limits) -> Result<(), Located> {
    check(bytes, *limits).map_err(|error| error.at(path_at(bytes, error.offset)))
}

fn check(bytes: &[u8], limits: Limits) -> Result<(), DecodeError> {
    let document = Document::new(bytes)?;
    document.limited(limits).drive(&mut Checker)?;
    check_short_names(bytes, &document.header.short)?;
    check_distinct(&document)
}

/// Hashes and order of the short names, all of which the walk has found readable.
fn check_short_names(bytes: &[u8], tier: &Tier) -> Result<(), DecodeError> {
    let mut last = (0, 0);
    for index in 0..tier.count {
        let hash_at = tier.start.saturating_add(index);
        let span = tier.name_span(bytes, index)?;
        let place = (ub1(bytes, hash_at)?, span.len);
        let name = bytes.get(span.range()).unwrap_or_default();
        if place.0 != short_hash(name) || last > place {
            return Err(fault::broken(hash_at, Rule::DictionaryOrder));
        }
        last = place;
    }
    Ok(())
}

fn check_distinct(document: &Document<'_>) -> Result<(), DecodeError> {
    let mut seen = HashSet::with_capacity(document.header.name_count());
    for name in document.header.name_spans(document.source) {
        let span = name?;
        if !seen.insert(document.source.get(span.range())) {
            return Err(fault::broken(span.offset, Rule::DictionaryOrder));
        }
    }
    Ok(())
}

/// Checks what a walk leaves to those who use the value: vector images.
struct Checker;

impl Sink for Checker {
    type Error = DecodeError;

    fn scalar(&mut self, scalar: Scalar<'_>, span: Span) -> Result<(), DecodeError> {
        if let Scalar::OracleVector(image) = scalar {
            Vector::new(image).map_err(|error| error.shifted(span.end().saturating_sub(image.len())))?;
        }
        Ok(())
    }

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

    fn begin_code_with_scope(&mut self, _: &str, scope: Container) -> Result<Descend, DecodeError> {
        // OSON has none.
        Err(DecodeError::new(scope.span.offset, DecodeErrorKind::UnknownTag(0)))
    }

    fn end_code_with_scope(&mut self) -> Result<(), DecodeError> {
        Ok(())
    }

    fn key(&mut self, _: &str, _: Span) -> Result<(), DecodeError> {
        Ok(())
    }
}
