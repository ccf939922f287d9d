//! Reads the records from BSON.

use super::{Outcome, People};
use crate::contenders::Bson;
use crate::error::BenchError;

pub(super) fn run(people: &People) -> Result<Outcome, BenchError> {
    people.read(Bson::default())
}
