//! Writes the records as JSON text.

use super::{Outcome, People};
use crate::contenders::Json;
use crate::error::BenchError;

pub(super) fn run(people: &People) -> Result<Outcome, BenchError> {
    people.make(Json::default())
}
