//! Words for true and false, and for nothing.

use super::{Draft, Field, Verdict};
use crate::finding::{Actual, Loss, Spelling, Stays, Target};
use crate::shape::{BoolWords, Shape};

/// Truth values: pairs of words, both of which occur, unless the words are `true` and `false` themselves.
pub(super) fn truth(field: &Field<'_>) -> Option<Verdict> {
    let words = |shape| match shape {
        Shape::Bool { words, .. } => Some(words),
        _ => None,
    };
    let is_word = |shape: Shape| words(shape).is_some();
    if !field.is_enough(field.count(is_word)) {
        return None;
    }
    let of = |wanted: bool| field.count(move |shape| matches!(shape, Shape::Bool { value, .. } if value == wanted));
    let certain = field.count(|shape| words(shape).is_some_and(BoolWords::is_certain));
    if certain == 0 && (of(true) == 0 || of(false) == 0) {
        return Some(field.leaves(Stays::OneWordOnly, is_word));
    }
    let (most, others) = field.most(words)?;
    let draft = Draft::new(field, Actual::Boolean, is_word);
    draft.way(Target::Bool, Spelling::Words(most), &[Loss::Spelling(others)]).finish()
}

/// Nothing but words for nothing.
pub(super) fn nothing(field: &Field<'_>) -> Option<Verdict> {
    let is_word = |shape: Shape| matches!(shape, Shape::Null(_));
    let words = field.count(is_word);
    if words == 0 {
        return None;
    }
    let kinds = field.of(is_word).count();
    let spelled_otherwise = if kinds > 1 { words } else { 0 };
    let draft = Draft::new(field, Actual::Nothing, is_word);
    draft.way(Target::Null, Spelling::Digits, &[Loss::Spelling(spelled_otherwise)]).finish()
}
