//! Reads the records from JSON text.

use super::{Outcome, People};
use crate::contenders::Json;
use crate::error::BenchError;

pub(super) fn run(people: &People) -> Result<Outcome, BenchError> {
    people.read(Json::default())
}
