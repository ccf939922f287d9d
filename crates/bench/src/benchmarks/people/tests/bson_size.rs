//! The length of the records in BSON.

use super::{Outcome, People};
use crate::contenders::Bson;
use crate::error::BenchError;

pub(super) fn run(people: &People) -> Result<Outcome, BenchError> {
    people.size(Bson::default())
}
