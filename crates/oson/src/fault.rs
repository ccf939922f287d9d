//! The errors of this crate, made out of line.

use boson_document::{DecodeError, DecodeErrorKind, FlagFault, Limit, Rule};

use crate::width::narrow;

/// `rule` is broken at `offset`.
#[cold]
pub(crate) const fn broken(offset: usize, rule: Rule) -> DecodeError {
    DecodeError::new(offset, DecodeErrorKind::Broken(rule))
}

/// The flags at `offset` are refused.
#[cold]
pub(crate) const fn flags(offset: usize, flags: u16, fault: FlagFault) -> DecodeError {
    DecodeError::new(offset, DecodeErrorKind::UnsupportedFlags(flags, fault))
}

/// What begins before `end` should go on until `wanted`.
#[cold]
pub(crate) fn too_short(end: usize, wanted: usize) -> DecodeError {
    DecodeError::new(end, DecodeErrorKind::UnexpectedEnd { missing: narrow(wanted.saturating_sub(end)) })
}

/// The offset that stands at `slot`, counted from the start of the tree segment, leads to no node.
#[cold]
pub(crate) fn outside_tree(slot: usize, offset: usize) -> DecodeError {
    DecodeError::new(slot, DecodeErrorKind::OffsetOutOfRange(narrow(offset)))
}

/// The field id that stands at `slot` is not in the dictionary.
#[cold]
pub(crate) fn unknown_id(slot: usize, id: usize) -> DecodeError {
    DecodeError::new(slot, DecodeErrorKind::FieldIdOutOfRange(narrow(id)))
}

/// A bound of the caller's was reached at `offset`.
#[cold]
pub(crate) const fn limit(offset: usize, limit: Limit) -> DecodeError {
    DecodeError::new(offset, DecodeErrorKind::LimitExceeded(limit))
}

/// The text that begins at `offset` is not UTF-8.
#[cold]
pub(crate) fn invalid_utf8(offset: usize, bytes: &[u8]) -> DecodeError {
    let valid = std::str::from_utf8(bytes).map_or_else(|error| error.valid_up_to(), str::len);
    DecodeError::new(offset.saturating_add(valid), DecodeErrorKind::InvalidUtf8)
}
