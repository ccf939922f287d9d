//! Bytes as text, and documents as text.

use super::{Draft, Field, Verdict, id};
use crate::finding::{Actual, Loss, Reason, Risk, Spelling, Target};
use crate::shape::{Alphabet, Shape, UuidSpelling};

/// Bytes in hexadecimal or in Base64.
pub(super) fn bytes(field: &Field<'_>) -> Option<Verdict> {
    hexadecimal(field).or_else(|| base64(field))
}

/// Hexadecimal digits, MD5 sums among them; texts of decimal digits too where all have one length.
fn hexadecimal(field: &Field<'_>) -> Option<Verdict> {
    let is_sum = |shape: Shape| matches!(shape, Shape::Uuid { spelling: UuidSpelling::Bare, .. });
    let is_hex = |shape: Shape| matches!(shape, Shape::Hex(_)) || is_sum(shape);
    let len = only_len(field, is_hex);
    let digits = |shape: Shape| {
        let is_digits = matches!(shape, Shape::Integer(_) | Shape::LeadingZero);
        is_digits && len.is_some() && len == only_len(field, |found| found == shape)
    };
    let fits = |shape: Shape| is_hex(shape) || digits(shape);
    if field.count(is_hex) == 0 || !field.is_enough(field.count(fits)) {
        return None;
    }
    let sums = field.count(is_sum);
    let (case, in_another_case) = id::case(field, is_hex);
    let bytes = field.of(fits).fold(0_u64, |sum, stats| sum.saturating_add(stats.bytes / 2));
    // Subtype 5 is MD5.
    let subtype = if sums == field.count(is_hex) { 5 } else { 0 };
    Draft::new(field, Actual::Hexadecimal, fits)
        .binary(subtype, Spelling::Hexadecimal(case), bytes, &[Loss::Spelling(in_another_case)])
        .risk(true, Risk::Medium, Reason::TextSearch)
        .finish()
}

/// The one length of the texts that `wanted` wants.
fn only_len(field: &Field<'_>, wanted: impl Fn(Shape) -> bool) -> Option<u64> {
    let mut stats = field.of(wanted);
    let first = stats.next().filter(|first| first.len_min == first.len_max)?;
    stats.all(|stats| stats.len_min == first.len_min && stats.len_max == first.len_min).then_some(first.len_min)
}

/// Base64: most texts have letters of both cases and digits, and a good part something that words do not have.
fn base64(field: &Field<'_>) -> Option<Verdict> {
    let is_base64 = |shape: Shape| matches!(shape, Shape::Base64 { .. });
    let fits = field.count(is_base64);
    let mixed = field.count(|shape| matches!(shape, Shape::Base64 { mixed: true, .. }));
    let marked = field.count(|shape| matches!(shape, Shape::Base64 { marked: true, .. }));
    let of =
        |wanted: Alphabet| field.count(|shape| matches!(shape, Shape::Base64 { alphabet, .. } if alphabet == wanted));
    if !field.is_enough(fits) || mixed.saturating_mul(10) < fits.saturating_mul(8) || marked.saturating_mul(4) < fits {
        return None;
    }
    let (standard, url) = (of(Alphabet::Standard), of(Alphabet::Url));
    let alphabet = if url > standard { Alphabet::Url } else { Alphabet::Standard };
    let losses = [Loss::Spelling(standard.min(url))];
    Draft::new(field, Actual::Base64, is_base64)
        .binary(0, Spelling::Base64(alphabet), base64_bytes(field), &losses)
        .risk(true, Risk::Medium, Reason::TextSearch)
        .finish()
}

/// The bytes that the texts stand for.
fn base64_bytes(field: &Field<'_>) -> u64 {
    field.shapes.iter().fold(0, |sum, stats| {
        let Shape::Base64 { padding, .. } = stats.shape else { return sum };
        let groups = stats.bytes / 4;
        sum.saturating_add(groups.saturating_mul(3)).saturating_sub(u64::from(padding).saturating_mul(stats.count))
    })
}

/// Documents as JSON text.
pub(super) fn json(field: &Field<'_>) -> Option<Verdict> {
    let is_json = |shape: Shape| shape == Shape::Json;
    let fits = field.count(is_json);
    if !field.is_enough(fits) {
        return None;
    }
    Draft::new(field, Actual::Json, is_json).unknown(Target::Document, &[Loss::JsonText(fits)]).finish()
}
