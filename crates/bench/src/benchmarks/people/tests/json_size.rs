//! The length of the records in JSON.

use super::{Outcome, People};
use crate::contenders::Json;
use crate::error::BenchError;

pub(super) fn run(people: &People) -> Result<Outcome, BenchError> {
    people.size(Json::default())
}
