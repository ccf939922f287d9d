//! Operators that convert values.

use bson::{Bson, Document};

/// The value of an operator that is sent to servers to convert values.
pub(crate) fn operator(name: &str, operand: &Bson, _document: &Document) -> Option<Bson> {
    panic!("unknown operator {name}: {operand}")
}
