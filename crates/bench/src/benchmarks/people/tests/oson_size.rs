//! The length of the records in compact OSON.

use boson_oson::write::Style;

use super::{Outcome, People};
use crate::contenders::Oson;
use crate::error::BenchError;

pub(super) fn run(people: &People) -> Result<Outcome, BenchError> {
    people.size(Oson::new(Style::Compact))
}
