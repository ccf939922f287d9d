//! The showdown of JSON against BSON: one object of many equal records.

use boson_document::Value;

use super::build::{object, text};
use super::random::{Random, day_and_time};

const FIRST: [&str; 10] = ["Ada", "Bruno", "Carmen", "Dmitri", "Esther", "Farid", "Greta", "Hiro", "Ines", "Jonas"];

const MIDDLE: [&str; 10] = ["", "Anne", "Blake", "Chidi", "Dawn", "Elio", "Faye", "Grant", "Hope", "Iris"];

const LAST: [&str; 10] =
    ["Abara", "Berg", "Castillo", "Dubois", "Eriksson", "Fischer", "Gupta", "Hayashi", "Ivanova", "Jensen"];

/// `person_0` to the last of `rows`.
pub(super) fn document(random: &mut Random, rows: usize) -> Value {
    Value::Object((0..rows).map(|row| (format!("person_{row}"), person(random))).collect())
}

fn person(random: &mut Random) -> Value {
    let (first, middle, last) = (random.pick(&FIRST), random.pick(&MIDDLE), random.pick(&LAST));
    let email = format!("{}.{}@example.org", first.to_lowercase(), last.to_lowercase());
    let created_ms = random.moment_ms();
    let updated_ms = created_ms + 1000 * i64::from(random.below(86_400 * 300));
    object([
        ("first_name", text(first)),
        ("middle_name", text(middle)),
        ("last_name", text(last)),
        ("email", text(email)),
        ("active", Value::Int32(random.below(2))),
        ("created_at", text(day_and_time(created_ms))),
        ("updated_at", text(day_and_time(updated_ms))),
    ])
}
